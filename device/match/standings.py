"""Standings of recorded matches: of one, of those of an evening, of all that were played on this box.

Figures of several come out of the journals on the disk, which are read again only once they have changed.
Nothing of them is kept, and nothing leaves the box.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from statistics import fmean

import msgspec

from device.match.journal import JournalError, unread
from device.match.library import PastMatch, replayed
from device.match.replay import Replay
from device.texts import Why
from engines.contract import Label, winners
from engines.errors import EngineError
from engines.match import Fallen, Match
from engines.words import Words, scores_of

EVENING_ENDS = timedelta(hours=6)
"""An evening lasts until this hour of the next morning."""


def scores(replay: Replay) -> list[int]:
    """Return each seat's points if the match ended now."""
    return scores_of(replay.game, replay.match.state, len(replay.names))


def moving(replay: Replay) -> tuple[str, Sequence[int]]:
    """Return the figures that a match goes by, each seat's, and the text that names them.

    Until the end they are what is counted beside the score, in a game that counts so; else the score, which
    needs no name.
    """
    tally = next(iter(replay.game.scoring.tallies(replay.match.state)), None)
    if tally and not replay.over:
        return f"tally.{tally.name}", tally.figures
    return "", scores(replay)


def scoreboard(replay: Replay, words: Words) -> dict[str, object]:
    """Return a match's standing for who looks from elsewhere, fit for JSON, by place.

    ``places`` are of ``place``, ``name``, ``seat`` and ``points``, ``ties`` say what decides between level
    ones, ``tallies`` are what is counted beside the score: ``name`` and ``figures`` by player. ``over`` is
    whether that is the end.
    """
    game, state = replay.game, replay.match.state
    places = game.scoring.ranking(state)
    return {
        "over": bool(state.termination),
        "places": [
            {"place": place.number, "name": words.name(seat), "seat": seat, "points": place.points}
            for place in places
            for seat in place.seats
        ],
        "ties": list(words.ties(places).values()),
        "tallies": [
            {
                "name": words(f"tally.{tally.name}"),
                "figures": [{"name": words.name(seat), "figure": n} for seat, n in enumerate(tally.figures)],
            }
            for tally in game.scoring.tallies(state)
        ],
    }


# What a device that keeps pieces, a cube tower say, did in matches


def odometer(matches: Sequence[Match]) -> tuple[Label, ...]:
    """Tell what the tower did in these matches of one game, the oldest first; "" in a game without one."""
    return matches[0].game.telling.odometer([list(_kept(match)) for match in matches])


def _kept(match: Match) -> Iterator[str]:
    """Return what stays of all reports of a match, also those before which people went back."""
    for at, made in enumerate(match.steps):
        if isinstance(made, Fallen):
            yield from made.words
        stayed = (match.game.rules.stays(state, choice) for state, choice in match.reported(at))
        yield from filter(None, stayed)


# Matches that were played


class MatchResult(msgspec.Struct, frozen=True):
    """The standing of a match: ``points`` by seat, and who won it once it is ``over``.

    ``file`` is its journal's name, ``began_ms`` when its first entry was made (ms since 1970), None without
    one. ``winners`` are seats; several share it.
    """

    file: str
    date: str
    began_ms: int | None
    game: str
    names: tuple[str, ...]
    points: tuple[int, ...]
    winners: tuple[int, ...]
    over: bool
    abandoned: bool
    simulated: bool

    @classmethod
    def of(cls, replay: Replay, file: str, date: str = "") -> MatchResult:
        """Return how a match stands as far as it was played."""
        over = bool(replay.match.state.termination) and not replay.abandoned
        return cls(
            file=file,
            date=date,
            began_ms=replay.log[0].utc_ms if replay.log else None,
            game=replay.header.game,
            names=replay.names,
            points=tuple(scores(replay)),
            winners=winners(replay.game, replay.match.state) if over else (),
            over=over,
            abandoned=replay.abandoned,
            simulated=replay.header.simulated or any(one.simulated for one in replay.log),
        )

    @property
    def company(self) -> tuple[list[str], str, bool]:
        """Return who played, on which day's evening in local time, and whether nothing was real."""
        evening = "" if self.began_ms is None else f"{local(self.began_ms) - EVENING_ENDS:%F}"
        return sorted(map(str.casefold, self.names)), evening, self.simulated


