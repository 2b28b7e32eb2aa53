"""Points: the orange track, which is the score, and the green one (CT-7); the winner (CT-7.4)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from engines.castles_of_tuscany.final import EMPTY, GREEN, OF_CARDS
from engines.castles_of_tuscany.final import TOLD as FIGURES
from engines.castles_of_tuscany.kinds import KINDS, NAMES, WILD, kind_of
from engines.castles_of_tuscany.regions import SPACES, Region
from engines.castles_of_tuscany.state import ROUNDS, Gain, Side, State
from engines.contract import Booking, Level, Place, Tally, Tie, totals
from engines.kit import by_hand, ranked

PLAYED = {
    "areas": "CT-4.1",
    "bonus": "CT-4.2",
    "farms": "CT-5.4",
    "storage": "CT-5.9",
    "yields": "CT-5.8",
    "inns": "CT-5.3",
}
"""The categories of the rounds, with their clauses."""
TOLD = ("orange", "green")
"""The categories of both tracks as entered for level score."""
LAST = ("stored", "marble", "workers", "cards")
"""The categories after the last round (CT-7.3)."""
CATEGORIES = (*TOLD, *PLAYED, *LAST)
CARDS_A_POINT = 3  # CT-7.3

_NAMES = dict(zip((*KINDS, WILD), (*NAMES, "wild hex"), strict=True))


def counted(state: State) -> tuple[str, ...]:
    """Return the categories that a match can score in, by its level."""
    return (*(TOLD if state.level is Level.SCORE else PLAYED), *LAST)


def parts_over(state: State) -> int:
    """Return the number of scored rounds, 0 in level score."""
    return 0 if state.level is Level.SCORE else state.round - 1


def green(state: State, seat: int) -> int:
    """Return the position of a seat's green marker."""
    side = state.sides[seat]
    if state.level is Level.SCORE:
        return _fill_counted(side)[GREEN]
    return sum(gain.points for gain in side.gains if not gain.orange)


@lru_cache(8)
def bookings(state: State) -> tuple[Booking, ...]:
    """Return all points on the orange track: those gained there, the green ones again for each round that is
    over since (CT-7.2), and after the end those for the rest (CT-7.3).
    """
    booked: list[Booking] = []
    for seat in range(state.variant.seats):
        booked += _book_counted(state, seat) if state.level is Level.SCORE else _book_played(state, seat)
    return (*booked, *by_hand(state.adjusted))


def _book_played(state: State, seat: int) -> Iterator[Booking]:
    side, over = state.sides[seat], parts_over(state)
    land = state.known_region(seat)
    scored = {category: [gain for gain in side.gains if gain.category == category] for category in PLAYED}
    for part in range(1, min(state.round, ROUNDS) + 1):
        for category, clause in PLAYED.items():
            gains = scored[category]
            if part <= over:
                for earlier in range(1, part):
                    sums = sum(gain.points for gain in gains if gain.round == earlier and not gain.orange)
                    if sums:
                        figures = f"round {earlier}: {sums}"
                        yield Booking(seat, sums, category, clause, figures, part)
            for gain in gains:
                if gain.round == part and (gain.orange or part <= over):
                    figures = f"{_name_source(land, gain)} {gain.points}"
                    yield Booking(seat, gain.points, category, clause, figures, part)
    if state.termination:
        stored = ", ".join(_NAMES[kind_of(tile)] for tile in side.stored)
        yield from _book_left_over(
            seat, (len(side.stored), side.marble, side.workers, side.hand), ROUNDS, stored
        )


def _name_source(land: Region | None, gain: Gain) -> str:
    """Name the source of points: ``d3 village`` for a space's tile."""
    if gain.category in ("areas", "farms"):
        space = land.number(gain.what) if land else -1
        return f"{gain.what} {_NAMES[land.kinds[space]]}" if land and space >= 0 else gain.what
    if gain.category == "bonus":
        return f"all {_NAMES[gain.what]}"
    if gain.category == "storage":
        return "extra storage"
    if gain.category == "yields":
        return "yield card"
    return "wild hex"


def _book_left_over(seat: int, numbers: tuple[int, ...], part: int, stored: str = "") -> Iterator[Booking]:
    """Yield the points of CT-7.3 for numbers of stored tiles, marble, workers and cards in hand."""
    *_, hand = numbers
    points = (*numbers[:-1], hand // CARDS_A_POINT)
    figures = (stored, "", "", f"{hand} ÷ {CARDS_A_POINT}")
    for category, each, number, shown in zip(LAST, points, numbers, figures, strict=True):
        if each:
            yield Booking(seat, each, category, "CT-7.3", shown or f"{number} × 1", part)


def _fill_counted(side: Side) -> tuple[int, ...]:
    """Return the figures of a final table, 0 for those to come: both tracks, those of CT-7.3 in its order,
    the empty spaces.
    """
    return (*side.counted, *(0,) * (len(FIGURES) - len(side.counted)))


def _book_counted(state: State, seat: int) -> Iterator[Booking]:
    orange, last, *others, _ = _fill_counted(state.sides[seat])
    if orange:
        yield Booking(seat, orange, "orange", "CT-7.1")
    if last:
        yield Booking(seat, last, "green", "CT-7.2")
    yield from _book_left_over(seat, tuple(others), 0)


def tallies(state: State) -> tuple[Tally, ...]:
    """Return the green track, which is added to the orange one after each round (CT-7.2)."""
    return (Tally("green", "CT-7.2", tuple(green(state, seat) for seat in range(state.variant.seats))),)


def ranking(state: State) -> tuple[Place, ...]:
    """Rank the most points first; ties by most empty spaces, lowest green, fewest cards (CT-7.4)."""
    if state.level is Level.SCORE:
        told = [_fill_counted(side) for side in state.sides]
        empty, hands = [one[EMPTY] for one in told], [one[OF_CARDS] for one in told]
    else:
        empty = [SPACES - side.filled.bit_count() for side in state.sides]
        hands = [side.hand for side in state.sides]
    greens = [green(state, seat) for seat in range(state.variant.seats)]
    return ranked(
        totals(bookings(state), state.variant.seats),
        "CT-7.4",
        Tie("empty", "CT-7.4", tuple(enumerate(empty))),
        Tie("green", "CT-7.4", tuple(enumerate(greens)), least=True),
        Tie("hand", "CT-7.4", tuple(enumerate(hands)), least=True),
    )
