"""A board in two views, and beside the picture before: what one camera cannot see the other does."""

from functools import partial

import numpy as np
import pytest

from engines.torres.cells import NUMBERS
from tests.vision.torres.tables import BEFORE, COPY, FIELD, LENS, POSE, changed, picture
from vision import painter
from vision.torres import finding
from vision.torres.held import HIDDEN, HeldSpots, shown
from vision.torres.painter import TALL
from vision.torres.reading import BoardScene, read
from vision.torres.search import LayoutSearch

ACROSS = painter.looking(FIELD, 60.0, 110.0, 520.0)
"""The other camera, a quarter turn further on."""

WALL = changed(BEFORE, {"c6": 5, "d6": 6, "e6": 6, "f6": 5})
"""A wall of stacks behind which the first camera sees little."""


def pair(layout, before=None, **more):
    one = BoardScene.of(picture(layout), LENS, POSE, COPY, before)
    return one.beside(picture(layout, ACROSS, 2), LENS, ACROSS, **more)


def hidden_from(pose, layout):
    """The spaces where one block more would not show to a camera."""
    held, _ = BoardScene.of(picture(layout, pose), LENS, pose, COPY, layout).searched()
    return {
        cell
        for cell, (height, stand) in enumerate(held.spots())
        if stand is None and held.would_show(cell, (height + 1, None)) < HIDDEN
    }


@pytest.fixture(scope="module")
def behind():
    """A space that the first camera does not see, and the second does."""
    return min(hidden_from(POSE, WALL) - hidden_from(ACROSS, WALL))


def with_block(cell):
    name = next(name for name, number in NUMBERS.items() if number == cell)
    return changed(WALL, {name: WALL.heights[cell] + 1})


@pytest.mark.pictures
def test_what_one_camera_cannot_see_the_other_does(behind):
    after = with_block(behind)
    alone = read(BoardScene.of(picture(after), LENS, POSE, COPY, WALL))
    assert behind in alone.hidden, "the first camera says that it cannot see it"
    both = read(pair(after, WALL))
    assert both.best == after
    assert behind not in both.hidden
    assert both.hidden < alone.hidden


def test_a_doubt_is_judged_by_all_that_both_views_show(behind):
    """Also what only the other view finds worth a look: a knight where the first camera sees nothing."""
    name = next(name for name, number in NUMBERS.items() if number == behind)
    scene = pair(changed(WALL, {}, {name: "green"}), WALL)
    held = finding._search(scene.views, finding.search.spots_of(WALL), lambda *_: 0.0)
    height = WALL.heights[behind]
    found = held.options([behind], lambda _: [height, height + 1])[behind]
    assert shown(found[0].spot) == (height, "green")
    assert len({shown(one.spot) for one in found}) > 2
    for one in found:
        alone = [view._weigh_wanted({behind: [one.spot]}) for view in (held, *held.beside)]
        assert one.evidence == pytest.approx(sum(worth[behind][one.spot] for worth in alone), abs=0.01)


def test_what_would_show_to_either_camera_counts(behind):
    held, _ = pair(WALL, WALL).searched()
    block = (WALL.heights[behind] + 1, None)
    alone = [HeldSpots.would_show(view, behind, block) for view in (held, *held.beside)]
    assert alone[0] < alone[1]
    assert held.would_show(behind, block) == sum(alone)


def test_without_a_layout_before_both_views_judge_in_the_end(monkeypatch):
    monkeypatch.setattr(LayoutSearch, "climb", lambda *_, **__: {})
    judging = []
    monkeypatch.setattr(finding, "_settle", lambda held, quick, *_: judging.extend((held, quick)))
    finding.search_anew(pair(BEFORE).views)
    assert [len(search.beside) for search in judging] == [1, 1]
    assert [search.evidence.thin for search in judging] == [1, 3]


def test_without_a_layout_before_every_height_is_tried_first(monkeypatch):
    tried = []
    monkeypatch.setattr(
        LayoutSearch, "climb", lambda _held, heights, *_, **__: tried.append(list(heights(0))) or {}
    )
    monkeypatch.setattr(finding, "_settle", lambda *_: {})
    finding.search_anew(BoardScene.of(picture(BEFORE), LENS, POSE, COPY).views)
    assert tried[: 1 + len(finding.ROUNDS)] == [list(range(TALL + 1))] * (1 + len(finding.ROUNDS))


