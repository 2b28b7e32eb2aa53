"""Playing on the page in a real browser: a match entered by taps is the match entered by keys."""

import asyncio
import json
import re
import warnings
from functools import partial

from device.match import Header, Question, list_undoable
from engines import bags
from engines.contract import Printed, Setup
from engines.match import Step
from engines.notation import CLOSING
from engines.rules import load
from tests.device.games import enter
from tests.device.panel.browsing import browsing, sit
from tests.device.panel.chromium import CHROMIUM
from tests.device.panel.fakes import Box
from tests.device.panel.shown import before
from tests.engines import tower_toy

if CHROMIUM is None:
    warnings.warn("no Chromium here: nobody played on the page in a browser", stacklevel=1)

ASKED = "(document.querySelector('#play .ask')?.textContent ?? '')"


class Tapper:
    """Somebody who enters steps by what the page offers."""

    def __init__(self, page, referee):
        self.page = page
        self.referee = referee
        self.taps = 0

    async def click(self, selector):
        self.taps += 1
        found = f"document.querySelector({json.dumps(selector)})"
        await self.page.until(f"{found} !== null")
        await self.page.eval(f"{found}.scrollIntoView({{block: 'center'}})")
        await self.page.click(selector)

    async def enter(self, text, way=None):
        """One step: a button or a space for each of its words, until it is told, then *Record*."""
        head, steps = self.referee.head, len(self.referee.replay.match.steps)
        whole = "document.querySelector('#play .record') !== null"
        told = f"document.querySelector('.last h3')?.textContent.endsWith(' {steps + 1}')"
        question = Question.of(self.referee.replay.match)
        for at, token in enumerate([*self.referee.replay.game.notation.tokens(text), CLOSING]):
            if self.referee.head > head or await self.page.eval(whole):
                break
            if at < len(question.choices):  # the only answer, which the page gives itself
                continue
            await (way or self.choose)(token)
            question = question if token == CLOSING else question.take(token).take_forced()
        await self.page.until(f"{whole} || {told}")  # what has no place on the table is recorded at once
        if not await self.page.eval(told):
            await self.click("#play .record")
        await self.page.until("document.querySelector('#play .record') === null")
        assert self.referee.head > head
        await self.page.until(told)  # it moves what is tapped next

    async def tap(self, token):
        """Tap the space that a word names, and the word where more may be done there."""
        place = self.board.place(token)
        if place is None:
            await self.choose(token)
            return
        before = await self.page.eval("document.querySelector('#play').textContent")
        await self.click(f"[data-board={json.dumps(self.sight)}][data-cell={self.board.name(place)}]")
        await self.page.until(f"document.querySelector('#play').textContent !== {json.dumps(before)}")
        if await self.page.eval(f"{ASKED}.endsWith('what there?')"):
            await self.choose(token)

    @property
    def sight(self):
        """The one that the question is about, else the first."""
        match = self.referee.replay.match
        sights = match.game.in_sight(match.state)
        return match.pending.domain.sight or next(iter(sights))

    @property
    def board(self):
        match = self.referee.replay.match
        sight = match.game.in_sight(match.state)[self.sight]
        return sight.board(match.state)

    async def choose(self, token):
        """Tap a word, through its verb or the space where it stands there."""
        button = f'#play button[data-token="{token}"]:not(.grey)'
        verb, counts = f'#play button[data-verb~="{token}"]', "#play .counts"
        await self.page.until(f"document.querySelector({json.dumps(f'{button}, {verb}, {counts}')}) !== null")
        if await self.page.eval(f"document.querySelector({json.dumps(counts)}) !== null"):
            await self.count(token)
            return
        if await self.page.eval(f"document.querySelector({json.dumps(button)}) === null"):
            await self.click(verb)
        before = await self.page.eval("document.querySelector('#play').textContent")
        await self.click(button)
        await self.page.until(f"document.querySelector('#play').textContent !== {json.dumps(before)}")

    async def count(self, token):
        """Tap the kinds, from what the page begins with, until they are what a word says; then *Enter*."""
        question = Question.of(self.referee.replay.match)
        domain = question.asked.domain
        size = len(domain.kinds)
        caps = range(size) if domain.caps is None else [*bags.elements(domain.caps)]
        offered = sorted(set(caps))
        for kind, wanted in enumerate(bags.counts(domain.read(token), size)):
            if kind not in offered:
                assert wanted == 0
                continue
            row = f"#play .counts > :nth-child({offered.index(kind) + 1})"
            shown = f"Number(document.querySelector('{row} .more').textContent.split(' ').at(-1))"
            begun = await self.page.eval(shown)
            for _ in range(abs(wanted - begun)):
                await self.click(f"{row} .{'more' if wanted > begun else 'less'}")
        before = await self.page.eval("document.querySelector('#play').textContent")
        await self.click("#play form.enter > button")
        await self.page.until(f"document.querySelector('#play').textContent !== {json.dumps(before)}")


