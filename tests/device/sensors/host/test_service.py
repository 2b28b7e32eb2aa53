"""The sensors' processes as the daemon sees them: real processes that play a sensor's part."""

import asyncio
import os
import re
import signal
import sys

import msgspec
import pytest

from device.sensors import messages
from device.sensors.door import STARTING
from device.sensors.host import Fitted, Lesson, Patience, SensorService, SensorState, service
from device.sensors.host.child import describe_nonsense, explain_end
from device.sensors.host.service import READINGS_AT_ONCE
from device.sensors.messages import Expected, Taught
from device.settings import PluginSection
from device.telemetry import ReceivedMessage
from device.texts import Texts, quoted, said
from tests.device.sensors.host.playing import play, until

EXPECTED = Expected("match", 7, "torres", "some position")

PART = """
import sys
from device.sensors import messages
from device.sensors.door import STARTING
from device.sensors.host.service import READINGS_AT_ONCE
from device.sensors.messages import Away, Beat, Begin, Expected, Heard, Reading

def say(message):
    print(messages.encode(message).decode(), flush=True)

begin = messages.down(sys.stdin.buffer.readline())
assert isinstance(begin, Begin)
say(STARTING)
for line in sys.stdin.buffer:
    expect = messages.down(line)
    if isinstance(expect, Heard):
        say(Beat(expect.received.args))
        continue
    say(Beat(begin.section.values["source"]))
    if expect.game == "away":
        say(Away("pulled out"))
    elif expect.game == "much":
        for number in range(60):
            say(Reading("board", "match", expect.steps, ((f"reading {number}", 0.9),)))
    elif expect.game == "several":
        for number in range(READINGS_AT_ONCE + 3):
            say(Reading("board", "match", expect.steps, ((f"reading {number}", 0.9),)))
    elif expect.position:
        say(Reading("board", "match", expect.steps - 1, (("too late", 1.0),)))
        say(Reading(begin.section.values["field"], expect.match, expect.steps, ((expect.position, 0.9),)))
"""


def camera(source="simulated", field="board"):
    return Fitted(field, PluginSection("camera", 0, {"source": source, "field": field}))


BOARD = (camera(),)


class Watched:
    def __init__(self, tmp_path, cameras=BOARD):
        part = tmp_path / "part.py"
        part.write_text(PART)
        self.readings, self.told = [], []
        self.service = SensorService(
            cameras,
            tmp_path,
            on_reading=lambda one, reading: self.readings.append((one.name, reading)),
            on_state=self.told.append,
            command=[sys.executable, str(part)],
            patience=Patience(hung_s=60.0, retry_s=(0.05, 0.2)),
        )

    async def until(self, what):
        await until(what, lambda: (self.readings, self.told))

    def play(self, script):
        play(self.service, script)


def test_what_is_expected_goes_down_once_and_readings_come_up_unless_they_are_too_late(tmp_path):
    watched = Watched(tmp_path)

    async def script():
        watched.service.expect(EXPECTED)
        await watched.until(lambda: watched.readings)
        watched.service.expect(EXPECTED)
        watched.service.expect(Expected("match", 8, "torres", "another"))
        await watched.until(lambda: len(watched.readings) == 2)

    watched.play(script)
    assert [(field, reading.steps, reading.candidates) for field, reading in watched.readings] == [
        ("board", 7, (("some position", 0.9),)),
        ("board", 8, (("another", 0.9),)),
    ]
    assert watched.service.states[0].online
    assert watched.service.states[0].status == "simulated"


def test_a_flood_leaves_no_more_than_a_handful_of_readings_and_is_not_begun_again_soon(tmp_path):
    watched = Watched(tmp_path)

    async def script():
        watched.service.expect(Expected("match", 7, "much", "x"))
        await watched.until(lambda: any("floods" in str(state.why) for state in watched.told))
        assert str(watched.service.states[0].why) == "its process floods: more than 5 readings a second"

    watched.play(script)
    assert [reading.candidates[0][0] for _, reading in watched.readings] == [
        f"reading {number}" for number in range(READINGS_AT_ONCE)
    ]


def test_why_it_ended_is_said_until_it_has_run_well(tmp_path, monkeypatch):
    watched = Watched(tmp_path)
    killed = "its process was ended by SIGKILL"

    def line():
        return watched.service.states[0].describe(Texts.load())

    async def script():
        watched.service.expect(EXPECTED)
        await watched.until(lambda: line() == "simulated")
        os.kill(watched.service._running[0].child.pid, signal.SIGKILL)
        await watched.until(lambda: line() == killed)
        await watched.until(lambda: line() == f"simulated; before: {killed}")
        monkeypatch.setattr(service, "WELL_S", 0.0)
        watched.service.expect(msgspec.structs.replace(EXPECTED, steps=8))
        await watched.until(lambda: line() == "simulated")

    watched.play(script)
    assert said("status.starting") not in [state.why for state in watched.told]


