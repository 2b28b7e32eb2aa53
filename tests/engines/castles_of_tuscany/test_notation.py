"""Steps as text: canonical form, what is read besides, and what cannot be read."""

import pytest

from device.texts import Texts
from engines.castles_of_tuscany import GAME, notation
from engines.contract import Choice, Label
from engines.errors import Malformed
from engines.words import Words
from tests.engines.castles_of_tuscany.cases import begun

STEPS = [
    ("A2 B1+1 C3-1", ("top_board", "A2"), ("middle_board", "B1+1"), ("bottom_board", "C3-1")),
    ("square cards", ("first_square", "cards")),
    ("neutral m", ("neutral", "m")),
    ("T fa > w", ("action", "Tfa"), ("discard", "w")),
    ("P d3 fab f qq", ("action", "Pd3"), ("tile", "fab"), ("pay", "f"), ("pay", "qq")),
    ("pick none", ("pick", "none")),
    ("pick d3 fb", ("pick", "d3"), ("pick_tile", "fb")),
    ("wild points", ("wild", "points")),
    ("yield x", ("yield", "x")),
]
"""Others stand in the recorded matches."""


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step[0])
def test_a_step_is_written_so_and_reads_back(step):
    text, *made = step
    choices = [Choice(*one) for one in made]
    assert notation.text(choices) == text
    assert notation.tokens(text) == [choice.token for choice in choices]


@pytest.mark.parametrize(
    ("written", "tokens"),
    [
        ("  T   v ", ["Tv"]),
        ("Tv", ["Tv"]),
        ("Tv > i", ["Tv", "i"]),
        ("Pd3 v v", ["Pd3", "v", "v"]),
        ("yield", ["yield"]),  # the square tile, whose word is left out
        ("84", ["84"]),
    ],
)
def test_it_is_read_besides(written, tokens):
    assert notation.tokens(written) == tokens


@pytest.mark.parametrize("written", ["", "  ", ">", "> >"])
def test_it_cannot_be_read(written):
    with pytest.raises(Malformed):
        notation.tokens(written)


@pytest.mark.parametrize(
    ("question", "token", "label"),
    [
        ("action", "D", Label("action.D", (("token", "D"),))),
        ("action", "Tv", Label("take.kind", (("kind", "v"),))),
        ("action", "Tfab", Label("take.farm", (("farms", "a,b"),))),
        ("action", "Pd3", Label("action.P", (("space", "d3"),))),
        ("discard", "w", Label("tile.wild")),
        ("pay", "v", Label("pay.card", (("colour", "v"),))),
        ("pay", "qq", Label("pay.pair", (("colour", "q"),))),
        ("pay", "w", Label("pay.worker")),
        ("yield", "g1", Label("reward.g", (("n", 1),))),
        ("first_square", "yield", Label("square.yield")),
        ("middle_board", "B1-1", Label("seam.left", (("board", "B1"),))),
        ("top_board", "C4'", Label("seam.top_turned", (("board", "C4"),))),
        ("bottom_board", "B1'+1", Label("seam.right_turned", (("board", "B1"),))),
    ],
)
def test_what_an_answer_is_called(question, token, label):
    assert notation.label(Choice(question, token)) == label


@pytest.mark.parametrize("outline", ["5.5", "3.4.3"])
def test_no_two_ways_that_a_board_may_lie_are_called_alike(outline):
    """One and a half hexes to the left, which no board may have, was offered as a second *to the left*."""
    words = Words(Texts.load("en", "castles_of_tuscany"), GAME, ("Ada", "Ben"))
    region = begun("middle_board", "region.a=A1", outline=outline).replace("turn=b", "turn=a")
    state = GAME.position.read(region.removesuffix(" rules=1"))
    asked = GAME.rules.pending(state)
    assert asked.question == "middle_board"
    labels = [words.choice(Choice(asked.question, token)) for token in asked.domain.tokens]
    assert len({*labels}) == len(labels)
    assert {"B1, to the left", "B1 turned, to the right"} <= {*labels}
