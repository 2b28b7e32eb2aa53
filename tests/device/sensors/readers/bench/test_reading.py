"""Truth out of files, what is said of files that are not right, and what the readers are handed."""

import cv2
import numpy as np
import pytest

from device.sensors.readers import bench as vision
from device.sensors.readers.bench import Options, find_pictures
from device.sensors.readers.torres import bench as boards
from device.sensors.readers.torres.bench import COLOURS, GAME, SEATS, TrueLayout, state_before
from device.sensors.readers.tray import bench as trays
from tests.device.sensors.readers.bench.pictures import board, heights, put, tray
from tests.engines.marrakesh.sitting import named

BEFORE = TrueLayout(
    tuple(map(tuple, heights(c3=1, f6=1))), {"c3": "red", "f6": "blue", "a1": "yellow", "h8": "green"}
)


@pytest.mark.parametrize("seat", COLOURS)
def test_a_turn_begins_with_five_points_three_blocks_and_no_card(seat):
    state = state_before(BEFORE, seat)
    assert GAME.sight.of(state) == BEFORE.layout(SEATS)
    pending = GAME.rules.pending(state)
    assert (pending.seats, pending.question) == ((COLOURS.index(seat),), "action")
    assert (state.left, state.stacks[state.seat], state.possible_cards()) == (5, (3,), 0)


def test_pictures_without_markers_are_not_found_and_told(tmp_path):
    gray = cv2.imencode(".jpg", np.full((960, 1280, 3), 90, np.uint8))[1].tobytes()
    put(tmp_path, "b", board(), gray)
    put(tmp_path, "t", tray(), gray)
    found = vision.measure(tmp_path, Options(prior=True, scale=True))
    assert found.wrong == ()
    torres, trays = found.figures["torres"], found.figures["tray"]
    assert (torres["n"], torres["exact"], torres["doubted"], torres["silent_wrong"]) == (1, 0, 1, 0)
    assert (trays["n"], trays["exact"], trays["doubted"], trays["silent_wrong"]) == (1, 0, 1, 0)
    assert found.pictures[0].startswith("b: not found")
    assert found.pictures[1].startswith("t: wrong, doubted")


TRUTHS = {"torres": boards.Truth, "marrakesh": trays.Truth}


def found_in(folder):
    """The boards, the trays, and all that was found."""
    found = find_pictures(folder, TRUTHS)
    return found.scenes["torres"], found.scenes["marrakesh"], found


def test_boards_and_trays_by_name(tmp_path):
    put(tmp_path, "two", board(picture="other.png"), None)
    tmp_path.joinpath("other.png").write_bytes(b"two")
    put(tmp_path, "one", tray(picture=""), b"one")
    boards, trays, found = found_in(tmp_path)
    assert (list(boards), list(trays), found.skipped, found.wrong) == (["two"], ["one"], {}, ())
    truth = boards["two"].truth
    assert boards["two"].picture.read_bytes() == b"two"
    assert str(truth.layout) == "...1/...1////// a=d1 king=f3"
    assert str(truth.before.layout(truth.seats)) == "...1/////// a=d1 king=f3"
    assert (truth.seat, truth.legal, truth.cell_mm, truth.camera.fx) == ("red", True, 28.0, 1065.1)
    truth = trays["one"].truth
    assert trays["one"].picture.read_bytes() == b"one"
    assert named(truth.keshis) == {"white": 1, "red": 2}
    assert (truth.weight_mg, truth.piece_mg) == (1490, 500)


BAD = {
    "no JSON": (b"{", "truncated"),
    "not text": (b'{"game": "torres\xff"}', "codec can't decode byte 0xff"),
    "no game": ({}, "missing required field `game`"),
    "nine in a row": (board(heights=[*heights()[:7], [0] * 9]), "length <= 8 - at `$.heights[7]`"),
    "a space": (board(pieces={"i9": "red"}), "'i9' is no space"),
    "a colour": (board(pieces={"a1": "pink"}), "Invalid enum value 'pink'"),
    "two kings": (board(pieces={"a1": "king", "a2": "king"}), "there is one king"),
    "a keshi": (tray(counts={"blue": 1}), "'blue' is no keshi's colour"),
    "a picture elsewhere": (board(picture="../x.jpg"), "Invalid name"),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_file_that_is_not_right_is_named_in_one_line_and_the_others_count(tmp_path, kind):
    truth, said = BAD[kind]
    if isinstance(truth, bytes):
        tmp_path.joinpath("bad.json").write_bytes(truth)
        tmp_path.joinpath("bad.jpg").write_bytes(b"a picture")
    else:
        put(tmp_path, "bad", truth)
    put(tmp_path, "good", board())
    put(tmp_path, "fine", tray())
    boards, trays, found = found_in(tmp_path)
    assert (list(boards), list(trays)) == (["good"], ["fine"])
    (line,) = found.wrong
    assert line.startswith(f"{tmp_path / 'bad.json'}: ")
    assert said in line
    assert "\n" not in line


KEPT = (
    "seats=3 blocks=...1//..1..1/...1..11/1.12...2/..11.1.1/.......1/....1..1 a=h4,h5 b=d6,h8 c=c5,d5 king=c6"
    " turn=a round=3 stacks.a=2-2 stacks.b=3-3 stacks.c=3-3 deck.a=9 deck.b=9 deck.c=9 played.c=reposition"
)


def with_a_position(position, **more):
    """A board on which a knight of seat c has moved since."""
    rows = KEPT.split("blocks=")[1].split(maxsplit=1)[0].split("/")
    stood = [[0 if mark == "." else int(mark) for mark in row.ljust(8, ".")] for row in rows]
    pieces = dict.fromkeys(("h4", "h5"), "red") | dict.fromkeys(("d6", "h8"), "blue") | {"c6": "king"}
    before = {"heights": stood, "pieces": pieces | {"c5": "yellow", "d5": "yellow"}}
    after = pieces | {"c5": "yellow", "e5": "yellow"}
    return board(position=position, before=before, heights=stood, pieces=after, **more)


def test_a_kept_position_says_whose_colour_is_whose(tmp_path):
    """Three play, and the third has yellow: by the order of the colours it would be the fourth's."""
    put(tmp_path, "x", with_a_position(KEPT))
    truth = found_in(tmp_path)[0]["x"].truth
    assert truth.seats == {"red": 0, "blue": 1, "yellow": 2, "green": 3}
    assert str(truth.layout).endswith("a=h4,h5 b=d6,h8 c=c5,e5 king=c6")
    assert (truth.state.variant.seats, truth.state.seat) == (3, 0)


def test_a_position_that_is_not_the_board_before_is_refused(tmp_path):
    put(tmp_path, "x", with_a_position(KEPT.replace("a=h4,h5", "a=h4,g5")))
    put(tmp_path, "y", with_a_position("seats=3 nonsense"))
    found = found_in(tmp_path)[2]
    assert len(found.wrong) == 2
    assert all("position: " in line for line in found.wrong)


def test_other_views_are_named_with_their_lens(tmp_path):
    put(tmp_path, "x", board(views=[{"picture": "x.b.jpg", "camera": board()["camera"]}]))
    (view,) = found_in(tmp_path)[0]["x"].truth.views
    assert (view.picture, view.camera.fx) == ("x.b.jpg", 1065.1)
