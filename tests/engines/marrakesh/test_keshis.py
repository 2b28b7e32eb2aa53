from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import bags
from engines.contract import Problem
from engines.marrakesh.keshis import COLOURS, KINDS, ROUNDS, keshis, named, thrown_problems

COUNTS = st.dictionaries(st.sampled_from(COLOURS), st.integers(1, 25))


def test_there_are_twelve_colours():
    assert KINDS == len(set(COLOURS)) == 12


@given(COUNTS)
def test_a_bag_by_name_and_back(counts):
    assert named(keshis(counts)) == counts
    assert bags.total(keshis(counts)) == sum(counts.values())


def test_none_of_a_colour_is_not_named():
    assert named(keshis({"red": 0, "gray": 3})) == {"gray": 3}


def test_the_colours_stand_in_their_order():
    assert list(named(keshis({"orange": 1, "turquoise": 2}))) == ["turquoise", "orange"]
    assert keshis({"turquoise": 2}) == 2


@pytest.mark.parametrize(
    ("counts", "told"),
    [({"blue": 1}, "'blue' is no keshi's colour"), ({"red": -1}, "-1 red"), ({"red": 256}, "256 red")],
)
def test_what_is_no_keshi_is_refused(counts, told):
    with pytest.raises(ValueError, match=told):
        keshis(counts)


# What is thrown


def season(rng, players):
    """Four rounds in which every player throws three of the twelve, in an order of their own."""
    rounds = [0] * ROUNDS
    for _ in range(players):
        order = list(range(KINDS))
        rng.shuffle(order)
        for at, kind in enumerate(order):
            rounds[at // 3] += bags.one(kind)
    return rounds


@given(st.randoms(use_true_random=False), st.integers(2, 4), st.integers(0, ROUNDS))
def test_a_season_as_it_may_be_thrown(rng, players, rounds):
    assert thrown_problems(season(rng, players)[:rounds], players) == []


@given(
    st.randoms(use_true_random=False), st.integers(2, 4), st.integers(0, ROUNDS - 1), st.sampled_from(COLOURS)
)
def test_one_keshi_more_is_named(rng, players, at, colour):
    rounds = season(rng, players)
    rounds[at] += keshis({colour: 1})
    found = thrown_problems(rounds, players)
    number = (("thrown", 3 * players + 1), ("due", 3 * players))
    assert Problem(f"throw.{at + 1}", "thrown.number", "MK-3.1", number) in found
    # Its player had one of each: the season ends with one too many of the colour.
    twice = [problem for problem in found if problem.check == "thrown.colour"]
    assert {dict(problem.figures)["colour"] for problem in twice} == {colour}


def test_more_of_a_colour_than_players_have():
    first, second = keshis({"red": 2, "gray": 2, "pink": 2}), keshis({"red": 1, "black": 2, "white": 3})
    assert thrown_problems([first, second], 2) == [
        Problem("throw.2", "thrown.colour", "MK-3.1", (("colour", "white"), ("thrown", 3), ("left", 2))),
        Problem("throw.2", "thrown.colour", "MK-3.1", (("colour", "red"), ("thrown", 1), ("left", 0))),
    ]
    assert thrown_problems([first, second], 3)[0].check == "thrown.number"


def test_a_fifth_round_belongs_to_another_season():
    rounds = [0] * 4 + [keshis({"red": 2, "gray": 2, "pink": 2})]
    checks = [(problem.where, problem.check) for problem in thrown_problems(rounds, 2)]
    assert checks == [(f"throw.{n}", "thrown.number") for n in range(1, 5)] + [("throw.5", "thrown.round")]


@pytest.mark.parametrize("players", [0, 1, 5])
def test_the_game_is_for_two_to_four(players):
    with pytest.raises(ValueError, match=r"MK-1\.1"):
        thrown_problems([], players)
