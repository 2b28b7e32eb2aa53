"""SG-9: the advanced game."""

import pytest

from engines.contract import Setup
from tests.engines.san_gimignano.table import GAME, LATE, at, field, play, tokens

HANDS = "market=5,6 hand.a=?5 hand.b=?5"


def question(state):
    return GAME.rules.pending(state).question


def shown(state, *names):
    """Fields of the position, those left out with their usual values."""
    fields = dict(word.split("=") for word in GAME.position.write(state).split())
    return tuple(fields.get(name, "-" if "." not in name or "used" in name else "?0") for name in names)


def test_sg_9_1_none_is_dealt_and_ten_lie_in_their_deck():
    state = GAME.rules.start(Setup(options=(("nobles", "yes"),)))
    assert field(state, "nobles") == "?10"
    assert state.nobles.hands[0].size == state.nobles.hands[1].size == 0


def test_sg_9_2_purchase_draws_from_either_deck():
    state = play(at(f"{HANDS} nobles=?10"), "P d n")
    assert shown(state, "hand.a", "nobles.a", "nobles", "deck") == ("?6", "?1", "?9", "?32")


def test_sg_9_2_nobles_are_exchanged_by_name():
    state = at("market=5,via hand.a=8,?4 hand.b=?5 nobles.a=via,mura", "X via 8 >")
    assert tokens(state) == ["d", "n", "m5"]
    state = play(state, "m5 n")
    assert shown(state, "market", "nobles.a", "hand.a") == ("8,via,via", "mura,?1", "5,?4")


def test_sg_9_2_a_noble_keeps_the_market_from_being_empty_and_the_refill_is_of_tower_cards():
    state = play(at("market=5,via hand.a=?2 hand.b=?5 nobles=?9"), "P m5 d")
    assert (state.seat, field(state, "market")) == (1, "via")
    state = at("market=via hand.a=?2 hand.b=?5 nobles=?9", "P mvia")
    state = play(state, "n", "6 7 8 9")
    assert shown(state, "market", "nobles.a") == ("6,7,8,9", "via,?1")


def test_sg_9_3_a_noble_is_the_turn_and_stays_in_front():
    state = play(at(f"{HANDS} nobles.a=monumento,?1"), "monumento")
    assert (state.seat, *shown(state, "nobles.a", "used.a")) == (1, "?1", "monumento")


def test_sg_9_5_a_stone_is_a_storey_of_any_rank():
    state = play(at("market=5,6 hand.a=8,8,?3 hand.b=?5 nobles.a=pietra"), "B 8x3s")
    assert shown(state, "a", "used.a", "hand.a", "marker") == ("8x3s", "pietra", "?3", "a")
    assert question(state) == "donazione"


def test_sg_9_5_as_a_four_and_as_an_eleven_up_to_eight_storeys():
    wide = at("market=6 hand.a=5,6,7,8,9,10 hand.b=?5 nobles.a=pietra,pietra used.b=via", "B")
    assert "4-11s" in tokens(wide)
    state = play(at(GAME.position.write(wide)), "4-11s s4s11")
    assert shown(state, "a", "used.a") == ("4-11s4s11", "pietra,pietra")
    assert state.towers[0][0].height == 8


def test_sg_9_5_extending_with_stones_downwards_to_four():
    state = at("market=6 hand.a=6,?1 hand.b=?5 a=7-9 marker=a nobles.a=pietra,?0", "E 7-9")
    assert tokens(state) == ["+1", "+1s6", "+2", "+2s5", "+2s6", "+3s4"]
    state = play(state, "+3s4 d d d")
    assert shown(state, "a", "hand.a") == ("4-9s4", "?3")
    assert "E" not in tokens(at(GAME.position.write(state).replace("turn=b", "turn=a"), ""))


@pytest.mark.parametrize(
    ("height", "income"),
    [("x3s", 3), ("x4s", 4)],
)
def test_sg_9_5_the_donazione_counts_the_stone(height, income):
    state = at("market=5,6 hand.a=8,8,8,?2 hand.b=?5 nobles.a=pietra", f"B 8 {height} use")
    assert GAME.rules.pending(state).figures == (("n", income),)


