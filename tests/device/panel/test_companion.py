"""The page beside the table, real matches in a real browser: every size, light and dark, ear and keyboard."""

import asyncio
import base64
import io
import json
import os
from importlib.util import find_spec
from pathlib import Path

import msgspec
import pytest
from PIL import Image

from device.match import Kind
from tests.device.panel.browsing import browsing
from tests.device.panel.test_lessons import CAMERA

SIZES = {"phone": (390, 844), "tablet": (1024, 768), "television": (1920, 1080)}
TABS = ("table", "score", "history", "rules", "box")
PLAYED = {"torres_three": 44, "nobles": 40, "castles_of_tuscany_three": 98}
DRAWN = (
    "document.querySelector('#strip .asks') !== null && document.querySelector('.panel, #lies > *') !== null"
)


COUNTING = (
    "{ window.asking = 0; const plain = fetch;"
    " window.fetch = (...what) => { asking++; return plain(...what).finally(() => asking--); }; }"
)
"""How many answers the page waits for."""


async def show(page, box, size="tablet"):
    width, height = SIZES[size]
    await page.open("about:blank")
    await page.call("Page.addScriptToEvaluateOnNewDocument", source=COUNTING)
    await page.open(f"{box.url}#table", width=width, height=height, touch=size == "phone")
    await page.until(f"document.readyState === 'complete' && {DRAWN}")


async def go_to(page, tab):
    await page.eval(f"location.hash = '#{tab}'")
    await page.until(f"document.querySelector('#panel-{tab}')?.hidden === false")
    await page.until("asking === 0")  # what a tab asks for itself
    await page.eval("new Promise(done => setTimeout(done, 20))")


def doubted(library):
    """A reading that stands open: one block more on a1, and the picture of it."""
    replay = library.referee.replay
    seen = replay.game.sight.of(replay.match.state)
    seen = msgspec.structs.replace(seen, heights=bytes([seen.heights[0] + 1, *seen.heights[1:]]))
    library.referee.note(f"board 0.80 {seen}", channel="camera:board", kind=Kind.READING)
    png = io.BytesIO()
    Image.new("L", (60, 40)).save(png, "PNG")
    return {"crop": base64.b64encode(png.getvalue()).decode()}


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("torres_three", tuple(SIZES)),
        *(pytest.param(name, tuple(SIZES), marks=pytest.mark.soak) for name in list(PLAYED)[1:]),
    ],
)
@browsing(PLAYED)
async def test_every_tab_in_every_size(page, box, name, sizes):
    """Nothing is wider than the page, no error is in the console; the pictures are there to be looked at."""
    letters = []
    for size in sizes:
        await show(page, box, size)
        for tab in TABS:
            await go_to(page, tab)
            too_wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
            assert not await page.eval(too_wide), (size, tab)
            if (size, tab, name) == ("phone", "table", "torres_three"):
                top = "document.querySelector('{}').getBoundingClientRect().top"
                assert await page.eval(f"{top.format('.panel.main')} < {top.format('#play')}")
            if folder := os.environ.get("PODESTA_ARTEFACTS"):
                await page.screenshot(Path(folder) / f"page-{name}-{tab}-{size}.png")
        letter = "parseFloat(getComputedStyle(document.querySelector('.mover .name')).fontSize)"
        letters.append(await page.eval(letter))
    assert letters == sorted({*letters}), "the larger the screen, the larger the name"
    assert page.errors == []


