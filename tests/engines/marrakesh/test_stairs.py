"""The stairs of mosque and palace (MK-11), the lines between them and the scrolls that change them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engines.contract import Choice
from engines.errors import Impossible
from engines.marrakesh import stairs
from engines.marrakesh.book import BOOK
from engines.marrakesh.facts import LINKS
from tests.engines.marrakesh.sitting import (
    COPY,
    after,
    agreed,
    asked,
    gains,
    keshis,
    play,
    refused,
    resources,
    seated,
    tokens,
    told,
    under_1,
    unknown,
)

TOP = COPY.mosque_steps
"""15; the made-up stairs both have lines before steps 3, 6, 9 and 12."""
FIVE = replace(COPY, mosque_lines=(2, 4, 6, 8, 10), palace_lines=(2, 4, 6, 8, 10))
"""With five lines the starts belong to no section."""


def linked(copy=COPY, **links):
    """The copy with these bonuses on its lines: ``line23="dinar2 vp4"``, and 1 date on all others."""
    every = {f"{mosque}{palace}": ("date",) for mosque in range(1, 6) for palace in range(1, 6)}
    return told(copy, link=every | {name[4:]: tuple(words.split()) for name, words in links.items()})


def climbed(state):
    """Steps on the mosque's and the palace's stair, and lines crossed."""
    side = state.own
    return side.mosque, side.palace, side.lines


# Moves


@pytest.mark.parametrize(("area", "made"), [("k", (2, 0, 0)), ("w", (0, 2, 0))])
def test_mk_11_1_a_step_for_each_keshi_of_the_area(area, made):
    state = seated(board=f"2{area}5t")
    assert stairs.can(state, area)
    assert climbed(BOOK.settled(stairs.act(state, area))) == made


@pytest.mark.parametrize("area", "kw")
def test_mk_11_1_with_none_there_is_no_move(area):
    state = seated(board="3t1p", scrolls=(48,))
    assert not stairs.can(state, area)
    assert BOOK.settled(stairs.act(state, area)) == state


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


def test_mk_11_2_a_bonus_that_is_not_on_the_line_is_refused():
    state = after(seated(mosque=2, copy=linked(line21="vp1 dinar4")), "mosque")
    assert refused(state, "vp5") == ("link.line", "MK-11.2", {"reward": "vp5", "mosque": 2, "palace": 1})
    assert agreed(state)
    assert BOOK.domain(state).tokens == LINKS


def test_mk_11_2_a_line_with_one_bonus_gives_it_by_itself():
    assert resources(after(seated(mosque=2, copy=linked()), "mosque")) == "1d1n"


def test_mk_11_2_each_of_several_lines_pays_its_dinar_and_its_own_connection():
    copy = linked(line22="vp1 dinar4", line32="vp2 dinar4", line42="vp3 dinar4")
    state = after(seated(mosque=2, palace=4, copy=copy), "mosque8")
    assert (climbed(state), resources(state), tokens(state)) == ((3, 4, 1), "1n", ["dinar4", "vp1"])
    state = play(state, "vp1")
    assert (climbed(state), resources(state), tokens(state)) == ((6, 4, 2), "2n", ["dinar4", "vp2"])
    state = play(state, "vp2")
    assert (climbed(state), resources(state)) == ((9, 4, 3), "3n")
    state = play(state, "vp3")
    assert (climbed(state), gains(state)) == (
        (10, 4, 3),
        [("connections", n, f"line{n + 1}2") for n in (1, 2, 3)],
    )


def test_mk_11_2_a_connection_is_finished_before_the_next_step():
    """An entertainer on the palace's place moves that pawn, and its own line is resolved first."""
    copy = linked(line21="deploy_p vp1", line22="vp2 vp3", line32="vp4 vp5")
    state = after(seated(mosque=2, palace=2, copy=copy), "mosque4")
    state = play(state, "deploy_p")
    assert asked(state) == "spot"
    state = play(state, "palace")
    assert (climbed(state), resources(state), tokens(state)) == ((3, 3, 2), "2n", ["vp2", "vp3"])
    state = play(state, "vp2")
    assert (climbed(state), resources(state), tokens(state)) == ((6, 3, 3), "3n", ["vp4", "vp5"])


def test_mk_11_2_sections_with_four_lines():
    state = seated()
    found = [stairs.section(seated(mosque=n), "mosque") for n in (0, 2, 3, 8, 9, 12, TOP)]
    assert found == [1, 1, 2, 3, 4, 5, 5]
    assert stairs.line_between(state) == "11"
    assert stairs.line_between(seated(mosque=6, palace=12)) == "35"


def test_mk_11_2_with_five_lines_the_start_belongs_to_no_section():
    """There is a dinar, but no line that joins both pawns."""
    found = [stairs.section(seated(palace=n, copy=FIVE), "palace") for n in (0, 1, 2, 9, 10, TOP)]
    assert found == [0, 0, 1, 4, 5, 5]
    state = after(seated(palace=1, copy=linked(FIVE)), "palace")
    assert (resources(state), asked(state), climbed(state)) == ("1n", "", (0, 2, 1))
    assert resources(after(seated(palace=1, mosque=2, copy=linked(FIVE)), "palace")) == "1d1n"


