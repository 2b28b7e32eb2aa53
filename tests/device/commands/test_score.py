"""`podesta score`: a final position, on the copy that it stands on."""

import json
import re

import pytest

import engines
from device.bench.engines import make_setup
from device.cli import main
from device.commands import Exit
from engines.facts import is_sample
from tests.engines.tables import TABLES

FIGURE_2 = "a=10x3*,9x3*,8x3*,6x3,5-9 b=7x3*,6-10*,5-7*,8-10* marker=a"


def test_the_printed_example_scores_as_printed(capsys):
    assert main(["score", "san_gimignano", FIGURE_2, "--names", "Adso, William"]) == Exit.FINE
    out = capsys.readouterr().out
    assert out.endswith("\n63 : 66, William wins\n")
    rows = [line.split() for line in out.splitlines()]
    assert rows[0] == ["Adso", "William"]
    assert ["Plain", "33", "10", "+", "9", "+", "8", "+", "6", "7", "7"] in rows
    assert ["Highest", "10", "marker", "0"] in rows
    assert ["Place", "2", "1"] in rows


BASIC = {"Completed", "Blessing 7", "Plain", "Colourful", "Highest"}


@pytest.mark.parametrize(
    ("fields", "also"),
    [("", set()), (" nobles=?9 nobles.a=?1", {"Monumento", "Cappella"}), (" deals=2", {"Closer"})],
)
def test_only_what_the_options_can_score_has_a_row(fields, also, capsys):
    """Neither nobles nor a closer's penalty in a basic game of one deal."""
    assert main(["score", "san_gimignano", FIGURE_2 + fields]) == Exit.FINE
    table = capsys.readouterr().out.splitlines()[1:]
    shown = {line.split("  ")[0] for line in table[: table.index("")]}
    assert shown == BASIC | also | {"Total", "Place"}


def test_as_json_with_every_booking(capsys):
    assert main(["score", "san_gimignano", FIGURE_2, "--json"]) == Exit.FINE
    found = json.loads(capsys.readouterr().out)
    assert found["standing"]["scores"] == {"a": 63, "b": 66}
    assert found["standing"]["winners"] == ["b"]
    assert {b["clause"] for b in found["standing"]["bookings"]} == {f"SG-8.{n}" for n in range(1, 6)}
    assert found["problems"] == []
    assert main(["score", "san_gimignano", found["position"]]) == Exit.FINE


def test_an_impossible_position_lists_everything_wrong(capsys):
    assert main(["score", "san_gimignano", "a=10x10*,10x3 b=5-10 marker=- passes=2"]) == Exit.WRONG
    out, err = capsys.readouterr()
    assert not out
    assert err.splitlines() == [
        "podesta: cards: SG-1.1: rank 10: 14 named, 10 exist",
        "podesta: marker: SG-4.1: towers stand and nobody holds the marker",
        "podesta: passes: SG-2.2: 2 passes do not fit how it ended",
    ]


@pytest.mark.parametrize(
    ("argv", "status"), [(["a=11x3"], Exit.WRONG), (["tower=1"], Exit.WRONG), ([FIGURE_2, "--names", "A"], 2)]
)
def test_what_cannot_be_read_is_one_line(argv, status, capsys):
    assert main(["score", "san_gimignano", *argv]) == status
    assert capsys.readouterr().err.count("\n") == 1


BOARD = "blocks=..22//..1..1/.......1/1/..1..1//....1 king=d1"
THREE = f"seats=3 {BOARD} a=c1 b=c3 c=f6 phase=2 before=31,40,30"


def test_names_for_as_many_seats_as_the_position_has(capsys):
    assert main(["score", "torres", THREE, "--names", "Ida,Leo,Pia"]) == Exit.FINE
    assert capsys.readouterr().out.endswith("Ida wins\n")
    assert main(["score", "torres", THREE, "--names", "Ida,Leo"]) == Exit.USAGE
    assert "the position has 3 seats, not 2" in capsys.readouterr().err
    assert main(["score", "torres", THREE, "--names", "Ida"]) == Exit.USAGE
    assert "Torres is for 2 or 3 or 4 players, not 1" in capsys.readouterr().err


@pytest.mark.parametrize("game", engines.GAMES)
def test_what_cannot_be_read_is_told_in_the_language(game, capsys):
    """Of each field there is, written as none is; names of fields and what may stand there stay."""

    def told(position):
        assert main(["score", game, position, "--language", "ja"]) == Exit.WRONG
        return capsys.readouterr().err

    unknown = told("~=~")
    assert unknown.startswith("podesta: 局面: 「~」という項目はありません。項目: ")
    for name in unknown.rstrip().rpartition(": ")[2].split(", "):
        why = told(f"{name}=~")
        assert re.match(r"podesta: 局面: .*(「|今は~です$)", why), why
        assert not re.search("[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}|Expected", why), why


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("game: torress", "x.match:2: 'torress' というゲームはありません。torres のことですか。"),
        ("game: torres\nstrat: a", "x.match:3: 'strat' という見出しはありません。'start' のことですか。"),
        (
            "game: torres\nfact.cell_pitch: sure 9 mm",
            "x.match:3: fact.cell_pitch: 10〜60mmにしてください。今は9 mmです",
        ),
        ("game: torres\ndoors: yes", "x.match:3: doors は castleかdescend です。'yes' ではありません"),
        ("game: torres\nseats: A, B, C, D, E", "x.match: Torres は 2か3か4 人用です (TO-1.1)"),
    ],
)
def test_a_match_file_that_cannot_be_read_is_told_in_the_language(head, said, tmp_path, capsys):
    file = tmp_path / "x.match"
    file.write_text(f"podesta match 1\n{head}\n", "utf-8")
    assert main(["replay", str(file), "--language", "ja"]) == Exit.WRONG
    assert said in capsys.readouterr().err


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
    assert is_sample(make_setup(game).facts)
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
