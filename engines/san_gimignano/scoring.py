"""Points (SG-8) and who wins (SG-7.2)."""

from __future__ import annotations

from engines.contract import Booking
from engines.san_gimignano.cards import RANKS
from engines.san_gimignano.state import NOBODY, State

CATEGORIES = ("completion", "blessing", "plain", "colourful", "highest")


def bookings(state: State) -> tuple[Booking, ...]:
    """All five categories for both seats, in the order of the rules; a category of 0 points is not booked."""
    booked: list[Booking] = []

    def book(seat: int, points: int, category: str, clause: str, figures: str) -> None:
        if points:
            booked.append(Booking(seat, points, category, clause, figures))

    for seat, towers in enumerate(state.towers):
        completed = sum(tower.complete for tower in towers)
        book(seat, 5 * completed, "completion", "SG-8.1", f"{completed} × 5")
    for seat, towers in enumerate(state.towers):
        storeys = sum(tower.height for tower in towers if tower.plain and tower.low == 7)
        book(seat, 2 * storeys, "blessing", "SG-8.2", f"{storeys} × 2")
    tallest = [
        {rank: max((t.height for t in towers if t.plain and t.low == rank), default=0) for rank in RANKS}
        for towers in state.towers
    ]
    for seat in (0, 1):
        won = [rank for rank in RANKS if 0 < tallest[seat][rank] >= tallest[1 - seat][rank]]
        book(seat, sum(won), "plain", "SG-8.3", " + ".join(map(str, reversed(won))))
    for seat, towers in enumerate(state.towers):
        runs = [tower.height for tower in towers if not tower.plain]
        book(seat, len(runs) * sum(runs), "colourful", "SG-8.4", f"{len(runs)} × {sum(runs)}")
    if state.marker != NOBODY:
        book(state.marker, 10, "highest", "SG-8.5", "marker")
    return tuple(booked)


def winners(state: State) -> tuple[int, ...]:
    """The seat with the most points; tied, the marker's holder; else both (SG-7.2)."""
    totals = [sum(b.points for b in bookings(state) if b.seat == seat) for seat in (0, 1)]
    if totals[0] != totals[1]:
        return (0,) if totals[0] > totals[1] else (1,)
    return (0, 1) if state.marker == NOBODY else (state.marker,)
