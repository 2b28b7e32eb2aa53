"""SG-4: the highest marker."""

import pytest

from tests.engines.san_gimignano.table import at, field, play

OPEN = "market=5 hand.a=?5 hand.b=?5"


def test_sg_4_1_the_first_tower_takes_it():
    assert field(play(at(OPEN), "B 5 5 5"), "marker") == "a"
    assert field(play(at(f"{OPEN} turn=b"), "B 6-8"), "marker") == "b"


@pytest.mark.parametrize(
    ("built", "holder"), [("B 6x3", "a"), ("B 6x4", "b"), ("B 6-8", "a"), ("B 6-9", "b")]
)
def test_sg_4_1_a_strictly_higher_tower_takes_it_and_sg_4_2_an_equal_one_does_not(built, holder):
    assert field(play(at(f"{OPEN} a=8x3 marker=a turn=b"), built), "marker") == holder


@pytest.mark.parametrize(("extended", "holder"), [("E 7x3 +1 d", "a"), ("E 7x3 +2 d d", "b")])
def test_sg_4_1_extending_takes_it_too(extended, holder):
    assert field(play(at(f"{OPEN} a=8x4 b=7x3 marker=a turn=b"), extended), "marker") == holder


def test_sg_4_2_destroying_does_not_move_it():
    destroyed = play(at(f"{OPEN} a=8x3 marker=a turn=b"), "B 10x3", "use", "allow")
    assert (field(destroyed, "a"), field(destroyed, "b"), field(destroyed, "marker")) == ("-", "10x3", "a")


def test_sg_4_2_after_a_destruction_the_next_strictly_higher_tower_takes_it():
    state = play(at(f"{OPEN} a=8x4 b=7x3 marker=a turn=b"), "B 10x4", "use", "allow")
    assert (field(state, "a"), field(state, "b"), field(state, "marker")) == ("-", "7x3,10x4", "a")
    assert field(play(state, "B 9x4", "decline"), "marker") == "a"
    extended = play(state, "P d d", "E 10x4 +1 d")
    assert field(extended, "marker") == "b"
