"""A step told by one text for its question."""

import pytest

import engines
from device.texts import Texts
from engines.contract import Choice, Label, Setup
from engines.kit import Saying
from engines.words import Words

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
