"""Desert towns (MK-17.5): places taken, claims, what each town gives, and what may be wrong with them."""

import pytest
from msgspec.structs import replace

from device.texts import Texts
from engines.contract import Choice, Label
from engines.marrakesh import GAME, towns
from engines.marrakesh.book import keep_pieces
from engines.marrakesh.frames import Oasis
from engines.marrakesh.towns import Town, Towns
from engines.words import Words
from tests.engines.marrakesh.lines import turn
from tests.engines.marrakesh.sitting import (
    COPY,
    asked,
    before,
    keshis,
    play,
    playing,
    table,
    told,
)

GOODS = "1l1u1o"
WORDS = Words(Texts.load("en", "marrakesh", strict=True), GAME, ("Amira", "Basim"))


def played(state, *there):
    """The state in a match with towns, these taken by seat a, the left path's first; ``03+`` is claimed."""
    ends = zip(("left4", "right4"), there, strict=False)
    taken = tuple(Town(0, end, word.rstrip("+"), word.endswith("+")) for end, word in ends if word)
    return keep_pieces(playing(state, "desert_towns"), Towns(taken))


def claiming(number, board="", copy=COPY, **side):
    """The Sahara's action goes on, with the left path's town there and its price at hand."""
    side = {"caravans": (0, 4, 0)} | side
    state = played(table(before(board=f"4n{GOODS}{board}", **side), copy=copy), number)
    return replace(state, frames=(Oasis(number=1),))


def test_the_gate_of_town_12_may_be_declined():
    """The guard may be wanted elsewhere, and some workshops cost VP."""
    state = play(claiming("12", board="1b", resources=""), "left4")
    assert WORDS.prompt(GAME.rules.pending(state)) == "Free gate from?"
    done = Choice("workshop", "done")
    assert WORDS.answer(done, GAME.rules.pending(state).figures) == "no gate"
    assert WORDS.said(state, [done]) == "takes no gate"
    assert GAME.rules.gives_up(state, done) == Label("gives_up.workshop")
    end = play(state, "done")
    assert (end.own.gates, keshis(end), asked(end)) == ("--------", "1b4n", "")
    assert towns.list_towns(end, 0)[0].claimed


# Positions


TOWN = {"desert_towns": "yes", "board_a": "5n", "caravans_a": "0.4.1"}


def wrong(**more):
    return [(one.where, one.check, one.clause) for one in GAME.position.status(turn(**TOWN | more))]


def test_towns_are_written_in_a_position():
    text = turn(**TOWN, towns="a.left4.07+")
    state = GAME.position.read(text)
    assert towns.list_towns(state, 0) == (Town(0, "left4", "07", claimed=True),)
    assert "towns=a.left4.07+ " in GAME.position.write(state)
    assert GAME.position.read(GAME.position.write(state)) == state


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ({"towns": "a.right4.07,a.left4.08"}, ("position.town", "MK-17.5")),
        ({"towns": "c.left4.07,a.left4.08"}, ("position.town", "MK-17.5")),
        ({"towns": "a.left4.07,a.left4.08"}, ("position.town_twice", "MK-1.2")),
        ({"towns": "-"}, ("position.town_due", "MK-17.5")),
        (
            {
                "towns": "a.left4.01,b.left4.02,a.right4.03,b.right4.04",
                "board_a": "8n",
                "caravans_a": "0.4.4",
                "board_b": "8n",
                "caravans_b": "0.4.4",
            },
            ("position.towns", "MK-17.5"),
        ),
        ({"towns": "a.left4.07", "board_a": "6n", "caravans_a": "1.4.1"}, ("position.path", "MK-14.1")),
    ],
)
def test_what_may_be_wrong_with_towns(more, found):
    assert [one[1:] for one in wrong(**more)] == [found]


# In words


def test_a_claim_says_which_town_and_what_it_does():
    """As the copy has it where that is known."""
    state = claiming("07", copy=told(**{"town": {"07": "scroll2"}}))
    asks = GAME.rules.pending(state)
    assert WORDS.prompt(asks) == "Claim oasis or town?"
    answers = {token: WORDS.answer(Choice("oasis", token), asks.figures) for token in asks.domain.tokens}
    assert answers["left4"] == "town 07 (2 VP a scroll): 1 yellow, 1 purple, 1 orange"
    assert answers["right4"] == "right town: 1 yellow, 1 purple, 1 orange"
    assert WORDS.said(state, [Choice("oasis", "left4")]) == "claims town 07: 2 VP a scroll"
    assert WORDS.said(state, [Choice("oasis", "left1")]) == "claims left path, oasis 1"
