"""Matches played on this box: how each ended, and each player's games, wins and means.

Out of the journals on the disk, which are read again only once they have changed. Nothing of it is kept, and
nothing leaves the box.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean

import msgspec

from device.match.journal import JournalError, read
from device.match.library import PastMatch
from device.match.replay import Replay
from device.match.standings import scores
from engines.contract import winners
from engines.errors import EngineError


class MatchResult(msgspec.Struct, frozen=True):
    """The standing of a match on the disk: ``points`` by seat, and who won it once it is ``over``.

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


class Damaged(msgspec.Struct, frozen=True):
    """A journal that tells no match, and why."""

    file: str
    why: str


class GamePlayed(msgspec.Struct, frozen=True):
    """What somebody played of one game to its end: ``games``, ``wins`` (shared ones too), the mean points and
    the most.
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
        """Nothing is read yet."""
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
            return (0, 0), Damaged(past.path.name, str(error.strerror or error))
        known = self._known.get(past.path)
        return known if known and known[0] == state else (state, result(past))


def result(past: PastMatch) -> MatchResult | Damaged:
    """Return how a match on the disk stands, as far as its journal can be read."""
    name = past.path.name
    try:
        reading = read(past.path)
        if reading.damage and not reading.records:
            return Damaged(name, str(reading.damage))
        replay = Replay(reading.header, reading.records)
    except (JournalError, EngineError, ValueError, OSError) as error:
        return Damaged(name, str(error))
    state = replay.match.state
    over = bool(state.termination) and not replay.abandoned
    return MatchResult(
        file=name,
        date=past.date,
        began_ms=replay.log[0].utc_ms if replay.log else None,
        game=replay.header.game,
        names=replay.names,
        points=tuple(scores(replay)),
        winners=winners(replay.game, state) if over else (),
        over=over,
        abandoned=replay.abandoned,
        simulated=replay.header.simulated,
    )


def players(results: Sequence[MatchResult | Damaged]) -> list[Player]:
    """Each player's figures of the matches that came to their end, who played most first.

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
