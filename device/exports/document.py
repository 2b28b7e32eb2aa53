"""A match as one JSON document for other programs. :class:`Document` is its schema, field by field."""

from __future__ import annotations

import msgspec

from device.alike import alike
from device.exports.account import Account, AccountRow, JournalTold, RulingEntry
from device.exports.scores import STANDING, FinalStanding, Gained, compute_standing, list_gains
from device.match import Agree
from engines.contract import SEATS
from engines.matchfile import result

SCHEMA = 2
"""The version of the schema: it rises if a field changes its meaning or goes, not with a new field."""


class ScoreView(msgspec.Struct, frozen=True):
    """A seat's view of the final score: it ``confirms`` the score, or ``counts`` other points, by seat."""

    seat: str
    confirms: bool
    counts: tuple[int, ...]


class Document(msgspec.Struct, frozen=True):
    """The output of ``podesta export --as json``.

    ``schema`` is 2, ``view`` its reader (``public`` or a seat). ``names`` are by seat, ``start`` is the seat
    that began, ``options`` are all options of the game as chosen. ``termination`` is "" for a match that did
    not come to its end; ``standing`` and ``result`` are then the score if it ended there. ``gains`` made the
    score, record by record, after all rulings. ``views`` tell who confirms the score and who counts
    otherwise. ``position`` is the present position in the game's notation. ``facts`` are the match's facts of
    its copy as in its header, ``sample`` is true if that copy is made up. ``journal`` is null for a match
    file.
    """

    schema: int
    view: str
    game: str
    title: str
    rules_version: int
    simulated: bool
    sample: bool
    refereed: bool
    names: dict[str, str]
    start: str
    level: str
    options: dict[str, str]
    facts: dict[str, str]
    start_position: str
    termination: str
    abandoned: bool
    paused: bool
    called: bool
    result: str
    position: str
    standing: FinalStanding
    gains: tuple[Gained, ...]
    views: tuple[ScoreView, ...]
    lines: tuple[AccountRow, ...]
    rulings: tuple[RulingEntry, ...]
    note: str
    journal: JournalTold | None


PARTS = (Document, AccountRow, *STANDING, Gained, RulingEntry, ScoreView, JournalTold)
"""The classes in the document, for its description."""


def write(account: Account) -> str:
    """Return the document as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(make_document(account)), indent=2).decode() + "\n"


def make_document(account: Account) -> Document:
    """Return the document of an account."""
    header, match = account.header, account.match
    game, setup, chosen = match.game, header.setup, dict(header.setup.options)
    gains = list_gains(match, (row.record for row in account.rows if not row.sealed))
    return alike(
        Document,
        account,
        schema=SCHEMA,
        game=game.id,
        title=game.title,
        sample=header.sample,
        refereed=header.refereed,
        names=dict(zip(SEATS, header.names, strict=False)),
        start=SEATS[setup.start],
        level=setup.level.value,
        options={option.name: chosen.get(option.name, option.values[0]) for option in game.options},
        facts=dict(setup.facts),
        start_position=setup.position,
        termination=match.state.termination,
        result=result(match),
        position=game.position.write(match.state),
        standing=compute_standing(game, match.state, header.names, gains),
        gains=gains,
        views=tuple(
            ScoreView(SEATS[one.seat], isinstance(one, Agree), () if isinstance(one, Agree) else one.points)
            for one in account.views
        ),
        lines=account.rows,
        rulings=account.rulings,
    )
