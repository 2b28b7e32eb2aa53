"""What is said of a step, and what hands do after it."""

import re

import pytest
from msgspec.structs import replace

from device.texts import Texts
from engines import bags
from engines.contract import Choice
from engines.kit.rulebook import question
from engines.marrakesh import GAME, square, telling
from engines.marrakesh.book import BOOK, effect_of
from engines.marrakesh.frames import Claim, Effect, Keshi, Line, Print, Returned, Sail, Tray
from engines.marrakesh.pieces import BROWN, LETTERS
from engines.words import Words
from tests.engines.marrakesh.sitting import COPY, after, asked, before, seated, under_1
from tests.engines.marrakesh.sitting import told as known

WORDS = Words(Texts.load("en", "marrakesh", strict=True), GAME, ("Adso", "Berengar"))


def told(before, token):
    """A step of one answer: what is said of it, then what hands do; and the state after it."""
    choice = Choice(question(before), token)
    made = BOOK.apply(before, choice)
    hands = WORDS.labels(telling.hands(before, (choice,), made))
    return [WORDS.said(before, (choice,)), *hands], made


def test_what_the_last_assistant_does_without_being_asked_is_told_the_one_chosen_in_the_words_alone():
    state = after(seated(assistants="kw"), "assistant")
    words, state = told(state, "k.keshi")
    assert asked(state) == ""
    assert words == ["mosque: black and then palace: white", "Off palace: 1 white."]


def test_the_one_oasis_that_can_be_claimed_is_named():
    state = after(seated(assistants="nk", board="1n", caravans=(0, 1, 0), resources="9w9d9n"), "assistant")
    words, asks = told(state, "n.act")
    assert (asked(asks), words) == ("oasis", ["Sahara: claims oases"])
    words, state = told(under_1(state), "n.act")
    assert asked(state) == "oasis_number"
    assert words[0] == "Sahara: claims oases and then claims left path, oasis 1"


def test_the_one_place_that_is_left_for_a_caravan_is_named():
    state = replace(seated(caravans=(2, 3, 0), board="5n"), tray=bags.bag([BROWN, BROWN]))
    words, state = told(state.asking(Claim()), "1n")
    assert words[0] == "takes 1 brown and then caravan to the right path"


def test_mk_10_1_a_disc_that_nobody_looked_at_is_turned_then_looked_at():
    state = after(seated(assistants="pk", square=1, board="1p"), "assistant")
    words, state = told(state, "p.act")
    assert words == ["square: turns the disc", "Disc 1 step clockwise."]
    words, state = told(state, square.write_facing(COPY.disc, 2))
    assert "Disc 1 step clockwise." not in words
    state = after(seated(assistants="pk", square=1, board="1p", disc=2), "assistant")
    assert told(state, "p.act")[0][-1] == "Disc 1 step clockwise."


@pytest.mark.parametrize("frame", [Tray(), Line("u"), Print("demand.1")])
def test_points_given_by_hand_tell_nobody_to_look_or_throw_again(frame):
    state = seated().asking(Keshi(), frame)
    hands = telling.hands(state, (), BOOK.adjust(state, 0, 5))
    assert [label.key for label in hands] == ["hands.of", "hands.marker"]


def test_a_look_at_what_is_printed_is_told_for_each_fact():
    first, then = (seated().asking(Print(f"demand.{n}")) for n in (1, 2))
    assert [label.key for label in telling.hands(first, (), then)] == ["hands.print_look"]


def test_a_keshi_without_a_place_is_told():
    """One place in the turquoise area is left for two keshis."""
    state = seated(board="7t").asking(Keshi(alike=2))
    words, state = told(state, "t")
    assert state.sides[0].deployed(0) == 8
    assert words == ["takes 2 turquoise", "No place for 1 turquoise: to the supply."]


@pytest.mark.parametrize(
    ("resource", "said"), [("water", "1 water"), ("date", "1 date"), ("dinar", "1 dinar")]
)
def test_mk_16_2_what_is_returned_for_an_oasis_is_told_by_its_resource(resource, said):
    state = seated(resources="1w1d1n", copy=known(resource_oasis={"21": resource}))
    state = state.asking(Returned("21", why="scrolls", source="1"))
    assert told(state, "1")[0][0] == f"returns {said}"


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("oases2", "There is no oasis to claim."),
        ("score_oasis", "There is no oasis to score."),
        ("entertainers", "No entertainer is on the square."),
        ("sell", "There is no resource to sell."),
        ("turn_disc", "Disc 1 step clockwise."),
    ],
)
def test_a_bonus_that_does_nothing_is_told(word, said):
    """It waits behind a keshi that is chosen."""
    assert said in told(seated().asking(effect_of(word), Keshi()), "t")[0]


def test_a_bonus_that_does_something_is_not():
    state = seated(palace=3).asking(Effect("palace", number=2), Keshi())
    assert told(state, "t")[0] == ["takes 1 turquoise", "Courtier to 5."]


def test_mk_7_2_a_taken_space_is_said():
    state = seated(before(fisherman=5), fisherman=3)
    assert told(state.asking(Sail(2)), "5")[0][0] == (
        "sails to space 5; space 5 is taken: back to the next free"
    )


def test_mk_11_3_the_last_step_is_told():
    state = seated(palace=COPY.palace_steps - 1).asking(Effect("palace", number=1), Keshi())
    assert "Courtier to the last step." in told(state, "t")[0]


def test_of_the_office_only_what_nobody_told_is_a_question_mark():
    state = replace(seated(), lines=("1d1r", "", "2v"))
    (market,) = [panel for panel in telling.scene(state).panels if panel.name == "market"]
    shown = [mark.text for mark in market.marks if mark.size in (26, 28) and mark.y in range(110, 160)]
    assert [text for text in shown if isinstance(text, str)] == ["1", "1", "?", "2"]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_drawn_keshi_has_signs_of_its_colour_s_name(language):
    texts = Texts.load(language, "marrakesh", strict=True)
    marks = [
        mark
        for panel in telling.scene(seated(assistants="kw", board="1tgkwybnp", square=1)).panels
        for mark in panel.marks
    ]
    drawn = {mark.fill: mark.text.key for mark in marks if mark.fill.startswith("keshi_") and mark.text}
    assert {f"keshi_{key.removeprefix('short.')}" for key in drawn.values()} == drawn.keys() != set()
    signs = [texts(f"short.{letter}") for letter in LETTERS]
    assert len({*signs}) == len(LETTERS)
    for letter, short in zip(LETTERS, signs, strict=True):
        assert re.search(".*".join(short.lower()), texts(f"colour.{letter}")), short
