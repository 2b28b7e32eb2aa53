"""Steps as text: canonical form, what is read besides, and what cannot be read."""

import pytest

from engines.castles_of_tuscany import notation
from engines.contract import Choice, Label
from engines.errors import Malformed

STEPS = [
    ("A2 B1+1 C3-1", ("top_board", "A2"), ("middle_board", "B1+1"), ("bottom_board", "C3-1")),
    ("first d3", ("first_castle", "d3")),
    ("square cards", ("first_square", "cards")),
    ("square yield", ("square", "yield")),
    ("square marble", ("square", "marble")),
    ("show fbc", ("display", "fbc")),
    ("refill v", ("refill", "v")),
    ("neutral m", ("neutral", "m")),
    ("D", ("action", "D")),
    ("T v", ("action", "Tv")),
    ("T fa > w", ("action", "Tfa"), ("discard", "w")),
    ("P d3 v v", ("action", "Pd3"), ("pay", "v"), ("pay", "v")),
    ("P d3 fab f qq", ("action", "Pd3"), ("tile", "fab"), ("pay", "f"), ("pay", "qq")),
    ("P d3 w cc", ("action", "Pd3"), ("pay", "w"), ("pay", "cc")),
    ("marble", ("action", "marble")),
    ("end", ("action", "end")),
    ("pick none", ("pick", "none")),
    ("pick d3", ("pick", "d3")),
    ("pick d3 fb", ("pick", "d3"), ("pick_tile", "fb")),
    ("wild points", ("wild", "points")),
    ("wild v", ("wild", "v")),
    ("yield g2", ("yield", "g2")),
    ("yield x", ("yield", "x")),
    ("print icmvvimrrv", ("print", "icmvvimrrv")),
    ("bonus 6,3", ("bonus", "6,3")),
    ("orange 84", ("final_orange", "84")),
    ("green 30", ("final_green", "30")),
    ("stored 2", ("final_stored", "2")),
    ("marble_left 1", ("final_marble", "1")),
    ("workers_left 0", ("final_workers", "0")),
    ("cards_left 7", ("final_cards", "7")),
    ("empty 12", ("final_empty", "12")),
]


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step[0])
def test_a_step_is_written_so_and_reads_back(step):
    text, *made = step
    choices = [Choice(*one) for one in made]
    assert notation.text(choices) == text
    assert notation.tokens(text) == [choice.token for choice in choices]


def test_no_step_is_no_text():
    assert notation.text(()) == ""


@pytest.mark.parametrize(
    ("written", "tokens"),
    [
        ("  T   v ", ["Tv"]),
        ("Tv", ["Tv"]),
        ("Tv > i", ["Tv", "i"]),
        ("T v i", ["Tv", "i"]),
        ("Pd3 v v", ["Pd3", "v", "v"]),
        ("cards", ["cards"]),
        ("yield", ["yield"]),  # the square tile, whose word is left out
        ("84", ["84"]),
        ("T", ["T"]),  # for the state to refuse
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
        ("refill", "fa", Label("tile.farm", (("farms", "a"),))),
        ("pay", "v", Label("pay.card", (("colour", "v"),))),
        ("pay", "qq", Label("pay.pair", (("colour", "q"),))),
        ("pay", "w", Label("pay.worker")),
        ("yield", "g1", Label("reward.g", (("n", 1),))),
        ("yield", "c1", Label("reward.c", (("n", 1),))),
        ("reward", "o3", Label("reward.o", (("n", 3),))),
        ("yield", "x", Label("reward.x", (("n", 0),))),
        ("first_square", "yield", Label("square.yield")),
        ("middle_board", "B1-1", Label("seam.left", (("board", "B1"),))),
        ("top_board", "A2", Label("seam.top", (("board", "A2"),))),
        ("top_board", "C4'", Label("seam.top_turned", (("board", "C4"),))),
        ("bottom_board", "B1'+1", Label("seam.right_turned", (("board", "B1"),))),
        ("wild", "points", Label("wild.points", (("token", "points"),))),
        ("pick", "d3", Label("pick.d3", (("token", "d3"),))),
    ],
)
def test_what_an_answer_is_called(question, token, label):
    assert notation.label(Choice(question, token)) == label
