"""Points (SG-8, SG-9.7, SG-9.9, SG-10.2) and winners (SG-7.2, SG-10.1)."""

from __future__ import annotations

from collections.abc import Sequence

from engines import bags
from engines.contract import Booking, Place, Tie, totals
from engines.kit import by_hand, ranked
from engines.san_gimignano.cards import CAPPELLA, MONUMENTO, RANKS
from engines.san_gimignano.state import NOBODY, ScoredTable, State

CATEGORIES = (
    "completion",
    "blessing",
    "plain",
    "colourful",
    "highest",
    "monumento",
    "cappella",
    "penalty",
)
GREAT_STOREYS = 5  # SG-9.9
PENALTY = 10  # SG-10.2


def counted(state: State) -> tuple[str, ...]:
    """Return the categories that score with this match's options."""
    return (
        CATEGORIES[:5]
        + CATEGORIES[5:7] * (state.nobles is not None)
        + CATEGORIES[7:] * (state.deals is not None)
    )


def parts_over(state: State) -> int:
    """Return the number of deals of several that are over, including one before the next deal begins."""
    if state.deals is None:
        return 0
    awaited = bool(state.frames) and state.frames[-1].question == "deal"
    return state.deals.number - 1 + (awaited or bool(state.termination))


def table(state: State) -> ScoredTable:
    """Return the scored part of the current deal."""
    used = state.nobles.used if state.nobles else (0, 0)
    return ScoredTable(state.towers, state.marker, state.closer, used)


def deal_bookings(scored: ScoredTable, part: int = 0) -> list[Booking]:
    """Return a deal's points for both seats, in the rules' order, without those of 0 points."""
    booked: list[Booking] = []

    def book(seat: int, points: int, category: str, clause: str, figures: str) -> None:
        if points:
            booked.append(Booking(seat, points, category, clause, figures, part=part))

    for seat, towers in enumerate(scored.towers):
        completed = sum(tower.complete for tower in towers)
        book(seat, 5 * completed, "completion", "SG-8.1", f"{completed} × 5")
    for seat, towers in enumerate(scored.towers):
        storeys = sum(tower.height for tower in towers if tower.plain and tower.low == 7)
        book(seat, 2 * storeys, "blessing", "SG-8.2", f"{storeys} × 2")
    tallest = [
        {rank: max((t.height for t in towers if t.plain and t.low == rank), default=0) for rank in RANKS}
        for towers in scored.towers
    ]
    for seat in (0, 1):
        won = [rank for rank in RANKS if 0 < tallest[seat][rank] >= tallest[1 - seat][rank]]
        book(seat, sum(won), "plain", "SG-8.3", " + ".join(map(str, reversed(won))))
    for seat, towers in enumerate(scored.towers):
        runs = [tower.height for tower in towers if not tower.plain]
        book(seat, len(runs) * sum(runs), "colourful", "SG-8.4", f"{len(runs)} × {sum(runs)}")
    if scored.marker != NOBODY:
        book(scored.marker, 10, "highest", "SG-8.5", "marker")
    for seat, used in enumerate(scored.used):
        book(seat, 7 * bags.count(used, MONUMENTO), "monumento", "SG-9.7", "7")
    for seat, (used, towers) in enumerate(zip(scored.used, scored.towers, strict=True)):
        great = sum(tower.height >= GREAT_STOREYS for tower in towers) if bags.count(used, CAPPELLA) else 0
        book(seat, 5 * great, "cappella", "SG-9.9", f"{great} × 5")
    return booked


def deal_ranking(scored: ScoredTable, points: Sequence[int]) -> tuple[Place, ...]:
    """Return a deal's places by points, at a tie by the marker (SG-7.2)."""
    held = tuple((seat, int(seat == scored.marker)) for seat in (0, 1))
    return ranked(points, "SG-7.2", Tie("marker", "SG-7.2", held))


def bookings(state: State) -> tuple[Booking, ...]:
    """Return all points if the match ended now: each deal's with the closer's penalty, then those by hand."""
    booked: list[Booking] = []
    if state.deals is None:
        booked = deal_bookings(table(state))
    else:
        for part, scored in enumerate((*state.deals.past, table(state)), 1):
            dealt = deal_bookings(scored, part)
            closer, won = scored.closer, deal_ranking(scored, totals(dealt, 2))[0].seats
            if state.deals.penalty and closer != NOBODY and closer not in won:
                dealt.append(Booking(closer, -PENALTY, "penalty", "SG-10.2", "closer", part=part))
            booked += dealt
    return (*booked, *by_hand(state.adjusted))


def points(state: State) -> list[int]:
    """Return each seat's points if the match ended now."""
    return totals(bookings(state), 2)


def ranking(state: State) -> tuple[Place, ...]:
    """Rank one deal as SG-7.2 has it, with points given by hand; several by points alone (SG-10.1)."""
    if state.deals is None:
        return deal_ranking(table(state), points(state))
    return ranked(points(state), "SG-10.1")
