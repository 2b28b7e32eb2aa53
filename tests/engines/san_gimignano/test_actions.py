"""SG-1 to SG-3: set-up, turns and the actions."""

import pytest

from engines.contract import Level, Report, Setup
from engines.errors import BadSetup
from tests.engines.san_gimignano.table import GAME, LATE, at, field, play, start, tokens


def test_sg_1_2_the_deal_asks_for_the_market():
    state = start()
    assert isinstance(GAME.rules.pending(state), Report)
    assert (field(state, "hand.a"), field(state, "hand.b"), field(state, "deck")) == ("?5", "?5", "?35")
    state = play(state, "10 8 6 8")
    assert (field(state, "market"), field(state, "deck")) == ("6,8,8,10", "?31")


@pytest.mark.parametrize("first", [0, 1])
def test_sg_1_3_who_starts_moves_first_and_turns_alternate(first):
    state = play(start(first=first), "10 8 6 8")
    seats = [state.seat]
    for text in ("P d d", "pass", "X 5 5 > m10 d"):
        state = play(state, text)
        seats.append(state.seat)
    assert seats == [first, 1 - first, first, 1 - first]
    assert field(state, "marker") == "-"


@pytest.mark.parametrize(
    ("setup", "message"),
    [
        (Setup(seats=3), "two players"),
        (Setup(start=2), "two players"),
        (Setup(options=(("donazione", "perhaps"),)), "may or must"),
        (Setup(options=(("dice", "yes"),)), "no option 'dice'; it has donazione, nobles"),
        (Setup(options=(("nobels", "yes"),)), "did you mean nobles"),
        (Setup(options=(("deals", "tarjet"),)), "did you mean target"),
        (Setup(options=(("nobles", "perhaps"),)), r"no or yes, not 'perhaps' \(SG-9.1\)"),
        (Setup(options=(("pietra_guard", "1"),)), r"SG-9.5"),
        (Setup(options=(("deals", "7"),)), r"or target, not '7' \(SG-10.1\)"),
        (Setup(options=(("target", "119"),)), r"SG-10.1"),
        (Setup(options=(("closer_penalty", "may"),)), r"SG-10.2"),
        (
            Setup(position="market=5", options=(("nobles", "yes"),)),
            r"has nobles no, the match yes \(SG-9.1\)",
        ),
        (
            Setup(position="market=5 nobles=?10", options=(("nobles", "yes"), ("pietra_guard", "yes"))),
            "has pietra_guard no, the match yes",
        ),
        (Setup(position="market=5", options=(("deals", "2"),)), "has deals 1, the match 2"),
        (Setup(position="market=5 deals=2", options=(("deals", "3"),)), "has deals 2, the match 3"),
        (
            Setup(position="market=5 deals=2", options=(("deals", "2"), ("closer_penalty", "no"))),
            "has closer_penalty yes, the match no",
        ),
        (Setup(position="market=5", level=Level.TABLE), "has level full, the match table"),
        (Setup(position="market=5", options=(("donazione", "must"),)), "has donazione may, the match must"),
    ],
)
def test_a_set_up_that_cannot_be(setup, message):
    with pytest.raises(BadSetup, match=message):
        GAME.rules.start(setup)


@pytest.mark.parametrize(
    ("options", "fields"),
    [
        ((("nobles", "yes"),), {"nobles": "?10"}),
        ((("nobles", "yes"), ("pietra_guard", "yes")), {"nobles": "?10", "pietra_guard": "yes"}),
        ((("deals", "4"),), {"deals": "4", "dealer": "b"}),
        ((("deals", "target"), ("target", "80")), {"deals": "target", "target": "80", "dealer": "b"}),
        ((("deals", "target"),), {"deals": "target", "target": "120", "dealer": "b"}),
        ((("deals", "2"), ("closer_penalty", "no")), {"deals": "2", "closer_penalty": "no", "dealer": "b"}),
        ((("closer_penalty", "no"), ("target", "80"), ("pietra_guard", "yes")), {}),
    ],
)
def test_options_show_in_the_position_and_the_basic_game_shows_none(options, fields):
    position = GAME.position.write(GAME.rules.start(Setup(options=options)))
    basic = GAME.position.write(GAME.rules.start(Setup()))
    assert position == " ".join([basic, *(f"{name}={value}" for name, value in fields.items())])
    assert GAME.rules.start(Setup(position=position, options=options)) == GAME.rules.start(
        Setup(options=options)
    )


def test_sg_2_2_two_passes_end_the_game_at_once():
    state = play(at("market=5 hand.a=?5 hand.b=?5"), "pass", "pass")
    assert state.termination == "double_pass"
    assert GAME.rules.pending(state).clause == "SG-2.2"
    assert tokens(state) == []


def test_sg_2_2_only_passes_one_after_the_other_count():
    state = play(at("market=5 hand.a=?5 hand.b=?5"), "pass", "P d d", "pass")
    assert not state.termination
    assert play(state, "pass").termination


def test_sg_3_1_the_second_card_is_chosen_after_the_first_and_bought_ones_are_known():
    state = at("market=5,8 hand.a=?2 hand.b=?2", "P m8")
    assert (field(state, "hand.a"), field(state, "market")) == ("8,?2", "5")
    assert tokens(state) == ["d", "m5"]
    assert state.seat == 0
    state = play(state, "d")
    assert (field(state, "hand.a"), state.seat) == ("8,?3", 1)


