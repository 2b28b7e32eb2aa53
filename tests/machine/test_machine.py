"""The box as a machine: installed, booted, played on, cut off, hung, filled up, led into safe mode.

``PODESTA_CUTS`` says how often the power is cut (3), ``PODESTA_SEED`` repeats a run.
"""

from __future__ import annotations

import json
import os
import random
import re
import time

import pytest

from device.match import read
from device.match.records import Kind
from device.match.replay import Replay
from engines import matchfile
from tests.e2e.line_node import opening, said
from tests.e2e.whole_game import keep, recorded_game
from tests.machine.machine import Port, chosen, repacked

pytestmark = [pytest.mark.machine, pytest.mark.timeout(900)]

SEED = int(os.environ.get("PODESTA_SEED") or random.SystemRandom().randrange(10**6))
CUTS = int(os.environ.get("PODESTA_CUTS", "3"))


def test_the_package_installs_without_a_network_and_the_box_is_ready(installed):
    _, found = installed
    up = found["up"]
    assert (up["simulated"], up["keys"], up["problems"], up["restarts"]) == (False, True, [], 0)
    assert up["lines"][0]["online"]
    assert up["owner"] == "podesta 700"
    assert up["failed"] == ""
    assert float(re.search(r": ([\d.]+) ", up["exposure"])[1]) <= 1.5
    assert any("New match" in line for line in up["text"])
    assert up["memory_mb"] < 100
    print(f"start to ready {up['start_s']:.1f} s, {up['memory_mb']:.0f} MB, {up['exposure']}")


def test_it_is_played_by_the_keys_hung_killed_and_filled_up(machine, tmp_path):
    """One boot for all of them: a boot takes long here."""
    found = machine.boot("up", "pins", "stop", "kill", "full", "states")
    print(f"power to ready {found['up']['ready_s']:.1f} s, start to ready {found['up']['start_s']:.1f} s")

    pins = found["pins"]
    assert pins["recorded"] == pins["steps"]
    print(
        f"{pins['steps']} steps by {pins['presses']} presses, {pins['edges']} edges, {pins['seconds']:.0f} s"
    )

    assert "Watchdog timeout" in found["stop"]["journal"]
    for how in ("stop", "kill"):
        one = found[how]
        assert one["turns"][0] == one["turns"][1] != ""
        assert one["recorded"][0] == one["recorded"][1] == pins["steps"]
        print(f"{how}: back after {one['seconds']:.1f} s")

    full = found["full"]
    assert pins["steps"] <= full["kept"] == full["entered"] - 1
    assert "NOT SAVED" not in "\n".join(full["text"])
    print(f"full: recorded {full['seconds']:.1f} s after there was room again")

    shell = found["states"]
    assert shell["root"][0] == 0
    assert "works in /var/lib/podesta" in shell["root"][1]
    assert shell["owner"].split() == ["podesta", "podesta"]
    assert shell["other"][0] != 0
    assert "sudo podesta facts torres check" in shell["other"][1]
    assert shell["second"] == ""


def test_a_game_that_loops_leads_to_safe_mode_and_a_page_that_says_so(machine, tmp_path):
    found = machine.boot("up", "loop")["loop"]
    assert found["restarts"] == 2
    assert " in legal" in found["journal"], "where it hangs"
    text = " ".join(found["text"])
    assert "Safe mode" in text
    assert "did not come up twice" in text
    assert "grid_toy" in text
    assert any("grid_toy" in one for one in found["problems"])
    print(f"safe mode after {found['seconds']:.0f} s")