def test_sg_5_9_the_giostra_comes_before_marker_and_donazione():
    state = play(at(f"{HANDS} nobles.a=pietra,?0 nobles.b=?1"), "B 8x3s")
    assert (question(state), GAME.rules.pending(state).seats, field(state, "marker")) == (
        "giostra",
        (1,),
        "-",
    )
    assert GAME.sight.of(state) == GAME.sight.read("a=8x3s b=-")
    state = play(state, "allow")
    assert (question(state), field(state, "marker")) == ("donazione", "a")


@pytest.mark.parametrize(("answer", "seat"), [("nobles.b=via", 1), ("removed=giostra nobles.b=?1", 1)])
def test_sg_9_8_nothing_is_asked_where_all_saw_that_there_is_no_giostra(answer, seat):
    assert play(at(f"{HANDS} nobles.a=mura {answer}"), "mura").seat == seat


def test_sg_9_8_a_giostra_removes_the_card_and_the_turn_is_spent():
    state = play(at(f"{HANDS} nobles.a=via,?1 nobles.b=?1"), "via")
    assert GAME.rules.pending(state).figures == (("noble", "via"),)
    state = play(state, "giostra")
    assert shown(state, "used.b", "removed", "nobles.a", "nobles.b") == ("giostra", "via", "?1", "?0")
    assert state.nobles.used[0] == 0
    assert (state.seat, field(state, "hand.a")) == (1, "?5")


def test_sg_9_8_afterwards_one_may_be_two_ahead():
    state = play(at(f"{HANDS} nobles.a=mura nobles.b=?1 used.b=via"), "mura", "giostra")
    assert shown(state, "used.b", "removed") == ("via,giostra", "mura")
    assert GAME.position.status(GAME.position.write(state)) == []


def test_sg_9_5_of_a_cancelled_stone_the_rest_goes_on_where_it_can():
    state = play(at("market=5,6 hand.a=8,8,8,?2 hand.b=?5 nobles.a=pietra nobles.b=?1"), "B 8x4s", "giostra")
    assert (question(state), GAME.rules.pending(state).seats) == ("remains", (0,))
    assert GAME.sight.of(state) == GAME.sight.read("a=8x3 b=-")
    gone = play(state, "go")
    assert shown(gone, "a", "removed", "marker", "hand.a") == ("8x3", "pietra", "a", "?2")
    assert question(gone) == "donazione"
    back = play(state, "back")
    assert shown(back, "a", "marker", "hand.a") == ("-", "-", "8,8,8,?2")
    assert (back.seat, back.nobles.used[0]) == (1, 0)


def test_sg_9_5_where_it_cannot_all_return_and_are_known():
    state = play(at(f"{HANDS} nobles.a=pietra nobles.b=?1"), "B 8x3s", "giostra")
    assert shown(state, "a", "hand.a", "removed") == ("-", "8,8,?3", "pietra")
    assert state.seat == 1


@pytest.mark.parametrize(
    ("token", "rest"),
    [("s5", "6-9s8"), ("s8", None)],
)
def test_sg_9_5_of_two_stones_the_giostra_names_one(token, rest):
    text = "market=5 hand.a=6,7,9,?1 hand.b=?5 nobles.a=pietra,pietra nobles.b=?1 used.b=via"
    state = play(at(text), "B 5-9s5s8", f"giostra {token}")
    if rest is None:
        assert shown(state, "a", "hand.a", "nobles.a") == ("-", "6,7,9,?1", "pietra,?0")
        assert state.nobles.used[0] == 0
    else:
        assert field(state, "a") == rest
        assert field(play(state, "go"), "used.a") == "pietra"
        back = play(state, "back")
        assert shown(back, "a", "hand.a", "nobles.a") == ("-", "6,7,9,?1", "pietra,?0")


@pytest.mark.parametrize(
    ("tower", "step", "after", "hand"),
    [
        ("8x3", "E 8x3 +2s", "8x4", "8,?3"),
        ("8x3", "E 8x3 +1s", "8x3", "8,?3"),
        ("7-9", "E 7-9 +2s5", "6-9", "6,?3"),
        ("7-9", "E 7-9 +2s6", "7-9", "5,?3"),
    ],
)
def test_sg_9_5_an_extension_cancelled(tower, step, after, hand):
    known = hand.split(",")[0]
    position = f"market=5,6 hand.a={known},?3 hand.b=?5 a={tower} marker=a nobles.a=pietra nobles.b=?1"
    state = play(at(position), step, "giostra")
    assert field(state, "a") == after
    if question(state) == "remains":
        drawn = play(state, "go d")
        assert shown(drawn, "a", "hand.a") == (after, "?4")
        state = play(state, "back")
    assert shown(state, "a", "hand.a") == (tower, hand)
    assert state.seat == 1


