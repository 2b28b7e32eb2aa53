"""Desert towns (MK-17.5): places taken, claims, what each town gives, and what may be wrong with them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from device.texts import Texts
from engines.contract import Choice, Label
from engines.marrakesh import GAME, towns
from engines.marrakesh.expanding import keeping
from engines.marrakesh.scoring import bookings
from engines.marrakesh.state import FINISHED, Frame
from engines.marrakesh.towns import NUMBERS, Town, Towns
from engines.words import Words
from tests.engines.marrakesh.lines import turn
from tests.engines.marrakesh.sitting import (
    COPY,
    after,
    agreed,
    asked,
    before,
    gains,
    keshis,
    overruled,
    play,
    playing,
    refused,
    resources,
    table,
    tokens,
    told,
    unknown,
)

GOODS = "1l1u1o"
WORDS = Words(Texts.load("en", "marrakesh", strict=True), GAME, ("Amira", "Basim"))


def played(state, *there):
    """The state in a match with towns, these taken by seat a, the left path's first; ``03+`` is claimed."""
    ends = zip(("left4", "right4"), there, strict=False)
    taken = tuple(Town(0, end, word.rstrip("+"), word.endswith("+")) for end, word in ends if word)
    return keeping(playing(state, "desert_towns"), Towns(taken))


def claiming(number, board="", copy=COPY, **side):
    """The Sahara's action goes on, with the left path's town there and its price at hand."""
    side = {"caravans": (0, 4, 0)} | side
    state = played(table(before(board=f"4n{GOODS}{board}", **side), copy=copy), number)
    return replace(state, frames=(Frame("oasis", n=1),))


# Places


def test_a_fourth_place_gives_4_vp_and_a_town_of_choice():
    state = after(played(table(before(board="3n", caravans=(0, 3, 0)))), "deploy_n")
    state = play(state, "left")
    assert (asked(state), gains(state)) == ("town", [("sahara", 4, "desert town")])
    assert dict(GAME.rules.pending(state).figures) == {"n": 3}
    assert tokens(state) == list(NUMBERS)
    state = play(state, "11")
    assert (asked(state), towns.towns(state, 0)) == ("", (Town(0, "left4", "11"),))


@pytest.mark.parametrize(("seats", "displayed"), [(2, 3), (3, 5), (4, 7)])
def test_so_many_towns_lie_out(seats, displayed):
    """With none left the place may be filled, for 4 VP alone."""
    sides = [before(board="4n", caravans=(0, 3, 1))] + [before()] * (seats - 1)
    state = played(table(*sides))
    assert towns.left(state) == displayed
    others = tuple(Town(1, end, number) for end, number in zip(["left4"] * 6, NUMBERS, strict=False))
    one_left = keeping(state, Towns(others[: displayed - 1]))
    assert asked(play(after(one_left, "deploy_n"), "left")) == "town"
    none_left = keeping(state, Towns((*others, Town(1, "left4", "12"))[:displayed]))
    end = play(after(none_left, "deploy_n"), "left")
    assert (asked(end), gains(end), towns.towns(end, 0)) == ("", [("sahara", 4, "desert town")], ())
    assert ("sahara", "MK-17.5") in [(one.category, one.clause) for one in bookings(end)]
    assert Label("hands.no_town") in GAME.telling.hands(none_left, (), end)
    assert Label("hands.no_town") not in GAME.telling.hands(end, (), after(end, "deploy_t"))


def test_scroll_68_scores_no_town():
    state = played(table(before(board="3n", caravans=(0, 3, 0), scrolls=(68,))))
    assert asked(play(after(state, "deploy_n"), "left")) == "town"


# Claims


def test_a_town_is_claimed_for_three_goods_and_stays():
    state = claiming("07")
    assert tokens(state) == ["left4", "done"]
    assert agreed(state)
    costs = dict(GAME.rules.pending(state).figures)
    assert (costs["more.left1"], costs["more.left4"]) == ("1n", "1l,1u,1o")
    end = play(state, "left4")
    assert towns.towns(end, 0) == (Town(0, "left4", "07", claimed=True),)
    assert (keshis(end), resources(end), end.own.claimed) == ("4n", resources(state), 0)
    assert asked(end) == ""


def test_its_price_is_three_goods_whatever_oases_cost():
    """Scroll 45 has oases cost any 1 resource."""
    state = claiming("07", scrolls=(45,))
    assert resources(play(state, "left4")) == resources(state)
    poor = replace(state, sides=(replace(state.own, board=before(board="4n2l1u").board), state.sides[1]))
    assert refused(poor, "left4") == ("oasis.town", "MK-17.5.1", {})
    assert agreed(poor)


