"""The desk's pages in a real browser: by keyboard alone, by themselves, on paper, with 200 tables."""

import asyncio
import json
import os
import threading
import time
from contextlib import asynccontextmanager, contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest
import uvicorn

from device.cli import main
from device.event.desk import looking
from device.event.desk.app import make_app
from device.event.desk.front import DeskSetup
from device.event.desk.rows import Attendee, JudgeCall, Role, RoundClock, SeatRow, TableResult, rank_scores
from device.event.desk.store import DeskStore
from tests.device.conftest import in_a_loop
from tests.device.event.desk.conftest import PASSWORD, gate_of, unused_at
from tests.device.event.desk.evening import Evening
from tests.device.panel.chromium import CHROMIUM, PATIENCE_S, chromium, quit_browser

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: apt install chromium-headless-shell")
needs_axe = pytest.mark.skipif(
    find_spec("axe_core_python") is None, reason="no axe-core: pip install -e '.[dev]'"
)
TABLES = 200
LOOK_S = 0.2
"""Seconds between two looks for changes here, so that nobody waits for more than is looked at."""


@pytest.fixture(scope="module", autouse=True)
def _browser_ends():
    yield
    quit_browser()


class Desk:
    """A desk that is served, its store and its address."""

    def __init__(self, folder):
        self.evening = Evening(folder, tables=2)
        self.store = DeskStore(unused_at(folder / "desk"))
        self.stick = folder / "stick"
        self.stick.mkdir()
        gate = gate_of(self.store, Role.ORGANISER, Role.JUDGE)
        self._app = make_app(DeskSetup(self.store, gate, self.evening.keys_file, (self.stick,)))

    @contextmanager
    def served(self):
        server = uvicorn.Server(
            uvicorn.Config(self._app, port=0, ws="none", lifespan="off", log_level="critical")
        )
        server.config.timeout_graceful_shutdown = 1
        thread = threading.Thread(target=server.run)
        thread.start()
        try:
            while not server.started:
                time.sleep(0.01)
            yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
            self.store.close()

    @asynccontextmanager
    async def shown(self):
        """A page that has nothing open yet, and the desk's address."""
        with self.served() as address:
            async with chromium() as page:
                yield page, address

    def many(self, tables=TABLES):
        """So many tables: some in, some disputed, calls, and the time is up."""
        store = self.store
        store.set("Olga", event="Friday cup")
        people = [f"Player {n:03}" for n in range(tables * 4)]
        with store.transaction():
            for name in people:
                store.add(Attendee(name=name), "Olga")
            seats = [
                SeatRow(1, f"table-{1 + at // 4:03}", "abcd"[at % 4], name) for at, name in enumerate(people)
            ]
            store.plan(1, seats, "Olga")
            for at in range(3 * tables // 10):
                scores = (100 - at, 90, 80, 70)
                names = tuple(people[4 * at : 4 * at + 4])
                said = f"{names[1]} says 90 : 99 : 80 : 70" if at < 4 else ""
                row = TableResult(
                    round=1,
                    table=f"table-{1 + at:03}",
                    names=names,
                    scores=scores,
                    places=rank_scores(scores),
                    source="typed",
                    disputed=said,
                )
                store.add(row, "Guido")
            waits = ((tables - 40, "a tile too many"), (tables - 2, ""), (9, "whose turn"))
            for table, what in waits[tables < 42 :]:
                store.add(JudgeCall(round=1, table=f"table-{table:03}", said=what), "Guido")
            store.add(RoundClock(round=1, left_s=-240, running=True), "Guido")
            store.audit("refused", "table-09.podesta: refused for table-009: bad signature", "Guido")


@pytest.fixture
def desk(tmp_path, monkeypatch):
    monkeypatch.setattr(looking, "LOOK_S", LOOK_S)
    return Desk(tmp_path)


async def shows(page, script):
    """Wait until something is true of a page, which another may be taking the place of."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                if await page.eval(f"document.readyState === 'complete' && Boolean({script})"):
                    return
            except AssertionError:
                pass  # the page before has just gone
            await asyncio.sleep(0.02)


def titled(text):
    return f"document.querySelector('h1')?.textContent.startsWith({json.dumps(text)})"


async def tab_to(page, what):
    """Reach something by Tab alone, and see where the keys are."""
    for _ in range(120):
        await page.key("Tab")
        if await page.eval(f"(one => {what})(document.activeElement)"):
            outline = await page.eval("getComputedStyle(document.activeElement).outlineStyle")
            assert outline != "none", f"nobody sees that the keys are at {what}"
            return
    raise AssertionError(f"no Tab reaches {what}")


async def type_into(page, name, text):
    await tab_to(page, f"one.name === {json.dumps(name)}")
    await page.eval("document.activeElement.select()")
    await page.call("Input.insertText", text=text)


async def enter(page, then):
    """Press OK and wait for the page that comes then."""
    await page.eval("window.before = 1")
    await page.key("Enter", text="\r")
    await shows(page, f"!window.before && ({then})")


async def follow(page, words, then):
    await tab_to(page, f"one.textContent.trim() === {json.dumps(words)}")
    await enter(page, then)


async def login(page, address, name="organiser", at="/"):
    await page.open(f"{address}/login", width=1280, height=800)
    await shows(page, titled("Log in"))
    await type_into(page, "name", name)
    await type_into(page, "password", PASSWORD)
    await enter(page, titled("Tables") + " || " + titled("Round"))
    if at != "/":
        await page.open(f"{address}{at}", width=1280, height=800)
        await shows(page, "document.querySelector('h1')")


@in_a_loop
async def test_an_evening_by_the_keyboard_alone(desk):
    async with desk.shown() as (page, address):
        await login(page, address)
        await follow(page, "Rounds", titled("Round 1"))
        await type_into(page, "name", "Friday cup")
        await enter(page, "document.querySelector('header strong').textContent === 'Friday cup'")
        await follow(page, "People", titled("People: 0"))
        for at, name in enumerate(("Adso", "William", "Bea", "Cy", "Dee"), 1):
            await type_into(page, "name", name)
            await enter(page, titled(f"People: {at}"))
        await follow(page, "Roll call", titled("Roll call, round 1"))
        dee = next(one.id for one in desk.store.people() if one.name == "Dee")
        await tab_to(page, f"one.name === 'roll.{dee}'")
        await page.key("ArrowRight")
        await page.key("ArrowRight")
        await follow(page, "Keep the roll call", "document.querySelector('input[value=late]:checked')")
        await follow(page, "Draw round 1", titled("Round 1"))
        await type_into(page, "sizes", "2")
        await enter(page, titled("Round 1, drawn"))
        assert "Dee (late)" in await page.eval("document.body.textContent")
        await follow(page, "Publish", "document.querySelector('h1')?.textContent === 'Round 1'")
        seats = {}
        for seat in desk.store.seats(1):
            seats.setdefault(seat.table, []).append(seat.person)
        for number, box in enumerate(desk.evening.boxes, 1):
            box.play(*seats[f"table-0{number}"])
            bundle = str(desk.stick / f"{number}.zip")
            assert main(["bundle", bundle, "--state", str(box.state)]) == 0
        await follow(page, "Take in", titled("Take results in"))
        await tab_to(page, "one.textContent === 'Take in' && one.form?.action.endsWith('/folder')")
        await enter(page, titled("What came in"))
        assert await page.eval("document.querySelectorAll('.arrived .good').length") == 2
        await follow(page, "Standings", titled("Standings after 1 round"))
        assert await page.eval("document.querySelectorAll('main tbody tr').length") == 4
        assert page.errors == []


@in_a_loop
async def test_two_hundred_tables_at_a_glance_that_change_by_themselves(desk, tmp_path):
    desk.many()
    artefacts = Path(os.environ.get("PODESTA_ARTEFACTS", tmp_path))
    async with desk.shown() as (page, address):
        await login(page, address)
        assert await page.eval("document.querySelectorAll('.chips li.overdue').length") == 140
        paint = "performance.getEntriesByName('first-contentful-paint')"
        await shows(page, f"{paint}.length")
        painted = await page.eval(f"{paint}[0].startTime")
        await page.screenshot(artefacts / "desk_200.png")
        wide = "document.documentElement.scrollWidth <= innerWidth"
        assert await page.eval(wide)
        await shows(page, "document.querySelectorAll('.cards b').length")
        link = "document.querySelector('.chips a')"
        await page.eval(f"{link}.focus()")
        took = []
        for table in (61, 62, 63):
            began = time.monotonic()
            scores = (4, 3, 2, 1)
            names = tuple(seat.person for seat in desk.store.tables(1)[table].seats)
            row = TableResult(
                round=1,
                table=f"table-{table + 1:03}",
                names=names,
                scores=scores,
                places=scores[::-1],
                source="typed",
            )
            desk.store.add(row, "Guido")
            await shows(page, f"document.querySelectorAll('.chips li').length === {140 + 61 - table - 1}")
            took.append(time.monotonic() - began)
        assert await page.eval(f"document.activeElement === {link}"), "the keys stay where they were"
        # What somebody types is not taken away, and what changed meanwhile is shown afterwards.
        await page.eval("document.querySelector('summary').click()")
        await page.eval("document.querySelector('[name=minutes]').focus()")
        await page.call("Input.insertText", text="7")
        desk.store.add(JudgeCall(round=1, table="table-150", said="sleepy"), "Guido")
        await asyncio.sleep(5 * LOOK_S)
        assert not await page.eval("document.body.textContent.includes('sleepy')")
        await page.eval("document.querySelector('[name=minutes]').value = 60; document.activeElement.blur()")
        await shows(page, "document.body.textContent.includes('sleepy')")
        print(f"first paint {painted:.0f} ms, from a result to the page {max(took):.2f} s at most")
        assert painted < 5000
        assert max(took) < 10
        await page.open(address, width=390, height=800, touch=True)
        await shows(page, titled("Round 1"))
        assert await page.eval(wide), "a phone scrolls down alone"
        await page.screenshot(artefacts / "desk_200_phone.png", full=False)
        assert page.errors == []


@in_a_loop
async def test_standings_on_paper_are_the_table_alone(desk):
    desk.many(20)
    async with desk.shown() as (page, address):
        await login(page, address, at="/standings")
        await page.call("Emulation.setEmulatedMedia", media="print")
        hidden = "getComputedStyle(document.querySelector({})).display === 'none'"
        for selector in ("header", "main a[href$='.csv']"):
            assert await page.eval(hidden.format(json.dumps(selector)))
        assert not await page.eval(hidden.format("'.on-paper'"))
        assert "Friday cup" in await page.eval("document.querySelector('.on-paper').textContent")
        assert await page.eval("document.querySelectorAll('.paper tbody tr').length") == 8


@needs_axe
@in_a_loop
async def test_every_page_is_accessible(desk):
    desk.many(9)
    axe = (Path(find_spec("axe_core_python").origin).parent / "axe.min.js").read_text("utf-8")
    find = "axe.run({resultTypes: ['violations']}).then(found => found.violations)"
    find += ".then(wrong => wrong.map(one => [one.id, one.nodes[0].html]))"
    paths = (
        *(
            "/",
            "/people",
            "/rounds",
            "/rollcall",
            "/upload",
            "/standings",
            "/audit",
            "/accounts",
        ),
        *("/round/1/table/table-001", "/round/1/table/table-009", "/paper/pairings/1", "/paper/slips/1"),
        *("/password", "/public", "/public/standings"),
    )
    async with desk.shown() as (page, address):
        await login(page, address)
        for path in paths:
            await page.open(f"{address}{path}")
            await shows(page, f"location.pathname === {json.dumps(path)}")
            await page.eval(f"{axe}; 0")
            assert (path, await page.eval(find)) == (path, [])
