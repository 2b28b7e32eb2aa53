"""Several fields in one camera's picture, as its process tells them."""

from contextlib import nullcontext
from queue import SimpleQueue
from types import SimpleNamespace

import pytest

from device.sensors import Door
from device.sensors import camera as sensor
from device.sensors.camera.eye import Eye
from device.sensors.learnt import Mount
from device.sensors.messages import Begin, Expected
from device.sensors.readers.reader import Seen
from device.sensors.simulated_table import CameraFault, SimulatedTable
from device.sensors.sources.simulated import lens_of
from device.settings import CameraSettings, PluginSection
from tests.device.sensors.camera.live import Live

LENS = lens_of((1536, 864))
SEATED = Expected("match", 3, "san_gimignano", "market=5,6,7,8,9 hand.a=8,8,8,6 hand.b=?5 turn=a")


def laid(*faults, **columns):
    fields = {field: tuple(tuple(tower.split()) for tower in towers) for field, towers in columns.items()}
    return SimulatedTable(
        columns=fields,
        elevation_deg=75.0,
        azimuth_deg=5.0,
        distance_mm=750.0,
        faults=frozenset(faults),
    )


@pytest.fixture(params=[(), ("area1", "area2")], ids=["whatever is seen", "both named"])
def live(request, monkeypatch, tmp_path):
    monkeypatch.setattr(sensor, "RETRY_S", (0.0, 0.0))
    SimulatedTable().save(tmp_path / "table")
    camera = CameraSettings("simulated", request.param)
    live = Live(SEATED, Mount(camera, tmp_path, tmp_path / "table"), LENS)
    yield live
    live.end()


@pytest.mark.pictures
@pytest.mark.timeout(300)
def test_what_is_built_before_a_seat_is_told_with_both_in_one_picture(live):
    assert live.look(laid(area1=(), area2=())) == []
    (told,) = live.look(laid(area1=("8 8 8",), area2=()))
    assert (told.what, told.candidates[0][0], told.question) == ("towers", "a=8x3 b=-", None)
    assert live.words == ""


@pytest.mark.pictures
@pytest.mark.timeout(300)
def test_a_field_of_which_the_markers_are_hidden_matters_only_where_it_was_named(live):
    live.look(laid(CameraFault.NO_MARKERS, area1=(), area2=()), pictures=4)
    assert bool(live.words) == bool(live._mount.camera.fields)
    (told,) = live.look(laid(CameraFault.NO_MARKERS, area1=(), area2=("5 5 5",)))
    assert told.candidates[0][0] == "a=- b=5x3"


def test_a_field_as_expected_again_takes_back_nothing_that_another_has_told_since(tmp_path):
    said = []
    door = Door(Begin(PluginSection("camera", 0, {}), str(tmp_path)), SimpleQueue(), said.append)
    camera = sensor.Worker(Mount(CameraSettings("simulated"), tmp_path), door)

    def eye(name, *as_expected):
        """An eye that has so many looks, each as expected or not; it tells which."""
        found, looks = Eye(camera._mount, nullcontext), iter(as_expected)
        found._reader = SimpleNamespace(
            report=lambda seen: "as expected" if seen.finding.as_expected else name
        )
        found._look = lambda *_: Seen(SimpleNamespace(as_expected=next(looks)), None, agreed=True)
        return found

    camera._eyes = (eye("one", True, False, True, True), eye("other", False, True, True, True))
    for _ in range(4):
        camera._look(None, None)
    assert said == ["other", "one", "as expected"]
