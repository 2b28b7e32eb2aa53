"""What cameras were taught: stale in another light or through another lens, mended by one card or keshi."""

import shutil
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from device.sensors import learnt, readers
from device.sensors.learnt import LearntError, Mount
from device.sensors.readers import ENROLMENTS, paintings, shelf
from device.sensors.readers.san_gimignano import teaching as decks
from device.sensors.readers.san_gimignano import towers
from device.sensors.readers.shelf import TeachingSeen
from device.sensors.readers.tray import teaching as enrolment
from device.sensors.sources.pictures import PictureFrame, small_of
from device.settings import CameraSettings
from device.texts import key_of, said
from tests.device.sensors.readers.test_enrolment import CAMERA as TRAY_CAMERA
from tests.device.sensors.readers.test_enrolment import KESHI, strip
from tests.device.sensors.readers.test_enrolment import LENS as TRAY_LENS
from vision import painter
from vision.cards import reading
from vision.cards.painter import CardsScene, FannedColumn, painted, slots
from vision.field import find
from vision.lens import Lens
from vision.painter import Light
from vision.plane import find_heaps

CAMERA = CameraSettings("folder:/pictures", field="area1", width=1280, height=960)
LENS, FIELD = paintings.LENS, decks.field_of("area1", paintings.SLOTTED_MM)
ABOVE = painter.PaintedView(LENS, painter.looking(FIELD, 80.0, 0.0, 420.0), FIELD)
BESIDE = painter.PaintedView(LENS, painter.looking(FIELD, 70.0, 15.0, 480.0), FIELD)
SIZES = {"area": paintings.SLOTTED_MM, "card": paintings.CARD_MM}
DAY, RED_EVENING = (1.0, 1.0, 1.0), (0.4, 0.75, 1.0)
"""What becomes of blue, green and red of a whole picture."""
TOWERS = (("8", "8", "8"), ("6", "7", "8", "9"), ("10", "10"))
OTHER = Lens((1280, 960), 1100.0, 1100.0, 640.0, 480.0)


@cache
def laid(columns, light=DAY, artwork=3):
    cards = [FannedColumn(storeys, 14.0 + at * 71.0, 20.0) for at, storeys in enumerate(columns)]
    return (painted(BESIDE, cards, CardsScene(artwork, 5, Light(seed=8))) * np.array(light)).astype(np.uint8)


def enrol(state, picture, lens=LENS):
    return shelf.enrol("san_gimignano", (state, CAMERA), lens, [("1", picture)], SIZES)


@cache
def check_teaching():
    """Every card of the deck in its place."""
    return slots(ABOVE, decks.SLOTS, CardsScene(3, 4, Light(seed=3)))


@pytest.fixture(scope="module")
def once(tmp_path_factory):
    """A state directory with a lens and a deck that was taught by day."""
    folder = tmp_path_factory.mktemp("taught")
    found = learnt.Calibrated(CAMERA.source, CAMERA.focus, LENS, 0.3, 24, "2025-03-09")
    learnt.save_lens(folder, CAMERA, found)
    enrol(folder, check_teaching())
    return folder


@pytest.fixture
def taught(once, tmp_path):
    return shutil.copytree(once, tmp_path, dirs_exist_ok=True)


def troubles(state, picture):
    frame = PictureFrame(picture, small_of(picture), 0.0)
    reader = readers.open_reader("san_gimignano", Mount(CAMERA, state, field="area1"), object(), frame)
    reader.find_region(frame)
    return [key_of(one) for one in reader.troubles]


def exact(state, picture):
    """The columns that are read as they lie."""
    deck = decks.Taught.load(state, CAMERA).deck
    heaps = find_heaps(picture, LENS, find(picture, LENS, FIELD).pose, FIELD)
    best = towers.read([reading.read(heap, deck) for heap in heaps], elsewhere=0).best
    return sum(one.storeys == tower for one, tower in zip(best, TOWERS, strict=True))


