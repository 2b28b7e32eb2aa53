"""Standings, reckoned by hand, and what must hold for all of them."""

from fractions import Fraction
from random import Random

import hypothesis.strategies as st
import pytest
from hypothesis import given

from device.event.desk.rows import Scored
from device.event.desk.standings import USUAL, parse_tie_breaks, rank_people

HALF = Fraction(1, 2)
ORDER = parse_tie_breaks(USUAL)


def result(number, table, points, *places, **more):
    """``points`` as "Ada 12 Ben 9"; places by the points where none are given."""
    words = points.split()
    found = {name: int(n) for name, n in zip(words[::2], words[1::2], strict=True)}
    ranked = dict(zip(found, places, strict=True)) if places else _ranked(found)
    return scored(number, table, found, ranked, **more)


def scored(number, table, points, places, **more):
    told = {"scores": tuple(points.values()), "places": tuple(places[name] for name in points)}
    return Scored(round=number, table=table, names=tuple(points), **told, **more)


def _ranked(points):
    return {name: 1 + sum(other > n for other in points.values()) for name, n in points.items()}


FIRST = result(1, "1", "Ada 40 Ben 30 Cyd 20 Dan 10"), result(1, "2", "Eve 9 Fay 9 Guy 2")
SECOND = result(2, "1", "Ada 5 Eve 5 Ben 1"), result(2, "2", "Cyd 8 Fay 6 Guy 4 Dan 2")


def told(found):
    return [(one.place, one.name, one.figures["place points"], one.figures["wins"]) for one in found]


def test_two_rounds_by_hand():
    """Round 1: 1, 2/3, 1/3, 0 and, Eve and Fay level, 3/4, 3/4, 0; round 2 the other way round."""
    third = Fraction(1, 3)
    assert told(rank_people([*FIRST, *SECOND], ORDER)) == [
        (1, "Ada", Fraction(7, 4), Fraction(3, 2)),
        (2, "Eve", Fraction(3, 2), Fraction(1)),
        (3, "Fay", Fraction(17, 12), HALF),
        (4, "Cyd", Fraction(4, 3), Fraction(1)),
        (5, "Ben", 2 * third, Fraction(0)),
        (6, "Guy", third, Fraction(0)),
        (7, "Dan", Fraction(0), Fraction(0)),
    ]


def test_level_people_are_parted_by_wins_then_share_then_the_tables_where_they_met():
    level = [result(1, "1", "Ada 10 Ben 4"), result(1, "2", "Cyd 9 Dan 1")]
    # 9 of 10 points, then 10 of 14
    assert [one.name for one in rank_people(level, ORDER)] == ["Cyd", "Ada", "Ben", "Dan"]
    split = [result(1, "1", "Ada 6 Ben 4"), result(2, "1", "Ben 6 Ada 4")]
    assert [(one.place, one.name) for one in rank_people(split, ORDER)] == [(1, "Ada"), (1, "Ben")]
    met = [
        result(1, "1", "Ada 6 Ben 4"),
        result(2, "1", "Cyd 6 Ada 4"),
        result(2, "2", "Ben 6 Dan 4"),
    ]
    assert [one.name for one in rank_people(met, ORDER)][:3] == ["Ada", "Ben", "Cyd"]


def test_an_event_chooses_what_parts_people():
    rounds = [*(result(n, "1", "Ada 5 Ben 4 Cyd 3") for n in (1, 2)), result(3, "1", "Ben 60 Cyd 50 Ada 1")]

    def told(text):
        return [(one.place, one.name) for one in rank_people(rounds, parse_tie_breaks(text))]

    assert told("place points") == [(1, "Ada"), (1, "Ben"), (3, "Cyd")]
    assert told("Place  points, wins") == [(1, "Ada"), (2, "Ben"), (3, "Cyd")]
    assert told("place points, points") == [(1, "Ben"), (2, "Ada"), (3, "Cyd")]
    assert told("points") == [(1, "Ben"), (2, "Cyd"), (3, "Ada")]
    assert told("met, wins") == [(1, "Ada"), (2, "Ben"), (3, "Cyd")]


@pytest.mark.parametrize("text", ["", "goals", "wins, wins", "wins,", "place_points"])
def test_a_tie_break_that_is_none_is_named(text):
    with pytest.raises(ValueError, match="go by some of place points, wins, share, points, met, each"):
        parse_tie_breaks(text)


@given(
    st.lists(st.lists(st.integers(0, 60), min_size=2, max_size=4), min_size=1, max_size=6), st.integers(0, 99)
)
def test_a_table_gives_half_its_people_and_the_order_of_results_does_not_matter(tables, seed):
    found = [
        scored(1, str(number), points, _ranked(points))
        for number, each in enumerate(tables)
        if (points := {f"{number}-{seat}": n for seat, n in enumerate(each)})
    ]
    whole = rank_people(found, ORDER)
    assert sum(one.figures["place points"] for one in whole) == Fraction(sum(map(len, tables)), 2)
    assert sum(one.figures["wins"] for one in whole) == len(tables)
    assert rank_people(Random(seed).sample(found, len(found)), ORDER) == whole
    assert [one.place for one in whole] == sorted(one.place for one in whole)
