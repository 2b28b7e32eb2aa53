"""Torres positions for pictures: played by the engine at random, one turn apart, or not reachable at all."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engines import torres
from engines.contract import Choice, Interpretation, OutOfStep, Setup
from engines.kit.rulebook import question
from engines.readings import Observation, interpret
from engines.search import whole_steps
from engines.torres.cells import NAMES, NEXT, SIDE, cells
from engines.torres.ground import survey
from engines.torres.layouts import Layout, of
from engines.torres.state import State

GAME = torres.GAME
COLOURS = ("red", "blue", "green", "yellow")


class Position(Struct, frozen=True):
    """What a picture shows: the state before the turn, the layout after it, and how it was played (``turn``
    is empty where no turn leads there, and ``legal`` false then).
    """

    state: State
    seen: Layout
    turn: tuple[str, ...]
    legal: bool


def position(rng: Random, illegal: bool) -> Position:
    """A position after some turns of a match for two to four, early or late."""
    while True:
        state = _some_turn(rng)
        if state is None:
            continue
        choices, after = _turn(state, rng)
        seen = of(after)
        if seen == of(state):
            continue
        if not illegal:
            # What the clock of a phase does to the board (a king that moves) is no part of the turn.
            return Position(state, seen, _written(state, choices), True)
        changed = _spoilt(state, seen, rng)
        if changed is not None:
            return Position(state, changed, (), False)


def meaning(state: State, seen: Layout) -> Interpretation:
    """What the engine makes of the layout seen."""
    return interpret(GAME, state, Observation("board", ((str(seen), 1.0),)))


# Playing


def _key(state: State) -> tuple[Any, ...]:
    return state.phase, state.round, state.seat, question(state)


def _weight(state: State, choice: Choice, style: dict[str, float]) -> float:
    """Ordinary actions that show (no card is ever taken, so none is played); ``style`` says how a match
    likes to build.
    """
    kind = choice.token[0]
    if choice.token in ("end", "stacks") or kind in "TS":
        return 0.0
    if kind == "B":
        height = state.ground.heights[_cell(choice.token[1:])]
        return style["block"] * style["up"] ** height
    return style["new"] if choice.token == "N" else style["move"]


def _height(state: State, token: str) -> int:
    """How high the space lies that a token names, 0 for another token."""
    name = token[-2:]
    return state.ground.heights[_cell(name)] if name in NAMES else 0


def _cell(name: str) -> int:
    return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)


def _choose(state: State, rng: Random, style: dict[str, float]) -> Choice | None:
    """One choice on the way; None where only what does not show is left."""
    found = GAME.rules.legal(state)
    if question(state) != "action":
        high = [1 + style["climb"] * _height(state, choice.token) for choice in found]
        return rng.choices(found, high)[0]
    weights = [_weight(state, choice, style) for choice in found]
    return rng.choices(found, weights)[0] if sum(weights) > 0 else None


def _turn(state: State, rng: Random) -> tuple[list[Choice], State]:
    """Part of a turn, or all of it, that ends where the turn still could go on."""
    style = _style(rng)
    stop = rng.choice((0.0, 0.0, 0.1, 0.25, 0.5))
    made: list[Choice] = []
    here = state
    while here.left:
        choice = _choose(here, rng, style)
        if choice is None or (made and question(here) == "action" and rng.random() < stop):
            break
        after = GAME.rules.apply(here, choice)
        if _key(after)[:3] != _key(state)[:3] or after.termination:
            break
        made.append(choice)
        here = after
    while here.frames:  # a step that was begun is not seen
        made.pop()
        here = state
        for choice in made:
            here = GAME.rules.apply(here, choice)
    return made, here


def _style(rng: Random) -> dict[str, float]:
    return {
        "block": rng.choice((0.3, 0.6, 1.0, 2.0)),
        "up": rng.choice((1.0, 1.4, 2.2, 3.5)),
        "new": rng.choice((1.0, 4.0, 10.0)),
        "move": rng.choice((0.7, 2.0)),
        "climb": rng.choice((0.0, 3.0, 8.0)),
    }


def _some_turn(rng: Random) -> State | None:
    """The beginning of some turn of a random match; None where the match did not get that far."""
    seats = rng.choice((2, 3, 4, 4))
    state = GAME.rules.start(Setup(seats=seats, start=rng.randrange(seats)))
    wanted = rng.choice((rng.randint(0, 8), rng.randint(0, 45), rng.randint(10, 45)))
    style, turns, last = _style(rng), 0, None
    while not state.termination:
        asked = question(state)
        if asked == "action" and _key(state)[:3] != last:
            if turns >= wanted and state.left == 5 and not state.placed:
                return state
            turns, last = turns + 1, _key(state)[:3]
        choice = _choose(state, rng, style)
        if choice is None or (asked == "action" and rng.random() < 0.04):
            choice = next(c for c in GAME.rules.legal(state) if c.token == "end")
        state = GAME.rules.apply(state, choice)
    return None


def _written(state: State, choices: list[Choice]) -> tuple[str, ...]:
    steps, begun = whole_steps(GAME, state, choices)
    assert not begun
    return tuple(steps)


# Boards that no turn leads to


def _free(layout: Layout) -> list[int]:
    held = 1 << layout.king
    for own in layout.knights:
        held |= own
    return [cell for cell in range(64) if not held >> cell & 1]


def _with_blocks(layout: Layout, more: dict[int, int]) -> Layout:
    heights = bytearray(layout.heights)
    for cell, number in more.items():
        heights[cell] += number
    return replace(layout, heights=bytes(heights))


def _with_knight(layout: Layout, seat: int, source: int, target: int) -> Layout:
    knights = list(layout.knights)
    knights[seat] ^= 1 << source | 1 << target
    return replace(layout, knights=tuple(knights))


def _lone_block(state: State, seen: Layout, rng: Random) -> Layout | None:
    """A block where no castle is, or that joins two."""
    room = survey(seen.heights).room
    spots = [c for c in _free(seen) if not seen.heights[c] and not room >> c & 1]
    return _with_blocks(seen, {rng.choice(spots): 1}) if spots else None


def _block_moved(state: State, seen: Layout, rng: Random) -> Layout | None:
    """A block taken from one column and put on another."""
    free = _free(seen)
    sources = [c for c in free if state.ground.heights[c] and seen.heights[c]]
    targets = [c for c in free if seen.heights[c]]
    source, target = rng.choice(sources), rng.choice(targets)
    return _with_blocks(seen, {source: -1, target: 1}) if source != target else None


def _block_gone(state: State, seen: Layout, rng: Random) -> Layout | None:
    sources = [c for c in _free(seen) if state.ground.heights[c] and seen.heights[c]]
    return _with_blocks(seen, {rng.choice(sources): -1})


def _far_knight(state: State, seen: Layout, rng: Random) -> Layout | None:
    """A knight where it could not get to."""
    own = list(cells(seen.knights[state.seat]))
    return _with_knight(seen, state.seat, rng.choice(own), rng.choice(_free(seen))) if own else None


def _foreign_knight(state: State, seen: Layout, rng: Random) -> Layout | None:
    others = [(s, c) for s, own in enumerate(seen.knights) if s != state.seat for c in cells(own)]
    seat, source = rng.choice(others)
    near = [c for c in _free(seen) if NEXT[source] >> c & 1] or _free(seen)
    return _with_knight(seen, seat, source, rng.choice(near))


def _king_moved(state: State, seen: Layout, rng: Random) -> Layout | None:
    spots = [c for c in _free(seen) if seen.heights[c]]
    return replace(seen, king=rng.choice(spots)) if spots else None


def _four_blocks(state: State, seen: Layout, rng: Random) -> Layout | None:
    """More blocks than a turn has."""
    layout = seen
    while sum(layout.heights) - state.ground.blocks < 4:
        ground = survey(layout.heights)
        spots = [c for c in _free(layout) if (ground.room >> c & 1) or layout.heights[c] in (1, 2)]
        if not spots:
            return None
        layout = _with_blocks(layout, {rng.choice(spots): 1})
    return layout


def _too_high(state: State, seen: Layout, rng: Random) -> Layout | None:
    """A column one higher than its castle is large."""
    ground = survey(seen.heights)
    spots = []
    for castle in ground.castles:
        area = castle.bit_count()
        spots += [c for c in _free(seen) if castle >> c & 1 and area + 1 - seen.heights[c] in (1, 2)]
    if not spots:
        return None
    cell = rng.choice(spots)
    area = next(castle for castle in ground.castles if castle >> cell & 1).bit_count()
    return _with_blocks(seen, {cell: area + 1 - seen.heights[cell]})


SPOILERS: tuple[Callable[[State, Layout, Random], Layout | None], ...] = (
    _lone_block,
    _block_moved,
    _block_gone,
    _far_knight,
    _foreign_knight,
    _king_moved,
    _four_blocks,
    _too_high,
)


def _spoilt(state: State, seen: Layout, rng: Random) -> Layout | None:
    """The layout changed so that no turn leads to it; None where this one's change could be played."""
    changed = rng.choice(SPOILERS)(state, seen, rng)
    if changed is None or changed in (seen, of(state)) or changed.king < 0:
        return None
    return changed if isinstance(meaning(state, changed), OutOfStep) else None


def described(layout: Layout, colours) -> dict:
    """A layout as a picture's truth has it: heights row by row, and pieces by space and colour."""
    rows = [list(layout.heights[at : at + SIDE]) for at in range(0, len(layout.heights), SIDE)]
    pieces = {NAMES[layout.king]: "king"} if layout.king >= 0 else {}
    for seat, own in enumerate(layout.knights):
        pieces.update({NAMES[cell]: colours[seat] for cell in cells(own)})
    return {"heights": rows, "pieces": pieces}
