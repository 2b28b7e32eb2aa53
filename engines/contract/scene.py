"""The drawing of a table: panels, and the marks on them.

A game describes its table; the screen that draws it knows no game. Lengths are pixels of a television 1920
wide. The table has 1888 × 836 of them (:data:`WIDTH`, :data:`HEIGHT`), between the strip with the players and
the foot. A smaller screen arranges the same panels differently and scales each. A :class:`Panel` has its
:class:`Mark` values in the order of drawing.

Colours and pictograms have names. Every screen has :data:`COLOURS`; a game's own are in the file
``drawing.toml`` beside its module::

    [light]
    pink = "#ffb4da"

    [dark]
    pink = "#ffb4da"

    [icons]
    boat = "M2 14h20l-3 6H5z"    # one path in a box of 24 × 24
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
    """The outline of a mark, with the mark's width and height."""

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

    ``x`` and ``y`` are its middle, in the panel's pixels; a height ``h`` of 0 means the width. ``fill`` and
    ``edge`` are names of colours, empty for none; ``line`` is the width of the edge. ``dashed`` marks a thing
    that is not there yet, ``pale`` one that cannot be used now. ``turn`` turns it clockwise, in degrees.

    ``text`` is a figure or a letter as it stands, or a label of the game's texts. ``size`` is its height in
    pixels, 0 to fit; a text wider than ``w`` shrinks. ``ink`` is the colour of text and pictogram, empty for
    black or white, whichever is readable on ``fill``. ``align`` places the text from the mark's middle:
    ``start`` begins there, ``end`` ends there. ``icon`` names a pictogram.

    ``seat`` is the owner of the sign; a mark with neither outline nor text shows the seat's name.

    A mark with a ``key`` is a thing that comes, goes and changes: marks with the same key in two pictures are
    the same thing, wherever it lies. No two marks of a picture share a key. The last change is ringed.

    A tap on the mark answers the question: ``cell`` names a cell of the ``board`` of that name; ``answers``
    are choices, each ``question token``.
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
    """A part of the table: a card with its marks, its corner at ``x``, ``y`` of the television's table.

    Its marks lie in ``width`` × ``height`` pixels; a television shows it ``scale`` times as large. ``seat``
    is the seat that it lies in front of, None for all. Its text is at ``panel.<name>``.

    ``tablet`` is the panel for a table narrower than a television's, with the keys beside it; None is the
    same panel. Its corner and scale mean nothing.
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
    """A whole table, its panels in the order of a narrow screen.

    ``free`` is the room for a camera's picture on a television: its corner, width and height. ``when`` says
    how far the match has come, for example the round.
    """

    panels: tuple[Panel, ...]
    free: tuple[float, float, float, float]
    when: Label | None = None


class Drawing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game's ``drawing.toml``: colours as ``#rrggbb`` by name, and pictograms as SVG paths.

    A colour that ``dark`` lacks is that of ``light``.
    """

    light: dict[str, str] = {}
    dark: dict[str, str] = {}
    icons: dict[str, str] = {}