class Damaged(msgspec.Struct, frozen=True):
    """A journal that tells no match, and why."""

    file: str
    why: Why


class GamePlayed(msgspec.Struct, frozen=True):
    """A player's figures in one game, of matches played to the end: ``games``, ``wins`` (shared ones too),
    the mean points and the most.
    """

    game: str
    games: int
    wins: int
    mean: float
    best: int


class Player(msgspec.Struct, frozen=True):
    """Somebody by name, and what they played, game by game."""

    name: str
    played: tuple[GamePlayed, ...]


class Archive:
    """The results of the matches on the disk. It blocks while it reads: call it off the event loop."""

    def __init__(self) -> None:
        """Start empty: nothing is read yet."""
        self._known: dict[Path, tuple[tuple[int, int], MatchResult | Damaged]] = {}

    def results(self, past: Iterable[PastMatch]) -> list[MatchResult | Damaged]:
        """Return how each of these matches stands, in their order."""
        found = {one.path: self._look(one) for one in past}
        self._known = found
        return [result for _, result in found.values()]

    def _look(self, past: PastMatch) -> tuple[tuple[int, int], MatchResult | Damaged]:
        try:
            stat = past.path.stat()
            state = stat.st_mtime_ns, stat.st_size
        except OSError as error:
            return (0, 0), Damaged(past.path.name, unread(error))
        known = self._known.get(past.path)
        return known if known and known[0] == state else (state, result(past))


def result(past: PastMatch) -> MatchResult | Damaged:
    """Return how a match on the disk stands, as far as its journal can be read."""
    name = past.path.name
    try:
        replay = replayed(past.path)
    except (JournalError, EngineError, ValueError, OSError) as error:
        return Damaged(name, unread(error))
    return MatchResult.of(replay, name, past.date)


def players(results: Sequence[MatchResult | Damaged]) -> list[Player]:
    """Return each player's figures of the matches that came to their end, who played most first.

    A name is the same in capitals and small letters; it is told as it was written last. ``results`` are the
    latest first.
    """
    names: dict[str, str] = {}
    points: dict[str, dict[str, list[tuple[int, bool]]]] = defaultdict(lambda: defaultdict(list))
    for one in results:
        if isinstance(one, MatchResult) and one.over:
            for seat, name in enumerate(one.names):
                names.setdefault(name.casefold(), name)
                points[name.casefold()][one.game].append((one.points[seat], seat in one.winners))
    found = [
        Player(
            names[key],
            tuple(_played(game, games) for game, games in sorted(by_game.items())),
        )
        for key, by_game in points.items()
    ]
    return sorted(found, key=lambda one: (-sum(game.games for game in one.played), one.name.casefold()))


def _played(game: str, games: Sequence[tuple[int, bool]]) -> GamePlayed:
    every = [points for points, _ in games]
    wins = sum(won for _, won in games)
    return GamePlayed(game, len(games), wins, round(fmean(every), 1), max(every))


def local(utc_ms: int) -> datetime:
    """Return a moment in the time zone of this machine."""
    return datetime.fromtimestamp(utc_ms / 1000).astimezone()


def together(of: MatchResult, others: Iterable[MatchResult]) -> list[MatchResult]:
    """Return ``of`` and those of the same players on the same evening, in the order they began in.

    A match that is there twice (a copy, what was kept of a damaged file) began in the same moment, and counts
    once.
    """
    found = {one.began_ms: one for one in (*others, of) if one.company == of.company}
    return sorted(found.values(), key=lambda one: one.began_ms or 0)


def wins(results: Iterable[MatchResult]) -> Counter[str]:
    """Count the finished matches that each player has won; a shared first place counts."""
    return Counter(one.names[seat] for one in results if one.over for seat in one.winners)
