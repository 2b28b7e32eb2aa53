"""A camera taught in a real browser: what it sees and what is wrong stand there; the next try is one tap."""

from importlib.util import find_spec
from pathlib import Path

import cv2
import pytest

from device.match import Library
from device.sensors.readers.san_gimignano import decks
from device.texts import said
from tests.device.panel.chromium import CHROMIUM, chromium
from tests.device.panel.fakes import Box
from tests.device.panel.test_browser import READY, run
from tests.device.panel.test_lessons import CAMERA
from tests.device.sensors.readers.test_shelf import ABOVE
from vision.cards.painter import CardsScene, slots

SAYS = "document.querySelector('#lessons .says').textContent"

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: apt install chromium-headless-shell")


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
def test_a_deck_is_taught(tmp_path):
    picture = cv2.resize(slots(ABOVE, decks.SLOTS, CardsScene(3, 4)), None, fx=0.5, fy=0.5)
    jpeg = bytes(cv2.imencode(".jpg", picture)[1])

    async def main():
        box = Box(library=Library(tmp_path), cameras=(CAMERA,))
        box.answers = [
            ((), False, jpeg),
            ((said("cards.glare", cards="5, 6"),), False, jpeg),
            ((said("teach.learnt", what="8 cards"),), True, jpeg),
            (("a camera: pulled out",), False, b""),
        ]
        async with box.running(), chromium() as page:
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

    run(main())


@pytest.mark.parametrize(
    ("cameras", "act", "says"),
    [((), True, "No camera in the settings"), ((CAMERA,), False, "This page only looks on")],
)
def test_where_nothing_can_be_taught_it_says_why(tmp_path, cameras, act, says):
    async def main():
        box = Box(library=Library(tmp_path), cameras=cameras, act=act)
        async with box.running(), chromium() as page:
            await opened(page, box)
            assert says in await page.eval("document.querySelector('#lessons .lesson').textContent")

    run(main())


@pytest.mark.skipif(find_spec("axe_core_python") is None, reason="no axe-core: pip install -e '.[dev]'")
def test_it_is_accessible(tmp_path):
    axe = (Path(find_spec("axe_core_python").origin).parent / "axe.min.js").read_text("utf-8")
    find = "axe.run('#lessons').then(found => found.violations.map(one => [one.id, one.nodes[0].html]))"

    async def main():
        box = Box(library=Library(tmp_path), cameras=(CAMERA,))
        async with box.running(), chromium() as page:
            await opened(page, box)
            await page.eval(f"{axe}; 0")
            assert await page.eval(find) == []

    run(main())
