"""Packages and folders with a name of ours: the command names them, child processes ignore them."""

import os
import subprocess
import sys
from pathlib import Path

import podesta_start
from device.sensors.host import find_load_fault
from tests.engines.newcomers import told

START = "from podesta_start import main; raise SystemExit(main())"


def started(folder, *words):
    """Return the result of the command with a folder before its own packages."""
    return subprocess.run(
        [sys.executable, "-P", "-c", START, *words],
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def stray(folder, name="device", file="__init__.py"):
    path = folder / name / file
    path.parent.mkdir(parents=True)
    path.write_text("raise ImportError('not yours')", "utf-8")
    return path.parent


def test_a_folder_in_the_way_is_named(tmp_path):
    found = stray(tmp_path, "engines")
    done = started(tmp_path, "--version")
    apart = "install podesta into an environment of its own"
    said = f"podesta: {found} lies in the way of podesta's own engines: move it away, or {apart}\n"
    assert (done.returncode, done.stdout, done.stderr) == (podesta_start.LACKING, "", said)


def test_a_package_in_the_way_is_named_with_how_to_be_rid_of_it(tmp_path):
    stray(tmp_path)
    told(tmp_path, "reader", "device:READER", "a.group", package="card_reader")
    (tmp_path / "card_reader-1.0.dist-info" / "top_level.txt").write_text("device\n", "utf-8")
    assert ": pip uninstall card_reader, or install" in started(tmp_path, "--version").stderr


def test_a_package_written_over_ours_is_noticed(tmp_path, monkeypatch):
    """Two wheels with a folder of one name are installed into one folder."""
    there = Path(podesta_start.__file__)
    assert [podesta_start.in_the_way(name) for name in ("device", "vision", "engines")] == [None] * 3
    merged = stray(tmp_path)
    monkeypatch.setattr(podesta_start, "__file__", str(tmp_path / there.name))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "device")
    assert podesta_start.in_the_way("device") == merged


def test_what_is_in_nobody_s_way_starts_the_command(tmp_path):
    stray(tmp_path, "devices")
    (tmp_path / "device").mkdir()  # no package: it comes after ours
    done = started(tmp_path, "--version")
    assert (done.returncode, done.stdout[:8], done.stderr) == (0, "podesta ", "")


def test_a_camera_is_started_in_a_folder_that_has_a_device(tmp_path, monkeypatch):
    stray(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert find_load_fault("camera") == ""
