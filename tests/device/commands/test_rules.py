"""`podesta rules` and `podesta perft`: clauses by chapter and by word; a tree is counted."""

import json

import pytest

import engines
from device.cli import main
from device.commands import Exit
from engines.rules import load
from engines.search import perft
from engines.texts import breadth


def test_all_clauses_are_listed_in_order_under_their_sections(capsys):
    assert main(["rules", "san_gimignano"]) == Exit.FINE
    lines = capsys.readouterr().out.splitlines()
    starts = [line.split()[0] for line in lines if line.startswith("SG-")]
    assert starts == [clause.id for clause in load("san_gimignano")]
    assert {clause.section for clause in load("san_gimignano")} <= set(lines)


def test_one_clause_is_shown_whole_whatever_its_case(capsys):
    for clause in ("SG-3.12", "sg-3.12"):
        assert main(["rules", "san_gimignano", clause]) == Exit.FINE
        words = capsys.readouterr().out.split()
        assert words == ["SG-3.12", *load("san_gimignano").clause("SG-3.12").text.split()]


def test_an_unknown_clause_names_the_nearest(capsys):
    assert main(["rules", "san_gimignano", "SG-3.99"]) == Exit.WRONG
    out, err = capsys.readouterr()
    assert not out
    assert err == "podesta: san_gimignano has no clause SG-3.99; the nearest is SG-3.9\n"


def test_clauses_are_found_by_word(capsys):
    assert main(["rules", "torres", "--find", "king bonus"]) == Exit.FINE
    assert capsys.readouterr().out.split()[0] == "TO-5.1"
    assert main(["rules", "torres", "--find", "king", "--json"]) == Exit.FINE
    found = [one["id"] for one in json.loads(capsys.readouterr().out)]
    assert found == [clause.id for clause in load("torres").search("king")]


def test_a_word_that_no_clause_has_is_said(capsys):
    assert main(["rules", "torres", "--find", "dragon"]) == Exit.WRONG
    assert capsys.readouterr().err == "podesta: no clause of torres has 'dragon'\n"


def test_words_and_a_clause_are_not_asked_at_once(capsys):
    assert main(["rules", "torres", "TO-1.1", "--find", "king"]) == Exit.USAGE
    assert "one of CLAUSE, --find" in capsys.readouterr().err


def test_no_line_of_japanese_is_too_wide_or_begins_with_a_stop(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    assert main(["rules", "torres", "--language", "ja"]) == Exit.FINE
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert max(map(breadth, lines)) <= 60
    assert not [line for line in lines if line.startswith(("。", "、"))]
    assert not [line for line in lines if line.endswith("TO-")]


GAME = engines.game("san_gimignano")
OPEN = "a=5-7 marker=a market=6,8,8,10 hand.a=?4 hand.b=?5"


def test_a_position_is_counted_and_divided(capsys):
    whole = perft(GAME, GAME.position.read(OPEN), 3)
    assert main(["perft", "san_gimignano", "--depth", "3", "--position", OPEN]) == Exit.FINE
    assert capsys.readouterr().out == f"{whole}\n"
    assert main(["perft", "san_gimignano", "--depth", "3", "--position", OPEN, "--divide"]) == Exit.FINE
    *parts, total = capsys.readouterr().out.splitlines()
    tokens = [part.split(": ")[0] for part in parts]
    assert tokens == [choice.token for choice in GAME.rules.legal(GAME.position.read(OPEN))]
    assert sum(int(part.split(": ")[1]) for part in parts) == whole
    assert total == f"total: {whole}"


@pytest.mark.parametrize(("position", "why"), [("a=11x3", "'11x3'"), ("a=5-7 marker=-", "SG-4.1")])
def test_an_impossible_position_is_not_counted(position, why, capsys):
    assert main(["perft", "san_gimignano", "--depth", "1", "--position", position]) == Exit.WRONG
    out, err = capsys.readouterr()
    assert not out
    assert why in err
