"""From turn to turn: set-up, rounds, phases, their scoring, and what is entered by hand."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from engines.contract import SEATS, Level
from engines.torres import questions as q
from engines.torres.cells import NUMBERS
from engines.torres.ground import EMPTY, START, Ground, survey, with_block
from engines.torres.scoring import gain, last_player, leader, score_phase
from engines.torres.stacks import DEALT, PHASES, Stacks
from engines.torres.state import (
    COUNTED,
    DECK,
    NO_LINES,
    SETTLED,
    Frame,
    State,
    Variant,
    new_turn,
    order,
    rounds,
    supply,
)


def opening(variant: Variant, start: int, level: Level, castles: Iterable[str]) -> State:
    """The first state of a match (TO-1, TO-6.1), with ``castles`` the marked spaces of its copy (TO-1.2).

    Of level score, the layout to be reported, which begins with a block on each of them.
    """
    seats = variant.seats
    state = State(
        variant=variant,
        level=level,
        knights=(0,) * seats,
        seat=start,
        start=start,
        stacks=((),) * seats,
        decks=(0 if variant.master else DECK,) * seats,
        played=(0,) * seats,
        lines=(NO_LINES,) * seats,
        before=(0,) * seats,
        adjusted=(0,) * seats,
    )
    if level is Level.SCORE:
        return replace(state, ground=marked(castles), frames=(Frame("final_phase", open=False),))
    if variant.master:
        return replace(state, frames=(Frame("found", open=False),))
    return replace(state, ground=marked(castles), frames=(Frame("enter", open=False),))


def marked(castles: Iterable[str]) -> Ground:
    """The ground with a block on each marked space (TO-1.2)."""
    ground = EMPTY
    for name in castles:
        ground = with_block(ground, NUMBERS[name])
    return ground


def _clockwise(state: State) -> int:
    return (state.seat + 1) % state.variant.seats


# Set-up


def found(state: State, token: str) -> State:
    """A starting block."""
    state = replace(state, ground=with_block(state.ground, q.read_cell(token)))
    if state.ground.blocks < len(START):
        return replace(state, seat=_clockwise(state))
    return replace(state, seat=state.start, frames=(Frame("enter", open=False),))


def enter(state: State, token: str) -> State:
    """A first knight; after the last player's the king."""
    knights = list(state.knights)
    knights[state.seat] |= 1 << q.read_cell(token)
    state = replace(state, knights=tuple(knights))
    if q.is_last(state):
        return replace(state, frames=(Frame("crown", open=False),))
    return replace(state, seat=_clockwise(state))


def crown(state: State, token: str) -> State:
    """The king; the first phase begins."""
    return _begin(replace(state, king=q.read_cell(token)), state.start)


# Rounds and phases


def _begin(state: State, start: int) -> State:
    """A phase begins: all blocks in front of players go back, then each receives the phase's (TO-2.2)."""
    seats = state.variant.seats
    state = replace(state, stacks=((),) * seats, placed=0, under=0)
    left = supply(state)
    dealt: dict[int, Stacks] = {}
    for seat in order(state, start):
        stacks = []
        for blocks in DEALT[seats][state.phase - 1]:
            stacks.append(min(blocks, left))
            left -= stacks[-1]
        dealt[seat] = tuple(sorted(stacks, reverse=True))
    stacks_by_seat = tuple(dealt[seat] for seat in range(seats))
    return replace(state, stacks=stacks_by_seat, start=start, round=1, **new_turn(state, start))


def next_turn(state: State) -> State:
    """The seat to move is done: the next one, the next round, or the phase's end."""
    if not q.is_last(state):
        return replace(state, **new_turn(state, _clockwise(state)))
    if state.round < rounds(state):
        start = leader(state) if state.variant.master else state.start
        return replace(state, start=start, round=state.round + 1, **new_turn(state, start))
    state = score_phase(replace(state, **new_turn(state, state.seat)))
    if state.phase < PHASES:
        last = last_player(state)
        return replace(state, seat=last, frames=(Frame("king", open=False),))
    if state.variant.master_cards:
        return replace(state, frames=(Frame("master", state.start, open=False),))
    return replace(state, termination=SETTLED)


def king(state: State, token: str) -> State:
    """The king moves or stays; then the next phase, or the question who starts it (TO-5.4)."""
    if token != q.STAY:
        state = replace(state, king=q.read_cell(token))
    if state.variant.master:
        return _next_phase(state, leader(state))
    if state.variant.last_chooses:
        return replace(state, frames=(Frame("starter", open=False),))
    return _next_phase(state, state.seat)


def starter(state: State, token: str) -> State:
    """The last player has chosen who starts."""
    return _next_phase(state, SEATS.index(token))


def _next_phase(state: State, start: int) -> State:
    return _begin(replace(state, phase=state.phase + 1), start)


# What is entered by hand


def tens(state: State, token: str) -> State:
    """The tens of a seat's points."""
    frame = state.frames[-1]
    return replace(state, frames=(Frame(f"{frame.question}_ones", frame.cell, int(token[:-1])),))


def _points(state: State, token: str) -> int:
    return 10 * state.frames[-1].n + int(token[1:])


def track_ones(state: State, token: str) -> State:
    """A seat's points before the scoring; after the last seat's the layout is scored."""
    seat = state.frames[-1].cell
    before = (*state.before[:seat], _points(state, token), *state.before[seat + 1 :])
    state = replace(state, before=before)
    if seat + 1 < state.variant.seats:
        return replace(state, frames=(Frame("track", seat + 1, open=False),))
    return counted(state)


def counted(state: State) -> State:
    """A last board as it is reported, scored."""
    return replace(score_phase(replace(state, frames=())), termination=COUNTED)


def master_ones(state: State, token: str) -> State:
    """A seat's points by a master card; clockwise from the start player."""
    seat = state.frames[-1].cell
    state = gain(state, seat, state.phase, cards=_points(state, token))
    after = (seat + 1) % state.variant.seats
    if after != state.start:
        return replace(state, frames=(Frame("master", after, open=False),))
    return replace(state, frames=(), termination=SETTLED)


def final_phase(state: State, token: str) -> State:
    """Which phase's end it is."""
    return replace(state, phase=int(token), frames=(Frame("final", open=False),))


def final(state: State, token: str) -> State:
    """A column whose height differs, or enough."""
    if token == q.ENOUGH:
        return replace(state, frames=(Frame("final_king", open=False),))
    return replace(state, frames=(Frame("final_height", q.read_cell(token)),))


def final_height(state: State, token: str) -> State:
    """The height of that column."""
    cell, heights = state.frames[-1].cell, bytearray(state.ground.heights)
    heights[cell] = int(token[1:])
    return replace(state, ground=survey(bytes(heights)), frames=(Frame("final"),))


def final_king(state: State, token: str) -> State:
    """The king's space."""
    return replace(state, king=q.read_cell(token), frames=(Frame("final_knight", 0, open=False),))


def final_knight(state: State, token: str) -> State:
    """A knight of the seat asked about, or no more of them."""
    seat = state.frames[-1].cell
    if token != q.ENOUGH:
        knights = list(state.knights)
        knights[seat] |= 1 << q.read_cell(token)
        return replace(state, knights=tuple(knights), frames=(Frame("final_knight", seat),))
    if seat + 1 < state.variant.seats:
        return replace(state, frames=(Frame("final_knight", seat + 1, open=False),))
    return replace(state, frames=(Frame("track", 0, open=False),))
