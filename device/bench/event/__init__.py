"""An event at rates raised until the page of tables lags, with boxes as processes and lighter clients.

Boxes, broker, desk and page (``parts`` has boxes and broker) share the cores of this machine: the figures are
what the machine holds with all of them, and the desk's part of that. It needs Mosquitto, and the extra
``podesta[desk]``.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import statistics
import subprocess
import sys
import threading
import time
from asyncio.subprocess import PIPE, Process, create_subprocess_exec
from collections.abc import AsyncIterator, Sequence
from html import unescape
from http.cookiejar import CookieJar
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

import msgspec

import engines
from device.bench.event.parts import (
    COMMAND,
    Broker,
    Entered,
    PublishingBox,
    find_free_port,
    find_mosquitto,
    make_random_match,
    measure_broker,
    read_usage,
    set_log_level,
)
from device.event import Topics, make_event, read_credential
from device.event.desk import DeskStore, LiveRecord, SeatRow, prepare_sqlite
from engines.contract import SEATS

LAG_S: Final = 2.0
"""A rate holds if 95 of 100 steps are on the page within this time."""
PATIENCE_S: Final = 30.0
"""The longest wait for late steps after each rate, and for late records at the end."""
MESSAGES: Final = 2
"""The messages of a box for a step: its view, and the records."""
SIZE: Final = 1200
"""The bytes of a message if the broker is measured alone, about as many as of a step's."""
EVENT: Final = "Bench cup"
_CARD = re.compile(r"<b>([^<]+)</b> [^<]*? record (\d+)")


class Rung(msgspec.Struct, frozen=True):
    """One rate: the steps a second wanted and made, the lags in s from the disk to the page, the steps that
    never came there, and the desk's CPU (1 is a core) and memory in MB.
    """

    asked_per_s: float
    steps: int
    steps_per_s: float
    median_s: float
    p95_s: float
    worst_s: float
    unseen: int
    desk_cpu: float
    desk_mb: float
    held: bool


class EventFigures(msgspec.Struct, frozen=True):
    """The figures of an event: ``held_per_s`` is the last rate in steps a second that the page kept up with,
    0 for none, ``stopped`` why no higher one was tried.

    ``alone_per_s`` are messages a second of the broker alone in the same run, ``share`` is the share of
    ``held_per_s`` in that. ``fetch_s`` is the time to fetch the page, ``lost`` the number of records missing
    at the desk in the end, ``caught_up_s`` the time until it had all.
    """

    boxes: int
    light: int
    game: str
    seconds: float
    rungs: tuple[Rung, ...]
    held_per_s: float
    stopped: str
    alone_per_s: float
    share: float
    fetch_s: float
    lost: int
    caught_up_s: float

    def lines(self) -> list[str]:
        """Return the figures, a line a rate, then what held."""
        head = "steps/s asked  made  median s    95 %  worst  unseen  desk's CPU  MB"
        lines = [f"{self.boxes} boxes as processes, {self.light} lighter clients, {self.game}", head]
        for one in self.rungs:
            lags = f"{one.median_s:8.2f}  {one.p95_s:6.2f} {one.worst_s:6.2f}  {one.unseen:6}"
            desk = f"{100 * one.desk_cpu:8.0f} %  {one.desk_mb:3.0f}"
            mark = "" if one.held else "  does not hold"
            lines.append(f"{one.asked_per_s:13.1f} {one.steps_per_s:5.1f}  {lags}  {desk}{mark}")
        return [
            *lines,
            f"held: {self.held_per_s} steps/s, 95 of 100 on the page within {LAG_S} s; {self.stopped}",
            f"Mosquitto alone: {self.alone_per_s:.0f} messages/s of {SIZE} bytes; the rate that held is "
            f"{100 * self.share:.1f} % of that, {MESSAGES} messages a step",
            f"the page is fetched in {self.fetch_s} s; {self.lost} records lost, all there after "
            f"{self.caught_up_s} s",
        ]


