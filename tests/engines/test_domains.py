"""Answers that are too many to list: how they are written, drawn, refused, and played at random."""

from random import Random
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import bags, search
from engines.contract import Choice, Multiset, Number, Printed, Setup
from engines.errors import Malformed, Refused
from engines.fact_kinds import number as fact_number
from engines.fact_kinds import one_of, several
from engines.match import Match
from tests.engines import toy
from tests.engines.toy import BAG, PURSE, STAKE

GAME = toy.GAME
POINTS = Number("points", -20, 499)


@pytest.fixture
def stakes():
    return Match(GAME, Setup(options=(("stakes", "yes"),)))


# Numbers


@given(st.integers(-600, 600))
def test_a_number_holds_what_lies_between_least_and_most(number):
    assert POINTS.holds(str(number)) == (-20 <= number <= 499)


@pytest.mark.parametrize("token", ["", "-", "-0", "007", "+5", "5.0", "5_", " 5", "٣", "9" * 5000])
def test_a_number_is_written_plainly(token):
    assert not POINTS.holds(token)


@given(st.integers(-9, 9), st.integers(0, 9), st.randoms(use_true_random=False))
def test_what_is_drawn_is_held(least, more, rng):
    number = Number("n", least, least + more)
    assert number.holds(number.draw(rng))


def test_every_number_can_be_drawn():
    small = Number("n", 3, 7)
    assert {small.draw(Random(at)) for at in range(99)} == {"3", "4", "5", "6", "7"}


@pytest.mark.parametrize(
    ("number", "begun"),
    [
        (Number("n", 0, 9), 0),
        (Number("n", 3, 9), 3),
        (Number("n", -9, -2), -2),
        (Number("n", -9, 9), 0),
        (Number("n", 0, 99, start=57), 57),
    ],
)
def test_a_number_begins_where_the_game_says_or_nearest_to_0(number, begun):
    assert number.begun == begun


@pytest.mark.parametrize(("least", "most", "start"), [(3, 2, None), (0, 9, 10), (0, 9, -1)])
def test_a_number_that_nothing_answers_is_no_domain(least, most, start):
    with pytest.raises(ValueError, match=f"n: -?[0-9]+ is not {least} to {most}"):
        Number("n", least, most, start)


def test_a_number_is_one_word_of_a_step_and_refused_by_its_clause(stakes):
    stakes.play("143", 0)
    with pytest.raises(Refused) as caught:
        stakes.read("143", 1)
    assert (caught.value.refusal.clause, caught.value.refusal.figures) == ("T-3", (("stake", "143"),))
    stakes.play("57", 1)
    assert stakes.state.stakes == (143, 57)


@pytest.mark.parametrize("word", ["251", "-1", "007", "x"])
def test_what_is_no_such_number_is_told_the_limits(stakes, word):
    with pytest.raises(Malformed, match=f"'{word}' does not answer 'stake'; try 0 to 250"):
        stakes.read(word, 0)


# Counts


def test_counts_are_told_the_limits_too(stakes):
    with pytest.raises(Malformed, match="'3r' does not answer 'pay'; try 1 to 2 of r g"):
        owing(stakes).read("3r")


def owing(match):
    """The first seat has guessed wrong and owes beans."""
    for text, seat in (("143", 0), ("57", 1), ("odd", 0), ("even", 1), ("2r", None)):
        match.play(text, seat)
    return match


def test_a_payment_begins_with_something_and_is_capped_by_what_is_held(stakes):
    domain = owing(stakes).pending.domain
    assert (domain.start, domain.caps) == (bags.one(0), PURSE)


bag = st.tuples(st.integers(0, 4), st.integers(0, 4)).map(
    lambda held: bags.one(0, held[0]) + bags.one(1, held[1])
)


@given(bag, st.integers(0, 3), st.integers(0, 3), st.randoms(use_true_random=False))
def test_what_is_drawn_lies_within_the_caps(caps, least, more, rng):
    domain = Multiset("m", ("r", "g"), least, least + more, caps=caps)
    drawn = domain.draw(rng)
    assert bags.within(domain.read(drawn), caps)
    assert domain.holds(drawn) or bags.total(caps) < least


def test_everything_within_the_caps_can_be_drawn():
    domain = Multiset("pay", ("r", "g"), 1, 2, caps=PURSE)
    assert {domain.draw(Random(at)) for at in range(99)} == {"1r", "1g", "2r", "1r1g"}


# At random


def test_what_is_drawn_is_refused_by_no_check(monkeypatch):
    """Where all but one answer are refused, that one is drawn."""
    monkeypatch.setattr(toy, "STAKE", Number("stake", 0, 1))
    state = GAME.position.read("0 4r5g - 0,0 - 0,0 1 2r1g,2r1g -")
    drawn = {search.true_choices(GAME, BAG, state, 1, Random(number))[0] for number in range(20)}
    assert drawn == {Choice("stake", "0")}


def test_what_is_drawn_is_true_in_the_world(monkeypatch, stakes):
    monkeypatch.setattr(toy.Truth, "true", lambda self, world, state, choice, seat=None: choice.token == "1g")
    state = owing(stakes).state
    assert search.true_choices(GAME, BAG, state, 0, Random(1)) == [Choice("pay", "1g")]


def test_where_nothing_can_be_drawn_it_is_said(monkeypatch):
    monkeypatch.setattr(search, "DRAWS", 50)
    monkeypatch.setattr(toy.Truth, "true", lambda *_: False)
    state = GAME.position.read("0 4r5g - 0,0 - 0,0 - 2r1g,2r1g -")
    with pytest.raises(search.NothingTrue):
        search.true_choices(GAME, BAG, state, 0, Random(1))


def test_what_is_not_listed_counts_for_nothing_in_perft():
    state = GAME.rules.start(Setup(options=(("stakes", "yes"),)))
    assert GAME.rules.legal(state) == []
    assert search.perft(GAME, state, 1) == 0
    assert not STAKE.listed


class TestPrinted:
    PRICE = Printed("price", Annotated[int, fact_number(2, 12, "dinars")])
    SEATS = Printed("seats", Annotated[frozenset[Annotated[str, one_of(("a1", "b1", "c1"))]], several(2, 3)])

    @pytest.mark.parametrize("token", ["2", "12"])
    def test_holds_what_fits(self, token):
        assert self.PRICE.holds(token)

    @pytest.mark.parametrize("token", ["1", "13", "02", "x", "", "3.5", "2dinars"])
    def test_holds_nothing_else(self, token):
        assert not self.PRICE.holds(token)

    def test_is_written_one_way_only(self):
        assert self.SEATS.holds("a1,c1")
        assert not self.SEATS.holds("c1,a1")

    def test_is_drawn_and_said(self):
        assert (self.PRICE.draw(), self.SEATS.draw()) == ("2", "a1,b1")
        assert self.PRICE.said == "such as 2"
        assert self.PRICE.begun == ""

    def test_begins_with_what_is_supposed(self):
        price = Printed("price", self.PRICE.kind, 7)
        assert (price.begun, price.draw(), price.said) == ("7", "7", "such as 7")
        seats = Printed("seats", self.SEATS.kind, frozenset(("c1", "a1")))
        assert seats.begun == "a1,c1"
        assert Printed("n", Annotated[int, fact_number(0, 3)], 0).begun == "0"
