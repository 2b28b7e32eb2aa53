"""The signs that no font has at this size, drawn dot by dot."""

from __future__ import annotations

from functools import cache

from PIL import Image

from device.screen import HeaderMark, Sign
from engines.board import KING

WIDTH = 7  # of the header's marks

_MARKS = {
    HeaderMark.SAVING: """
        ..###..
        .#.#.#.
        #..#..#
        #..##.#
        #.....#
        .#...#.
        ..###..
    """,
    HeaderMark.RECORDED: """
        ......#
        .....##
        #...##.
        ##.##..
        .###...
        ..#....
        .......
    """,
    HeaderMark.REFUSED: """
        ##...##
        .##.##.
        ..###..
        ...#...
        ..###..
        .##.##.
        ##...##
    """,
    HeaderMark.FAILED: """
        #######
        ###.###
        ###.###
        ###.###
        #######
        ###.###
        #######
    """,
}
# Small enough that a height and a piece fit side by side into an eighth of a board that is 48 px high.
_HEIGHTS = (
    "###/#.#/#.#/#.#/###",
    ".#./##./.#./.#./.#.",
    "###/..#/###/#../###",
    "###/..#/.##/..#/###",
    "#.#/#.#/###/..#/..#",
    "###/#../###/..#/###",
    "###/#../###/#.#/###",
    "###/..#/..#/.#./.#.",
    "###/#.#/###/#.#/###",
    "###/#.#/###/..#/###",
    "#.##/#.##/#.##/#.##/#.##",
    "#.#/#.#/#.#/#.#/#.#",
    "#.##/#..#/#.##/#.#./#.##",
    ".#./###/.#./.../...",
)
_PIECES = {  # a row is left free for the line over a piece that can be chosen
    "a": ".../.##/#.#/#.#/.##",
    "b": ".../#../##./#.#/##.",
    "c": ".../.##/#../#../.##",
    "d": ".../..#/.##/#.#/.##",
    KING: ".../#.#/#.#/###/###",
}
_LETTERS = dict(
    zip(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        (
            ".###./#...#/#####/#...#/#...#",
            "####./#...#/####./#...#/####.",
            "#####/#..../#..../#..../#####",
            "####./#...#/#...#/#...#/####.",
            "#####/#..../####./#..../#####",
            "#####/#..../####./#..../#....",
            "#####/#..../#..##/#...#/#####",
            "#...#/#...#/#####/#...#/#...#",
            ".###./..#../..#../..#../.###.",
            "..###/....#/....#/#...#/.###.",
            "#...#/#..#./###../#..#./#...#",
            "#..../#..../#..../#..../#####",
            "#...#/##.##/#.#.#/#...#/#...#",
            "#...#/##..#/#.#.#/#..##/#...#",
            ".###./#...#/#...#/#...#/.###.",
            "####./#...#/####./#..../#....",
            ".###./#...#/#.#.#/#..#./.##.#",
            "####./#...#/####./#..#./#...#",
            "#####/#..../#####/....#/#####",
            "#####/..#../..#../..#../..#..",
            "#...#/#...#/#...#/#...#/.###.",
            "#...#/#...#/#...#/.#.#./..#..",
            "#...#/#...#/#.#.#/##.##/#...#",
            "#...#/.#.#./..#../.#.#./#...#",
            "#...#/.#.#./..#../..#../..#..",
            "#####/...#./..#../.#.../#####",
        ),
        strict=True,
    )
) | {"": "...../...../..#../...../....."}
TINY = frozenset({*filter(None, _LETTERS), *"0123456789:"})
"""The signs of words that are written one over the other."""
_DIFFERS = {
    Sign.EXTRA: "..#../..#../#####/..#../..#..",
    Sign.MISSING: "...../...../#####/...../.....",
    Sign.BOTH: "..#../.###./..#../...../.###.",
}
_ARROW = """
    ...#...
    ..###..
    .#####.
    #######
"""
_TURNED = {
    "down": Image.Transpose.ROTATE_180,
    "left": Image.Transpose.ROTATE_90,
    "right": Image.Transpose.ROTATE_270,
}


def draw_mark(which: HeaderMark) -> Image.Image | None:
    """Return the 7×7 px sign of a mark; None for :attr:`HeaderMark.NONE`."""
    art = _MARKS.get(which)
    return _draw_dots(art) if art else None


def draw_arrow(direction: str) -> Image.Image:
    """Return a small filled triangle: ``up`` or ``down`` (7×4 px), ``left`` or ``right`` (4×7 px)."""
    up = _draw_dots(_ARROW)
    return up.transpose(_TURNED[direction]) if direction in _TURNED else up


def draw_height(blocks: int) -> Image.Image:
    """Return a figure of 3×5 px, 10 and 12 of 4×5 px; a plus for anything higher."""
    return _draw_dots(_HEIGHTS[min(blocks, len(_HEIGHTS) - 1)])


def draw_piece(which: str) -> Image.Image:
    """Return a piece of 3×5 px: a seat's letter, a crown for the king, a block for anything else."""
    return _draw_dots(_PIECES.get(which, "###/###/###/###/###"))


def draw_letter(which: str) -> Image.Image:
    """Return a capital letter of 5×5 px, a dot for none, a block for anything else."""
    return _draw_dots(_LETTERS.get(which.upper(), "/".join(["#####"] * 5)))


def draw_tiny(word: str) -> Image.Image:
    """Return a word of the signs :data:`TINY`, 5 px high, a px apart."""
    signs = [draw_height(int(sign)) if sign.isdecimal() else draw_letter(sign.strip(":")) for sign in word]
    image = Image.new("1", (sum(sign.width + 1 for sign in signs) - 1, signs[0].height))
    left = 0
    for sign in signs:
        image.paste(sign, (left, 0))
        left += sign.width + 1
    return image


def draw_difference(sign: Sign) -> Image.Image:
    """Return a sign of 5×5 px: too much, missing, or both."""
    return _draw_dots(_DIFFERS[sign])


@cache
def _draw_dots(art: str) -> Image.Image:
    rows = art.replace("/", " ").split()
    image = Image.new("1", (len(rows[0]), len(rows)))
    image.putdata([int(dot == "#") for row in rows for dot in row])
    return image
