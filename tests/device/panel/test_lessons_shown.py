"""A camera taught in a real browser: what it sees and what is wrong stand there; the next try is one tap."""

import cv2
import pytest

from device.sensors.readers.san_gimignano import decks
from device.texts import said
from tests.device.panel.browsing import browsing
from tests.device.panel.test_browser import READY
from tests.device.panel.test_lessons import CAMERA
from tests.device.sensors.readers.test_shelf import ABOVE
from vision.cards.painter import CardsScene, slots

SAYS = "document.querySelector('#lessons .says').textContent"


async def opened(page, box):
    await page.open(f"{box.url}#box")
    await page.until(READY)
    await page.eval("document.querySelector('#lessons summary').click()")
    await page.until("document.querySelector('#lessons .lesson').children.length > 0")


async def choose(page, number):
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
    await opened(page, box)
    await tap(page, "button:not(.look)")  # the keshi's sizes are needed
    assert box.lessons == []
    await choose(page, 1)
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
    asked = [(one.game, one.sizes, one.learn) for one in box.lessons]
    deck = "san_gimignano"
    assert asked == [(deck, {}, False), (deck, {}, True), (deck, {}, True), (deck, {}, False)]


@pytest.mark.parametrize(
    ("cameras", "act", "says"),
    [((), True, "No camera in the settings"), ((CAMERA,), False, "This page only looks on")],
)
@browsing({})
async def test_where_nothing_can_be_taught_it_says_why(page, box, cameras, act, says):
    await opened(page, box)
    assert says in await page.eval("document.querySelector('#lessons .lesson').textContent")
