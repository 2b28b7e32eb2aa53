"""A match as JSON for other programs: one document with everything (:class:`Document` is its schema, field by
field), and a finished match as a play for the BG Stats app (:class:`BgStatsPlay`).

The app takes a play URL-encoded behind ``https://app.bgstatsapp.com/createPlay.html?data=``; its support
pages, "Push plays to BG Stats from other apps or websites", describe it.

*What was checked*: not that page itself. Seven public programs that hand plays over in this way agree on the
address and on the names ``sourceName``, ``sourcePlayId``, ``playDate``, ``durationMin``, ``location``,
``board``, ``comments``, ``game`` (``name``, ``sourceGameId``, ``highestWins``, ``noPoints``, ``bggId``) and
``players`` (``name``, ``sourcePlayerId``, ``startPlayer``, ``rank``, ``role``, ``score``, ``winner``); that
``playDate`` is the end of the play, in UTC, as ``yyyy-MM-dd HH:mm:ss``; that the app remembers the game or
player that it matched with a ``sourceGameId`` or ``sourcePlayerId``; and that its Android version refuses a
play without its yes-or-no fields, so all of them are written.

*What was not*: the app has not read this output. Unknown are whether ``score`` may be an expression as well
as a number, whether ``rank`` is used beside ``score``, and how long ``board`` and ``comments`` may be.

``bggId`` is left out: the app matches the game by its name, once, and shows people the match.
"""

from __future__ import annotations

import hashlib

import msgspec

from device.alike import alike
from device.exports.account import Account, AccountRow, JournalTold, RulingEntry
from device.exports.scores import STANDING, FinalStanding, Gained, compute_standing, list_gains
from device.match import Agree, Dispute, say_ruling
from device.texts import Texts
from engines.contract import SEATS
from engines.matchfile import result
from engines.texts import plain
from engines.words import Words

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


def write_document(account: Account) -> str:
    """Return the document as indented JSON."""
    return _write_json(make_document(account))


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


# A play for the BG Stats app

SOURCE = "Podestà"
"""The source's name, the app's key for what it remembers; it never changes."""


class Unfit(ValueError):
    """A match that is no play for the app; the message says why."""


class GameEntry(msgspec.Struct, frozen=True, rename="camel"):
    """The game of a play."""

    name: str
    source_game_id: str
    highest_wins: bool = True
    no_points: bool = False


class PlayerEntry(msgspec.Struct, frozen=True, rename="camel"):
    """A player; ``rank`` counts from 1, equal ones share it."""

    name: str
    source_player_id: str
    start_player: bool
    rank: int
    score: int
    winner: bool


class BgStatsPlay(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A play as the app reads it."""

    source_name: str
    source_play_id: str
    play_date: str
    game: GameEntry
    players: tuple[PlayerEntry, ...]
    duration_min: int = 0
    location: str = ""
    board: str = ""
    comments: str = ""


def write_play(account: Account) -> str:
    """Return the play as indented JSON; raises :class:`Unfit`."""
    return _write_json(make_play(account))


def make_play(account: Account) -> BgStatsPlay:
    """Return the play; raises :class:`Unfit` for a match without an end or without a date."""
    log = account.journal
    if log is None:
        raise Unfit("a match file does not tell when it was played")
    if not account.over:
        raise Unfit("the match did not come to its end, and the app counts plays with a result")
    header = account.header
    return BgStatsPlay(
        source_name=SOURCE,
        source_play_id=log.match_id,
        play_date=log.ended[:19].replace("T", " "),
        game=GameEntry(account.match.game.title, f"podesta-{header.game}"),
        players=_list_players(account, log),
        duration_min=round(log.minutes),
        location=plain(log.table_id),
        board=plain(", ".join(f"{name} {value}" for name, value in header.setup.options)),
        comments=plain("; ".join(_list_comments(account))),
    )


def _list_players(account: Account, log: JournalTold) -> tuple[PlayerEntry, ...]:
    match, names = account.match, account.header.names
    places = {seat: place for place in match.game.scoring.ranking(match.state) for seat in place.seats}
    return tuple(
        PlayerEntry(
            name=plain(name),
            source_player_id=_make_player_id(log.table_id, name),
            start_player=seat == account.header.setup.start,
            rank=places[seat].number,
            score=places[seat].points,
            winner=places[seat].number == 1,
        )
        for seat, name in enumerate(names)
    )


def _make_player_id(table_id: str, name: str) -> str:
    """Return the id of a name at a table, the same in every match."""
    return hashlib.sha256(f"podesta player {table_id}\n{name}".encode()).hexdigest()[:32]


def _list_comments(account: Account) -> list[str]:
    said = ["SIMULATED: no real match"] * account.simulated
    said += ["SAMPLE: made-up facts of the copy"] * account.header.sample
    disputed = [view for view in account.views if isinstance(view, Dispute)]
    words = Words(Texts.load(), account.match.game, account.header.names)
    return said + [say_ruling(words, view) for view in disputed]


def _write_json(value: msgspec.Struct) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n"
