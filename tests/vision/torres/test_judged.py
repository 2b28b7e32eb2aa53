"""What a reading makes of a search: doubts, alternatives, hidden and foreign spaces; no picture is read."""

from types import SimpleNamespace

import numpy as np
import pytest

from engines.torres.cells import CELLS, NUMBERS
from tests.vision.torres.tables import BEFORE, changed
from vision.torres import COLOURS, Coloured, finding, reading
from vision.torres.held import HIDDEN, HIDDEN_PIECE, layout_of
from vision.torres.painter import FACES, PER_CELL, PaintedStand
from vision.torres.search import PLAIN, SpotOption, spots_of

RED, BLUE = (PaintedStand(COLOURS.index(colour)) for colour in ("red", "blue"))
D1, H5 = NUMBERS["d1"], NUMBERS["h5"]
"""Where a red and a blue knight stand in BEFORE."""


class Held:
    """A search that has come to a layout; what shows is what it is told."""

    beside, kings = (), True

    def __init__(self, layout=BEFORE, shows=100, would_show=100):
        self._spots = spots_of(layout)
        self.heights, self.pieces = (list(each) for each in zip(*self._spots, strict=True))
        self.shows, self.would_show = (lambda _cell: shows), (lambda _cell, _spot: would_show)

    def spot(self, cell):
        return self._spots[cell]

    def spots(self):
        return list(self._spots)

    def layout(self):
        return layout_of(self._spots)


def alternatives(others, hidden=()):
    found = reading._list_alternatives(Held(), others, frozenset(hidden), {})
    return dict(found)


def option(cell, height, stand, gain):
    return SpotOption(cell, (height, stand), gain, gain)


def test_a_piece_that_vanishes_where_it_hardly_shows_has_not_left_the_table():
    height = BEFORE.heights[D1]
    gone = option(D1, height, None, -20.0)
    without = changed(BEFORE, {}, {"d1": None})
    assert alternatives([gone]) == {without: -20.0}
    assert alternatives([gone], hidden={D1}) == {without: -20.0 - reading.FLED}
    assert alternatives([gone], hidden={H5}) == {without: -20.0}


def test_a_piece_that_moves_leaves_its_space_as_it_was():
    """What it stood on is bare then, whatever else would explain the space better."""
    height = BEFORE.heights[D1]
    came = option(NUMBERS["e1"], BEFORE.heights[NUMBERS["e1"]], RED, -30.0)
    gone, higher = option(D1, height, None, -40.0), option(D1, height + 1, None, -10.0)
    found = alternatives([came, gone, higher])
    assert found[changed(BEFORE, {}, {"d1": None, "e1": "red"})] == -70.0
    assert changed(BEFORE, {"d1": height + 1}, {"d1": None, "e1": "red"}) not in found


def test_a_piece_may_stand_where_another_stood():
    came = option(H5, BEFORE.heights[H5], RED, -30.0)
    gone = option(D1, BEFORE.heights[D1], None, -40.0)
    found = alternatives([came, gone])
    assert found[changed(BEFORE, {}, {"d1": None, "h5": "red"})] == -70.0
    assert found[changed(BEFORE, {}, {"h5": "red"})] == -30.0


def test_a_piece_that_is_missing_may_stand_wherever_it_would_hardly_show():
    gone = changed(BEFORE, {}, {"d1": None})
    lost = reading._find_lost(Held(gone, would_show=2 * HIDDEN_PIECE - 1), BEFORE)
    assert lost.keys() == set(range(CELLS)) - dict(gone.pieces).keys()
    assert lost[D1] == [(BEFORE.heights[D1], RED)]
    assert reading._find_lost(Held(gone, would_show=2 * HIDDEN_PIECE), BEFORE) == {}
    assert reading._find_lost(Held(gone, would_show=0), gone) == reading._find_lost(Held(gone), None) == {}
    found = dict(reading._list_alternatives(Held(gone), [], frozenset(), {D1: lost[D1]}))
    assert found == {BEFORE: 0.0}


