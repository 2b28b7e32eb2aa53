"""Speed of the engines beside python-chess in the same run: clocks vary, ratios less so.

A *decision* is one choice among two or more: make the legal list, choose at random, apply, test for the end.
Chess does the same with ``list(board.legal_moves)``, ``push`` and ``is_game_over()``. Both take turns in
short slices of CPU time. Choices with one option take time but do not count.

Random players would end a match long before its middle if a choice can end it. So such a choice is mostly
rejected, and the match goes on (:data:`ENDING`).

Readings are timed, too: a layout of a random match some choices after a state may have an explanation by the
steps between. One of a later turn has none and takes longest, as every explanation must be ruled out.
Recorded layouts are the slowest ever found.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice
from pathlib import Path
from random import Random
from statistics import median, mode, quantiles
from time import perf_counter, perf_counter_ns, process_time
from typing import Any

import msgspec

import engines
from device.exports import align_columns
from engines import matchfile
from engines.contract import Choice, Decide, Game, OutOfStep, Over, Pending, Report, Setup
from engines.facts import is_sample, playable, schema
from engines.match import Made, Step, replay
from engines.search import explain, true_choices

SLICE_S = 0.1
BATCH = 64
PLAYOUTS = 8
STATES = 300
ENDING = 0.05
"""The share of choices that may end the match although there are others."""

BARS = {
    "ratio": ">= 3",
    "why_not_us": "< 20",
    "replay_ms": "< 50",
    "import_ms": "< 150",
}


class GameFigures(msgspec.Struct, frozen=True):
    """Figures of one game.

    ``ratio`` is decisions/s over python-chess (null without it), ``list_mean`` and ``list_worst`` are lengths
    of legal lists. ``records_per_turn`` are steps per turn; a turn begins when another seat is asked the
    question that most steps answer. ``why_not_us`` is the median over all tokens, ``replay_ms`` over whole
    matches, ``legal_worst_ms`` the slowest list; ``sample`` is true if the copy was made up.
    """

    ratio: float | None
    decisions_per_s: int
    list_mean: float
    list_worst: int
    records_per_turn: float
    why_not_us: float
    replay_ms: float
    legal_worst_ms: float
    sample: bool = False


class EngineFigures(msgspec.Struct, frozen=True):
    """Figures by game; ``import_ms`` is the time of a fresh Python from its start to the first legal list."""

    games: dict[str, GameFigures]
    import_ms: float

    def lines(self) -> list[str]:
        """Return the figures for people, with the bars."""
        names = (f"{name} (sample)" if game.sample else name for name, game in self.games.items())
        rows = [["", *names, "bar"]]
        for field in GameFigures.__struct_fields__[:-1]:
            values = [getattr(game, field) for game in self.games.values()]
            rows.append(
                [field, *("-" if value is None else str(value) for value in values), BARS.get(field, "")]
            )
        shown = align_columns(rows)
        return [*shown, f"import_ms {self.import_ms} {BARS['import_ms']}"]


Options = Sequence[tuple[str, str]]
"""The options to measure with, by name and value, for games that have them."""


def make_setup(game: Game[Any, Any], chosen: Options = ()) -> Setup:
    """Return the set-up to measure.

    It has the fewest seats, only the ``chosen`` options that the game has, and a sample's facts if the game
    needs some.
    """
    options = tuple(one for one in chosen if one[0] in {option.name for option in game.options})
    return playable(schema(game.id), Setup(seats=game.seats[0], options=options))


class GameWalk:
    """Random play in the referee's knowledge: any listed choice, reports too."""

    def __init__(self, game: Game[Any, Any], rng: Random, chosen: Options = ()) -> None:
        """Start a match, untimed."""
        self.game = game
        self.rng = rng
        self.decisions = self.options = self.worst = 0
        self.cpu = 0.0
        self._setup = make_setup(game, chosen)
        self._state = game.rules.start(self._setup)

    def take(self, choices: int) -> None:
        """Make this many choices."""
        legal, apply, choose, state = (
            self.game.rules.legal,
            self.game.rules.apply,
            self.rng.choice,
            self._state,
        )
        for _ in range(choices):
            options = legal(state)
            count = len(options)
            if count > 1:
                self.decisions += 1
                self.options += count
                if count > self.worst:  # noqa: PLR1730 – max() costs a call for each decision
                    self.worst = count
            after = apply(state, choose(options) if options else self._answered(state))
            if not after.termination:
                state = after
            elif count < 2 or self.rng.random() < ENDING:
                state = self.game.rules.start(self._setup)
        self._state = state

    def _answered(self, state: Any) -> Choice:
        """Draw an answer from a sampled world if there are too many to list; its time does not count."""
        begin, game = process_time(), self.game
        world, asked = game.worlds.sample(state, self.rng), game.rules.pending(state)
        if isinstance(asked, Decide):
            answer = true_choices(game, world, state, asked.seats[0], self.rng)[0]
        else:
            answer = game.worlds.answer(world, state, self.rng)
        self.cpu -= process_time() - begin
        return answer


