"""What a final layout may still show, where no play is followed: lists as in ``moves``."""

from __future__ import annotations

from engines import bags
from engines.contract import SEATS, Choice
from engines.san_gimignano import questions as q
from engines.san_gimignano.cards import (
    HIGH,
    LEAST_STOREYS,
    PIETRA,
    RANKS,
    RUNS,
    STONE_RUNS,
    STONES,
    Tower,
    lane,
    real_cards,
    stone_sets,
    stones_text,
)
from engines.san_gimignano.state import COMPLETED_TO_CLOSE, State, unseen


def _tower(state: State) -> Tower:
    tower = state.frames[-1].tower
    assert tower
    return tower


def stones_left(state: State) -> int:
    """How many stones a layout may still show."""
    return STONES - bags.count(state.nobles.used[0] + state.nobles.used[1], PIETRA) if state.nobles else 0


def layout_fits(state: State, low: int, high: int, height: int, stones: range) -> bool:
    """Whether what is nowhere yet makes such a tower with so many stones, at least one card not a stone."""
    left = unseen(state)
    if low == high:
        copies = bags.count(left, lane(low))
        return any(1 <= height - s <= copies for s in stones)
    missing = sum(rank not in RANKS or not bags.count(left, lane(rank)) for rank in range(low, high + 1))
    return any(missing <= s < height for s in stones)


def final(state: State) -> list[Choice]:
    """Shapes, or no more towers."""
    stones = stones_left(state)
    tokens = [str(rank) for rank in RANKS if layout_fits(state, rank, rank, LEAST_STOREYS, range(stones + 1))]
    for low, high in STONE_RUNS if stones else RUNS:
        if layout_fits(state, low, high, high - low + 1, range(1)):
            tokens.append(f"{low}-{high}")
        if layout_fits(state, low, high, high - low + 1, range(1, stones + 1)):
            tokens.append(f"{low}-{high}s")
    return q.listed("final", [*tokens, q.FLIPPED])


def final_height(state: State) -> list[Choice]:
    """How high a plain tower can be."""
    rank, stones = _tower(state).low, stones_left(state)
    tokens = [
        f"x{n}{'s' * s}"
        for n in range(LEAST_STOREYS, HIGH + stones + 1)
        for s in range(stones + 1)
        if layout_fits(state, rank, rank, n, range(s, s + 1))
    ]
    return q.listed("final_height", tokens)


def final_stones(state: State) -> list[Choice]:
    """Which storeys of a run can be stones."""
    tower, left = _tower(state), unseen(state)
    most = min(stones_left(state), tower.height - 1)
    return [
        Choice("final_stones", stones_text(chosen))
        for chosen in stone_sets(tower.low, tower.high)
        if 0 < len(chosen) <= most and bags.within(real_cards(tower.low, tower.high, chosen), left)
    ]


def final_marker(state: State) -> list[Choice]:
    """Who can have the marker."""
    return q.listed("final_marker", [*SEATS[:2]] + [q.NO_MARKER] * (not any(state.towers)))


def final_closer(state: State) -> list[Choice]:
    """Who can have closed."""
    completed = [sum(tower.complete for tower in side) for side in state.towers]
    able = [SEATS[seat] for seat in (0, 1) if completed[seat] >= COMPLETED_TO_CLOSE]
    return q.listed("final_closer", [*able, q.NO_MARKER])
