"""The stairs of mosque and palace (MK-11), and what is asked on a line between them."""

from engines.marrakesh import stairs
from engines.marrakesh.book import BOOK
from tests.engines.marrakesh.sitting import (
    COPY,
    after,
    agreed,
    asked,
    gains,
    keshis,
    play,
    resources,
    seated,
    tokens,
    told,
    under_1,
)


def linked(copy=COPY, **links):
    """The copy with these bonuses on its lines: ``line23="dinar2 vp4"``, and 1 date on all others."""
    every = {f"{mosque}{palace}": ("date",) for mosque in range(1, 6) for palace in range(1, 6)}
    return told(copy, link=every | {name[4:]: tuple(words.split()) for name, words in links.items()})


def climbed(state):
    """Steps on the mosque's and the palace's stair, and lines crossed."""
    side = state.own
    return side.mosque, side.palace, side.lines


# Moves


def test_mk_11_2_the_example_of_two_nobles_and_the_first_line():
    """1 dinar, then 1 dinar, a turquoise, gray or yellow keshi or 5 VP."""
    copy = linked(line12="dinar1 deploy_t deploy_y deploy_l vp5")
    state = BOOK.settled(stairs.act(seated(board="2w", palace=1, copy=copy), "w"))
    assert (asked(state), resources(state)) == ("link", "1n")
    assert tokens(state) == ["dinar1", "deploy_t", "deploy_y", "deploy_l", "vp5"]
    assert BOOK.pending(state).figures == (("n", 1), ("mosque", 1), ("palace", 2))
    assert gains(play(state, "vp5")) == [("connections", 5, "line12")]
    assert keshis(play(state, "deploy_y")) == "2w1y"
    assert resources(play(state, "dinar1")) == "2n"
    assert climbed(play(state, "vp5")) == (0, 3, 1)


def test_steps_on_a_stair_of_choice():
    state = after(seated(), "stair2")
    assert (asked(state), tokens(state), agreed(state)) == ("stair", ["mosque", "palace"], True)
    assert BOOK.pending(state).figures == (("n", 2),)
    assert climbed(play(state, "palace")) == (0, 2, 0)


# Scrolls


def test_scroll_16_a_line_crossed_gives_a_river_step_lengthened_by_water():
    state = after(seated(mosque=2, scrolls=(16,), copy=linked(), resources="1w"), "mosque")
    assert (asked(state), tokens(state)) == ("first", ["link", "river"])
    last = play(state, "link")
    assert (asked(last), resources(last)) == ("sail", "1w1d1n")
    before = after(under_1(seated(mosque=2, scrolls=(16,), copy=linked(), resources="1w")), "mosque")
    assert (asked(before), tokens(before)) == ("sail", ["1", "2"])
    state = play(state, "river 2")
    assert (state.own.fisherman, resources(state)) == (2, "1d1n")
