"""A package to begin with."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

import podesta
from device.cli import main
from device.commands import Exit
from device.sensors import Ended
from device.sensors.kit import Beat, Expected, MakingError, SimulatedDoor, make
from device.telemetry import ReceivedMessage
from device.texts import said
from tests.engines.newcomers import on_the_path, put

ROOT = Path(podesta.__file__).parent


def test_a_game_is_installed_listed_checked_and_played(tmp_path, monkeypatch, capsys):
    made = make("tens_and_more", tmp_path / "new", game=True)
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    put(tmp_path / "new", shelf)
    monkeypatch.setenv("PYTHONPATH", f"{shelf}{os.pathsep}{ROOT}")
    (tests,) = [path for path in made if path.name.startswith("test_")]
    with on_the_path(shelf):
        match, chance = podesta.new("tens_and_more", seats=4, seed=2), Random(2)
        assert str(match).startswith("Tens and more\n")
        while not match.over:
            match.play(match.pick(chance))
        assert main(["plugin", "list"]) == Exit.FINE
        assert main(["plugin", "check", "tens_and_more"]) == Exit.FINE
        told, *_, last = capsys.readouterr().out.splitlines()
    assert told == "game tens_and_more: podesta_tens_and_more 1.0; works"
    assert last == "11 ok, 0 failed, 0 not tried"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tests)]
    done = subprocess.run(command, cwd=shelf, capture_output=True, text=True, check=False)
    assert "3 passed" in done.stdout, done.stdout


def test_a_game_may_be_named_as_a_sensor_is_and_not_as_one_of_the_house_s(tmp_path):
    assert make("camera", tmp_path / "one", game=True)
    with pytest.raises(MakingError, match="game torres comes with the box"):
        make("torres", tmp_path / "two", game=True)


@pytest.mark.parametrize("name", ["", "Beans", "9beans", "my-beans", "a" * 33, "camera", "keys", "table"])
def test_a_name_that_is_none_or_taken(tmp_path, name):
    with pytest.raises(MakingError):
        make(name, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_nothing_is_overwritten(tmp_path):
    with pytest.raises(MakingError, match="exists"):
        make("beans", tmp_path)


def test_a_door_without_a_box(tmp_path):
    told = ReceivedMessage("tray-1", "weight", "31250 12 rest", 1)
    match = Expected("a match", 7, "a game", "a position")
    door = SimulatedDoor(tmp_path, [None, match, told])
    assert [door.wait(60) for _ in range(3)] == [False, True, True]
    assert (door.expected, door.telemetry(), door.folder) == (match, [told], tmp_path)
    door.reading("tray", [(0.9, "total 9")])
    door.status("fine")
    assert [one.what for one in door.readings] == ["tray"]
    assert door.said[-1] == Beat(said("fine"))
    with pytest.raises(Ended):
        door.wait(60)
