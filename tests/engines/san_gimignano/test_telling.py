"""What San Gimignano says at the table: steps, what hands do after them, and what questions are about."""

import pytest

from device.texts import Texts
from engines import san_gimignano
from engines.contract import Setup
from engines.match import Match
from engines.words import Words

GAME = san_gimignano.GAME
OPEN = "hand.a=?7 hand.b=?5 market=6,7,9"


@pytest.fixture
def words():
    return Words(Texts.load("en", "san_gimignano", strict=True), GAME, ("Mara", "Tom"))


def played(position, *steps):
    match = Match(GAME, Setup(position=position))
    for step in steps:
        match.play(step)
    return match


def told(words, match):
    """The last step in words, and what hands do after it, with the news."""
    before, after = match.points[-2].state, match.state
    chosen = match.chosen(len(match.steps) - 1)
    labels = (*GAME.telling.hands(before, chosen, after), *GAME.telling.news(before, after))
    return [words.made(match, len(match.steps) - 1), *words.labels(labels)]


@pytest.mark.parametrize(
    ("position", "build", "prompt"),
    [
        ("", "B 8x3", "Donazione: draw 3?"),
        ("", "B 9x3", "Draw 3, give 2 back?"),
        ("b=8x3 marker=b", "B 10x3", "Destroy the 8 × 3?"),
        ("b=8x3,9x3 marker=b", "B 10x3", "Destroy a tower?"),
    ],
)
def test_the_question_says_what_the_donazione_does(words, position, build, prompt):
    match = played(f"{OPEN} {position}", build)
    assert words.prompt(match.pending) == prompt


def test_a_10_that_destroys_nothing_is_told(words):
    assert "No tower to destroy." in told(words, played(OPEN, "B 10x3"))
    assert "No tower to destroy." in told(words, played(f"{OPEN} b=6x3 marker=b", "B 10x3"))
    assert "No tower to destroy." not in told(words, played(f"{OPEN} b=8x3 marker=b", "B 10x3"))
    assert "No tower to destroy." not in told(words, played(OPEN, "B 7x3"))


def test_who_does_not_guard_lets_it_happen(words):
    assert told(words, played(f"{OPEN} b=8x3 marker=b", "B 10x3", "use", "allow")) == [
        "Tom: lets Mara's 10s destroy 8 × 3",
        "Tom's 8 × 3: face up on the deck, lowest on top.",
    ]
    match = played(OPEN, "B 9x3", "use", "allow")
    assert told(words, match)[0] == "Tom: lets Mara draw 3 and give 2 back"


@pytest.mark.parametrize(("position", "build"), [("", "B 9x3"), ("b=8x3 marker=b", "B 10x3")])
def test_the_5_of_who_guards_goes_under_the_deck(words, position, build):
    assert told(words, played(f"{OPEN} {position}", build, "use", "guard")) == [
        "Tom: guards with a 5",
        "The 5 goes face down under the deck.",
    ]


def test_closing_is_said_once(words):
    match = played("hand.a=?5 hand.b=?5 market=6,7,9 a=8x3*,8x3*,7x3*,6x3* marker=a", "close")
    assert told(words, match) == [
        "Mara: closes",
        "Ending phase: build, extend or pass until both pass.",
    ]


def test_a_match_begins_with_its_set_up(words):
    match = Match(GAME, Setup())
    assert words.labels(GAME.telling.about(match.state)) == ["Tom shuffles, deals 5 each, turns up 4."]
