"""Imam and sultan (MK-17.2): whom they walk with, and what they save."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engines.contract import Choice, Label
from engines.errors import BadPosition, Impossible
from engines.marrakesh import madrasa, souk
from engines.marrakesh.attendants import EXPANSION, Attendants
from engines.marrakesh.book import BOOK
from engines.marrakesh.expanding import kept
from engines.marrakesh.state import Frame, Side
from tests.engines.marrakesh.lines import GAME, at, turn
from tests.engines.marrakesh.sitting import (
    COPY,
    after,
    agreed,
    asked,
    fits,
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

TOP = COPY.mosque_steps
"""15; the made-up stairs both have lines before steps 3, 6, 9 and 12."""
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


def seats(stair, steps, place, **more):
    """Seats with their pawns on these steps of a stair, and who is on it at that place."""
    first, *others = ({stair: step} for step in steps)
    state = seated(*(Side(**each) for each in others), copy=LINKED, **first, **more)
    return with_both(state, **{STAIRS[stair]: place})


def place(state, name):
    """Where one of them is."""
    return getattr(kept(state, Attendants), name)


def wrong(state):
    """The problems that a state has with both."""
    return [problem.check for problem in EXPANSION.problems(state)]


# Whom they walk with


MOVES = [
    # Waiting on the step that shows it
    ("one step short of it", (2, 0), "-", 1, "-"),
    ("onto its step", (3, 0), "-", 1, "a"),
    ("beyond its step, over two lines", (1, 0), "-", 6, "a"),
    ("onto its step, four at the table", (3, 3, 3, 3), "-", 1, "a"),
    # Passing
    ("behind the holder", (2, 7), "b", 1, "b"),
    ("level with the holder", (5, 7), "b", 2, "b"),
    ("past the holder", (5, 7), "b", 3, "a"),
    ("past the holder from beside it", (7, 7), "b", 1, "a"),
    ("past the holder by several steps, over three lines", (2, 7), "b", 9, "a"),
    ("past a pawn that holds nothing", (5, 7, 9), "c", 3, "c"),
    ("past two, one of them the holder", (5, 7, 9), "c", 5, "a"),
    ("the holder itself", (7, 7), "a", 3, "a"),
    # The last step
    ("the holder's last step", (14, 9), "a", 1, "b"),
    ("the holder's last step and beyond", (14, 9), "a", 4, "b"),
    ("the holder's last step, the other at the start", (14, 0), "a", 1, "b"),
    ("the last step in the move that took it, back to whom it was with", (13, 14), "b", 2, "b"),
    ("the last step in the move that took it, to another", (13, 5, 14, 15), "c", 2, "c"),
    ("the last step in the move that met it", (1, 0), "-", 14, "b"),
    ("the last step by who holds nothing", (14, 14, 3), "b", 1, "b"),
    ("the last step, one highest of three", (14, 9, 12), "a", 1, "c"),
    ("the last step, one highest of four", (14, 9, 9, 12), "a", 1, "d"),
    ("the last step, the highest there already", (14, 15, 3), "a", 1, "c"),
    ("the last step, two highest", (14, 9, 9), "a", 1, "10"),
    ("the last step, three highest", (14, 9, 9, 9), "a", 1, "10"),
    ("the last step, two highest and one below", (14, 3, 9, 9), "a", 1, "10"),
    ("the last step, two at the start", (14, 0, 0), "a", 1, "1"),
    ("the last step, one on the step below", (14, 14), "a", 1, "b"),
    ("the last step, two on the step two below", (14, 13, 13), "a", 1, "14"),
    ("the last step, two on the step below", (14, 14, 14), "a", 1, "gone"),
    ("the last step, nobody below", (14, 15), "a", 1, "gone"),
    ("the last step, nobody of four below", (14, 15, 15, 15), "a", 1, "gone"),
    # Waiting one step above several
    ("level with those below it", (3, 9, 15, 9), "10", 6, "10"),
    ("onto the step where it waits", (9, 9, 15), "10", 1, "a"),
    ("beyond the step where it waits", (9, 9, 15), "10", 4, "a"),
    ("from the start onto the step where it waits", (0, 0, 15), "1", 1, "a"),
    ("beyond it to the last step", (12, 12, 15), "13", 3, "b"),
    ("beyond it to the last step, several below", (12, 12, 12, 15), "13", 3, "13"),
    # Out of play
    ("nobody finds one that left play", (3, 15, 15), "gone", 9, "gone"),
    ("the last one's last step", (14, 15, 15), "gone", 2, "gone"),
    ("nobody is given one that left play", (14, 3, 15, 15), "gone", 1, "gone"),
]


@pytest.mark.parametrize("stair", STAIRS)
@pytest.mark.parametrize(
    ("steps", "was", "n", "now"), [one[1:] for one in MOVES], ids=[one[0] for one in MOVES]
)
def test_mk_17_2_who_moves_on_a_stair(stair, steps, was, n, now):
    """Seat a moves; both positions may stand, and nothing but the move's own lines and VP is gained."""
    state = seats(stair, steps, was)
    made = after(state, f"{stair}{n}")
    name, other = STAIRS[stair], STAIRS[({*STAIRS} - {stair}).pop()]
    assert (place(made, name), place(made, other), asked(made)) == (now, "-", "")
    assert (wrong(state), wrong(made)) == ([], [])
    without = after(
        replace(state, variant=replace(state.variant, expansions=frozenset()), beside=()), f"{stair}{n}"
    )
    assert made.sides == without.sides


