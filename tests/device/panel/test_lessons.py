"""Teaching a camera from the page: what is offered, what the camera sees, what it learnt, what is refused."""

import base64
from pathlib import Path

import pytest

from device.panel import make_app
from device.panel.app import LOOK_ONLY
from device.panel.copies import Lessons
from device.sensors.host import Fitted, Taught, list_lessons
from device.settings import PluginSection
from device.texts import said
from device.voices import Voices
from tests.device.panel.fakes import ask
from tests.device.panel.test_acting import NO_SCREEN

CAMERA = Fitted("area1 tray", PluginSection("camera", 0, {"field": ("area1", "tray")}))
KESHI, DECK = "/lessons/0", "/lessons/1"


class AtThePage:
    """A page, and a camera that answers with what it is told to."""

    def __init__(self, *cameras, act=True):
        self.asked, self.answers = [], []

        async def taught(lesson, sizes):
            self.asked.append((lesson.game, sizes))
            return Taught(1, *self.answers.pop(0))

        served = Lessons(list_lessons(cameras), taught, Voices(Path("nowhere"), strict=True), act=act)
        self.app = make_app(None, NO_SCREEN, dict, more=served.list_routes())

    def ask(self, method, path, **more):
        answer = ask(self.app, method, path, **more)
        return answer.status_code, answer.json() if answer.is_success else answer.text.strip()


@pytest.fixture
def page():
    return AtThePage(CAMERA)


def test_what_is_offered(page):
    status, known = page.ask("GET", "/lessons")
    assert (status, known["act"], known["none"]) == (200, True, "")
    keshi, deck = known["lessons"]
    assert keshi["title"] == "Marrakesh, area A, tray"
    assert keshi["sizes"][0][2] is None
    assert deck["lay"].startswith("Lay 5 to 10, a back and a Buona Pietra")
    assert [(name, usual) for name, _, usual in deck["sizes"]] == [
        ("area", [300.0, 225.0]),
        ("card", [57.0, 87.0]),
    ]


def test_what_the_camera_sees_and_learns(page):
    page.answers = [
        ((), False, b"jpeg"),
        ((said("cards.bare", cards=("7",)),), False, b"other"),
        ((said("teach.learnt", what=said("teach.cards", n=8)), said("teach.simulated")), True, b"third"),
    ]
    status, seen = page.ask("GET", DECK)
    assert (status, base64.b64decode(seen["picture"]), seen["learnt"]) == (200, b"jpeg", False)
    status, first = page.ask("POST", DECK, card=["63.5", "88"])
    assert (status, first["says"], first["learnt"]) == (200, "No card lies in the slot for 7.", False)
    status, second = page.ask("POST", DECK)
    assert second["says"] == "Learnt: 8 cards. SIMULATED: the pieces were painted."
    assert second["learnt"]
    assert page.asked == [
        ("san_gimignano", None),
        ("san_gimignano", {"card": (63.5, 88.0)}),
        ("san_gimignano", {}),
    ]


@pytest.mark.parametrize("sizes", [[], ["11"], ["11", "x"], ["11", "7", "3"]])
def test_a_keshi_without_its_sizes_is_refused(page, sizes):
    status, says = page.ask("POST", KESHI, keshi=sizes)
    assert (status, says) == (400, "a keshi's width from side to side, and its height: two numbers in mm")
    assert page.asked == []


def test_who_only_looks_or_comes_from_elsewhere_may_not_use_the_camera(page):
    assert page.ask("GET", "/lessons/2")[0] == 404
    assert page.ask("POST", DECK, origin="http://elsewhere")[0] == 403
    onlooker = AtThePage(CAMERA, act=False)
    assert onlooker.ask("GET", "/lessons")[1]["act"] is False
    for method in ("GET", "POST"):
        assert onlooker.ask(method, DECK) == (403, str(LOOK_ONLY))
    assert page.asked == onlooker.asked == []
    nothing = AtThePage().ask("GET", "/lessons")[1]
    assert nothing["lessons"] == []
    assert nothing["none"].startswith("No camera in the settings")
