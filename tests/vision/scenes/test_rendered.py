"""Rendered pictures show what their truth says: markers are found, and no reader is sure of anything else."""

import json
from random import Random

import pytest

from device.sensors.readers.bench import Options, measure
from device.sensors.readers.torres.bench import COLOURS, SEATS, TrueLayout, state_before
from engines.contract import OutOfStep
from engines.torres import layouts
from tests.vision.scenes import boards, make, povray
from tests.vision.scenes.boards import GAME

pytestmark = [
    pytest.mark.pictures,
    pytest.mark.skipif(not povray.installed(), reason="povray is not installed (apt install povray)"),
]


def test_no_turn_leads_to_what_a_picture_of_an_illegal_board_shows():
    for number in (12, 23, 28):  # of each, the turn puts two pieces on one space
        made = boards.position(Random(number), illegal=True)
        before, painted = (
            TrueLayout(**boards.described(one, COLOURS)) for one in (layouts.of(made.state), made.seen)
        )
        state = state_before(before, COLOURS[made.state.seat])
        assert isinstance(boards.meaning(state, painted.layout(SEATS)), OutOfStep)


def test_a_board_and_a_tray_are_read_as_they_were_made(tmp_path):
    for kind in make.PICTURES:
        truth = json.loads(make.make(kind, 0, "tune", tmp_path).read_text())
        assert truth["scene"]["trouble"] == []
    board = json.loads((tmp_path / "torres_tune_000.json").read_text())
    before = layouts.of(GAME.position.read(board["scene"]["position"]))
    assert [h for row in board["before"]["heights"] for h in row] == list(before.heights)
    found = measure(tmp_path, Options(prior=True, scale=True))
    assert found.wrong == ()
    for figures in (found.figures["torres"], found.figures["tray"]):
        assert (figures["n"], figures["silent_wrong"]) == (1, 0)
