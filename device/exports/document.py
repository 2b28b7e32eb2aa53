"""A match as one JSON document for other programs. :class:`Document` is its schema, field by field."""

from __future__ import annotations

import msgspec

from device.alike import alike
from device.exports.account import Account
from device.exports.rows import moment
from device.exports.scores import STANDING, FinalStanding, Gained, gained, standing
from device.match import Agree, Dispute
from engines.contract import SEATS
from engines.matchfile import result

SCHEMA = 2
"""Goes up when a field changes its meaning or goes; a new field does not change it."""


class DocumentLine(msgspec.Struct, frozen=True):
    """One thing that counts, in the order of the table. ``record`` is its number in the journal, in a match
    file that of the step. ``kind`` is ``step``, ``report`` (seat null: the table), ``adjustment`` (points by
    hand) or ``fallen`` (what stays of reports that people went back before). ``text`` is its notation, null
    while the choice is sealed. ``waived`` are clauses overruled for it, ``ruled`` the record of the ruling
    that gave it its wording (0: none), ``by`` who agreed (seats, or ``judge``), ``reason`` why. ``totals`` is
    the score after it, by seat; ``time`` is UTC, null out of a match file.
    """

    record: int
    kind: str
    seat: str | None
    text: str | None
    waived: tuple[str, ...]
    ruled: int
    by: str
    reason: str
    time: str | None
    channel: str
    totals: tuple[int, ...]


class RulingEntry(msgspec.Struct, frozen=True):
    """One ruling: ``text`` as recorded, null about a sealed choice; ``about`` the entry it is about as that
    read before, ``by`` who agreed, ``undone`` whether it was taken back later.
    """

    record: int
    text: str | None
    about: str
    by: str
    time: str
    undone: bool


class ScoreView(msgspec.Struct, frozen=True):
    """A seat's view of the final score: ``confirms``, or ``counts`` otherwise, by seat."""

    seat: str
    confirms: bool
    counts: tuple[int, ...]


class JournalTold(msgspec.Struct, frozen=True):
    """The facts that only a journal tells: how many ``records``, the last one's hash (``tip``), the
    ``phrase`` of the last that a box signed (empty for none), an id of the match that stays. ``minutes``
    played leave out pauses and the time the box was off.
    """

    records: int
    tip: str
    phrase: str
    match_id: str
    table_id: str
    event_id: str
    began: str
    ended: str
    minutes: float


class Document(msgspec.Struct, frozen=True):
    """The output of ``podesta export --as json``.

    ``schema`` is 2, ``view`` whose eyes it is for (``public`` or a seat). ``names`` are by seat, ``start`` is
    the seat that began, ``options`` are all of the game's as they were chosen. ``termination`` is "" for a
    match that did not come to its end; ``standing`` and ``result`` are then the score if it ended there.
    ``gains`` are what made the score, record by record, as the match counts after all rulings.
    ``views`` say who confirms the score and who counts otherwise. ``position`` is where the match stands, as
    the game writes it. ``facts`` is what the match knew of its copy, as its header has it, ``sample`` whether
    that copy is made up. ``journal`` is null for a match file.
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
    lines: tuple[DocumentLine, ...]
    rulings: tuple[RulingEntry, ...]
    note: str
    journal: JournalTold | None


PARTS = (Document, DocumentLine, *STANDING, Gained, RulingEntry, ScoreView, JournalTold)
"""All that the document is made of, for those who read about it."""


def write(account: Account) -> str:
    """Return the document as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(document(account)), indent=2).decode() + "\n"


def document(account: Account) -> Document:
    """Return the account in the document's terms."""
    header, match, log = account.header, account.match, account.log
    game, setup, chosen = match.game, header.setup, dict(header.setup.options)
    gains = gained(match, (row.number for row in account.rows if not row.sealed))
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
        paused=bool(log and log.paused),
        called=bool(log and log.called),
        result=result(match),
        position=game.position.write(match.state),
        standing=standing(game, match.state, header.names, gains),
        gains=gains,
        views=tuple(_view(view) for view in account.views),
        lines=_lines(account),
        rulings=_rulings(account),
        journal=_journal(account),
    )


def _lines(account: Account) -> tuple[DocumentLine, ...]:
    return tuple(
        alike(
            DocumentLine,
            row,
            record=row.number,
            seat=None if row.seat is None else SEATS[row.seat],
            text=row.text or None,
            time=None if row.utc_ms is None else moment(row.utc_ms),
        )
        for row in account.rows
    )


def _rulings(account: Account) -> tuple[RulingEntry, ...]:
    return tuple(
        alike(
            RulingEntry,
            ruled,
            record=ruled.number,
            text=None if ruled.ruling is None else str(ruled.ruling),
            about=ruled.what,
            time=moment(ruled.utc_ms),
        )
        for ruled in account.rulings
    )


def _view(view: Agree | Dispute) -> ScoreView:
    confirms = isinstance(view, Agree)
    return ScoreView(SEATS[view.seat], confirms, () if isinstance(view, Agree) else view.points)


def _journal(account: Account) -> JournalTold | None:
    log = account.log
    if log is None:
        return None
    began, ended, minutes = moment(log.began_ms), moment(log.ended_ms), round(log.played_ms / 60_000, 2)
    return alike(JournalTold, log, began=began, ended=ended, minutes=minutes)
