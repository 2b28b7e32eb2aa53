"""What the bench hands to the readers, and what it makes of their answers."""

import cv2
import numpy as np
import pytest

from device.sensors.readers import bench as vision
from device.sensors.readers.bench import Options, Unreadable, open_picture
from device.sensors.readers.torres.bench import COLOURS, GAME, SEATS, Standing, state_before
from tests.device.sensors.readers.bench.pictures import board, heights, put, tray

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
