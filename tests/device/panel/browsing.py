"""Tests in a real browser: a box at a step of a recorded match, and a page that has nothing open yet."""

import functools
import inspect
from contextlib import nullcontext

import pytest

from device.match import Library
from tests.device.panel.chromium import CHROMIUM, chromium, run
from tests.device.panel.fakes import Box
from tests.device.panel.shown import file_of, playing

GIVEN = ("page", "box", "library", "file", "begun")
NO_CHROMIUM = "no Chromium: apt install chromium-headless-shell"
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason=NO_CHROMIUM)


def browsing(match=None, steps=None, **how):
    """Make a test of a coroutine that is given what it names of ``page``, ``box``, ``library`` and ``file``.

    The first ``steps`` of the match are entered, or so many as its file tells; ``begun`` says how many.
    With ``{}`` no match is open, with none the box has no library. Of several matches, with their steps, the
    test's ``name`` is played. The box is as ``how``, and the test's own ``act`` and ``cameras``, tell it.
    """

    def make(test):
        named = inspect.signature(test).parameters

        async def main(given, fixtures):
            own = {name: fixtures[name] for name in ("act", "cameras") if name in fixtures}
            async with Box(library=given["library"], **how | own).running() as box, chromium() as page:
                there = fixtures | given | {"page": page, "box": box}
                await test(**{name: there[name] for name in named})

        @functools.wraps(test)
        def in_browser(tmp_path, **fixtures):
            name = fixtures["name"] if match and isinstance(match, dict) else match
            file = file_of(name) if name else None
            begun = (
                steps(file) if callable(steps) else match[name] if isinstance(match, dict) and name else steps
            )
            empty = nullcontext(None if match is None else Library(tmp_path))
            with playing(tmp_path, name, begun) if name else empty as library:
                given = {"library": library, "file": file, "begun": begun}
                run(main(given, fixtures | {"tmp_path": tmp_path}))

        fixtures = dict.fromkeys(["tmp_path", *(name for name in named if name not in GIVEN)])
        in_browser.__signature__ = inspect.Signature(
            [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in fixtures]
        )
        return needs_chromium(in_browser)

    return make


async def sit(page, box, seat, *, touch=False):
    """Let the phone take a seat, and open the page once more."""
    await page.open(box.url, width=390, height=844)
    await page.until("document.querySelectorAll('#pair .choose').length > 0")
    await page.eval(f"fetch('pair?seat={seat}', {{ method: 'POST' }})")
    await page.eval(f"fetch('pair?code={box.pairings.asking.code}', {{ method: 'POST' }})")
    await page.open(box.url, width=390, height=844, touch=touch)
