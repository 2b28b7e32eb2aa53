"""A sensor at its door: what it is told, what it may say, and that it lives."""

import queue
import threading

import msgspec
import pytest

from device.sensors import Door, door, messages
from device.sensors.messages import NO_MATCH, Away, Beat, Begin, Expected, Heard, Reading
from device.settings import PluginSection
from device.telemetry import ReceivedMessage
from device.texts import said

EXPECTED = Expected("match", 7, "toy", "some position", question="tray", lying={"tray": 3})
WEIGHT = ReceivedMessage("tray-1", "weight", "31250 12 rest", 81_000)


class AtTheDoor:
    def __init__(self):
        self.heard, self.said = queue.SimpleQueue(), []
        self.door = Door(
            Begin(PluginSection("scale", 0, {}), "/state/sensors/scale"), self.heard, self.said.append
        )

    def tell(self, *lines):
        for line in lines:
            self.heard.put(messages.encode(line))

    @property
    def readings(self):
        return [one for one in self.said if isinstance(one, Reading)]


@pytest.fixture
def at():
    return AtTheDoor()


def test_what_is_expected_changes_while_it_waits(at):
    assert at.door.expected == NO_MATCH
    at.tell(EXPECTED)
    assert at.door.expected == NO_MATCH
    assert at.door.wait(60)
    assert at.door.expected == EXPECTED
    assert not at.door.wait(0)


def test_a_reading_counts_for_what_was_looked_at(at):
    at.tell(EXPECTED)
    at.door.wait(60)
    at.door.reading("tray", [(0.9, "total 9")])
    assert at.readings == []  # nobody has looked yet: there is no match
    assert at.door.expected.steps == 7
    at.tell(msgspec.structs.replace(EXPECTED, steps=8))
    at.door.wait(60)
    at.door.reading("tray", [(0.9, "total 9"), (0.05, "total 8")], why=["the table shakes"], picture=b"jpeg")
    candidates = (("total 9", 0.9), ("total 8", 0.05))
    assert at.readings == [
        Reading("tray", "match", 7, candidates, picture=b"jpeg", why=("the table shakes",))
    ]


@pytest.mark.parametrize(
    "candidates", [[], [(1.2, "a")], [(-0.1, "a")], [(0.6, "a"), (0.5, "b")], [(0.1, "a"), (0.5, "b")]]
)
def test_candidates_that_are_none_are_refused(at, candidates):
    with pytest.raises(ValueError, match="candidates"):
        at.door.reading("tray", candidates)


def test_a_status_is_said_once(at):
    at.door.status("21 °C")
    at.door.status("21 °C")
    at.door.trouble("camera.colour", colour="blue")
    at.door.trouble()
    at.door.away("unplugged")
    at.door.status("")
    hot = said("21 °C")
    assert at.said == [
        Beat(hot),
        Beat(hot, (said("camera.colour", colour="blue"),)),
        Beat(hot),
        Away(said("unplugged")),
        Beat(said("")),
    ]


def test_waiting_is_a_sign_of_life(at, monkeypatch):
    monkeypatch.setattr(door, "BEAT_S", 0.01)
    at.door.away("unplugged")
    at.door.wait(0.1)
    assert at.said[:3] == [Away(said("unplugged"))] * 3


def test_what_nodes_tell_is_kept_until_it_is_asked_for(at):
    at.tell(Heard(WEIGHT), Heard(WEIGHT))
    assert at.door.wait(60)
    assert at.door.telemetry() == [WEIGHT, WEIGHT]
    assert at.door.telemetry() == []


def test_busy_it_gives_signs_of_life_and_no_more_than_so_many(at, monkeypatch):
    monkeypatch.setattr(door, "BEAT_S", 0.01)
    monkeypatch.setattr(door, "BUSY_S", 3)
    said = queue.SimpleQueue()
    at.door = Door(Begin(PluginSection("scale", 0, {}), ""), at.heard, said.put)
    with at.door.busy():
        assert [said.get(timeout=10) for _ in range(3)] == [door.STARTING] * 3
        with pytest.raises(queue.Empty):
            said.get(timeout=0.05)
    assert "signs of life" not in {thread.name for thread in threading.enumerate()}
