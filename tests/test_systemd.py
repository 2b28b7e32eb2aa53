import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from device.commands.run import START_S
from device.update import ASKED, RUNTIME, installer
from device.watchdog import ROUND_S

UNIT = Path(__file__).parents[1] / "systemd" / "podesta.service"
UPDATE = UNIT.with_name("podesta-update.service")
ANALYZE = shutil.which("systemd-analyze")

needs_analyze = pytest.mark.skipif(
    ANALYZE is None, reason="systemd-analyze is not here: the unit's words are not checked"
)


def settings(file: Path = UNIT) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key, value in re.findall(r"(?m)^(\w+)=(.*)$", file.read_text("utf-8")):
        found.setdefault(key, []).append(value)
    return found


def verify(text: str, folder: Path) -> str:
    """Return systemd's complaints about a unit, with an existing program in place of the installed one.

    The exit status is 0 in any case; only the complaints count, and only those about this unit.
    """
    unit = folder / UNIT.name
    unit.write_text(re.sub(r"(?m)^ExecStart=\S+", f"ExecStart={sys.executable}", text), "utf-8")
    done = subprocess.run(
        [str(ANALYZE), "verify", "--man=no", "--recursive-errors=no", str(unit)],
        capture_output=True,
        text=True,
        check=False,
    )
    return "\n".join(line for line in (done.stdout + done.stderr).splitlines() if UNIT.name in line)


@needs_analyze
@pytest.mark.parametrize("unit", [UNIT, UPDATE], ids=lambda unit: unit.name)
def test_systemd_understands_every_word(tmp_path: Path, unit: Path):
    assert verify(unit.read_text("utf-8"), tmp_path) == ""


@needs_analyze
def test_systemd_would_say_so(tmp_path: Path):
    text = UNIT.read_text("utf-8").replace("[Install]", "Restart=sometimes\n[Install]")
    assert "sometimes" in verify(text, tmp_path)


@needs_analyze
@pytest.mark.parametrize(("file", "most"), [(UNIT, 15), (UPDATE, 29)], ids=["box", "update"])
def test_the_sandbox_is_not_loosened(tmp_path: Path, file: Path, most: int):
    """systemd rates exposure from 0 (closed) to 10: with the table's devices and the network it is 1.3, with
    dpkg's writes 2.9.
    """
    text = file.read_text("utf-8")
    unit = tmp_path / UNIT.name
    unit.write_text(re.sub(r"(?m)^ExecStart=\S+", f"ExecStart={sys.executable}", text), "utf-8")
    done = subprocess.run(
        [str(ANALYZE), "security", "--no-pager", "--offline=true", f"--threshold={most}", str(unit)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_sandbox_leaves_the_table_open():
    """Each of these settings would take pins, I2C, serial lines, keypads, the camera or the page away."""
    unit = settings()
    for key in ("PrivateDevices", "ProcSubset", "PrivateNetwork", "IPAddressDeny", "SupplementaryGroups"):
        assert key not in unit
    assert "AF_NETLINK" in unit["RestrictAddressFamilies"][0].split()
    assert {line.split()[0] for line in unit["DeviceAllow"]} == {
        f"char-{name}"
        for name in (
            *("gpiochip", "i2c", "spi", "input", "ttyAMA", "ttyS", "ttyUSB", "ttyACM"),
            *("video4linux", "media", "dma_heap"),
        )
    }


def test_it_has_its_folders_and_the_real_pins():
    unit = settings()
    assert (unit["StateDirectory"], unit["RuntimeDirectory"]) == (["podesta"], ["podesta"])
    assert {"GPIOZERO_PIN_FACTORY=lgpio", "LG_WD=%t/podesta"} <= set(unit["Environment"])


def test_it_starts_what_is_installed_and_comes_back():
    unit = settings()
    assert unit["ExecStart"] == ["/usr/bin/podesta run"]
    assert unit["Restart"] == ["always"]
    assert unit["StartLimitIntervalSec"] == ["0"]
    assert unit["OOMPolicy"] == ["continue"]


def test_what_replaces_the_box_keeps_it_from_starting_and_goes_on_at_the_next_power_up():
    """One mark serves both; and unfinished work is a reason to start."""
    mark = str(installer.HOME / "installing")
    assert settings()["ConditionPathExists"] == [f"!{mark}"]
    unit = settings(UPDATE)
    reasons = {line.removeprefix("|") for line in unit["ConditionPathExists"]}
    ours = {str(installer.HOME / name) for name in ("installing", "job.json", ASKED)}
    assert reasons == {*ours, str(RUNTIME / ASKED)}
    assert unit["Type"] == ["exec"], "the start of the system does not wait for it"
    assert f"rm -f {mark}" in unit["ExecStopPost"][0]


@pytest.mark.parametrize(
    ("asked", "ended", "again"),
    [(True, "success", True), (False, "success", False), (True, "exit-code", False)],
)
def test_what_is_asked_for_while_the_unit_runs_is_done_behind_it(
    tmp_path: Path, asked: bool, ended: str, again: bool
):
    """Starting a running unit does nothing: the request would wait for the power-up, which loses it."""
    request, told, stub = tmp_path / ASKED, tmp_path / "told", tmp_path / "systemctl"
    if asked:
        request.touch()
    stub.write_text(f'#!/bin/sh\necho "$@" >> {told}\n', "utf-8")
    stub.chmod(0o755)
    for line in settings(UPDATE)["ExecStopPost"]:
        program, option, script = shlex.split(line.replace("$$", "$"))
        subprocess.run(
            [program, option, script.replace(str(RUNTIME / ASKED), str(request))],
            env={"PATH": f"{tmp_path}:{os.environ['PATH']}", "SERVICE_RESULT": ended},
            check=True,
        )
    said = told.read_text("utf-8") if told.exists() else ""
    assert said == (f"--no-block start {UPDATE.name}\n" if again else "")


def test_the_box_may_start_that_unit_and_no_other():
    rules = UNIT.with_name("podesta.polkit").read_text("utf-8")
    assert re.findall(r'lookup\("unit"\) == "(.*?)"', rules) == [UPDATE.name]
    assert re.findall(r'lookup\("verb"\) == "(.*?)"', rules) == ["start"]
    assert rules.count("manage-units") == 1


def test_the_watchdog_has_more_patience_than_we_have_between_two_pings():
    """A start that hangs is killed unasked: one that was asked to end has not failed."""
    unit = settings()
    assert (unit["Type"], unit["WatchdogSignal"]) == (["notify"], ["SIGKILL"])
    assert unit["TimeoutStartFailureMode"] == ["kill"]
    assert float(unit["WatchdogSec"][0]) >= 4 * ROUND_S
    assert int(unit["TimeoutStartSec"][0]) == START_S
    assert unit["RuntimeDirectoryPreserve"] == ["yes"]
