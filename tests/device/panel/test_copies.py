"""A board of the copy painted in a real browser: what is wrong is said, what is right is in the file."""

import pytest

import engines
from device.copy_file import CopyFile
from tests.device.panel.browsing import browsing
from tests.device.panel.shown import texts
from tests.device.panel.test_browser import READY, heard

GAME = "castles_of_tuscany"
FORM = "document.querySelector('[data-fact=\"board.A2\"]')"


@pytest.fixture
def copy(tmp_path, monkeypatch):
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


@browsing({})
async def test_a_board_is_painted(page, box, copy, tmp_path):
    says = f"{FORM}.querySelector('.says').textContent"
    await opened(page, box)
    await page.eval("document.querySelector('#copies select').focus()")
    await page.key("u")
    assert await heard(box) == []  # its keys are no keys of the box
    await paint(page, "icmv")
    await page.until(f"{says}.includes('number 5, is none of them')")
    assert not copy.path.exists()
    await paint(page, "ccmvcimrrc")
    await page.until(f"{says}.includes('4 castles')")
    assert not copy.path.exists()
    await paint(page, "icmvvimrrv")
    await page.until(f"{says} === 'Kept'")
    assert copy.load().facts.confirmed == {"board.A2": "icmvvimrrv"}
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
