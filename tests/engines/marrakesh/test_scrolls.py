"""What every scroll does, by number (MK-12.4), and what the copy is asked for."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engines.marrakesh import medina, river, sahara, souk, tiles
from engines.marrakesh.book import BOOK, effect_of
from engines.marrakesh.facts import SCHEMA, known
from engines.marrakesh.keshis import LETTERS
from engines.marrakesh.state import FRESH_STALL
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
    unknown,
)

EVERY = range(1, 73)
QUIET = told(link={f"{mosque}{palace}": ("vp1",) for mosque in range(1, 6) for palace in range(1, 6)})
"""A copy on which lines between the stairs give nothing but their dinar."""
SCENES = {}


def scene(*numbers):
    """Register what a scroll is seen to do, the function of its number."""

    def register(played):
        SCENES.update(dict.fromkeys(numbers, played))
        return played

    return register


@pytest.mark.parametrize("number", EVERY)
def test_every_scroll_does_what_lists_say(number):
    SCENES[number](number)


def bought(number, **own):
    """The state after a scroll was bought by a seat with these things before it."""
    return after(seated(scrolls=(number,), **own), f"scroll_{number}")


# Instant ones


@scene(*range(1, 13))
def scene_1_to_12(number):
    letter = LETTERS[number - 1]
    state = play(bought(number), {"r": "g", "p": "date", "n": "left"}.get(letter, ""))
    assert (keshis(state), asked(state)) == (f"1{letter}", "")


@scene(19, 20, 21)
def scene_19(number):
    assert resources(bought(number)) == {19: "2w", 20: "2n", 21: "3d"}[number]


@scene(30, 43, 67)
def scene_30(number):
    times = {30: 1, 43: 2, 67: 3}[number]
    state = bought(number)
    assert tokens(state) == list(LETTERS)
    state = play(state, " ".join("ytt"[:times]))
    assert (keshis(state), asked(state)) == ({30: "1y", 43: "1t1y", 67: "2t1y"}[number], "")


@scene(*range(37, 43))
def scene_37_to_42(number):
    assert keshis(bought(number)) == ("2l", "1l1u", "1l1o", "2u", "1u1o", "2o")[number - 37]


@scene(47)
def scene_47(number):
    """Sections with 3 face the river, the palace and the goods."""
    state = play(bought(number, disc=0, copy=QUIET), "l palace")
    assert (keshis(state), state.sides[0].palace, state.sides[0].fisherman) == ("3l", 3, 3)
    assert (resources(state), state.sides[0].disc, asked(state)) == ("1n", 0, "")


@scene(53)
def scene_53(number):
    state = bought(number, board="2g3k")
    assert tokens(state) == ["g.act", "k.act", "p.act", "none"]
    assert resources(play(state, "g.act")) == "2d"


@scene(55)
def scene_55(number):
    state = play(bought(number, copy=QUIET), "palace")
    assert (state.sides[0].mosque, state.sides[0].palace, resources(state)) == (3, 3, "2n")


@scene(57)
def scene_57(number):
    state = bought(number, assistants="ss")
    assert (resources(state), state.sides[0].stall, keshis(state)) == ("3w", True, "")
    assert state.sides[0].fresh == FRESH_STALL
    assert resources(play(after(state, "assistant"), "s.l")) == "3w"  # in this turn it does not pay
    assert resources(play(after(state, "use_a"), "s.l")) == "4w"
    state = seated(scrolls=(35, 57), stall=True, assistants="ss")
    assert resources(play(after(state, "use_a"), "s.l")) == "2w"  # a vendor in the souk is a vendor


@scene(58)
def scene_58(number):
    state = bought(number, resources="1d")
    assert tokens(state) == [*map(str, range(61, 73)), "none"]
    assert refused(state, "13")[0] == "learn.needs"
    state = play(state, "63")
    assert (state.sides[0].scrolls, resources(state)) == ((58, 63), "")
    assert bought(number).sides[0].scrolls == (58,)  # without a date nothing is learnt


@scene(59)
def scene_59(number):
    state = bought(number, copy=told(link={"11": ("vp3", "date", "dinar2")}))
    state = play(state, "vp3 date")
    assert (resources(state), gains(state), asked(state)) == ("1d2n", [("scrolls", 3, "59")], "")


@scene(62)
def scene_62(number):
    state = play(bought(number, caravans=(0, 2, 2)), "left1 09 right2 22 done")
    assert (state.sides[0].oases, resources(state), asked(state)) == ((9, 22), "", "")


@scene(64)
def scene_64(number):
    state = play(bought(number, board="2g"), "g")
    assert (keshis(state), resources(state), gains(state)) == ("3g", "3d", [("orchard", 1, "g")])
    state = play(bought(number, board="2g1r", vendors=0b1), "r g")  # the area where the vendor now stands
    assert (keshis(state), resources(state)) == ("2g2r", "2d")
    state = play(bought(number, board="2y", resources="3d"), "y")  # whether one that can be paid lies open
    assert (asked(state), tokens(state)) == ("sector", ["y.act", "none"])
    assert [asked(play(state, each)) for each in ("y.act", "none")] == ["scroll", ""]
    assert asked(play(bought(number, board="2y"), "y")) == ""


@scene(70)
def scene_70(number):
    """3 face the water's entertainer, 1 that of the VP."""
    state = bought(number, square=0b10001, disc=2)
    assert (resources(state), gains(state), state.sides[0].disc) == ("3w", [("scrolls", 2, "70")], 2)


