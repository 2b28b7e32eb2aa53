"""`podesta vision bench`: what it prints, and what its exit status says."""

import json

import pytest

from device.cli import main
from device.commands import Exit
from device.commands.vision import count_presses
from engines import game, matchfile
from engines.match import replay
from tests.device.conftest import MATCHES
from tests.device.sensors.readers.bench.pictures import Told, board, put, tray


@pytest.fixture
def told(monkeypatch):
    """The readers in place of the real ones."""
    return Told().in_use(monkeypatch)


@pytest.fixture
def folder(tmp_path, told):
    put(tmp_path, "b", board())
    put(tmp_path, "t", tray())
    return tmp_path


def test_the_json_is_the_last_line_and_has_the_documented_shape(folder, capsys):
    assert main(["vision", "bench", str(folder), "--json"]) == Exit.FINE
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    boards = {"n", "exact", "cells_right", "pieces_right", "doubted", "silent_wrong"}
    boards |= {"illegal_n", "illegal_reported", "false_alarms", "ms_median", "ms_worst"}
    others = {"cards", "tuscany", "tuscany_taught", "kept"}
    assert set(found) == {
        "torres",
        "torres_steep",
        "tray",
        "tray_outside",
        *others,
        "skipped",
        "unreadable",
        "faults",
    }
    assert set(found["torres"]) == set(found["torres_steep"]) == boards
    assert set(found["tray"]) == {"n", "exact", "doubted", "silent_wrong", "ms_median", "ms_worst"}
    assert found["torres"] == {
        "n": 1,
        "exact": 1,
        "cells_right": 1.0,
        "pieces_right": 1.0,
        "doubted": 0,
        "silent_wrong": 0,
        "illegal_n": 0,
        "illegal_reported": 0,
        "false_alarms": 0,
        "ms_median": 10.0,
        "ms_worst": 10.0,
    }
    assert found["torres_steep"]["cells_right"] is None


def test_a_file_that_is_not_right_is_told_and_the_status_says_so(folder, capsys):
    folder.joinpath("bad.json").write_text("{", "utf-8")
    put(folder, "lost", board(), None)
    assert main(["vision", "bench", str(folder), "--json"]) == Exit.UNREADABLE
    out, err = capsys.readouterr()
    assert json.loads(out)["torres"]["n"] == 1
    assert json.loads(out)["unreadable"] == 2
    bad, lost = err.splitlines()
    assert bad.startswith(f"podesta: {folder / 'bad.json'}: ")
    assert lost == f"podesta: {folder / 'lost.jpg'}: No such file or directory"


def test_a_reader_that_fails_is_a_fault(folder, told, capsys):
    told.told["b"] = RuntimeError("no idea")
    assert main(["vision", "bench", str(folder)]) == Exit.FAULT
    out, err = capsys.readouterr()
    assert err == f"podesta: {folder / 'b.jpg'}: RuntimeError: no idea\n"
    assert "t: right, 2 ms" in out


def test_a_turn_by_keys_costs_what_the_box_s_menus_ask():
    """Two blocks from the start of a match: each at least a verb, a space, and OK on it."""
    file = matchfile.read((MATCHES / "torres_two.match").read_text("utf-8"))
    match = replay(game("torres"), file.setup, file.steps)
    at = next(n for n, step in enumerate(match.steps) if step.text.startswith("B "))
    position = match.game.position.write(match.points[at].state)
    pressed = count_presses("torres", position, [match.steps[at].text])
    assert 1 <= pressed <= 4
    assert count_presses("torres", position, []) == 0
