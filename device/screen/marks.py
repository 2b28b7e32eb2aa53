"""The signs no font has at this size, drawn dot by dot."""

from __future__ import annotations

from functools import cache

from PIL import Image

from device.pages import Mark

WIDTH = 7  # of the header's marks

_MARKS = {
    Mark.SAVING: """
        ..###..
        .#.#.#.
        #..#..#
        #..##.#
        #.....#
        .#...#.
        ..###..
    """,
    Mark.RECORDED: """
        ......#
        .....##
        #...##.
        ##.##..
        .###...
        ..#....
        .......
    """,
    Mark.REFUSED: """
        ##...##
        .##.##.
        ..###..
        ...#...
        ..###..
        .##.##.
        ##...##
    """,
    Mark.FAILED: """
        #######
        ###.###
        ###.###
        ###.###
        #######
        ###.###
        #######
    """,
}
_ARROWS = {
    "up": """
        ...#...
        ..###..
        .#####.
        #######
    """,
    "down": """
        #######
        .#####.
        ..###..
        ...#...
    """,
    "left": """
        ...#
        ..##
        .###
        ####
        .###
        ..##
        ...#
    """,
    "right": """
        #...
        ##..
        ###.
        ####
        ###.
        ##..
        #...
    """,
}


@cache
def mark(which: Mark) -> Image.Image | None:
    """The 7×7 px sign of how far the last entry has come; none for :attr:`Mark.NONE`."""
    art = _MARKS.get(which)
    return _bitmap(art) if art else None


@cache
def arrow(direction: str) -> Image.Image:
    """A small filled triangle: ``up`` or ``down`` (7×4 px), ``left`` or ``right`` (4×7 px)."""
    return _bitmap(_ARROWS[direction])


def _bitmap(art: str) -> Image.Image:
    rows = art.split()
    image = Image.new("1", (len(rows[0]), len(rows)))
    image.putdata([int(dot == "#") for row in rows for dot in row])
    return image
