"""The stairs of mosque and palace (MK-11), and what is asked on a line between them."""

from tests.engines.marrakesh.sitting import (
    COPY,
    after,
    asked,
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


# Moves


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