@scene(71)
def scene_71(number):
    state = bought(number, oases=(21, 5), board="3w", resources="4d")
    assert asked(state) == "score_oasis"
    assert tokens(state) == ["05", "21"]
    assert refused(state, "06") == ("score_oasis.claimed", "MK-16.2", {"oasis": "06"})
    assert gains(play(state, "05")) == [("scrolls", 6, "oasis 05")]
    state = play(state, "21")
    assert (asked(state), tokens(state)) == ("returned", ["0", "1", "2", "3", "4"])
    assert BOOK.pending(state).figures == (("n", 4), ("variant", "date"))
    assert min(BOOK.legal(state), key=lambda choice: BOOK.likely(state, choice)).token == "4"
    assert refused(state, "5") == ("returned.there", "MK-16.2", {"n": 4, "resource": "date"})
    state = play(state, "3")
    assert (gains(state), resources(state)) == ([("scrolls", 6, "oasis 21")], "1d")
    assert state.sides[0].oases == (21, 5)  # it may score at the end again


@scene(72)
def scene_72(number):
    state = bought(number, resources="2w1d")
    assert BOOK.why_not(state, BOOK.listed("sell", ["3w"])[0]).figures == (
        ("n", 3),
        ("there", 2),
        ("resource", "water"),
    )
    assert refused(state, "1n")[:2] == ("sell.there", "MK-12.4")
    assert resources(play(state, "0")) == "2w1d"
    state = play(state, "1w1d")
    assert (gains(state), resources(state)) == ([("scrolls", 4, "72")], "1w")


# Permanent ones


def both(number, *words, **own):
    """What words do with a scroll and without it."""
    return tuple(after(seated(scrolls=(number,) * has, **own), *words) for has in (True, False))


def acts(number, act, *args, **own):
    """What an action does with a scroll and without it."""
    states = (seated(scrolls=(number,) * has, **own) for has in (True, False))
    return tuple(BOOK.settled(act(state, *args)) for state in states)


@scene(13, 14, 15)
def scene_13(number):
    state, without = both(number, "mosque1", mosque=2, copy=QUIET)
    assert (resources(state), resources(without)) == ({13: "1w1n", 14: "1d1n", 15: "2n"}[number], "1n")


@scene(16)
def scene_16(number):
    state, without = both(number, "mosque4", mosque=2, copy=QUIET)
    state = play(state, "river river")
    assert (state.sides[0].fisherman, without.sides[0].fisherman) == (2, 0)  # two lines


@scene(17)
def scene_17(number):
    state, without = both(number, "river1", fisherman=2)
    assert (gains(state), gains(without)) == ([("rapids", 1, "rapid1")], [])


