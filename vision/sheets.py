"""Sheets to print at true size: markers to cut out, the board that calibrates a lens, the strip for keshis,
the slots for cards and tiles.

A sheet is a picture of a whole page, black on white. Everything is placed in mm from the page's top left; the
print is right if the control line is 100 mm long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from itertools import pairwise, product

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision import calibrate
from vision.field import Field
from vision.lens import Floats
from vision.markers import CELLS, DICTIONARY

DPI = 600
"""Dots per inch: a dot is 0.04 mm, much finer than hands cut or lay."""

MARKER_MM = 24.0
"""The width of the black square of a field's marker; its white rim is one cell wide."""

CONTROL_MM = 100.0
"""The length of the line that checks a print."""

MARGIN_MM = 10.0
"""The white edge that printers leave on a page."""


class SlotField(Field, frozen=True, kw_only=True):
    """A field with slots in ``columns`` and ``rows`` around its middle, ``pitch_mm`` apart both ways."""

    columns: int
    rows: int
    pitch_mm: tuple[float, float]

    @property
    def slots(self) -> Floats:
        """The middles of the slots, (N, 2) mm, row by row from the north-west."""
        column, row = np.meshgrid(np.arange(self.columns), np.arange(self.rows))
        x = self.width_mm / 2 + (column - (self.columns - 1) / 2) * self.pitch_mm[0]
        y = self.height_mm / 2 - (row - (self.rows - 1) / 2) * self.pitch_mm[1]
        return np.stack([x.ravel(), y.ravel()], axis=1)


STRIP = SlotField(100.0, 75.0, 40, 4.0, marker_mm=16.0, columns=4, rows=3, pitch_mm=(25.0, 25.0))
"""The strip for keshis, between small markers of its own."""

SLOT_MM = 18.0
"""The diameter of a slot of the strip."""

CARD_MM = (60.0, 90.0)
"""The size of a slot for a card: a sleeved card fits."""

CARDS = SlotField(240.0, 130.0, 44, 2.0, marker_mm=11.0, columns=4, rows=2, pitch_mm=CARD_MM)
"""The sheet for cards, between small markers of its own; higher than its field."""

TILES = SlotField(165.0, 165.0, 44, 2.0, marker_mm=11.0, columns=3, rows=3, pitch_mm=(55.0, 55.0))
"""The sheet for tiles, between the small markers of the sheet for cards. No other markers are left; its field
has another size.
"""

TILE_MM = 52.0
"""The size of a slot for a tile: a square with only its corners drawn, far from the rim of any tile."""

INK_MM = 0.3
"""The width of lines."""


class Paper(Enum):
    """A size of paper, upright: width and height in mm."""

    A4 = (210.0, 297.0)
    LETTER = (215.9, 279.4)


class Corner(Enum):
    """The corners of a field in the order of their markers' ids, with the way from the marker to the field's
    corner: east and south.
    """

    NORTH_WEST = (1, 1)
    NORTH_EAST = (-1, 1)
    SOUTH_EAST = (-1, -1)
    SOUTH_WEST = (1, -1)


Letters = Callable[[str], NDArray[np.bool_]]
"""A function that writes a line of text as dots, (rows, columns), whose base is the last row but two."""
LINE = 1.4
"""The height of such a line, in heights of its capitals."""


class SheetWords(msgspec.Struct, frozen=True):
    """Words on the sheets: how to check the size, and what to do with the sheet. ``letters`` write them and
    the names of pieces, if these are not all ASCII.
    """

    control: str
    advice: str
    letters: Letters | None = None


