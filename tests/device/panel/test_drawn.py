"""The drawn table in a real browser: one screen, nothing on one another, large enough to read."""

import itertools
import json

import pytest

from device.match import Header
from engines import game
from engines.contract import Drawing, Label, Mark, Panel, Scene, Setup, Shape
from engines.match import Step
from tests.device.games import enter
from tests.device.panel.browsing import browsing
from tests.device.panel.shown import texts

MATCHES_DRAWN = {
    "torres_four": 130,
    "torres_two": 90,
    "nobles": 48,
    "castles_of_tuscany_four": 250,
    "castles_of_tuscany_two": 120,
    "marrakesh_three": 307,
    "marrakesh_two": 200,
    "marrakesh_everything": 300,
}
SCREENS = {(1920, 1080): 40, (1280, 800): 22}
"""Each screen with the least size of the letters that say whose turn it is and what is asked."""
READY = "document.querySelectorAll('.panel').length > 0 && !document.querySelector('#play').hidden"
BOXES = (
    "[...document.querySelectorAll('.panel')].map(one => one.getBoundingClientRect())"
    ".map(({left, top, right, bottom}) => [left, top, right, bottom])"
)
CROWDED = (
    "[...document.querySelectorAll('.tile, .tile .name')]"
    ".filter(one => one.scrollWidth > one.clientWidth"
    " || (one.matches('.tile') && one.scrollHeight > one.clientHeight))"
    ".map(one => one.textContent)"
)
"""What a tile of the strip has no room for."""
SIZE = "selector => parseFloat(getComputedStyle(document.querySelector(selector)).fontSize)"


EACH_GAME = ("torres_four", "nobles", "castles_of_tuscany_four", "marrakesh_everything")


@pytest.mark.parametrize(
    "name",
    [name if name in EACH_GAME else pytest.param(name, marks=pytest.mark.soak) for name in MATCHES_DRAWN],
)
@browsing(MATCHES_DRAWN)
async def test_a_table_is_one_screen(page, box, name):
    for (width, height), least in SCREENS.items():
        await page.open("about:blank")
        await page.open(box.url, width=width, height=height)
        await page.until(READY)
        await page.eval("new Promise(done => requestAnimationFrame(() => setTimeout(done, 60)))")
        root = "document.documentElement"
        assert await page.eval(f"{root}.scrollHeight <= innerHeight"), (width, "scrolls")
        assert await page.eval(f"{root}.scrollWidth <= innerWidth"), (width, "scrolls")
        assert await page.eval(CROWDED) == [], width
        boxes = await page.eval(BOXES)
        for left, top, right, bottom in boxes:
            assert left >= -1
            assert top >= -1
            assert right <= width + 1
            assert bottom <= height + 1
        for one, other in itertools.combinations(boxes, 2):
            apart = (one[2] <= other[0] + 1, other[2] <= one[0] + 1, one[3] <= other[1] + 1)
            assert any((*apart, other[3] <= one[1] + 1)), (width, one, other)
        assert await page.eval(f"({SIZE})('.asks')") >= least
        assert await page.eval(f"({SIZE})('.mover .name')") >= least
    assert page.errors == []


@browsing("torres_two", 4)
async def test_no_number_is_hidden(page, box):
    """The blocks of a stack beside the next stack, the score behind a name at the edge of the plot."""
    boxes = (
        "[...document.querySelectorAll('%s')].map(one => one.getBoundingClientRect())"
        ".map(({left, top, right, bottom}) => [left, top, right, bottom])"
    )
    await page.open(box.url, width=1280, height=800)
    await page.until(READY)
    await page.until("document.querySelector('.panel.mover')?.viewBox.baseVal.height === 182")
    cubes = await page.eval(boxes % ".mover .thing > path")
    numbers = await page.eval(boxes % ".mover .mark:not([data-key]) > text.strong")
    assert len(numbers) >= 6
    for left, top, right, bottom in numbers:
        over = [one for one in cubes if one[0] < right and left < one[2] and one[1] < bottom]
        assert [one for one in over if top < one[3]] == []
    await page.open("about:blank")
    await page.open(f"{box.url}#score", width=390, height=844)
    await page.until("document.querySelectorAll('.plot .end').length === 2")
    (plot,) = await page.eval(boxes % ".plot svg")
    assert all(one[2] <= plot[2] for one in await page.eval(boxes % ".plot .end"))


