"""Teaching a camera with the keys: what to lay out, sizes that are unknown, what was learnt or is wrong."""

from pathlib import Path

import pytest

from device.keys import Key, Press
from device.menus.copies import LayPage
from device.screen import ListPage, TextPage, WheelPage
from device.screen.pixels import pages_of
from device.sensors.host import Fitted, Taught, list_lessons
from device.settings import PluginSection
from device.texts import said
from tests.device.conftest import a_box
from tests.device.menus.people import Person
from tests.device.screen.golden import looks_like

GOLDEN = Path(__file__).parent / "golden"
GLARE = (said("cards.glare", cards=("5, 6",)),)
LEARNT = (said("teach.learnt", what="8 cards"),)


def camera(*fields):
    return Fitted(" ".join(fields), PluginSection("camera", 0, {"field": fields}))


class Learner(Person):
    """A person at a box whose cameras answer when the test says so."""

    def __init__(self, table, ticks, *cameras):
        self.asked = []
        lessons = list_lessons(cameras)
        box = a_box(table, ticks, lessons=lessons, teach=lambda *asked: self.asked.append(asked))
        super().__init__(box, ticks)

    def begin(self):
        self.choose("Set-up")
        self.choose("Teach the camera")
        return self.page

    def answer(self, says, learnt=False):
        self.asked.pop()[2](Taught(1, says, learnt))


@pytest.fixture
def learner(table, ticks):
    return Learner(table, ticks, camera("area1"))


def test_a_deck_is_taught_at_the_second_try(learner):
    page = learner.begin()
    assert isinstance(page, ListPage)
    learner.choose("San Gimignano, area A")
    assert "Lay 5 to 10, a back and a Buona Pietra on the printed sheet or a seat's field." in learner.text
    while not learner.asked:
        learner.ok()
    ((lesson, sizes, _),) = learner.asked
    assert (lesson.game, sizes) == ("san_gimignano", {})
    assert "Taking the picture" in learner.text
    learner.ok()
    assert len(learner.asked) == 1  # one picture at a time
    learner.answer(GLARE)
    learner.box.key(Press(Key.OK))  # nobody has seen what is wrong yet
    assert not learner.asked
    assert "Glare hides 5, 6." in learner.text
    assert "OK tries again" in learner.text
    learner.ok(pages_of(learner.page))
    learner.answer(LEARNT, learnt=True)
    assert learner.text.endswith("Learnt: 8 cards.")
    learner.ok()
    assert isinstance(learner.page, ListPage)
    assert not learner.asked
    learner.choose("San Gimignano")
    while not learner.asked:
        learner.ok()
    learner.back()
    learner.answer(LEARNT, learnt=True)
    assert "Learnt: 8 cards." in learner.text, "who leaves is told, too"


def test_the_sizes_of_a_keshi_are_asked(table, ticks):
    learner = Learner(table, ticks, camera("tray"))
    learner.begin()
    learner.choose("Marrakesh, tray")
    for side, figures in (("Keshi: width", "11.5"), ("Keshi: height", "7")):
        assert isinstance(learner.page, WheelPage)
        assert learner.page.header.left == side
        assert "2 to 1000 mm" in learner.text
        learner.box.type(figures)
    assert isinstance(learner.page, TextPage)
    while not learner.asked:
        learner.ok()
    assert learner.asked[0][1] == {"keshi": (11.5, 7.0)}


def test_what_is_to_be_laid_out_fits_one_screen_and_without_a_camera_nothing_is(table, ticks):
    learner = Learner(table, ticks, camera())
    for lesson in learner.box.lessons:
        page = LayPage(learner.box, lesson, {}).page()
        assert pages_of(page) == 1, lesson.game
    learner = Learner(table, ticks)
    learner.begin()
    assert "No camera in the settings can be taught" in learner.text


@pytest.mark.parametrize("name", ["teach_lay", "teach_taking", "teach_again"])
def test_looks_like_its_golden_picture(learner, name):
    learner.begin()
    learner.choose("San Gimignano")
    if name != "teach_lay":
        learner.ok()
    if name == "teach_again":
        learner.answer((said("cards.twins", cards=("6, 9",)),))
    looks_like(learner.page, GOLDEN / f"{name}.png")


@pytest.mark.parametrize(
    ("fields", "games"),
    [
        (("board",), []),
        (("tray",), ["marrakesh"]),
        (("area1", "tray"), ["marrakesh", "san_gimignano"]),
        ((), ["marrakesh", "san_gimignano"]),
    ],
)
def test_only_what_a_camera_can_read_is_taught(fields, games):
    scale = Fitted("tray", PluginSection("scale", 0, {}))
    found = list_lessons([scale, camera(*fields)])
    known = [one.game for one in found if one.game in ("marrakesh", "san_gimignano")]
    assert known == games
