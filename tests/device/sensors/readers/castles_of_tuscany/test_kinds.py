"""Kinds are taught on the printed sheet and from empty boards, and by them boards are read into the facts."""

from functools import cache
from random import Random

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from device.sensors.learnt import LearntError
from device.sensors.readers import shelf
from device.sensors.readers.castles_of_tuscany import reader
from device.sensors.readers.castles_of_tuscany import teaching as kinds
from device.settings import CameraSettings
from device.texts import Texts, reason, said
from engines.castles_of_tuscany.regions import TURNED, put_together
from engines.contract import Choice, Exact, Setup
from engines.facts import Facts, sample, schema, with_facts
from engines.match import Match
from engines.readings import Observation, interpret
from tests.device.sensors.readers.castles_of_tuscany.regions import LENS, PITCH_MM, Watching, region
from tests.device.sensors.readers.castles_of_tuscany.test_reader import GAME
from vision import painter, sheets
from vision.painter import Light
from vision.tuscany.album import EMPTY, HexShown
from vision.tuscany.painter import PaintedHex, TilesScene, painted

ARTWORK = 10
"""Of some blots kinds can be told apart."""
LAMP = Light(0.03, 1.0, 0.2, 3)
CAMERA = CameraSettings("picamera", width=1280, height=960)
SIZES = {"hex": (PITCH_MM, 33.9)}
CORNER_MM = PITCH_MM / 3**0.5
LETTERS = [*"ctifqvmr", "wild"]
SCHEMA = schema("castles_of_tuscany")
NO_BOARDS = {"cards_per_draw": 2, "farms": ("vines", "olives"), "outline": (5, 5), "hex_size": PITCH_MM}
SETUP = with_facts(Facts.of(SCHEMA).confirm(NO_BOARDS), Setup(2))


def sheet(letters=LETTERS, *, distance=400.0, light=LAMP, artwork=ARTWORK, blur=0.0):
    """Return a picture of the printed sheet with tiles in its slots; an empty letter leaves one bare."""
    view = painter.PaintedView(LENS, painter.looking(sheets.TILES, 75.0, 10.0, distance), sheets.TILES)
    rng = Random(4)
    slots = [(x + rng.uniform(-4, 4), y + rng.uniform(-4, 4)) for x, y in sheets.TILES.slots.tolist()]
    hexes = [
        PaintedHex(x, y, letter, "wild" if letter == "wild" else "tile")
        for (x, y), letter in zip(slots, letters, strict=True)
        if letter
    ]
    picture = painted(view, hexes, CORNER_MM, TilesScene(artwork, 2, light))
    if blur:  # of the tiles alone: so small markers are not found in a picture that is out of focus
        corners = np.array([(0, 0, 0), (165, 0, 0), (165, 165, 0), (0, 165, 0)], float)
        there = np.zeros(picture.shape[:2], np.uint8)
        cv2.fillConvexPoly(there, view.pose.project(LENS, corners).round().astype(np.int32), 1)
        cv2.copyTo(cv2.GaussianBlur(picture, (0, 0), blur), there, picture)
    return picture


@cache
def page():
    """The sheet with every tile, a little soft; not to be written to."""
    return sheet(blur=1.0)


def enrol(folder, *pictures):
    named = [(str(number), picture) for number, picture in enumerate(pictures)]
    return shelf.enrol("castles_of_tuscany", (folder, CAMERA), LENS, named, SIZES)


@pytest.fixture(scope="module")
def state():
    """A match of which nobody knows what is printed on the boards of seat a, which are named."""
    match = Match(GAME, SETUP)
    match.play("A1 B2'+0 C3+1", 0)
    return match.state


BOARDS = {name: sample(SCHEMA)[f"board.{name}"] for name in ("A1", "B2", "C3")}


@pytest.fixture(scope="module")
def empty(state):
    """The thirty hexes as they lie there, without tiles."""
    side = state.sides[0]
    return [(kind, EMPTY) for kind in put_together(side.boards, side.seams, BOARDS, (5, 5)).kinds]


def boards(state, empty, seed=3, **how):
    """A picture of the empty boards before seat a."""
    known = replace(state, copy=replace(state.copy, boards=tuple(BOARDS.items())))
    assert known.known_region(0) is not None
    return region(GAME, known, seed, instead=empty, light=LAMP, artwork=ARTWORK, **how)


@pytest.fixture(scope="module")
def bare(state, empty):
    """A picture of the empty boards."""
    return boards(state, empty)


@pytest.fixture(scope="module")
def later(state, empty):
    """Another picture of them, in other light."""
    return boards(state, empty, 8)


@pytest.fixture(scope="module")
def enrolled(tmp_path_factory, bare):
    """Return where the sheet and the boards were taught, and what was said of it."""
    folder = tmp_path_factory.mktemp("kinds")
    return folder, enrol(folder, page(), bare.picture)


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """Return the same where only the sheet was seen."""
    folder = tmp_path_factory.mktemp("alone")
    return folder, enrol(folder, page())