class ChessWalk:
    """A walk with python-chess; raises ImportError without it."""

    def __init__(self, rng: Random) -> None:
        """Set up a board, untimed."""
        import chess  # noqa: PLC0415 – only the bench extra brings it

        self.new: Callable[[], Any] = chess.Board
        self.rng = rng
        self.decisions = 0
        self.cpu = 0.0
        self._board = self.new()

    def take(self, choices: int) -> None:
        """Make this many choices."""
        choose, board = self.rng.choice, self._board
        for _ in range(choices):
            options = list(board.legal_moves)
            if len(options) > 1:
                self.decisions += 1
            board.push(choose(options))
            if board.is_game_over():
                board = self.new()
        self._board = board


def run_interleaved(walks: Sequence[GameWalk | ChessWalk], seconds: float) -> None:
    """Let the walks take turns until each has used its seconds of CPU time."""
    while any(walk.cpu < seconds for walk in walks):
        for walk in walks:
            begin = process_time()
            while (spent := process_time() - begin) < min(SLICE_S, seconds):
                walk.take(BATCH)
            walk.cpu += spent


class MatchSample(msgspec.Struct, frozen=True):
    """Whole random matches: the choices with their states, and the steps of the matches."""

    made: tuple[tuple[Any, Choice], ...]
    matches: tuple[tuple[Setup, tuple[Step, ...]], ...]
    records_per_turn: float


def sample(game: Game[Any, Any], rng: Random, chosen: Options = ()) -> MatchSample:
    """Play some matches at random in sampled worlds, untimed."""
    setup = make_setup(game, chosen)
    made: list[tuple[Any, Choice]] = []
    matches = []
    begun: list[list[tuple[str, int | None]]] = []
    for _ in range(PLAYOUTS):
        played = list(play_random(game, game.rules.start(setup), rng))
        made += [(state, choice) for state, choice, _ in played]
        steps = list(list_whole_steps(game, played))
        begun.append([(asked.question, step.seat) for asked, step in steps])
        matches.append((setup, tuple(step for _, step in steps)))
    return MatchSample(tuple(made), tuple(matches), sum(map(len, begun)) / sum(_count_turns(begun)))


def list_whole_steps(
    game: Game[Any, Any], played: Iterable[tuple[Any, Choice, Any]]
) -> Iterator[tuple[Decide | Report, Step]]:
    """Yield each step of a match, with the first question that it answers."""
    choices: list[Choice] = []
    asked: Pending | None = None
    for state, choice, after in played:
        asked = asked or game.rules.pending(state)
        choices.append(choice)
        if not isinstance(asked, Over) and not game.rules.pending(after).open:
            seat = asked.seats[0] if isinstance(asked, Decide) else None
            yield asked, Step(seat, game.notation.text(choices))
            choices, asked = [], None


def play_random_steps(game_id: str, rng: Random, setup: Setup | None = None) -> Iterator[Step]:
    """Yield the steps of a random match."""
    game = engines.game(game_id)
    start = game.rules.start(setup or playable(schema(game_id), Setup()))
    return (step for _, step in list_whole_steps(game, play_random(game, start, rng)))


