"""`podesta node check` on a real pseudo-terminal, whose far end lives in the time that passes here."""

import os
import re
import select
import tty

import pytest

from device.cli import main
from device.commands import Exit
from device.line import kit
from tests.device.line.nodes_by_hand import Node, WeighsInGrams


class Keypad(Node):
    caps = "key"


class Tray(Node):
    caps = "scale"


@pytest.fixture
def plugged(monkeypatch):
    """Puts a node at a terminal and gives the terminal's name."""
    master, slave = os.openpty()
    tty.setraw(slave)

    class Terminal(kit.TimedPort):
        def write(self, data: bytes) -> None:
            super().write(data)
            while data:
                assert select.select([master], [], [], 10)[0]
                got = os.read(master, len(data))
                there.coming += got
                data = data[len(got) :]

        def read(self, seconds: float) -> bytes:
            end = there.now + seconds
            while there.now < end:
                there.tick()
                if there.out:
                    os.write(master, there.out)
                    there.out = b""
                    if self._port:
                        return super().read(10)
            return b""

        def now(self) -> float:
            return there.now

    def plug(it: Node) -> str:
        nonlocal there
        there = it
        monkeypatch.setattr(kit, "TimedPort", Terminal)
        return os.ttyname(slave)

    there = Node()
    yield plug
    os.close(master)
    os.close(slave)


def test_a_good_one(plugged, capsys):
    assert main(["node", "check", plugged(Keypad())]) == Exit.FINE
    out = capsys.readouterr().out
    assert "ok        says hello: “1 hello my-node 1 key”" in out
    assert "0 failed, 0 not tried" in out


def test_what_could_not_be_tried_is_said(plugged, capsys):
    assert main(["node", "check", plugged(Tray()), "--patience", "1"]) == Exit.UNFINISHED
    assert (
        "not tried says a line again that got no answer: it sends nothing that the box"
        in capsys.readouterr().out
    )


def test_a_bad_one_and_what_to_do(plugged, capsys):
    assert main(["node", "check", plugged(WeighsInGrams())]) == Exit.WRONG
    out = capsys.readouterr().out
    assert re.search(
        r"^fail      says what the protocol knows: “\d+ weight 31.25 0.01 rest”: write: weight", out, re.M
    )
    assert "          remedy: hardware/PROTOCOL.md" in out


def test_a_port_that_the_box_has_open(capsys):
    master, slave = os.openpty()
    box = kit.TimedPort(os.ttyname(slave), 115200)
    box.open()
    assert main(["node", "check", os.ttyname(slave)]) == Exit.UNREADABLE
    assert "another program uses it" in capsys.readouterr().err
    box.close()
    os.close(master)
    os.close(slave)
