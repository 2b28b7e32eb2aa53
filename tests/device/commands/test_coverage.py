"""Every clause that can refuse has a test that sees it refuse and one that sees it let pass."""

import json
from types import SimpleNamespace

import pytest

import engines
from device.cli import main
from device.commands import Exit, rules
from device.commands.rules import Coverage
from engines.kit.checks import Check


def told(capsys, game="san_gimignano"):
    status = main(["rules", game, "--coverage", "--json"])
    out, err = capsys.readouterr()
    return status, json.loads(out), err


@pytest.fixture(scope="module")
def found() -> Coverage:
    return rules.measure_coverage("san_gimignano")


@pytest.fixture
def cases(monkeypatch):
    """Replace the cases of the tests by others made of them."""

    def change(made):
        real = rules._list_tests
        monkeypatch.setattr(rules, "_list_tests", lambda game: iter(made(list(real(game)))))

    return change


@pytest.mark.parametrize("game", engines.GAMES)
def test_no_game_has_a_gap(game):
    assert rules.measure_coverage(game).gaps == ()


def test_as_a_table(capsys):
    assert main(["rules", "san_gimignano", "--coverage"]) == Exit.FINE
    heading, *rows = capsys.readouterr().out.splitlines()
    assert heading.split() == ["clause", "check", "refuses", "accepts", "test"]
    row = next(row for row in rows if " close.completed " in row)
    assert row.split()[:4] == ["SG-3.12", "close.completed", "close", "close"]
    assert "tests/engines/test_checks.py::test_check[san_gimignano-" in row
    columns = {row.index("tests/") for row in rows if "tests/" in row}
    assert len(columns) == 1


@pytest.mark.parametrize(("lost", "gap"), [("refused", "refuse"), ("passes", "let pass")])
def test_a_check_without_a_test_is_a_gap(lost, gap, cases, capsys):
    def without(found):
        return [
            (case, SimpleNamespace(id=test.id, **{"refused": "x", "passes": "x"} | {lost: ""}))
            if case.check == "close.completed"
            else (case, test)
            for case, test in found
        ]

    def as_tests(found):
        return [(case, rules.Test(test.id, test.refused, test.passes)) for case, test in without(found)]

    cases(as_tests)
    status, told_json, err = told(capsys)
    assert status == Exit.WRONG
    assert told_json["gaps"] == [f"SG-3.12: no test sees close.completed {gap}"]
    assert err == f"podesta: SG-3.12: no test sees close.completed {gap}\n"


def test_a_check_of_a_clause_that_is_none_and_a_test_of_a_check_that_is_none(monkeypatch, cases):
    real = rules._list_checks
    lost = [check for check in real("san_gimignano") if check.name != "close.completed"]
    new = Check("close.late", "SG-99.1", ("action",), lambda state, token: None)
    monkeypatch.setattr(rules, "_list_checks", lambda game: [*lost, new])
    gaps = rules.measure_coverage("san_gimignano").gaps
    assert gaps[0] == "SG-99.1: close.late cites it, and the rules have no such clause"
    assert all(gap.endswith("there is no check close.completed of SG-3.12") for gap in gaps[1:])
    assert len(gaps) > 1


def test_it_needs_a_source_checkout_and_says_so(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(rules, "ROOT", tmp_path)
    assert main(["rules", "san_gimignano", "--coverage"]) == Exit.LACKING
    assert "can be told in a source checkout only" in capsys.readouterr().err
