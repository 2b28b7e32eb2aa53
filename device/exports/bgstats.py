"""A finished match as a play for the BG Stats app.

The app takes a play as JSON, URL-encoded behind ``https://app.bgstatsapp.com/createPlay.html?data=``; its
support pages, "Push plays to BG Stats from other apps or websites", describe it.

*What was checked*: not that page itself. Seven public programs that hand plays over in this way agree on the
address and on the names ``sourceName``, ``sourcePlayId``, ``playDate``, ``durationMin``,
``location``, ``board``, ``comments``, ``game`` (``name``, ``sourceGameId``, ``highestWins``, ``noPoints``,
``bggId``) and ``players`` (``name``, ``sourcePlayerId``, ``startPlayer``, ``rank``, ``role``, ``score``,
``winner``); that ``playDate`` is the end of the play, in UTC, as ``yyyy-MM-dd HH:mm:ss``; that the app
remembers the game or player that it matched with a ``sourceGameId`` or ``sourcePlayerId``; and that its
Android version refuses a play without its yes-or-no fields, so all of them are written.

*What was not*: the app has not read this output. Unknown are whether ``score`` may be an expression as well
as a number, whether ``rank`` is used beside ``score``, and how long ``board`` and ``comments`` may be.

``bggId`` is left out: the app matches the game by its name, once, and shows people the match.
"""

from __future__ import annotations

import hashlib

import msgspec

from device.exports.account import Account, JournalTold
from device.match import Dispute, say_ruling
from device.texts import Texts
from engines.texts import plain
from engines.words import Words

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


def write(account: Account) -> str:
    """Return the play as JSON; raises :class:`Unfit`."""
    return msgspec.json.format(msgspec.json.encode(play(account)), indent=2).decode() + "\n"


def play(account: Account) -> BgStatsPlay:
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
