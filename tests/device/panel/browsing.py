"""Tests in a real browser: a box at a step of a recorded match, and a page that has nothing open yet."""

import functools
import inspect
from contextlib import nullcontext

import pytest

from tests.device.panel.chromium import CHROMIUM, chromium, run
from tests.device.panel.fakes import Box
from tests.device.panel.shown import file_of, playing

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: apt install chromium-headless-shell")


def browsing(match=None, steps=None, **how):
    """Make a test of a coroutine that is given what it names of ``page``, ``box``, ``library`` and ``file``.

    The first ``steps`` of the match are entered, by default all; without one the box has none. The box is as
    ``how`` tells :class:`Box`.
    """

    def make(test):
        named = inspect.signature(test).parameters

        async def main(library, fixtures):
            async with Box(library=library, **how).running() as box, chromium() as page:
                there = {"page": page, "box": box, "library": library, "file": match and file_of(match)}
                await test(**{name: (there | fixtures)[name] for name in named})

        @functools.wraps(test)
        def in_browser(tmp_path, **fixtures):
            with playing(tmp_path, match, steps) if match else nullcontext() as library:
                run(main(library, fixtures | {"tmp_path": tmp_path}))

        fixtures = dict.fromkeys(["tmp_path", *(name for name in named if name not in GIVEN)])
        in_browser.__signature__ = inspect.Signature(
            [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in fixtures]
        )
        return needs_chromium(in_browser)

    return make


GIVEN = ("page", "box", "library", "file")


async def sit(page, box, seat, *, touch=False):
    """Let the phone take a seat, and open the page once more."""
    await page.open(box.url, width=390, height=844)
    await page.until("document.querySelectorAll('#pair .choose').length > 0")
    await page.eval(f"fetch('pair?seat={seat}', {{ method: 'POST' }})")
    await page.eval(f"fetch('pair?code={box.pairings.asking.code}', {{ method: 'POST' }})")
    await page.open(box.url, width=390, height=844, touch=touch)