def test_sg_9_5_a_stone_as_a_guard_by_its_option():
    nine = "market=6 hand.a=9,9,9,?2 hand.b=8,8,8 nobles.b=pietra"
    assert question(play(at(f"{nine} nobles=?9"), "B 9x3", "use n0")) == "action"
    state = play(at(f"{nine} pietra_guard=yes"), "B 9x3", "use")
    assert tokens(state) == ["pietra", "allow"]
    state = play(state, "pietra")
    assert shown(state, "used.b", "hand.b", "hand.a") == ("pietra", "8,8,8,?0", "?2")
    assert (state.seat, field(state, "deck")) == (1, "?36")


def test_sg_9_5_a_guarding_stone_may_be_cancelled_and_the_effect_happens():
    hands = "hand.a=10,10,10,?2 hand.b=8,8,?1 nobles.a=?1 nobles.b=pietra"
    state = play(at(f"market=6 {hands} pietra_guard=yes b=8x3 marker=b"), "B 10x3", "use", "pietra")
    assert (question(state), GAME.rules.pending(state).seats) == ("giostra", (0,))
    assert GAME.position.read(GAME.position.write(state)) == state
    guarded = play(state, "allow")
    assert shown(guarded, "b", "used.b") == ("8x3", "pietra")
    fallen = play(state, "giostra")
    assert shown(fallen, "b", "used.a", "removed") == ("-", "giostra", "pietra")
    assert field(fallen, "deck").startswith("8,8,8,?")


def test_sg_9_6_via_francigena_draws_up_to_the_limit_from_either_deck():
    state = at(f"{HANDS} nobles.a=via", "via")
    assert (tokens(state), GAME.rules.pending(state).figures) == (["d", "n"], (("n", 2),))
    state = play(state, "n d")
    assert (state.seat, *shown(state, "hand.a", "nobles.a")) == (1, "?6", "?1")


def test_sg_9_11_mura_lifts_the_limit_of_its_player_alone():
    walled = f"{HANDS} used.a=mura nobles.a=via used.b=via"
    assert GAME.rules.pending(at(walled, "via")).figures == (("n", 4),)
    assert "P" in tokens(at("market=5 hand.a=?7 used.a=mura"))
    assert "P" not in tokens(at("market=5 hand.a=?8 used.a=mura"))
    assert "P" not in tokens(at("market=5 hand.a=?7 used.b=mura"))


@pytest.mark.parametrize(
    ("token", "after"),
    [
        ("tt", ("?3", "?1", "?31,?,?", "?8")),
        ("tn", ("?4", "?0", "?31,?", "?9")),
    ],
)
def test_sg_9_10_palazzo_puts_two_cards_under_their_decks(token, after):
    state = play(at("market=5,6,7 hand.a=?5 hand.b=?6 nobles.a=palazzo,?1"), f"palazzo {token}")
    assert shown(state, "hand.a", "nobles.a", "deck", "nobles") == after
    assert (state.seat, field(state, "used.a")) == (1, "palazzo")


def test_sg_9_10_which_two_is_known_to_their_player_alone():
    state = play(at("market=5,6 hand.a=8,8,8,9,?1 hand.b=9,?4 shared=10 nobles.a=palazzo,mura"), "palazzo tt")
    assert shown(state, "hand.a", "hand.b", "shared", "nobles.a") == ("8,?2", "9,?4", "-", "mura,?0")
    state = play(at("market=5,6 hand.a=8,8,8,9,?1 hand.b=9,?4 nobles.a=palazzo,mura"), "palazzo tn")
    assert shown(state, "hand.a", "nobles") == ("8,8,?2", "?9")


def test_sg_9_10_it_is_removed_where_the_opponent_is_higher():
    state = at(f"{HANDS} b=8x3 marker=b nobles.a=palazzo,?1", "palazzo")
    assert tokens(state) == ["tt", "tn", "keep"]
    for token, hand in (("keep", "?5"), ("tt", "?3")):
        after = play(state, token)
        assert shown(after, "removed", "hand.a") == ("palazzo", hand)
        assert (after.nobles.used[0], after.seat) == (0, 1)
    alone = play(at("market=5,6 hand.a=?0 hand.b=?5 b=8x3 marker=b nobles.a=palazzo"), "palazzo")
    assert (field(alone, "removed"), alone.seat) == ("palazzo", 1)