@pytest.mark.parametrize(("stair", "name"), STAIRS.items())
def test_mk_17_2_1_one_that_waits_on_the_last_step_goes_on_at_once(stair, name):
    copy = told(LINKED, imam_step=TOP, sultan_step=TOP)
    state = with_both(seated(Side(**{stair: 3}), copy=copy, **{stair: TOP - 1}))
    assert place(after(state, f"{stair}1"), name) == "b"


def test_mk_17_2_who_is_met_on_the_way_is_there_before_the_line_gives():
    copy = told(LINKED, sultan_step=6, link={"13": ("vp1", "vp2")})
    state = after(with_both(seated(palace=4, copy=copy)), "palace4")
    assert (asked(state), state.own.palace, place(state, "sultan")) == ("link", 6, "a")
    assert play(state, "vp1").own.palace == 8


# Where they wait


@pytest.mark.parametrize(("stair", "name"), STAIRS.items())
def test_mk_1_8_where_one_waits_is_asked_before_a_pawn_first_moves_there(stair, name):
    copy = unknown(LINKED, "imam_step", "sultan_step")
    state = after(with_both(seated(copy=copy)), f"{stair}5")
    assert (asked(state), state.frames[-1].what, getattr(state.own, stair)) == ("print", f"{name}_step", 0)
    assert refused(state, "16") == (f"print.{name}", "MK-17.2", {"steps": 15, "step": 16})
    assert refused(state, "15") is None
    with pytest.raises(Impossible):
        BOOK.overrule(state, Choice("print", "16"), "MK-17.2")
    state = play(state, "5")
    assert (asked(state), place(state, name), getattr(state.own, stair)) == ("", "a", 5)


# The sultan


NOT_THERE = ("-", "b", "7", "gone")
PRICES = {"2": 1, "23": 1, "44": 2, "61": 3}
"""What a scroll of each colour costs in dates."""


def studied(dates, sultan, **more):
    """The madrasa's action with seven scholars and so many dates."""
    state = with_both(seated(board="7y", resources=dates, **more), sultan=sultan)
    return state.asking(Frame("scroll"))


@pytest.mark.parametrize(("scroll", "dates"), PRICES.items())
@pytest.mark.parametrize("sultan", ["a", *NOT_THERE])
def test_mk_17_2_3_with_the_sultan_each_scroll_costs_a_date_less(scroll, dates, sultan):
    cost = dates - (sultan == "a")
    state = studied(f"{cost}d1n", sultan)
    assert agreed(state)
    assert resources(play(state, scroll)) == "1n"
    if cost:
        figures = {"colour": next(c for c in madrasa.tiles.COLOURS if scroll in madrasa.on_offer(state, c))}
        assert refused(studied(f"{cost - 1}d1n", sultan), scroll) == (
            "scroll.dates",
            "MK-12.1",
            figures | {"needed": cost, "n": cost - 1},
        )


def test_mk_17_2_3_a_scroll_that_is_won_costs_a_date_less_but_never_below_none():
    """Scroll 58's costs 1 date, the oasis track's none."""
    state = with_both(seated(), sultan="b").asking(Frame("learn", n=7))
    assert refused(state, "63") == ("learn.dates", "MK-12.4", {"needed": 1})
    for word, scroll in (("learn7", "63"), ("learn3", "34")):
        state = play(after(with_both(seated(resources="1d"), sultan="a"), word), scroll)
        assert (resources(state), state.own.scrolls) == ("1d", (int(scroll),))


# The imam


PRICED = told(
    good=dict.fromkeys(souk.tiles.GOODS, (3, 3, 3, 9, 0, 0, 0))
    | {"slipper1": (0, 0, 1, 2, 1, 0, 0), "dagger2": (1, 1, 0, 6, 0, 1, 1), "lamp3": (2, 0, 0, 3, 0, 0, 1)}
)
SLIPPER, DAGGER, LAMP, DEAR = "slipper.1o2v1w", "dagger.1l1u6v1d1n", "lamp.2l3v1n", "tajine.3l3u3o9v"


def bought(board, imam="a", **more):
    """The souk's luxury goods, before a seat with these keshis."""
    state = with_both(seated(board=board, **{"copy": PRICED, **more}), imam=imam)
    return state.asking(Frame("good", "+" * ("scrolls" in more)))


def test_mk_17_2_3_with_the_imam_a_good_for_one_keshi_is_free():
    state = bought("")
    assert (tokens(state), agreed(state)) == ([SLIPPER, "none"], True)
    state = play(state, SLIPPER)
    assert (asked(state), keshis(state), resources(state), gains(state)) == (
        "",
        "",
        "1w",
        [("souk", 2, "slipper 1")],
    )


