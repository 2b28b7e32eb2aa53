"""The machine's power taken away while a game is played, and what the disk may have then."""

import json
import random
import re
import shutil
import statistics
import subprocess
import time

import pytest

from device.match import read
from device.match.records import Kind
from device.match.replay import Replay
from engines import matchfile
from tests.e2e.line_node import opening, said
from tests.e2e.whole_game import recorded_game
from tests.machine import lost_writes
from tests.machine.machine import (
    CUTS,
    LOOPS_S,
    LOUD,
    MARKS,
    SEED,
    KernelLoopsError,
    Port,
    chosen,
)

pytestmark = MARKS
DISK_MB = 64


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
        """Return what opens the game, or makes its step of that number."""
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


def play_games(machine, copy):
    """Play games with :data:`CUTS` power cuts, at most 25 in each, and go into safe mode in the last boot."""
    chance, play, left, back = random.Random(SEED), Evening(machine), CUTS, []
    while left > 0:
        play.on()
        moments = chosen(play.file.steps, min(left - 1, 25), chance)
        back += play_cut_off(play, moments, chance, copy)
        left -= len(moments) + 1
        found = machine.boot("kept", *["loop"] * (left == 0))
        path = max((machine.folder / "matches").glob("*.podesta"))
        check_journal(path, play, len(moments))
        assert json.loads(found["kept"]["starts"])["failed"] == 0, "power cuts count for nothing"
        shown = "\n".join(found["kept"]["text"])
        assert all(points in shown for points in re.findall(r" [a-d] (\d+)", play.file.result)), shown
        assert "What shall it be?" not in shown
    return machine, found, back


@pytest.fixture(scope="module")
def cut_off(machines, tmp_path_factory):
    """A machine whose power was cut under play; where its own kernel hung all is played once more."""
    print(f"PODESTA_SEED={SEED}")
    for last in (False, True):
        folder = tmp_path_factory.mktemp("cut_off")
        with machines(folder) as machine:
            try:
                return play_games(machine, folder / "copy.img")
            except (AssertionError, KernelLoopsError):
                machine.loops()
                time.sleep(LOOPS_S)
                if last or not machine.loops():
                    raise
                print("the machine's kernel hung: played again")
    return None


def test_power_cuts_cost_nothing_that_was_acknowledged(cut_off, tmp_path):
    """Each is checked on the disk; after the last the box shows the result."""
    machine, _, back = cut_off
    print(f"{CUTS} cuts, back after {statistics.median(back):.0f} s (median), {max(back):.0f} s (longest)")
    machine.keep_picture("kept", tmp_path)


def test_a_game_that_loops_leads_into_safe_mode(cut_off, tmp_path):
    machine, found, _ = cut_off
    loop = found["loop"]
    assert loop["restarts"] == 2
    assert " in legal" in loop["journal"], "where it hangs"
    text = " ".join(loop["text"])
    assert "Safe mode" in text
    assert "failed to start twice" in text
    assert "grid_toy" in text
    assert any("grid_toy" in one for one in loop["problems"])
    print(f"safe mode after {loop['seconds']:.0f} s")
    machine.keep_picture("safe", tmp_path)


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
