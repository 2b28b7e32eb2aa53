"""Why a score is what it is: what each step of a match did to the points, from the bookings around it.

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

Kind = tuple[int, str, str, int]
"""What is booked together: seat, category, clause, part."""


class Change(msgspec.Struct, frozen=True):
    """A change of a seat's points of one category, clause and part, with the figures before and after.

    ``points`` are below 0 where points were lost, and 0 where the same points are made up otherwise.
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

    @property
    def kind(self) -> Kind:
        """The seat, category, clause and part: what is booked together."""
        return self.seat, self.category, self.clause, self.part


def gains(before: Sequence[Booking], after: Sequence[Booking]) -> tuple[Change, ...]:
    """Return the changes between two lists of bookings, in the order of the first, then of the second."""
    old, new = _sums(before), _sums(after)
    found = []
    for kind in dict.fromkeys((*old, *new)):
        (points, was), (now, figures) = old.get(kind, (0, "")), new.get(kind, (0, ""))
        if (points, was) != (now, figures):
            found.append(Change(*kind, points, now, was, figures))
    return tuple(found)


def along(match: Match) -> list[tuple[Change, ...]]:
    """Return the gains of a match: first what it began with, then those of each step."""
    booked = [match.game.scoring.bookings(point.state) for point in match.points]
    return [gains((), booked[0]), *(gains(before, after) for before, after in pairwise(booked))]


def _sums(bookings: Sequence[Booking]) -> dict[Kind, tuple[int, str]]:
    """Sum points and figures by kind."""
    found: dict[Kind, tuple[int, str]] = {}
    for one in bookings:
        kind = one.seat, one.category, one.clause, one.part
        points, figures = found.get(kind, (0, ""))
        found[kind] = points + one.points, ", ".join(filter(None, (figures, one.figures)))
    return found
