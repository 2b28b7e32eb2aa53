"""A picture of the table as people see it, for whatever draws it: panels, and what lies on them.

A game describes its table; who draws it knows no game. Lengths are pixels of a television 1920 wide, where
the table has 1888 × 836 (:data:`WIDTH`, :data:`HEIGHT`) between the strip with the players and the foot; a
smaller screen places the same panels otherwise and scales each. A panel is a :class:`Panel`, all on it are
:class:`Mark` in the order of drawing.

Colours and pictograms have names. Those that every screen has are :data:`COLOURS`; a game's own stand in its
``drawing.toml`` (:mod:`engines.drawings`).
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from engines.contract.values import Label

WIDTH, HEIGHT = 1888, 836

COLOURS = (
    "ground",
    "card",
    "ink",
    "quiet",
    "line",
    "accent",
    "changed",
    "gold",
    "seat0",
    "seat1",
    "seat2",
    "seat3",
)
"""Colours that every screen has, light and dark."""


class Shape(StrEnum):
    """The outline of a mark, as large as the mark's width and height."""

    NONE = ""  # a text or a pictogram alone
    RECT = "rect"
    ROUND = "round"  # a rectangle with half circles at its ends; a circle where it is square
    OCTAGON = "octagon"
    HEX = "hex"  # a corner above
    ARCH = "arch"  # a gate: round above
    SEAT = "seat"  # the sign of a seat with its letter, in its colour
    PATH = "path"  # what ``path`` draws, from the mark's middle


# A table is some hundred marks on their way to every page: their names in JSON are one letter.
_LETTERS = {
    **{"shape": "s", "path": "d", "fill": "f", "edge": "e", "line": "l", "dashed": "b", "pale": "p"},
    **{"turn": "r", "text": "t", "size": "z", "ink": "i", "bold": "o", "align": "a", "icon": "c"},
    **{"seat": "u", "key": "k", "board": "m", "cell": "n", "answers": "q"},
}


class Mark(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename=_LETTERS):
    """One thing on a panel: an outline, in it a pictogram, and a text over both.

    ``x`` and ``y`` are its middle, in the panel's pixels; a height ``h`` of 0 is the width. ``fill`` and
    ``edge`` are names of colours, empty for none; ``line`` is how wide the edge is. ``dashed`` is for what
    is not there yet, ``pale`` for what cannot be used now. ``turn`` turns it clockwise, in degrees.

    ``text`` is a figure or a letter as it stands, or a label of the game's texts; ``size`` is its height in
    pixels, 0 for one that fits, and less where the text would be wider than ``w``. ``ink`` is its colour and
    the pictogram's, empty for black or white, whichever can be read on ``fill``. ``align`` is where the text
    lies from the mark's middle: ``start`` begins there, ``end`` ends there. ``icon`` names a pictogram.

    ``seat`` is whose the sign is; of a mark without an outline and text, the seat's name is written.

    A mark with a ``key`` is a thing that comes, goes and changes: of two pictures the marks of one key are
    the same thing, wherever it lies. No two marks of a picture share one. What changed last is ringed.

    What a tap on it answers: ``cell`` names a cell of the ``board`` of that name; ``answers`` are choices,
    each ``question token``.
    """

    shape: Shape = Shape.NONE
    x: float
    y: float
    w: float = 0
    h: float = 0
    path: str = ""
    fill: str = ""
    edge: str = ""
    line: float = 2
    dashed: bool = False
    pale: bool = False
    turn: float = 0
    text: str | Label = ""
    size: float = 0
    ink: str = ""
    bold: bool = False
    align: str = ""
    icon: str = ""
    seat: int | None = None
    key: str = ""
    board: str = ""
    cell: str = ""
    answers: tuple[str, ...] = ()


class Panel(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of the table: a card with what lies on it, its corner at ``x``, ``y`` of the television's table.

    Its marks are in ``width`` × ``height`` pixels, and a television shows it ``scale`` times as large.
    ``seat`` is before whom it lies, None for what lies before all. Its text is at ``panel.<name>``.

    ``tablet`` is how it looks where the table is narrower than on a television and the keys stand beside it,
    None for the same; its corner and scale mean nothing.
    """

    name: str
    x: float
    y: float
    width: float
    height: float
    marks: tuple[Mark, ...] = ()
    seat: int | None = None
    scale: float = 1
    tablet: Panel | None = None


class Scene(msgspec.Struct, frozen=True):
    """A whole table, the panels in the order in which a narrow screen shows them.

    ``free`` is where the picture of a camera may stand on a television: its corner, width and height.
    ``when`` says how far the match has come, the round, say.
    """

    panels: tuple[Panel, ...]
    free: tuple[float, float, float, float]
    when: Label | None = None