def office(number, **own):
    """A yellow keshi exchanged for 2 dates, with a scroll and without it."""
    return acts(number, lambda state: souk.sell(replace(state, lines=("2d", "", "")), "l"), board="3l", **own)


@scene(18)
def scene_18(number):
    state, without = office(number)
    assert (asked(state), asked(without), resources(without)) == ("resource", "", "2d")
    assert resources(play(state, "water")) == "1w2d"


@scene(22)
def scene_22(number):
    state, without = (play(one, "1 t 1") for one in acts(number, medina.act, board="1b"))
    assert (gains(state), gains(without)) == ([], [("gates", -3, "workshop 1")])
    assert keshis(state) == "1t1b"
    elsewhere = play(acts(number, medina.act, board="1b", resources="1n")[0], "2 t 1")
    assert gains(elsewhere) == [("gates", 1, "workshop 2")]


@scene(23, 24, 25)
def scene_23(number):
    kind = {23: "w", 24: "n", 25: "v"}[number]
    state, without = acts(number, river.pick, board="3g")
    assert (asked(without), resources(without)) == ("", "3d")
    other = "v" if kind == "w" else "w"
    assert refused(state, f"2d1{other}")[:2] == ("harvest.scroll", "MK-8.1")
    state = play(state, f"1d2{kind}")
    assert resources(state) == {"w": "2w1d", "n": "1d2n", "v": "1d"}[kind]
    assert [points for _, points, _ in gains(state)] == [2] * (kind == "v")


@scene(26, 27)
def scene_26_27(number):
    paid, left = {26: ("date", "2w1d"), 27: ("water", "1w2d")}[number]
    state, without = both(number, "mosque1", resources="2w2d", copy=QUIET)
    assert (asked(without), without.sides[0].mosque) == ("", 1)
    assert tokens(state) == ["go", paid]
    state = play(state, f"{paid} go")
    assert (state.sides[0].mosque, resources(state)) == (2, left)


@scene(28)
def scene_28(number):
    state, without = both(number, "season_rapids_a", fisherman=6)
    assert (asked(without), gains(without)) == ("", [])
    state = play(state, "water")
    assert (gains(state), resources(state), asked(state)) == ([("rapids", 1, "rapid1")], "1w", "")


@scene(29)
def scene_29(number):
    """The place of 2 VP is faced by 3, and nobody stands there."""
    state, without = both(number, "square", disc=2)
    assert (gains(state), gains(without)) == ([("scrolls", 6, "29")], [])
    other = after(seated(disc=2, scrolls=(number,), copy=told(scroll={"29": tiles.FACED_VP[0]})), "square")
    assert gains(other) == [("scrolls", 3, "29")]


@scene(31)
def scene_31(number):
    state, without = both(number, "square", disc=3, square=1)
    assert (resources(state), resources(without)) == ("4w", "3w")


@scene(32)
def scene_32(number):
    state, without = acts(number, medina.act, board="1b", resources="1n")
    assert (tokens(state), tokens(without)) == (["1", "2", "3", "done"], ["1", "2", "done"])
    assert resources(play(state, "3 t 1")) == ""
    assert resources(play(state, "1 t 1")) == "1n"


@scene(33)
def scene_33(number):
    state, without = acts(number, medina.act, board="1b", resources="2w1d1n")
    assert refused(without, "4")[0] == "workshop.price"
    assert resources(play(state, "4 t 1 water date")) == "1w1n"


@scene(34)
def scene_34(number):
    copy = told(good={f"slipper{n}": (1, 0, 0, n, 0, 0, 0) for n in (1, 2)})
    state, without = (play(one, "slipper.1l2v") for one in acts(number, souk.buy, board="3l", copy=copy))
    assert (asked(without), without.sides[0].goods) == ("", ("slipper2",))
    assert tokens(state) == ["slipper.1l1v", "none"]
    state = play(state, "slipper.1l1v")
    assert (state.sides[0].goods, keshis(state)) == (("slipper2", "slipper1"), "1l")