@pytest.fixture
def album(enrolled):
    return kinds.Taught.load(enrolled[0], CAMERA).album


def test_the_sheet_teaches_tiles_and_boards_their_print(enrolled, album):
    folder, (file, learnt, missing) = enrolled
    assert {*album.known} == {*kinds.SLOTS, *(HexShown(kind) for kind in "ctifqvmr")}
    prints = [
        shown.kind for shown, one in album.known.items() if shown.lies == EMPTY and one.colour is not None
    ]
    assert len(prints) >= 5
    assert (file, learnt) == (
        kinds.Taught.path(folder, CAMERA),
        said("teach.tiles", tiles=9, prints=len(prints)),
    )
    assert all((said(f"kind.{kind}") in missing.values["kinds"]) != (kind in prints) for kind in "ctifqvmr")


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"letters": ["c", "", *LETTERS[2:]]}, "No tile lies in the slot for town."),
        ({"letters": ["c", "c", *LETTERS[2:]]}, "castle, town look the same"),
        ({"blur": 2.0}, "out of focus"),
        ({"distance": 760.0}, "too small"),
        ({"light": Light(0.0, 2.9, 0.0, 3)}, "Glare hides"),
    ],
)
def test_what_cannot_be_learnt_is_named_and_nothing_is_kept(tmp_path, how, says):
    with pytest.raises(LearntError) as error:
        enrol(tmp_path, sheet(**how))
    assert says in reason(error.value, Texts.load("en", "castles_of_tuscany"))
    assert not kinds.Taught.path(tmp_path, CAMERA).exists()


def test_no_sheet_and_a_size_that_is_no_hexs_are_refused(tmp_path):
    with pytest.raises(LearntError, match="printed sheet"):
        enrol(tmp_path, np.full((960, 1280, 3), 90, np.uint8))
    with pytest.raises(ValueError, match=r"29 mm from side to side are 33\.5 mm"):
        kinds.learn(LENS, [], {"hex": (29.0, 29.0)}, None)


def test_a_broken_file_is_named(tmp_path, alone):
    assert kinds.Taught.load(tmp_path, CAMERA) is None
    file = kinds.Taught.load(alone[0], CAMERA).save(tmp_path, CAMERA)
    file.write_bytes(file.read_bytes().replace(b'"c":', b'"x":'))
    with pytest.raises(LearntError, match=f"{file.name}: tiles: c missing"):
        kinds.Taught.load(tmp_path, CAMERA)


@pytest.mark.parametrize(
    "prints",
    [
        pytest.param(True, id="prints taught"),
        pytest.param(False, id="tiles alone", marks=pytest.mark.pictures),
    ],
)
def test_a_match_that_asks_for_a_board_is_told_it(alone, state, later, album, prints):
    album = album if prints else kinds.Taught.load(alone[0], CAMERA).album
    watching = Watching(GAME, SETUP, state, album)
    watching.expect(state, question=reader.PRINT)
    finding, told, troubles = watching.look(later)
    assert told.what == "print"
    assert told.candidates[0][0] == BOARDS["A1"]
    assert finding.answers[0][0] == BOARDS["A1"]
    meaning = interpret(GAME, state, Observation(told.what, told.candidates))
    assert (len(told.candidates) > 1) == bool(troubles)
    ways = [meaning.choices] if isinstance(meaning, Exact) else meaning.explanations
    assert [choice.token for choice in ways[0]] == [BOARDS["A1"]]


@pytest.mark.pictures
def test_a_board_that_lies_turned_is_told_as_it_is_printed(state, later, album):
    after = GAME.rules.apply(state, Choice("print", BOARDS["A1"]))
    assert after.sides[0].boards[1].endswith(TURNED)
    watching = Watching(GAME, SETUP, after, album)
    watching.expect(after, question=reader.PRINT)
    _, told, _ = watching.look(later)
    assert told.candidates[0][0] == BOARDS["B2"]


@pytest.mark.pictures
def test_a_hex_in_doubt_gives_another_board_and_is_named(state, empty, album):
    """A wild hex hides what is printed there."""
    watching = Watching(GAME, SETUP, state, album)
    watching.expect(state, question=reader.PRINT)
    hidden = [*empty[:3], (empty[3][0], "wild"), *empty[4:]]
    _, told, troubles = watching.look(boards(state, hidden, 8))
    best, *others = [text for text, _ in told.candidates]
    assert 3 in [at for at, sign in enumerate(best) if any(other[at] != sign for other in others)]
    assert known_name(state, 3) in troubles["regions.print"]["cells"]


def known_name(state, number):
    known = replace(state, copy=replace(state.copy, boards=tuple(BOARDS.items())))
    return known.known_region(0).names[number]


def test_untaught_it_says_how_to_teach(state, bare):
    watching = Watching(GAME, SETUP, state)
    watching.expect(state, question=reader.PRINT)
    finding, told, troubles = watching.look(bare)
    assert (finding.verdict, told, [*troubles]) == (None, None, ["regions.untaught"])
    watching.expect(state)
    assert watching.look(bare)[2] == {"regions.unknown": {}}