class Evening:
    """A node that plays a game on the machine and keeps, outside it, what was acknowledged."""

    def __init__(self, machine):
        self.machine, self.node, self.file = machine, Port(machine), recorded_game()
        self.acknowledged = 0
        """The last record that the node was told is on the disk."""

    def on(self):
        """Switch it on, and wait until the box answers on the line; how long that took."""
        began = time.monotonic()
        self.machine.begin("while :; do sleep 1; done", "--cut-on", "told")
        self.node.wait(200)
        self.node.do("ping", timeout=200)
        return time.monotonic() - began

    def line(self, number):
        return opening(self.file) if number == 0 else said(self.file.steps[number - 1], number)

    def tell(self, number):
        """Have a line recorded; it is said until it is acknowledged."""
        answer = self.node.do(self.line(number), self.node.number())
        assert re.fullmatch(rf"ack \d+ {number + 1}( .*)?", answer), answer
        self.acknowledged = number + 1

    def cut(self, number, moment):
        """Lose the power about that line."""
        seq = self.node.number()
        if moment != "before":
            self.node.send(self.node.line(self.line(number), seq))
        if moment == "answered" and self.node.listen(seq, 20):
            self.acknowledged = number + 1
        self.machine.cut()
        if self.node.listen(seq, 0):
            self.acknowledged = number + 1
        self.node.unplug()
        return seq

    def again(self, number, seq):
        """Say the line that was cut off once more: it is done exactly once."""
        answer = self.node.do(self.line(number), seq)
        assert re.fullmatch(rf"ack \d+ {number + 1}( .*)?", answer), (answer, self.node.heard[-20:])
        self.acknowledged = number + 1


def evening(machine, cuts, tmp_path):
    """Play a whole game with so many power cuts; nothing that was acknowledged is missing."""
    print(f"PODESTA_SEED={SEED}")
    chance = random.Random(SEED)
    play = Evening(machine)
    moments = dict.fromkeys(chosen(play.file.steps, min(cuts, len(play.file.steps) - 2), chance))
    back = []
    play.on()
    for number in range(len(play.file.steps)):
        if number in moments:
            seq = play.cut(number, chance.choice(("before", "at once", "answered")))
            machine.check_disk(tmp_path / "copy.img")
            back.append(play.on())
            play.again(number, seq)
        else:
            play.tell(number)
    # The last step, and the power goes behind it: the box shows the result.
    last = len(play.file.steps)
    assert play.node.do(play.line(last), play.node.number()).startswith("ack ")
    machine.cut()
    play.node.unplug()
    found = machine.boot("kept")["kept"]
    (path,) = (machine.folder / "matches").glob("*.podesta")
    reading = read(path)
    replay = Replay(reading.header, reading.records)
    assert replay.match.steps == list(play.file.steps)
    assert reading.damage is None
    assert not replay.drift
    steps = [record for record in reading.records if record.kind in (Kind.STEP, Kind.REPORT)]
    assert len({record.channel for record in steps}) == len(steps), "a line was done twice"
    assert json.loads(found["starts"])["failed"] == 0, "power cuts count for nothing"
    assert matchfile.result(replay.match) == play.file.result
    shown = "\n".join(found["text"])
    assert all(points in shown for points in re.findall(r" [a-d] (\d+)", play.file.result)), shown
    assert "What shall it be?" not in shown
    print(
        f"{len(moments) + 1} cuts, {len(steps)} steps, back after {', '.join(f'{one:.0f}' for one in back)} s"
    )
    keep_picture(machine, tmp_path)


def keep_picture(machine, tmp_path):
    from PIL import Image

    with Image.open(machine.folder / "kept.png") as picture:
        keep(picture.convert("1"), "machine_result.png", tmp_path)


def test_power_cuts_cost_nothing_that_was_acknowledged(machine, tmp_path):
    evening(machine, CUTS, tmp_path)


def test_it_is_upgraded_with_a_match_open_goes_back_is_removed_and_purged(machine, package, tmp_path):
    repacked(package, "9.0~bookworm", machine.folder / "newer.deb", tmp_path / "newer")
    (machine.folder / "older.deb").write_bytes(package.read_bytes())
    found = machine.boot("up", "pins", "upgrade")["upgrade"]
    assert found["before"] > 0
    assert (found["newer"], found["newer version"]) == (0, "9.0~bookworm")
    assert (found["older"], found["newer recorded"], found["older recorded"]) == (
        0,
        found["before"],
        found["before"],
    )
    assert found["removed"], "a match is gone"
    assert found["left"] == ""
    assert found["purged"]