def _count_turns(begun: Sequence[Sequence[tuple[str, int | None]]]) -> Iterator[int]:
    """Yield the number of turns in each match, from the first question and the seat of each step."""
    mostly = mode(question for steps in begun for question, seat in steps if seat is not None)
    for steps in begun:
        seats = [seat for question, seat in steps if question == mostly]
        yield sum(1 for _ in groupby(seats))


def play_random(game: Game[Any, Any], state: Any, rng: Random) -> Iterator[tuple[Any, Choice, Any]]:
    """Play a random match in one sampled world; yield each state, its choice and the next state."""
    world = game.worlds.sample(state, rng)
    while not state.termination:
        pending = game.rules.pending(state)
        if isinstance(pending, Decide):
            options = true_choices(game, world, state, pending.seats[0], rng)
            choice = rng.choice(options)
        else:
            options, choice = [], game.worlds.answer(world, state, rng)
        after = game.rules.apply(state, choice)
        if after.termination and len(options) > 1 and rng.random() >= ENDING:
            continue
        yield state, choice, after
        world = game.worlds.advance(world, state, choice, rng)
        state = after


def time_why_not(game: Game[Any, Any], made: Iterable[tuple[Any, Choice]]) -> float:
    """Measure the median time of a ``why_not``, over every token of each question's domain, in µs."""
    times = []
    for state, choice in made:
        pending = game.rules.pending(state)
        tokens = () if isinstance(pending, Over) else pending.domain.tokens
        for asked in [Choice(choice.question, token) for token in tokens] or [choice]:
            begin = perf_counter_ns()
            game.rules.why_not(state, asked)
            times.append(perf_counter_ns() - begin)
    return median(times) / 1000


def time_worst_list(game: Game[Any, Any], made: Iterable[tuple[Any, Choice]]) -> float:
    """Measure the slowest legal list in ms, each by the best of three tries: the machine may pause."""
    return max(min(_time_cpu(game.rules.legal, state) for _ in range(3)) for state, _ in made)


def time_replay(game: Game[Any, Any], matches: Iterable[tuple[Setup, Sequence[Made]]]) -> float:
    """Measure the median time of a strict replay of a whole match, in ms of CPU time."""
    return median(_time_cpu(replay, game, setup, steps) for setup, steps in matches)


def time_import(game: str, runs: int = 5) -> float:
    """Measure the median time of a fresh Python that imports a game and makes its first legal list, in ms."""
    facts = make_setup(engines.game(game)).facts
    code = f"import engines; from engines.contract import Setup; g = engines.game({game!r}); "
    code += f"g.rules.legal(g.rules.start(Setup(seats=g.seats[0], facts={facts!r})))"
    # Without compiled files, as in some containers, this would measure the compiler.
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPATH": str(Path(__file__).parents[2])}
    times = []
    for _ in range(runs):
        begin = perf_counter()
        subprocess.run([sys.executable, "-P", "-c", code], check=True, env=env)
        times.append((perf_counter() - begin) * 1000)
    return median(times)


def measure(seconds: float, recorded: Iterable[Path] = (), chosen: Options = ()) -> EngineFigures:
    """Measure all figures of all games, with ``seconds`` of CPU time for each walk.

    It replays ``recorded`` match files with the ``chosen`` options; for a game without any, random matches.
    """
    games = {name: engines.game(name) for name in engines.GAMES}
    walks = {name: GameWalk(game, Random(1), chosen) for name, game in games.items()}
    try:
        chess: ChessWalk | None = ChessWalk(Random(1))
    except ImportError:
        chess = None
    run_interleaved([*walks.values(), chess] if chess else [*walks.values()], seconds)
    files = [matchfile.read(path.read_text("utf-8"), path.name) for path in recorded]
    figures = {}
    for name, game in games.items():
        walk, drawn = walks[name], sample(game, Random(2), chosen)
        played = [
            (file.setup, file.steps)
            for file in files
            if file.game == name and set(make_setup(game, chosen).options) <= set(file.setup.options)
        ]
        some = Random(3).sample(drawn.made, min(STATES, len(drawn.made)))
        speed = walk.decisions / walk.cpu
        figures[name] = GameFigures(
            ratio=round(speed / (chess.decisions / chess.cpu), 2) if chess else None,
            decisions_per_s=round(speed),
            list_mean=round(walk.options / walk.decisions, 2),
            list_worst=walk.worst,
            records_per_turn=round(drawn.records_per_turn, 2),
            why_not_us=round(time_why_not(game, some), 2),
            replay_ms=round(time_replay(game, played or drawn.matches), 2),
            legal_worst_ms=round(time_worst_list(game, some), 3),
            sample=is_sample(make_setup(game).facts),
        )
    return EngineFigures(figures, round(max(time_import(name) for name in games), 1))