@pytest.mark.pictures
def test_a_hand_before_one_camera_leaves_the_other():
    """A view in which something foreign lies is left out."""
    after = changed(BEFORE, {"e4": 1})
    covered = picture(after).copy()
    covered[380:620, 500:800] = (60, 90, 200)
    scene = BoardScene.of(covered, LENS, POSE, COPY, BEFORE)
    assert read(scene).unknown
    both = read(scene.beside(picture(after, ACROSS, 2), LENS, ACROSS))
    assert not both.unknown
    assert both.best == after


# Beside the picture before


BLOCK = changed(BEFORE, {"e4": 1})
MORE = changed(BEFORE, {"e4": 1, "c3": 2, "h4": 2}, {"h5": None, "h4": "blue", "f3": None, "g4": "king"})


@pytest.mark.parametrize("after", [BEFORE, BLOCK, pytest.param(MORE, marks=pytest.mark.pictures)])
def test_beside_the_picture_before_the_same_is_read(after):
    scene = BoardScene.of(picture(after, seed=3), LENS, POSE, COPY, BEFORE, picture(BEFORE))
    reading = read(scene)
    assert reading.best == after
    assert reading.clear


def looked_at(scene, before=BEFORE):
    held = finding._search(scene.views, finding.search.spots_of(before), lambda *_: 0.0)
    return finding._find_changed(held, scene.views)


def test_only_what_changed_is_looked_at():
    scene = partial(BoardScene.of, lens=LENS, pose=POSE, copy=COPY, before=BEFORE)
    assert looked_at(scene(picture(BEFORE, seed=3), earlier=picture(BEFORE))) == set()
    seen = looked_at(scene(picture(BLOCK, seed=3), earlier=picture(BEFORE)))
    assert NUMBERS["e4"] in seen
    assert len(seen) < 16
    assert looked_at(scene(picture(BEFORE, seed=3))) is None


@pytest.mark.parametrize("hidden", [False, True])
def test_what_one_view_plainly_shows_as_it_was_the_other_does_not_have_looked_at(behind, hidden):
    """What a view does not see plainly it does not vouch for."""
    space = behind + 1 if hidden else NUMBERS["e4"]
    before = WALL if hidden else BEFORE
    after = with_block(space) if hidden else BLOCK
    first, second = (
        BoardScene.of(picture(after, pose, seed=3), LENS, pose, COPY, before, picture(before, pose))
        for pose in (POSE, ACROSS)
    )
    alone, other = (looked_at(scene, before) for scene in (first, second))
    both = looked_at(
        first.beside(picture(after, ACROSS, seed=3), LENS, ACROSS, picture(before, ACROSS)), before
    )
    assert space in both
    assert hidden is (space not in alone)
    assert hidden or both < alone | other


def test_what_is_seen_plainly_is_not_looked_at_closely(monkeypatch):
    """The board is searched by a part of its pixels; a change that shows there beyond doubt is taken over."""
    closely, climb = [], LayoutSearch.climb

    def noted(held, heights, cells, *more, **others):
        closely.extend(cells if held.evidence.thin == 1 else ())
        return climb(held, heights, cells, *more, **others)

    monkeypatch.setattr(LayoutSearch, "climb", noted)
    after = BLOCK
    scene = BoardScene.of(picture(after, seed=3), LENS, POSE, COPY, BEFORE, picture(BEFORE))
    held, options = scene.searched()
    assert held.layout() == after
    assert NUMBERS["e4"] in options
    assert NUMBERS["e4"] not in closely
    assert options.keys() == looked_at(scene)


def test_a_pair_in_which_nothing_foreign_lies_is_searched_once(monkeypatch):
    searched, search_from = [], finding.search_from
    monkeypatch.setattr(finding, "search_from", lambda *of: searched.append(of) or search_from(*of))
    assert read(pair(BEFORE, BEFORE, earlier=picture(BEFORE, ACROSS))).best == BEFORE
    assert len(searched) == 1


def test_another_light_has_all_looked_at_and_another_exposure_none():
    scene = partial(BoardScene.of, lens=LENS, pose=POSE, copy=COPY, before=BEFORE, earlier=picture(BEFORE))
    brighter = np.clip(picture(BEFORE, seed=3).astype(np.float32) * 1.06, 0, 255).astype(np.uint8)
    assert len(looked_at(scene(brighter)) or ()) < 20
    lamp = np.linspace(0.4, 1.5, LENS.size[0], dtype=np.float32)[None, :, None]
    dimmed = np.clip(picture(BEFORE, seed=3) * lamp, 0, 255).astype(np.uint8)
    assert looked_at(scene(dimmed)) is None
