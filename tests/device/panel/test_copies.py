"""A board of the copy painted in a real browser: what is wrong is said, what is right is in the file."""

from importlib.util import find_spec
from pathlib import Path

import pytest

import engines
from device.copy_file import CopyFile
from device.match import Library
from tests.device.panel.chromium import CHROMIUM, chromium
from tests.device.panel.fakes import Box
from tests.device.panel.shown import texts
from tests.device.panel.test_browser import READY, heard, run

GAME = "castles_of_tuscany"
FORM = "document.querySelector('[data-fact=\"board.A2\"]')"

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: apt install chromium-headless-shell")


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.setattr(engines, "GAMES", tuple(dict.fromkeys((*engines.GAMES, GAME))))
    return CopyFile.of(tmp_path, GAME, texts(GAME))


async def opened(page, box):
    await page.open(f"{box.url}#box")
    await page.until(READY)
    await page.eval("document.querySelector('#copies summary').click()")
    await page.until("document.querySelectorAll('#copies option').length > 1")
    await choose(page, GAME)
    await page.until(f"{FORM} !== null")
    await page.eval(f"{FORM}.querySelector('summary').click()")


async def choose(page, game):
    await page.eval(
        "{ const s = document.querySelector('#copies select');"
        f" s.value = '{game}'; s.dispatchEvent(new Event('change')); }}"
    )


async def paint(page, signs):
    for number, sign in enumerate(signs):
        await page.eval(f"{FORM}.querySelector('[value={sign}]').click()")
        await page.eval(f"{FORM}.querySelector('[data-hex=\"{number}\"]').click()")
    await page.eval(f"{FORM}.querySelector('.choose').click()")


def test_a_board_is_painted(file, tmp_path):
    says = f"{FORM}.querySelector('.says').textContent"

    async def main():
        box = Box(library=Library(tmp_path))
        async with box.running(), chromium() as page:
            await opened(page, box)
            await page.eval("document.querySelector('#copies select').focus()")
            await page.key("u")
            assert await heard(box) == []  # its keys are no keys of the box
            await paint(page, "icmv")
            await page.until(f"{says}.includes('number 5, is none of them')")
            assert not file.path.exists()
            await paint(page, "ccmvcimrrc")
            await page.until(f"{says}.includes('4 castles')")
            assert not file.path.exists()
            await paint(page, "icmvvimrrv")
            await page.until(f"{says} === 'Kept'")
            assert file.load().facts.confirmed == {"board.A2": "icmvvimrrv"}
            label = await page.eval(f"{FORM}.querySelector('[data-hex=\"9\"]').getAttribute('aria-label')")
            assert label == "Board A2, hex 10: village, orange"
            await page.eval(f"{FORM}.scrollIntoView()")
            await page.screenshot(tmp_path / "copies.png", full=False)
            await choose(page, "marrakesh")
            scroll = "document.querySelector('[data-fact=\"goods_scroll.42\"]')"
            await page.until(f"{scroll} !== null")
            assert "pair_" not in await page.eval(f"{scroll}.textContent")
            words = f"[...{scroll}.querySelectorAll('option')].slice(0, 2).map((one) => one.textContent)"
            assert await page.eval(f"{words}.join()") == "unknown,2 yellow"

    run(main())


@pytest.mark.skipif(find_spec("axe_core_python") is None, reason="no axe-core: pip install -e '.[dev]'")
def test_it_is_accessible(file, tmp_path):
    axe = (Path(find_spec("axe_core_python").origin).parent / "axe.min.js").read_text("utf-8")
    find = "axe.run('#copies').then(found => found.violations.map(one => [one.id, one.nodes[0].html]))"
    file.put({"board.A2": "icmvvimrrv"})

    async def main():
        box = Box(library=Library(tmp_path))
        async with box.running(), chromium() as page:
            await opened(page, box)
            await page.eval(f"{axe}; 0")
            assert await page.eval(find) == []

    run(main())
