"""Pictures of the real page at a step of a recorded match, to look at.

python -m tests.device.panel.look torres_four 130 table.png [--dark] [--click CSS …]
    [--seats N …] [--language ja]
"""

import argparse
import tempfile
from pathlib import Path

from device.texts import Texts
from device.voices import COOKIE
from tests.device.panel.chromium import chromium, quit_browser, run
from tests.device.panel.fakes import Box
from tests.device.panel.shown import playing


async def picture(library, to, size, dark, clicks, act, seats, language):
    box = Box(library=library, act="paired" if seats else act)
    width, height = map(int, size.split("x"))
    async with box.running(), chromium() as page:
        await page.open("about:blank", width, height)
        await page.call("Network.setCookie", name=COOKIE, value=language, url=box.url)
        await page.open(box.url, width, height, touch=width < 640)
        await page.until("document.querySelector('.panel, #lies > *') !== null")
        await page.until("!document.querySelector('#play').hidden")
        for seat in seats:
            await page.eval(f"fetch('pair?seat={seat}', {{ method: 'POST' }})")
            await page.eval(f"fetch('pair?code={box.pairings.asking.code}', {{ method: 'POST' }})")
        if seats:
            await page.open(box.url, width, height, touch=width < 640)
            await page.until("document.querySelector('.sits') !== null")
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        await page.call("Emulation.setEmulatedMedia", features=scheme)  # opening a page sets others
        for selector in clicks:
            await page.click(selector)
        await page.eval("new Promise(done => setTimeout(done, 1500))")
        await page.screenshot(to, full=width < 640)
        for error in page.errors:
            print(error)


if __name__ == "__main__":
    told = argparse.ArgumentParser(description=__doc__)
    told.add_argument("match")
    told.add_argument("step", type=int)
    told.add_argument("to")
    told.add_argument("--size", default="1920x1080")
    told.add_argument("--dark", action="store_true")
    told.add_argument("--click", nargs="*", default=[])
    told.add_argument("--act", default="play", choices=("play", "table", "paired", "none"))
    told.add_argument("--seats", nargs="*", default=[], type=int, help="of a paired phone")
    told.add_argument("--language", default="en", choices=Texts.languages())
    asked = told.parse_args()
    with tempfile.TemporaryDirectory() as folder, playing(Path(folder), asked.match, asked.step) as library:
        run(
            picture(
                library, asked.to, asked.size, asked.dark, asked.click, asked.act, asked.seats, asked.language
            )
        )
    quit_browser()
