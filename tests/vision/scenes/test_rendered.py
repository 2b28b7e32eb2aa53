"""What the truth says of a scene is what the rendered picture shows."""

from __future__ import annotations

from random import Random

import cv2
import numpy as np
import pytest

from engines.torres import layouts
from engines.torres.cells import NAMES, NUMBERS
from tests.vision.scenes import make, mat, povray, torres, tray
from tests.vision.scenes.boards import COLOURS
from tests.vision.scenes.finish import encode
from tests.vision.scenes.looks import LOOKS
from tests.vision.scenes.view import bend

pytestmark = pytest.mark.pictures

needs_povray = pytest.mark.skipif(
    not povray.installed(), reason="povray is not installed (apt install povray)"
)
SEEN = layouts.read("2..1/.1/..1..1/....3..1/1/..1..1//....12 a=b2,g1 b=c6,h8 c=f6 d=a1 king=h4")


def sharp(made, folder) -> np.ndarray:
    """Linear light without blur, noise and bounced light, white markers white."""
    bent = bend(made.view, povray.render(made.text, folder, quality=8))
    pads = [spot for marker in made.markers for spot in made.view.project(marker.corners(13.5))]
    white = np.mean([bent[round(y), round(x)] for x, y in pads], axis=0)
    return np.clip(bent / white * 0.8, 0, 1)


@pytest.fixture(scope="module")
def board(tmp_path_factory):
    made = torres.table(Random("board 1"), LOOKS["tune"], SEEN, COLOURS)
    light = sharp(made, tmp_path_factory.mktemp("board"))
    return made, light, (encode(light) * 255).astype(np.uint8)


@pytest.fixture(scope="module")
def pieces(tmp_path_factory):
    colours = ["red", "green", "yellow", "purple", "white", "orange", "turquoise", "pink"]
    made = tray.with_pieces(Random("tray 1"), LOOKS["tune"], (11.0, 7.0), colours)
    light = sharp(made, tmp_path_factory.mktemp("tray"))
    return made, light, (encode(light) * 255).astype(np.uint8)


def edge(light: np.ndarray, start, end) -> np.ndarray:
    """The line (homogeneous) along which black turns to white, near the line from ``start`` to ``end``
    with white on its left as the picture is seen.

    A detector's corners are off by half a pixel on pictures like these; edges in linear light are not.
    """
    ahead = (end - start) / np.linalg.norm(end - start)
    out = np.array([ahead[1], -ahead[0]])
    base = start + (end - start) * np.linspace(0.12, 0.88, 60)[:, None]
    steps = np.arange(-2.6, 2.61, 0.05)
    spots = (base[:, None] + out * steps[None, :, None]).astype(np.float32)
    seen = cv2.remap(light[..., 1], spots[..., 0], spots[..., 1], cv2.INTER_LINEAR)
    black, white = seen[:, :15].mean(1, keepdims=True), seen[:, -15:].mean(1, keepdims=True)
    assert (white > black + 0.1).all()
    at = steps[0] + ((white - seen) / (white - black)).clip(0, 1).sum(1) * 0.05
    x, y, x0, y0 = cv2.fitLine((base + out * at[:, None]).astype(np.float32), cv2.DIST_L2, 0, 0.001, 0.001)[
        :, 0
    ]
    return np.array([y, -x, x * y0 - y * x0])


def assert_markers_where_told(made, light):
    assert made.hidden() == []
    for marker in made.markers:
        told = made.view.project(marker.corners())
        sides = [edge(light, told[n], told[(n + 1) % 4]) for n in range(4)]
        for n in range(4):
            x, y, w = np.cross(sides[n - 1], sides[n])
            assert np.hypot(*((x / w, y / w) - told[n])) < 0.3, f"marker {marker.id} corner {n}"


def assert_markers_are_read(made, picture):
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(picture)
    found = {int(n): one[0] for n, one in zip(ids.ravel(), corners, strict=True)}
    for marker in made.markers:
        assert np.abs(found[marker.id] - made.view.project(marker.corners())).max() < 2.5


@needs_povray
def test_markers_of_a_board_are_seen_where_the_truth_has_them(board):
    made, light, picture = board
    assert_markers_where_told(made, light)
    assert_markers_are_read(made, picture)


@needs_povray
def test_markers_of_a_tray_are_seen_where_the_truth_has_them(pieces):
    made, light, picture = pieces
    assert_markers_where_told(made, light)
    assert_markers_are_read(made, picture)


