"""Drawings of wires: what WireViz's data joins, and what its picture says."""

import html
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

needs_dot = pytest.mark.skipif(
    shutil.which("dot") is None, reason="graphviz is not here: the wires are not drawn anew"
)

Wire = tuple[tuple[str, str | int], tuple[str, str | int]]


def wires(data: dict) -> set[Wire]:
    """Return what is joined to what: (part, its pin) on the left to the same on the right."""
    joined: set[Wire] = set()
    for row in data["connections"]:
        (start, left), _, (end, right) = (next(iter(one.items())) for one in row)
        joined |= {((start, a), (end, b)) for a, b in zip(left, right, strict=True)}
    return joined


def texts(svg: str) -> list[str]:
    """Return what a picture says, wire by wire: its left end, its colour, its right end."""
    return [html.unescape(text).strip() for text in re.findall(r">([^<]+)</text>", svg)]


def check_shown(data: dict, svg: str) -> None:
    """Check that a picture shows every wire: part, number and name of both ends."""
    said = texts(svg)
    shown = set(zip(said, said[2:], strict=False))
    for ends in wires(data):
        assert tuple(_named(data["connectors"][part], part, pin) for part, pin in ends) in shown


def _named(connector: dict, part: str, pin: str | int) -> str:
    labels = connector["pinlabels"]
    numbers = connector.get("pins", range(1, len(labels) + 1))
    for number, label in zip(numbers, labels, strict=True):
        if pin in (number, label):
            return f"{part}:{number}:{label}"
    raise AssertionError(f"{part} has no pin {pin}")


def check_drawn(data: Path, folder: Path) -> None:
    """Check that the picture beside ``data`` is what WireViz makes of it."""
    shutil.copy(data, folder)
    command = "from wireviz.wv_cli import wireviz; wireviz()"
    subprocess.run(
        [sys.executable, "-c", command, "--format", "s", f"{folder}/{data.name}"],
        check=True,
        capture_output=True,
        timeout=60,
    )
    drawn = (folder / data.name).with_suffix(".svg").read_text("utf-8")
    assert texts(drawn) == texts(data.with_suffix(".svg").read_text("utf-8"))
