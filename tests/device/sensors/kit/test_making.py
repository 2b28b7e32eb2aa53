"""A package to begin with."""

from __future__ import annotations

import pytest

from device.sensors import Ended
from device.sensors.kit import Beat, Expected, MakingError, SimulatedDoor, make
from device.telemetry import Told


def test_the_name_is_everywhere_and_no_placeholder_is_left(tmp_path):
    made = make("beans", tmp_path / "new")
    assert [path.name for path in made] == [
        "README.md",
        "podesta_beans.py",
        "pyproject.toml",
        "test_podesta_beans.py",
    ]
    assert all("NAME" not in path.read_text("utf-8") for path in made)


@pytest.mark.parametrize("name", ["", "Beans", "9beans", "my-beans", "a" * 33, "camera", "keys", "table"])
def test_a_name_that_is_none_or_taken(tmp_path, name):
    with pytest.raises(MakingError):
        make(name, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_nothing_is_overwritten(tmp_path):
    with pytest.raises(MakingError, match="exists"):
        make("beans", tmp_path)


def test_a_door_without_a_box(tmp_path):
    told, match = Told("tray-1", "weight", "31250 12 rest", 1), Expected("a match", 7, "a game", "a position")
    door = SimulatedDoor(tmp_path, [None, match, told])
    assert [door.wait(60) for _ in range(3)] == [False, True, True]
    assert (door.expected, door.told(), door.folder) == (match, [told], tmp_path)
    door.reading("tray", [(0.9, "total 9")])
    door.status("fine")
    assert [one.what for one in door.readings] == ["tray"]
    assert door.said[-1] == Beat(("fine", {}))
    with pytest.raises(Ended):
        door.wait(60)
