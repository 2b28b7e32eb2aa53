"""A position and the copy that it stands on, on the command line: the toy with a tower."""

import json

import pytest

import engines
from device.bench.engines import usual
from device.cli import main
from device.commands import Exit
from engines.facts import is_sample
from tests.engines.tables import TABLES

MADE_UP = "SAMPLE: the facts of this copy are made up.\n"
BEGUN = "5 3,2 1r - 1r ? 0,0 0,0"


@pytest.fixture
def copy(tmp_path):
    """A copy of nine turns."""
    path = tmp_path / "anna.toml"
    path.write_text('format = 1\ngame = "tower_toy"\ncopy = "Anna"\nturns = 9\n')
    return str(path)


def test_without_a_copy_a_sample_stands_in_and_says_so(tower, capsys):
    assert main(["perft", tower, "--depth", "1"]) == Exit.FINE
    assert capsys.readouterr().out == f"3\n{MADE_UP}"


def test_a_position_stands_on_the_copy_that_is_named(tower, copy, capsys):
    keep = BEGUN.replace("?", "1r1g")
    assert main(["perft", tower, "--depth", "1", "--position", keep, "--copy", copy]) == Exit.FINE
    assert capsys.readouterr().out == "3\n"
    assert main(["score", tower, "--copy", copy, "--json", BEGUN.replace("0,0 ", "4,1 ", 1)]) == Exit.FINE
    found = json.loads(capsys.readouterr().out)
    assert (found["standing"]["scores"], found["sample"]) == ({"a": 4, "b": 1}, False)


def test_what_is_wrong_on_one_copy_may_be_right_on_another(tower, copy, capsys):
    """Turn 5 of nine, where the sample has four."""
    assert main(["score", tower, BEGUN]) == Exit.WRONG
    out, err = capsys.readouterr()
    assert out == MADE_UP
    assert "turn: P-1: Turn 5 of 4." in err
    assert main(["score", tower, "--copy", copy, BEGUN]) == Exit.FINE
    assert MADE_UP not in capsys.readouterr().out


def test_what_rests_on_nothing_made_up_is_no_sample(capsys):
    """All that is counted in Marrakesh is told in the position."""
    game = engines.game("marrakesh")
    assert is_sample(usual(game).facts)
    state = TABLES["marrakesh full 2"].walk(1)[-1].after
    assert main(["score", "marrakesh", game.position.write(state)]) == Exit.FINE
    assert MADE_UP not in capsys.readouterr().out


@pytest.mark.parametrize(("text", "why"), [("turns = 10", "anna.toml:4: turns"), ("x", "anna.toml:4")])
def test_a_file_that_is_not_right_is_not_used(tower, copy, capsys, text, why):
    with open(copy, "r+") as file:
        told = file.read().replace("turns = 9", text)
        file.seek(0)
        file.write(told)
    assert main(["perft", tower, "--depth", "1", "--copy", copy]) != Exit.FINE
    out, err = capsys.readouterr()
    assert not out
    assert why in err