@browsing("marrakesh_three", 100)
async def test_a_page_that_heard_only_changes_knows_what_a_new_one_does(page, box, library, file):
    known = "import('./main.js').then(main => JSON.stringify(main.store.get('match')))"
    await page.open(f"{box.url}#box")  # what is hidden is made, but not painted
    await page.until(READY)
    for at in range(100, 112):
        enter(library.referee, file.steps[at : at + 1])
        await page.until(f"document.querySelector('.steps')?.textContent === 'entry {at + 1}'")
    assert json.loads(await page.eval(known)) == json.loads(box.match({}))
    changed = await page.eval("document.querySelectorAll('.panel .changed').length")
    assert changed == len(json.loads(box.match({}))["scene"]["changed"])
    assert page.errors == []


def scene(state):
    """A table of the toy with a tower of keshis, one of which is asked about."""
    return Scene(
        (
            Panel(
                *("tower", 0, 0, 800, 400),
                (
                    Mark(shape=Shape.OCTAGON, x=100, y=100, w=80, fill="red", text="R", key="a:1"),
                    Mark(x=300, y=100, text=Label("title"), size=40),
                    Mark(icon="moon", x=500, y=100, w=80, ink="ink"),
                ),
            ),
        ),
        (0, 0, 0, 0),
    )


@browsing({})
async def test_a_game_of_another_package_is_drawn_by_the_same_hand(page, box, library, tower, monkeypatch):
    monkeypatch.setattr(type(game(tower).telling), "scene", staticmethod(scene))
    drawing = Drawing(light={"red": "#bd2a18"}, icons={"moon": "M12 2a10 10 0 1 0 10 10A8 8 0 0 1 12 2z"})
    monkeypatch.setattr("engines.drawing", lambda _: drawing)
    turns = (("fact.turns", "confirmed 4"),)
    referee = library.open_match(Header(tower, ("Adso", "Bo"), Setup(facts=turns)))
    enter(referee, (Step(0, "2r1g"),))
    await page.open(box.url, width=1920, height=1080)
    await page.until(READY)
    text = "[...document.querySelectorAll('.panel text')].map(one => one.textContent)"
    assert await page.eval(text) == ["R", texts(tower)("title")]
    fill = "getComputedStyle(document.querySelector('.panel path')).fill"
    assert await page.eval(fill) == "rgb(189, 42, 24)"
    assert await page.eval("document.querySelector('.panel .icon').getAttribute('d')[0]") == "M"
    assert page.errors == []


KEPT = """
window.kept = null;
HTMLAnchorElement.prototype.click = async function () {
  const picture = await createImageBitmap(await (await fetch(this.href)).blob());
  const canvas = new OffscreenCanvas(picture.width, picture.height), pen = canvas.getContext("2d");
  pen.drawImage(picture, 0, 0);
  const { data } = pen.getImageData(0, 0, picture.width, picture.height), colours = new Set();
  for (let at = 0; at < data.length; at += 4 * 97) {
    colours.add(data[at] << 16 | data[at + 1] << 8 | data[at + 2]);
  }
  window.kept = { name: this.download, width: picture.width, colours: colours.size };
};
"""


@browsing("torres_two")
async def test_the_last_page_of_a_match_and_its_picture(page, box):
    await page.open("about:blank")
    await page.call("Page.setBypassCSP", enabled=True)  # the test itself reads the picture back
    await page.open(f"{box.url}#score", width=1280, height=800)
    await page.until("document.querySelectorAll('#ending li').length >= 5")
    said = await page.eval("document.querySelector('#ending').textContent")
    assert "How it was decided" in said
    assert "Time to think" in said
    await page.eval(KEPT)
    await page.eval("document.querySelector('#ending p button').click()")
    await page.until("window.kept !== null")
    kept = await page.eval("window.kept")
    assert (kept["name"], kept["width"]) == ("Torres.png", 1920)
    assert kept["colours"] > 20, "every colour of the page is in it"
    assert page.errors == []