SLOW_AND_HEARD = """
window.said = [];
new MutationObserver(() => said.push(document.querySelector(".toast").textContent))
  .observe(document.querySelector(".toast"), { childList: true, characterData: true, subtree: true });
const at_once = window.fetch;
window.fetch = async (path, how) => {
  const answer = await at_once(path, how);
  if (how?.method === "POST") await new Promise((wake) => setTimeout(wake, 500));
  return answer;
};
"""


def a_purchase(file):
    """Return how many steps come before the first purchase but those of the beginning."""
    return next(at for at, step in enumerate(file.steps) if step.text.startswith("P ") and at > 2)


@browsing("both_stop_early", a_purchase)
async def test_of_what_the_page_itself_enters_nobody_is_told_that_something_came_meanwhile(
    page, box, library, file, begun
):
    """The event of an entry comes before the answer to it; one of somebody else's gives up what was begun."""
    referee = library.referee
    await page.open(box.url)
    await page.until(f"{ASKED} !== ''")
    await page.eval(SLOW_AND_HEARD)
    tapper = Tapper(page, referee)
    await tapper.enter(file.steps[begun].text)
    await page.until("said.some((text) => text.startsWith('Recorded.'))")
    assert not await page.eval("said.some((text) => text.includes('meanwhile'))")
    token, *_ = referee.replay.game.notation.tokens(file.steps[begun + 1].text)
    await tapper.choose(token)
    referee.step(file.steps[begun + 1].text, channel="keys")
    await page.until("said.some((text) => text.includes('meanwhile'))")


def made_on_the_page(referee, steps, begun):
    """Check that the match is these steps, the last of them entered on the page."""
    assert referee.wait(30)
    assert [line.made for line in referee.replay.history] == list(steps)
    assert {line.record.channel for line in referee.replay.history[begun:]} == {"page"}


@browsing("torres_two", 2)
async def test_a_turn_of_torres_by_tapping_the_board(page, box, library, file, begun):
    mover = file.steps[begun].seat
    ended = next(at for at, step in enumerate(file.steps) if at > begun and step.seat != mover)
    await page.open(box.url, width=390, height=844, scale=2, motion=True)
    await page.until(f"{ASKED} !== ''")
    tapper = Tapper(page, library.referee)
    for step in file.steps[begun:ended]:
        await page.until(f"{ASKED}.startsWith('{file.names[step.seat]}')")
        await tapper.enter(step.text, tapper.tap)
    assert page.errors == []
    assert await page.eval("document.documentElement.scrollWidth <= innerWidth")
    made_on_the_page(library.referee, file.steps[:ended], begun)


@browsing("torres_two", 4)
async def test_what_is_looked_at_before_it_is_recorded(page, box, library):
    """A space, what ends the turn, and what shows cards; else what was chosen by its name is recorded at
    once.
    """
    referee = library.referee
    await page.open(box.url, width=1280, height=800)
    await page.until(f"{ASKED} !== ''")
    tapper = Tapper(page, referee)
    await tapper.choose("S1")
    await page.until("document.querySelector('.toast').textContent.startsWith('Recorded.')")
    assert referee.replay.history[-1].text == "S 1"
    head = referee.head
    for word in ("end", "Bf7", "Tbottom"):
        await tapper.choose(word)
        await page.until("document.querySelector('#play .record') !== null")
        await tapper.click("#play .foot button")
        await page.until("document.querySelector('#play .record') === null")
        await tapper.click("#play .foot button")  # from its verb, too
        await page.until("document.querySelectorAll('#play .foot button').length === 1")
    assert referee.head == head
    assert page.errors == []


