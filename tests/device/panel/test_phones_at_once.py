"""Phones at one table: a whole match entered by three, a step on ten screens, phones that sleep."""

from __future__ import annotations

import asyncio
import json
import statistics
import time

import httpx
import pytest

from device.match import Header, Library
from engines import matchfile
from engines.match import Step
from tests.device.games import enter
from tests.device.panel.chromium import CHROMIUM, Page, chromium, run
from tests.device.panel.fakes import Box
from tests.device.panel.shown import MATCHES, playing

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: apt install chromium-headless-shell"),
    pytest.mark.soak,
]

READY = "document.querySelectorAll('.panel').length > 0"


async def another(page):
    """A page in a context, and so with cookies, of its own; the two are asked one after the other."""
    other = Page(page._reader, page._to_browser)
    await other.begin()
    return other


async def sit(page, box, seat):
    await page.open(box.url, width=390, height=844)
    await page.until(READY)
    assert await page.eval(f"fetch('pair?seat={seat}', {{ method: 'POST' }}).then(one => one.status)") == 204
    code = box.pairings.asking.code
    assert await page.eval(f"fetch('pair?code={code}', {{ method: 'POST' }}).then(one => one.status)") == 204


def test_a_whole_match_of_marrakesh_by_three_paired_phones(tmp_path):
    """Each sends the steps of its own seat, the first what the table shows; all see every one."""
    file = matchfile.read((MATCHES / "marrakesh_three.match").read_text("utf-8"))
    assert all(isinstance(step, Step) for step in file.steps)

    async def main(library):
        async with Box(library=library, act="paired").running() as box, chromium() as page:
            phones = [page, await another(page), await another(page)]
            for seat, phone in enumerate(phones):
                await sit(phone, box, seat)
            for n, step in enumerate(file.steps, 1):
                tokens = library.referee.replay.game.notation.tokens(step.text)
                ask = "&".join(f"t={token}" for token in tokens).replace("+", "%2B")
                post = (
                    f"fetch('match/question?{ask}').then(one => one.json()).then(asked =>"
                    f" fetch(`match/step?{ask}&head=${{asked.head}}`, {{ method: 'POST' }}))"
                    ".then(async one => one.ok ? '' : await one.text())"
                )
                phone = phones[step.seat or 0]
                why = await phone.eval(post)
                assert why == "", (n, step, why)
            for phone in phones:
                await phone.until(f"document.querySelector('.steps').textContent === 'step {n}'")
                points = "[...document.querySelectorAll('.score')].map(one => one.textContent).sort().join()"
                told = json.loads(box.match())["score"]["places"]
                assert await phone.eval(points) == ",".join(sorted(str(one["points"]) for one in told))
            for phone in phones[1:]:
                await phone.end()
        assert library.referee.wait(60)
        assert [line.made for line in library.referee.replay.history] == list(file.steps)
        channels = {(line.seat, line.record.channel) for line in library.referee.replay.history}
        assert {(seat, f"page:phone-{seat + 1}") for seat in range(3)} <= channels

    library = Library(tmp_path)
    try:
        library.open_match(Header(file.game, file.names, file.setup))
        run(main(library), patience_s=1200)
    finally:
        library.leave()


SEEN = """
window.seen = {};
new MutationObserver(() => requestAnimationFrame(() => {
  const step = document.querySelector('.steps')?.textContent;
  if (step) window.seen[step] ??= Date.now();
})).observe(document.querySelector('#foot'), { childList: true });
"""


def test_a_step_on_ten_screens_at_once(tmp_path, capsys, monkeypatch):
    """Nine streams that do not paint, and a page that does; prints the time from a record to the paint."""
    monkeypatch.undo()  # as often as the box really looks
    file = matchfile.read((MATCHES / "marrakesh_three.match").read_text("utf-8"))
    begun = 300

    async def listen(url, stop):
        async with httpx.AsyncClient(timeout=60) as http, http.stream("GET", f"{url}events") as answer:
            async for _ in answer.aiter_lines():
                if stop.is_set():
                    return

    async def main(library):
        stop = asyncio.Event()
        async with Box(library=library).running() as box, chromium() as page:
            listeners = [asyncio.create_task(listen(box.url, stop)) for _ in range(9)]
            await page.open(box.url, width=1920, height=1080)
            await page.until(READY)
            await page.eval(SEEN)
            made = {}
            for at in range(begun, begun + 40):
                made[f"step {at + 1}"] = time.time() * 1000
                enter(library.referee, file.steps[at : at + 1])
                box.app.state.feed._tell()  # as a new picture of the screen does at a box
                await page.until(f"window.seen['step {at + 1}'] !== undefined")
            seen = await page.eval("window.seen")
            stop.set()
            for one in listeners:
                one.cancel()
            took = [seen[step] - at for step, at in made.items()]
            with capsys.disabled():
                print(f"\nrecord to paint: median {statistics.median(took):.0f} ms, worst {max(took):.0f} ms")
            assert len(took) == 40
            assert page.errors == []

    with playing(tmp_path, "marrakesh_three", begun) as library:
        run(main(library))


def test_ten_phones_that_sleep_and_wake_miss_nothing(tmp_path):
    file = matchfile.read((MATCHES / "torres_three.match").read_text("utf-8"))
    hidden = "Object.defineProperty(document, 'hidden', { value: %s, configurable: true });"
    turned = hidden + " document.dispatchEvent(new Event('visibilitychange'))"

    async def main(library):
        async with Box(library=library).running() as box, chromium() as page:
            phones = [page, *[await another(page) for _ in range(9)]]
            for phone in phones:
                await phone.open(box.url, width=390, height=844)
                await phone.until(READY)
            at = 20
            for nth in range(60):
                sleeper = phones[nth % 10]
                await sleeper.eval(turned % "true")
                enter(library.referee, file.steps[at : at + 1])
                at += 1
                await sleeper.eval(turned % "false")
                for phone in phones:
                    await phone.until(f"document.querySelector('.steps')?.textContent === 'step {at}'")
            for phone in phones:
                assert phone.errors == []
            for phone in phones[1:]:
                await phone.end()

    with playing(tmp_path, "torres_three", 20) as library:
        run(main(library), patience_s=600)
