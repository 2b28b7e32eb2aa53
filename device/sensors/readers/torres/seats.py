"""Whose colour is whose: learnt from the board, where the match knows who stands on which space.

People choose their colours when they sit down and tell nobody. But as soon as a knight of theirs stands where
the match has it, its colour is seen there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from engines.torres.cells import NOWHERE, cells
from engines.torres.layouts import Layout
from vision.torres.shapes import COLOURS, LEVELS, Colour, Coloured

Seats = Mapping[Colour, int]
"""The seat of a colour, from 0; colours that nobody is known to have are not in it."""

MATCHES = 0.75
"""The part of a seat's knights from which a colour counts as its own: some may have moved since."""


class NobodysColour(ValueError):
    """A piece has a colour that no seat is known to have; the argument is the colour."""


def learnt(expected: Layout, seen: Coloured, known: Seats) -> dict[Colour, int]:
    """Return the colour that stands where each seat should, beside those ``known``.

    Seats whose knights show none clearly are left out.
    """
    colours = {cell: colour for cell, colour in seen.pieces if colour != "king" and colour not in known}
    found: dict[Colour, int] = {}
    twice: set[Colour] = set()
    for seat, own in enumerate(expected.knights):
        if seat in known.values():
            continue
        there = Counter(colours[cell] for cell in cells(own) if cell in colours)
        if not there:
            continue
        colour, number = there.most_common(1)[0]
        if number >= MATCHES * own.bit_count():
            if colour in found:
                twice.add(colour)
            found[colour] = seat
    return {colour: seat for colour, seat in found.items() if colour not in twice}


def with_newcomer(seats: Seats, seen: Coloured, seat: int, count: int) -> Seats:
    """Take a colour that is new on the board for that of ``seat``, or of the only one without.

    ``count`` sit down. With two new colours nothing can be said.
    """
    new = {colour for _, colour in seen.pieces if colour != "king"} - set(seats)
    without = [one for one in range(count) if one not in seats.values()]
    if len(new) == 1 and (seat in without or len(without) == 1):
        return {**seats, new.pop(): seat if seat in without else without[0]}
    return seats


def layout_of(seen: Coloured, seats: Seats) -> Layout:
    """Return what was seen, as the match has it; raises :class:`NobodysColour`."""
    knights, king = [0, 0, 0, 0], NOWHERE
    for cell, colour in seen.pieces:
        if colour == "king":
            king = cell
        elif colour in seats:
            knights[seats[colour]] |= 1 << cell
        else:
            raise NobodysColour(colour)
    a, b, c, d = knights
    return Layout(seen.heights, (a, b, c, d), king)


def coloured(layout: Layout, seats: Seats) -> Coloured:
    """Return what a layout looks like, stacks up to :data:`LEVELS`.

    A seat that is not known to have a colour is painted in one that nobody has: whatever its knights look
    like, they must show.
    """
    free = (colour for colour in COLOURS if colour != "king" and colour not in seats)
    colours = {seat: colour for colour, seat in seats.items()}
    pieces: list[tuple[int, Colour]] = [(layout.king, "king")] if layout.king != NOWHERE else []
    for seat, own in enumerate(layout.knights):
        colour = colours[seat] if seat in colours else next(free)
        pieces += [(cell, colour) for cell in cells(own)]
    heights = bytes(min(height, LEVELS) for height in layout.heights)
    return Coloured(heights, tuple(sorted(pieces)))