def paid_with_a_worker(file):
    return next(at for at, step in enumerate(file.steps) if step.text.endswith(" w"))


def the_tile_before(file):
    return max(at for at in range(paid_with_a_worker(file)) if file.steps[at].text.startswith("P "))


@browsing("castles_of_tuscany_three", the_tile_before)
async def test_a_tile_is_placed_and_paid_by_tapping_its_hex(page, box, library, file, begun):
    """Two tiles, one paid with a worker, with what comes up and what they do between, all in taps."""
    ended = paid_with_a_worker(file) + 2
    await page.open(box.url, width=390, height=844, scale=2)
    await page.until(f"{ASKED} !== ''")
    tapper = Tapper(page, library.referee)
    for step in file.steps[begun:ended]:
        await tapper.enter(step.text, tapper.tap if step.text.startswith("P ") else None)
    assert page.errors == []
    made_on_the_page(library.referee, file.steps[:ended], begun)


@browsing("marrakesh_two", before("marrakesh_two", "line"))
async def test_a_count_that_cannot_be_is_said_in_words(page, box, library, begun):
    """The page sent it, and said that '0' does not answer 'line', with the letters of all kinds."""
    await page.open(box.url)
    tapper = Tapper(page, library.referee)
    most = library.referee.replay.match.pending.domain.most
    for taps in (0, most + 1):
        for tap in range(taps):
            await tapper.click(f"#play .counts > :{'first' if tap else 'last'}-child .more")
        await tapper.click("#play form.enter > button")
        toast = "document.querySelector('.toast').textContent"
        await page.until(f"{toast} === '{taps} counted, 1 to {most} in all'")
    assert len(library.referee.replay.history) == begun
    assert page.errors == []


@browsing({})
async def test_a_fact_begins_with_what_is_supposed(page, box, library, tower, monkeypatch):
    monkeypatch.setattr(tower_toy, "Printed", partial(Printed, supposed=4))
    turns = (("fact.turns", "confirmed 4"),)
    referee = library.open_match(Header(tower, ("Adso", "Bo"), Setup(facts=turns)))
    enter(referee, (Step(0, "2r1g"), Step(None, "1r")))
    field = "document.querySelector('#play .enter input')"
    await page.open(box.url)
    await page.until(f"{field} !== null")
    assert await page.eval(f"{field}.value") == "4 points"
    tapper = Tapper(page, referee)
    await tapper.click("#play .enter button")
    await tapper.click("#play .record")
    await page.until("document.querySelector('#play .record') === null")
    assert page.errors == []
    assert referee.replay.match.state.worth == (4, None)


@browsing("closed", 17)
async def test_refused_then_undone_then_only_looked_at(page, box, library):
    referee = library.referee
    steps = [line.made for line in referee.replay.history]
    await page.open(box.url)
    tapper = Tapper(page, referee)
    await tapper.click('#play .grey[data-token="close"]')
    await page.until("document.querySelector('#play [role=alert] a') !== null")
    assert "completed towers" in await page.eval("document.querySelector('#play [role=alert]').textContent")
    (offer,) = list_undoable(referee.replay)
    await tapper.click("#play .foot button:last-child")
    await tapper.click("#play .undo")
    await page.until("document.querySelector('.toast').textContent.startsWith('Taken back – ')")
    assert [line.made for line in referee.replay.history] == steps[: -len(offer.places)]
    await tapper.click("#play .foot button:last-child")
    await page.until("document.querySelector('#play .aside') !== null")
    assert await page.eval("document.querySelector('#play .aside h4').textContent") == "Undo"
    offered = "[...document.querySelectorAll('#play .aside li')].map(one => one.textContent)"
    (back,) = [told for told in await page.eval(offered) if told.startswith("Put back – ")]
    assert "ake" not in back.partition("–")[2], "what is put back is not called taken back"
    await tapper.click("#play .aside li:last-child .undo")
    await page.until("document.querySelector('.toast').textContent.startsWith('Put back – ')")
    assert [line.made for line in referee.replay.history] == steps
    assert page.errors == []
    async with Box(library=library, act=False).running() as onlookers:
        await page.open(onlookers.url)
        await page.until(f"{ASKED} !== ''")
        assert await page.eval("document.querySelector('#play .foot button')") is None
        await tapper.click('#play [data-token="pass"]')
        await page.until("document.querySelector('#play .whole') !== null")
        assert await page.eval("document.querySelector('#play .record')") is None


