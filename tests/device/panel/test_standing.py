"""The page in step with match and box: in the past, at a standstill, after a reload, with entries lost."""

import asyncio
import json
from contextlib import suppress

import pytest

from device.match import KEYS, Answered, Call, MatchDoor, Pause
from tests.device.panel.browsing import browsing
from tests.device.panel.test_drawn import READY
from tests.device.panel.test_tapping import ASKED, Tapper, a_purchase

SHOWS = "(selector => document.querySelector(selector)?.checkVisibility() ?? false)"
TEXT = "(selector => document.querySelector(selector)?.textContent ?? '')"


async def anew(page, script):
    """Wait until ``script`` is true on the page that is loaded now; the one that goes answers nothing."""
    while True:
        with suppress(AssertionError):
            await page.until(script)
            return
        await asyncio.sleep(0.1)


@browsing("torres_three", 44)
async def test_nothing_is_entered_in_the_past(page, box, library):
    await page.open(f"{box.url}#history", width=1280, height=800)
    await page.until("document.querySelectorAll('.entries .number').length === 44")
    await page.eval("document.querySelector('.entries tbody tr:last-child .number').click()")
    await page.until(f"{TEXT}('#strip .name') === 'After entry 1'")
    said = box.voices.box.words(library.referee.replay).made(library.referee.replay.match, 0)
    assert await page.eval(f"{TEXT}('.asks')") == said
    points = "[...document.querySelectorAll('#strip .score')].map(one => one.textContent)"
    assert await page.eval(points) == ["0", "0", "0"]
    for part in ("#play", "#foot", "#last"):
        assert not await page.eval(f"{SHOWS}('{part}')"), part
    assert await page.eval("document.querySelectorAll('#scene .may, #scene [role=button]').length") == 0
    output = "document.querySelector('#past output').textContent"
    assert "1 of 44" in await page.eval(output)
    await page.eval(
        "{ const slider = document.querySelector('#past input'); slider.value = 43;"
        " slider.dispatchEvent(new Event('input')); }"
    )
    await page.until(f"{TEXT}('#strip .name') === 'After entry 43'")
    assert "43 of 44" in await page.eval(output)
    await page.click("#past button")
    await page.until(f"{SHOWS}('#play')")
    assert await page.eval(f"{TEXT}('#strip .name')") == "Lapo"
    assert await page.eval("document.querySelectorAll('#scene [role=button]').length") > 0
    assert page.errors == []


@browsing("torres_three", 44)
async def test_numbers_that_are_missing_among_the_entries_are_explained(page, box, library):
    explained = f"{TEXT}('.entries > .quiet').startsWith('Missing numbers: readings, remarks')"
    await page.open(f"{box.url}#history", width=1280, height=800)
    await page.until("document.querySelectorAll('.entries .number').length === 44")
    assert not await page.eval(explained)
    library.referee.note("the lamp is on", channel="keys")
    MatchDoor(library).rule(Pause(), source=KEYS)
    await page.until(explained)
    rows = "[...document.querySelectorAll('.entries tbody tr')].map(row => row.textContent)"
    first, second, *_ = await page.eval(rows)
    assert first.startswith("46Pause")
    assert second.startswith("44")


@browsing("both_stop_early", lambda file: 1 + a_purchase(file))
async def test_a_step_begun_outlasts_a_call_and_a_reload(page, box, library, file, begun):
    door = MatchDoor(library)
    await page.open(box.url)
    await page.until(f"{ASKED} !== ''")
    tapper = Tapper(page, library.referee)
    before = await page.eval(ASKED)
    token, *_ = library.referee.replay.game.notation.tokens(file.steps[begun].text)
    await tapper.choose(token)
    await page.until(f"{ASKED} !== {json.dumps(before)}")
    asked = await page.eval(ASKED)
    assert asked.endswith(await page.eval(f"{TEXT}('#strip .asks')")), "the strip goes with it"
    door.rule(Call(), source=KEYS)
    await page.until(f"{TEXT}('.halted') === 'the match is stopped: a judge is called'")
    await page.until("document.querySelectorAll('#play button').length === 0")
    door.rule(Answered(), source=KEYS)
    await page.until(f"{ASKED} === {json.dumps(asked)}")
    assert "meanwhile" not in await page.eval(f"{TEXT}('.toast')")
    await page.eval("window.before = true; location.reload()")
    await anew(page, f"!window.before && {ASKED} === {json.dumps(asked)}")
    await page.eval("document.querySelector('#play .foot button').click()")
    await page.until(f"{ASKED} === {json.dumps(before)}")


@pytest.mark.parametrize(
    ("what", "text", "shown"),
    [("unsaved", "NOT SAVED: no room", ".halted"), ("asking", "Asked at the box: passes?", ".asking")],
)
@browsing("torres_three", 44)
async def test_what_the_box_says_of_itself_is_on_the_table_while_it_holds(page, box, what, text, shown):
    await page.open(box.url)
    await page.until(READY)
    assert not await page.eval(f"{SHOWS}('{shown}')")
    setattr(box, what, text)
    await page.until(f"{TEXT}('#strip {shown}') === '{text}'")
    setattr(box, what, "")
    await page.until(f"document.querySelector('#strip {shown}') === null")


@browsing("torres_three", 44)
async def test_a_page_speaks_as_the_box_does_once_that_speaks_another_language(page, box, library):
    await page.open(box.url)
    await page.until(READY)
    box.voices.speak("ja")
    await anew(page, f"document.documentElement?.lang === 'ja' && {ASKED} !== ''")
    asked = box.voices.box.words(library.referee.replay).prompt(library.referee.replay.match.pending)
    await page.until(f"{ASKED}.endsWith({json.dumps(asked)})")


@browsing("torres_three", 44)
async def test_who_drives_by_keys_stays_at_the_keys(page, box, library):
    open_match, box.library = box.library, None
    await page.open(box.url)
    await page.until(f"{SHOWS}('#panel-box') && document.querySelectorAll('#status dt').length > 2")
    await page.key("Enter")
    box.library = open_match
    await page.until(f"{TEXT}('#strip .name') === 'Lapo'")
    assert await page.eval(f"{SHOWS}('#panel-box')")
