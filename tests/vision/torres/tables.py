"""Painted boards to read: one copy, one camera, a layout with stacks and pieces."""

from functools import lru_cache

from engines.torres import layouts
from engines.torres.cells import CELLS, NUMBERS
from vision import painter
from vision.field import Field
from vision.lens import Lens
from vision.torres import COLOURS, Coloured, CopySizes
from vision.torres.reading import BoardScene

COPY = CopySizes(28.0, (26.5, 26.5, 15.0))
LENS = Lens((1280, 960), 1065.0, 1065.0, 640.0, 480.0, (-0.045, 0.012, 0.0004, -0.0003, 0.0))
FIELD = Field(224.0, 224.0, 0, 4.0)
POSE = painter.looking(FIELD, 59.0, 20.0, 520.0)


def coloured(text):
    """A layout from the engine's text for it: seats a to d are red, blue, green, yellow."""
    seen = layouts.read(text)
    pieces = {
        cell: COLOURS[seat]
        for seat, own in enumerate(seen.knights)
        for cell in range(CELLS)
        if own >> cell & 1
    }
    if seen.king >= 0:
        pieces[seen.king] = "king"
    return Coloured(seen.heights, tuple(sorted(pieces.items())))


def changed(layout, heights=(), pieces=()):
    """A layout with other heights and pieces (None takes one away) on some spaces, by name."""
    stacks, held = list(layout.heights), dict(layout.pieces)
    for name, height in dict(heights).items():
        stacks[NUMBERS[name]] = height
    for name, colour in dict(pieces).items():
        held.pop(NUMBERS[name], None)
        if colour is not None:
            held[NUMBERS[name]] = colour
    return Coloured(bytes(stacks), tuple(sorted(held.items())))


BEFORE = coloured(".1.1/.12.1/..3.11/......11/1....1.1/1.22.1/..1.1/....12 a=d1,e8 b=c3,h5 c=c6 d=f2 king=f3")


@lru_cache(maxsize=32)
def picture(layout, pose=POSE, seed=1):
    """A board's picture; not to be written to."""
    return painter.noisy(painter.board(painter.PaintedView(LENS, pose, FIELD), layout, COPY), seed)


def scene(layout, before=None, pose=POSE):
    """A board's picture as a scene."""
    return BoardScene.of(picture(layout, pose), LENS, pose, COPY, before)
