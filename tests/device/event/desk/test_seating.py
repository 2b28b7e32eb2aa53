"""Rounds drawn: who must sit where does, and whoever need not meet again does not."""

import re
from collections import Counter
from itertools import combinations

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from device.event.desk.seating import (
    Met,
    Person,
    SeatedRound,
    SeatingError,
    SeatingRules,
    choose_latecomer_table,
    choose_sizes,
    draw,
    find_faults,
)

RULES = SeatingRules()
EVEN = re.compile("meet again|at a smaller table again|always sits first")
"""The rules that more rounds break by and by."""


def crowd(n, **fixed):
    return [Person(f"p{at:02}", fixed.get(f"p{at:02}", "")) for at in range(n)]


def drawn(people, rounds, rules, seed):
    """So many rounds, one after the other."""
    found = []
    for _ in range(rounds):
        found.append(draw(people, rules, seed, found))
    return found


def wrong(people, rounds, rules):
    """Return the faults of each of some rounds."""
    return [said for n, one in enumerate(rounds) for said in find_faults(people, rounds[:n], one, rules)]


def seated(one):
    return Counter([*(name for people in one.tables.values() for name in people), *one.byes])


@given(st.integers(6, 40), st.integers(1, 4), st.integers(0, 999))
@settings(deadline=None, max_examples=6)
def test_everybody_sits_once_in_each_round_and_the_same_seed_draws_the_same(n, rounds, seed):
    people = crowd(n)
    found = drawn(people, rounds, RULES, seed)
    assert found == drawn(people, rounds, RULES, seed)
    for one in found:
        assert seated(one) == Counter(person.name for person in people)
        assert all(len(names) in RULES.sizes for names in one.tables.values())
    assert all(EVEN.search(said) for said in wrong(people, found, RULES))


@given(st.integers(0, 999))
@settings(deadline=None, max_examples=2)
def test_who_cannot_move_stays_who_is_kept_apart_never_meets_and_teachers_have_tables(seed):
    people = [*crowd(16, p00="2", p01="2"), *(Person(f"teacher {n}", teaches=True) for n in range(4))]
    rules = SeatingRules(apart=(("p02", "p03"), ("p04", "teacher 1")))
    found = drawn(people, 3, rules, seed)
    for one in found:
        assert {"p00", "p01"} <= {*one.tables["2"]}
        for names in one.tables.values():
            assert not any({*pair} <= {*names} for pair in rules.apart)
            assert sum(name.startswith("teacher") for name in names) <= 1
    again = {said for said in wrong(people, found, rules) if "p00 and p01" not in said}
    assert all(EVEN.search(said) for said in again)


@pytest.mark.parametrize(("people", "rounds"), [(47, 3), (200, 3)])
def test_a_large_event_repeats_no_pair(people, rounds):
    everybody = [Person(f"p{n:03}") for n in range(people)]
    assert wrong(everybody, drawn(everybody, rounds, RULES, 1), RULES) == []


def test_no_pair_meets_again_so_that_somebody_leaves_the_smaller_table():
    """Three people were there four times, four three times; each of the three has met each of the four."""
    strangers = ("x", "y", "z")
    past = [
        round_of(("a", "defg"[n]), ("b", "defg"[n - 3]), ("c", "defg"[n - 2]), strangers) for n in range(4)
    ]
    for seed in range(4):
        one = draw([Person(name) for name in "abcdefg"], RULES, seed, past)
        assert list(map(sorted, one.tables.values())) == [[*"defg"], [*"abc"]]


def every_seating(names):
    """All ways in which eleven sit at two tables of four and one of three."""
    for three in combinations(names, 3):
        first, *others = [name for name in names if name not in three]
        for with_first in combinations(others, 3):
            yield three, (first, *with_first), tuple(name for name in others if name not in with_first)


def test_pairs_then_smaller_tables_are_as_seldom_again_as_can_be():
    people = crowd(11)
    *past, last = drawn(people, 4, RULES, 5)
    met = Met.of(past)

    def cost(tables):
        again = [met.pairs[pair] for names in tables for pair in combinations(sorted(names), 2)]
        small = [met.small[name] for names in tables if len(names) == 3 for name in names]
        return sum(2 * n - 1 for n in again if n), sum(n**2 for n in small)

    least = min(map(cost, every_seating([person.name for person in people])))
    assert cost(last.tables.values()) == least


