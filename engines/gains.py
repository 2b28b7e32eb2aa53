"""Reasons of a score: the changes that each step of a match made to the points.

>>> from engines.contract import Booking
>>> gains([Booking(0, 10, "plain", "SG-8.3", "10")], [Booking(0, 17, "plain", "SG-8.3", "10 + 7")])
(Change(seat=0, category='plain', clause='SG-8.3', part=0, before=10, after=17, was='10', figures='10 + 7'),)
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import msgspec

from engines.contract import Booking
from engines.match import Match


class Change(msgspec.Struct, frozen=True):
    """A change of a seat's points in one category, clause and part, with the figures before and after.

    ``points`` are negative for a loss, and 0 if only the figures changed.
    """

    seat: int
    category: str
    clause: str
    part: int
    before: int
    after: int
    was: str
    figures: str

    @property
    def points(self) -> int:
        """The points gained."""
        return self.after - self.before


def gains(before: Sequence[Booking], after: Sequence[Booking]) -> tuple[Change, ...]:
    """Return the changes between two lists of bookings, in the order of ``before``, then of ``after``."""
    old, new = _sums(before), _sums(after)
    found = []
    for kind in dict.fromkeys((*old, *new)):
        (points, was), (now, figures) = old.get(kind, (0, "")), new.get(kind, (0, ""))
        if (points, was) != (now, figures):
            found.append(Change(*kind, points, now, was, figures))
    return tuple(found)


def along(match: Match) -> list[tuple[Change, ...]]:
    """Return the changes of a match: those of its first state, then those of each step."""
    booked = [match.game.scoring.bookings(point.state) for point in match.points]
    return [gains((), booked[0]), *(gains(before, after) for before, after in pairwise(booked))]


def _sums(bookings: Sequence[Booking]) -> dict[tuple[int, str, str, int], tuple[int, str]]:
    """Sum points and join figures by seat, category, clause and part."""
    found: dict[tuple[int, str, str, int], tuple[int, str]] = {}
    for one in bookings:
        kind = one.seat, one.category, one.clause, one.part
        points, figures = found.get(kind, (0, ""))
        found[kind] = points + one.points, ", ".join(filter(None, (figures, one.figures)))
    return found
