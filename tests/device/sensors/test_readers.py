"""Outside the readers no file of device/ names a game; every reader and every kind of sensor is there."""

import re
import subprocess
import sys
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

import device
import engines
from device.sensors import KINDS, readers
from device.sensors.messages import Expected
from device.settings import Config

DEVICE = Path(device.__file__).parent
WITHIN = DEVICE / "sensors" / "readers"
GAMES = {*engines.GAMES, *readers.GAMES, "castles_of_tuscany"}
NAMED = re.compile(rf"(?<![A-Za-z])(?i:{'|'.join(game.replace('_', '[ _]?') for game in GAMES)})(?![a-z])")


def test_a_name_is_found_however_it_is_written():
    written = ("torres", "engines.marrakesh.pieces", "San Gimignano", "SanGimignano()", "TorresReader")
    assert all(map(NAMED.search, written))
    assert not NAMED.search("torresque retorres")


def test_outside_the_readers_no_file_names_a_game():
    named = {
        f"{path.relative_to(DEVICE)}:{number}: {line.strip()}"
        for path in DEVICE.rglob("*.py")
        if WITHIN not in path.parents
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if NAMED.search(line)
    }
    assert named == set()


@pytest.mark.parametrize(
    ("game", "field"), [(game, field) for game, one in readers.GAMES.items() for field in one.fields]
)
def test_every_reader_can_be_opened_and_painted(game, field):
    assert readers.reads(game, field)
    assert readers.reads(game)
    assert callable(readers.load_part(game, "reader").open_reader)
    assert callable(readers.load_painting(field).painted)
    assert not readers.reads("chess")
    assert not readers.reads("torres", "tray")


def test_every_field_with_markers_is_read_in_some_game():
    fields = {field for game in readers.GAMES.values() for field in game.fields}
    assert fields == {"board" if name == "torres" else name for name in readers.FIELDS}


def test_what_answers_a_question_is_watched_while_that_is_asked():
    asking, claiming = (
        Expected("m", 7, "marrakesh", "a position", question=asked) for asked in ("tray", "claim")
    )
    assert readers.is_watched(asking, "tray")
    assert not readers.is_watched(claiming, "tray")
    assert readers.is_watched(Expected("m", 7, "torres", "a position", question="action"), "torres")


def loaded(module, *names):
    """Return those of some packages that a fresh process has once it has loaded a module."""
    found = (
        f"sorted({{name for name in {names} for one in sys.modules if f'{{one}}.'.startswith(f'{{name}}.')}})"
    )
    code = f"import sys, {module}; print(*{found})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_the_daemon_loads_no_reader_and_no_opencv():
    assert loaded("device.daemon", "cv2", "numpy", "vision", "device.sensors.process") == []


def test_a_cameras_process_loads_nothing_of_the_table():
    rooms = ("device.match", "device.menus", "device.screen", "device.sensors.host")
    assert loaded("device.sensors.camera", *rooms, "cv2") == ["cv2"]
    assert loaded("device.sensors.process", *rooms, "cv2") == []
    assert loaded("device.sensors.scale", *rooms, "cv2") == []


@pytest.mark.parametrize("sensor", KINDS)
def test_its_section_of_the_settings_is_its_own(sensor):
    assert get_args(get_type_hints(Config)[sensor.name])[0] is sensor.settings


@pytest.mark.parametrize("sensor", KINDS)
def test_sections_of_a_kind_are_told_apart(sensor):
    assert sensor.named in sensor.settings.__struct_fields__
