"""The fields of a simulated table, and the sheets that teach pieces, painted as a camera sees them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from typing import Final

import msgspec

from device.sensors.readers import AREAS, DISPLAY, MARKET, REGIONS, san_gimignano, torres
from device.sensors.readers.castles_of_tuscany import RegionGround, display_of, ground_of, list_usual_grounds
from device.sensors.readers.tray import TRAY
from device.sensors.simulated_table import CameraFault, SimulatedTable
from device.sensors.sources import FieldPainting, Picture
from engines.castles_of_tuscany.kinds import KINDS
from engines.marrakesh.pieces import COLOURS
from engines.torres.cells import NUMBERS
from vision import painter, sheets
from vision.cards.deck import Deck
from vision.cards.painter import CardsScene, FannedColumn, slots
from vision.cards.painter import painted as paint_cards
from vision.field import Field
from vision.lens import Lens
from vision.painter import Light, PaintedKeshi, PaintedView
from vision.torres import Colour, Coloured, CopySizes
from vision.tuscany.painter import PaintedHex, TilesScene
from vision.tuscany.painter import painted as paint_hexes

SMALLER: Final = 0.8
"""The relative size of a board or cards that are smaller than the match's."""


def find_scale(table: SimulatedTable) -> float:
    """Return the relative size of the things on the table, by its faults."""
    return SMALLER if CameraFault.SMALLER in table.faults else 1.0


# A board of Torres

LEVELS: Final = "0123456789ABC"


def read_board(table: SimulatedTable) -> Coloured:
    """Return the layout of the board."""
    pieces = sorted((NUMBERS[cell], colour) for cell, colour in table.pieces.items())
    heights = bytes(LEVELS.index(mark) for mark in table.heights)
    return Coloured(heights, msgspec.convert(pieces, tuple[tuple[int, Colour], ...]))


def _paint_board(table: SimulatedTable, view: PaintedView) -> Picture:
    (width, depth, height), size = table.block_mm, find_scale(table)
    copy = CopySizes(size * table.cell_mm, (size * width, size * depth, height))
    return painter.board(view, read_board(table), copy)


# The tray, and the strip on which its keshis are taught

PAPER: Final = (205, 205, 205)


def _paint_tray(table: SimulatedTable, view: PaintedView) -> Picture:
    keshis = [PaintedKeshi(x, y, colour, turn) for colour, x, y, turn in table.keshis]
    return painter.tray(view, keshis, table.keshi_mm)


def _paint_strip(table: SimulatedTable, view: PaintedView) -> Picture:
    """Paint a keshi of each colour in its slot."""
    places = zip(sheets.STRIP.slots.tolist(), COLOURS, strict=True)
    keshis = [PaintedKeshi(x, y, colour, 7.0 * x) for (x, y), colour in places]
    return painter.tray(view, keshis, table.keshi_mm, PAPER)


# Cards

CARD_MM: Final = (57.0, 87.0)
SLOTTED_MM: Final = (300.0, 225.0)
"""The size of the field on which the cards of a simulated deck are taught."""
LENS: Final = Lens((1280, 960), 1060.0, 1060.0, 640.0, 480.0)
ABOVE_DEG, DISTANCE_MM = 80.0, 420.0
"""The camera's elevation and distance when a simulated deck is taught."""
BETWEEN_MM: Final = 14.0
"""The gap between columns."""
SOUTH_MM: Final = 20.0
"""The gap between a field's far edge and a column."""


def make_scene(table: SimulatedTable, size: float = 1.0) -> CardsScene:
    """Return the scene of a simulated table's cards."""
    card_mm = size * CARD_MM[0], size * CARD_MM[1]
    return CardsScene(table.seed, table.seed, Light(seed=table.seed), card_mm=card_mm)


def _find_area(name: str, table: SimulatedTable) -> Field | None:
    """Return the field, None for a market that is not on the table; all have one size."""
    return san_gimignano.field_of(name, table.area_mm) if name != MARKET or name in table.columns else None


