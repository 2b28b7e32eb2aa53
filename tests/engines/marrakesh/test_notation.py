"""Steps as text: canonical form, what reads back, and that every answer has a name."""

import pytest

from device.texts import Texts
from engines.contract import Choice, Label
from engines.errors import Malformed
from engines.marrakesh import GAME, notation
from engines.notation import read
from tests.engines.marrakesh.lines import turn

STEPS = [
    ("turn_up 1w2n", ("turn_up", "1w2n")),
    ("choose t k r p", ("choose", "t"), ("choose", "k"), ("choose", "r"), ("red_area", "p")),
    ("red p", ("red_area", "p")),
    ("harvest 2d1w", ("harvest", "2d1w")),
    ("sector s.buy", ("sector", "s.buy")),
    ("sail jetty+2", ("sail", "jetty+2")),
    ("climb go", ("climb", "go")),
    ("sell_more none", ("sell_more", "none")),
    ("gate 2 p 5", ("workshop", "2"), ("gate", "p"), ("gate_place", "5")),
    ("give_back r t", ("give_back", "r"), ("back_from", "t")),
    ("settle p", ("settle", "p")),
    ("pay date", ("part", "date")),
    ("instead date", ("instead", "date")),
    ("lenient yes", ("lenient", "yes")),
    ("print 1,-3", ("print", "1,-3")),
    ("score 12", ("score_oasis", "12")),
    ("return 4", ("returned", "4")),
    ("sell 2w1d", ("sell", "2w1d")),
]
"""Others stand in the recorded matches."""


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step[0])
def test_a_step_is_written_so_and_reads_back(step):
    text, *made = step
    choices = [Choice(*one) for one in made]
    assert notation.text(choices) == text
    assert notation.tokens(text) == [choice.token for choice in choices]


def read_choice(behind, text):
    position = turn("choose", "choose_a", round=3, behind_a="".join(f"1{letter}" for letter in behind))
    choices, _ = read(GAME, GAME.position.read(position), text)
    return notation.text(choices)


@pytest.mark.parametrize(
    ("behind", "text", "written"),
    [
        ("tgkluo", "choose o k t", "choose t k o"),
        ("tgkluo", "choose l", "choose l u o"),
        ("tgwybr", "choose g b t", "choose g b r t"),  # red, which is left out, and where its assistant goes
        ("tgrluo", "choose r t g s", "choose t g r s"),
    ],
)
def test_keshis_are_told_in_any_order_and_the_last_of_the_list_need_not_be(behind, text, written):
    assert read_choice(behind, text) == written
    assert read_choice(behind, written) == written


@pytest.mark.parametrize("text", ["choose t g", "choose g", "choose t g l s"])
def test_no_other_keshi_goes_without_saying(text):
    with pytest.raises(Malformed):
        read_choice("tgkluo", text)


def test_no_step_is_no_text():
    assert notation.text(()) == ""
    with pytest.raises(Malformed):
        notation.tokens(" ")


# What answers are called

TEXTS = Texts.load("en", "marrakesh", strict=True)

NAMED = {"area", "colour", "colours", "reward", "rewards", "tile", "kind"}


def called(question, token):
    """Return what a person calls an answer; figures that are answers themselves are called, too."""
    label = notation.label(Choice(question, token))
    figures = dict(label.figures)
    for name in NAMED & figures.keys():
        figures[name] = ", ".join(called(name.removesuffix("s"), one) for one in figures[name].split(","))
    return TEXTS(label.key, **figures)


@pytest.mark.parametrize(
    ("question", "token", "name"),
    [
        ("claim", "2t", "2 turquoise"),
        ("claim", "tg", "1 each: turquoise, green"),
        ("action", "t.keshi", "river: 1 turquoise"),
        ("action", "s.u", "souk: 1 purple"),
        ("action", "s.sell_l", "souk: exchange 1 yellow"),
        ("sector", "k.act", "mosque: climb"),
        ("turn_up", "1w2n", "1 water, 2 dinars"),
        ("turn_up", "new", "one not entered yet"),
        ("scroll", "5", "5: the keshi it shows"),
        ("scroll", "23", "23: date pickers bring dates or water"),
        ("scroll", "29", "29: square: then VP for the 2 VP place"),
        ("oasis_number", "07", "07: 3 VP + 1 a keshi of its colour"),
        ("oasis_number", "30", "30: 7 VP at the jetty"),
        ("river_tile", "14", "14: 1 water, 1 date, 1 dinar"),
        ("sail", "jetty+2", "jetty and 2 more"),
        ("disc", "11311313", "1 1 3 1 1 3 1 3"),
        ("good", "lamp.1l2o3v1d", "oil lamp: 1 yellow, 2 orange for 3 VP, 1 date"),
        ("good", "lamp.0", "oil lamp: nothing for nothing"),
        ("good", "lamp.new", "another oil lamp"),
        ("good", "lamp2", "oil lamp"),
        ("rapid", "any", "1 resource of choice"),
    ],
)
def test_codes_become_words(question, token, name):
    assert called(question, token) == name


def test_a_number_without_words_stands_for_itself():
    assert notation.label(Choice("print", "1,-3")) == Label("print.1,-3", (("token", "1,-3"),))