def test_a_space_in_doubt_is_looked_at_closely_and_no_other():
    held, quick, closely = Held(), Held(), []

    def options(cell, gain):
        height = BEFORE.heights[cell]
        return [option(cell, *held.spot(cell), 0.0), option(cell, height + 1, None, gain)]

    def climb(_heights, cells):
        closely.append(cells)
        return {cell: options(cell, -PLAIN - 1) for cell in cells}

    held.climb, held.hold, quick.hold = climb, lambda _spots: None, lambda _spots: None
    quick.climb = lambda *_, **__: {D1: options(D1, -PLAIN - 1), H5: options(H5, -PLAIN + 1)}
    quick.aged, quick.options = lambda _cells: [], lambda _cells, _heights: {}
    found = finding._settle(held, quick, lambda _cell: [0, 1], [D1, H5])
    assert closely == [[H5]]
    assert found == {cell: options(cell, -PLAIN - 1) for cell in (D1, H5)}


@pytest.mark.parametrize(("lead", "elsewhere"), [(-PLAIN - 1, False), (-PLAIN + 1, True)])
def test_no_other_space_is_tried_with_a_king_that_stands_plainly(monkeypatch, lead, elsewhere):
    held, quick, asked = Held(), Held(), []

    def options(cells, _heights):
        asked.append(set(cells))
        return {one: [option(one, *held.spot(one), 0.0), option(one, 9, None, lead)] for one in cells}

    quick.options, held.thinned = options, lambda _thin: quick
    monkeypatch.setattr(finding, "_search", lambda *_: held)
    monkeypatch.setattr(finding, "_find_changed", lambda *_: None)
    monkeypatch.setattr(finding, "_settle", lambda *_, **__: {})
    finding.search_from([None], BEFORE)
    assert asked == [{NUMBERS["f3"]}]
    assert (held.kings, quick.kings) == (elsewhere, elsewhere)


def test_what_differs_from_the_layout_before_is_unlikely():
    cost, height = finding._price_changes(BEFORE), BEFORE.heights[D1]
    assert cost(D1, (height, RED)) == 0
    assert cost(D1, (height + 1, RED)) == finding.CHANGE
    assert cost(D1, (height + 3, RED)) == finding.CHANGE + 2 * finding.CHANGE_MORE
    assert cost(D1, (height, None)) == cost(D1, (height, BLUE)) == finding.CHANGE_PIECE
    assert cost(D1, (height + 1, None)) == finding.CHANGE + finding.CHANGE_PIECE


def test_layouts_differ_by_heights_and_by_pieces():
    other = changed(BEFORE, {"a1": 5}, {"d1": "blue", "h5": None, "b2": "king"})
    assert BEFORE.differences(other) == {NUMBERS[name] for name in ("a1", "d1", "h5", "b2")}
    assert BEFORE.differences(BEFORE) == frozenset()


@pytest.mark.parametrize(
    ("elevation", "before", "margin"),
    [
        (60.0, BEFORE, reading.MARGIN),
        (60.0, None, reading.MARGIN_COLD),
        (75.0, BEFORE, reading.MARGIN_STEEP),
        (75.0, None, reading.MARGIN_STEEP),
    ],
)
def test_the_best_must_be_ahead_by_a_margin(monkeypatch, elevation, before, margin):
    monkeypatch.setattr(finding, "find_hidden", lambda _held: set())
    held, cell = Held(), NUMBERS["a1"]
    now = option(cell, *held.spot(cell), 0.0)
    for gain, doubted in ((-margin - 1, False), (-margin + 1, True)):
        more = option(cell, held.heights[cell] + 1, None, gain)
        view = SimpleNamespace(
            before=before,
            steep=elevation > reading.STEEP_DEG,
            searched=lambda more=more: (held, {cell: [now, more]}),
            unknown=frozenset(),
        )
        found = reading.read(view)
        assert found.steep == (elevation > reading.STEEP_DEG)
        assert found.doubted == ({cell} if doubted else set())
        assert [odds for _, odds in found.alternatives] == [gain / reading.TEMPER]


