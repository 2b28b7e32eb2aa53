"""Desert towns (MK-17.5): places taken, claims, what each town gives, and what may be wrong with them."""

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


def test_a_place_that_was_reached_when_no_town_was_left_says_so():
    others = tuple(Town(1, end, number) for end, number in (("left4", "01"), ("right4", "02")))
    state = keeping(claiming("07", board="4n", caravans=(0, 4, 4)), Towns((Town(0, "left4", "07"), *others)))
    figures = {"oasis": "right4", "variant": "oasis.none_left"}
    assert refused(state, "right4") == ("oasis.discovered", "MK-14.3", figures)
    assert agreed(state)


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
