"""The towers before a seat, painted and read: a turn, a wait, or out of step."""

import json
from functools import lru_cache

import cv2
import numpy as np
import pytest

import engines
from device.cli import main
from device.commands import Exit
from device.sensors import learnt, readers
from device.sensors.learnt import LearntError, Mount
from device.sensors.messages import Expected
from device.sensors.readers import judging, paintings
from device.sensors.readers.reader import Seen
from device.sensors.readers.san_gimignano import teaching as decks
from device.sensors.simulated_table import SimulatedTable
from device.settings import CameraSettings
from device.texts import Texts, in_words, said
from tests.device.sensors.readers.simulated import LENS, SIZE, Lensed, frame, opened
from vision import painter, sheets
from vision.cards import painter as cards
from vision.painter import Light, canvas_of, photograph

GAME = engines.game("san_gimignano")
POSITION = "market=5,6,7,8,9 hand.a=8,8,8,6 hand.b=?5 turn=a"


def table(columns, field="area1", **more):
    placed = {"elevation_deg": 70.0, "distance_mm": 430.0} | more
    return SimulatedTable(columns={field: columns}, **placed)


@pytest.fixture
def read(tmp_path):
    """Return what a reader of one side makes of columns, in a match at a position."""

    def read(position, columns, field="area1", **more):
        return opened(tmp_path / "table", GAME.id, field, position, table(columns, field, **more))

    return read


def columns(*towers):
    return tuple(tuple(tower.split()) for tower in towers)


def test_a_tower_that_was_laid_is_a_step(read):
    finding, reading, _ = read(POSITION, columns("8 8 8"))
    assert isinstance(finding.verdict, judging.Proposed)
    (meaning,) = reading.meanings
    assert GAME.notation.text(meaning.choices) == "B 8x3"
    assert (reading.match, reading.steps, reading.candidates[0][0]) == ("m", 3, "a=8x3 b=-")
    assert reading.picture.startswith(b"\xff\xd8")


def test_the_other_side_stays_as_the_match_has_it(read):
    _, reading, _ = read(POSITION.replace("turn=a", "turn=b b=7x3 marker=b"), columns("7 7 7"), "area2")
    assert reading.candidates[0][0] == "a=- b=7x3"


def test_what_nobody_may_build_is_out_of_step(read):
    finding, reading, _ = read(POSITION, columns("6 7 8"))
    assert isinstance(finding.verdict, judging.NoTurnLeads)
    (meaning,) = reading.meanings
    assert meaning.differences == ("+a6-8",)
    assert meaning.refusal.clause == "SG-11.1"


@pytest.mark.parametrize(
    ("laid", "says"),
    [
        (("back back back back",), "No tower: 4 face down."),
        (("6 6 6", "8 8"), "No tower: 8 8."),
    ],
)
def test_what_is_no_tower_yet_is_waited_for(read, laid, says):
    finding, reading, reader = read(POSITION, columns(*laid))
    assert (finding.verdict, reading) == (None, None)
    assert [in_words(one, Texts.load()) for one in reader.troubles] == [says]


def test_a_doubt_is_told_as_one(read, monkeypatch):
    monkeypatch.setattr("device.sensors.readers.san_gimignano.towers.NUMBER", 10.0)
    finding, reading, reader = read(POSITION, columns("8 8 8"))
    assert isinstance(finding.verdict, judging.Doubted)
    assert (reading.meanings, reading.candidates[0][0]) == ((), "a=8x3 b=-")
    assert reading.candidates[0][1] <= 0.5
    assert reader.troubles == reading.why == (said("cards.unsure", cards=("8 8 8",)),)
    high, wide = cv2.imdecode(np.frombuffer(reading.crop, np.uint8), cv2.IMREAD_COLOR).shape[:2]
    assert high == 160
    assert wide / high == pytest.approx(57.0 / (87.0 + 2 * 15.5), abs=0.07)


