"""Throws into the cube tower, as the process of the tray's camera tells them."""

import msgspec
import pytest

from device.sensors import camera as sensor
from device.sensors.learnt import Mount
from device.sensors.messages import Expected
from device.sensors.simulated_table import SimulatedTable
from device.settings import CameraSettings
from device.texts import key_of
from engines.contract import Exact, Multiset
from engines.marrakesh.pieces import LETTERS, keshis
from tests.device.sensors.camera.live import Live

THROWN = {"turquoise": 1, "red": 2, "white": 1, "yellow": 1, "black": 1}
DOMAIN = Multiset("tray", tuple(LETTERS), 0, 60, keshis(THROWN), keshis({**THROWN, "green": 1}))
WAITING = Expected("match", 7, "marrakesh", "a throw", question="tray", domain=DOMAIN)
LYING = (
    ("red", 60.0, 60.0, 20.0),
    ("turquoise", 100.0, 40.0, 0.0),
    ("white", 120.0, 90.0, 45.0),
    ("black", 40.0, 100.0, 10.0),
    ("green", 140.0, 50.0, 70.0),
)
FALLEN = ("yellow", 90.0, 110.0, 70.0)
ALL, FIVE = "1t1g1k1w1r1l", "1t1g1k1w1r"


@pytest.fixture
def live(monkeypatch, tmp_path):
    monkeypatch.setattr(sensor, "RETRY_S", (0.0, 0.0))
    SimulatedTable().save(tmp_path / "table")
    live = Live(WAITING, Mount(CameraSettings("simulated", "tray"), tmp_path, tmp_path / "table"))
    yield live
    live.end()


def lying(*keshis):
    return SimulatedTable(keshis=keshis, elevation_deg=78.0)


def told(readings):
    return [(reading.candidates[0][0], [key_of(one) for one in reading.why]) for reading in readings]


def test_an_empty_tray_is_waited_for_what_came_out_is_told_once_and_taken_back_with_it(live):
    assert live.look(lying()) == []
    assert told(live.look(lying(*LYING, FALLEN))) == [(ALL, [])]
    assert live.look(lying(*LYING, FALLEN)) == []
    (reading,) = live.look(lying())
    assert (reading.candidates[0][0], reading.meanings) == ("0", (Exact(()),))


def test_what_is_counted_meanwhile_is_judged_with_the_picture(live):
    assert told(live.look(lying(*LYING))) == [(FIVE, [])]
    live.expect(msgspec.structs.replace(WAITING, counted=((5, 0.97),)))
    live.look(lying(*LYING), 1)  # the one that was waited for
    assert told(live.look(lying(*LYING))) == [(FIVE, [])]
    live.expect(msgspec.structs.replace(WAITING, counted=((9, 0.97),)))
    live.look(lying(*LYING), 1)
    assert told(live.look(lying(*LYING))) == [(FIVE, ["tray.total"])]


def test_once_the_throw_is_entered_no_picture_is_taken(live):
    live.look(lying(*LYING))
    assert live.rests() == 3
