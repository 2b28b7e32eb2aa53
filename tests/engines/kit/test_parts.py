"""Parts as most games have them: reports where all lies open, points by hand, steps in words."""

from __future__ import annotations

from random import Random

import pytest
from msgspec import Struct

import engines
from device.texts import Texts
from engines.contract import ADJUSTMENT, Booking, Choice, Domain, Label, Number, Setup, totals
from engines.kit import Open, Saying, by_hand
from engines.kit.checks import Objection
from engines.kit.rulebook import Rulebook
from engines.search import NothingTrue
from engines.words import Words


class State(Struct, frozen=True):
    least: int
    seat: int = 0
    frames: tuple[object, ...] = ()
    termination: str = ""
    waived: tuple[str, ...] = ()
    adjusted: tuple[int, ...] = (0, 0)


DIE = Domain("action", tuple("123456"))


def reporting(answers):
    """A book that asks the table for a number that is ``least`` or more."""
    book = Rulebook()
    book.asks(answers, "action", report=True)
    book.check("least", "X-1", "action")(
        lambda state, token: None if int(token) >= state.least else Objection()
    )
    if answers is DIE:
        book.lists("action")(
            lambda state: book.listed("action", (n for n in DIE.tokens if int(n) >= state.least))
        )
    return Open(book)


@pytest.mark.parametrize("answers", [DIE, Number("action", 0, 6)])
def test_the_table_reports_what_is_legal_and_all_of_it(answers):
    rng, worlds = Random(1), reporting(answers)
    told = {worlds.answer(None, State(4), rng) for _ in range(200)}
    assert told == {Choice("action", token) for token in "456"}


@pytest.mark.parametrize("answers", [DIE, Number("action", 0, 6)])
def test_where_nothing_is_legal_nothing_is_true(answers):
    with pytest.raises(NothingTrue):
        reporting(answers).answer(None, State(7), Random(1))


def test_points_given_by_hand_are_booked_where_there_are_some():
    assert by_hand((5, 0, -3)) == (Booking(0, 5, ADJUSTMENT, ""), Booking(2, -3, ADJUSTMENT, ""))


def test_a_total_is_the_sum_of_a_seats_bookings():
    booked = [Booking(0, 5, "plain", "X-1"), Booking(2, 4, "plain", "X-1"), *by_hand((1, 0, -4))]
    assert totals(booked, 3) == [6, 0, 0]


# A step told by one text for its question

GAME = engines.game("torres")
STATE = GAME.rules.start(Setup(seats=2))


def label(choice):
    return Label(f"{choice.question}.{choice.token}", (("token", choice.token), ("n", 5)))


def blanks(_state):
    return (("variant", "late"), ("n", 7))


SAID = Saying(
    label, blanks, {"pair": lambda _, tokens: map(Label, tokens), "one": lambda _, tokens: Label("x")}
)


def test_its_blanks_are_those_of_the_question_and_of_what_the_answer_is_called():
    (told,) = SAID(STATE, [Choice("throw", "6"), Choice("then", "x")])
    assert (told.key, dict(told.figures)) == (
        "said.throw",
        {"seat": 0, "token": "6", "n": 7, "variant": "late"},
    )
    assert told.parts == (("answer", (label(Choice("throw", "6")),)),)


def test_nothing_is_told_before_the_first_choice():
    assert SAID(STATE, []) == ()


@pytest.mark.parametrize(("asked", "told"), [("pair", (Label("a"), Label("b"))), ("one", (Label("x"),))])
def test_a_teller_tells_its_question(asked, told):
    assert SAID(STATE, [Choice(asked, "a"), Choice(asked, "b")]) == told


def test_an_answer_alone_has_a_text_of_its_own_by_the_variant_of_its_question():
    assert Saying(label, blanks, {}, alone=("no",))(STATE, [Choice("pay", "no")]) == (
        Label("said.pay_late_no"),
    )
    plain = Saying(label, lambda _: (), {}, alone=("no",))
    assert plain(STATE, [Choice("pay", "no")]) == (Label("said.pay_no"),)


def test_an_answer_without_a_name_is_said_as_it_is_written():
    words = Words(
        Texts({"said": {"throw": "throws {answer}"}, "list": {"and": " and "}}, strict=True),
        GAME,
        ("Adso", "Bernardo"),
    )
    assert words.labels(SAID(STATE, [Choice("throw", "6")])) == ["throws 6"]