def test_a_place_that_was_reached_when_no_town_was_left_says_so():
    others = tuple(Town(1, end, number) for end, number in (("left4", "01"), ("right4", "02")))
    state = keeping(claiming("07", board="4n", caravans=(0, 4, 4)), Towns((Town(0, "left4", "07"), *others)))
    figures = {"oasis": "right4", "variant": "oasis.none_left"}
    assert refused(state, "right4") == ("oasis.discovered", "MK-14.3", figures)
    assert agreed(state)


def test_free_claims_are_for_oases_alone():
    state = after(claiming("07"), "oases3")
    assert tokens(state) == ["left1", "left2", "left3", "done"]
    assert agreed(state)
    assert refused(state, "left4") == ("oasis.free", "MK-17.5.1", {})
    assert towns.towns(overruled(state, "left4"), 0)[0].claimed
    assert asked(after(played(table(before()), "07"), "oases3")) == ""


def test_what_a_town_does_is_asked_once_when_it_is_claimed():
    state = play(claiming("01", copy=unknown(COPY, "town.01")), "left4")
    assert (asked(state), state.frames[-1].what) == ("print", "town.01")
    assert GAME.rules.pending(state).domain.supposed == "gate2"
    state = play(state, "prize_good")
    assert asked(state) == "good"


# What towns give


BUSY = {
    "resources": "3w",
    "board": "1t2g3k8w4y8b3p2r4n5l",
    "vendors": 0b000101,  # turquoise and black
    "square": 0b00010011,
    "disc": 0,
    "caravans": (0, 4, 0),
    "gates": "tggp-ynr",
    "goods": ("slipper1", "slipper4", "tajine2"),
    "scrolls": (3, 14, 15, 61),
    "mosque": 15,
    "palace": 9,
    "lines": 7,
    "fisherman": 11,
}
SCORES = {
    "01": (14, "2 × 7 gates"),
    "02": (6, "2 × 3 luxury goods"),
    "03": (8, "2 × 4 scrolls"),
    "04": (9, "1 × 9 palace steps"),
    "05": (15, "1 × 15 mosque steps"),
    "06": (11, "35 keshis ÷ 3"),
    "07": (11, "1 × 11 river steps"),
    "08": (10, "2 × 5 areas with 4 keshis"),
    "09": (3, "1 + 1 + 1 spectators"),
}


@pytest.mark.parametrize("number", SCORES)
def test_every_town_scores(number):
    state = replace(played(table(before(**BUSY)), f"{number}+"), termination=FINISHED)
    points, figures = SCORES[number]
    assert towns.worth(state, 0, number) == (points, figures)
    booked = [one for one in bookings(state) if one.category == "towns"]
    assert [(one.seat, one.points, one.clause, one.figures) for one in booked] == [
        (0, points, "MK-17.5.2", f"town {number}: {figures}")
    ]
    assert towns.worth(state, 1, number).points == 0


@pytest.mark.parametrize(
    ("number", "side", "points"),
    [
        ("06", {"board": "2t"}, 0),
        ("06", {"board": "2t1r", "vendors": 1}, 1),
        ("06", {"board": "9l9u9o"}, 0),
        ("06", {"board": "3b", "gates": "tt------"}, 1),
        ("07", {"fisherman": COPY.river_length + 1}, COPY.river_length + 1),
        ("08", {"board": "3t1r", "vendors": 0b10}, 0),
        ("08", {"board": "3t1r", "vendors": 0b1}, 2),
        ("08", {"board": "4b", "gates": "tttg----"}, 2),
        ("08", {"board": "9l"}, 0),
        ("09", {}, 0),
        ("09", {"disc": 0, "square": 0b100, "board": "1p"}, 3),
        ("09", {"disc": 1, "square": 0b100, "board": "1p"}, 1),
        ("09", {"disc": 0, "square": 0b100, "board": "1p", "scrolls": (31,)}, 4),
    ],
)
def test_from_where_on_a_town_scores(number, side, points):
    assert towns.worth(played(table(before(**side)), f"{number}+"), 0, number).points == points


def test_town_09_counts_the_disc_of_its_owner():
    state = played(table(before(disc=1, square=0b100), before(disc=0, square=0b100)))
    assert [towns.worth(state, seat, "09").points for seat in (0, 1)] == [1, 3]


def test_the_copy_says_what_a_town_does():
    state = played(table(before(**BUSY), copy=told(town={"01": "scroll2"})), "01+")
    assert towns.worth(state, 0, "01").points == 8
    assert towns.worth(replace(state, copy=unknown()), 0, "01") == (0, "unknown")


def test_town_10_gives_any_displayed_scroll_for_nothing():
    state = play(claiming("10", resources="1w", scrolls=(1,)), "left4")
    assert asked(state) == "learn"
    assert len(tokens(state)) == 72  # all but the own one, and none
    assert agreed(state)
    end = play(state, "69")
    assert (end.own.scrolls, resources(end), asked(end)) == ((1, 69), "1w", "")
    assert GAME.rules.gives_up(state, Choice("learn", "none")) == Label("gives_up.learn")
    assert play(state, "none").own.scrolls == (1,)


