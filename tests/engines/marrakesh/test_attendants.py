"""Imam and sultan (MK-17.2): where they wait, what the imam saves, positions and words."""

import pytest
from msgspec.structs import replace

from engines.contract import Choice
from engines.errors import BadPosition, Impossible
from engines.marrakesh import souk
from engines.marrakesh.attendants import EXPANSION, Attendants
from engines.marrakesh.book import BOOK, find_pieces
from engines.marrakesh.frames import Good, Print
from tests.engines.marrakesh.lines import GAME, at, turn
from tests.engines.marrakesh.sitting import (
    after,
    agreed,
    asked,
    keshis,
    play,
    refused,
    seated,
    tokens,
    told,
    unknown,
)

STAIRS = {"mosque": "imam", "palace": "sultan"}
LINKED = told(
    link={f"{mosque}{palace}": ("date",) for mosque in range(1, 6) for palace in range(1, 6)},
    imam_step=4,
    sultan_step=4,
)
"""Both wait on step 4, and each line gives 1 dinar and 1 date."""


def with_both(state, imam="-", sultan="-"):
    """The state with imam and sultan there."""
    variant = replace(state.variant, expansions=frozenset({EXPANSION.name}))
    return replace(state, variant=variant, beside=(Attendants(imam, sultan),))


def place(state, name):
    """Return where one of them is."""
    return getattr(find_pieces(state, Attendants), name)


# Where they wait


@pytest.mark.parametrize(("stair", "name"), STAIRS.items())
def test_mk_1_8_where_one_waits_is_asked_before_a_pawn_first_moves_there(stair, name):
    copy = unknown(LINKED, "imam_step", "sultan_step")
    state = after(with_both(seated(copy=copy)), f"{stair}5")
    assert (asked(state), state.asked(Print).fact, getattr(state.own, stair)) == ("print", f"{name}_step", 0)
    assert refused(state, "16") == (f"print.{name}", "MK-17.2", {"steps": 15, "step": 16})
    assert refused(state, "15") is None
    with pytest.raises(Impossible):
        BOOK.overrule(state, Choice("print", "16"), "MK-17.2")
    state = play(state, "5")
    assert (asked(state), place(state, name), getattr(state.own, stair)) == ("", "a", 5)


# The imam


PRICED = told(
    good=dict.fromkeys(souk.pieces.LUXURY_GOODS, (3, 3, 3, 9, 0, 0, 0))
    | {"slipper1": (0, 0, 1, 2, 1, 0, 0), "dagger2": (1, 1, 0, 6, 0, 1, 1), "lamp3": (2, 0, 0, 3, 0, 0, 1)}
)
DAGGER = "dagger.1l1u6v1d1n"


def bought(board, imam="a", **more):
    """The souk's luxury goods, before a seat with these keshis."""
    state = with_both(seated(board=board, **{"copy": PRICED, **more}), imam=imam)
    return state.asking(Good("+" * ("scrolls" in more)))


@pytest.mark.parametrize(("spared", "left"), [("l", "2l"), ("u", "1l1u")])
def test_mk_17_2_3_of_several_colours_the_buyer_chooses(spared, left):
    state = play(bought("2l1u"), DAGGER)
    assert (asked(state), tokens(state), agreed(state)) == ("spared", ["l", "u"], True)
    assert refused(state, "o") == ("spared.price", "MK-17.2.3", {"colour": "o"})
    assert keshis(play(state, spared)) == left
    with pytest.raises(Impossible):
        BOOK.overrule(state, Choice("spared", "o"), "MK-17.2.3")


# Positions


PLAYED = {"imam_and_sultan": "yes", "known": "imam_step:4/sultan_step:4"}


@pytest.mark.parametrize(
    ("problem", "clause", "text", "fine"),
    [
        ("attendant", "17.2", turn(**PLAYED, mosque_a=4), turn(**PLAYED, mosque_a=3)),
        ("attendant", "17.2", turn(**PLAYED, mosque_a=15), turn(**PLAYED, mosque_a=15, imam="b")),
        ("attendant", "17.2", turn(imam_and_sultan="yes", mosque_a=15),
         turn(imam_and_sultan="yes", mosque_a=14)),
        ("attendant", "17.2", turn(**PLAYED, palace_a=7, palace_b=6, sultan="b"),
         turn(**PLAYED, palace_a=7, palace_b=7, sultan="b")),
        ("attendant", "17.2", turn(**PLAYED, palace_a=15, sultan="a"),
         turn(**PLAYED, palace_a=14, sultan="a")),
        ("attendant", "17.2", turn(seats=3, **PLAYED, palace_a=8, palace_c=15, sultan="8"),
         turn(seats=3, **PLAYED, palace_a=7, palace_c=15, sultan="8")),
        ("attendant", "17.2", turn(seats=3, **PLAYED, palace_c=15, sultan="15"),
         turn(seats=3, **PLAYED, palace_c=15, sultan="14")),
        ("attendant_left", "17.2.1", turn(**PLAYED, mosque_a=9, imam="gone"),
         turn(**PLAYED, mosque_a=15, mosque_b=15, imam="gone")),
        ("attendant_left", "17.2.1", turn(seats=3, **PLAYED, imam="1"),
         turn(seats=3, **PLAYED, mosque_b=15, imam="1")),
        ("attendant_seat", "17.2", turn(**PLAYED, imam="c"), turn(seats=3, **PLAYED, mosque_c=5, imam="c")),
    ],
)  # fmt: skip
def test_what_may_not_stand(problem, clause, text, fine):
    found = GAME.position.status(text)
    assert [(one.check, one.clause) for one in found] == [(f"position.{problem}", f"MK-{clause}")]
    state = at(fine)
    assert GAME.position.read(GAME.position.write(state)) == state


def test_an_overruled_clause_lets_stand_but_nobody_beside_a_seat_that_is_not_there():
    assert GAME.position.status(turn(**PLAYED, mosque_a=9, imam="b", waived="MK-17.2")) == []
    assert GAME.position.status(turn(**PLAYED, imam="d", waived="MK-17.2"))


@pytest.mark.parametrize("value", ["e", "0", "100", "ab", "away"])
def test_a_place_that_there_is_not_is_not_read(value):
    with pytest.raises(BadPosition, match=f"imam: '{value}' is no place like -, a, 7, gone"):
        GAME.position.status(turn(**PLAYED, imam=value))