class DrawnSheet:
    """A page being drawn; ``dots`` is (rows, columns), 0 is black and 255 white."""

    def __init__(self, size_mm: tuple[float, float], dpi: int = DPI, letters: Letters | None = None) -> None:
        self.size_mm = size_mm
        self.dpi = dpi
        self._letters = letters
        width, height = size_mm
        self.dots: NDArray[np.uint8] = np.full((self.dot(height), self.dot(width)), 255, np.uint8)

    def dot(self, mm: float) -> int:
        """Return the number of the dot nearest to ``mm`` from the edge."""
        return round(mm / 25.4 * self.dpi)

    def fill(self, left: float, top: float, width: float, height: float, white: bool = False) -> None:
        """Fill a rectangle in mm, black unless ``white``."""
        rows = slice(self.dot(top), self.dot(top + height))
        self.dots[rows, self.dot(left) : self.dot(left + width)] = 255 if white else 0

    def marker(self, dictionary: int, id_: int, left: float, top: float, side: float, cells: int) -> None:
        """Draw a marker ``cells`` cells wide, border included, cell by cell."""
        plan = cv2.aruco.getPredefinedDictionary(dictionary)
        bits = cv2.aruco.generateImageMarker(plan, id_, cells)
        cell = side / cells
        for row, column in np.argwhere(bits == 0).tolist():
            self.fill(left + column * cell, top + row * cell, cell, cell)

    def line(self, points: Iterable[tuple[float, float]], dash: float = 0.0) -> None:
        """Draw a line through points in mm; with ``dash`` in dashes of that length in mm."""
        for (x, y), (to_x, to_y) in pairwise(points):
            length = float(np.hypot(to_x - x, to_y - y))
            pieces = max(1, round(length / dash)) if dash else 1
            for piece in range(0, pieces, 2):
                a, b = piece / pieces, (piece + 1) / pieces
                ends = [(x + t * (to_x - x), y + t * (to_y - y)) for t in (a, b)]
                start, end = ((self.dot(one), self.dot(other)) for one, other in ends)
                cv2.line(self.dots, start, end, 0, max(1, self.dot(INK_MM)))

    def circle(self, x: float, y: float, width: float) -> None:
        """Draw a circle around a point in mm."""
        cv2.circle(self.dots, (self.dot(x), self.dot(y)), self.dot(width / 2), 0, max(1, self.dot(INK_MM)))

    def text(self, words: str, x: float, y: float, height: float = 3.0) -> None:
        """Write a line of text in mm, centred on x, with its base on y; without letters of its own a sheet
        writes only ASCII. Raises ValueError for a line wider than the sheet.
        """
        if self._letters:
            dots = self._letters(words)
            side = max(1, self.dot(LINE * height / len(dots)))
            inked = np.kron(dots, np.ones((side, side), bool))
            top, left = self.dot(y) - (len(dots) - 2) * side, self.dot(x) - inked.shape[1] // 2
            if left < 0 or left + inked.shape[1] > self.dots.shape[1]:
                raise ValueError(f"wider than the sheet: {words}")
            self.dots[top : top + inked.shape[0], left : left + inked.shape[1]][inked] = 0
            return
        face, ink = cv2.FONT_HERSHEY_SIMPLEX, max(1, self.dot(height / 9))
        scale = cv2.getFontScaleFromHeight(face, self.dot(height), ink)
        (width, _), _ = cv2.getTextSize(words, face, scale, ink)
        cv2.putText(self.dots, words, (self.dot(x) - width // 2, self.dot(y)), face, scale, 0, ink)


def markers(
    fields: Mapping[str, tuple[int, float]],
    corners: Sequence[str],
    words: SheetWords,
    paper: Paper = Paper.A4,
    dpi: int = DPI,
) -> list[DrawnSheet]:
    """Draw the four markers of each field, given its name, first id and gap in mm.

    ``corners`` are the names of north-west, north-east, south-east and south-west. If the gap is one cell
    wide, the corner of a marker's paper, cut along the dashes, touches the field's corner; the small
    triangle, which is cut off, points there.
    """
    rim = MARKER_MM / CELLS
    paper_mm, pitch = MARKER_MM + 2 * rim, 48.0
    width, height = paper.value
    columns = int((width - 2 * MARGIN_MM) // pitch)
    rows = int((height - 2 * MARGIN_MM - 34) // pitch)
    every = [
        (first + i, f"{name} {called}", gap, corner)
        for name, (first, gap) in fields.items()
        for i, (called, corner) in enumerate(zip(corners, Corner, strict=True))
    ]
    sheets = []
    for begin in range(0, len(every), columns * rows):
        sheet = DrawnSheet(paper.value, dpi, words.letters)
        _control(sheet, words)
        for place, (id_, name, gap, corner) in enumerate(every[begin : begin + columns * rows]):
            row, column = divmod(place, columns)
            left = (width - columns * pitch) / 2 + column * pitch + (pitch - paper_mm) / 2
            top = MARGIN_MM + 34 + row * pitch
            sheet.marker(DICTIONARY, id_, left + rim, top + rim, MARKER_MM, CELLS)
            _cut(sheet, left, top, paper_mm, paper_mm)
            if gap == rim:
                _pointer(sheet, left, top, paper_mm, corner)
            sheet.text(f"{id_}: {name}", left + paper_mm / 2, top + paper_mm + 8, 2.4)
            if gap != rim:
                sheet.text(f"{gap:g} mm", left + paper_mm / 2, top - 2, 2.4)
        sheets.append(sheet)
    return sheets


def board(words: SheetWords, paper: Paper = Paper.A4, dpi: int = DPI) -> list[DrawnSheet]:
    """Draw the board of :mod:`vision.calibrate`, on its side."""
    height, width = paper.value
    sheet = DrawnSheet((width, height), dpi, words.letters)
    square, side = calibrate.SQUARE_MM, calibrate.MARKER_MM
    left = (width - calibrate.COLUMNS * square) / 2
    top = height - calibrate.ROWS * square - MARGIN_MM
    id_ = 0
    for row in range(calibrate.ROWS):
        for column in range(calibrate.COLUMNS):
            x, y = left + column * square, top + row * square
            if (row + column) % 2 == 0:
                sheet.fill(x, y, square, square)
            else:
                rim = (square - side) / 2
                sheet.marker(calibrate.DICTIONARY, id_, x + rim, y + rim, side, calibrate.CELLS)
                id_ += 1
    _control(sheet, words)
    return [sheet]


def strip(colours: Sequence[str], words: SheetWords, paper: Paper = Paper.A4, dpi: int = DPI) -> DrawnSheet:
    """Draw the strip for the keshis of twelve ``colours``: one slot for each."""
    sheet, west, north = _slotted(STRIP, words, paper.value, dpi, 90.0)
    for (x, y), colour in zip(STRIP.slots, colours, strict=True):
        at_x, at_y = west + x, north + STRIP.height_mm - y
        sheet.circle(at_x, at_y, SLOT_MM)
        sheet.text(colour, at_x, at_y + SLOT_MM / 2 + 3.2, 2.0)
    edge = STRIP.gap_mm + STRIP.marker_mm + STRIP.marker_mm / CELLS
    _cut(sheet, west - edge, north - edge, STRIP.width_mm + 2 * edge, STRIP.height_mm + 2 * edge)
    return sheet


def tiles(names: Sequence[str], words: SheetWords, paper: Paper = Paper.A4, dpi: int = DPI) -> DrawnSheet:
    """Draw the sheet for the tiles of nine ``names``: one slot for each."""
    sheet, west, north = _slotted(TILES, words, paper.value, dpi, 60.0)
    for (x, y), name in zip(TILES.slots, names, strict=True):
        at_x, at_y = west + x, north + TILES.height_mm - y
        for east, south in product((-TILE_MM / 2, TILE_MM / 2), repeat=2):
            to_x, to_y = at_x + east, at_y + south
            sheet.line([(to_x - east / 4, to_y), (to_x, to_y), (to_x, to_y - south / 4)])
        sheet.text(name, at_x, at_y + TILE_MM / 2, 3.0)
    return sheet


def cards(names: Sequence[str], words: SheetWords, paper: Paper = Paper.A4, dpi: int = DPI) -> DrawnSheet:
    """Draw the sheet for the cards of eight ``names``, on its side: one slot for each."""
    height, width = paper.value
    north = (height + 16.0 - CARDS.height_mm) / 2
    sheet, west, _ = _slotted(CARDS, words, (width, height), dpi, north)
    wide, high = CARD_MM
    for (x, y), name in zip(CARDS.slots, names, strict=True):
        at_x, at_y = west + x, north + CARDS.height_mm - y
        left, right, top, bottom = at_x - wide / 2, at_x + wide / 2, at_y - high / 2, at_y + high / 2
        sheet.line([(left, top), (right, top), (right, bottom), (left, bottom), (left, top)])
        sheet.text(name, at_x, at_y, 6.0)
    return sheet


def _slotted(
    field: Field, words: SheetWords, size_mm: tuple[float, float], dpi: int, north: float
) -> tuple[DrawnSheet, float, float]:
    """Draw a sheet with a field's markers, in the middle from west to east; return it with the place of the
    field's north-west corner, mm.
    """
    sheet, west = DrawnSheet(size_mm, dpi, words.letters), (size_mm[0] - field.width_mm) / 2
    _control(sheet, words)
    for id_, corners in field.places().items():
        x, y = corners[0, :2]
        sheet.marker(DICTIONARY, id_, west + x, north + field.height_mm - y, field.marker_mm, CELLS)
    return sheet, west, north


def _control(sheet: DrawnSheet, words: SheetWords) -> None:
    """Draw the control line, a ruler of centimetres, with its words, at the top."""
    middle, y = sheet.size_mm[0] / 2, MARGIN_MM + 6.0
    left, right = middle - CONTROL_MM / 2, middle + CONTROL_MM / 2
    sheet.line([(left, y), (right, y)])
    for x in np.linspace(left, right, 11).tolist():
        below = 2.0 if x in (left, right) else 1.0
        sheet.line([(x, y - 2 if below == 2.0 else y), (x, y + below)])
    sheet.text(words.control, middle, y - 2, 2.4)
    sheet.text(words.advice, middle, y + 5, 2.4)


def _cut(sheet: DrawnSheet, left: float, top: float, width: float, height: float) -> None:
    right, bottom = left + width, top + height
    sheet.line([(left, top), (right, top), (right, bottom), (left, bottom), (left, top)], dash=1.0)


def _pointer(sheet: DrawnSheet, left: float, top: float, side: float, corner: Corner) -> None:
    """Draw a triangle outside the cut that points at the corner touching the field's."""
    east, south = corner.value
    x, y = left + side * (east > 0), top + side * (south > 0)
    tip, far = (x + east * 0.8, y + south * 0.8), 3.0
    rest = [(tip[0] + east * far, tip[1]), (tip[0], tip[1] + south * far)]
    cv2.fillConvexPoly(sheet.dots, np.array([(sheet.dot(a), sheet.dot(b)) for a, b in (tip, *rest)]), 0)
