"""A score as data and as a table: who has how many points, in which category, by which clause."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

import msgspec

from device.match import Words, scores_of
from engines.contract import SEATS, Booking, Game


class Points(msgspec.Struct, frozen=True):
    """Points booked for a seat (``a``, ``b`` …). ``figures`` show the sum; ``clause`` is "" for points by
    hand. ``record`` is what they came with, 0 for the end; ``part`` the deal or round, 0 without any.
    """

    seat: str
    name: str
    points: int
    category: str
    clause: str
    figures: str
    record: int
    part: int


class Standing(msgspec.Struct, frozen=True):
    """The score if the match ended now: totals by seat, the seats that would win, all bookings."""

    scores: dict[str, int]
    winners: tuple[str, ...]
    bookings: tuple[Points, ...]

    def sum(self, seat: str, part: int, category: str | None = None) -> int:
        """A seat's points in a part of the match, in all categories or in one."""
        return sum(one.points for one in self.booked(seat, part, category))

    def booked(self, seat: str, part: int, category: str | None = None) -> list[Points]:
        """The bookings behind :meth:`sum`."""
        return [
            one
            for one in self.bookings
            if (one.seat, one.part) == (seat, part) and category in (None, one.category)
        ]

    @property
    def parts(self) -> tuple[int, ...]:
        """The parts that points were booked in, the whole match (0) last; at least one."""
        return tuple(sorted({one.part for one in self.bookings}, key=lambda part: (not part, part))) or (0,)


def standing(game: Game[Any, Any], state: Any, names: Sequence[str], numbers: Sequence[int] = ()) -> Standing:
    """How ``state`` scores; ``names`` by seat. ``numbers`` say what each step is known by, if not by its
    place.
    """
    return Standing(
        dict(zip(SEATS, scores_of(game, state, len(names)), strict=False)),
        tuple(SEATS[seat] for seat in game.scoring.winners(state)),
        tuple(_points(booking, names, numbers) for booking in game.scoring.bookings(state)),
    )


def _points(booking: Booking, names: Sequence[str], numbers: Sequence[int]) -> Points:
    return Points(
        SEATS[booking.seat],
        names[booking.seat],
        booking.points,
        booking.category,
        booking.clause,
        booking.figures,
        numbers[booking.record - 1] if booking.record and numbers else booking.record,
        booking.part,
    )


def categories(words: Words, found: Standing, part: int) -> list[str]:
    """The categories to show of a part: the game's own, then what else was booked there.

    Where there are several parts, only those with points.
    """
    here = dict.fromkeys(one.category for one in found.bookings if one.part == part)
    own = [name for name in words.game.scoring.CATEGORIES if len(found.parts) == 1 or name in here]
    return list(dict.fromkeys((*own, *here)))


def part_name(words: Words, part: int) -> str:
    """What the game calls a part of a match: ``Deal 2``."""
    if not part:
        return "Match"
    return words("part", (("n", part),)) if "part" in words.texts else f"Part {part}"


def table(words: Words, found: Standing) -> list[str]:
    """Categories by players, with the figures behind each number, and the totals; part by part where there
    are several.
    """
    rows = [["", *_pairs(words.names)]]
    for part in found.parts:
        several = len(found.parts) > 1
        if several:
            sums = _pairs(str(found.sum(seat, part)) for seat in found.scores)
            rows.append([part_name(words, part), *sums])
        for category in categories(words, found, part):
            cells = []
            for seat in found.scores:
                figures = ", ".join(one.figures for one in found.booked(seat, part, category) if one.figures)
                cells += [str(found.sum(seat, part, category)), figures]
            rows.append(["  " * several + words(f"category.{category}"), *cells])
    rows.append(["Total", *_pairs(str(total) for total in found.scores.values())])
    return columns(rows)


def verdict(words: Words, found: Standing) -> str:
    """Who wins, in a few words: ``William wins``."""
    names = [words.name(SEATS.index(seat)) for seat in found.winners]
    return f"{names[0]} wins" if len(names) == 1 else f"{' and '.join(names)} share the win"


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells as lines, each column as wide as its widest cell; numbers stand on the right."""
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(_padded, row, widths)).rstrip() for row in rows]


def _pairs(cells: Any) -> list[str]:
    return [part for cell in cells for part in (cell, "")]


def _padded(cell: str, width: int) -> str:
    room = " " * (width - _width(cell))
    return room + cell if cell.lstrip("-").replace(".", "", 1).isdecimal() else cell + room


def _width(text: str) -> int:
    """Columns on a terminal: East Asian letters take two."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
