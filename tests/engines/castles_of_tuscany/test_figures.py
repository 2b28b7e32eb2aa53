"""Figures that no table could have are named, each by its bound (CT-4.1, CT-4.2, CT-5.2, CT-5.9, CT-7.2)."""

import re

import pytest

from engines.contract import Level, Setup
from engines.facts import Facts, to_ask
from tests.engines.castles_of_tuscany.table import GAME, SAMPLE, turn
from tests.engines.test_matches import files
from tests.recorded import load

TOLD = "seats=2 level=score counted.a={} counted.b={}"
FINE = "84,30,2,0,1,3,6"
OVER = next(
    match for path in files("castles_of_tuscany") for _, match in [load(path)] if path.stem.endswith("_four")
)
LINE = GAME.position.write(OVER.state)


def wrong(line, facts=()):
    return [(one.where, one.check, one.clause) for one in GAME.position.status(line, facts)]


def test_what_was_played_is_fine():
    assert wrong(LINE) == wrong(TOLD.format(FINE, FINE)) == []


@pytest.mark.parametrize(
    ("one", "other", "more", "problem"),
    [
        ("84,30,4,0,1,3,6", "84,30,4,0,1,3,6", "", ("counted", "position.stored_all", "CT-5.9")),
        ("84,28,2,0,1,3,0", FINE, "", ("counted.a", "position.green", "CT-4.1")),
        ("61,30,2,0,1,3,6", "60,30,2,0,1,3,6", " all_green=yes", ("counted.a", "position.orange", "CT-7.2")),
    ],
)
def test_a_final_table_told_by_hand_is_one_there_can_be(one, other, more, problem):
    assert wrong(TOLD.format(one, other) + more) == [problem]


def test_what_is_just_possible_is():
    assert wrong(TOLD.format("84,30,4,0,1,3,6", "84,30,3,0,1,3,6")) == []
    assert wrong(TOLD.format("84,29,2,0,1,3,0", FINE)) == []
    assert wrong(TOLD.format("61,30,2,0,1,3,6", FINE)) == []


@pytest.mark.parametrize(
    ("field", "was", "now", "problem"),
    [
        ("gains.a", r"areas:3:e6", "areas:3:b1", "position.gain_area"),
        ("gains.a", r"areas:3:e6", "areas:1:e6", "position.gain_area"),
        ("gains.a", r"areas:3:e6,", "", "position.gain_area"),
        ("gains.a", r"bonus:6:t", "bonus:6:v", "position.gain_bonus"),
        ("gains.a", r"areas:3:e6", "areas:3:e1", "position.gain_empty"),
        ("squares.a", r"=", "=cards,cards,cards,cards,cards,", "position.squares_of"),
    ],
)
def test_what_was_gained_goes_with_what_is_filled(field, was, now, problem):
    given = re.search(rf"(?<= ){re.escape(field)}=\S+", LINE)[0]
    damaged = LINE.replace(given, re.sub(was, now, given, count=1))
    assert damaged != LINE
    assert problem in {check for _, check, _ in wrong(damaged)}


@pytest.mark.parametrize(
    ("gained", "problem"),
    [
        ("areas:1:b1", []),
        ("areas:3:b1", ["position.gain_area"]),
        ("areas:1:b1,areas:1:b1", ["position.gain_area"]),
        ("areas:1:c1", ["position.gain_empty"]),
        ("bonus:6:t", ["position.gain_bonus"]),
    ],
)
def test_while_a_match_goes_on_nobody_has_gained_more_than_is_filled(gained, problem):
    assert [check for _, check, _ in wrong(turn("b1", gains_a=f"{gained}/-/-"))] == problem


@pytest.mark.parametrize("level", Level)
def test_only_what_is_used_is_asked_of_a_copy(level):
    nothing = Facts.of(SAMPLE.schema)
    asked = to_ask(nothing, Setup(level=level))
    assert bool(asked) == (level is not Level.SCORE)


def test_a_final_table_is_counted_on_a_copy_that_nobody_knows():
    state = GAME.rules.start(Setup(level=Level.SCORE))
    assert GAME.rules.pending(state).question == "final_orange"