@pytest.mark.skipif(find_spec("axe_core_python") is None, reason="no axe-core: pip install -e '.[dev]'")
@pytest.mark.parametrize(
    "name",
    [
        "torres_three",
        *(pytest.param(name, marks=pytest.mark.soak) for name in ("nobles", "castles_of_tuscany_three")),
    ],
)
@browsing(PLAYED, cameras=(CAMERA,))
async def test_nothing_that_keeps_people_out(page, box, library, name):
    """What axe-core finds, reading and acting, with a reading that stands open; in the dark in colours."""
    axe = (Path(find_spec("axe_core_python").origin).parent / "axe.min.js").read_text("utf-8")
    found = "found.violations.map(one => [one.impact, one.id, one.nodes[0].html])"
    find = f"axe.run().then(found => {found})"
    colours = f"axe.run({{ runOnly: ['color-contrast'] }}).then(found => {found})"
    if name.startswith("torres"):
        box.asked = doubted(library)
    await show(page, box)
    await page.eval(f"{axe}; 0")
    for light, wrong in (("light", find), ("dark", colours)):
        features = [{"name": "prefers-color-scheme", "value": light}]
        await page.call("Emulation.setEmulatedMedia", features=features)
        for tab in TABS:
            await go_to(page, tab)
            if tab == "box":  # what can be opened there, too
                await page.eval(
                    "document.querySelectorAll('#panel-box details').forEach(one => one.open = true)"
                )
                await page.until(
                    "document.querySelector('.lesson > *') && document.querySelector('#copies .facts > *')"
                )
            await page.eval(
                "import('./table.js').then(table => table.mark({ question: 'draw', board: 'board', "
                "names: new Set(['c3', 'd4']), tokens: new Map([['m8', '8'], ['d', 'the deck']]) }))"
            )
            assert await page.eval(wrong) == [], (light, tab)
    await page.eval("document.querySelector('#panel-box h2').style.color = '#444'; 0")
    await page.eval("location.hash = '#box'; 0")
    assert "color-contrast" in json.dumps(await page.eval(colours)), "it sees what is wrong"


@browsing("torres_three", 44)
async def test_where_the_camera_sees_it_otherwise(page, box, library):
    await show(page, box)
    assert await page.eval("document.querySelector('.drift').hidden")
    box.asked = doubted(library)
    await page.until("!document.querySelector('.drift').hidden")
    marked = "[...document.querySelectorAll('.doubtful')].map(cell => cell.getAttribute('aria-label'))"
    assert await page.eval(marked) == ["a1, the camera sees something else"]
    assert await page.eval("document.querySelector('.drift li').textContent") == (
        "a1: ▲1 seen, nothing entered"
    )
    await page.until("document.querySelector('.drift img')?.naturalWidth === 60")
    box.asked = None
    await page.until("document.querySelector('.drift').hidden")
    assert await page.eval("document.querySelectorAll('.doubtful').length") == 0
    assert page.errors == []


@browsing("torres_three", 44)
async def test_by_keyboard_alone(page, box):
    focus = (
        "document.activeElement.id || document.activeElement.dataset.cell || document.activeElement.className"
    )
    await show(page, box)
    await page.key("Tab")
    assert await page.eval(focus) == "tab-table"
    await page.until("document.querySelector('#play .choose') !== null")
    await page.key("Tab")
    assert await page.eval(focus) == "a1", "the board is one stop, arrow keys lead on"
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowUp", "ArrowUp"):
        await page.key(key)
    assert await page.eval(focus) == "c1"
    stops = "[...document.querySelectorAll('#play :is(button, summary)')]"
    for _ in range(await page.eval(f"{stops}.filter(one => one.checkVisibility()).length")):
        await page.key("Tab")
    assert "choose" in await page.eval(focus), "each answer is a stop"
    await page.eval("document.querySelector('#tab-table').focus()")
    for tab in (*TABS[1:], TABS[0]):
        await page.key("ArrowRight")
        await page.until(f"!document.querySelector('#panel-{tab}').hidden")
        assert await page.eval(focus) == f"tab-{tab}"
        assert await page.eval("location.hash") == f"#{tab}"
    assert not box.events, "no key of the box was pressed by it"
    await page.eval("document.activeElement.blur(); location.hash = '#table'")
    await page.until("!document.querySelector('#panel-table').hidden")
    await page.key("Enter")
    await page.key("u")
    await page.eval("location.hash = '#box'")
    await page.until("document.querySelector('#panel-box')?.hidden === false")
    await page.key("c")
    while not box.events:
        await asyncio.sleep(0.02)
    await box.hardware.hand.rest()
    assert {event.key for event in box.events if hasattr(event, "key")} == {"call"}
    text = await page.eval("document.querySelector('#screen-text').textContent")
    assert "> Build a tower here" in text
    assert page.errors == []


@browsing()
async def test_without_a_match_the_box_is_shown(page, box):
    await page.open(box.url)
    await page.until("document.querySelector('#panel-box')?.hidden === false")
    await page.open(f"{box.url}#table")
    await page.until("document.querySelector('#strip')?.textContent.startsWith('No match is being played')")
    assert page.errors == []