@pytest.mark.parametrize(("board", "left"), [("1l", ""), ("1u", ""), ("1t2u", "1t1u")])
def test_mk_17_2_3_the_keshi_that_is_lacking_is_spared_without_a_question(board, left):
    state = play(bought(board), DAGGER)
    assert (asked(state), keshis(state)) == ("", left)


@pytest.mark.parametrize(("spared", "left"), [("l", "2l"), ("u", "1l1u")])
def test_mk_17_2_3_of_several_colours_the_buyer_chooses(spared, left):
    state = play(bought("2l1u"), DAGGER)
    assert (asked(state), tokens(state), agreed(state)) == ("spared", ["l", "u"], True)
    assert refused(state, "o") == ("spared.price", "MK-17.2.3", {"colour": "o"})
    assert keshis(play(state, spared)) == left
    with pytest.raises(Impossible):
        BOOK.overrule(state, Choice("spared", "o"), "MK-17.2.3")


def test_mk_17_2_3_two_keshis_short_are_too_many():
    state = bought("1o")
    prices = {"colours": "1l,1u", "n": 2, "variant": "good.price_spared"}
    assert refused(state, DAGGER) == ("good.price", "MK-9.3", {"good": DAGGER, **prices})
    assert refused(state, DEAR) == (
        "good.price",
        "MK-9.3",
        {"good": DEAR, **prices, "colours": "3l,3u,2o", "n": 9},
    )
    assert agreed(state)


def test_mk_17_2_3_a_good_of_unknown_price_may_be_free():
    copy = unknown(PRICED, "good.lamp5")
    state = play(bought("", copy=copy), "lamp.new")
    assert asked(state) == "print"
    assert keshis(play(state, "0,1,0,2,0,0,0")) == ""
    state = play(state, "0,1,1,2,0,0,0")
    assert (asked(state), state.own.goods) == ("good", ())


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


@pytest.mark.parametrize(("price", "imam", "board", "possible"), [
    ("lu", "a", "1l1u", True), ("llo", "a", "2l1o", True), ("lu", "b", "1l1u", False),
    ("lu", "a", "1l", False), ("ll", "a", "2l", False), ("lt", "a", "1l1t", False), ("", "a", "1l1u", False),
])  # fmt: skip
def test_what_a_position_may_ask(price, imam, board, possible):
    state = with_both(seated(board=board), imam=imam)
    assert fits(state, Frame("spared", price)) is possible
    assert not fits(seated(board=board), Frame("spared", price))


# Words


def hands(state, made):
    """What hands do with imam and sultan."""
    told = GAME.telling.hands(state, (), made)
    return [
        (label.key, dict(label.figures))
        for label in told
        if label.key.startswith(("hands.imam", "hands.sultan"))
    ]


@pytest.mark.parametrize("stair", STAIRS)
@pytest.mark.parametrize(("steps", "was", "n", "key", "figures"), [
    ((3, 0), "-", 1, "joins", {"seat": 0}),
    ((3, 7), "b", 5, "joins", {"seat": 0}),
    ((7, 3), "a", 1, "along", {"seat": 0}),
    ((14, 3), "a", 1, "over", {"seat": 1}),
    ((14, 3, 3), "a", 1, "waits", {"n": 4}),
    ((14, 15), "a", 1, "gone", {"n": 0}),
])  # fmt: skip
def test_hands_move_who_walks_along(stair, steps, was, n, key, figures):
    state = seats(stair, steps, was)
    assert hands(state, after(state, f"{stair}{n}")) == [(f"hands.{STAIRS[stair]}_{key}", figures)]


def test_the_table_shows_whom_they_are_with():
    def shown(state):
        (zone,) = (zone for zone in GAME.telling.zones(state) if zone.name == "attendants")
        return [(piece.label.key, dict(piece.label.figures)) for piece in zone.pieces]

    state = seated(copy=LINKED)
    assert shown(with_both(state)) == [("lies.imam_waits", {"n": 4}), ("lies.sultan_waits", {"n": 4})]
    assert shown(with_both(state, "b", "9")) == [
        ("lies.imam_with", {"seat": 1}),
        ("lies.sultan_waits", {"n": 9}),
    ]
    state = with_both(seated(copy=unknown(LINKED, "sultan_step")), imam="gone")
    assert shown(state) == [("lies.imam_gone", {"n": 0}), ("lies.sultan_printed", {"n": 0})]


def test_the_keshi_that_is_spared_is_said():
    state = play(bought("2l1u"), DAGGER)
    assert [label.key for label in GAME.telling.about(state)] == ["about.spared"]
    (said,) = GAME.telling.said(state, [Choice("spared", "u")])
    assert (said.key, said.parts) == ("said.spared", (("answer", (Label("colour.u"),)),))
    assert GAME.notation.label(Choice("spared", "u")) == Label("colour.u")
    assert GAME.notation.text([Choice("spared", "u")]) == "spared u"
    assert GAME.notation.tokens("spared u") == ["u"]
