"""What people may do against the rules: illegal choices that stand, points by hand, a hand told."""

import pytest

from engines.contract import Setup, winners
from engines.errors import Malformed
from tests.engines.san_gimignano.table import GAME, LATE, answer, at, field, overruled, play

HANDS = "market=5,6 hand.a=?5 hand.b=?5"


def test_knowledge_is_given_up_only_where_it_is_in_the_way():
    known = "market=5,6 hand.a=8,8,?3 hand.b=9,?4 a=7x3,8x3,5-7 shared=10 marker=a deck=?20,5"
    kept = overruled(f"{known} b=9x3*", "", "close")
    assert (field(kept, "hand.a"), field(kept, "hand.b"), field(kept, "shared")) == ("8,8,?3", "9,?4", "10")
    seen = "market=5,6 hand.a=8,8,9,10,10 hand.b=9,?4"
    given_up = overruled(seen, "B", "7")
    assert (field(given_up, "hand.a"), field(given_up, "hand.b")) == ("?5", "?5")
    last = f"{LATE} market=8 hand.a=8,8,8,?1 hand.b=?5 deck=?1,5,5,5,5,5"
    assert field(overruled(last, "X 8", "5"), "deck") == "?1,?,?,?,?,?"


def test_what_stands_in_waives_what_it_breaks():
    """What was seen allows no tower; the pieces do, with a stone that is one noble too many."""
    text = """a=6-8 b=7-9* marker=b market=5,5,5,6,6,6,8,8,10,10,10 hand.a=8,10,?3 hand.b=5,9 turn=b
        nobles.a=?1 nobles.b=monumento,mura used.b=via"""
    state = overruled(text, "", "B")
    assert state.waived == ("SG-11.1",)
    for token in ("6-8s", "s8"):
        state = GAME.rules.apply(state, answer(state, token))
    assert (field(state, "b"), state.waived) == ("6-8s8,7-9*", ("SG-11.1", "SG-9.4"))
    assert GAME.position.status(GAME.position.write(state)) == []


def test_a_clause_waived_is_passed_over_and_others_are_not():
    text = f"{HANDS} a=8x3*,9x3*,10x3* marker=a phase=ending closer=a waived=SG-3.12"
    assert GAME.position.status(text) == []
    assert [problem.check for problem in GAME.position.status(text.replace("3.12", "3.2"))] == [
        "position.closer"
    ]
    assert [problem.check for problem in GAME.position.status("market=5 deck=?9 waived=SG-1.1")] == [
        "position.total"
    ]


# Points by hand


def test_points_by_hand_count_towards_a_target():
    state = at(f"{HANDS} a=8x3 marker=a deals=target target=60")
    below = play(GAME.rules.adjust(state, 1, 59), "pass", "pass")
    assert GAME.rules.pending(below).question == "deal"
    over = play(GAME.rules.adjust(state, 1, 60), "pass", "pass")
    assert over.termination == "target_reached"
    assert winners(GAME, over) == (1,)
    assert field(play(below, "deal"), "adjusted") == "0,59"


# A hand told by its player


@pytest.mark.parametrize(
    ("position", "held"),
    [
        (HANDS, "8,8,8,9"),
        (HANDS, "8,8,8,9,10,10"),
        (HANDS, "8,8,?3"),
        (HANDS, "8,8,8,9,via"),
        (f"{HANDS} nobles.a=?1", "8,8,8,9,10,10"),
        (f"{HANDS} nobles.a=via", "8,8,8,9,10,mura"),
        (f"{HANDS} nobles.a=?1 used.b=mura", "8,8,8,9,10,mura"),
        ("market=5,6 hand.a=9,?4", "8,8,8,7,7"),
        ("market=6 hand.a=?2 hand.b=?1 shared=8,9", "7,7"),
    ],
)
def test_a_hand_that_cannot_be_is_refused(position, held):
    with pytest.raises(Malformed):
        GAME.rules.legal_for(at(position), 0, held)


# What a report is about


def test_a_card_turned_up_is_the_one_at_its_place_in_the_deck():
    fresh = GAME.rules.start(Setup())
    assert GAME.rules.seen(fresh) == "1/35"
    state = play(fresh, "10 8 6 8")
    assert GAME.rules.seen(state) == ""
    emptied = at("market=5,6 hand.a=?2 hand.b=?2", "P m5 m6")
    later = at("market=5,6 hand.a=8,?2 hand.b=?4 a=8-10 marker=a deck=?33", "P m5 m6")
    assert GAME.rules.seen(emptied) == "1/39"
    assert GAME.rules.seen(later) == "1/33"
    assert GAME.rules.seen(at(GAME.position.write(emptied), "10")) == "1/38"


def test_a_later_deal_is_shuffled_anew_each_time_people_come_to_it():
    first = at("market=5 deals=2", "pass pass")
    assert GAME.rules.seen(first) == ""
    assert GAME.rules.seen(play(first, "deal")) == ""


def test_a_card_that_a_palazzo_put_there_is_seen_anew():
    state = at(f"{LATE} market=8,8 hand.a=?3 hand.b=?9 deck=?0,?,? nobles=?10", "P m8 m8")
    assert GAME.rules.pending(state).question == "market"
    assert GAME.rules.seen(state) == ""
    state = play(state, "8 6")
    assert (field(state, "market"), state.deck, state.ending) == ("6,8", 0, True)
