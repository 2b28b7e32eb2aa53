"""The page in a real browser: what is clicked there reaches the keys, and the picture comes back."""

import asyncio
import json
import time
import warnings

from device.keys import Hold, Key, Press, Turn
from tests.device.conftest import in_a_loop, until
from tests.device.games import enter
from tests.device.panel.browsing import browsing, needs_chromium
from tests.device.panel.chromium import CHROMIUM, chromium
from tests.device.panel.fakes import Box

READY = "document.querySelectorAll('#status dt').length > 2 && !document.body.matches('.away')"
LIT = """(() => {
    const canvas = document.querySelector('#screen'), size = canvas.width / 128;
    const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    let lit = '';
    for (let y = 0; y < 64; y++) for (let x = 0; x < 128; x++)
        lit += data[4 * (y * size * canvas.width + x * size)] > 128 ? '1' : '0';
    return lit;
})()"""

if CHROMIUM is None:
    warnings.warn("no Chromium here: nobody looked at the panel in a browser", stacklevel=1)


def pixels(box):
    return "".join(f"{byte:08b}" for byte in box.screen.last_image.tobytes())


async def heard(box, *kinds):
    await box.hardware.hand.rest()
    await asyncio.sleep(0.03)
    events = [event for event in box.events if isinstance(event, kinds or (Press, Turn, Hold))]
    box.events.clear()
    return events


@browsing()
async def test_desktop(page, box):
    await page.open(box.url)
    await page.until(READY)
    first = await page.eval(LIT)
    assert first == pixels(box)
    assert await page.eval("getComputedStyle(document.querySelector('.badge')).display") != "none"

    box.problems.append("podesta.toml:3: no key 'hots'")
    await page.until("document.querySelector('#problems').textContent.includes('podesta.toml:3')")
    assert await page.eval("document.querySelector('#status').innerText.split(/\\s*\\n\\s*/)") == [
        *("Display", "online", "Keys", "online", "Line", "not plugged in"),
        *("Recorded", "41 of 42"),
    ]
    refused = "the box's settings do not let my-bell use its keys"
    box.line = {"url": "/run/line", "online": True, "node": None, "why": refused}
    box.keypads.append({"device": "/dev/null", "online": False, "why": "not an input device"})
    await page.until(f"document.querySelector('#status').textContent.includes({json.dumps(refused)})")
    rows = "[...document.querySelectorAll('#status dd[data-is=away]')].map((row) => row.textContent)"
    assert await page.eval(rows) == ["not an input device", refused]
    assert "keypad null" in await page.eval("document.querySelector('#status').textContent")

    await page.click("[data-turn='1']")
    await page.until(f"{LIT} !== '{first}'")
    assert await page.eval(LIT) == pixels(box)
    assert await heard(box) == [Turn(1)]

    await page.wheel(".knob", 30)
    await page.wheel(".knob", -53)
    await page.wheel(".knob", -53)
    await page.wheel(".knob", 100)
    await page.wheel(".knob", 120)
    await until(lambda: len(box.events) == 3)
    assert await heard(box) == [Turn(-1), Turn(1), Turn(1)]

    await page.click("[data-key=ok]")
    await page.until("!document.querySelector('#status').textContent.includes('41')")
    assert await heard(box) == [Press(Key.OK)]
    await page.until(f"{LIT} === '{pixels(box)}'")

    await page.click("[data-key=back]", seconds=1.15)
    assert (await heard(box))[-1] == Hold(Key.BACK)

    for key in ("ArrowRight", "ArrowLeft", "Enter", "Escape", "u", "c"):
        await page.key(key)
    await until(lambda: Press(Key.CALL) in box.events)
    assert await heard(box) == [
        Turn(1),
        Turn(-1),
        *map(Press, (Key.OK, Key.BACK, Key.UNDO, Key.CALL)),
    ]

    for _ in range(5):
        await page.click("[data-key=undo]")
    await until(lambda: len(box.events) == 5)
    assert await heard(box) == [Press(Key.UNDO)] * 5
    await page.key("Enter")
    await until(lambda: box.events)
    assert await heard(box) == [Press(Key.OK)], "a key that was clicked has not kept the focus"
    assert page.errors == []


