"""Standings of recorded matches: of one, of an evening's, of all on this box.

Figures of several matches come from the journals on the disk, which are read again only after a change. The
box keeps nothing of them, and nothing leaves it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from statistics import fmean

import msgspec

from device.match.journal import JournalError, tell_unread
from device.match.library import PastMatch, replay_file
from device.match.replay import Replay
from device.texts import Why
from engines.contract import Label, winners
from engines.errors import EngineError
from engines.match import Fallen, Match
from engines.words import Words, scores_of

EVENING_ENDS = timedelta(hours=6)
"""The hour of the next morning at which an evening ends."""


def list_scores(replay: Replay) -> list[int]:
    """Return each seat's points if the match ended now."""
    return scores_of(replay.game, replay.match.state, len(replay.names))


def find_running(replay: Replay) -> tuple[str, Sequence[int]]:
    """Return the running figures of a match, one for each seat, and the key of the text that names them.

    Before the end they are the first track beside the score, if the game has one. Otherwise they are the
    score, which needs no name.
    """
    tally = next(iter(replay.game.scoring.tallies(replay.match.state)), None)
    if tally and not replay.over:
        return f"tally.{tally.name}", tally.figures
    return "", list_scores(replay)


def describe_score(replay: Replay, words: Words) -> dict[str, object]:
    """Return a match's standing for viewers elsewhere, fit for JSON, by place.

    ``places`` have ``place``, ``name``, ``seat`` and ``points``; ``ties`` name the tie-breaks that decide;
    ``tallies`` are the tracks beside the score: ``name``, and ``figures`` by player. ``over`` is True if the
    match has ended.
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


# Use of a device that keeps pieces, for example a cube tower


def tell_odometer(matches: Sequence[Match]) -> tuple[Label, ...]:
    """Tell the work of the tower in these matches of one game, the oldest first; empty without a tower."""
    return matches[0].game.telling.odometer([list(_list_staying(match)) for match in matches])


def _list_staying(match: Match) -> Iterator[str]:
    """Yield what stays of all reports of a match, also of those before which people went back."""
    for at, made in enumerate(match.steps):
        if isinstance(made, Fallen):
            yield from made.words
        stayed = (match.game.rules.stays(state, choice) for state, choice in match.reported(at))
        yield from filter(None, stayed)


# Played matches


class MatchResult(msgspec.Struct, frozen=True):
    """The standing of a match: ``points`` by seat, and the winners once it is ``over``.

    ``file`` is its journal's name, ``began_ms`` the time of its first entry (ms since 1970), None without
    one. ``winners`` are seats; several share the victory.
    """

    file: str
    began_ms: int | None
    game: str
    names: tuple[str, ...]
    points: tuple[int, ...]
    winners: tuple[int, ...]
    over: bool
    abandoned: bool
    simulated: bool

    @classmethod
    def of(cls, replay: Replay, file: str) -> MatchResult:
        """Return the standing of a match so far."""
        over = bool(replay.match.state.termination) and not replay.abandoned
        return cls(
            file=file,
            began_ms=replay.log[0].utc_ms if replay.log else None,
            game=replay.header.game,
            names=replay.names,
            points=tuple(list_scores(replay)),
            winners=winners(replay.game, replay.match.state) if over else (),
            over=over,
            abandoned=replay.abandoned,
            simulated=replay.header.simulated or any(one.simulated for one in replay.log),
        )

    @property
    def company(self) -> tuple[list[str], str, bool]:
        """The players, the day of the evening in local time, and True if the match was simulated."""
        evening = "" if self.began_ms is None else f"{to_local(self.began_ms) - EVENING_ENDS:%F}"
        return sorted(map(str.casefold, self.names)), evening, self.simulated


class Damaged(msgspec.Struct, frozen=True):
    """A journal without a readable match, and the reason."""

    file: str
    why: Why


class GamePlayed(msgspec.Struct, frozen=True):
    """A player's figures in one game, from finished matches: ``games``, ``wins`` (shared ones too), the mean
    points and the most.
    """

    game: str
    games: int
    wins: int
    mean: float
    best: int


class Player(msgspec.Struct, frozen=True):
    """A person by name, with figures for each game."""

    name: str
    played: tuple[GamePlayed, ...]


class Archive:
    """The results of the matches on the disk. It blocks while it reads: call it off the event loop."""

    def __init__(self) -> None:
        """Start empty: nothing is read yet."""
        self._known: dict[Path, tuple[tuple[int, int], MatchResult | Damaged]] = {}

    def list_results(self, past: Iterable[PastMatch]) -> list[MatchResult | Damaged]:
        """Return the standing of each of these matches, in order."""
        self._known = {one.path: self._look(one) for one in past}
        return [result for _, result in self._known.values()]

    def _look(self, past: PastMatch) -> tuple[tuple[int, int], MatchResult | Damaged]:
        try:
            stat = past.path.stat()
            state = stat.st_mtime_ns, stat.st_size
        except OSError as error:
            return (0, 0), Damaged(past.path.name, tell_unread(error))
        known = self._known.get(past.path)
        return known if known and known[0] == state else (state, read_result(past))


def read_result(past: PastMatch) -> MatchResult | Damaged:
    """Return the standing of a match on the disk, as far as its journal can be read."""
    name = past.path.name
    try:
        replay = replay_file(past.path)
    except (JournalError, EngineError, ValueError, OSError) as error:
        return Damaged(name, tell_unread(error))
    return MatchResult.of(replay, name)


def list_players(results: Sequence[MatchResult | Damaged]) -> list[Player]:
    """Return each player's figures from finished matches, the player of the most games first.

    Names that differ only in capitals are one player, named as last written. ``results`` come the latest
    first.
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
            tuple(_sum_up(game, games) for game, games in sorted(by_game.items())),
        )
        for key, by_game in points.items()
    ]
    return sorted(found, key=lambda one: (-sum(game.games for game in one.played), one.name.casefold()))


def _sum_up(game: str, games: Sequence[tuple[int, bool]]) -> GamePlayed:
    every = [points for points, _ in games]
    wins = sum(won for _, won in games)
    return GamePlayed(game, len(games), wins, round(fmean(every), 1), max(every))


def to_local(utc_ms: int) -> datetime:
    """Return a moment in the time zone of this machine."""
    return datetime.fromtimestamp(utc_ms / 1000).astimezone()


def find_together(result: MatchResult, others: Iterable[MatchResult]) -> list[MatchResult]:
    """Return ``result`` and the matches of the same players on the same evening, in the order of their start.

    A match that is there twice (a copy, a recovered file) began at the same moment, and counts once.
    """
    found = {one.began_ms: one for one in (*others, result) if one.company == result.company}
    return sorted(found.values(), key=lambda one: one.began_ms or 0)


def count_wins(results: Iterable[MatchResult]) -> Counter[str]:
    """Count the finished matches that each player has won; a shared first place counts."""
    return Counter(one.names[seat] for one in results if one.over for seat in one.winners)
