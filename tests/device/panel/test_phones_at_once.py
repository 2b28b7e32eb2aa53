"""Phones at one table: a whole match entered by three, phones that sleep."""

import json
import resource
import time
from pathlib import Path

import pytest

from device.match import Header, Library, list_undoable
from engines import matchfile
from engines.match import Step
from tests.device.games import enter
from tests.device.panel.browsing import needs_chromium, sit
from tests.device.panel.chromium import Page, chromium, run
from tests.device.panel.fakes import Box
from tests.device.panel.shown import MATCHES, playing
from tests.device.panel.test_tapping import Tapper
from tests.engines.walks import soak

pytestmark = [
    needs_chromium,
    pytest.mark.soak,
]

READY = "document.querySelectorAll('.panel').length > 0"


async def another(page):
    """A page in a context, and so with cookies, of its own; the two are asked one after the other."""
    other = Page(page._reader, page._to_browser)
    await other.begin()
    return other


def test_a_whole_match_of_marrakesh_by_the_taps_of_three_paired_phones(tmp_path, capsys):
    """Each taps the steps of its own seat, the first what the table shows; all see every one.

    Prints the taps a step.
    """
    file = matchfile.read((MATCHES / "marrakesh_three.match").read_text("utf-8"))
    assert all(isinstance(step, Step) for step in file.steps)
    steps = file.steps[: soak(len(file.steps), 24)]

    async def main(library):
        async with Box(library=library, act="paired").running() as box, chromium() as page:
            phones = [page, await another(page), await another(page)]
            for seat, phone in enumerate(phones):
                await sit(phone, box, seat)
            tappers = [Tapper(phone, library.referee) for phone in phones]
            for n, step in enumerate(steps, 1):
                tapper = tappers[step.seat or 0]
                await tapper.page.until(f"document.querySelector('.steps')?.textContent === 'entry {n - 1}'")
                await tapper.enter(step.text)
            for phone in phones:
                await phone.until(f"document.querySelector('.steps').textContent === 'entry {n}'")
                points = "[...document.querySelectorAll('.score')].map(one => one.textContent).sort().join()"
                told = json.loads(box.match({}))["score"]["places"]
                assert await phone.eval(points) == ",".join(sorted(str(one["points"]) for one in told))
            for phone in phones[1:]:
                await phone.end()
        assert library.referee.wait(60)
        assert [line.made for line in library.referee.replay.history] == list(steps)
        channels = {(line.seat, line.record.channel) for line in library.referee.replay.history}
        assert {(seat, f"page:phone-{seat + 1}") for seat in range(3)} <= channels
        taps = sum(tapper.taps for tapper in tappers)
        with capsys.disabled():
            print(f"\n{taps} taps for {len(steps)} steps: {taps / len(steps):.2f} a step")

    library = Library(tmp_path)
    try:
        library.open_match(Header(file.game, file.names, file.setup))
        run(main(library), patience_s=1800)
    finally:
        library.leave()


HIDDEN = (
    "Object.defineProperty(document, 'hidden', { value: %s, configurable: true });"
    " document.dispatchEvent(new Event('visibilitychange'))"
)


def memory_mb():
    """The memory of this process, in which the box is."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1e6


async def heap_mb(page):
    await page.call("HeapProfiler.collectGarbage")
    return (await page.call("Runtime.getHeapUsage"))["usedSize"] / 1e6


def test_ten_phones_that_sleep_sixty_times_each_miss_nothing(tmp_path, capsys):
    """While one sleeps something is entered or taken back. Prints how the memory of box and page grows."""
    file = matchfile.read((MATCHES / "torres_three.match").read_text("utf-8"))
    begun, sleeps = 20, soak(600, 30)

    async def main(library):
        async with Box(library=library).running() as box, chromium() as page:
            phones = [page, *[await another(page) for _ in range(9)]]
            for phone in phones:
                await phone.open(box.url, width=390, height=844)
                await phone.until(READY)
            grown, began = [], time.monotonic()
            for nth in range(sleeps):
                sleeper = phones[nth % len(phones)]
                await sleeper.eval(HIDDEN % "true")
                if nth % 2 == 0:
                    enter(library.referee, file.steps[begun : begun + 1])
                else:
                    offer = list_undoable(library.referee.replay, file.steps[begun].seat)[0]
                    library.referee.undo(offer, channel="keys")
                woken = time.monotonic()
                await sleeper.eval(HIDDEN % "false")
                number = library.referee.replay.history[-1].seq
                step = f"document.querySelector('.steps')?.textContent === 'entry {number}'"
                await sleeper.until(step)
                assert time.monotonic() - woken < 5
                for phone in phones:
                    await phone.until(step)
                if nth % 15 == 14:
                    grown.append((memory_mb(), await heap_mb(page)))
            for phone in phones:
                assert phone.errors == []
            for phone in phones[1:]:
                await phone.end()
            with capsys.disabled():
                print(f"\n{nth + 1} sleeps in {time.monotonic() - began:.0f} s; box and page in MB: {grown}")
            assert grown[-1][0] - grown[0][0] < 30
            assert grown[-1][1] - grown[0][1] < 5

    with playing(tmp_path, "torres_three", begun) as library:
        run(main(library), patience_s=1800)
