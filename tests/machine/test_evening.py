"""The box as a machine: installed by the page, played on, written from, upgraded, hung, killed, filled up."""

import re
import shutil
import subprocess

import pytest

from device.cli import main
from device.commands import Exit
from device.event import BoxKey, Trusted, make_event, read_keys, read_place
from device.match import read
from device.match.replay import Replay
from engines import matchfile
from tests.e2e.whole_game import recorded_game
from tests.machine.machine import (
    CUTS,
    DEBIAN,
    MARKS,
    first_evening,
    repacked,
)

pytestmark = MARKS
BACK_S, WATCHDOG_S, READY_S = 10, 5, 2
"""A box that hung or died is back after the first: the watchdog's wait, a new process, and a start.

That takes the last on a machine of its own; on a shared one all but the wait takes as much longer.
"""


def test_the_package_installs_without_a_network_and_the_box_is_ready(first):
    up = first[1]["looks"]
    assert (up["simulated"], up["keys"], up["problems"], up["restarts"]) == (False, True, [], 0)
    assert up["lines"][0]["online"]
    assert (up["owner"], up["failed"]) == ("podesta 700", "")
    assert float(re.search(r": ([\d.]+) ", up["exposure"])[1]) <= 1.5
    assert any("New match" in line for line in up["text"])
    assert up["memory_mb"] < 100
    assert (up["bus"], up["camera"]) == ("nonint do_i2c 0\n", ""), "a box with keys needs no camera's library"
    print(f"{len(first_evening())} commands from the page; {up['memory_mb']:.0f} MB, {up['exposure']}")


def test_at_a_shell_there_is_one_state(first):
    shell = first[1]["states"]
    assert shell["root"][0] == 0
    assert "works in /var/lib/podesta" in shell["root"][1]
    assert shell["owner"].split() == ["podesta", "podesta"]
    assert shell["other"][0] != 0
    assert "sudo podesta facts torres check" in shell["other"][1]
    assert shell["second"] == ""


def test_the_doctor_names_what_is_missing_there_and_nothing_else(first):
    """No OpenCV or numpy, no I2C, no camera, no clock module: a box that plays by keys and line."""
    findings = first[1]["doctor"]["findings"]
    wrong = {one["name"] for one in findings if one["verdict"] != "ok"}
    assert {"package numpy", "package opencv-python-headless"} <= wrong
    assert not {"service", "state", "room", "journals", "gpio", "config", "write speed"} & wrong
    (line,) = [one for one in findings if one["name"] == "line /dev/ttyS0"]
    assert (line["verdict"], line["detail"]) == ("warn", "open, and nobody has said hello on it")


def test_power_off_is_allowed(first):
    assert first[1]["power_off"]["may"] == 's "yes"'


@pytest.fixture(scope="module")
def played(machines, package, tmp_path_factory):
    """One boot in which a game is played by the pins and goes on through all that follows: a boot is dear."""
    folder = tmp_path_factory.mktemp("played")
    with machines(folder) as machine:
        stick = folder / "stick.img"
        subprocess.run(["mkfs.vfat", "-C", stick, "16384"], check=True, capture_output=True)
        repacked(package, f"9.0~{DEBIAN}", machine.folder / "newer.deb", folder / "newer")
        shutil.copy(package, machine.folder / "older.deb")
        tasks = ("up", "pins", "stick", "upgrade", "stop", "kill", "full", "remove")
        return machine, stick, machine.boot(*tasks, options=[f"ubd1={stick}"])


def test_it_is_played_by_the_pins(played, tmp_path):
    machine, _, found = played
    print(f"power to ready {found['up']['ready_s']:.1f} s, start to ready {found['up']['start_s']:.1f} s")
    pins = found["pins"]
    assert pins["recorded"] == pins["steps"]
    told = f"{pins['presses']} presses, {pins['edges']} edges"
    print(f"{pins['steps']} steps by {told} in {pins['seconds']:.0f} s")
    machine.keep_picture("pins", tmp_path)


def test_matches_are_written_to_a_stick_by_the_keys_and_are_whole_there(played, tmp_path):
    """What was written is on it as soon as the box says so: its file is read out of the raw disk."""
    machine, disk, found = played
    found = found["stick"]
    assert "is on the stick and checked" in " ".join(found["text"].split()), (found["text"], found["log"])
    (name,) = found["files"]
    assert found["gone"]
    assert {"nosuid", "nodev", "noexec"} <= set(found["mounted"].split(","))
    subprocess.run(["mcopy", "-i", disk, f"::{name}", tmp_path / "cup.zip"], check=True)
    assert main(["verify", str(tmp_path / "cup.zip")]) == Exit.UNFINISHED
    print(f"stick: written and read back in {found['seconds']:.1f} s")
    machine.keep_picture("stick", tmp_path)