def _paint_columns(name: str, table: SimulatedTable, view: PaintedView) -> Picture:
    """Paint columns side by side, or the market's single cards in rows."""
    laid, pitch, row = table.columns.get(name, ()), CARD_MM[0] + BETWEEN_MM, CARD_MM[1] + BETWEEN_MM
    wide = int((table.area_mm[0] - BETWEEN_MM) / pitch) if name == MARKET else len(laid)
    south = BETWEEN_MM if name == MARKET else SOUTH_MM
    columns = [
        FannedColumn(storeys, BETWEEN_MM + at % wide * pitch, south + at // wide * row)
        for at, storeys in enumerate(laid)
    ]
    return paint_cards(view, columns, make_scene(table, find_scale(table)))


def _find_slotted(_table: SimulatedTable) -> Field:
    """Return the field with one card of each kind; it has the size of the printed sheet's standard."""
    return san_gimignano.field_of(AREAS[0], SLOTTED_MM)


def _paint_slots(table: SimulatedTable, view: PaintedView) -> Picture:
    return slots(view, san_gimignano.SLOTS, make_scene(table))


@lru_cache(maxsize=1)
def deck_of(seed: int) -> Deck:
    """Return the deck that the cards of a simulated table with this seed teach."""
    table = SimulatedTable(seed=seed)
    field = _find_slotted(table)
    view = PaintedView(LENS, painter.looking(field, ABOVE_DEG, 0.0, DISTANCE_MM), field)
    laid = san_gimignano.find_laid_out(_paint_slots(table, view), view.lens, SLOTTED_MM, CARD_MM)
    return san_gimignano.deck_of(laid.heaps, CARD_MM)


# Hexes


def _paint_hexes(table: SimulatedTable, view: PaintedView, hexes: Iterator[PaintedHex]) -> Picture:
    corner_mm = table.cell_mm / math.sqrt(3)
    return paint_hexes(
        view, list(hexes), corner_mm, TilesScene(table.seed, table.seed, Light(seed=table.seed))
    )


def _find_ground(name: str, table: SimulatedTable) -> RegionGround:
    """Return a region's ground in a field of fitting size, an empty one without a region."""
    spots = [(row, column) for row, column, _, _ in table.hexes.get(name, ())]
    return ground_of(spots, table.cell_mm, name) if spots else list_usual_grounds(table.cell_mm, name)[0]


def _find_seat(name: str, table: SimulatedTable) -> Field:
    return _find_ground(name, table).field


def _paint_region(name: str, table: SimulatedTable, view: PaintedView) -> Picture:
    laid = table.hexes.get(name, ())
    if not laid:
        return painter.empty(view, painter.TABLE)
    places = zip(_find_ground(name, table).middles, laid, strict=True)
    hexes = (PaintedHex(float(x), float(y), printed, placed) for (x, y), (_, _, printed, placed) in places)
    return _paint_hexes(table, view, hexes)


def _paint_display(table: SimulatedTable, view: PaintedView) -> Picture:
    """Paint tiles by row and column, each of its placed kind."""
    pitch, height = table.cell_mm, view.field.height_mm
    hexes = (
        PaintedHex((2 * column + 1) * pitch, height - (2 * row + 1) * pitch, "", kind)
        for row, column, _, kind in table.hexes[DISPLAY]
    )
    return _paint_hexes(table, view, hexes)


def _paint_tiles(table: SimulatedTable, view: PaintedView) -> Picture:
    """Paint a tile of each kind and a wild hex in the slots of the sheet."""
    places = zip(sheets.TILES.slots.tolist(), (*KINDS, "wild"), strict=True)
    hexes = (PaintedHex(x, y, kind, "wild" if kind == "wild" else "tile") for (x, y), kind in places)
    return _paint_hexes(table, view, hexes)


PAINTINGS: Final[Mapping[str, FieldPainting]] = {
    "board": FieldPainting(lambda table: torres.field_of(table.cell_mm), _paint_board),
    "tray": FieldPainting(lambda _: TRAY, _paint_tray),
    "strip": FieldPainting(lambda _: sheets.STRIP, _paint_strip),
    **{
        name: FieldPainting(partial(_find_area, name), partial(_paint_columns, name))
        for name in (*AREAS, MARKET)
    },
    "cards": FieldPainting(_find_slotted, _paint_slots),
    **{name: FieldPainting(partial(_find_seat, name), partial(_paint_region, name)) for name in REGIONS},
    DISPLAY: FieldPainting(
        lambda table: display_of(table.cell_mm) if DISPLAY in table.hexes else None, _paint_display
    ),
    "tiles": FieldPainting(lambda _: sheets.TILES, _paint_tiles),
}
"""The painting of each field and sheet."""
