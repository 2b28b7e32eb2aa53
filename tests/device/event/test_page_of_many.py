"""Boxes as processes, lighter clients and a page at a real desk and broker: figures, printed.

`PODESTA_BOXES=50 PODESTA_LIGHT=200 pytest -m soak -s tests/device/event/test_page_of_many.py`
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import threading
import time
from html import unescape

import httpx
import pytest

from device.event import credential, plan
from device.event.desk.rows import LiveRecord, SeatRow, State
from device.event.desk.store import DeskStore, sqlite_address
from tests.device.event.mosquitto import Broker, PublishingBox, free_port, needed
from tests.device.event.test_many import alone, spent
from tests.engines.walks import soak

BOX_PROCESS = """
import asyncio, json, sys, time
from pathlib import Path
from tests.device.event.mosquitto import PublishingBox
folder, table, pause = Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])
async def main():
    box = PublishingBox(folder / table, folder / "cup" / f"{table}.toml")
    box.open()
    box.online()
    while box.publisher.why:
        await asyncio.sleep(0.1)
    print("there", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    for step in box.steps:
        await box.enter(step)
        print(json.dumps([box.library.referee.recorded, time.time()]), flush=True)
        await asyncio.sleep(pause)
    await asyncio.to_thread(sys.stdin.readline)
    await box.close()
asyncio.run(main())
"""


class Page(threading.Thread):
    """The page of tables as its script keeps it: fetched anew at each change that the desk tells."""

    def __init__(self, address, password, table):
        super().__init__(daemon=True)
        self.client = httpx.Client(base_url=address, timeout=60, follow_redirects=True)
        token = re.search(r'name="csrf" value="([^"]+)"', self.client.get("/login").text)[1]
        self.client.post("/login", data={"csrf": token, "name": "organiser", "password": password})
        self.table, self.seen, self.fetched = table, [], []

    def run(self):
        with self.client.stream("GET", "/changes?round=1") as told:
            for line in told.iter_lines():
                if line.startswith("data:"):
                    began = time.time()
                    page = unescape(self.client.get("/?round=1").text)
                    self.fetched.append(time.time() - began)
                    card = page.partition(f"<b>{self.table}</b>")[2].partition("</li>")[0]
                    if found := re.search(r"record (\d+)", card):
                        self.seen.append((int(found[1]), time.time()))

    def lags(self, steps):
        """How long after each step the page had it, as far as it was still playing then."""
        first = [next((at for n, at in self.seen if n >= record), None) for record, _ in steps]
        return [at - made for at, (_, made) in zip(first, steps, strict=True) if at]


def started_desk(folder):
    desk = subprocess.Popen(
        [
            *(sys.executable, "-m", "device.cli", "desk", "--state", str(folder / "desk")),
            *("--keys", str(folder / "cup" / "keys.toml"), "--listen", "127.0.0.1:0"),
            *("--broker", str(folder / "cup" / "broker" / "desk.json")),
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    password = re.search(r"password: (\S+)", desk.stdout.readline())[1]
    return desk, password, desk.stdout.readline().strip()


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_boxes_as_processes_lighter_clients_and_a_page(tmp_path):
    needed()
    boxes = int(os.environ.get("PODESTA_BOXES", soak(50, 2)))
    light = int(os.environ.get("PODESTA_LIGHT", soak(200, 4)))
    pause = float(os.environ.get("PODESTA_PAUSE_S", soak(4.0, 0.3)))
    port, wide = free_port(), max(2, len(str(boxes + light)))
    plan(tmp_path / "cup", "Friday cup", boxes + light, broker=f"mqtt://127.0.0.1:{port}")
    tables = [f"table-{at:0{wide}}" for at in range(1, boxes + light + 1)]
    broker = Broker(tmp_path / "cup" / "broker", port).start()
    store = DeskStore(sqlite_address(tmp_path / "desk"))
    store.name_event("Friday cup", "Olga")
    pairs = [(table, seat, name) for table in tables for seat, name in (("a", "Adso"), ("b", "William"))]
    store.plan(1, [SeatRow(1, table, seat, name) for table, seat, name in pairs], "Olga")
    desk, password, address = started_desk(tmp_path)
    at_broker = credential(tmp_path / "cup" / "broker" / "desk.json")
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", BOX_PROCESS, str(tmp_path), table, str(pause)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for table in tables[:boxes]
    ]

    async def lighter():
        made = [PublishingBox(tmp_path / one, tmp_path / "cup" / f"{one}.toml") for one in tables[boxes:]]
        for one in made:
            one.open()
            one.online()
        while any(one.publisher.why for one in made):
            await asyncio.sleep(0.1)
        yield
        count = 0
        for _ in range(soak(30, 10)):
            await asyncio.gather(*(one.play(1) for one in made))
            count += len(made)
            await asyncio.sleep(pause)
        yield count
        for one in made:
            await one.close()

    def played(process):
        lines = []
        for line in process.stdout:
            lines.append(json.loads(line))
            if len(lines) == steps_each:
                break
        return lines

    async def main():
        clients = lighter()
        await anext(clients)
        for process in processes:
            assert (await asyncio.to_thread(process.stdout.readline)).strip() == "there"
        page = Page(address, password, tables[0])
        page.start()
        began, (cpu, _) = time.perf_counter(), spent(desk.pid)
        for process in processes:
            process.stdin.write("go\n")
            process.stdin.flush()
        told, count = await asyncio.gather(
            asyncio.gather(*(asyncio.to_thread(played, one) for one in processes)), anext(clients)
        )
        took, (busy, memory) = time.perf_counter() - began, spent(desk.pid)
        while sum(one.state is State.IN for one in store.tables(1)) < boxes:
            await asyncio.sleep(0.5)
        before, rate_began = len(store.every(LiveRecord)), time.perf_counter()
        wanted = sum(
            len(path.read_bytes().splitlines()) for path in tmp_path.glob("table-*/matches/*.podesta")
        )
        while len(store.every(LiveRecord)) < wanted:
            await asyncio.sleep(0.5)
        caught = time.perf_counter() - rate_began
        alone_s = await alone(at_broker, 2000, 1200)
        steps = count + sum(map(len, told))
        lags = sorted(page.lags(told[0]))
        print(f"\n{boxes} boxes as processes and {light} lighter clients: {steps} steps in {took:.1f} s")
        print(
            f"{steps / took:.1f} steps/s, as two messages each {100 * 2 * steps / took / alone_s:.1f} % of ",
            end="",
        )
        print(f"what Mosquitto alone delivers in this run: {alone_s:.0f} messages/s of 1200 bytes")
        print(f"desk: {100 * (busy - cpu) / took:.0f} % of a core, {memory:.0f} MB; ", end="")
        print(f"{wanted - before} records were late by {caught:.1f} s")
        print(
            f"from a step on the disk to the page fetched: median {statistics.median(lags):.2f} s, ", end=""
        )
        print(f"worst {lags[-1]:.2f} s of {len(lags)}; a fetch {statistics.median(page.fetched):.2f} s")
        assert len(store.every(LiveRecord)) == wanted, "nothing is lost, nothing comes twice"
        for process in processes:
            process.stdin.close()
        async for _ in clients:
            pass

    from tests.device.commands.recorded import played as recorded

    steps_each = len(recorded().steps)
    try:
        asyncio.run(main())
    finally:
        for process in processes:
            process.kill()
        desk.kill()
        broker.kill()
        store.close()
