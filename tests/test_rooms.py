"""Imports only point down, in no circle, and through the door of a room."""

import ast
import re
import subprocess
import sys

import pytest

from tests.rooms import FLOORS, ROOT, circles, floors, imported, imports, past, rooms, upward

BUILDERS = (
    *("device.bench", "device.commands", "device.line.kit", "device.sensors.kit", "engines.conformance"),
    *("device.sensors.readers.bench", "device.sensors.readers.judging"),
)
"""The parts for builders of nodes, sensors, readers or games."""


TABLE = re.compile(r"^=+ =+\nmodule .*?^=+ =+\n.*?^=+ =+$", re.M | re.S)


def test_imports_point_down():
    assert upward(imports()) == []


def test_no_circle():
    assert circles(imports()) + circles(rooms(imports())) == []


def test_nobody_reaches_past_a_door():
    assert past(imports()) == []


def test_the_box_knows_of_events_by_its_daemon_its_status_and_its_stick_alone():
    def knows(module):
        return any(f"{one}.".startswith("device.event.") for one in imports()[module])

    outside = {room for room in imports() if not room.startswith(("device.event", *BUILDERS))}
    known = {"device.daemon", "device.status", "device.stick"}
    assert {module for module in outside if knows(module)} == known


def untold(door):
    """Return the modules that the table in a room's docstring lacks, and its names without a module."""
    told = ast.get_docstring(ast.parse(door.read_text("utf-8"))) or ""
    table = TABLE.search(told)
    if not table:
        return []
    there = {file.stem for file in door.parent.glob("[!_]*.py")}
    there |= {inner.parent.name for inner in door.parent.glob("*/__init__.py")}
    rows = set(re.findall(r"^``(\w+)``", table[0], re.M)) - {"template"}  # it is no package
    return sorted(there - set(re.findall(r"``(\w+)``", table[0])) | rows - there)


def test_a_room_s_table_names_its_modules():
    doors = [
        door for top in FLOORS for door in (ROOT / top).rglob("__init__.py") if "template" not in door.parts
    ]
    assert {str(door): names for door in doors if (names := untold(door))} == {}
    assert sum(bool(TABLE.search(door.read_text("utf-8"))) for door in doors) > 20


def test_the_box_loads_nothing_that_only_builders_need():
    code = "import sys, device.daemon; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    loaded = done.stdout.split()
    assert "device.line" in loaded
    assert "device.event.signing" in loaded
    beside = ("device.event.desk", "sqlalchemy", "argon2")
    assert [name for name in loaded if name.startswith((*BUILDERS, *beside))] == []


# The rules themselves

KNOWN = dict.fromkeys(("device.match", "device.match.referee", "engines.contract"))


@pytest.mark.parametrize(
    "text",
    [
        "import device.match.referee",
        "from device.match import referee",
        "from device.match.referee import Referee",
        "def late():\n    from device.match import referee",
        "if TYPE_CHECKING:\n    import device.match.referee as r",
    ],
)
def test_every_import_counts(text):
    assert list(imported(ast.parse(text), KNOWN)) == ["device.match.referee"]


@pytest.mark.parametrize(
    ("name", "target", "wrong"),
    [
        ("engines.torres.game", "vision.lens", True),
        ("vision.lens", "device.cli", True),
        ("engines.search", "numpy", True),
        ("engines.search", "msgspec.structs", False),
        ("vision.lens", "engines.torres", True),
        ("vision.lens", "engines.bags", False),
        ("vision.lens", "numpy", False),
        ("engines.search", "msgspec", False),
        ("engines.search", "collections.abc", False),
    ],
)
def test_what_points_up(name, target, wrong):
    assert bool(upward({name: frozenset({target})})) == wrong


@pytest.mark.parametrize(
    ("name", "target", "wrong"),
    [
        ("device.cli", "device.match.referee", True),
        ("device.menus.play", "device.match.referee", True),
        ("device.sensors", "device.sensors.sources.pictures", True),
        ("device.menus.play", "device.match", False),
        ("device.match.door", "device.match.referee", False),
        ("device.match", "device.match.referee", False),
        ("device.sensors.sources.pictures", "device.sensors.sources.pictures", False),
        ("device.cli", "device.config", False),
        ("device.match.door", "engines.torres.layouts", False),
    ],
)
def test_what_reaches_past_a_door(name, target, wrong):
    assert bool(past({name: frozenset({target})})) == wrong


def test_circles_and_floors():
    graph = {"a": frozenset("b"), "b": frozenset("cx"), "c": frozenset("b"), "d": frozenset("a")}
    assert circles(graph) == [frozenset("bc")]
    assert floors(graph | {"x": frozenset()}) == {"a": 3, "b": 2, "c": 2, "d": 4, "x": 1}
