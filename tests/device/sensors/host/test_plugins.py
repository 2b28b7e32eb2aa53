"""Sensors that the settings name; those of other packages are checked and run in processes of their own."""

import subprocess
import sys

import pytest

from device.config import ConfigSource, load, load_or_last_good, parse, show
from device.sensors.host import check_sensor, find_load_fault, list_sensors
from device.settings import CameraSettings, Config
from engines.facts import Use
from tests.device.conftest import in_a_loop
from tests.device.here import at_the_line
from tests.device.sensors.plugged import put
from tests.engines.newcomers import on_the_path, told


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """Plug-ins on the path, of this process and of those that it starts."""
    folder = put(tmp_path / "shelf", "counts", "raises", "asleep", "broken")
    monkeypatch.setenv("PYTHONPATH", str(folder))
    with on_the_path(folder):
        yield folder


def one(text, **how):
    (found,) = list_sensors(parse(text)[0], **how)
    return found


def test_its_section_is_kept_as_it_is_and_its_code_is_not_loaded(shelf):
    config, problems = parse("# mine\n[[counts]]\npin = 17\nlevels = [1, 2]\n", "box.toml")
    assert problems == ()
    (section,) = config.plugins
    assert (section.name, section.number, section.file) == ("counts", 0, "box.toml")
    assert section.values == {"pin": 17, "levels": [1, 2]}
    assert dict(section.lines)["counts", 0, "levels"] == 4
    assert "counts" not in sys.modules
    again, problems = parse(show(config))
    assert (again.plugins[0].values, problems) == (section.values, ())


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[counts]\npin = 17", "box.toml:1: counts must be one section or more: [[counts]], not a section"),
        ("counts = 3", "box.toml:1: counts must be one section or more: [[counts]], not 3"),
        ("[[count]]\npin = 17", "box.toml:1: unknown key count; known here: table, state,"),
        ("[[camra]]", "box.toml:1: unknown key camra; did you mean camera?"),
    ],
)
def test_what_is_no_section_of_a_plug_in(shelf, text, problem):
    config, problems = parse(text, "box.toml")
    assert config == Config()
    assert str(problems[0]).startswith(problem)


def test_sections_of_one_kind_are_told_apart(shelf):
    text = '[[counts]]\n[[counts]]\nname = "left"\n[[raises]]\n'
    assert [one.title for one in list_sensors(parse(text)[0])] == ["counts 1", "counts left", "raises"]


def test_with_safe_only_what_comes_with_the_box_is_started(shelf):
    config, _ = parse('[[counts]]\n[[camera]]\nsource = "simulated"\n')
    assert [one.title for one in list_sensors(config, safe=True)] == ["camera"]


def test_one_that_is_uninstalled_does_not_cost_the_other_settings(shelf, tmp_path):
    path = tmp_path / "box.toml"
    path.write_text("[keys]\nok = 5\n[[counts]]\n", "utf-8")
    good = load_or_last_good(path, tmp_path)
    (shelf / "counts-1.0.dist-info" / "entry_points.txt").unlink()
    with on_the_path(shelf):
        assert "unknown key counts" in str(load(path).problems[0])
        last = load_or_last_good(path, tmp_path)
        assert (last.source, last.config.keys) == (ConfigSource.LAST_GOOD, good.config.keys)
        (found,) = list_sensors(last.config)
        (only,) = check_sensor(found, tmp_path)
    assert only.detail == "cannot begin: no plug-in counts is installed"


# In a process


def found(fitted, folder):
    return [(one.verdict, one.name, one.detail) for one in check_sensor(fitted, folder)]


def test_its_check_and_what_is_wrong_with_its_section(shelf, tmp_path):
    assert found(one("[[counts]]\npin = 17"), tmp_path) == [
        ("ok", "counts", "its process starts"),
        ("ok", "pin", "is 17"),
    ]
    config, _ = parse('[[counts]]\n\npni = 3\nname = "x"\npin = "four"\n', "/etc/box.toml")
    (only,) = found(*list_sensors(config), tmp_path)
    assert only == (
        "fail",
        "counts x",
        "cannot begin: /etc/box.toml:3: unknown key counts[1].pni; did you mean pin?; "
        '/etc/box.toml:5: counts[1].pin must be a whole number, not "four"',
    )


def test_one_that_two_packages_have_is_run_from_none(shelf, tmp_path):
    told(shelf, "counts", "counts:SENSOR", "podesta.sensors", package="abacus")
    ((_, _, why),) = found(one("[[counts]]"), tmp_path)
    assert why == "cannot begin: counts is in abacus 1.0 and in counts 1.0"


def test_one_of_another_name_or_that_hangs_while_it_is_imported_is_not_run(shelf):
    told(shelf, "other", "counts:SENSOR", "podesta.sensors")
    assert "counts:SENSOR has the name 'counts', the entry point 'other'" in find_load_fault("other")
    assert find_load_fault("asleep", within_s=0.3) == "its process did not end within 0.3 s"


def test_what_it_prints_is_no_word_to_the_box(shelf, tmp_path):
    code = "import subprocess; subprocess.run(['echo', 'from a child'])\nprint(input())"
    (shelf / "counts.py").write_text(code, "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "device.sensors.process", "counts", "--load"],
        input=b"not for it\n",
        capture_output=True,
        check=False,
    )
    assert done.stdout == b""
    assert b"from a child" in done.stderr
    assert b"cannot be imported: EOFError" in done.stderr


@in_a_loop
async def test_the_header_says_that_one_is_away_and_the_status_page_why(shelf, tmp_path):
    async with at_the_line(tmp_path / "state", "[[broken]]\n") as here:
        await here.until(lambda: "ModuleNotFoundError" in here.daemon.status()["sensors"][0]["says"])
        assert here.daemon.box.page().header.warning == "sensor"
        (line,) = [line for line in here.daemon.status_lines() if line.startswith("broken: ")]
        assert line.startswith("broken: cannot begin: broken:SENSOR cannot be imported")


def test_each_section_is_one_with_what_it_needs():
    config = Config(
        camera=(
            CameraSettings("simulated", keep=7),
            CameraSettings("/dev/video0", ("tray", "area1")),
            CameraSettings("simulated", "region2"),
        )
    )
    board, tray, region = list_sensors(config)
    assert region.uses == {Use.SIGHT}
    assert (board.title, board.section.values["source"], board.keep, board.uses) == (
        "camera",
        "simulated",
        7,
        {Use.SIGHT},
    )
    assert (tray.title, tray.uses) == ("camera tray area1", set())