def test_it_is_upgraded_with_a_match_open_goes_back_is_removed_and_purged(played):
    """Removing keeps matches, purging does not."""
    _, _, tasks = played
    found = tasks["upgrade"]
    assert found["before"] == tasks["pins"]["steps"]
    assert (found["newer"], found["newer version"]) == (0, f"9.0~{DEBIAN}")
    assert (found["older"], found["newer recorded"]) == (0, found["before"])
    assert found["older recorded"] == found["before"]
    assert tasks["remove"] == {"task": "remove", "removed": True, "left": "", "purged": True}


@pytest.mark.parametrize("how", ["stop", "kill"])
def test_hung_or_killed_it_is_back_with_the_match(played, how):
    _, _, found = played
    assert "Watchdog timeout" in found["stop"]["journal"]
    steps, one = found["pins"]["steps"], found[how]
    assert one["turns"][0] == one["turns"][1] != ""
    assert one["recorded"] == [steps, steps]
    slower = max(1, one["start_s"] / READY_S)
    assert one["noticed_s"] < WATCHDOG_S + (BACK_S - WATCHDOG_S - READY_S) * slower
    assert one["seconds"] < BACK_S * slower
    told = f"a new process after {one['noticed_s']:.1f} s, ready {one['start_s']:.1f} s later"
    print(f"{how}: {told}, of which it worked {one['worked_s']:.1f} s; asked, {one['seconds']:.1f} s")


def test_what_a_full_disk_kept_out_is_recorded_once_there_is_room(played, tmp_path):
    machine, _, found = played
    steps, full = found["pins"]["steps"], found["full"]
    assert steps <= full["kept"] == full["entered"] - 1
    assert "NOT SAVED" not in "\n".join(full["text"])
    print(f"full: recorded {full['seconds']:.1f} s after there was room again")
    machine.keep_picture("full", tmp_path)


@pytest.mark.skipif(CUTS <= 3, reason="one boot more: `make soak` has it")
def test_a_first_game_is_played_to_its_end_by_the_pins(machine, tmp_path):
    file = recorded_game()
    found = machine.boot("up", "pins", "kept", before=f"export STEPS={len(file.steps)}")
    (path,) = (machine.folder / "matches").glob("*.podesta")
    reading = read(path)
    assert matchfile.result(Replay(reading.header, reading.records).match) == file.result
    shown = "\n".join(found["kept"]["text"])
    assert all(points in shown for points in re.findall(r" [a-d] (\d+)", file.result)), shown
    print(f"{len(file.steps)} steps, {found['pins']['presses']} presses, {found['pins']['seconds']:.0f} s")
    machine.keep_picture("kept", tmp_path)


@pytest.mark.skipif(CUTS <= 3, reason="one boot more: `make soak` has it")
def test_it_takes_its_file_of_an_event_from_a_stick_and_comes_back_as_that_table(machine, tmp_path):
    """It has the key that the organiser gave this table, and the stick no longer has it."""
    cup, disk = tmp_path / "cup", tmp_path / "stick.img"
    boxes = make_event(cup, "Friday cup", 2)
    subprocess.run(["mkfs.vfat", "-C", disk, "16384"], check=True, capture_output=True)
    subprocess.run(["mcopy", "-i", disk, *boxes, "::"], check=True)
    found = machine.boot("up", "become", options=[f"ubd1={disk}"])["become"]
    assert "This is now table-02 of Friday cup. The box restarts." in found["text"]
    assert (found["again"], found["result"], found["starts"]) == ([0, 1], "success", 0), found["log"]
    assert found["owners"] == ["podesta 600", "podesta 600"]
    assert (found["problems"], found["failed"]) == ([], ""), found["log"]
    left = subprocess.run(["mdir", "-b", "-i", disk, "::"], check=True, capture_output=True, text=True)
    assert left.stdout.split() == ["::/table-01.toml"]
    here = read_place(machine.folder)
    assert (here.table, here.event) == ("table-02", "Friday cup")
    assert read_keys(cup / "keys.toml")[BoxKey(machine.folder).public] == Trusted("table-02")
    print(f"a box of an event: back {found['seconds']:.0f} s after it said so")
    machine.keep_picture("become", tmp_path)