def place(name: str, made) -> tuple[float, float]:
    """The middle of a space by its name: a1 is the north-west one, mm from the south-west corner."""
    return ("abcdefgh".index(name[0]) + 0.5) * made.cell, (8 - int(name[1]) + 0.5) * made.cell


HUES = {
    "red": (168, 8),
    "orange": (8, 18),
    "yellow": (15, 34),
    "green": (45, 85),
    "turquoise": (80, 98),
    "blue": (105, 130),
    "purple": (130, 162),
    "pink": (160, 180),
}


def is_hue(hue: int, name: str) -> bool:
    low, high = HUES[name]
    return low <= hue <= high if low < high else hue >= low or hue <= high


def colour_at(made, picture, point) -> np.ndarray:
    (x, y), *_ = made.view.project([point])
    patch = picture[round(y) - 1 : round(y) + 2, round(x) - 1 : round(x) + 2]
    return patch.reshape(-1, 3).mean(0)


def hue_at(made, picture, point) -> int:
    colour = colour_at(made, picture, point).astype(np.uint8)
    return int(cv2.cvtColor(colour.reshape(1, 1, 3), cv2.COLOR_BGR2HSV)[0, 0, 0])


@needs_povray
def test_knights_stand_on_their_spaces_in_their_colours(board):
    made, _, picture = board
    told = make.boards.described(SEEN, COLOURS)
    for cell, colour in told["pieces"].items():
        x, y = place(cell, made)
        head = (x, y, SEEN.heights[NUMBERS[cell]] * made.block[2] + 17.5)
        if colour == "king":
            high = (x, y, SEEN.heights[NUMBERS[cell]] * made.block[2] + 28)
            assert colour_at(made, picture, high).min() > 90
            continue
        assert not mat.crossed(np.array([head]), np.array(made.view.position), made.boxes).any()
        assert is_hue(hue_at(made, picture, head), colour), f"{colour} on {cell}"


def tint(colour) -> np.ndarray:
    """A colour without its brightness, which shadows change."""
    return colour / colour.sum()


@needs_povray
def test_blocks_are_as_high_as_told(board):
    """At the top of a column there is wood, on a bare space the board; what is hidden is left out."""
    made, light, _ = board
    bare, wood = [], []
    for cell, height in enumerate(SEEN.heights):
        x, y = place(NAMES[cell], made)
        spot = (x + made.cell * 0.3, y + made.cell * 0.25, height * made.block[2])
        colour = colour_at(made, light, spot)
        hidden = mat.crossed(np.add([spot], (0, 0, 0.5)), np.array(made.view.position), made.boxes)[0]
        if not hidden and colour.sum() > 0.1:  # with no light from the sky, shadows are black
            (wood if height else bare).append(tint(colour))
    sheet = np.median(bare, axis=0)
    assert len(wood) >= 8
    assert min(np.abs(one - sheet).max() for one in wood) > 0.03
    assert max(np.abs(one - sheet).max() for one in bare) < 0.03


@needs_povray
def test_keshis_lie_where_the_truth_has_them(pieces):
    made, _, picture = pieces
    for one in made.described():
        if one["colour"] == "white" or one["hidden"]:
            continue
        x, y, z = one["middle_mm"]
        top = max(5.5 * np.sqrt(1 - one["axis"][2] ** 2), 3.5 * abs(one["axis"][2]))
        assert is_hue(hue_at(made, picture, (x, y, z + top)), one["colour"]), one


def test_a_boards_truth_agrees_with_its_position(tmp_path, monkeypatch):
    monkeypatch.setattr(make, "picture", lambda made, rng, look: b"")
    legal = []
    for number in range(30):
        _, truth = make.torres_picture(number, LOOKS["tune"])
        state = make.boards.GAME.position.read(truth["scene"]["position"])
        before = layouts.of(state)
        assert [h for row in truth["before"]["heights"] for h in row] == list(before.heights)
        colours = {truth["pieces"][cell] for cell in truth["pieces"]} - {"king"}
        assert truth["seat"] in COLOURS
        assert colours <= set(COLOURS)
        mover = [c for c, colour in truth["before"]["pieces"].items() if colour == truth["seat"]]
        assert sum(1 << NUMBERS[c] for c in mover) == state.knights[state.seat]
        assert bool(truth["turn"]) == truth["legal"]
        legal.append(truth["legal"])
    assert 1 <= legal.count(False) <= 9
