"""Good and bad nodes for the conformance kit: one client, and what may be wrong with it."""

import binascii
from collections.abc import Callable

from hardware.extend.micropython.podesta_line import Line

TICK_S = 0.05


class Node:
    """A node that does a little of everything; ``out`` takes what it writes, ``heard`` what comes for it.

    A hand presses its key each ``press_s`` seconds; while it rests it says so each 2 s.
    """

    caps = "key,reading,ask,watch,scale"
    press_s = 7.0

    def __init__(self) -> None:
        self.now = 1000.0
        self.coming = b""
        self.out = b""
        self.start()

    def start(self) -> None:
        self.line = self.client()
        self.pressed = self.weighed = self.now
        self.was_ready = False

    def client(self) -> Line:
        return Line(self.write, self.read, "my-node", "1", self.caps, lambda: int(self.now * 1000))

    def write(self, data: bytes) -> None:
        self.out += data

    def read(self) -> bytes:
        data, self.coming = self.coming, b""
        return data

    def tick(self) -> None:
        self.now += TICK_S
        self.line.poll()
        if self.line.ready and not self.was_ready:
            self.arrived()
        self.was_ready = self.line.ready
        if self.line.ready and self.now - self.pressed >= self.press_s:
            self.pressed = self.now
            self.press()
        if self.line.ready and "scale" in self.caps and self.now - self.weighed >= 2:
            self.weighed = self.now
            self.weigh()

    def arrived(self) -> None:
        if "scale" in self.caps:
            self.line.send("health", "ok rate=40 noise=12", keep=False)
            self.weigh()

    def press(self) -> None:
        if "key" in self.caps:
            self.line.send("key", "ok")
        elif "reading" in self.caps:
            self.line.send("reading", "tray 0.8 total 9 | 0.15 total 10")

    def weigh(self) -> None:
        self.line.send("weight", "31250 12 rest", keep=False)

    def opened(self) -> None:
        """The box has opened the line."""


