import errno
import json
import os
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from device import machine
from device.cli import main
from device.commands import Exit, checks
from device.keys import Input
from device.match.journal import recover
from device.sensors.camera import check as check_camera
from device.settings import KEY_CODES, CameraSettings, Config, DisplaySettings, Keypad, Keys
from tests.device.clocks import FakeClock
from tests.device.commands.recorded import drafts, journal, played

OK, WARN, FAIL = "ok", "warn", "fail"
ON_A_PI = checks.on_a_pi  # the real one: the tests run on any machine


@pytest.fixture(autouse=True)
def _no_pi(monkeypatch):
    monkeypatch.setattr(checks, "on_a_pi", lambda: False)


@pytest.fixture
def state(tmp_path):
    (tmp_path / "state" / "matches").mkdir(parents=True)
    return tmp_path / "state"


def doctor(capsys, *argv):
    """The exit status and the findings by name."""
    status = main(["doctor", *map(str, argv), "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["fine"] == (status == Exit.FINE)
    return status, {one["name"]: (one["verdict"], one["detail"]) for one in found["findings"]}


def spoil(path):
    """Damage the last record of a journal."""
    raw, payload = path.read_bytes(), played().steps[5].text.encode()
    assert payload in raw
    path.write_bytes(raw.replace(payload, payload[:-1] + b"?"))


def test_a_healthy_directory_is_left_as_it_was(state, capsys):
    journal(state / "matches" / "m.podesta", drafts(6))
    before = sorted(state.rglob("*"))
    status, found = doctor(capsys, "--state", state)
    assert status == Exit.FINE
    assert found["state"][0] == found["journals"][0] == "ok"
    assert found["journals"][1] == "1 of 1 are good"
    assert sorted(state.rglob("*")) == before


def test_a_damaged_journal_fails_until_it_is_recovered(state, capsys):
    path = state / "matches" / "m.podesta"
    journal(path, drafts(6))
    spoil(path)
    status, found = doctor(capsys, "--state", state)
    assert status == Exit.WRONG
    assert found["journals"][0] == "fail"
    assert "m.podesta: record 6" in found["journals"][1]
    recover(path, FakeClock().stamp).close()
    status, found = doctor(capsys, "--state", state)
    assert (status, found["journals"][0]) == (Exit.FINE, "warn")


@pytest.mark.parametrize(("sees", "verdict"), [(True, FAIL), (False, WARN)])
def test_what_only_a_camera_or_a_scale_needs_fails_where_there_is_one(monkeypatch, sees, verdict):
    monkeypatch.setattr(checks, "find_version", lambda *names: "")
    seeing = [one for one in checks.check_packages(False, sees) if "podesta-camera" in one.detail]
    assert [(one.name, one.verdict) for one in seeing] == [
        ("package numpy", verdict),
        ("package opencv-python-headless", verdict),
    ]


@pytest.mark.parametrize(("pi", "verdict"), [(True, WARN), (False, OK)])
def test_what_drives_the_pins_is_missed_on_a_pi_only(monkeypatch, pi, verdict):
    monkeypatch.setattr(checks, "PI_PACKAGES", ("no-such-package",))
    assert [*checks.check_packages(pi, False)][-1].verdict == verdict


@pytest.mark.parametrize(
    ("factory", "pi", "verdict"),
    [("auto", True, FAIL), ("auto", False, OK), ("mock", True, OK), ("lgpio", False, FAIL)],
)
def test_pins_are_missed_where_they_are_needed(tmp_path, factory, pi, verdict):
    config = Config(keys=Keys(factory=factory))
    assert checks.check_gpio(config, pi, tmp_path).verdict == verdict
    (tmp_path / "gpiochip0").touch()
    assert checks.check_gpio(config, pi, tmp_path) == checks.Checked(OK, "gpio", "gpiochip0")


@pytest.mark.parametrize(
    ("factory", "pi", "verdict", "word"),
    [("mock", True, WARN, "yes"), ("auto", True, OK, "no"), ("auto", False, OK, "yes")],
)
def test_a_simulated_box_is_told_to_be(factory, pi, verdict, word):
    found = checks.check_simulated(Config(keys=Keys(factory=factory)), pi)
    assert (found.verdict, found.detail.split(":")[0]) == (verdict, word)


def test_a_pi_is_known_by_its_firmware(tmp_path, monkeypatch):
    model = tmp_path / "model"
    monkeypatch.setattr(machine, "MODEL", model)
    assert not ON_A_PI()
    for text, pi in ((b"Raspberry Pi 5 Model B Rev 1.0\0", True), (b"Some Board\0", False)):
        model.write_bytes(text)
        assert ON_A_PI() == pi


def silent(bus, address):
    raise OSError(errno.EREMOTEIO, "Remote I/O error")


def test_a_display_without_a_bus_is_missed_on_a_pi(tmp_path):
    assert checks.check_display(DisplaySettings(), True, tmp_path, silent).verdict == FAIL
    assert checks.check_display(DisplaySettings(), False, tmp_path, silent).verdict == WARN
    assert checks.check_display(DisplaySettings(driver="none"), True, tmp_path, silent).verdict == OK


def test_a_display_is_asked_at_its_address(tmp_path):
    (tmp_path / "i2c-3").touch()
    asked = []
    config = DisplaySettings(port=3, address=0x3D)
    found = checks.check_display(config, True, tmp_path, lambda *where: asked.append(where))
    assert (found.verdict, asked) == (OK, [(3, 0x3D)])
    found = checks.check_display(config, True, tmp_path, silent)
    assert found.verdict == FAIL
    assert "at 0x3d: Remote I/O error" in found.detail


def test_a_device_is_asked_by_its_address_alone(monkeypatch):
    asked = []

    @contextmanager
    def bus(number):
        yield SimpleNamespace(write_quick=lambda address: asked.append((number, address)))

    monkeypatch.setattr("smbus2.SMBus", bus)
    checks.ask_bus(3, 0x3D)
    assert asked == [(3, 0x3D)]


def test_an_spi_display_is_not_asked(tmp_path):
    config = DisplaySettings(interface="spi", spi_device=1)
    assert checks.check_display(config, True, tmp_path, silent).verdict == FAIL
    (tmp_path / "spidev0.1").touch()
    assert checks.check_display(config, True, tmp_path, silent).verdict == OK


def test_a_device_that_only_its_group_may_open_names_the_group(tmp_path, monkeypatch):
    for name in ("gpiochip0", "i2c-1", "ttyUSB0", "video0"):
        (tmp_path / name).touch()
    os.mkfifo(event := tmp_path / "event0")
    pad = Input(event, "USB Pad", keys=1 << KEY_CODES["KEY_KPENTER"], axes=0)
    monkeypatch.setattr(os, "access", lambda *_: False)
    camera = CameraSettings(source=str(tmp_path / "video0"))
    found = {
        "gpio": checks.check_gpio(Config(keys=Keys(factory="lgpio")), False, tmp_path),
        "i2c": checks.check_display(DisplaySettings(), True, tmp_path, silent),
        "input": [*checks.check_keypads([Keypad("USB Pad")], [pad])][-1],
        "dialout": next(checks.check_lines([str(tmp_path / "ttyUSB0")])),
        "video": next(check_camera(camera, tmp_path / "sensors" / "camera")),
    }
    for group, one in found.items():
        assert one.verdict == FAIL
        assert one.detail.endswith(f"cannot be opened: is the user in the group {group}?")


def test_keypads_are_looked_for_and_others_named(tmp_path):
    os.mkfifo(there := tmp_path / "event0")
    pad = Input(there, "USB Pad", keys=1 << KEY_CODES["KEY_KPENTER"], axes=0)
    found = [*checks.check_keypads([Keypad("USB Pad"), Keypad("Knob"), Keypad(f"{tmp_path}/e")], [pad, pad])]
    assert [one.verdict for one in found] == [OK, OK, FAIL, FAIL]
    assert [one.detail for one in found[:2]] == ['"USB Pad"', str(there)]


def test_what_is_no_input_device_is_no_keypad(tmp_path):
    (tmp_path / "file").touch()
    for path in ("/dev/null", tmp_path, tmp_path / "file"):
        (found,) = checks.check_keypads([Keypad(str(path))], [])
        assert (found.verdict, found.detail) == (FAIL, f"{path} is not an input device")


def test_lines_are_looked_for_where_they_are_devices(tmp_path):
    there = tmp_path / "ttyUSB0"
    there.touch()
    found = [*checks.check_lines([str(there), str(tmp_path / "ttyUSB1"), "socket://node:4000"])]
    assert [one.verdict for one in found] == [OK, FAIL, OK]
    assert "ttyUSB1" in found[1].name
