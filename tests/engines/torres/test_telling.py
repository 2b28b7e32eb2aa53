"""What Torres says at the table: steps, and what hands do after them."""

from pathlib import Path

import pytest

from device.texts import Texts
from engines import torres
from engines.contract import Choice, Level, Setup
from engines.match import Match
from engines.matchfile import play, read
from engines.torres.final import ENOUGH
from engines.torres.turns import STAY
from engines.words import Words

GAME = torres.GAME
MATCHES = Path(__file__).parents[2] / "matches"
NAMES = ("Mara", "Tom")


@pytest.fixture
def words():
    return Words(Texts.load("en", "torres", strict=True), GAME, NAMES)


def told(words, *steps):
    """The last of some steps in words, and what hands do after it, with the news."""
    match = Match(GAME, Setup(2))
    for step in (*SET_UP, *steps):
        match.play(step)
    before, after = match.points[-2].state, match.state
    hands = GAME.telling.hands(before, match.chosen(len(match.steps) - 1), after)
    told = words.labels((*hands, *GAME.telling.news(before, after)))
    return [words.made(match, len(match.steps) - 1), *told]


NEWS = "Phase 1. Mara starts; 4 rounds."
SET_UP = ("E d1", "E a5", "K h4")


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ((), ["Tom: king on h4", "All take blocks: 3-3-3-3.", NEWS]),
        (("B d2",), ["Mara: block on d2, 1 high"]),
        (("B d2", "B d2"), ["Mara: block on d2, 2 high"]),
        (("M d1-c1",), ["Mara: knight d1 to c1, 1 point"]),
        (("M d1-b1",), ["Mara: knight d1 to b1, 2 points"]),
        (("N c1",), ["Mara: new knight on c1"]),
        (("S 2",), ["Mara: scores 2", "Mara 0 → 2."]),
        (("T bottom",), ["Mara: takes a card, others under"]),
        (("B d2", "end"), ["Mara: ends the turn", "Mara: 2 blocks back."]),
        (("S 3", "end 3-3-3"), ["Mara: ends the turn", "Mara: 3 blocks back."]),
        (
            ("B d2", "S 4", "T top", "end"),
            ["Tom: ends the turn", "Tom: 3 blocks back.", "Round 2 of 4."],
        ),
    ],
)
def test_a_step_and_what_hands_do(words, steps, said):
    assert told(words, *steps) == said


def test_blocks_kept_and_given_back(words):
    """Step 36 of a recorded match: a stack of 3 is used up, a block of it goes onto another stack."""
    file = read((MATCHES / "torres_three.match").read_text("utf-8"))
    match = play(file)
    before, after = match.points[35].state, match.points[36].state
    words = Words(words.texts, GAME, file.names)
    assert words.labels(GAME.telling.hands(before, match.chosen(35), after)) == [
        "Fina: 2 blocks back.",
        "Fina's stacks: 3-1.",
        "Round 3 of 4.",
    ]


def test_the_beginning_of_a_step_is_said(words):
    match = Match(GAME, Setup(2))
    for step in SET_UP:
        match.play(step)
    state = match.state
    legal = {choice.token: choice for choice in GAME.rules.legal(state)}
    assert words.said(state, (legal["N"],)) == "new knight"
    assert words.said(state, (legal["Md1"],)) == "knight of d1"
    assert words.said(state, ()) == ""


@pytest.mark.parametrize(
    ("asked", "token", "said"),
    [
        ("king", STAY, "the king stays"),
        ("final", ENOUGH, "no space differs"),
        ("final_knight", ENOUGH, "no more knights"),
    ],
)
def test_nothing_moved_and_nothing_more_are_said(words, asked, token, said):
    assert words.said(Match(GAME, Setup(2)).state, (Choice(asked, token),)) == said


def test_a_match_begins_with_its_set_up(words):
    begun = Match(GAME, Setup(2))
    assert words.labels(GAME.telling.about(begun.state)) == [
        "Put a block on each of the 8 marked spaces; keep the rest aside."
    ]
    begun.play(SET_UP[0])
    assert not GAME.telling.about(begun.state)


def test_a_last_board_with_a_column_that_is_too_high_is_asked_about_once_more(words):
    """A figure that was turned too far was scored without a word; what people let stand may lie so."""
    state = Match(GAME, Setup(2, level=Level.SCORE)).play("phase 3").after.state
    high = "d1: 2 high, the castle's area is 1?"
    for token, asked in (("Hd1", None), ("+2", None), ("Hd2", high), ("+1", None)):
        question = GAME.rules.pending(state).question
        told = GAME.rules.gives_up(state, Choice("final", ENOUGH)) if question == "final" else None
        assert GAME.rules.gives_up(state, Choice(question, token)) is None
        assert (told and words.labels([told])[0]) == asked, token
        state = GAME.rules.apply(state, Choice(question, token))
    assert GAME.rules.gives_up(state, Choice("final", ENOUGH)) is None, "d1 and d2 are a castle of two spaces"