def test_every_enrolment_can_be_painted_and_kept():
    for game, one in ENROLMENTS.items():
        assert one.sheet in paintings.PAINTINGS, game
        shelf.check_teaching(game, Path("/nowhere"))  # a file that is not there is not broken


@pytest.mark.pictures
def test_another_light_is_told_until_one_card_was_laid(taught):
    evening = laid(TOWERS, RED_EVENING)
    assert troubles(taught, laid(TOWERS)) == []
    assert troubles(taught, evening) == ["teach.other_light"]
    before = decks.Taught.load(taught, CAMERA)
    assert exact(taught, evening) == 3  # as likeness is measured without the light
    file, learnt, missing = enrol(taught, laid((("7",),), RED_EVENING))
    assert (file, learnt, missing) == (
        decks.Taught.path(taught, CAMERA),
        said("cards.again", card="7"),
        None,
    )
    after = decks.Taught.load(taught, CAMERA)
    assert troubles(taught, evening) == []
    assert troubles(taught, laid(TOWERS)) == ["teach.other_light"]
    assert after == replace(before, taken=after.taken, made=after.made)  # the deck itself stays as it was


def test_a_card_of_another_deck_mends_nothing(taught):
    before = decks.Taught.load(taught, CAMERA)
    with pytest.raises(LearntError) as error:
        enrol(taught, laid((("7",),), RED_EVENING, artwork=9))
    assert error.value.args[0].key == "cards.anew"
    with pytest.raises(LearntError) as error:
        enrol(taught, laid((("7", "8"),), RED_EVENING))  # a heap, no card
    assert error.value.args[0].key == "cards.anew"
    assert decks.Taught.load(taught, CAMERA) == before


def test_the_sizes_that_were_told_once_are_kept(taught):
    found = decks.Taught.load(taught, CAMERA)
    wide = replace(found, card_mm=(57.0, 87.4))
    wide.save(taught, CAMERA)
    picture = [("1", check_teaching())]
    for told, kept in (({}, (57.0, 87.4)), ({"card": (57.0, 86.6)}, (57.0, 86.6))):
        shelf.enrol("san_gimignano", (taught, CAMERA), LENS, picture, told)
        assert decks.Taught.load(taught, CAMERA).card_mm == kept
    with pytest.raises(ValueError, match="--keshi WIDTH HEIGHT"):
        shelf.enrol("marrakesh", (taught, CAMERA), LENS, picture, {})


def test_over_a_broken_file_all_is_learnt_anew(taught):
    decks.Taught.path(taught, CAMERA).write_text("{")
    enrol(taught, check_teaching())
    assert troubles(taught, laid(TOWERS)) == []


def test_one_keshi_confirms_the_colours(tmp_path):
    def teach(picture):
        sizes = {"keshi": (KESHI.across_mm, KESHI.height_mm)}
        return shelf.enrol("marrakesh", (tmp_path, TRAY_CAMERA), TRAY_LENS, [("1", picture)], sizes)

    teach(strip(("red", "green", "black")))
    before = enrolment.Taught.load(tmp_path, TRAY_CAMERA)
    stale = replace(before, taken=TeachingSeen(OTHER, before.taken.white))
    stale.save(tmp_path, TRAY_CAMERA)
    assert teach(strip(("green",), seed=5))[1:] == (said("enrol.again", colour=said("colour.g")), None)
    after = enrolment.Taught.load(tmp_path, TRAY_CAMERA)
    assert after.palette == before.palette
    assert after.taken.lens == TRAY_LENS
    means = list(before.palette.means)
    means[1], means[2] = means[2], means[1]
    broken = replace(before, palette=replace(before.palette, means=tuple(reversed(means))))
    broken.save(tmp_path, TRAY_CAMERA)
    with pytest.raises(LearntError) as error:
        teach(strip(("green",), seed=5))
    assert error.value.args[0].key == "enrol.anew"
    assert enrolment.Taught.load(tmp_path, TRAY_CAMERA) == broken
