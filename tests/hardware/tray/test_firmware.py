"""The tray's node: its firmware under MicroPython, over a pseudo-terminal, to the box's own line service.

Time is the samples' own: a minute takes a moment, and stands still while the box answers.
"""

import asyncio
import threading
import time

import pytest

from device.bench.tray.simulated import NodeEnded, SimulatedNode
from device.line import LineService
from device.settings import LineSettings
from device.simulate import SimulatedLine
from device.telemetry import GatePassed, Health, Weight
from tests.device.line.fakes import FakeDoor
from tests.micropython import micropython
from vision.simulated_tray import WeighedTable

pytestmark = pytest.mark.timeout(60)


class Bench:
    """The box's line service in a thread, the node at the far end of its line, a simulated tray under it."""

    def __init__(self, folder, **table):
        self.table = WeighedTable(7, **table)
        self.told = []
        self.states = []
        self.near, self.far = folder / "line", folder / "line-node"
        self.node = SimulatedNode(micropython(), self.far, folder)
        self._loop = asyncio.new_event_loop()
        self._started = threading.Event()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._serve(),))

    async def _serve(self):
        self.line = SimulatedLine(self.near, self.far, seed=3)
        self.line.start()
        self.service = LineService(
            [LineSettings(url=str(self.near))],
            FakeDoor(),
            on_telemetry=self.told.append,
            on_state=self.states.append,
            retry=(0.01, 0.05),
            hurried=True,
        )
        self._task = asyncio.ensure_future(self.service.run())
        self._started.set()
        await asyncio.wait([self._task])
        self.line.close()

    @property
    def online(self):
        return self.service.states[0].online

    def unplug(self):
        self._loop.call_soon_threadsafe(self.line.unplug)
        self.until(lambda: not self.online)

    def replug(self):
        self._loop.call_soon_threadsafe(self.line.replug)
        self.until(lambda: self.online)

    def run(self, seconds, *, patience=10.0):
        """Let so many seconds pass, and wait up to ``patience`` real ones for each answer of the box."""
        for sample in self.table.run(round(seconds * 1000)):
            self.node.feed(sample.ms, sample.raw, sample.gates)
            if patience:
                self.node.settle(patience)

    def until(self, predicate):
        """Wait until the box has heard it."""
        for _ in range(1000):
            if predicate():
                return
            time.sleep(0.01)
        raise AssertionError(f"not within 10 s; heard last {self.told[-5:]}")

    def messages(self, kind):
        return [one.message for one in self.told if isinstance(one.message, kind)]

    @property
    def weight(self):
        """What the box was told last of what lies there."""
        return self.messages(Weight)[-1]

    @property
    def health(self):
        return self.messages(Health)[-1].state

    def __enter__(self):
        self._thread.start()
        assert self._started.wait(10)
        self.until(lambda: self.online)
        self.node.start()
        return self

    def __exit__(self, *_):
        self.node.kill()
        self._loop.call_soon_threadsafe(self._task.cancel)
        self._thread.join(10)
        self._loop.close()


@pytest.fixture
def bench(tmp_path):
    with Bench(tmp_path) as bench:
        bench.run(2)
        yield bench


def near(mg, wanted):
    """As near as the simulated cell's own errors allow: 20 mg of settling, 2 of drift."""
    return abs(mg - wanted) < 100


def test_a_throw_is_counted_by_the_gates_and_then_weighed(bench):
    bench.told.clear()
    bench.table.tower = type(bench.table.tower)(out=1.0, missed=0.0)
    bench.table.throw([0, 1, 2, 3, 4])
    bench.run(5)
    assert near(bench.weight.mg, bench.table.mg)
    assert bench.node.lamp == "rest"
    kinds = [told.kind for told in bench.told]
    assert "moving" in [told.args.split()[-1] for told in bench.told]
    first = kinds.index("gate")
    assert kinds[first : first + 3] == ["gate", "gate", "weight"]
    assert bench.told[first + 2].message.rests
    passed = {}
    for gate in bench.messages(GatePassed):
        passed[gate.name] = passed.get(gate.name, 0) + gate.passed
    assert all(4 <= count <= 5 for count in passed.values())  # two that fall together break a beam once
    assert set(passed) == {1, 2}
    bench.table.lay([5])  # over the edge: past no gate
    bench.run(3)
    assert {gate.name: gate.passed for gate in bench.messages(GatePassed)[-2:]} == {1: 0, 2: 0}


def test_nothing_is_lost_over_an_unplugged_minute(bench):
    bench.unplug()
    bench.told.clear()
    bench.table.throw([0, 1, 2, 3, 4, 5, 6])
    began = time.monotonic()
    bench.run(60, patience=0)
    assert time.monotonic() - began < 30
    assert bench.told == []
    bench.replug()
    bench.run(3)
    assert bench.weight.rests
    assert near(bench.weight.mg, bench.table.mg)
    assert bench.health == "ok"
    assert {gate.name for gate in bench.messages(GatePassed)} == {1, 2}
    assert bench.node.lamp == "rest"


def test_a_node_that_restarts_in_the_middle_of_a_throw_keeps_its_zero(bench):
    bench.table.throw([0, 1, 2, 3, 4, 5, 6, 7])
    bench.run(0.8)
    bench.node.kill()
    bench.told.clear()
    bench.node.start()
    bench.run(5)
    assert [one.state for one in bench.messages(Health)][:2] == ["rebooted", "ok"]
    assert bench.table.mg > 2000
    assert near(bench.weight.mg, bench.table.mg)
    assert bench.weight.sd_mg >= 20


@pytest.mark.parametrize(
    ("fault", "word"),
    [
        (lambda table: table.unplug(8000), "cell-gone"),
        (lambda table: table.shake(8000), "noisy"),
        (lambda table: table.block(2, 8000), "gate-blocked"),
    ],
)
def test_each_fault_has_its_word_and_goes_by(bench, fault, word):
    bench.table.lay([0, 1, 2, 3])
    bench.run(3)
    bench.told.clear()
    fault(bench.table)
    bench.run(7)
    bench.until(lambda: bench.messages(Health) and bench.health == word)
    assert bench.node.lamp == "fault"
    assert bench.service.states[0].health == word
    if word == "gate-blocked":
        assert dict(bench.messages(Health)[-1].figures)["gate"] == 2
    bench.run(4)
    bench.until(lambda: bench.health == "ok")
    assert near(bench.weight.mg, bench.table.mg)


def test_the_button_held_makes_zero_and_pressed_says_everything_again(bench):
    bench.table.lay([0, 1, 2, 3])
    bench.run(3)
    assert bench.weight.mg > 1000
    bench.node.feed(bench.table.ms, None, "00", held_ms=2500)
    bench.run(2)
    assert near(bench.weight.mg, 0)
    bench.told.clear()
    bench.node.feed(bench.table.ms, None, "00", held_ms=100)
    bench.node.settle()
    assert {told.kind for told in bench.told} == {"health", "gate", "weight"}


def test_a_half_written_zero_is_none(tmp_path):
    (tmp_path / "zero.txt").write_text("64x", "utf-8")
    with Bench(tmp_path) as bench:
        bench.run(2)
        assert near(bench.weight.mg, 0)
    assert abs(float((tmp_path / "zero.txt").read_text("utf-8")) - 644_245) < 500


def test_the_watchdog_ends_a_node_that_stands_still(bench):
    with pytest.raises(NodeEnded, match=r"watchdog: nothing happened for 90.. ms"):
        bench.node.feed(bench.node.ms + 9001, 0, "00")