@scene(35, 50)
def scene_35_50(number):
    """A vendor in the orchard, whose assistant is used."""
    own = {"assistants": "g", "vendors": 0b10, "board": "2g1r"}
    state, without = (play(one, "g.act") for one in both(number, "use_a", **own))
    assert (resources(without), gains(without)) == ("1w2d", [])
    assert resources(state) == {35: "2w2d", 50: "1w2d"}[number]
    assert gains(state) == [("scrolls", 2, "50")] * (number == 50)
    keshi = play(both(number, "use_a", **own)[0], "g.keshi")
    assert [category for category, *_ in gains(keshi)] == ["orchard"]


@scene(36)
def scene_36(number):
    state, without = (play(one, "1 t 1") for one in acts(number, medina.act, board="1b"))
    assert (asked(state), asked(without), keshis(without)) == ("keshi", "", "1t1b")
    assert keshis(play(state, "y")) == "1y1b"


@scene(44)
def scene_44(number):
    copy = told(demand={"1": (2, 2, 2), "2": (2, 0, 0)})
    state, without = both(number, "provision_a", demands=(1, 2), resources="1w2n", copy=copy)
    assert (asked(without), gains(without), resources(without)) == ("", [("provision", -8, "1,2")], "")
    assert gains(play(state, "no")) == gains(without)
    state = play(state, "yes water")
    assert (gains(state), resources(state), asked(state)) == ([], "", "")


@scene(45)
def scene_45(number):
    own = {"caravans": (0, 1, 0), "resources": "1w1d", "copy": told(price={"left1": (0, 0, 2)})}
    assert not sahara.can(seated(**own))
    state = BOOK.settled(sahara.act(seated(scrolls=(number,), **own)))
    assert resources(play(state, "left1 water 09")) == "1d"


@scene(46)
def scene_46(number):
    state, without = office(number)
    assert (asked(state), asked(without)) == ("sell_more", "")
    state = play(state, "l none")
    assert (resources(state), keshis(state)) == ("4d", "1l")


@scene(48)
def scene_48(number):
    state, without = both(number, "mosque1", "palace2", copy=QUIET)
    assert (state.sides[0].mosque, state.sides[0].palace) == (2, 3)
    assert (without.sides[0].mosque, without.sides[0].palace) == (1, 2)


@scene(49, 52)
def scene_49_52(number):
    state, without = both(number, "mosque2", "palace2", mosque=15, palace=15)
    tops = {"mosque": 2, "palace": 2}
    assert {stair: points for stair, points, _ in gains(without)} == tops
    assert {stair: points for stair, points, _ in gains(state)} == tops | {
        {49: "mosque", 52: "palace"}[number]: 4
    }


@scene(51)
def scene_51(number):
    """Turned once, single spectators face the mosque, river, VP, palace and goods."""
    state, without = both(number, "square", disc=0)
    assert (asked(without), without.sides[0].disc) == ("", 7)
    state = play(state, "l mosque palace")
    side = state.sides[0]
    assert (keshis(state), side.mosque, side.palace, side.fisherman) == ("1l", 1, 1, 1)
    assert (gains(state), asked(state)) == ([("scrolls", 2, "51")], "")


@scene(54)
def scene_54(number):
    state, without = (play(one, "dinar") for one in both(number, "deploy_p"))
    assert (resources(without), without.sides[0].fisherman, gains(without)) == ("1n", 0, [])
    assert (resources(state), state.sides[0].fisherman) == ("1n", 1)
    assert [points for _, points, _ in gains(state)] == [2]


@scene(56)
def scene_56(number):
    state, without = both(number, "river4", fisherman=13)
    assert gains(without) == [("river", 7, "jetty"), ("river", 2, "further")]
    assert gains(state) == [("river", 7, "jetty"), ("river", 4, "further")]


@scene(60)
def scene_60(number):
    state, without = both(number, "rapids_a", fisherman=3)
    assert (gains(state), gains(without)) == ([("rapids", 1, "rapid1")] * 2, [("rapids", 1, "rapid1")])


@scene(61)
def scene_61(number):
    tray = sum(1 << 8 * LETTERS.index(letter) for letter in "ttg")
    state, without = (after(replace(seated(scrolls=own), tray=tray), "claim_a") for own in ((61,), ()))
    assert (tokens(state), tokens(without)) == (["2t", "tg"], ["2t", "1t", "1g"])
    assert keshis(play(state, "tg")) == "1t1g"
    assert refused(state, "1t")[:2] == ("claim.two", "MK-12.4")