@browsing()
async def test_phone(page, box):
    await page.open(box.url, width=400, height=860, scale=2, touch=True)
    await page.until(READY)
    assert await page.eval(LIT) == pixels(box)
    assert await page.eval("document.documentElement.scrollWidth") == 400
    for key in Key:
        await page.tap(f"[data-key={key}]")
    await until(lambda: sum(isinstance(event, Press) for event in box.events) >= len(Key))
    assert await heard(box, Press) == [Press(key) for key in Key]
    await page.tap("[data-turn='-1']")
    await until(lambda: box.events)
    assert await heard(box) == [Turn(-1)]

    x, y = await page.middle(".knob")
    points = [(x, y - 75), (x + 53, y - 53), (x + 75, y)]
    for kind, point in zip(("touchStart", "touchMove", "touchMove"), points, strict=True):
        touch = [{"x": point[0], "y": point[1]}]
        await page.call("Input.dispatchTouchEvent", type=kind, touchPoints=touch)
    await page.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    await until(lambda: len(box.events) >= 6)
    assert await heard(box) == [Turn(1)] * 6, "a quarter turn"
    assert page.errors == []


@browsing()
async def test_faults_and_a_key_held_by_a_page_that_goes_away(page, box, monkeypatch):
    monkeypatch.setattr("device.panel.app.LET_GO_S", 1000)
    await page.open(box.url)
    await page.until(READY)
    await page.click("[data-fault=display_gone]")
    await page.until("document.body.matches('.away')")
    assert box.hardware.faults["display_gone"]
    await page.click("[data-fault=display_gone]")
    await until(lambda: not box.hardware.faults["display_gone"])

    await page.mouse("mousePressed", "[data-key=back]", button="left", clickCount=1)
    await until(lambda: box.events)  # Holding
    await page.call("Page.navigate", url="about:blank")
    await until(lambda: any(isinstance(event, Press | Hold) for event in box.events))


@needs_chromium
@in_a_loop
async def test_disconnected_and_back():
    box = Box()
    async with chromium() as page:
        async with box.running():
            port = int(box.url.split(":")[2].strip("/"))
            await page.open(box.url)
            await page.until(READY)
            assert not await page.eval("document.body.matches('.disconnected')")
        await page.until("document.body.matches('.disconnected')")
        await page.click("[data-key=undo]")
        await page.eval("document.body.classList.remove('disconnected')")
        for _ in range(3):
            await page.click("[data-key=undo]")
        await page.until("document.body.matches('.disconnected')")
        again = Box()
        async with again.running(port=port):
            await until(lambda: again.screen.last_image)
            await page.until(f"!document.body.matches('.disconnected') && {LIT} === '{pixels(again)}'")
            await page.click("[data-key=ok]")
            await until(lambda: again.events)
            assert await heard(again) == [Press(Key.OK)], "nothing of what was clicked meanwhile"


@browsing("torres_three", 40)
async def test_a_phone_that_slept_is_back_at_once(page, box, library, file):
    """It hears nothing while it is hidden, and no banner says so."""
    hidden = "Object.defineProperty(document, 'hidden', { value: %s, configurable: true });"
    turned = hidden + " document.dispatchEvent(new Event('visibilitychange'))"
    steps = "document.querySelector('.steps')?.textContent"
    await page.open(box.url, width=390, height=844)
    await page.until(f"{steps} === 'entry 40'")
    await page.eval(turned % "true")
    enter(library.referee, file.steps[40:44])
    await asyncio.sleep(1.5)
    assert await page.eval(steps) == "entry 40"
    before = time.monotonic()
    await page.eval(turned % "false")
    await page.until(f"{steps} === 'entry 44'")
    assert time.monotonic() - before < 20
    banner = "getComputedStyle(document.querySelector('.banner')).visibility"
    assert await page.eval(banner) == "hidden"
    assert page.errors == []