@pytest.mark.parametrize(
    ("shows", "would_show", "hidden"),
    [
        (HIDDEN_PIECE, HIDDEN, False),
        (HIDDEN_PIECE - 1, HIDDEN, True),
        (HIDDEN_PIECE, HIDDEN - 1, True),
    ],
)
def test_a_space_is_hidden_where_a_piece_or_a_block_would_hardly_show(shows, would_show, hidden):
    found = finding.find_hidden(Held(shows=shows, would_show=would_show))
    assert (D1 in found) is hidden


def test_where_a_knight_that_came_would_hardly_show_is_hidden_too():
    assert finding.find_hidden(Held(would_show=HIDDEN)) == set()
    heights = Coloured(bytes([12] * CELLS))
    # On a stack of the highest no block more can come, only a knight.
    assert finding.find_hidden(Held(heights, would_show=HIDDEN_PIECE)) == set()
    assert finding.find_hidden(Held(heights, would_show=HIDDEN_PIECE - 1)) == set(range(CELLS))


def foreign(labels, density, strangers):
    """The spaces that show something foreign, where every so many pixels are looked at."""
    looked = SimpleNamespace(
        everywhere=np.arange(len(labels)),
        whole=lambda _labels: SimpleNamespace(density=density),
        strangers=lambda _labels: strangers,
    )
    evidence = SimpleNamespace(thinned=lambda thin: looked if thin == reading.THIN else None)
    return reading._find_foreign(SimpleNamespace(labels=labels, evidence=evidence))


LEAST = reading.FOREIGN_LEAST / reading.THIN**2


@pytest.mark.parametrize(
    ("pixels", "colour", "found"),
    [
        (LEAST, reading.FOREIGN_COLOUR + 1, {9}),
        (LEAST - 1, reading.FOREIGN_COLOUR + 1, set()),
        (LEAST, reading.FOREIGN_COLOUR - 1, set()),
    ],
)
def test_a_large_face_of_a_strange_colour_is_foreign(pixels, colour, found):
    face = FACES + 9 * PER_CELL + 1
    strangers = np.array([face]), np.array([pixels]), np.array([colour])
    assert foreign(np.full(400, face, np.int16), np.zeros(400), strangers) == found


NOBODY = np.array([], int), np.array([]), np.array([])
SHOWN = HIDDEN // reading.THIN**2


@pytest.mark.parametrize(
    ("shown", "poor", "found"),
    [(400, 201, {9}), (400, 200, set()), (SHOWN, SHOWN, {9}), (SHOWN - 1, 9, set())],
)
def test_a_space_that_nothing_explains_is_foreign(shown, poor, found):
    """It must show at all."""
    density = np.where(np.arange(4000 + shown) < poor, reading.POOR - 1, 0.0)
    labels = np.repeat([FACES + 10 * PER_CELL - 1, FACES], [shown, 4000]).astype(np.int16)
    assert foreign(labels, density, NOBODY) == found


def test_of_two_kings_the_one_that_would_be_missed_more_stays():
    held, put = Held(changed(BEFORE, {}, {"g5": "king"})), []
    held.put = lambda *spot: put.append(spot)
    king, f3, g5 = PaintedStand(COLOURS.index("king")), NUMBERS["f3"], NUMBERS["g5"]
    options = {
        cell: [option(cell, 1, king, 0.0), option(cell, 1, None, -loss)]
        for cell, loss in ((f3, 60.0), (g5, 30.0))
    }
    finding._keep_one_king(held, options)
    assert put == [(g5, (1, None))]
    assert (len(options[f3]), options[g5]) == (2, [option(g5, 1, None, 0.0)])