def test_mk_11_2_a_line_without_a_bonus_gives_its_dinar():
    assert resources(after(seated(mosque=2, copy=linked(line21="")), "mosque")) == "1n"


def test_mk_1_8_a_line_that_nobody_has_told_of_is_asked_for_once():
    state = after(seated(mosque=2, copy=unknown()), "mosque2")
    assert (asked(state), state.frames[-1].what, climbed(state)) == ("print", "link.21", (3, 0, 1))
    state = BOOK.apply(state, Choice("print", BOOK.domain(state).draw()))
    assert (asked(state), resources(state), climbed(state)) == ("", "2n", (4, 0, 1))
    assert asked(after(state, "palace3")) == "print"


def test_mk_11_3_the_last_step_is_final_and_each_further_step_a_point():
    """With five nobles at the top there are 5 VP."""
    state = BOOK.settled(stairs.act(seated(board="5w", palace=TOP), "w"))
    assert (gains(state), climbed(state)) == ([("palace", 5, "top")], (0, TOP, 0))
    state = after(seated(mosque=TOP - 1), "mosque4")
    assert (gains(state), climbed(state)) == ([("mosque", 3, "top")], (TOP, 0, 0))


def test_mk_11_3_a_line_before_the_last_step_is_crossed_too():
    copy = linked(replace(COPY, mosque_lines=(3, 6, 9, TOP)))
    state = after(seated(mosque=TOP - 1, copy=copy), "mosque2")
    assert (gains(state), climbed(state), resources(state)) == ([("mosque", 1, "top")], (TOP, 0, 1), "1d1n")


def test_steps_on_a_stair_of_choice():
    state = after(seated(), "stair2")
    assert (asked(state), tokens(state), agreed(state)) == ("stair", ["mosque", "palace"], True)
    assert BOOK.pending(state).figures == (("n", 2),)
    assert climbed(play(state, "palace")) == (0, 2, 0)


# Scrolls


@pytest.mark.parametrize(("scroll", "gained"), [(13, "1w1d1n"), (14, "2d1n"), (15, "1d2n")])
def test_scrolls_13_to_15_a_line_crossed_gives_a_resource_more(scroll, gained):
    assert resources(after(seated(mosque=2, scrolls=(scroll,), copy=linked()), "mosque")) == gained


def test_scroll_16_a_line_crossed_gives_a_river_step_lengthened_by_water():
    state = after(seated(mosque=2, scrolls=(16,), copy=linked(), resources="1w"), "mosque")
    assert (asked(state), tokens(state)) == ("first", ["link", "river"])
    last = play(state, "link")
    assert (asked(last), resources(last)) == ("sail", "1w1d1n")
    before = after(under_1(seated(mosque=2, scrolls=(16,), copy=linked(), resources="1w")), "mosque")
    assert (asked(before), tokens(before)) == ("sail", ["1", "2"])
    state = play(state, "river 2")
    assert (state.own.fisherman, resources(state)) == (2, "1d1n")


def test_scrolls_13_to_16_each_line_of_a_move():
    state = after(seated(mosque=2, scrolls=(13, 15), copy=linked()), "mosque4")
    assert resources(state) == "2w2d4n"


def test_scroll_26_dates_buy_steps():
    state = after(seated(scrolls=(26,), resources="2d3w"), "mosque")
    assert (asked(state), tokens(state), BOOK.pending(state).figures) == (
        "climb",
        ["go", "date"],
        (("stair", "mosque"), ("n", 1)),
    )
    assert refused(state, "water") == ("climb.scroll", "MK-11.1", {"resource": "water"})
    assert agreed(state)
    assert climbed(play(state, "go")) == (1, 0, 0)
    state = play(state, "date")
    assert BOOK.pending(state).figures == (("stair", "mosque"), ("n", 2))
    state = play(state, "date")
    assert (asked(state), resources(state)) == ("link", "3w1n")


def test_scroll_27_water_buys_steps_and_both_scrolls_either():
    state = after(seated(scrolls=(27,), resources="1d1w"), "palace")
    assert tokens(state) == ["go", "water"]
    state = play(state, "water")
    assert (asked(state), climbed(state), resources(state)) == ("", (0, 2, 0), "1d")
    state = after(seated(scrolls=(26, 27), resources="1d1w"), "palace")
    assert tokens(state) == ["go", "date", "water"]
    state = play(state, "date")
    assert refused(state, "date") == ("climb.price", "MK-12.4", {"resource": "date"})
    assert agreed(state)


def test_scrolls_26_and_27_without_a_resource_or_a_move_nobody_is_asked():
    assert climbed(after(seated(scrolls=(26, 27), resources="5n"), "palace")) == (0, 1, 0)
    state = seated(scrolls=(26, 27), resources="1d1w")
    assert after(state, "palace0") == state


