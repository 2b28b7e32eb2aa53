"""How many boxes a desk hears, and how soon: figures, printed, and that nothing is lost.

`PODESTA_BOXES=200 PODESTA_PAUSE_S=6 pytest -m soak -s tests/device/event/test_many.py` for other numbers.
"""

import asyncio
import os
import statistics
import subprocess
import sys
import time

import pytest

from device.bench.event.broker import alone, spent
from device.event import Topics, credential, plan
from device.event.desk.rows import LiveRecord, TableResult
from device.event.desk.store import DeskStore, sqlite_address
from tests.device.event.mosquitto import Broker, PublishingBox, free_port, needed
from tests.device.event.test_live import DESK_PROCESS
from tests.engines.walks import soak


class Heard:
    """When each step was on the disk, and when the box knew that the desk has it."""

    def __init__(self, box):
        self.box, self.lags, self.waiting = box, [], []
        hear = box.publisher.outbox.hear

        def heard(told):
            hear(told)
            while self.waiting and self.waiting[0][0] <= told.have:
                self.lags.append(time.perf_counter() - self.waiting.pop(0)[1])

        box.publisher.outbox.hear = heard

    async def play(self, pause):
        for step in self.box.steps:
            await self.box.enter(step)
            self.waiting.append((self.box.library.referee.recorded, time.perf_counter()))
            await asyncio.sleep(pause)


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_many_boxes_at_one_desk(tmp_path):
    needed()
    boxes = int(os.environ.get("PODESTA_BOXES", soak(50, 6)))
    pause = float(os.environ.get("PODESTA_PAUSE_S", soak(2.0, 0.3)))
    port = free_port()
    plan(tmp_path / "cup", "Friday cup", boxes, broker=f"mqtt://127.0.0.1:{port}")
    broker = Broker(tmp_path / "cup" / "broker", port).start()
    store = DeskStore(sqlite_address(tmp_path / "desk"))
    store.name_event("Friday cup", "Olga")
    command = [sys.executable, "-c", DESK_PROCESS, str(tmp_path)]
    desk = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    desk.stdout.readline()

    async def settled(matches):
        while len({row.match for row in store.every(TableResult)}) < matches:
            await asyncio.sleep(0.5)

    async def main():
        at = credential(tmp_path / "cup" / "broker" / "desk.json")
        rate = await alone(at, Topics.of("Friday cup"), 4000, 1200)
        made = [
            PublishingBox(
                tmp_path / f"box-{at}", tmp_path / "cup" / f"table-{at:0{max(2, len(str(boxes)))}}.toml"
            )
            for at in range(1, boxes + 1)
        ]
        for one in made:
            one.online()
            one.open()
        while any(one.publisher.why for one in made):
            await asyncio.sleep(0.1)
        heard = [Heard(one) for one in made]
        began, (cpu, _) = time.perf_counter(), spent(desk.pid)
        await asyncio.gather(*(one.play(pause) for one in heard))
        took = time.perf_counter() - began
        busy, memory = spent(desk.pid)
        await settled(boxes)
        lags = sorted(lag for one in heard for lag in one.lags)
        after = spent(desk.pid)[0] - busy
        steps = sum(len(one.lags) + len(one.waiting) for one in heard)
        print(f"\n{boxes} boxes, {steps} steps in {took:.1f} s: {steps / took:.1f} steps/s")
        print(f"from disk to the desk's word: median {statistics.median(lags) * 1000:.0f} ms, ", end="")
        print(f"95 % {lags[int(len(lags) * 0.95)] * 1000:.0f} ms, worst {lags[-1] * 1000:.0f} ms")
        print(f"desk: {100 * (busy - cpu) / took:.0f} % of a core, {memory:.0f} MB; ", end="")
        print(f"{after:.1f} s of CPU for {boxes} results")
        for one in made:
            await one.offline()
            for _ in range(soak(5, 1)):
                one.open()
                await one.play()
        before, (cpu, _) = len(store.every(LiveRecord)), spent(desk.pid)
        began = time.perf_counter()
        for one in made:
            one.online()
        files = [path for one in made for path in one.library.matches.iterdir()]
        lines = sum(path.read_bytes().count(b"\n") for path in files)
        while len(store.every(LiveRecord)) < lines:
            await asyncio.sleep(0.5)
        took, new = time.perf_counter() - began, lines - before
        busy, memory = spent(desk.pid)
        print(
            f"after hours without the broker: {new} records in {took:.1f} s: {new / took:.0f} a second; ",
            end="",
        )
        print(f"desk: {100 * (busy - cpu) / took:.0f} % of a core, {memory:.0f} MB")
        print(f"Mosquitto alone, one client to another, 1200 bytes: {rate:.0f} messages/s")
        await settled(len(files))
        for one in made:
            await one.close()

    try:
        asyncio.run(main())
    finally:
        desk.kill()
        broker.kill()
        store.close()
