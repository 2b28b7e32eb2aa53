import numpy as np
import pytest

from tests.vision.torres.tables import BEFORE, COPY, LENS, POSE, changed, picture, scene
from vision.torres import colours, search
from vision.torres import painter as p
from vision.torres.evidence import Evidence
from vision.torres.reading import weigh


@pytest.fixture(scope="module")
def evidence():
    canvas = p.canvas(LENS, POSE, COPY)
    small = canvas.picture(picture(BEFORE))
    pixels = colours.lab(small)
    empty = canvas.empty.ravel()
    labels = np.zeros(len(pixels), np.int16)
    canvas.paint(list(BEFORE.heights), p.stands(BEFORE), labels)
    first = colours.first(pixels, empty, colours.white(small, empty))
    return Evidence(canvas, pixels, labels, colours.learned(pixels, labels, first))


def held(evidence, layout):
    return search.Search(evidence, search.start(layout), lambda cell, spot: 0.0)


@pytest.mark.parametrize(
    "layout",
    [
        changed(BEFORE, {"a1": 7}),
        changed(BEFORE, {"c3": 0}, {"c3": None}),
        changed(BEFORE, {}, {"f3": None}),
        changed(BEFORE, {"e5": 1}, {"e5": "green"}),
        changed(BEFORE, dict.fromkeys(("a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1"), 6)),
    ],
)
def test_every_layout_is_judged_by_the_same_pixels(evidence, layout):
    """However much a layout covers, the pixels that have a price are all those that a board could reach."""
    window = evidence.whole()
    search_ = held(evidence, layout)
    total, density = evidence.costs(search_.labels, window)
    assert len(density) == np.count_nonzero(evidence.canvas.seen)
    assert (density < 0).all()
    assert np.isfinite(total)
    truth = evidence.costs(held(evidence, BEFORE).labels, window)[0]
    assert total < truth


def test_a_window_says_what_the_whole_says(evidence):
    """A change's worth is the same whether judged where it shows or over the whole picture."""
    search_ = held(evidence, BEFORE)
    for cell, height in ((27, 1), (18, 2), (44, 2)):
        options = search_.options(cell, [height])
        found = next(one for one in options if one.spot == (height, search_.pieces[cell]))
        layout = changed(BEFORE, {_name(cell): height})
        other = held(evidence, layout)
        whole = evidence.score(other.labels, evidence.whole()) - evidence.score(
            search_.labels, evidence.whole()
        )
        assert found.evidence == pytest.approx(whole, abs=0.05 * abs(whole) + 3)
        assert found.evidence < -20


def test_options_leave_everything_as_it_was(evidence):
    search_ = held(evidence, BEFORE)
    labels, spots = search_.labels.copy(), search_.spots()
    search_.options(18, range(6))
    assert search_.spots() == spots
    assert np.array_equal(search_.labels, labels)


def test_weighing_changes_no_reading():
    view = scene(changed(BEFORE, {"d5": 1}), BEFORE)
    layouts = [BEFORE, changed(BEFORE, {"d5": 1}), changed(BEFORE, {"d5": 2})]
    first = weigh(view, layouts)
    assert weigh(view, layouts[::-1])[::-1] == pytest.approx(first)
    assert max(range(3), key=first.__getitem__) == 1


def test_a_stack_in_the_dark_is_no_other_stack(evidence):
    """A face's own colour is free, so a darker board is explained as well as a light one."""
    canvas = evidence.canvas
    dark = (picture(BEFORE) * 0.6).astype(np.uint8)
    small = canvas.picture(dark)
    pixels, empty = colours.lab(small), canvas.empty.ravel()
    labels = held(evidence, BEFORE).labels
    first = colours.first(pixels, empty, colours.white(small, empty))
    again = Evidence(canvas, pixels, labels, colours.learned(pixels, labels, first))
    truth = again.score(labels, again.whole())
    for layout in (changed(BEFORE, {"d5": 1}), changed(BEFORE, {"c3": 2})):
        assert again.score(held(again, layout).labels, again.whole()) < truth - 20


def _name(cell):
    return f"{'abcdefgh'[cell % 8]}{cell // 8 + 1}"
