"""Sheets are what they say at true size, to a dot."""

import cv2
import numpy as np
import pytest

from vision import sheets
from vision.markers import detect
from vision.sheets import Paper, SheetWords

DPI = 300
MM = DPI / 25.4
WORDS = SheetWords("100 mm", "Print it")
CORNERS = ["north-west", "north-east", "south-east", "south-west"]
COLOURS = [f"colour {number}" for number in range(12)]
DECK = ("5", "6", "7", "8", "9", "10", "back", "Buona Pietra")


def seen(sheet):
    return detect(cv2.cvtColor(sheet.dots, cv2.COLOR_GRAY2BGR))


def inside(sheet):
    """All ink keeps off the edges that printers leave white."""
    rows, columns = np.nonzero(sheet.dots < 128)
    height, width = sheet.dots.shape
    edge = (sheets.MARGIN_MM - 1) * MM
    return min(rows.min(), columns.min(), height - rows.max(), width - columns.max()) > edge


@pytest.mark.parametrize("paper", Paper)
def test_the_board_lies_in_the_middle_of_its_page(paper):
    (page,) = sheets.board(WORDS, paper, DPI)
    assert inside(page)
    wide = page.dots.shape[1]
    columns = np.flatnonzero((page.dots[round(70 * MM) :] < 128).any(axis=0))
    assert columns[0] == pytest.approx(wide - 1 - columns[-1], abs=2)
    assert columns[-1] - columns[0] == pytest.approx(250 * MM, abs=2)


@pytest.mark.parametrize(("gap", "above"), [(4.0, False), (12.0, True)])
def test_below_each_marker_stands_what_it_is_and_above_how_far_from_the_field(gap, above):
    """The gap only where it is not the paper's own rim."""
    (page,) = sheets.markers({"board": (0, gap)}, CORNERS, WORDS, dpi=DPI)
    ink = page.dots < 128
    for marker in seen(page):
        left, (top, bottom) = marker.array[:, 0].min(), marker.array[:, 1][[0, 2]]
        columns = slice(round(left + 6 * MM), round(left + 18 * MM))
        assert ink[round(bottom + 9 * MM) : round(bottom + 15 * MM), columns].any()
        assert ink[round(top - 7 * MM) : round(top - 5 * MM), columns].any() == above


def is_cut(page, x, top, height):
    """Dashes run down the page from the dot at x and top."""
    line = page.dots[round(top) : round(top + height * MM), round(x) - 2 : round(x) + 3].min(axis=1)
    return 0.3 < (line < 128).mean() < 0.8


def test_markers_are_cut_where_the_field_begins():
    """With a gap of one cell the paper's corner is the field's: the dashes run 4 mm around the marker."""
    (page,) = sheets.markers({"board": (0, 4.0)}, CORNERS, WORDS, dpi=DPI)
    for marker in seen(page):
        left, top = marker.array[0]
        for x in (left - 4 * MM, left + 28 * MM):
            assert is_cut(page, x, top, 24)


def test_triangle_points_at_the_corner_that_touches_the_field():
    (page,) = sheets.markers({"board": (0, 4.0)}, CORNERS, WORDS, dpi=DPI)
    for marker, (east, south) in zip(seen(page), [(1, 1), (-1, 1), (-1, -1), (1, -1)], strict=True):
        middle = marker.array.mean(axis=0)
        at = np.round(middle + np.array([east, south]) * 17.5 * MM).astype(int)
        assert page.dots[at[1], at[0]] == 0
        for other in ((-east, south), (east, -south), (-east, -south)):
            x, y = np.round(middle + np.array(other) * 17.5 * MM).astype(int)
            assert page.dots[y, x] == 255


def test_control_line_is_a_ruler_of_100_mm():
    for page in (
        *sheets.board(WORDS, dpi=DPI),
        sheets.strip(COLOURS, WORDS, dpi=DPI),
        sheets.cards(DECK, WORDS, dpi=DPI),
    ):
        row = page.dots[round((sheets.MARGIN_MM + 6.0) * MM)] < 128
        ends = np.nonzero(row)[0]
        assert (ends[-1] - ends[0]) / MM == pytest.approx(100.0, abs=0.5)
        assert row[ends[0] : ends[-1]].all()
        below = np.nonzero(page.dots[round((sheets.MARGIN_MM + 6.7) * MM)] < 128)[0] / MM
        marks = [group.mean() for group in np.split(below, np.nonzero(np.diff(below) > 5)[0] + 1)]
        assert np.diff(marks) == pytest.approx([10.0] * 10, abs=0.1)