@browsing("closed", 17, act="paired")
async def test_a_phone_takes_back_its_own_slip_and_hears_at_once_what_is_not_its_own(page, box, library):
    """It was its turn no longer once the slip was recorded: there was no Undo, and the other's whole step
    could be put together before the page said that nothing comes of it.
    """
    referee = library.referee
    mine = referee.replay.match.pending.seats[0]
    steps = [line.made for line in referee.replay.history]
    await sit(page, box, mine)
    tapper = Tapper(page, referee)
    await tapper.click('#play [data-token="pass"]')
    await tapper.click("#play .record")
    await page.until("document.querySelector('#play .record') === null")
    assert len(referee.replay.history) == len(steps) + 1
    await page.until("document.querySelector('#play [data-token=P]') !== null")
    elsewhere = "document.querySelector('#play').textContent.includes('Enter this at the box')"
    assert not await page.eval(elsewhere)
    await tapper.click('#play [data-token="P"]')
    await page.until(elsewhere)
    await tapper.click("#play .foot button:last-child")  # what is begun is dropped first
    await page.until(f"!{elsewhere}")
    await tapper.click("#play .foot button:last-child")
    await tapper.click("#play .undo")
    await page.until("document.querySelector('.toast').textContent.startsWith('Taken back – ')")
    assert [line.made for line in referee.replay.history] == steps
    assert page.errors == []


@browsing("closed")
async def test_looking_things_up(page, box, library):
    await page.open(box.url + "#score")
    await page.until("document.querySelector('.places .number') !== null")
    points = await page.eval("document.querySelector('.places .number').textContent")
    await page.click(".places .number")
    await page.until("document.querySelector('#why').open")
    assert f"why {points}?" in await page.eval("document.querySelector('#why h2').textContent")
    assert await page.eval("document.querySelectorAll('#why li').length") > 0
    await page.key("Escape")
    await page.until("!document.querySelector('#why').open")

    await page.eval("location.hash = 'history'")
    lines = len(library.referee.replay.history)
    await page.until(f"document.querySelectorAll('.entries tbody tr').length === {lines}")
    past = await page.eval("document.querySelector('.past').textContent")
    assert re.search(r", [0-2][0-9]:[0-5][0-9]", past), past
    assert not re.search(r"[AP]M\b", past), "as at the box"
    players = "[...document.querySelectorAll('.figures tbody th')].map(e => e.textContent)"
    assert await page.eval(players) == ["Fina", "Guido"]

    await page.eval("location.hash = 'rules/tower'")
    await page.until(
        "/ rules of San Gimignano with .tower./.test(document.querySelector('.found').textContent)"
    )
    found = await page.eval("[...document.querySelectorAll('.clauses dt')].map(e => e.textContent)")
    assert sorted(found) == sorted(one.id for one in load("san_gimignano").search("tower"))
    assert page.errors == []


@browsing("closed", 3)
async def test_a_name_is_typed_where_the_box_asks_for_it(page, box):
    await page.open(box.url + "#box")
    form = "document.querySelector('#typing')"
    await page.until("document.querySelectorAll('#status dt').length > 2")
    assert await page.eval(f"{form}.hidden")
    box.typing = True
    await page.until(f"!{form}.hidden")
    await page.eval("document.querySelector('#typed').focus()")
    events = len(box.events)
    await page.call("Input.insertText", text="Ubertino da Casale")
    await page.key("u")
    await page.call("Input.insertText", text="")
    await page.click("#typing button")
    while not box.typed:
        await asyncio.sleep(0.02)
    assert box.typed[0].startswith("Ubertino da Casale")
    assert len(box.events) == events, "letters press no keys of the box"
    assert page.errors == []
