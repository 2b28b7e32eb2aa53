"""The box as a machine: installed, booted, played on, cut off, hung, filled up, led into safe mode.

``PODESTA_CUTS`` says how often the power is cut (3), ``PODESTA_SEED`` repeats a run.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import statistics
import subprocess
import time

import pytest
from PIL import Image

from device.backup import look
from device.cli import main
from device.commands import Exit
from device.event import BoxKey, Trusted, place, plan, read_keys
from device.match import read
from device.match.records import Kind
from device.match.replay import Replay
from engines import matchfile
from tests.e2e.line_node import opening, said
from tests.e2e.whole_game import keep, recorded_game
from tests.machine import lost_writes
from tests.machine.machine import LOUD, ROOT, Port, chosen, first_evening, released, repacked

SEED = int(os.environ.get("PODESTA_SEED") or random.SystemRandom().randrange(10**6))
CUTS = int(os.environ.get("PODESTA_CUTS", "3"))
DISK_MB = 64
BACK_S, WATCHDOG_S, READY_S = 10, 5, 2
"""A box that hung or died is back after the first: the watchdog's wait, a new process, and a start.

That takes the last on a machine of its own; on a shared one all but the wait takes as much longer.
"""
LONGEST = {"update": 40, "reset": 6, "restore": 10, "backup": 2.5, "export": 2.5}
"""What is cut off, and for how many seconds at most it was left alone before."""

pytestmark = [pytest.mark.machine, pytest.mark.timeout(900 + 60 * CUTS)]


@pytest.mark.xdist_group("first")
def test_the_package_installs_without_a_network_and_the_box_is_ready(first):
    up = first[1]["up"]
    assert (up["simulated"], up["keys"], up["problems"], up["restarts"]) == (False, True, [], 0)
    assert up["lines"][0]["online"]
    assert (up["owner"], up["failed"]) == ("podesta 700", "")
    assert float(re.search(r": ([\d.]+) ", up["exposure"])[1]) <= 1.5
    assert any("New match" in line for line in up["text"])
    assert up["memory_mb"] < 100
    assert (up["bus"], up["camera"]) == ("nonint do_i2c 0\n", ""), "a box with keys needs no camera's library"
    print(f"{len(first_evening())} commands from the page; {up['memory_mb']:.0f} MB, {up['exposure']}")


@pytest.mark.xdist_group("first")
def test_at_a_shell_there_is_one_state(first):
    shell = first[1]["states"]
    assert shell["root"][0] == 0
    assert "works in /var/lib/podesta" in shell["root"][1]
    assert shell["owner"].split() == ["podesta", "podesta"]
    assert shell["other"][0] != 0
    assert "sudo podesta facts torres check" in shell["other"][1]
    assert shell["second"] == ""


@pytest.mark.xdist_group("first")
def test_the_doctor_names_what_is_missing_there_and_nothing_else(first):
    """No OpenCV or numpy, no I2C, no camera, no clock module: a box that plays by keys and line."""
    findings = first[1]["doctor"]["findings"]
    wrong = {one["name"] for one in findings if one["verdict"] != "ok"}
    assert {"package numpy", "package opencv-python-headless"} <= wrong
    assert not {"service", "state", "room", "journals", "gpio", "config", "write speed"} & wrong
    (line,) = [one for one in findings if one["name"] == "line /dev/ttyS0"]
    assert (line["verdict"], line["detail"]) == ("warn", "open, and nobody has said hello on it")


@pytest.mark.xdist_group("first")
def test_power_off_is_allowed(first):
    assert first[1]["power_off"]["may"] == 's "yes"'


@pytest.mark.xdist_group("pins")
def test_it_is_played_by_the_pins_hung_killed_filled_up_and_led_into_safe_mode(machine, tmp_path):
    """One boot for all of them: a boot takes long here."""
    found = machine.boot("up", "pins", "stop", "kill", "full", "loop")
    print(f"power to ready {found['up']['ready_s']:.1f} s, start to ready {found['up']['start_s']:.1f} s")

    pins = found["pins"]
    assert pins["recorded"] == pins["steps"]
    told = f"{pins['presses']} presses, {pins['edges']} edges"
    print(f"{pins['steps']} steps by {told} in {pins['seconds']:.0f} s")

    assert "Watchdog timeout" in found["stop"]["journal"]
    for how in ("stop", "kill"):
        one = found[how]
        assert one["turns"][0] == one["turns"][1] != ""
        assert one["recorded"] == [pins["steps"], pins["steps"]]
        slower = max(1, one["start_s"] / READY_S)
        assert one["noticed_s"] < WATCHDOG_S + (BACK_S - WATCHDOG_S - READY_S) * slower
        assert one["seconds"] < BACK_S * slower
        told = f"a new process after {one['noticed_s']:.1f} s, ready {one['start_s']:.1f} s later"
        print(f"{how}: {told}, of which it worked {one['worked_s']:.1f} s; asked, {one['seconds']:.1f} s")

    full = found["full"]
    assert pins["steps"] <= full["kept"] == full["entered"] - 1
    assert "NOT SAVED" not in "\n".join(full["text"])
    print(f"full: recorded {full['seconds']:.1f} s after there was room again")

    loop = found["loop"]
    assert loop["restarts"] == 2
    assert " in legal" in loop["journal"], "where it hangs"
    text = " ".join(loop["text"])
    assert "Safe mode" in text
    assert "did not come up twice" in text
    assert "grid_toy" in text
    assert any("grid_toy" in one for one in loop["problems"])
    print(f"safe mode after {loop['seconds']:.0f} s")
    for name in ("pins", "full", "safe"):
        keep_picture(machine, name, tmp_path)


@pytest.mark.xdist_group("pins")
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
    keep_picture(machine, "kept", tmp_path)


@pytest.mark.xdist_group("upgrade")
def test_it_is_upgraded_with_a_match_open_goes_back_is_removed_and_purged(machine, package, tmp_path):
    """Removing keeps matches, purging does not."""
    repacked(package, "9.0~bookworm", machine.folder / "newer.deb", tmp_path / "newer")
    (machine.folder / "older.deb").write_bytes(package.read_bytes())
    tasks = machine.boot("up", "pins", "upgrade", "remove")
    found = tasks["upgrade"]
    assert found["before"] == tasks["pins"]["steps"]
    assert (found["newer"], found["newer version"]) == (0, "9.0~bookworm")
    assert (found["older"], found["newer recorded"]) == (0, found["before"])
    assert found["older recorded"] == found["before"]
    assert tasks["remove"] == {"task": "remove", "removed": True, "left": "", "purged": True}


@pytest.mark.xdist_group("upgrade")
def test_matches_are_written_to_a_stick_by_the_keys_and_are_whole_there(machine, tmp_path):
    """What was written is on it as soon as the box says so: its file is read out of the raw disk."""
    disk = tmp_path / "stick.img"
    subprocess.run(["mkfs.vfat", "-C", disk, "16384"], check=True, capture_output=True)
    found = machine.boot("up", "stick", options=[f"ubd1={disk}"])["stick"]
    assert "read back and the same" in " ".join(found["text"].split()), (found["text"], found["log"])
    (name,) = found["files"]
    assert found["gone"]
    assert {"nosuid", "nodev", "noexec"} <= set(found["mounted"].split(","))
    subprocess.run(["mcopy", "-i", disk, f"::{name}", tmp_path / "cup.zip"], check=True)
    assert main(["verify", str(tmp_path / "cup.zip")]) == Exit.UNFINISHED
    print(f"stick: written and read back in {found['seconds']:.1f} s")
    keep_picture(machine, "stick", tmp_path)


@pytest.mark.xdist_group("upgrade")
@pytest.mark.skipif(CUTS <= 3, reason="one boot more: `make soak` has it")
def test_it_takes_its_file_of_an_event_from_a_stick_and_comes_back_as_that_table(machine, tmp_path):
    """It has the key that the organiser gave this table, and the stick no longer has it."""
    cup, disk = tmp_path / "cup", tmp_path / "stick.img"
    boxes = plan(cup, "Friday cup", 2)
    subprocess.run(["mkfs.vfat", "-C", disk, "16384"], check=True, capture_output=True)
    subprocess.run(["mcopy", "-i", disk, *boxes, "::"], check=True)
    found = machine.boot("up", "become", options=[f"ubd1={disk}"])["become"]
    assert "This is table-02 of Friday cup now. The box starts anew." in found["text"]
    assert (found["again"], found["result"], found["starts"]) == ([0, 1], "success", 0), found["log"]
    assert found["owners"] == ["podesta 600", "podesta 600"]
    assert (found["problems"], found["failed"]) == ([], ""), found["log"]
    left = subprocess.run(["mdir", "-b", "-i", disk, "::"], check=True, capture_output=True, text=True)
    assert left.stdout.split() == ["::/table-01.toml"]
    here = place(machine.folder)
    assert (here.table, here.event) == ("table-02", "Friday cup")
    assert read_keys(cup / "keys.toml")[BoxKey(machine.folder).public] == Trusted("table-02")
    print(f"a box of an event: back {found['seconds']:.0f} s after it said so")
    keep_picture(machine, "become", tmp_path)


@pytest.fixture
def releases(machine, package, tmp_path):
    """A release that comes up, and one whose daemon ends at once, both by a key that the box trusts."""
    key = tmp_path / "friends"
    subprocess.run([ROOT / ".venv/bin/python", ROOT / "systemd/deb/sign", "--new", key], check=True)
    shutil.copy(key.with_suffix(".pub"), machine.folder)
    released(package, "0.2.0", machine.folder / "release", key.with_suffix(".key"))
    released(package, "0.3.0", machine.folder / "broken", key.with_suffix(".key"), "exit 1")
    disk = tmp_path / "stick.img"
    subprocess.run(["mkfs.vfat", "-C", disk, "65536"], check=True, capture_output=True)
    return [f"ubd1={disk}"]


@pytest.mark.xdist_group("update")
def test_a_signed_update_comes_up_and_a_broken_one_goes_back_though_the_power_is_cut(
    machine, releases, tmp_path
):
    """By the keys from the stick; the broken one is cut off while dpkg works, and resumed."""
    tasks = machine.boot("up", "evening", "update", "cut", options=["--cut-on", "told", *releases], cut=True)
    mine, found = tasks["evening"]["digests"], tasks["update"]
    assert (found["said"], found["version"]) == ("done", "0.2.0~bookworm installed"), found["log"]
    assert "0.2.0 is installed" in found["text"]
    assert found["previous"] == ["podesta_0.1.0~bookworm_amd64.deb"]
    assert found["home"] == ["installer.py", "previous", "result.json"]
    assert (found["restarts"], found["failed"], found["audit"]) == (0, "", "")
    assert found["digests"] == mine
    print(f"update: up and steady after {found['seconds']:.0f} s")

    machine.check_disk(tmp_path / "copy.img")
    found = machine.boot("resumed")["resumed"]
    assert (found["said"], found["version"]) == ("went_back", "0.2.0~bookworm installed"), found["log"]
    assert "0.2.0 is back" in found["text"]
    assert found["previous"] == ["podesta_0.1.0~bookworm_amd64.deb"], "it is still the version before"
    assert (found["failed"], found["audit"]) == ("", "")
    assert found["digests"] == mine
    print(f"cut off and broken: back after {found['seconds']:.0f} s")
    for name in ("begun", "updated", "went_back"):
        keep_picture(machine, name, tmp_path)


@pytest.mark.xdist_group("anew")
@pytest.mark.skipif(CUTS <= 3, reason="one boot more: `make soak` has it")
def test_the_box_is_made_new_restored_updated_and_taken_back_by_the_keys(machine, releases):
    tasks = machine.boot("up", "evening", "anew", "back", options=releases)
    found, settings = tasks["anew"], "/etc/podesta/podesta.toml"
    before, reset = found["before"], found["reset"]
    matches = {name: digest for name, digest in before.items() if "/matches/" in name}
    assert reset["said"] == "reset", found["log"]
    assert reset["digests"] == {settings: found["new"], **matches}
    assert not {"facts", "judge", "players"} & set(found["left"])
    assert found["restored"]["said"] == "restore", found["log"]
    assert found["restored"]["digests"] == before
    assert found["owners"] == ["podesta"]

    found = tasks["back"]
    assert (found["updated"]["said"], found["updated"]["version"]) == ("done", "0.2.0")
    assert (found["said"], found["version"]) == ("done", "0.1.0~bookworm installed"), found["log"]
    assert found["previous"] == ["podesta_0.2.0~bookworm_amd64.deb"]
    assert found["digests"] == before
    print(f"reset {reset['seconds']:.0f} s, back to the version before {found['seconds']:.0f} s")


@pytest.mark.xdist_group("anew")
@pytest.mark.skipif(CUTS < 50, reason="a boot for each of CUTS / 50: `make soak` has it")
@pytest.mark.parametrize(("what", "longest"), LONGEST.items())
def test_power_cuts_at_any_moment_leave_a_box_that_plays(machine, releases, tmp_path, what, longest):
    """One version or state or the other, whole; never safe mode; matches as they were; no torn file."""
    print(f"PODESTA_SEED={SEED}")
    chance = random.Random(f"{SEED} {what}")
    moments = [chance.uniform(0, longest) for _ in range(CUTS // 50)]

    def cut(after, *tasks):
        before = f"export UP_S=150 WHAT={what} AFTER={after}"
        options = ["--cut-on", "told", *releases]
        found = machine.boot(*tasks, "cut_anywhere", before=before, options=options, cut=True)
        machine.check_disk(tmp_path / "copy.img")
        return found, json.loads((machine.folder / "mine.json").read_text("utf-8"))

    tasks, mine = cut(moments[0], "up", "evening", "later")
    restored = tasks["later"]["before"]
    matches = {name: digest for name, digest in restored.items() if "/matches/" in name}
    for after, following in zip(moments, [*moments[1:], None], strict=True):
        was = mine
        if following is None:
            tasks = machine.boot("settled", options=releases)
        else:
            tasks, mine = cut(following, "settled")
        found = tasks["settled"]
        assert found["version"] in ("0.1.0~bookworm installed", "0.2.0~bookworm installed"), found["log"]
        assert (found["failed"], found["audit"]) == ("", ""), found["log"]
        assert found["starts"] == 0, (
            "a power cut or a slow machine counted as a start that failed",
            found["box"],
        )
        assert matches.items() <= found["digests"].items(), found["log"]
        if what != "reset":
            assert found["digests"] in ((was, restored) if what == "restore" else (was,)), found["log"]
        assert found["came"].get("said") not in ("went_back", "stuck"), "a power cut is no reason to go back"
        came, stick = found["came"].get("said", "nothing"), check_stick(machine.folder / "stick")
        version = found["version"].split()[0]
        print(f"{what} cut after {after:.1f} s: {came}; {version}; stick {stick}")


def check_stick(folder):
    """Check that every file on the stick that has its name is whole; how many are, and how many have none."""
    named = [path for path in folder.iterdir() if path.name.startswith("podesta-")]
    whole = [path for path in named if path.suffix in (".gz", ".zip")]
    for path in whole:
        if path.suffix == ".gz":
            look(path)
        else:
            assert main(["verify", str(path)]) in (Exit.FINE, Exit.UNFINISHED), path
    begun = [path.name for path in folder.iterdir() if path.name.startswith(".")]
    return f"{len(whole)} whole, {len(begun)} begun"


@pytest.mark.xdist_group("greedy")
@pytest.mark.skipif(CUTS <= 3, reason="one boot more: `make soak` has it")
def test_memory_runs_out_in_a_sensor_and_neither_version_starts(machine, tmp_path):
    """The sensor goes, the referee stays; where nothing starts display and page say so."""
    found = machine.boot("up", "greedy", "neither")
    greedy = found["greedy"]
    assert "SIGKILL" in greedy["says"], greedy
    assert greedy["killed"], "it ate, and the kernel ended it"
    assert (greedy["pids"][0], greedy["restarts"]) == (greedy["pids"][1], 0)
    assert greedy["recorded"] == [1, 1]
    assert greedy["slowest"] < 5
    gone, slowest = greedy["seconds"], greedy["slowest"]
    print(
        f"{greedy['most_mb']:.0f} MB: the sensor gone after {gone:.0f} s, the page answers in {slowest:.1f} s"
    )

    neither = found["neither"]
    assert "The box does not start" in neither["page"]
    assert "stuck 0.3.0 not_up 150" in neither["page"]
    assert neither["same"], "the display shows it"
    assert neither["seconds"] < 60
    print(f"neither starts: said after {neither['seconds']:.0f} s")
    for name in ("greedy", "neither"):
        keep_picture(machine, name, tmp_path)


@pytest.mark.xdist_group("odd")
@pytest.mark.skipif(CUTS <= 3, reason="one boot more: `make soak` has it")
def test_a_clock_years_off_and_a_disk_that_takes_nothing_are_told_and_the_box_is_up(machine, tmp_path):
    found = machine.boot("up", "odd")["odd"]
    (past,), (future,), (disk,) = found["past"], found["future"], found["read_only"]
    assert past.startswith("The clock says 1 Jan 1999")
    assert future.startswith("The clock says 1 Jan 2037")
    assert disk.startswith("/var/lib/podesta/matches takes nothing")
    assert "takes nothing" in " ".join(found["text"])
    keep_picture(machine, "read_only", tmp_path)


@pytest.mark.xdist_group("odd")
@pytest.mark.skipif(CUTS <= 3, reason="one boot more: `make soak` has it")
def test_writes_lost_reordered_and_torn_cost_nothing_that_was_on_the_disk(machine, tmp_path):
    """A journal on disks as a cut may leave them: each step that was waited for is there, once, in order."""
    print(f"PODESTA_SEED={SEED}")
    disk, log = tmp_path / "state.img", tmp_path / "log.img"
    for path, size in ((disk, DISK_MB), (log, 4 * DISK_MB)):
        with path.open("wb") as file:
            file.truncate(size << 20)
    steps = machine.boot("up", "logged", options=[f"ubd1={disk}", f"ubd2={log}"])["logged"]["steps"]
    written = lost_writes.entries(log)
    acknowledged = lost_writes.marks(written)
    assert sorted(acknowledged) == list(range(steps + 1))
    chance, seen = random.Random(SEED), []
    for _ in range(10 * CUTS):
        cut = lost_writes.left(written, acknowledged[0], chance, disk, DISK_MB << 20)
        told = max(number for number, at in acknowledged.items() if at <= cut)
        seen.append(check_left(disk, tmp_path / "left", told))
    print(
        f"{len(seen)} disks of {len(written)} writes, {sum(seen)} steps acknowledged; none lost, none doubled"
    )


def check_left(disk, folder, told):
    """Check that a disk has ``told`` steps, and at most one more; return how many were told."""
    subprocess.run(["e2fsck", "-fy", disk], capture_output=True, check=False)
    assert subprocess.run(["e2fsck", "-fn", disk], capture_output=True, check=False).returncode == 0
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    subprocess.run(["debugfs", "-R", f"rdump /state {folder}", disk], capture_output=True, check=True)
    due, found = recorded_game().steps, 0
    for path in sorted((folder / "state" / "matches").glob("*.podesta")):
        reading = read(path)
        assert reading.damage is None
        made = [record.payload for record in reading.records if record.kind in (Kind.STEP, Kind.REPORT)]
        assert made == [step.text for step in due[: len(made)]]
        found += len(made)
    assert told <= found <= told + 1
    return told


class Evening:
    """A node that plays a game on the machine and keeps, outside it, what was acknowledged."""

    def __init__(self, machine):
        self.machine, self.node, self.file = machine, Port(machine), recorded_game()
        self.head = 0
        """The last record the node knows of; each power-up adds one, that the match went on."""
        self.acknowledged: dict[int, str] = {}
        """What the node was told is on the disk, by its record."""

    def on(self):
        """Switch it on, and wait until the box answers on the line; how long that took."""
        began = time.monotonic()
        self.machine.begin("while :; do sleep 1; done", "--cut-on", "told", LOUD)
        self.node.wait(200)
        self.node.do("ping", timeout=200)
        if self.head:
            told = self.node.do("ask match")
            found = re.search(r" head=(\d+)", told)
            assert found, (told, self.node.heard[-20:], self.machine.console)
            self.head = int(found[1])
        return time.monotonic() - began

    def line(self, number):
        """What opens the game, or makes its step of that number."""
        return said(self.file.steps[number - 1], self.head) if number else opening(self.file)

    def tell(self, number):
        """Have a line recorded; it is said until it is acknowledged."""
        seq = self.node.number()
        self.take(number, seq, self.node.do(self.line(number), seq))

    def take(self, number, seq, answer):
        """Note that a line was acknowledged."""
        found = re.fullmatch(rf"ack {seq} (\d+)", answer)
        assert found, (answer, self.node.heard[-20:])
        self.head = int(found[1])
        if number:
            self.acknowledged[self.head] = self.file.steps[number - 1].text

    def cut(self, number, moment):
        """Lose the power about a line; the line, and its number."""
        seq, line = self.node.number(), self.line(number)
        if moment != "before":
            self.node.send(self.node.line(line, seq))
        answer = self.node.listen(seq, 20) if moment == "answered" else None
        self.machine.cut()
        if answer := answer or self.node.listen(seq, 0):
            self.take(number, seq, answer)
        self.node.unplug()
        return seq, line, bool(answer)

    def again(self, number, seq, line, acknowledged):
        """Say the line that was cut off once more: it is done once, whether the disk had it or not."""
        answer = self.node.do(line, seq)
        if acknowledged or answer.startswith("ack "):
            assert re.fullmatch(rf"ack {seq} \d+", answer), (answer, self.node.heard[-20:])
            if not acknowledged:
                record = int(answer.split()[2])
                self.acknowledged[record] = self.file.steps[number - 1].text
        else:
            assert " stale " in answer, answer
            self.tell(number)


def play_cut_off(play, moments, chance, copy):
    """Play a game with a power cut at each of those steps and one behind the last; how long each took."""
    steps, back = play.file.steps, []
    play.head, play.acknowledged = 0, {}
    play.tell(0)
    for number in range(1, len(steps)):
        if number not in moments:
            play.tell(number)
            continue
        cut = play.cut(number, chance.choice(("before", "at once", "answered")))
        play.machine.check_disk(copy)
        back.append(play.on())
        play.again(number, *cut)
    play.tell(len(steps))
    play.machine.cut()
    play.node.unplug()
    return back


def check_journal(path, play, cuts):
    """Everything that was acknowledged is there, once, and the whole game is the one that was played."""
    reading = read(path)
    replay = Replay(reading.header, reading.records)
    assert reading.damage is None
    assert not replay.drift
    assert replay.match.steps == list(play.file.steps)
    assert matchfile.result(replay.match) == play.file.result
    groups = {record.seq: record.group for record in reading.records}
    there = {(record.group, record.payload) for record in reading.records}
    told = {(groups.get(number), text) for number, text in play.acknowledged.items()}
    assert told <= there, "what was acknowledged is missing"
    assert len(play.acknowledged) == len(play.file.steps)
    steps = [record for record in reading.records if record.kind in (Kind.STEP, Kind.REPORT)]
    assert len({record.channel for record in steps}) == len(steps), "a line was done twice"
    assert sum(record.payload == "went on after a restart" for record in reading.records) == cuts


@pytest.mark.xdist_group("cuts")
def test_power_cuts_cost_nothing_that_was_acknowledged(machine, tmp_path):
    """At most 25 in a game, each checked on the disk; after the last the box shows the result."""
    print(f"PODESTA_SEED={SEED}")
    chance, play, left, back = random.Random(SEED), Evening(machine), CUTS, []
    while left > 0:
        play.on()
        moments = chosen(play.file.steps, min(left - 1, 25), chance)
        back += play_cut_off(play, moments, chance, tmp_path / "copy.img")
        left -= len(moments) + 1
        found = machine.boot("kept")["kept"]
        path = max((machine.folder / "matches").glob("*.podesta"))
        check_journal(path, play, len(moments))
        assert json.loads(found["starts"])["failed"] == 0, "power cuts count for nothing"
        shown = "\n".join(found["text"])
        assert all(points in shown for points in re.findall(r" [a-d] (\d+)", play.file.result)), shown
        assert "What shall it be?" not in shown
    print(f"{CUTS} cuts, back after {statistics.median(back):.0f} s (median), {max(back):.0f} s (longest)")
    keep_picture(machine, "kept", tmp_path)


def keep_picture(machine, name, tmp_path):
    """Keep what the display showed last, for people to look at."""
    with Image.open(machine.folder / f"{name}.png") as picture:
        keep(picture.convert("1"), f"machine_{name}.png", tmp_path)
