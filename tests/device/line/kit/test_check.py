"""The conformance kit: what is right passes, and each thing that is wrong is found by the check for it."""

import binascii
import re
from functools import cache

import pytest

from device.line.frames import encode
from device.line.kit import Kit
from tests.device.line.nodes_by_hand import (
    BAD,
    AsksAllTheTime,
    AtAnotherSpeed,
    BeginsItsChecksumOtherwise,
    EndsNoLine,
    Node,
    Silent,
    VirtualWire,
)


@cache
def tried(kind: type[Node]) -> dict[str, tuple[str, str, str]]:
    return checked(kind())


def checked(node: Node) -> dict[str, tuple[str, str, str]]:
    asked: list[str] = []
    checks = list(Kit(VirtualWire(node), asked.append, 20).run())
    assert len({check.name for check in checks}) == len(checks)
    assert all(bool(check.remedy) == (check.verdict == "fail") for check in checks)
    return {check.name: (check.verdict, check.seen, check.remedy) for check in checks}


class Keypad(Node):
    caps = "key"


class Tray(Node):
    caps = "scale"


class Camera(Node):
    caps = "reading"


class Reset(Node):
    """A board that opening the port resets."""

    def opened(self) -> None:
        self.start()


class Booting(Node):
    """A board that says in other words that it starts."""

    def opened(self) -> None:
        self.out += b"\xf0\x9frst:0x1 (POWERON)\n"


class SaysNoHello(Node):
    """One that goes on as if the box knew it."""

    def tick(self) -> None:
        super().tick()
        self.out, self.said = b"" if self.said else encode(1, "key", "ok"), True

    said = False


@pytest.mark.parametrize("kind", [Node, Keypad, Tray, Camera, Reset, Booting])
def test_nothing_is_wrong_with_a_good_one(kind):
    checks = tried(kind)
    assert [name for name, (verdict, *_) in checks.items() if verdict == "fail"] == [], checks
    untried = {name for name, (verdict, *_) in checks.items() if verdict == "not tried"}
    if kind is Tray:
        assert len(untried) == 6
    else:
        assert untried == ({"says again then what got no answer"} if kind is Reset else set())


@pytest.mark.parametrize("what", BAD)
def test_what_is_wrong_is_found(what):
    checks = tried(BAD[what])
    failed = {name for name, (verdict, *_) in checks.items() if verdict == "fail"}
    assert what.partition(": ")[0] in failed, checks


def test_a_wrong_baud_rate_is_not_silence():
    assert "is the baud rate right?" in tried(AtAnotherSpeed)["says hello"][1]
    assert "nothing was heard" in tried(Silent)["says hello"][1]


def test_what_is_nearly_a_hello_is_said_to_be_what_it_is():
    node = BeginsItsChecksumOtherwise()
    _, seen, remedy = checked(node)["says hello"]
    begun, due = (binascii.crc_hqx(node.body, first) for first in (0xFFFF, 0))
    assert f"the checksum does not fit: {begun:04X}, due is {due:04X}" in seen
    assert "begun with 0000" in remedy
    _, seen, remedy = tried(EndsNoLine)["says hello"]
    assert re.search(r"no line end behind “\d+ hello my-node 1", seen)
    assert "line feed" in remedy


def test_in_the_place_of_a_hello_the_last_line_that_came_is_shown():
    seen = tried(SaysNoHello)["says hello"][1]
    assert seen == "no hello within 8 s; “1 key ok”"


def test_too_many_lines_are_told_with_the_limit():
    assert tried(AsksAllTheTime)["does not say too much"][1].endswith(
        " lines within a second, 100 is the most"
    )


def test_every_check_has_a_node_that_fails_it():
    found = {what.partition(": ")[0] for what in BAD}
    assert found == set(tried(Node)) - {"says it again when the box could not read it"}
