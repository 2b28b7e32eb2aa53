"""Points given by hand; places by points and tie-breaks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from engines.contract import ADJUSTMENT, Booking, Place, Tie


def by_hand(adjusted: Sequence[int]) -> tuple[Booking, ...]:
    """Return the bookings of the points that each seat was given by hand."""
    return tuple(Booking(seat, given, ADJUSTMENT, "") for seat, given in enumerate(adjusted) if given)


def ranked(points: Sequence[int], clause: str, *ties: Tie) -> tuple[Place, ...]:
    """Return the places of seats by ``points``, as ``clause`` has it; ``ties`` part seats at the same points.

    Each of ``ties`` has a figure for every seat. Seats that all of them leave level share a place.

    >>> first, second = ranked((57, 57), "SG-7.2", Tie("marker", "SG-7.2", ((0, 0), (1, 1))))
    >>> first.seats, first.ties[0].figures, second.number
    ((1,), ((1, 1), (0, 0)), 2)
    >>> [(place.number, place.seats) for place in ranked((9, 8, 9), "TO-5.5")]
    [(1, (0, 2)), (3, (1,))]
    """
    by_points = Tie("", clause, tuple(enumerate(points)))
    number, places = 1, []
    for seats, asked in _parted(tuple(range(len(points))), (by_points, *ties)):
        places.append(Place(number, seats, points[seats[0]], clause, asked[1:]))
        number += len(seats)
    return tuple(places)


def _parted(
    seats: tuple[int, ...], ties: tuple[Tie, ...], asked: tuple[Tie, ...] = ()
) -> Iterator[tuple[tuple[int, ...], tuple[Tie, ...]]]:
    """Part seats by ``ties``: yield groups that share a place, the best first, with what parted them."""
    if len(seats) == 1 or not ties:
        yield seats, asked
        return
    tie, *more = ties
    sign = 1 if tie.least else -1
    figures = sorted(
        ((seat, figure) for seat, figure in tie.figures if seat in seats), key=lambda p: sign * p[1]
    )
    for figure in dict.fromkeys(figure for _, figure in figures):
        level = tuple(seat for seat, its in figures if its == figure)
        yield from _parted(level, tuple(more), (*asked, replace(tie, figures=tuple(figures))))