def test_sg_3_3_with_one_card_in_the_deck_purchase_takes_one_whatever_its_source():
    state = at(f"{LATE} deck=?1 market=5,8 hand.a=?6 hand.b=?7")
    bought = play(state, "P m8")
    assert (field(bought, "hand.a"), bought.deck, bought.ending, bought.seat) == ("8,?6", 1, False, 1)
    assert play(state, "P d").ending


def test_sg_3_4_an_emptied_market_is_refilled_with_four():
    state = play(at("market=5,8 hand.a=?2 hand.b=?2"), "P m8 m5", "6 6 7 9")
    assert (field(state, "market"), field(state, "deck"), state.seat) == ("6,6,7,9", "?35", 1)


def test_sg_3_4_known_cards_are_turned_up_without_a_question():
    state = play(at("market=5,8 hand.a=?2 hand.b=?2 deck=7,7,7,?36"), "P m8 m5", "10")
    assert (field(state, "market"), field(state, "deck")) == ("7,7,7,10", "?35")
    state = play(at("market=5,8 hand.a=?2 hand.b=?2 deck=7,7,7,6,?35"), "P m8 m5")
    assert (field(state, "market"), state.seat) == ("6,7,7,7", 1)


def test_sg_3_4_the_guards_five_is_turned_up_from_the_bottom_without_a_question():
    state = play(at(f"{LATE} deck=?2,5 market=6,8 hand.a=?3 hand.b=?8"), "P m8 m6", "6 8")
    assert (field(state, "market"), state.ending) == ("5,6,8", True)


def test_sg_3_5_cards_put_down_are_public_and_as_many_are_drawn():
    state = at("market=5,6 hand.a=8,?4 hand.b=?5", "X 9 8 9 >")
    assert (field(state, "market"), field(state, "hand.a")) == ("5,6,8,9,9", "?2")
    assert GAME.rules.pending(state).figures == (("n", 3),)
    state = play(state, "d m5 m6")
    assert (field(state, "hand.a"), field(state, "market"), state.seat) == ("5,6,?3", "8,9,9", 1)


def test_sg_3_8_like_towers_may_stand_side_by_side():
    state = play(at("market=5 hand.a=?5 hand.b=?5 a=8-10,7x3 marker=a"), "B 8-10")
    assert field(state, "a") == "7x3,8-10,8-10"
    assert field(state, "hand.a") == "?2"


def test_sg_3_9_colourful_takes_the_run_downwards():
    state = at("market=5 hand.a=?3 hand.b=?5 a=8-10 marker=a", "E 8-10")
    assert tokens(state) == ["+1", "+2", "+3"]
    state = at("market=8,9 hand.a=5,6,9 hand.b=?5 a=7-9,8-10 marker=a")
    assert tokens(at(GAME.position.write(state), "E")) == ["7-9"]
    assert field(play(state, "E 7-9 6 5 m8 d"), "a") == "5-9,8-10"


def test_sg_3_10_extending_draws_as_many_of_any_rank_and_refills():
    state = play(at("market=8 hand.a=8,8,?1 hand.b=?5 a=8x3 marker=a"), "E 8x3 +2 m8 d", "6 6 7 9")
    assert (field(state, "a"), field(state, "hand.a"), field(state, "market")) == ("8x5", "8,?2", "6,6,7,9")


def test_sg_3_10_fewer_where_fewer_are_left():
    late = "a=10x3,10x3,10x4,9x3,9x3,7x3 b=9x3,6x3 marker=a deck=?1 market=8 hand.a=7,7,7,7 hand.b=?14"
    state = at(late, "E 7x3 +4")
    assert GAME.rules.pending(state).figures == (("n", 2),)
    state = play(state, "d m8")
    assert (state.ending, state.seat, field(state, "market")) == (True, 1, "-")


def test_sg_3_11_several_towers_may_be_completed_at_once():
    state = at("market=5 hand.a=?1 hand.b=?5 a=7x3,8x3,5-7 marker=a")
    assert field(play(state, "C 8x3 5-7"), "a") == "5-7*,7x3,8x3*"
    all_of_them = play(state, "C 7x3 8x3 5-7")
    assert (field(all_of_them, "a"), all_of_them.seat) == ("5-7*,7x3*,8x3*", 1)


def test_sg_3_12_close_begins_the_ending_phase_and_names_the_closer():
    state = play(at("market=5 hand.a=?1 hand.b=?5 a=8x3*,9x3*,10x3*,7x3* marker=a"), "close")
    assert (field(state, "phase"), field(state, "closer"), state.seat) == ("ending", "a", 1)


def test_table_level_counts_hidden_draws():
    state = at("level=table market=5,8 hand.a=?2 hand.b=?2", "P")
    assert tokens(state) == ["d2", "m5", "m8"]
    state = play(state, "m8 d1")
    assert (field(state, "hand.a"), state.seat) == ("8,?3", 1)
    state = play(state, "X 9 9 > d2")
    assert (field(state, "hand.b"), state.seat) == ("?2", 0)