def _time_cpu(work: Callable[..., object], *args: object) -> float:
    begin = process_time()
    work(*args)
    return (process_time() - begin) * 1000


# Readings


READING_BARS = {"median_ms": "< 100", "p99_ms": "< 1000"}
LATER = 12
"""The most choices between a state and the layout that is read there."""


class ReadingTimes(msgspec.Struct, frozen=True):
    """CPU times in ms of ``readings``, and the number out of step; ``worst`` is the slowest as ``position |
    layout``.
    """

    readings: int
    out_of_step: int
    median_ms: float
    p99_ms: float
    worst_ms: float
    worst: str


class ReadingFigures(msgspec.Struct, frozen=True):
    """Times by game of random layouts, and of recorded ones if there are any."""

    games: dict[str, ReadingTimes]
    recorded: dict[str, ReadingTimes]

    def lines(self) -> list[str]:
        """Return the figures for people, with the bars."""
        lines = list[str]()
        # Recorded layouts are the slowest of thousands, so their median has no bar.
        for what, games, bars in (("", self.games, READING_BARS), (" recorded", self.recorded, {})):
            for game, found in games.items():
                values: Sequence[tuple[str, Any]] = list(msgspec.structs.asdict(found).items())
                lines += [
                    f"{game}{what} {name}: {value} {bars.get(name, '')}".rstrip() for name, value in values
                ]
        return lines


Case = tuple[Any, Any]
"""A state and the next layout seen."""


def draw_cases(game: Game[Any, Any], rng: Random) -> Iterator[Case]:
    """Yield random states without end, each with a different layout of some choices later."""
    sight = game.sight
    while True:
        states = [state for state, _, _ in play_random(game, game.rules.start(make_setup(game)), rng)]
        for at, state in enumerate(states[:-LATER]):
            seen = sight.of(states[at + rng.randint(1, LATER)])
            if seen != sight.of(state):
                yield state, seen


def read_cases(game: Game[Any, Any], folder: Path) -> list[Case]:
    """Read a game's file of lines ``position | layout``, ``#`` before a remark; none without one."""
    file = folder / f"{game.id}.txt"
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    pairs = (line.split(" | ") for line in lines if line and line[0] != "#")
    return [(game.position.read(position), game.sight.read(layout)) for position, layout in pairs]


def time_readings(game: Game[Any, Any], read: Iterable[Case]) -> ReadingTimes:
    """Explain at least one case, and return the times."""
    spent, out_of_step, worst = list[float](), 0, ""
    for state, layout in read:
        begin = process_time()
        found = explain(game, game.sight, state, layout)
        spent.append((process_time() - begin) * 1000)
        out_of_step += isinstance(found, OutOfStep)
        if spent[-1] == max(spent):
            worst = f"{game.position.write(state)} | {game.sight.written(layout)}"
    percentiles = quantiles(spent, n=100, method="inclusive") if len(spent) > 1 else spent * 99
    middle, late, most = (round(ms, 2) for ms in (median(spent), percentiles[98], max(spent)))
    return ReadingTimes(len(spent), out_of_step, middle, late, most, worst)


def measure_reading(number: int, folder: Path) -> ReadingFigures:
    """Explain ``number`` random layouts of each game, and those recorded in ``folder``."""
    games = [engines.game(name) for name in engines.GAMES]
    drawn = {game.id: time_readings(game, islice(draw_cases(game, Random(1)), number)) for game in games}
    known = {game.id: time_readings(game, kept) for game in games if (kept := read_cases(game, folder))}
    return ReadingFigures(drawn, known)