def test_seats_are_even_and_nobody_sits_out_twice():
    found = drawn(crowd(11), 4, RULES, 3)
    firsts = Counter(names[0] for one in found for names in one.tables.values())
    assert max(firsts.values()) <= 2
    nine = crowd(9)
    out = Counter(name for one in drawn(nine, 4, SeatingRules(sizes=(4,)), 5) for name in one.byes)
    assert (sum(out.values()), max(out.values())) == (4, 1)


@pytest.mark.parametrize(
    ("people", "sizes", "tables"),
    [
        (48, (4, 3), (4,) * 12),
        (11, (4, 3), (4, 4, 3)),
        (6, (4, 3), (3, 3)),
        (5, (4, 3), (4,)),
        (7, (3, 2), (3, 2, 2)),
    ],
)
def test_tables_seat_as_many_as_can_be_and_most_at_the_wanted_size(people, sizes, tables):
    assert choose_sizes(people, sizes) == tables


@pytest.mark.parametrize(
    ("people", "rules", "why"),
    [
        ([Person("Ada")] * 2 + crowd(4), RULES, "Ada is there twice"),
        (crowd(2), RULES, "2 people fill no table of 4 or 3"),
        (crowd(8, p00="7"), RULES, "there is no table 7"),
        (
            [Person(f"p{n}", "1") for n in range(5)] + crowd(3),
            RULES,
            "5 people cannot move from table 1 of 4",
        ),
        (crowd(8), SeatingRules(sizes=(5,)), "tables are of 2 to 4 people"),
    ],
)
def test_who_cannot_be_seated_is_named(people, rules, why):
    with pytest.raises(SeatingError, match=why):
        draw(people, rules, 0)


def round_of(*tables, byes=()):
    return SeatedRound({str(n): people for n, people in enumerate(tables, 1)}, byes)


def test_the_faults_of_a_round_are_named():
    people = [*crowd(8), Person("Tea", teaches=True), Person("Tom", teaches=True)]
    rounds = (
        round_of(("p00", "p01", "p02", "p03"), ("p04", "p05", "p06", "Tea"), byes=("p07", "Tom")),
        round_of(("p00", "p01", "Tea", "Tom"), ("p03", "p04", "p05"), byes=("p07",)),
    )
    assert wrong(people, rounds, SeatingRules(apart=(("p04", "p05"),))) == [
        "p04 and p05 must be kept apart but sit together in round 1",
        "p07 sits out 2 times",
        "Tea and Tom both teach at 1 in round 2",
        "p04 and p05 must be kept apart but sit together in round 2",
        "p00 and p01 meet again: rounds 1 and 2",
        "p04 and p05 meet again: rounds 1 and 2",
        "p00 always sits first: rounds 1 and 2",
    ]
    small, large = round_of(("p00", "p01", "p02"), ("p03", "p04")), round_of(("p00", "p03"), ("p01", "p04"))
    assert [*find_faults(crowd(5), (small, small), small, RULES)][-4:] == [
        "p03 is at a smaller table again: rounds 1, 2 and 3",
        "p04 is at a smaller table again: rounds 1, 2 and 3",
        "p00 always sits first: rounds 1, 2 and 3",
        "p03 always sits first: rounds 1, 2 and 3",
    ]
    later = [*find_faults(crowd(5), (small, small), large, RULES)]
    assert later == ["p00 always sits first: rounds 1, 2 and 3"], "the faults of earlier rounds are theirs"


def test_who_is_late_joins_a_table_of_three_they_met_least_and_nobody_moves():
    before = round_of(("Ada", "Ben", "Cyd"), ("Dan", "Eve", "Fay"))
    now = {"1": ("Ada", "Ben", "Eve"), "2": ("Cyd", "Dan", "Fay")}
    assert choose_latecomer_table(now, "Guy", RULES) == "1"
    met = round_of(("Ada", "Ben", "Guy"), ("Cyd", "Dan", "Fay"))
    assert choose_latecomer_table(now, "Guy", RULES, (before, met)) == "2"
    assert choose_latecomer_table(now, "Guy", SeatingRules(apart=(("Guy", "Ada"),))) == "2"
    with pytest.raises(SeatingError, match="no table has a seat left for Guy"):
        choose_latecomer_table({"1": ("Ada", "Ben", "Cyd", "Dan")}, "Guy", RULES)
    with pytest.raises(SeatingError, match="Ada sits already"):
        choose_latecomer_table(now, "Ada", RULES)
