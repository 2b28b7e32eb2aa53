"""`podesta doctor` on the machine, and the faults planted that it must name, each with what to do."""

import errno
import json
import os
import time

import pytest

from device import config as configs
from device.cli import main
from device.commands import Exit, checks, health
from tests.device.commands.recorded import drafts, journal, played

OK, WARN, FAIL = "ok", "warn", "fail"
NOW = 1_795_000_000.0


@pytest.fixture
def state(tmp_path, monkeypatch):
    """A box in order: what its programs say is planted, too."""
    monkeypatch.setattr(configs, "SYSTEM_FILE", tmp_path / "podesta.toml")
    monkeypatch.setattr(configs, "SERVICE_STATE", tmp_path / "service")
    monkeypatch.setattr(checks, "on_a_pi", lambda: False)
    monkeypatch.setattr(health, "STARTS", tmp_path / "starts")
    monkeypatch.setattr(health, "RTC", tmp_path / "rtc0")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    told = {
        "systemctl": "LoadState=loaded\nActiveState=active\nUnitFileState=enabled\nNRestarts=0\n",
        "timedatectl": "NTPSynchronized=yes\n",
        "vcgencmd": "throttled=0x0\n",
    }
    monkeypatch.setattr(health, "run_program", lambda command, *_: told.get(command, ""))
    folder = tmp_path / "service"
    (folder / "matches").mkdir(parents=True)
    journal(folder / "matches" / "m.podesta", drafts(6))
    return folder, told


class Planted:
    """Each method plants one fault; its name is the finding's."""

    def __init__(self, folder, told, tmp_path, monkeypatch):
        self.folder, self.told, self.tmp, self.patch = folder, told, tmp_path, monkeypatch

    def config(self):
        (self.tmp / "podesta.toml").write_text("[keys]\nokk = 9\n")

    def state(self):
        def full(_file):
            raise OSError(errno.EROFS, "Read-only file system")

        self.patch.setattr(os, "fsync", full)

    def room(self):
        self.patch.setattr(checks.shutil, "disk_usage", lambda _: type("", (), {"free": 1 << 20}))

    def journals(self):
        path = self.folder / "matches" / "m.podesta"
        payload = played().steps[5].text.encode()
        path.write_bytes(path.read_bytes().replace(payload, payload[:-1] + b"?"))

    def service(self):
        self.told["systemctl"] = "LoadState=loaded\nActiveState=failed\nResult=exit-code\nNRestarts=0\n"

    def restarts(self):
        self.told["systemctl"] = "LoadState=loaded\nActiveState=active\nResult=watchdog\nNRestarts=3\n"

    def safe_mode(self):
        (self.tmp / "starts").write_text('{"boot": "x", "failed": 2, "starting": false}')

    def second_state(self):
        second = self.tmp / "home" / ".local/state/podesta"
        second.mkdir(parents=True)
        (second / "facts").mkdir()

    def clock(self):
        os.utime(self.folder / "matches" / "m.podesta", (time.time() + 9999, time.time() + 9999))

    def power_supply(self):
        self.told["vcgencmd"] = "throttled=0x50005\n"

    def write_speed(self):
        tick = iter(range(1000))
        self.patch.setattr(health.time, "perf_counter", lambda: float(next(tick)))

    def line_(self):
        (self.tmp / "podesta.toml").write_text('[[line]]\nurl = "/dev/nowhere"\n')

    def keypad_(self):
        (self.tmp / "podesta.toml").write_text('[[keypad]]\ndevice = "Pad"\n')

    def display_(self):
        (self.tmp / "podesta.toml").write_text("[display]\nport = 9\n")

    def package_(self):
        self.patch.setattr(checks, "PACKAGES", ("no-such-package",))


FAULTS = {
    "config": "okk",
    "state": "owner",
    "room": "make room",
    "journals": "recovered when it is opened",
    "service": "sudo systemctl start podesta",
    "restarts": "journalctl -u podesta",
    "safe_mode": "podesta plugin list",
    "second_state": "is not the box's",
    "clock": "sudo date -s",
    "power_supply": "5.1 V",
    "write_speed": "take another",
    "line_": "is not there",
    "keypad_": "is not there",
    "display_": "is I2C switched on?",
    "package_": "sudo apt install podesta",
}


def found(capsys):
    """The exit status and every finding."""
    status = main(["doctor", "--json"])
    return status, json.loads(capsys.readouterr().out)["findings"]


def test_a_box_in_order_has_nothing_wrong_that_is_looked_at_here(state, capsys):
    _, findings = found(capsys)
    wrong = {one["name"] for one in findings if one["verdict"] != "ok"}
    assert not {name.replace("_", " ") for name in FAULTS} & wrong
    names = {one["name"] for one in findings}
    assert {"podesta", "system", "service", "clock", "power supply", "write speed", "state"} <= names


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_that_is_planted_is_named_with_what_to_do(state, tmp_path, monkeypatch, capsys, name):
    folder, told = state
    getattr(Planted(folder, told, tmp_path, monkeypatch), name)()
    status, findings = found(capsys)
    called = name.replace("_", " ")
    wrong = [one for one in findings if one["name"].startswith(called) and one["verdict"] != "ok"]
    assert any(FAULTS[name] in one["detail"] for one in wrong), findings
    if any(one["verdict"] == "fail" for one in wrong):
        assert status == Exit.WRONG
    for one in findings:  # never fine and wrong at once
        same = {other["verdict"] for other in findings if other["name"] == one["name"]}
        assert len(same) == 1 or "ok" not in same


@pytest.mark.parametrize(
    ("unit", "verdicts"),
    [
        ({}, [OK]),
        ({"LoadState": "not-found"}, [OK]),
        ({"LoadState": "loaded", "ActiveState": "activating"}, [OK]),
        ({"LoadState": "loaded", "ActiveState": "inactive"}, [FAIL]),
        ({"LoadState": "loaded", "ActiveState": "active", "UnitFileState": "disabled"}, [WARN]),
        ({"LoadState": "loaded", "ActiveState": "failed", "NRestarts": "2"}, [FAIL, WARN]),
    ],
)
def test_the_service(unit, verdicts):
    assert [one.verdict for one in health.check_service(unit)] == verdicts


@pytest.mark.parametrize(
    ("newest", "told", "rtc", "verdict"),
    [
        (0, {"NTPSynchronized": "yes"}, False, OK),
        (0, {"NTPSynchronized": "no"}, True, OK),
        (0, {}, False, WARN),
        (NOW + 1000, {"NTPSynchronized": "yes"}, True, FAIL),
        (NOW + 60, {"NTPSynchronized": "yes"}, True, OK),
    ],
)
def test_the_clock(tmp_path, newest, told, rtc, verdict):
    file = tmp_path / "rtc0"
    if rtc:
        file.touch()
    assert health.check_clock(NOW, newest, told, file).verdict is verdict


@pytest.mark.parametrize(
    ("said", "verdicts"),
    [
        ("throttled=0x0", [OK]),
        ("throttled=0x50000", [WARN]),
        ("throttled=0x1", [FAIL]),
        ("", []),
        ("error=1 what", []),
    ],
)
def test_the_power_supply(said, verdicts):
    assert [one.verdict for one in health.check_supply(said)] == verdicts


def test_a_program_that_is_not_there_or_fails_says_nothing():
    assert health.run_program("no-such-program") == ""
    assert health.run_program("false") == ""
    assert health.run_program("echo", "A=b\nno\nC=d=e") == "A=b\nno\nC=d=e\n"
    assert health.parse_properties("A=b\nno\nC=d=e\n") == {"A": "b", "C": "d=e"}
