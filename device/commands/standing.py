"""A score as data and as a table: who has how many points, in which category, by which clause."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

import msgspec

from device.words import Words
from engines.contract import SEATS, Booking, Game


class Points(msgspec.Struct, frozen=True):
    """Points booked for a seat (``a``, ``b`` …). ``record`` is the step they came with, 0 for the end;
    ``figures`` show the sum.
    """

    seat: str
    name: str
    points: int
    category: str
    clause: str
    figures: str
    record: int


class Standing(msgspec.Struct, frozen=True):
    """The score if the match ended now: totals by seat, the seats that would win, all bookings."""

    scores: dict[str, int]
    winners: tuple[str, ...]
    bookings: tuple[Points, ...]


def standing(game: Game[Any, Any], state: Any, names: Sequence[str]) -> Standing:
    """How ``state`` scores; ``names`` by seat."""
    bookings = game.bookings(state)
    scores = {SEATS[seat]: sum(b.points for b in bookings if b.seat == seat) for seat in range(len(names))}
    return Standing(
        scores,
        tuple(SEATS[seat] for seat in game.winners(state)),
        tuple(_points(booking, names) for booking in bookings),
    )


def _points(booking: Booking, names: Sequence[str]) -> Points:
    return Points(
        SEATS[booking.seat],
        names[booking.seat],
        booking.points,
        booking.category,
        booking.clause,
        booking.figures,
        booking.record,
    )


def table(words: Words, found: Standing) -> list[str]:
    """Categories by players, with the figures behind each number, and the totals."""
    booked = dict.fromkeys((*words.game.categories, *(one.category for one in found.bookings)))
    rows = [["", *_pairs(words.names)]]
    for category in booked:
        cells = []
        for seat in found.scores:
            here = [b for b in found.bookings if (b.seat, b.category) == (seat, category)]
            cells += [str(sum(b.points for b in here)), ", ".join(b.figures for b in here)]
        rows.append([words(f"category.{category}"), *cells])
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