class TablesPage(threading.Thread):
    """A viewer of the tables of round 1, logged in as the organiser."""

    def __init__(self, address: str, password: str) -> None:
        super().__init__(name="page", daemon=True)
        self._address = address.rstrip("/")
        self._browser = build_opener(HTTPCookieProcessor(CookieJar()))
        token = re.search(r'name="csrf" value="([^"]+)"', self._fetched("/login"))
        form = {"csrf": token[1] if token else "", "name": "organiser", "password": password}
        self._browser.open(f"{self._address}/login", urlencode(form).encode(), timeout=60).close()
        self._seen: dict[str, list[Entered]] = {}
        self.fetches: list[float] = []
        """The seconds of each fetch."""

    def _fetched(self, path: str) -> str:
        with self._browser.open(f"{self._address}{path}", timeout=60) as answer:
            return unescape(answer.read().decode("utf-8"))

    def run(self) -> None:
        """Look until the desk is gone."""
        try:
            with self._browser.open(f"{self._address}/changes?round=1", timeout=60) as told:
                for line in told:
                    if line.startswith(b"data:"):
                        self._look()
        except OSError:
            return

    def _look(self) -> None:
        began = time.time()
        page = self._fetched("/?round=1")
        self.fetches.append(time.time() - began)
        self.note(page, began + self.fetches[-1])

    def note(self, page: str, at: float) -> None:
        """Note the record on each table's card."""
        for table, record in _CARD.findall(page):
            self._seen.setdefault(table, []).append(Entered(int(record), at))

    def lags(self, table: str, made: Sequence[Entered]) -> list[float | None]:
        """Return the time from each step at a table to the page, None for a step not there yet."""
        seen = list(self._seen.get(table, ()))
        found = (next((one.at for one in seen if one.record >= step.record), None) for step in made)
        return [at - step.at if at else None for at, step in zip(found, made, strict=True)]


def measure(boxes: int, light: int, seconds: float, rungs: int) -> EventFigures:
    """Play with ``boxes`` processes and ``light`` clients of this one, at up to ``rungs`` rates of some
    ``seconds`` each, doubled each time; raises :class:`device.bench.event.parts.NoMosquitto`.
    """
    find_mosquitto()
    set_log_level()
    with TemporaryDirectory() as folder:
        event = _Event(Path(folder), boxes, light, [*engines.GAMES][-1])
        return asyncio.run(event.measured(seconds, rungs))


