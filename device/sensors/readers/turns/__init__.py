"""Times of reading a layout as a turn, for the games whose turns are several steps.

Random matches give states in which a turn begins; a random turn from there, cut off somewhere, gives a layout
that has an explanation. The same layout with one thing changed mostly has none: such layouts take longest, as
all that could explain them has to be ruled out. Recorded layouts are the slowest ever met.
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import process_time
from typing import Any

import msgspec
from msgspec.structs import replace

from engines import torres
from engines.contract import Choice, Decide, Game, OutOfStep, Setup
from engines.readings import Observation, interpret
from engines.torres.layouts import Layout
from engines.torres.state import State

BARS = {"median_ms": "< 100", "p99_ms": "< 1000"}
RECORDED = "torres.txt"
"""The file of the layouts that took longest."""
RESTING = 0.1
"""How often a random turn goes on with what does not show, or ends."""


class ReadingTimes(msgspec.Struct, frozen=True):
    """CPU times in ms of so many readings, and how many of them were out of step."""

    readings: int
    out_of_step: int
    median_ms: float
    p99_ms: float
    worst_ms: float


class TurnFigures(msgspec.Struct, frozen=True):
    """Times of turns, of turns with one thing changed, and of the recorded layouts; ``worst`` is the slowest
    of the random ones as ``position | layout``, and ``memory_mb`` what the process grew by meanwhile.
    """

    turns: ReadingTimes
    changed: ReadingTimes
    recorded: ReadingTimes | None
    worst: str
    memory_mb: float


Case = tuple[State, str]
"""A state and the text of a layout that was seen next."""


def cases(number: int, rng: Random, *, changed: bool = False) -> Iterator[Case]:
    """Yield so many random turns, as they were or each with one thing changed."""
    game, made = torres.GAME, 0
    while True:
        for start in _starts(game, rng):
            seen = _turn(game, start, rng)
            if game.sight.of(start) != seen:
                yield start, str(_changed(seen, start.seat, rng) if changed else seen)
                made += 1
            if made == number:
                return


def _starts(game: Game[State, Any], rng: Random) -> Iterator[State]:
    """Yield the states of a random match in which a turn begins."""
    state = game.rules.start(Setup(seats=rng.choice(game.seats)))
    last = None
    while not state.termination:
        if _turn_of(game, state) not in (None, last):
            yield state
            last = _turn_of(game, state)
        state = game.rules.apply(state, _choice(game, state, rng))


def _turn_of(game: Game[State, Any], state: State) -> tuple[int, int, int] | None:
    """Return the turn that is being played; None in the middle of a step and outside of turns."""
    pending = game.rules.pending(state)
    if not isinstance(pending, Decide) or pending.question != "action":
        return None
    return state.phase, state.round, state.seat


def _turn(game: Game[State, Any], start: State, rng: Random) -> Layout:
    """Return the layout after some of a random turn."""
    state = start
    for _ in range(rng.randint(1, 6)):
        state = game.rules.apply(state, _choice(game, state, rng, resting=RESTING))
        while game.rules.pending(state).open:
            state = game.rules.apply(state, _choice(game, state, rng))
        if _turn_of(game, state) != _turn_of(game, start):
            break
    seen: Layout = game.sight.of(state)
    return seen


def _choice(game: Game[State, Any], state: State, rng: Random, resting: float = 1.0) -> Choice:
    """Draw an action, each kind as likely as any other.

    One that does not show is only drawn as often as ``resting``.
    """
    found = game.rules.legal(state)
    if found[0].question != "action":
        return rng.choice(found)
    shown = [choice for choice in found if game.sight.visible(choice)]
    if shown and rng.random() >= resting:
        found = shown
    kind = rng.choice(sorted({choice.token[0] for choice in found}))
    return rng.choice([choice for choice in found if choice.token[0] == kind])


def _changed(seen: Layout, seat: int, rng: Random) -> Layout:
    """Change one thing: a block more or less, or one of a seat's knights gone, or elsewhere."""
    taken = 1 << seen.king
    for own in seen.knights:
        taken |= own
    free = [cell for cell in range(64) if not taken >> cell & 1]
    mine = [cell for cell in range(64) if seen.knights[seat] >> cell & 1]
    heights, knights = bytearray(seen.heights), list(seen.knights)
    match rng.randrange(4):
        case 0:
            heights[rng.choice([cell for cell in free if heights[cell] < 12])] += 1
        case 1:
            heights[rng.choice([cell for cell in free if heights[cell]])] -= 1
        case 2:
            knights[seat] ^= 1 << rng.choice(mine)
        case _:
            knights[seat] ^= 1 << rng.choice(mine) | 1 << rng.choice(free)
    a, b, c, d = knights
    return replace(seen, heights=bytes(heights), knights=(a, b, c, d))


def recorded(path: Path) -> list[Case]:
    """Read the cases of a file of lines ``position | layout``, ``#`` before a remark; none without one."""
    if not path.exists():
        return []
    game = torres.GAME
    lines = [line.split(" | ") for line in path.read_text("utf-8").splitlines() if line and line[0] != "#"]
    return [(game.position.read(position), layout) for position, layout in lines]


def read_ms(case: Case) -> tuple[float, bool]:
    """Measure the CPU time of reading a case in ms, and whether it was out of step."""
    state, layout = case
    begin = process_time()
    found = interpret(torres.GAME, state, Observation("board", ((layout, 1.0),)))
    return (process_time() - begin) * 1000, isinstance(found, OutOfStep)


def times(read: Sequence[tuple[float, bool]]) -> ReadingTimes:
    """Sum up the times."""
    spent = [ms for ms, _ in read]
    percentiles = quantiles(spent, n=100, method="inclusive") if len(spent) > 1 else spent * 99
    return ReadingTimes(
        readings=len(spent),
        out_of_step=sum(out for _, out in read),
        median_ms=round(median(spent), 2),
        p99_ms=round(percentiles[98], 2),
        worst_ms=round(max(spent), 2),
    )


def measure(number: int, folder: Path, seed: int = 1) -> TurnFigures:
    """Read so many random turns, as many changed ones, and the cases recorded in ``folder``."""
    before = _memory_mb()
    plain = [(read_ms(case), case) for case in cases(number, Random(seed))]
    # Other turns, so that nothing is remembered from reading them unchanged.
    changed = [(read_ms(case), case) for case in cases(number, Random(seed + 1), changed=True)]
    known = [read_ms(case) for case in recorded(folder / RECORDED)]
    state, layout = max(plain + changed, key=lambda one: one[0][0])[1]
    return TurnFigures(
        turns=times([read for read, _ in plain]),
        changed=times([read for read, _ in changed]),
        recorded=times(known) if known else None,
        worst=f"{torres.GAME.position.write(state)} | {layout}",
        memory_mb=round(_memory_mb() - before, 1),
    )


def table(figures: TurnFigures) -> list[str]:
    """Return the figures for people to read, the bars beside them."""
    lines = []
    for name, found, bars in (
        ("turns", figures.turns, BARS),
        ("changed", figures.changed, BARS),
        ("recorded", figures.recorded, {}),  # the slowest of thousands, so no bar is meant for their median
    ):
        for field, value in msgspec.structs.asdict(found).items() if found else ():
            lines.append(f"{name}.{field}: {value} {bars.get(field, '')}".rstrip())
    return [*lines, f"memory_mb: {figures.memory_mb}", f"worst: {figures.worst}"]


def _memory_mb() -> float:
    """Return the most memory that the process has had so far, in MB."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1 << 20 if sys.platform == "darwin" else 1 << 10)