def test_town_11_gives_any_displayed_luxury_good():
    state = play(claiming("11", resources="", copy=told(good={"lamp2": (3, 3, 3, 5, 1, 0, 0)})), "left4")
    assert (asked(state), dict(GAME.rules.pending(state).figures)) == ("good", {"variant": "free"})
    assert agreed(state)
    end = play(state, "lamp.3l3u3o5v1w")
    assert (end.own.goods, resources(end), keshis(end)) == (("lamp2",), "1w", "4n")
    assert (gains(end), asked(end)) == ([("souk", 5, "lamp 2")], "")
    assert GAME.rules.gives_up(state, Choice("good", "none")) == Label("gives_up.good")
    assert play(state, "none").own.goods == ()


def test_town_12_gives_any_gate_for_no_dinars():
    """Its VP, 2 more where the colours match, and a keshi as ever."""
    state = play(claiming("12", board="2b", resources=""), "left4")
    assert (asked(state), tokens(state)) == ("workshop", ["1", "2", "3", "4", "done"])
    assert dict(GAME.rules.pending(state).figures)["more.4"] == "0n,4v"
    assert agreed(state)
    end = play(state, "4 t 2")
    assert end.own.gates == "-t------"
    assert gains(end) == [("gates", 4, "workshop 4"), ("gates", 2, "turquoise gate")]
    assert (keshis(end), resources(end), asked(end)) == ("1t2b4n", "", "")


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
    assert towns.towns(end, 0)[0].claimed


# The end


def ended(copy=COPY, **side):
    state = played(table(before(), before(**side), copy=copy))
    return after(keeping(state, Towns((Town(1, "left4", "09", claimed=True),))), "finish")


def test_how_the_disc_lies_is_asked_at_the_end():
    state = ended(board="1p", square=0b100)
    assert (asked(state), state.seat) == ("disc", 1)
    end = play(state, "13113131")
    assert (end.termination, towns.worth(end, 1, "09").points) == (FINISHED, 1)


def test_before_how_it_lies_its_purple_side_is_asked_at_the_end():
    state = played(table(before(), before(board="1p", square=0b100), copy=unknown(COPY, "purple_disc")))
    state = playing(state, "desert_towns", "spectators")
    state = after(keeping(state, Towns((Town(1, "left4", "09", claimed=True),))), "finish")
    assert (asked(state), state.frames[-1].what) == ("print", "purple_disc")
    state = play(state, "0,4,3,1,2,1,1,3")
    assert (asked(state), state.seat) == ("disc", 1)
    assert play(state, "04312113").termination == FINISHED


def test_what_a_claimed_town_does_is_known_at_the_end():
    state = ended(unknown(COPY, "town.09"))
    assert (asked(state), state.frames[-1].what) == ("print", "town.09")
    assert play(state, "faced1").termination == FINISHED


# Positions


TOWN = {"desert_towns": "yes", "board_a": "5n", "caravans_a": "0.4.1"}


def wrong(**more):
    return [(one.where, one.check, one.clause) for one in GAME.position.status(turn(**TOWN | more))]


def test_towns_are_written_in_a_position():
    text = turn(**TOWN, towns="a.left4.07+")
    state = GAME.position.read(text)
    assert towns.towns(state, 0) == (Town(0, "left4", "07", claimed=True),)
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


def test_what_hands_do_and_what_lies_there():
    state = played(table(before(board="3n", caravans=(0, 3, 0))))
    state = play(after(state, "deploy_n"), "left")
    taken = play(state, "05")
    assert GAME.notation.text((Choice("town", "05"),)) == "town 05"
    assert GAME.telling.said(state, [Choice("town", "05")]) == (
        Label("said.town", (("number", "05"), ("tile", "mosque1"))),
    )
    assert GAME.telling.hands(state, (Choice("town", "05"),), taken) == (
        Label("hands.town", (("number", "05"),)),
    )
    zones = {(zone.name, zone.seat): zone.pieces for zone in GAME.telling.zones(taken)}
    assert zones["display", None][0].count == 2
    assert len(zones["towns", 0]) == 1
    assert zones["claimed_towns", 0] == ()


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


def test_a_claim_says_to_turn_the_town_over():
    state = claiming("07")
    told = GAME.telling.hands(state, (Choice("oasis", "left4"),), play(state, "left4"))
    assert Label("hands.turn_town", (("number", "07"),)) in told
    assert Label("hands.return", (("colours", "1l,1u,1o"),)) in told
    end = play(state, "left4")
    assert Label("hands.turn_town", (("number", "07"),)) not in GAME.telling.hands(end, (), end)
