"""The pinned versions satisfy pyproject.toml, on either processor."""

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
FILES = sorted((ROOT / ".ci").glob("constraints-*.txt"))


def asked():
    """Return the requirements of pyproject.toml, including extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = sum(project["optional-dependencies"].values(), project["dependencies"])
    return [each for each in map(Requirement, lines) if each.name != project["name"]]


def pinned(path):
    lines = path.read_text("utf-8").splitlines()
    return [Requirement(line) for line in lines if not line.startswith("#")]


def applying(requirements, path, machine):
    """Return those that apply to a file's Python on a Linux machine."""
    there = {
        "python_version": path.stem.removeprefix("constraints-"),
        "platform_machine": machine,
        "sys_platform": "linux",
    }
    return [each for each in requirements if not each.marker or each.marker.evaluate(there)]


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_requirement_is_met_by_one_pin(path, machine):
    pins = applying(pinned(path), path, machine)
    versions = {pin.name.lower(): str(pin.specifier).removeprefix("==") for pin in pins}
    assert len(versions) == len(pins)
    for each in applying(asked(), path, machine):
        assert each.specifier.contains(versions[each.name.lower()]), each


@pytest.mark.parametrize(("distribution", "python"), [("bookworm", "3.11"), ("trixie", "3.13")])
def test_a_package_s_wheels_are_the_versions_that_were_tried_and_have_hashes(distribution, python):
    wheels = (ROOT / "systemd" / "deb" / f"wheels-{distribution}.txt").read_text("utf-8")
    rows = [row.split() for row in wheels.replace("\\\n", " ").splitlines() if not row.startswith("#")]
    tried = {str(pin).partition(";")[0] for pin in pinned(ROOT / ".ci" / f"constraints-{python}.txt")}
    assert {row[0] for row in rows} <= tried
    assert all(row[1:] and all(one.startswith("--hash=sha256:") for one in row[1:]) for row in rows)


@pytest.mark.parametrize(("distribution", "python"), [("bookworm", "3.11"), ("trixie", "3.13")])
def test_a_package_brings_all_that_the_box_imports_but_for_what_the_system_has(distribution, python):
    wheels = (ROOT / "systemd" / "deb" / f"wheels-{distribution}.txt").read_text("utf-8")
    box = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"][
        "box"
    ]
    brought = {line.partition("==")[0].lower() for line in wheels.splitlines() if "==" in line}
    assert {Requirement(one).name for one in box} - brought == {"numpy", "opencv-python-headless", "lgpio"}