def test_sg_9_12_in_the_ending_phase():
    state = at(f"{HANDS} phase=ending nobles.a=?2")
    assert tokens(state) == ["B", "monumento", "cappella", "palazzo", "mura", "pass"]
    state = play(state, "palazzo tt")
    assert shown(state, "phase", "hand.a") == ("ending", "?3")


def test_sg_9_12_of_a_destroyed_tower_only_tower_cards_return():
    state = play(
        at(f"{HANDS} b=8x4s,6-8s7 marker=b used.b=pietra,pietra used.a=via"), "B 10x4", "use", "allow"
    )
    assert shown(state, "b", "used.b") == ("6-8s7", "pietra,pietra")
    assert field(state, "deck").startswith("8,8,8,?")


def test_sg_5_6_backs_are_chosen_where_it_matters():
    state = play(at("market=5,6 hand.a=?5 hand.b=8,?2 nobles.a=?1 nobles.b=via,?1"), "B 9x3", "use", "allow")
    assert (question(state), tokens(state)) == ("traded", ["n0", "n1", "n2"])
    state = play(at(GAME.position.write(state)), "n1 n2")
    assert shown(state, "nobles.a", "nobles.b") == ("?0", "?3")
    assert shown(state, "hand.a", "hand.b", "nobles.shared", "shared") == ("?4", "?1", "via", "8")


def test_sg_5_6_a_back_that_did_not_move_keeps_what_is_known():
    state = play(
        at("market=5,6 hand.a=7,?4 hand.b=8,?2 nobles.b=via,via,mura"), "B 9x3", "use", "allow", "n3 n2"
    )
    assert shown(state, "hand.a", "hand.b") == ("7,?1", "8,?2")
    assert shown(state, "nobles.a", "nobles.b", "nobles.shared") == ("?1", "?2", "via,via,mura")


def test_sg_5_6_without_nobles_nothing_more_is_asked():
    state = play(at(f"{HANDS} nobles=?10"), "B 9x3", "use", "allow")
    assert state.seat == 1


def test_sg_9_7_and_9_9_are_booked_last_with_their_figures():
    booked = GAME.scoring.bookings(at("market=5 a=10x5,10x5 marker=a used.a=monumento,cappella used.b=via"))[
        -2:
    ]
    assert [(b.category, b.points, b.clause, b.figures) for b in booked] == [
        ("monumento", 7, "SG-9.7", "7"),
        ("cappella", 10, "SG-9.9", "2 × 5"),
    ]


def test_table_level_counts_hidden_draws_by_deck():
    state = at("level=table market=5,8 hand.a=?2 hand.b=?2 nobles=?10", "P")
    assert tokens(state) == ["d1", "d2", "n1", "n2", "m5", "m8"]
    state = play(state, "d1 n1")
    assert shown(state, "hand.a", "nobles.a") == ("?3", "?1")


@pytest.mark.parametrize(
    ("position", "path", "token", "exposes"),
    [
        (f"{HANDS} nobles=?10", "P", "n", True),
        (f"{LATE} market=8 hand.a=?3 hand.b=?10 deck=?0,?,? nobles=?10", "P", "d", True),
        ("market=5,via hand.a=?3 hand.b=?5 nobles=?9", "P", "mvia", False),
        (f"{HANDS} nobles.a=?2 used.a=palazzo doing=palazzo:n0:p-:t-:s-:open", "", "tt", False),
        (f"{HANDS} nobles.a=mura", "", "mura", False),
        (f"{HANDS} nobles.b=?2 a=9x3 marker=a doing=guard:n3:p-:t-:sb:new", "", "allow", False),
        (f"{HANDS} nobles.b=?2 a=9x3 marker=a doing=traded:n3:p-:t9x3:s-:new", "", "n1", True),
        (f"{HANDS} nobles.a=?2 a=9x3 marker=a doing=returned:n2:p-:t9x3:s-:open", "", "n1", True),
        ("market=5 passes=1 deals=2", "", "pass", False),
        ("market=5 passes=2 deals=2 doing=deal:n0:p-:t-:s-:new", "", "deal", True),
    ],
)
def test_what_exposes(position, path, token, exposes):
    state = at(position, path)
    choice = next(choice for choice in GAME.rules.legal(state) if choice.token == token)
    assert GAME.rules.exposes(state, choice) is exposes