def test_a_tower_that_was_flipped_is_known_by_the_match(read):
    position = "a=7x3 market=5,6,8 hand.a=?5 hand.b=?5 turn=a marker=a"
    _, reading, _ = read(position, columns("back back back"))
    assert reading.candidates[0][0] == "a=7x3* b=-"
    assert GAME.notation.text(reading.meanings[0].choices) == "C 7x3"


@pytest.mark.pictures
def test_towers_flipped_at_once_are_as_many_as_stood_there(read):
    """Three as high as each other: each column is one of them, not the first three times."""
    position = (
        "a=6x3*,8x3*,10x3*,10x5* b=5-7,6-8,8-10,9x3* marker=a market=7,8,9,9 hand.a=7,9,?5 hand.b=5,?1 "
        "shared=- deck=?6 turn=b level=table"
    )
    backs = columns(*["back back back"] * 4)
    _, reading, _ = read(position, backs, "area2", area_mm=(420.0, 225.0), distance_mm=560.0)
    assert reading.candidates[0][0] == "a=6x3*,8x3*,10x3*,10x5* b=5-7*,6-8*,8-10*,9x3*"
    assert GAME.notation.text(reading.meanings[0].choices) == "C 5-7 6-8 8-10"


# The deck that is enrolled


CAMERA = CameraSettings("folder:/pictures", field="area1", width=SIZE[0], height=SIZE[1])


@pytest.fixture
def state(tmp_path):
    """A state directory with a calibrated camera, its settings, and a folder of pictures."""
    found = learnt.Calibrated(CAMERA.source, CAMERA.focus, LENS, 0.3, 24, "2025-03-09")
    learnt.save_lens(tmp_path, CAMERA, found)
    (tmp_path / "podesta.toml").write_text(
        f'[[camera]]\nsource = "{CAMERA.source}"\nfield = "area1"\nwidth = {SIZE[0]}\nheight = {SIZE[1]}\n'
    )
    (tmp_path / "pictures").mkdir()
    return tmp_path


def enrol(state, *options):
    where = ["--config", str(state / "podesta.toml"), "--state", str(state)]
    return main(["camera", "enrol", *options, "--pictures", str(state / "pictures"), *where])


@lru_cache
def slotted(names, area):
    field = decks.field_of(area, paintings.SLOTTED_MM)
    view = painter.PaintedView(LENS, painter.looking(field, 80.0, 0.0, 420.0), field)
    return cards.slots(view, names, paintings.make_scene(SimulatedTable()))


def put(state, names, area="area1"):
    cv2.imwrite(str(state / "pictures" / "deck.png"), slotted(names, area))


def test_without_a_game_it_is_said_which_is_meant(state, capsys):
    put(state, decks.SLOTS)
    assert enrol(state) == Exit.FINE
    out, err = capsys.readouterr()
    assert out.endswith("8 cards\n")
    assert "san_gimignano: 5 to 10" in err


@lru_cache
def sheet_with(names, *, distance_mm=430.0, exposure=1.0, lens=LENS):
    """The printed sheet as a camera sees it, with a card in each slot; None is an empty one."""
    field, scene = sheets.CARDS, paintings.make_scene(SimulatedTable())
    view = painter.PaintedView(lens, painter.looking(field, 80.0, 0.0, distance_mm), field)
    canvas = np.full((*canvas_of(view)[::-1], 3), 245, np.uint8)
    rng = np.random.default_rng(4)
    for (x, y), name in zip(sheets.CARDS.slots, names, strict=True):
        if name:
            place = x - 28.5 + rng.uniform(-1, 1), field.height_mm - y - 43.5 + rng.uniform(-1, 1)
            card = cards._card(name, scene.artwork)
            cards._lay(canvas, card, place, rng.uniform(-0.7, 0.7), scene, rng)
    return photograph(canvas, view, Light(exposure=exposure, lamp=0.1, seed=2))


