"""The ledger: conservation throw by throw, and what a later throw proves of an earlier reading."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import bags
from engines.contract import Problem
from engines.errors import BadPosition
from engines.marrakesh.keshis import COLOURS, EACH, KINDS, keshis, named
from engines.marrakesh.tower import Ledger, Miscount, Suspect, Throw, after, fold, problems

FEW = st.lists(st.integers(0, 6), min_size=KINDS, max_size=KINDS).map(
    lambda counts: sum(bags.one(kind, count) for kind, count in enumerate(counts))
)
"""Up to six of each colour."""


@st.composite
def true_throws(draw, most=6):
    """Throws as they can really happen: of what there is, and what comes out was inside or thrown."""
    inside, throws = 0, []
    for _ in range(draw(st.integers(1, most))):
        room = {kind: EACH - bags.count(inside, kind) for kind in range(KINDS)}
        thrown = sum(bags.one(kind, min(count, room[kind])) for kind, count in bags.items(draw(FEW)))
        held = inside + thrown
        tray = sum(bags.one(kind, draw(st.integers(0, count))) for kind, count in bags.items(held))
        throws.append(Throw(thrown, tray))
        inside = held - tray
    return tuple(throws), inside


# One throw


@given(true_throws())
def test_nothing_is_made_or_lost(case):
    throws, end = case
    inside = 0
    for throw in throws:
        assert problems(inside, throw.thrown, throw.tray) == []
        later = after(inside, throw.thrown, throw.tray)
        assert later + throw.tray == inside + throw.thrown
        inside = later
    assert inside == end
    assert fold(throws) == Ledger(end)


@given(FEW, FEW, FEW)
def test_every_colour_that_breaks_conservation_is_named(inside, thrown, tray):
    wrong = [
        Problem(
            colour,
            "tower.conservation",
            "MK-4.2",
            (
                ("colour", colour),
                ("tray", bags.count(tray, kind)),
                ("inside", bags.count(inside, kind)),
                ("thrown", bags.count(thrown, kind)),
            ),
        )
        for kind, colour in enumerate(COLOURS)
        if bags.count(tray, kind) > bags.count(inside, kind) + bags.count(thrown, kind)
    ]
    assert problems(inside, thrown, tray) == wrong
    if wrong:
        with pytest.raises(BadPosition, match=r"tower.conservation \(MK-4.2\): colour") as raised:
            after(inside, thrown, tray)
        assert list(raised.value.problems) == wrong
        for problem in wrong:
            assert f"colour {problem.where}, tray" in str(raised.value)


def test_all_of_it_may_come_out_and_none():
    inside, thrown = keshis({"red": 1, "gray": 2}), keshis({"red": 2, "pink": 1})
    assert after(inside, thrown, inside + thrown) == 0
    assert after(inside, thrown, 0) == inside + thrown


def test_a_tower_holds_no_more_of_a_colour_than_there_are():
    assert problems(keshis({"red": 22}), keshis({"red": 3}), 0) == []
    (problem,) = problems(keshis({"red": 23}), keshis({"red": 3}), 0)
    assert (problem.check, problem.clause, problem.where) == ("tower.supply", "MK-1.1", "red")
    assert dict(problem.figures) == {"colour": "red", "inside": 23, "thrown": 3, "all": 25}


# All throws


def throws(*pairs):
    return [Throw(keshis(thrown), keshis(tray)) for thrown, tray in pairs]


def test_a_later_throw_proves_an_earlier_miscount():
    ledger = fold(throws(({"red": 1, "pink": 1}, {"red": 1}), ({"gray": 1}, {"red": 1, "gray": 1})))
    (miscount,) = ledger.miscounts
    # The first throw's red was a pink perhaps, or the second's: a pink was inside all along.
    assert miscount == Miscount("red", 1, (2,), (Suspect(1, 0, 1, ("pink",)), Suspect(2, 0, 1, ("pink",))))
    assert named(ledger.inside) == {"pink": 1}
    (problem,) = ledger.problems()
    assert (problem.where, problem.check, problem.clause) == ("red", "tower.miscount", "MK-4.2")
    assert dict(problem.figures) == {"colour": "red", "number": 1, "shown": "2", "throws": "1, 2"}


def test_the_only_throw_with_the_colour_holds_the_error():
    ledger = fold(
        throws(({"pink": 1}, {}), ({"gray": 2}, {"gray": 1}), ({"white": 1}, {"red": 2, "white": 1}))
    )
    assert ledger.miscounts == (Miscount("red", 2, (3,), (Suspect(3, 2, 2, ("gray", "pink")),)),)
    assert named(ledger.inside) == {"pink": 1, "gray": 1}


def test_a_throw_after_the_last_proof_is_above_suspicion():
    ledger = fold(throws(({"gray": 1}, {"red": 1}), ({"red": 1}, {"red": 1})))
    (miscount,) = ledger.miscounts
    assert miscount.shown == (1,)
    assert [suspect.throw for suspect in miscount.suspects] == [1]


def test_a_colour_is_no_alternative_if_it_was_needed_later():
    """Were the red a pink, none would have been left to come out in the second throw."""
    first = ({"pink": 1, "gray": 1}, {"red": 1})
    assert fold(throws(first)).miscounts[0].suspects == (Suspect(1, 1, 1, ("gray", "pink")),)
    later = fold(throws(first, ({}, {"pink": 1})))
    assert later.miscounts[0].suspects == (Suspect(1, 1, 1, ("gray",)),)


def test_errors_of_two_colours_are_two_miscounts():
    ledger = fold(throws(({"gray": 3}, {"red": 1, "pink": 2})))
    assert [(one.colour, one.number) for one in ledger.miscounts] == [("pink", 2), ("red", 1)]
    assert named(ledger.inside) == {"gray": 3}


def test_what_was_inside_at_the_start_counts():
    lone = throws(({}, {"red": 1}))
    assert fold(lone, keshis({"red": 2})) == Ledger(keshis({"red": 1}))
    assert fold(lone).miscounts[0].number == 1


def test_without_throws():
    assert fold((), keshis({"red": 2})) == Ledger(keshis({"red": 2}))
    assert fold(()) == Ledger(0)


@given(true_throws(), st.randoms(use_true_random=False))
def test_one_misread_keshi_is_explained_and_its_throw_suspected(case, rng):
    """A keshi read as another colour: nothing shows, or its throw and its colour are among those told."""
    made, end = case
    there = [(at, kind) for at, throw in enumerate(made) for kind, _ in bags.items(throw.tray)]
    if not there:
        return
    at, kind = rng.choice(there)
    seen = rng.choice([other for other in range(KINDS) if other != kind])
    wrong = list(made)
    wrong[at] = Throw(made[at].thrown, made[at].tray - bags.one(kind) + bags.one(seen))
    ledger = fold(wrong)
    if not ledger.miscounts:
        assert ledger.inside == end + bags.one(kind) - bags.one(seen)
        return
    (miscount,) = ledger.miscounts
    assert (miscount.colour, miscount.number) == (COLOURS[seen], 1)
    (suspect,) = [one for one in miscount.suspects if one.throw == at + 1]
    assert COLOURS[kind] in suspect.instead
    assert suspect.most == 1
    # The colour is right again; the misread one is thought to be inside still.
    assert ledger.inside == end + bags.one(kind)


def corrections(made, kind):
    """Every way to take keshis of a colour off the trays so that no more comes out than was inside."""
    for less in product(*(range(bags.count(throw.tray, kind) + 1) for throw in made)):
        inside, fits = 0, True
        for throw, fewer in zip(made, less, strict=True):
            inside += bags.count(throw.thrown, kind) - bags.count(throw.tray, kind) + fewer
            fits = fits and inside >= 0
        if fits:
            yield sum(less), less, inside


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), min_size=1, max_size=5))
def test_the_least_correction_is_the_least_and_its_bounds_are_met(pairs):
    """Against every correction there is: the number, and throw by throw the least and the most."""
    made = [Throw(bags.one(8, thrown), bags.one(8, tray)) for thrown, tray in pairs]
    every = list(corrections(made, 8))
    least = min(number for number, _, _ in every)
    best = [(less, inside) for number, less, inside in every if number == least]
    ledger = fold(made)
    assert {inside for _, inside in best} == {bags.count(ledger.inside, 8)}
    if not least:
        assert ledger.miscounts == ()
        return
    (miscount,) = ledger.miscounts
    assert miscount.number == least
    expected = {
        at: (min(less[at] for less, _ in best), max(less[at] for less, _ in best)) for at in range(len(made))
    }
    suspected = {one.throw - 1: (one.least, one.most) for one in miscount.suspects}
    assert suspected == {at: bounds for at, bounds in expected.items() if bounds[1]}
    needed = [min(n for n, _, _ in corrections(made[:upto], 8)) for upto in range(len(made) + 1)]
    shown = tuple(at for at in range(1, len(made) + 1) if needed[at] > needed[at - 1])
    assert miscount.shown == shown


@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 2), st.integers(0, 2)),
        min_size=1,
        max_size=4,
    )
)
def test_the_colours_a_keshi_may_have_been_instead(pairs):
    """Against every least correction: some of them leaves one more of the other colour to come out there."""
    made = [
        Throw(bags.one(8, red) + bags.one(7, pink), bags.one(8, red_out) + bags.one(7, pink_out))
        for red, pink, red_out, pink_out in pairs
    ]
    ledger = fold(made)
    for miscount in ledger.miscounts:
        kind = COLOURS.index(miscount.colour)
        other = 15 - kind
        for suspect in miscount.suspects:
            more = list(made)
            there = made[suspect.throw - 1]
            more[suspect.throw - 1] = Throw(there.thrown, there.tray + bags.one(other))
            least = min(n for n, _, _ in corrections(made, other))
            # As many corrections of the other colour as before must still do, the new keshi not among them.
            fits = any(
                number == least and less[suspect.throw - 1] <= bags.count(there.tray, other)
                for number, less, _ in corrections(more, other)
            )
            assert (COLOURS[other] in suspect.instead) == fits