class _Event:
    """An event in a folder: its files, its broker, its desk, its boxes."""

    def __init__(self, folder: Path, boxes: int, light: int, game: str) -> None:
        self.folder, self.boxes, self.light, self.game = folder, boxes, light, game
        self.cup, port = folder / "cup", find_free_port()
        files = make_event(self.cup, EVENT, boxes + light, broker=f"mqtt://127.0.0.1:{port}")
        self.tables = [file.stem for file in files]
        self.broker = Broker(self.cup / "broker", port)
        self.store = DeskStore(prepare_sqlite(folder / "desk"))
        self.store.set("bench", event=EVENT)
        seats = list[SeatRow]()
        for table in self.tables:
            header, _ = make_random_match(game, table)
            seats += [SeatRow(1, table, seat, name) for seat, name in zip(SEATS, header.names, strict=False)]
        self.store.plan(1, seats, "bench")

    async def measured(self, seconds: float, rungs: int) -> EventFigures:
        """Raise the rate until the page lags, the boxes reach their limit, or all ``rungs`` are done."""
        async with contextlib.AsyncExitStack() as stack:
            stack.callback(self.store.close)
            stack.callback(self.broker.start().kill)
            desk, page = self._start_desk(stack)
            playing = await stack.enter_async_context(self._run_boxes())
            page.start()
            found, stopped = list[Rung](), "all rates were tried"
            for number in range(rungs):
                rung = await self._measure_rate(playing, page, desk.pid, 2**number, seconds / 2**number)
                found.append(rung)
                if not rung.held:
                    late = f"95 of 100 were there within {rung.p95_s} s, {rung.unseen} never"
                    stopped = f"at {rung.asked_per_s} steps/s {late}"
                    break
                if rung.steps_per_s < 0.7 * rung.asked_per_s:
                    stopped = "the boxes on this machine make no more"
                    break
            lost, caught_up_s = await self._wait_caught_up()
            at = read_credential(self.cup / "broker" / "desk.json")
            assert at is not None
            alone_per_s = await measure_broker(at, Topics.of(EVENT), 4000, SIZE)
            held = max((one.steps_per_s for one in found if one.held), default=0.0)
            return EventFigures(
                boxes=self.boxes,
                light=self.light,
                game=self.game,
                seconds=seconds,
                rungs=tuple(found),
                held_per_s=held,
                stopped=stopped,
                alone_per_s=round(alone_per_s),
                share=round(MESSAGES * held / alone_per_s, 4),
                fetch_s=round(statistics.median(page.fetches or [0.0]), 3),
                lost=lost,
                caught_up_s=round(caught_up_s, 1),
            )

    def _start_desk(self, stack: contextlib.AsyncExitStack) -> tuple[subprocess.Popen[str], TablesPage]:
        """Start the desk as people do, and open its page."""
        desk = subprocess.Popen(
            [
                *(sys.executable, "-m", "device.cli", "desk", "--state", str(self.folder / "desk")),
                *("--keys", str(self.cup / "keys.toml"), "--listen", "127.0.0.1:0"),
                *("--broker", str(self.cup / "broker" / "desk.json")),
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        stack.callback(desk.wait)
        stack.callback(desk.kill)
        assert desk.stdout is not None
        told = [desk.stdout.readline(), desk.stdout.readline().strip()]
        password = re.search(r"password: (\S+)", told[0])
        if not password or not told[1].startswith("http"):
            raise RuntimeError(f"podesta desk did not start: {told}")
        return desk, TablesPage(told[1], password[1])

    @contextlib.asynccontextmanager
    async def _run_boxes(self) -> AsyncIterator[tuple[list[Process], list[PublishingBox]]]:
        """Run all boxes, connected to the broker."""
        started = [await self._start_box(table) for table in self.tables[: self.boxes]]
        made = [
            PublishingBox(self.folder / table, self.cup / f"{table}.toml", simulated=True)
            for table in self.tables[self.boxes :]
        ]
        try:
            for box in made:
                box.begin(*make_random_match(self.game, box.place.table))
                box.online()
            await asyncio.gather(*(box.there() for box in made))
            for process in started:
                assert process.stdout is not None
                await process.stdout.readline()
            yield started, made
        finally:
            for process in started:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
            for box in made:
                await box.close()

    async def _start_box(self, table: str) -> Process:
        state, file = str(self.folder / table), str(self.cup / f"{table}.toml")
        return await create_subprocess_exec(*COMMAND, state, file, self.game, stdin=PIPE, stdout=PIPE)

    async def _measure_rate(
        self,
        playing: tuple[list[Process], list[PublishingBox]],
        page: TablesPage,
        desk: int,
        count: int,
        pause_s: float,
    ) -> Rung:
        """Play ``count`` steps at each table, one in each pause, and wait until the page has them."""
        processes, made = playing
        began, (cpu, _) = time.perf_counter(), read_usage(desk)
        entered: Sequence[list[Entered]] = await asyncio.gather(
            *(_play_remotely(process, count, pause_s) for process in processes),
            *(box.paced(count, pause_s, Random(box.place.table)) for box in made),
        )
        took, (busy, memory) = time.perf_counter() - began, read_usage(desk)
        until = time.monotonic() + PATIENCE_S
        while None in (lags := self._list_lags(page, entered)) and time.monotonic() < until:
            await asyncio.sleep(0.2)
        there = sorted(lag for lag in lags if lag is not None) or [PATIENCE_S]
        p95, unseen = there[int(0.95 * (len(there) - 1))], lags.count(None)
        return Rung(
            asked_per_s=round(len(self.tables) / pause_s, 2),
            steps=len(lags),
            steps_per_s=round(len(lags) / took, 2),
            median_s=round(statistics.median(there), 2),
            p95_s=round(p95, 2),
            worst_s=round(there[-1], 2),
            unseen=unseen,
            desk_cpu=round((busy - cpu) / took, 3),
            desk_mb=round(memory),
            held=p95 <= LAG_S and not unseen,
        )

    def _list_lags(self, page: TablesPage, entered: Sequence[list[Entered]]) -> list[float | None]:
        told = zip(self.tables, entered, strict=True)
        return [lag for table, made in told for lag in page.lags(table, made)]

    async def _wait_caught_up(self) -> tuple[int, float]:
        """Wait until the desk has every line of every journal; return the number missing, and the time."""
        paths = self.folder.glob("table-*/matches/*.podesta")
        wanted, began = sum(path.read_bytes().count(b"\n") for path in paths), time.perf_counter()
        while True:
            lost, took = wanted - len(self.store.every(LiveRecord)), time.perf_counter() - began
            if not lost or took > PATIENCE_S:
                return lost, took
            await asyncio.sleep(0.5)


async def _play_remotely(process: Process, count: int, pause_s: float) -> list[Entered]:
    """Let a box in a process play; return its steps."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{count} {pause_s}\n".encode())
    await process.stdin.drain()
    return msgspec.json.decode(await process.stdout.readline(), type=list[Entered])