def test_a_camera_that_was_pulled_out_is_away_and_the_others_are_not(tmp_path):
    watched = Watched(tmp_path, (camera(), camera("/dev/video0", "tray")))

    async def script():
        watched.service.expect(Expected("match", 1, "away", ""))
        await watched.until(
            lambda: len([s for s in watched.service.states if str(s.why) == "pulled out"]) == 2
        )
        watched.service.expect(EXPECTED)
        await watched.until(lambda: {field for field, _ in watched.readings} == {"board", "tray"})

    watched.play(script)
    assert [state.title for state in watched.service.states] == ["camera board", "camera tray"]
    japanese = Texts.load("ja")
    assert [state.name_for_people(japanese) for state in watched.service.states] == [
        "カメラ 盤",
        "カメラ 土台",
    ]


def test_what_a_node_tells_goes_to_the_sensor_that_reads_it(tmp_path):
    watched = Watched(tmp_path, (camera(), camera("line:tray-1", "tray")))
    first = ReceivedMessage("tray-1", "weight", "31250 12 rest", 1)

    async def script():
        watched.service.expect(EXPECTED)
        await watched.until(lambda: len(watched.readings) == 2)
        watched.service.hear(first)
        watched.service.hear(msgspec.structs.replace(first, node="tray-2", args="0 12 rest"))
        await watched.until(lambda: str(watched.service.states[1].status) == "31250 12 rest")

    watched.play(script)
    said = {state.status for state in watched.told}
    assert said == {"simulated", "line:tray-1", "31250 12 rest"}


# What a camera is taught


TEACHER = """
import sys, time
from device.sensors import messages
from device.sensors.messages import Beat, Taught, Teach
from device.texts import said

messages.down(sys.stdin.buffer.readline())
print(messages.encode(Beat()).decode(), flush=True)
for line in sys.stdin.buffer:
    asked = messages.down(line)
    if isinstance(asked, Teach) and asked.game == "die":
        raise ValueError("no such thing")
    if isinstance(asked, Teach) and asked.game:
        for number in (asked.number + 1000, asked.number):  # the first was never asked
            says = (said(f"{asked.game} {asked.sizes}"),)
            print(messages.encode(Taught(number, says, asked.learn)).decode(), flush=True)
"""


def taught_by(tmp_path, lessons, wait=True):
    """Return what a camera's process answers, each lesson after the other."""
    watched = Watched(tmp_path, [BOARD[0]])
    (tmp_path / "part.py").write_text(TEACHER)
    answers = []

    async def script():
        if wait:
            await until(lambda: any(state.online for state in watched.told), lambda: watched.told)
        for game, sizes in lessons:
            lesson = Lesson(BOARD[0], game)
            answers.append(await asyncio.wait_for(watched.service.teach(lesson, sizes), 60))

    play(watched.service, script)
    return answers


ENDED = said("child.ended", status=1)
DIED = said("child.because", ended=ENDED, complaint=quoted("ValueError: no such thing"))


def test_a_lesson_is_answered_by_its_own_number(tmp_path):
    first, second = taught_by(tmp_path, [("one", {"card": (5, 6)}), ("two", None)])
    assert (first.number, first.says, first.learnt) == (1, (said("one {'card': (5.0, 6.0)}"),), True)
    assert (second.number, second.learnt) == (2, False)


def test_a_process_that_dies_of_a_lesson_is_an_answer(tmp_path):
    died, next_one = taught_by(tmp_path, [("die", None), ("one", {})])
    assert died == Taught(1, (DIED,))
    assert not next_one.learnt  # whether it is back already, or away with the reason


def test_a_process_that_is_not_there_yet_is_an_answer(tmp_path):
    assert taught_by(tmp_path, [("one", {})], wait=False) == [Taught(1, (said("status.starting"),))]


ENGLISH = re.compile("[A-Za-z]{4,}")


@pytest.mark.parametrize(
    "why",
    [
        explain_end(-9, ()),
        explain_end(1, ["ValueError: x"]),
        explain_end(1, ["A module compiled using NumPy 1.x cannot be run in", "NumPy 2.2.6 as it may"]),
        describe_nonsense(ValueError("x")),
        STARTING.why,
    ],
)
def test_why_a_process_ended_is_told_in_japanese_and_over_the_wire(why):
    away = messages.up(messages.encode(messages.Away(why)))
    line = SensorState("camera", "board", online=False, why=away.why, before=why).describe(
        Texts.load("ja", strict=True)
    )
    left = {"SIGKILL", "ValueError", "NumPy"}
    assert set(ENGLISH.findall(line)) <= left
    assert re.search("[ぁ-ヿ一-龥]", line)