def test_a_deck_is_enrolled_on_the_printed_sheet_and_read_with(state, capsys):
    cv2.imwrite(str(state / "pictures" / "sheet.png"), sheet_with(decks.SLOTS))
    assert enrol(state, "san_gimignano") == Exit.FINE
    out, err = capsys.readouterr()
    assert out.endswith("8 cards\n")
    assert "san_gimignano: 5 to 10" not in err
    reader = readers.open_reader(
        "san_gimignano", Mount(CAMERA, state, field="area1"), object(), frame(table(()), "area1")
    )
    position = "market=5,6,7 hand.a=?5 hand.b=?5 turn=a"
    for laid, step in (("6 7 8 9", "B 6-9"), ("10 10 10 10", "B 10x4")):
        reader.expect(Expected("match", 3, "san_gimignano", position))
        finding = reader.read(frame(table(columns(laid)), "area1"), None)
        assert isinstance(finding.verdict, judging.Proposed), laid
        reading = reader.report(Seen(finding, frame(table(columns(laid)), "area1"), agreed=True))
        assert GAME.notation.text(reading.meanings[0].choices) == step


@pytest.mark.pictures
def test_one_card_in_any_slot_of_the_sheet_is_enough_in_another_light(state, capsys):
    file = str(state / "pictures" / "sheet.png")
    cv2.imwrite(file, sheet_with(decks.SLOTS))
    assert enrol(state, "san_gimignano") == Exit.FINE
    before = decks.Taught.load(state, CAMERA)
    alone = sheet_with((None, None, "8", *[None] * 5))
    cv2.imwrite(file, (alone * 0.8).astype(np.uint8))
    assert enrol(state, "san_gimignano") == Exit.FINE
    assert capsys.readouterr().out.endswith("the deck can be read in this light: the card 8 shows it\n")
    assert decks.Taught.load(state, CAMERA).taken != before.taken
    cv2.imwrite(file, sheet_with((None, None, "8", "9", *[None] * 4)))
    assert enrol(state, "san_gimignano") == Exit.WRONG  # neither one card nor all
    assert "No card lies in the slot for 5, 6" in capsys.readouterr().err


TWICE = tuple("6" if name == "9" else name for name in decks.SLOTS)


@pytest.mark.parametrize(
    ("names", "look", "says"),
    [
        (("5", "6", None, *decks.SLOTS[3:]), {}, "No card lies in the slot for 7."),
        pytest.param(TWICE, {}, "6, 9 look the same: is one of them the wrong", marks=pytest.mark.pictures),
        pytest.param(decks.SLOTS, {"exposure": 3.0}, "Glare hides 5, 6", marks=pytest.mark.pictures),
        pytest.param(
            decks.SLOTS,
            {"distance_mm": 900.0},
            "The cards are too small in the picture: 1.",
            marks=pytest.mark.pictures,
        ),
    ],
)
def test_what_cannot_be_seen_well_is_named_and_not_kept(state, capsys, names, look, says):
    cv2.imwrite(str(state / "pictures" / "sheet.png"), sheet_with(names, **look))
    assert enrol(state, "san_gimignano") == Exit.WRONG
    assert says in capsys.readouterr().err
    assert not decks.Taught.path(state, CAMERA).exists()
    with pytest.raises(LearntError, match="podesta camera enrol san_gimignano"):
        readers.open_reader("san_gimignano", Mount(CAMERA, state, field="area1"), Lensed(), None)


def test_a_deck_whose_corner_is_no_picture_is_named(state):
    put(state, decks.SLOTS)
    enrol(state, "san_gimignano")
    file = decks.Taught.path(state, CAMERA)
    taught = json.loads(file.read_text())
    file.write_text(json.dumps(taught | {"corners": taught["corners"] | {"8": "AAAA"}}))
    with pytest.raises(LearntError, match="8 is no picture"):
        decks.Taught.load(state, CAMERA)
    del taught["corners"]["9"]
    file.write_text(json.dumps(taught))
    with pytest.raises(LearntError, match="9 missing"):
        decks.Taught.load(state, CAMERA)