class VirtualWire:
    """A wire to a node on which time passes only while somebody reads."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.is_open = False

    def open(self) -> None:
        self.is_open = True
        self.node.out = b""
        self.node.opened()

    def close(self) -> None:
        self.is_open = False

    def write(self, data: bytes) -> None:
        self.node.coming += data

    def read(self, seconds: float) -> bytes:
        end = self.node.now + seconds
        while self.node.now < end and not (self.is_open and self.node.out):
            self.node.tick()
        data, self.node.out = self.node.out, b""
        return data if self.is_open else b""

    def now(self) -> float:
        return self.node.now


BAD: dict[str, type[Node]] = {}
"""By the name of the check that has to fail, a node that does one thing wrong."""


def bad(check: str) -> Callable[[type[Node]], type[Node]]:
    def put(kind: type[Node]) -> type[Node]:
        BAD[f"{check}: {kind.__name__}"] = kind
        return kind

    return put


def _with(client: type[Line]) -> type[Node]:
    class Other(Node):
        def client(self) -> Line:
            return client(self.write, self.read, "my-node", "1", self.caps, lambda: int(self.now * 1000))

    return Other


@bad("says hello")
class Silent(Node):
    def tick(self) -> None:
        self.now += TICK_S


@bad("says hello")
class AtAnotherSpeed(Node):
    def write(self, data: bytes) -> None:
        self.out += bytes(byte | 0x80 for byte in data)


@bad("says hello")
class BeginsItsChecksumOtherwise(Node):
    """With FFFF."""

    def write(self, data: bytes) -> None:
        self.body = data.strip(b"\n").split(b"*")[0]
        self.out += b"%s*%04X\n" % (self.body, binascii.crc_hqx(self.body, 0xFFFF))


@bad("says hello")
class EndsNoLine(Node):
    def write(self, data: bytes) -> None:
        self.out += data.replace(b"\n", b"")


@bad("says hello again until it is answered")
class SaysHelloOnce(Node):
    def write(self, data: bytes) -> None:
        if b" hello " not in data or b"1 hello" in data or self.line.ready:
            super().write(data)


@bad("takes the answer to its hello")
class NeverSatisfied(Node):
    def tick(self) -> None:
        self.line.ready = False
        super().tick()


class _CountsFromOne(Line):
    def _take(self, kind: str, args: str) -> None:
        number = self._number
        super()._take(kind, args)
        self._number = min(self._number, number)


@bad("counts its lines")
class ForgetsLast(_with(_CountsFromOne)):
    pass


@bad("says hello when the box opens the line anew")
class DeafToHello(Node):
    def read(self) -> bytes:
        data = super().read()
        return data if b"re=" in data or b" hello podesta" not in data else b""


@bad("goes on after garbage")
class DiesOfGarbage(Node):
    dead = False

    def read(self) -> bytes:
        data = super().read()
        self.dead = self.dead or b"\xff" in data
        return b"" if self.dead else data

    def write(self, data: bytes) -> None:
        if not self.dead:
            super().write(data)


class _Forgets(Line):
    def send(self, kind: str, args: str = "", keep: bool = True) -> int | None:
        number = super().send(kind, args, keep)
        self._queue.clear()
        return number


@bad("says a line again that got no answer")
class SendsOnce(_with(_Forgets)):
    pass


@bad("does not take an answer with a wrong checksum")
class TakesAnything(Node):
    def read(self) -> bytes:
        from hardware.extend.micropython.podesta_line import crc16

        lines = super().read().split(b"\n")
        return b"\n".join(
            line[:-4] + f"{crc16(line[:-5]):04X}".encode() if line[-5:-4] == b"*" else line for line in lines
        )


@bad("says it again when the box is busy")
class GivesUpWhenBusy(Node):
    def read(self) -> bytes:
        data = super().read()
        if b" busy " in data:
            self.line._queue.clear()
        return data


@bad("does not say it again once it is answered")
class NeverDone(Node):
    def read(self) -> bytes:
        data = super().read()
        return b"" if b" ack " in data and b"*" in data and self.line._queue else data


@bad("says hello when told to")
class IgnoresErrHello(Node):
    def read(self) -> bytes:
        data = super().read()
        return b"" if b" hello say hello" in data else data


@bad("says hello after the line was gone and came back")
class HangsWhenUnplugged(Node):
    opened_times = 0

    def opened(self) -> None:
        self.opened_times += 1

    def tick(self) -> None:
        if self.opened_times > 1:
            self.now += TICK_S
        else:
            super().tick()


@bad("says again then what got no answer")
class ForgetsWhenUnplugged(Node):
    opened_times = 0

    def opened(self) -> None:
        self.opened_times += 1
        if self.opened_times > 1:
            self.line._queue.clear()


@bad("a scale says health and weight when its hello is answered")
class SaysNothingOfItself(Node):
    def arrived(self) -> None:
        self.weighed = self.now + 60


@bad("says what the protocol knows")
class WeighsInGrams(Node):
    def weigh(self) -> None:
        self.line.send("weight", "31.25 0.01 rest", keep=False)


@bad("says what the protocol knows")
class SaysWhatItDidNotOffer(Node):
    caps = "reading,ask"

    def press(self) -> None:
        super().press()
        self.line.send("step", "P d m6")


@bad("keeps to checksums")
class SometimesWithoutChecksum(Node):
    def weigh(self) -> None:
        self.line._number += 1
        self.write(f"{self.line._number} weight 1 1 rest\n".encode())


@bad("does not say too much")
class CountsAllTheTime(Node):
    def tick(self) -> None:
        super().tick()
        for gate in "12":
            self.line.send("gate", f"{gate} 0", keep=False)


@bad("does not say too much")
class AsksAllTheTime(Node):
    def tick(self) -> None:
        super().tick()
        for _ in range(27):
            self.line.send("ping", keep=False)