def test_a_resource_that_is_not_there_buys_no_step_even_where_a_clause_is_overruled():
    state = after(seated(scrolls=(26,), resources="1d1w"), "palace", "any")
    assert resources(BOOK.overrule(state, Choice("climb", "water"), "MK-12.4")) == "1d"
    state = after(seated(scrolls=(26,), resources="1d"), "palace", "any")
    with pytest.raises(Impossible):
        BOOK.overrule(state, Choice("climb", "water"), "MK-12.4")


def test_scroll_48_each_move_is_a_step_longer():
    assert climbed(after(seated(scrolls=(48,)), "palace")) == (0, 2, 0)
    assert climbed(BOOK.settled(stairs.act(seated(board="1k", scrolls=(48,)), "k"))) == (2, 0, 0)
    assert gains(after(seated(mosque=TOP, scrolls=(48,)), "mosque")) == [("mosque", 2, "top")]


@pytest.mark.parametrize(("scroll", "stair", "other"), [(49, "mosque", "palace"), (52, "palace", "mosque")])
def test_scrolls_49_and_52_two_points_a_step_at_the_top(scroll, stair, other):
    state = seated(mosque=TOP, palace=TOP, scrolls=(scroll,))
    assert gains(after(state, f"{stair}3", f"{other}3")) == [(stair, 6, "top"), (other, 3, "top")]


def test_scroll_55_three_steps_on_both_stairs_in_the_order_of_choice():
    copy = linked(line21="vp1 vp2", line12="vp3 vp4", line22="vp5 vp6")
    state = after(seated(copy=copy), "both_stairs")
    assert (asked(state), tokens(state)) == ("stair", ["mosque", "palace"])
    first = play(state, "palace")
    assert (climbed(first), tokens(first)) == ((0, 3, 1), ["vp3", "vp4"])
    then = play(first, "vp3")
    assert (climbed(then), tokens(then)) == ((3, 3, 2), ["vp5", "vp6"])
    assert tokens(play(state, "mosque vp1")) == ["vp5", "vp6"]
    state = after(seated(copy=linked(), scrolls=(48,)), "both_stairs")
    assert climbed(play(state, "mosque")) == (4, 4, 2)


def test_scroll_59_all_bonuses_between_both_pawns_in_the_order_of_choice():
    copy = linked(line23="dinar2 deploy_p river vp4")
    state = after(seated(mosque=3, palace=6, copy=copy, resources="1w"), "all_links")
    assert tokens(state) == ["dinar2", "deploy_p", "river", "vp4"]
    state = play(state, "deploy_p water")
    assert (asked(state), resources(state), tokens(state)) == ("link", "2w", ["dinar2", "river", "vp4"])
    assert refused(state, "deploy_p")[0] == "link.line"
    assert agreed(state)
    state = play(state, "vp4 dinar2 3")
    assert (gains(state), resources(state), state.own.fisherman) == ([("scrolls", 4, "1")], "2n", 3)
    assert asked(state) == ""


def test_scroll_59_no_line_no_bonus_and_an_unknown_one_is_asked_for():
    state = seated(mosque=3, copy=FIVE)
    assert after(state, "all_links") == state
    state = after(seated(copy=unknown()), "all_links")
    assert (asked(state), state.frames[-1].what) == ("print", "link.11")


def test_scroll_63_two_different_bonuses_of_each_connection():
    copy = linked(line21="dinar1 dinar3 vp4")
    state = after(seated(mosque=2, copy=copy, scrolls=(63,)), "mosque")
    assert BOOK.pending(state).figures[0] == ("n", 2)
    state = play(state, "dinar3")
    assert (asked(state), resources(state), tokens(state)) == ("link", "4n", ["dinar1", "vp4"])
    state = play(state, "vp4")
    assert (asked(state), resources(state), gains(state)) == ("", "4n", [("connections", 4, "line21")])


def test_scroll_63_the_second_goes_by_itself_where_only_one_is_left():
    state = seated(mosque=2, copy=linked(line21="dinar3 vp4"), scrolls=(63,))
    state = play(after(state, "mosque"), "vp4")
    assert (asked(state), resources(state), gains(state)) == ("", "4n", [("connections", 4, "line21")])
    state = after(seated(mosque=2, copy=linked(), scrolls=(63,)), "mosque")
    assert (asked(state), resources(state)) == ("", "1d1n")


# Bonuses of lines


@pytest.mark.parametrize(
    ("word", "question"),
    [
        ("keshi", "keshi"),
        ("alike2", "keshi"),
        ("river", "sail"),
        ("deploy_r", "vendor"),
        ("deploy_n", "caravan"),
    ],
)
def test_mk_11_2_bonuses_that_ask(word, question):
    state = after(seated(mosque=2, copy=linked(line21=f"{word} vp1"), resources="1w"), "mosque")
    assert asked(play(state, word)) == question


@pytest.mark.parametrize("word", LINKS)
def test_mk_11_2_every_bonus_of_a_line_is_an_effect(word):
    other = next(link for link in LINKS if link != word)
    state = after(seated(mosque=2, copy=linked(line21=f"{word} {other}")), "mosque")
    done = play(state, word)
    assert (done.frames, resources(done), keshis(done), gains(done)) != (state.frames, "1n", "", [])
