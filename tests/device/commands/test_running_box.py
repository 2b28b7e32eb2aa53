"""`podesta doctor` beside a box that runs: what the box knows counts."""

import asyncio
from pathlib import Path

from device import config as configs
from device.commands import checks, health
from device.commands.health import RunningBox, RunningSensor, ask_box
from device.keys import KeypadState
from device.line import LineState
from device.sensors import Checked
from device.settings import Config, PluginSection
from device.texts import quoted
from tests.device.conftest import in_a_loop
from tests.device.here import at_the_line
from tests.device.japanese import is_japanese
from tests.device.sensors.plugged import put
from tests.engines.newcomers import on_the_path

OK, WARN, FAIL = "ok", "warn", "fail"
REFUSED = "the box's settings do not let my-bell use its keys"
NO_CHIP = "its process ended with 1: OSError: no chip at 0x2a"


@in_a_loop
async def test_a_box_that_runs_says_what_only_it_knows(tmp_path, monkeypatch):
    folder, state = put(tmp_path / "shelf", "raises"), tmp_path / "state"
    monkeypatch.setenv("PYTHONPATH", str(folder))
    with on_the_path(folder):
        async with at_the_line(state, "[[raises]]\n") as here:
            status = here.daemon.status
            await here.until((state / configs.PAGE_ADDRESS).exists)
            assert REFUSED in await here.say("hello my-bell 1 key")
            await here.until(lambda: status()["sensors"][0]["says"] == NO_CHIP)
            (line,) = status()["lines"]
            assert (line["online"], line["why"]) == (True, REFUSED)
            assert here.daemon.box.header().warning
            assert any(one.endswith(f": {REFUSED}") for one in here.daemon.status_lines())
            config = configs.load(tmp_path / "podesta.toml").config

            def doctor() -> list[Checked]:
                box = ask_box(state)
                assert box
                return [*checks.check_running_lines(box), *checks.check_sensors(config, state, box)]

            found = await asyncio.to_thread(doctor)
            assert found == [
                Checked(FAIL, f"line {line['url']}", REFUSED),
                Checked(FAIL, "raises", f"in the running box: {NO_CHIP}"),
                Checked(OK, "pin", "is 4"),
            ]
            here.daemon.box.voices.speak("ja")
            here.daemon.surprises.over["cues"] = quoted("OSError: no such pin")
            assert await asyncio.to_thread(doctor) == found, "in English whatever the box speaks"
            (problem,) = status()["problems"]
            assert is_japanese(problem)
            assert (await asyncio.to_thread(ask_box, state)).problems == (
                "cues: goes on after OSError: no such pin",
            )
            here.daemon.box.voices.speak("en")
            await here.say("hello keypad-1 1 step")
            assert status()["lines"][0]["why"] == ""
    assert ask_box(state) is None  # it has ended


def test_what_the_box_says_of_its_parts():
    box = RunningBox(
        (
            LineState("/dev/a", online=False, why="", node=None),
            LineState("/dev/b", online=True, why="", node="pad"),
            LineState("/dev/d", online=True, why="", node=None),
        ),
        (KeypadState("Pad", online=False, why="not plugged in"), KeypadState("/dev/c", online=True, why="")),
        (),
    )
    found = (*checks.check_running_lines(box), *checks.check_running_keypads(box))
    assert [(one.verdict, one.detail) for one in found] == [
        (FAIL, "away"),
        (OK, "pad is on it"),
        (WARN, "open, and nobody has said hello on it"),
        (FAIL, "not plugged in"),
        (OK, "the running box has it"),
    ]


def test_a_sensor_that_is_hindered_or_was_left_out_only_warns(tmp_path, monkeypatch):
    config = Config(plugins=(PluginSection("beans", 0, {}), PluginSection("peas", 0, {})))
    fine = checks.check_sensor
    monkeypatch.setattr(checks, "check_sensor", lambda *_: [next(iter(fine(*_, command=["true"])))])
    box = RunningBox((), (), (RunningSensor("beans", "", online=True, hindered=True, says="No light."),))
    assert [(one.verdict, one.detail) for one in checks.check_sensors(config, tmp_path, box)] == [
        (WARN, "in the running box: No light."),
        (WARN, "the running box was started without it"),
        (OK, "its process starts"),
    ]


def test_no_box_answers(tmp_path, monkeypatch):
    monkeypatch.setattr(health, "PATIENCE_S", 0.2)
    assert ask_box(tmp_path) is None
    for address in ("http://127.0.0.1:1/", "nonsense", "http://127.0.0.1:x/", "\xff"):
        Path(tmp_path / configs.PAGE_ADDRESS).write_text(address, "latin-1")
        assert ask_box(tmp_path) is None