@scene(63)
def scene_63(number):
    copy = told(link={"21": ("vp3", "water", "date")})
    state, without = (play(one, "date") for one in both(number, "mosque1", mosque=2, copy=copy))
    assert (asked(without), resources(without)) == ("", "1d1n")
    assert tokens(state) == ["water", "vp3"]
    assert resources(play(state, "water")) == "1w1d1n"


@scene(65)
def scene_65(number):
    state, without = both(number, "square", disc=3, square=1)
    assert (resources(state), state.sides[0].disc) == ("4w", 1)
    assert (resources(without), without.sides[0].disc) == ("3w", 2)


@scene(66)
def scene_66(number):
    state, without = (play(one, "1 t 1") for one in acts(number, medina.act, board="1b"))
    assert (keshis(state), keshis(without)) == ("2t1b", "1t1b")


@scene(68)
def scene_68(number):
    state, without = (play(one, "left") for one in both(number, "deploy_n", board="3w"))
    assert asked(without) == ""
    state = play(state, "05")
    assert (gains(state), state.sides[0].oases) == ([("scrolls", 6, "oasis 05")], ())


@scene(69)
def scene_69(number):
    state, without = both(number, "rapids_a", fisherman=6)
    assert (asked(without), tokens(without)) == ("rapid", ["vp", "any"])
    state = play(state, "water")
    assert (gains(state), resources(state), asked(state)) == ([("rapids", 1, "rapid1")], "1w", "")


# Facts, and who owns what


@pytest.mark.parametrize("number", EVERY)
def test_a_scroll_that_nobody_told_of_is_asked_for_and_begins_with_what_is_likely(number):
    name = tiles.scroll_fact(number)
    state = bought(number, copy=unknown(COPY, name))
    domain = BOOK.pending(state).domain
    assert (asked(state), domain.name) == ("print", name)
    assert domain.begun == (SCHEMA.fact(name).default.value or "")
    word = known(COPY, name)
    told_of = play(state, word)
    assert known(told_of.copy, name) == word
    assert replace(told_of, copy=COPY) == bought(number)


@pytest.mark.parametrize("number", EVERY)
def test_a_permanent_scroll_is_owned_and_nothing_else(number):
    word = known(COPY, tiles.scroll_fact(number))
    state = seated(scrolls=(number,), fisherman=6, board="2t2g2k2w2y2b2p", resources="3w3d3n", oases=(5,))
    assert state.owns(word)
    assert not replace(state, seat=1).owns(word)
    if word in tiles.AT_ONCE:
        assert effect_of(word)
    else:
        assert after(state, f"scroll_{number}") == state


def test_the_copy_says_which_number_has_what():
    copy = told(scroll={"13": "double_square", "65": "water2"})
    assert seated(scrolls=(13,), copy=copy).owns("double_square")
    assert not seated(scrolls=(65,), copy=copy).owns("double_square")
    assert resources(bought(65, copy=copy)) == "2w"


def test_what_has_nothing_to_act_on_is_void():
    assert bought(71) == seated(scrolls=(71,))
    assert bought(72) == seated(scrolls=(72,))
    assert asked(bought(71, oases=(19,))) == ""  # one oasis, nothing to return
    assert gains(bought(71, oases=(19,))) == [("scrolls", 3, "oasis 19")]


@pytest.mark.parametrize(
    "state",
    [
        bought(71, oases=(21, 5, 30)),
        play(bought(71, oases=(21, 5), resources="2d"), "21"),
        play(bought(71, oases=(21, 5), resources="14d"), "21"),
    ],
)
def test_lists_and_checks_agree(state):
    assert agreed(state)


def test_an_oasis_that_scores_and_is_unknown_is_asked_for():
    state = bought(71, oases=(7,), copy=unknown(COPY, "keshi_oasis.07"), board="2t")
    assert (asked(state), BOOK.pending(state).domain.begun) == ("print", "t")
    assert gains(play(state, "t")) == [("scrolls", 5, "oasis 07")]
