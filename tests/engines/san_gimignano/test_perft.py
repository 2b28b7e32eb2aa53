"""Counted trees, by two generators: the fast list, and the domain filtered by the checks."""

from __future__ import annotations

import pytest

from engines.contract import Level, Setup
from engines.search import divide, perft
from tests.engines.san_gimignano.table import GAME, LATE, at
from tests.engines.test_conformance import by_checks

START = GAME.position.write(GAME.rules.start(Setup()))
MIDDLE = "a=8x3,6-8 b=9x3,7x3* marker=a market=5,8,8,10 hand.a=8,10,?3 hand.b=5,?4 shared=9 deck=6,7,8,?16"
CONSPIRACY = "a=7x3 b=8x3,5-7 marker=a market=6,9 hand.a=10,10,10,?2 hand.b=?5"
ENDING = f"{LATE} phase=ending market=8 hand.a=?7 hand.b=?5 deck=?3"
NOBLES = GAME.position.write(GAME.rules.start(Setup(options=(("nobles", "yes"),))))
STONES = """a=8x3,7-9 b=9x3 marker=a market=5,8,via hand.a=8,?4 hand.b=?5 nobles.a=pietra,?1 nobles.b=?1
    used.b=mura pietra_guard=yes"""
FIGURES = {
    "nobles": (NOBLES, (6, 36, 216, 1296, 5184)),
    "stones": (STONES, (9, 65, 477, 2599, 19554)),
    "start": (START, (6, 36, 216, 1_296, 5_184, 37_700)),
    "middle": (MIDDLE, (6, 32, 124, 592, 2_527, 9_348)),
    "conspiracy": (CONSPIRACY, (6, 19, 87, 363, 1_382, 5_783)),
    "ending": (ENDING, (2, 6, 13, 36, 68, 123)),
    "table": (f"level=table {MIDDLE}", (6, 32, 126, 591, 2_540, 9_591)),
    "final": (GAME.position.write(GAME.rules.start(Setup(level=Level.SCORE))), (17, 70, 462, 2_732, 15_022)),
}


DEEP = 6_000
"""The checks are asked as long as there are fewer leaves."""


@pytest.mark.parametrize("name", FIGURES)
def test_perft(name):
    position, figures = FIGURES[name]
    state = at(position)
    assert tuple(perft(GAME, state, depth + 1) for depth in range(len(figures))) == figures


@pytest.mark.parametrize("name", FIGURES)
def test_perft_by_the_checks(name):
    position, figures = FIGURES[name]
    state = at(position)
    for depth, figure in enumerate(figures, 1):
        if figure < DEEP:
            assert by_checks(GAME, state, depth) == figure


def test_divide_adds_up():
    state = at(MIDDLE)
    split = divide(GAME, state, 3)
    assert sum(split.values()) == FIGURES["middle"][1][2]
    assert list(split) == [choice.token for choice in GAME.rules.legal(state)]


def test_perft_of_depth_nought_is_one_and_of_the_end_nothing():
    assert perft(GAME, at(START), 0) == 1
    assert perft(GAME, at("market=5 passes=2 over=double_pass"), 1) == 0
