"""The ready-made client in Python and MicroPython, against the box's own session."""

import asyncio
import random
from collections.abc import Awaitable, Callable

import pytest

from device.line.messages import MessageError
from device.line.nodes import Nodes
from device.line.session import Session
from device.simulate import Cable
from device.telemetry import ReceivedMessage
from hardware.extend.micropython.podesta_line import WAITING, Line
from tests.device.line.fakes import FakeDoor


class LossyCable(Cable):
    """A cable that also loses whole lines, each with the probability ``drop``."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.drop = 0.0
        self._losses, self._line = random.Random(seed), b""

    def carry(self, data: bytes) -> bytes:
        *lines, self._line = (self._line + data).split(b"\n")
        return b"".join(self.carried(line) for line in lines)

    def carried(self, line: bytes) -> bytes:
        return b"" if self._losses.random() < self.drop else super().carry(line + b"\n")


class Table:
    """A session and a client on one cable; time passes in :meth:`tick` alone."""

    def __init__(self, checked: bool = False) -> None:
        self.door = FakeDoor()
        self.told: list[ReceivedMessage] = []
        self.now = 2**30 - 2500  # where MicroPython's ticks wrap
        self.said: list[bytes] = []
        self.cables = LossyCable(3), LossyCable(4)
        self._coming = b""
        self.session = Session(
            "usb", self.door, self._answer, Nodes(), on_telemetry=self.told.append, checked=checked
        )
        self.line = self.node()

    def node(self, caps: str = "step,reading,watch,ask,scale") -> Line:
        return Line(self._write, self._read, "my-node", "1", caps, lambda: self.now % 2**30)

    def _write(self, data: bytes) -> None:
        self.said.append(data)
        self.session.receive(self.cables[0].carry(data))

    def _answer(self, data: bytes) -> None:
        self._coming += self.cables[1].carry(data)

    def _read(self) -> bytes | None:
        data, self._coming = self._coming, b""
        return data or None

    async def tick(self, ms: int = 50) -> list[tuple[str, str]]:
        self.now += ms
        heard = self.line.poll()
        await self.session.wait_settled()
        return heard

    async def until(self, kind: str, most: int = 400) -> str:
        for _ in range(most):
            for said, args in await self.tick():
                if said == kind:
                    return args
        raise AssertionError(f"no {kind}; said {self.said[-3:]}")


def at(scenario: Callable[[Table], Awaitable[None]], **options: bool) -> None:
    async def main() -> None:
        table = Table(**options)
        task = asyncio.create_task(table.session.run())
        await scenario(table)
        task.cancel()

    asyncio.run(main())


@pytest.mark.parametrize("checked", [False, True])
def test_hello_step_ask(checked):
    async def scenario(t):
        t.session.on_open()
        assert t.line.send("step", "P d m6") is None
        await t.tick()
        await t.tick()
        assert t.line.ready
        number = t.line.send("step", "P d m6")
        assert await t.until("ack") == f"{number} 1"
        t.line.send("ask", "score")
        assert (await t.until("score")).endswith("a 12 b 9")
        t.session.send_event(7, "turn a")
        assert await t.until("event") == "7 turn a"
        assert all(b"*" in said for said in t.said)

    at(scenario, checked=checked)


def test_its_own_hello_that_comes_back_is_not_the_boxs():
    """A port that is being opened echoes: answered at once, that filled it before the box could listen."""

    async def scenario(t):
        t.session.receive = t._answer
        for _ in range(61):
            await t.tick()
        assert [said.split()[1] for said in t.said] == [b"hello"] * 4

    at(scenario)


def test_every_step_once_over_a_bad_cable():
    async def scenario(t):
        for cable in t.cables:
            cable.garble, cable.drop = 0.002, 0.05
        numbers = []
        for ms in range(400_000):
            if len(numbers) < 30 and (number := t.line.send("step", "P d m6")):
                numbers.append(number)
            await t.tick(200)
            if ms % 97 == 96:
                t.session.on_open()
            if len(t.door.records) == 30:
                break
        assert t.door.records == [f"line:my-node#{number} ? P d m6" for number in numbers]

    at(scenario, checked=True)


def test_told_to_say_hello_it_does():
    async def scenario(t):
        await t.until("hello")
        t.session.on_close()
        assert t.line.send("weight", "1 1 rest", keep=False)
        assert (await t.until("err")).split()[1] == "hello"
        assert "re=" in await t.until("hello")
        assert t.told == []

    at(scenario)


def test_busy_is_said_again_and_a_refusal_is_not():
    async def scenario(t):
        await t.until("hello")
        t.door.fail = MessageError("busy", "later")
        number = t.line.send("reading", "towers 1 m6")
        assert (await t.until("err")) == f"{number} busy later"
        t.door.fail = None
        assert await t.until("ack") == f"{number} 1"
        t.line.send("step", "Q")
        assert "refused" in await t.until("err")
        before = len(t.said)
        for _ in range(40):
            await t.tick()
        assert len(t.said) == before

    at(scenario)


def test_telemetry_is_said_once_and_waits_for_nothing():
    async def scenario(t):
        assert t.line.send("weight", "1 1 rest", keep=False) is None
        await t.until("hello")
        t.door.gate.clear()
        t.line.send("step", "P d m6")
        t.line.send("weight", "31250 12 rest", keep=False)
        t.door.gate.set()
        await t.until("ack")
        assert [told.args for told in t.told] == ["31250 12 rest"]
        assert len([said for said in t.said if b"weight" in said]) == 1

    at(scenario)


def test_only_so_many_lines_wait():
    async def scenario(t):
        await t.until("hello")
        t.cables[0].drop = 1.0
        taken = [t.line.send("step", "P d m6") for _ in range(WAITING + 2)]
        assert taken[WAITING:] == [None, None]
        t.cables[0].drop = 0.0
        for _ in range(60):
            await t.tick()
        assert [int(record.split("#")[1].split()[0]) for record in t.door.records] == taken[:WAITING]

    at(scenario)


def test_garbage_from_the_box_is_dropped():
    said: list[bytes] = []
    coming = [b"\xff\xfe\n1 hello pode", b"sta 1 step\n" + b"x" * 900, b"\n2 event 1 x\n3 event 1 y*0000\n"]
    line = Line(said.append, lambda: coming.pop(0) if coming else b"", "n", "1", "-", lambda: 0)
    assert [heard for _ in range(4) for heard in line.poll()] == [("hello", "podesta 1 step")]
