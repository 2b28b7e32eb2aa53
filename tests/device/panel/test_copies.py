"""A board of the copy painted and a camera taught in a real browser: what is wrong is said."""

import cv2
import pytest

import engines
from device.copy_file import CopyFile
from device.sensors.readers.san_gimignano import teaching as decks
from device.texts import said
from tests.device.panel.browsing import browsing
from tests.device.panel.shown import texts
from tests.device.panel.test_browser import READY, heard
from tests.device.panel.test_lessons import CAMERA
from tests.device.sensors.readers.test_shelf import ABOVE
from vision.cards.painter import CardsScene, slots

GAME = "castles_of_tuscany"
FORM = "document.querySelector('[data-fact=\"board.A2\"]')"


@pytest.fixture
def copy(tmp_path, monkeypatch):
    monkeypatch.setattr(engines, "GAMES", tuple(dict.fromkeys((*engines.GAMES, GAME))))
    return CopyFile.of(tmp_path, GAME, texts(GAME))


async def opened(page, box):
    await page.open(f"{box.url}#box")
    await page.until(READY)
    await page.eval("document.querySelector('#copies summary').click()")
    await page.until("document.querySelectorAll('#copies option').length > 1")
    await choose(page, GAME)
    await page.until(f"{FORM} !== null")
    await page.eval(f"{FORM}.querySelector('summary').click()")


async def choose(page, game):
    await page.eval(
        "{ const s = document.querySelector('#copies select');"
        f" s.value = '{game}'; s.dispatchEvent(new Event('change')); }}"
    )


async def paint(page, signs):
    for number, sign in enumerate(signs):
        await page.eval(f"{FORM}.querySelector('[value={sign}]').click()")
        await page.eval(f"{FORM}.querySelector('[data-hex=\"{number}\"]').click()")
    await page.eval(f"{FORM}.querySelector('.choose').click()")


@browsing({})
async def test_a_board_is_painted(page, box, copy, tmp_path):
    says = f"{FORM}.querySelector('.says').textContent"
    await opened(page, box)
    await page.eval("document.querySelector('#copies select').focus()")
    await page.key("u")
    assert await heard(box) == []  # its keys are no keys of the box
    await paint(page, "icmv")
    await page.until(f"{says}.includes('number 5, is none of them')")
    assert not copy.path.exists()
    await paint(page, "ccmvcimrrc")
    await page.until(f"{says}.includes('4 castles')")
    assert not copy.path.exists()
    await paint(page, "icmvvimrrv")
    await page.until(f"{says} === 'Kept'")
    assert copy.load().facts.confirmed == {"board.A2": "icmvvimrrv"}
    label = await page.eval(f"{FORM}.querySelector('[data-hex=\"9\"]').getAttribute('aria-label')")
    assert label == "Board A2, hex 10: village, orange"
    await page.eval(f"{FORM}.scrollIntoView()")
    await page.screenshot(tmp_path / "copies.png", full=False)
    await choose(page, "marrakesh")
    scroll = "document.querySelector('[data-fact=\"goods_scroll.42\"]')"
    await page.until(f"{scroll} !== null")
    assert "pair_" not in await page.eval(f"{scroll}.textContent")
    words = f"[...{scroll}.querySelectorAll('option')].slice(0, 2).map((one) => one.textContent)"
    assert await page.eval(f"{words}.join()") == "unknown,2 yellow"


SAYS = "document.querySelector('#lessons .says').textContent"


async def opened_lessons(page, box):
    await page.open(f"{box.url}#box")
    await page.until(READY)
    await page.eval("document.querySelector('#lessons summary').click()")
    await page.until("document.querySelector('#lessons .lesson').children.length > 0")


async def choose_lesson(page, number):
    await page.eval(
        "{ const s = document.querySelector('#lesson');"
        f" s.value = {number}; s.dispatchEvent(new Event('change')); }}"
    )


async def tap(page, button):
    await page.eval(f"document.querySelector('#lessons {button}').click()")


@pytest.mark.pictures
@browsing({}, cameras=(CAMERA,))
async def test_a_deck_is_taught(page, box, tmp_path):
    picture = cv2.resize(slots(ABOVE, decks.SLOTS, CardsScene(3, 4)), None, fx=0.5, fy=0.5)
    jpeg = bytes(cv2.imencode(".jpg", picture)[1])
    box.answers = [
        ((), False, jpeg),
        ((said("cards.glare", cards="5, 6"),), False, jpeg),
        ((said("teach.learnt", what="8 cards"),), True, jpeg),
        (("a camera: pulled out",), False, b""),
    ]
    await opened_lessons(page, box)
    await tap(page, "button:not(.look)")  # the keshi's sizes are needed
    assert box.lessons == []
    await choose_lesson(page, 1)
    shown = "document.querySelector('#lessons img')"
    assert await page.eval(f"{shown}.hidden")
    await tap(page, ".look")
    await page.until(f"{shown}.naturalWidth === {picture.shape[1]}")
    await tap(page, "button:not(.look)")
    await page.until(f"{SAYS}.startsWith('Glare hides 5, 6.')")
    await page.screenshot(tmp_path / "lessons.png")
    await tap(page, "button:not(.look)")
    await page.until(f"{SAYS} === 'Learnt: 8 cards.'")
    await tap(page, ".look")
    await page.until(f"{SAYS} === 'a camera: pulled out'")
    assert await page.eval(f"{shown}.hidden")
    deck = "san_gimignano"
    assert box.lessons == [(deck, None), (deck, {}), (deck, {}), (deck, None)]


@pytest.mark.parametrize(
    ("cameras", "act", "says"),
    [((), True, "No camera in the settings"), ((CAMERA,), False, "This page only looks on")],
)
@browsing({})
async def test_where_nothing_can_be_taught_it_says_why(page, box, cameras, act, says):
    await opened_lessons(page, box)
    assert says in await page.eval("document.querySelector('#lessons .lesson').textContent")
