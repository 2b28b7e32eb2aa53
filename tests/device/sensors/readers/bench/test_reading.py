"""What the bench hands to the readers, and what it makes of their answers."""

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.sensors.readers import bench as vision
from device.sensors.readers import judging
from device.sensors.readers.bench import Options, Unreadable, look, open_picture
from device.sensors.readers.torres.bench import COLOURS, GAME, SEATS, Standing, Truth, state_before
from engines.contract import Choice, Exact
from tests.device.sensors.readers.bench.pictures import board, heights, put, tray

SAMPLES = os.environ.get("PODESTA_VISION_SAMPLES")
needs_samples = pytest.mark.skipif(
    not SAMPLES, reason="PODESTA_VISION_SAMPLES names no folder of sample pictures"
)

BEFORE = Standing(
    tuple(map(tuple, heights(c3=1, f6=1))), {"c3": "red", "f6": "blue", "a1": "yellow", "h8": "green"}
)


@pytest.mark.parametrize("seat", COLOURS)
def test_a_turn_begins_with_five_points_three_blocks_and_no_card(seat):
    state = state_before(BEFORE, seat)
    assert GAME.sight.of(state) == BEFORE.layout(SEATS)
    pending = GAME.rules.pending(state)
    assert (pending.seats, pending.question) == ((COLOURS.index(seat),), "action")
    assert (state.left, state.stacks[state.seat], state.possible_cards()) == (5, (3,), 0)


def test_three_blocks_and_no_fourth():
    state = state_before(BEFORE, "red")
    for cell in ("c4", "c5", "c6"):
        choice = Choice("action", f"B{cell}")
        assert GAME.rules.why_not(state, choice) is None
        state = GAME.rules.apply(state, choice)
    assert not state.may_place_block()
    assert GAME.rules.why_not(state, Choice("action", "Bc7")).clause == "TO-3.4"


@pytest.mark.parametrize("data", [b"", b"no picture at all", b"\xff\xd8\xff\xe0 half a JPEG"])
def test_a_file_that_is_no_picture(tmp_path, data):
    path = tmp_path / "x.jpg"
    path.write_bytes(data)
    with pytest.raises(Unreadable):
        open_picture(path)


def test_pictures_without_markers_are_not_found_and_told(tmp_path):
    gray = cv2.imencode(".jpg", np.full((960, 1280, 3), 90, np.uint8))[1].tobytes()
    put(tmp_path, "b", board(), gray)
    put(tmp_path, "t", tray(), gray)
    found = vision.measure(tmp_path, Options(prior=True, scale=True))
    assert found.wrong == ()
    torres, trays = found.figures["torres"], found.figures["tray"]
    assert (torres.n, torres.exact, torres.doubted, torres.silent_wrong) == (1, 0, 1, 0)
    assert (trays.n, trays.exact, trays.doubted, trays.silent_wrong) == (1, 0, 1, 0)
    assert found.pictures[0].startswith("b: not found")
    assert found.pictures[1].startswith("t: wrong, doubted")


# The truth of the samples, without any picture

DISPUTED = {"torres_002"}
"""Said to be illegal, while the rules have a turn: a new knight on c7 (2 points), then c1 through two doors
and up to a7 (3 points).
"""


@pytest.mark.pictures
@needs_samples
def test_every_sample_is_explained_by_the_rules_if_and_only_if_it_is_legal():
    for name, scene in look(Path(SAMPLES), {"torres": Truth}).scenes["torres"].items():
        truth = scene.truth
        state = state_before(truth.before, truth.seat)
        verdict = judging.judge(
            GAME, state, [truth.layout], lambda layouts, truth=truth: sure(layouts, truth.layout)
        )
        assert verdict.layout == truth.layout
        legal = truth.legal or name in DISPUTED
        assert isinstance(verdict, judging.Proposed if legal else judging.NoTurnLeads), name
        if not legal:
            assert verdict.meaning.refusal is not None
            continue
        meaning = verdict.meaning
        choices = meaning.choices if isinstance(meaning, Exact) else meaning.explanations[0]
        for choice in choices:
            assert GAME.rules.why_not(state, choice) is None
            state = GAME.rules.apply(state, choice)
        assert GAME.sight.of(state) == truth.layout


def sure(layouts, truth):
    """A camera that sees perfectly."""
    return [0.0 if layout == truth else -1000.0 for layout in layouts]
