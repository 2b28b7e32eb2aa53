"""What a sensor does wrong is found, with a remedy; one made from the template does nothing wrong."""

import shutil
import subprocess
import sys
import tomllib

import pytest
from msgspec.structs import replace

from device.sensors import kit
from device.sensors.door import STARTING
from device.sensors.host import find_load_fault
from device.sensors.kit import NO_MATCH, SCENES, TRAY, PlayedAct, conforming, judge_acts, make
from device.sensors.messages import Away, Beat, Reading
from device.settings import SENSORS, PluginSection
from device.texts import said
from tests.device.sensors.plugged import put
from tests.engines.newcomers import told

LATER = SCENES[2]
SIX = "tray 0.90 total 6 | 0.05 total 7"


def reading(expected=TRAY, *candidates, what="tray"):
    return Reading(what, expected.match, expected.steps, candidates or (("total 6", 0.9), ("total 7", 0.05)))


DEAF_RUN = "run does not call the door: nothing for"
ANEW = (reading(LATER),)


def acts(*first, later=ANEW, over=()):
    """Four scenes of three seconds, and what was said in them, all of it a second after they began."""
    scenes = ((Beat(said("here")),), (Beat(), *first), (Beat(), *later), (Beat(), *over))
    return [
        PlayedAct(expected, 3.0, tuple((1.0, one) for one in scene))
        for expected, scene in zip(SCENES, scenes, strict=True)
    ]


def failed(acts, ended=""):
    return {one.name: one.seen for one in judge_acts(acts, ended) if one.verdict == "fail"}


def test_one_that_does_nothing_wrong():
    assert {one.verdict for one in judge_acts(acts(reading()), "")} == {"ok"}


@pytest.mark.parametrize(
    ("how", "name", "seen"),
    [
        (acts(*[reading()] * 200), "flood", "201 readings within 12 s"),
        (acts(reading(TRAY, ("total 6", 1.0))), "readings", "is certain: tray 1.00 total 6"),
        (acts(reading(TRAY, ("", 0.5))), "readings", "says ''"),
        (acts(reading(TRAY, ("a\nb", 0.5))), "readings", r"says 'a\nb'"),
        (acts(reading(what="")), "readings", "reads ''"),
        (acts(reading(), later=[reading()]), "moving on", f"reads what is asked no more: {SIX}"),
        (
            acts(reading(), over=[reading(LATER)]),
            "moving on",
            f"reads what is asked no more: {SIX}",
        ),
        (acts(reading(), later=()), "moving on", "reads nothing when the tray is asked for again"),
        ([PlayedAct(NO_MATCH, 10.0, ((0.1, STARTING),))], "signs of life", f"{DEAF_RUN} 10 s"),
        ([*acts()[:1], PlayedAct(TRAY, 10.0, ())], "signs of life", f"{DEAF_RUN} 10 s"),
        (
            [PlayedAct(NO_MATCH, 3.0, ((0.0, STARTING), (0.0, Beat())))],
            "how it is",
            "says nothing of itself",
        ),
    ],
)
def test_what_is_wrong_is_named(how, name, seen):
    found = failed(how)
    found.pop("how it is", None) if name != "how it is" else None
    assert found == {name: seen}


def test_whatever_it_says_of_itself_is_how_it_is():
    (first, *_), ended = [PlayedAct(NO_MATCH, 1.0, ((0.1, Beat()), (0.2, Away(said("unplugged")))))], ""
    assert next(judge_acts([first], ended)).seen == "unplugged"
    trouble = replace(first, said=((0.1, Beat(troubles=(said("no light"),))),))
    assert next(judge_acts([trouble], ended)).seen == "no light"


# Processes


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return tmp_path


def test_one_made_from_the_template_passes_with_its_own_tests(shelf):
    made = make("beans", shelf / "podesta-beans")
    project = tomllib.loads((shelf / "podesta-beans" / "pyproject.toml").read_text("utf-8"))
    ((name, value),) = project["project"]["entry-points"][SENSORS].items()
    told(shelf, name, value, SENSORS, package=project["project"]["name"].replace("-", "_"))
    (module,) = project["tool"]["setuptools"]["py-modules"]
    shutil.copy(shelf / "podesta-beans" / f"{module}.py", shelf)

    found = list(conforming(PluginSection(name, 0, {"every_s": 0.2}), scene_s=1.2))
    assert [one for one in found if one.verdict != "ok"] == []
    assert "tray 0.90 total 6" in {one.name: one.seen for one in found}["readings"]
    (tests,) = [path for path in made if path.name.startswith("test_")]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tests)],
        cwd=shelf,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "3 passed" in done.stdout, done.stdout


DEAF = """
        try:
            door.status(f"ok at {time.monotonic()}")
            door.wait(0.1)
        except BaseException:
            pass
"""


@pytest.mark.soak
def test_one_that_prints_and_is_deaf(shelf, monkeypatch):
    monkeypatch.setattr(kit, "FIRST_S", 0.5)
    put(shelf, "prints")
    own = (
        (shelf / "prints.py")
        .read_text("utf-8")
        .replace("pin: int", "pin: object")
        .replace("import os", "import os, time")
    )
    (shelf / "prints.py").write_text(own.replace("door.wait(1.0)", DEAF), "utf-8")
    found = {one.name: one for one in conforming(PluginSection("prints", 0, {"pin": 3}), scene_s=0.3)}
    assert {name: one.seen for name, one in found.items() if one.verdict == "fail"} == {
        "nonsense in its settings": "takes any pin",
        "staying": "its process goes on when the box is gone; nobody may catch Ended",
        "output": "prints 'a library says hello'",
    }


@pytest.mark.soak
def test_one_that_never_calls_the_door_is_told_what_to_call_and_not_played_on(shelf, monkeypatch):
    monkeypatch.setattr(kit, "FIRST_S", 0.5)
    put(shelf, "hangs")
    own = (shelf / "hangs.py").read_text("utf-8")
    (shelf / "hangs.py").write_text(own.replace('door.status("here")', "pass"), "utf-8")
    doing = []
    *_, last = conforming(PluginSection("hangs", 0, {}), scene_s=0.3, doing=doing.append)
    assert (last.verdict, last.name) == ("fail", "signs of life")
    assert last.seen.startswith(DEAF_RUN)
    assert "door.wait, door.status or door.reading at least every 10 seconds" in last.remedy
    assert doing[1:] == ["plays: no match"]


def test_one_that_fails_at_once(shelf):
    put(shelf, "raises", "broken")
    found = {one.name: one.seen for one in conforming(PluginSection("raises", 0, {}), scene_s=0.3)}
    assert found["staying"] == "its process ended with 1: OSError: no chip at 0x2a"
    (only,) = conforming(PluginSection("broken", 0, {}))
    assert "broken:SENSOR cannot be imported: ModuleNotFoundError" in only.seen
    assert only.seen.endswith(f", in {shelf / 'broken.py'} line 11")
    assert find_load_fault("broken") == only.seen
    assert find_load_fault("camera") == ""
