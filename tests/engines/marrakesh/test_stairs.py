"""The stairs of mosque and palace (MK-11), the lines between them and the scrolls that change them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engines.contract import Choice
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
