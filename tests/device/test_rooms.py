"""The rooms of the house: what a room shows stands in its ``__init__``, and no imports run in a circle."""

from __future__ import annotations

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

DEVICE = Path(__file__).parents[2] / "device"
CLOSED = ("menus",)
"""Rooms that nobody outside reaches into past their ``__init__``."""


def name(path):
    parts = path.relative_to(DEVICE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imports():
    """Each module of ``device`` with every module it imports, wherever the import stands."""
    modules = {name(path): path for path in sorted(DEVICE.rglob("*.py"))}
    found = {}
    for module, path in modules.items():
        found[module] = set()
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                found[module] |= {alias.name for alias in node.names} & modules.keys()
            elif isinstance(node, ast.ImportFrom) and node.module:
                inner = {f"{node.module}.{alias.name}" for alias in node.names}
                found[module] |= inner & modules.keys() or {node.module} & modules.keys()
    return found


@pytest.mark.parametrize("room", CLOSED)
def test_nobody_outside_reaches_past_the_door(room):
    inside = f"device.{room}"
    past = {
        f"{module} imports {target}"
        for module, targets in imports().items()
        for target in targets
        if target.startswith(f"{inside}.") and not f"{module}.".startswith(f"{inside}.")
    }

    assert not past


@pytest.mark.parametrize("room", CLOSED)
def test_no_imports_run_in_a_circle(room):
    inside = f"device.{room}."
    graph = {
        module: {target for target in targets if target.startswith(inside)}
        for module, targets in imports().items()
        if module.startswith(inside)
    }

    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"a circle: {' → '.join(error.args[1])}")