def placed(page, field):
    """The field's north-west corner on the page, mm, where its markers stand around it."""
    found = {marker.id: marker.array / MM for marker in seen(page)}
    places = field.places()
    assert sorted(found) == sorted(places)
    west, north = found[field.first_marker][2] + field.gap_mm
    for id_, corners in found.items():
        printed = np.column_stack([corners[:, 0] - west, north + field.height_mm - corners[:, 1]])
        assert printed == pytest.approx(places[id_][:, :2], abs=0.15)
    return west, north


def test_strip():
    page = sheets.strip(COLOURS, WORDS, Paper.LETTER, DPI)
    assert inside(page)
    west, north = placed(page, sheets.STRIP)
    for x in (west - 22.6, west + 122.6):  # a cell beyond the markers
        assert is_cut(page, x * MM, north * MM, 75)
    slots = sheets.STRIP.slots
    assert slots.shape == (12, 2)
    assert (slots[0] == [12.5, 62.5]).all()
    for x, y in slots:
        at = round((north + sheets.STRIP.height_mm - y) * MM), round((west + x) * MM)
        assert page.dots[at] == 255
        ring = page.dots[at[0], at[1] :][: round(11 * MM)]
        assert np.nonzero(ring == 0)[0][0] / MM == pytest.approx(sheets.SLOT_MM / 2, abs=0.3)


def test_cards():
    page = sheets.cards(DECK, WORDS, Paper.LETTER, DPI)
    west, north = placed(page, sheets.CARDS)
    for x, y in sheets.CARDS.slots:  # each slot has its outline and nothing of a marker
        left, top = west + x - 30, north + sheets.CARDS.height_mm - y - 45
        assert 4 < left < left + 60 < Paper.LETTER.value[1] - 4
        assert 20 < top < top + 90 < Paper.LETTER.value[0] - 4
        row = page.dots[round((top + 20) * MM), round((left + 2) * MM) : round((left + 58) * MM)]
        assert (row == 255).all()
        for at in (left, left + 60):
            around = page.dots[round((top + 20) * MM), round((at - 0.5) * MM) : round((at + 0.5) * MM)]
            assert around.min() == 0
    assert sheets.CARDS.slots[0].tolist() == [30.0, 110.0]


TILE_NAMES = [f"tile {number}" for number in range(9)]


@pytest.mark.parametrize(
    ("draw", "named"),
    [
        (lambda: sheets.board(WORDS, dpi=DPI), ()),
        (
            lambda: sheets.markers({"board": (0, 4.0)}, CORNERS, WORDS, dpi=DPI),
            [f"board {at}" for at in CORNERS],
        ),
        (lambda: [sheets.strip(COLOURS, WORDS, dpi=DPI)], COLOURS),
        (lambda: [sheets.cards(DECK, WORDS, dpi=DPI)], DECK),
        (lambda: [sheets.tiles(TILE_NAMES, WORDS, dpi=DPI)], TILE_NAMES),
    ],
)
def test_each_sheet_names_what_goes_where_below_how_to_print_it(monkeypatch, draw, named):
    written = []
    monkeypatch.setattr(sheets.DrawnSheet, "text", lambda sheet, words, x, y, *_: written.append((words, y)))
    draw()
    (control, above), (advice, below), *rest = written
    assert (control, advice) == (WORDS.control, WORDS.advice)
    assert above < below < min([y for _, y in rest], default=below + 1)
    assert [words.rpartition(": ")[2] for words, _ in rest] == list(named)


def test_tiles():
    page = sheets.tiles(TILE_NAMES, WORDS, dpi=DPI)
    west, north = placed(page, sheets.TILES)
    for x, y in sheets.TILES.slots:  # a slot has its four corners, and nothing along its sides
        at_x, at_y, half = west + x, north + sheets.TILES.height_mm - y, sheets.TILE_MM / 2
        for east in (-half, half):
            for south, ink in ((-half, True), (half, True), (0.0, False)):
                row, column = round((at_y + south) * MM), round((at_x + east) * MM)
                assert (page.dots[row - 4 : row + 5, column - 4 : column + 5].min() == 0) == ink
