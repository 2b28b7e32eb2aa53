"""What people may do against the rules: illegal choices that stand, points by hand, a hand told."""

from collections import Counter
from random import Random

import pytest

from engines import bags, search
from engines.contract import ADJUSTMENT, Choice, Level, Setup, winners
from engines.errors import Impossible, Malformed
from engines.san_gimignano.cards import MANIFEST, NOBLE_MANIFEST
from tests.engines.san_gimignano.table import GAME, LATE, answer, at, field, overruled, play, tokens
from tests.engines.walks import seed, soak, walk

HANDS = "market=5,6 hand.a=?5 hand.b=?5"
NOBLES = (("nobles", "yes"),)
SETUPS = [
    Setup(),
    Setup(options=NOBLES),
    Setup(start=1, options=(*NOBLES, ("pietra_guard", "yes"), ("donazione", "must"), ("deals", "2"))),
    Setup(level=Level.TABLE, options=(*NOBLES, ("pietra_guard", "yes"))),
    Setup(level=Level.SCORE),
    Setup(level=Level.SCORE, options=(*NOBLES, ("deals", "2"))),
]


@pytest.mark.parametrize(
    ("position", "path", "token", "then", "fields"),
    [
        # Over the hand limit: two cards are drawn all the same.
        ("market=5 hand.a=?6", "", "P", ["d d"], {"hand.a": "?8", "waived": "SG-3.2"}),
        # Closing with three completed towers.
        (
            f"{HANDS} a=8x3*,9x3*,10x3*,7x3 marker=a",
            "",
            "close",
            [],
            {"closer": "a", "phase": "ending", "waived": "SG-3.12"},
        ),
        # A completed tower grows, and stays completed.
        (f"{HANDS} a=8x3*,9x3 marker=a", "E", "8x3*", ["+1 d"], {"a": "8x4*,9x3", "waived": "SG-3.11"}),
        # The only tower is completed: what the pieces allow stands in.
        (f"{HANDS} a=8x3* marker=a", "", "E", ["8x3* +2 d d"], {"a": "8x5*"}),
        # A rank just put is taken back.
        ("market=6,8 hand.a=8,8 hand.b=?5", "X 8 8 >", "m8", ["m6"], {"hand.a": "6,8,?0"}),
        # An exchange that deck and market cannot replace draws what there is.
        (f"{LATE} deck=?1 market=8,8 hand.a=8,8 hand.b=?11", "", "X", ["8 8 > d"], {"hand.a": "?1"}),
        # Only what is nowhere in sight could be in the hand: what was known of it is given up.
        (f"{HANDS.replace('?5 ', '8,8,9,10,10 ')}", "B", "5", ["x3"], {"a": "5x3", "hand.a": "?2"}),
        (f"{HANDS} a=10x3 b=9x3*,7x3,8x3 marker=a" + " doing=target:n0:p-:t10x3:s-:new", "", "b9x3*",
         ["allow"], {"b": "7x3,8x3"}),
        # In the ending phase
        (f"{HANDS} phase=ending", "", "P", ["d m5"], {"hand.a": "5,?6", "phase": "ending"}),
        (f"{HANDS} phase=ending nobles.a=via", "", "via", ["d n"], {"hand.a": "?6", "nobles.a": "?1"}),
        # A noble too many, two stones too many, above a Palazzo
        (f"{HANDS} nobles.a=?2 used.a=via", "", "mura", [], {"used.a": "via,mura"}),
        (f"{HANDS} nobles.a=pietra,pietra nobles.b=?0", "B 5-7s", "s5s6", [], {"a": "5-7s5s6"}),
        (f"{HANDS} nobles.a=pietra used.a=via", "B", "5-7s", ["s6"], {"a": "5-7s6"}),
        (f"{HANDS} b=9x3 marker=b used.b=palazzo", "B 8", "x4", ["decline"], {"a": "8x4", "marker": "a"}),
        (f"{HANDS} nobles.a=?1", "", "pietra", [], {"used.a": "pietra"}),
        ("market=5 hand.a=?1 nobles.a=palazzo", "", "palazzo", [], {"used.a": "palazzo", "hand.a": "?1"}),
    ],
)  # fmt: skip
def test_an_illegal_choice_stands(position, path, token, then, fields):
    state = overruled(position, path, token)
    for word in " ".join(then).split():
        choice = answer(state, word)
        assert GAME.rules.why_not(state, choice) is None
        state = GAME.rules.apply(state, choice)
    assert {name: field(state, name) for name in fields} == fields
    assert GAME.position.status(GAME.position.write(state)) == []


@pytest.mark.parametrize(
    ("position", "path", "token"),
    [
        ("market=6 hand.a=?2", "P", "m10"),  # no 10 lies there
        ("market=5 hand.a=?2", "", "B"),  # two cards make no tower
        ("market=5 hand.a=8,8,8", "B", "6-9"),  # nor three one of four
        (f"{HANDS} a=10x10 marker=a", "B", "10"),  # an eleventh 10
        (f"{HANDS} a=5-7 marker=a", "", "E"),  # nothing goes below a 5
        (f"{HANDS} nobles.a=?1 used.b=mura", "", "mura"),  # the other one has it
        (f"{HANDS} nobles.a=?0", "", "via"),  # no noble in that hand
        (f"{HANDS} nobles.a=?0", "B", "4-6s"),
        ("a=5x5 marker=a doing=market:n4:p-:t-:s-:new", "", "5"),  # a sixth 5
        ("level=score a=5x5 doing=final:n0:p-:t-:sa:new", "", "5-7"),
        ("market=5 hand.a=?3 nobles.a=?0 used.a=palazzo doing=palazzo:n0:p-:t-:s-:open", "", "nn"),
    ],
)
def test_what_no_table_can_look_like_does_not_stand(position, path, token):
    with pytest.raises(Impossible) as caught:
        overruled(position, path, token)
    state = at(position, path)
    assert caught.value.refusal == GAME.rules.why_not(state, answer(state, token))


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


def everything(state, world):
    held = world.hands[0] + world.hands[1] + state.market + bags.bag(rank - 5 for rank in world.deck)
    held += sum(tower.bag for side in state.towers for tower in side) + bags.bag(world.nobles)
    if state.nobles:
        held += sum(state.nobles.used) + state.nobles.removed
    return held


def assert_plays_on(state, rng):
    """SG-11 holds, the position reads back, and a random playout reaches the end: whether it does.

    It stops where the cards dealt to a seat allow nothing that is listed: what was overruled was that a
    seat cannot do something, the storeys of a tower say, and in this deal it cannot.
    """
    advanced = state.nobles is not None
    if state.level is not Level.SCORE:
        whole = MANIFEST + (NOBLE_MANIFEST if advanced else 0)
        assert everything(state, GAME.worlds.sample(state, rng)) == whole, GAME.position.write(state)
    try:
        for made, (after, _, choice) in enumerate(search.playout(GAME, state, rng)):
            if made % 7 == 0:
                text = GAME.position.write(after)
                assert GAME.position.status(text) == [], text
                assert GAME.position.read(text) == after
                assert GAME.rules.why_not(after, choice) is None
            assert made < 5_000
    except search.NothingTrue:
        return False
    return True


def try_overruling(number, every):
    """On a random walk, every illegal token of every so many states' questions; what came of which check."""
    found = Counter()
    rng = Random(number)
    for at_choice, made in enumerate(walk(GAME, SETUPS[number % len(SETUPS)], Random(number))):
        if at_choice % every != number % every:
            continue
        asked = GAME.rules.pending(made.state)
        for token in asked.domain.tokens:
            choice = Choice(asked.question, token)
            refusal = GAME.rules.why_not(made.state, choice)
            if refusal is None:
                continue
            try:
                state = GAME.rules.overrule(made.state, choice, refusal.clause)
            except Impossible:
                found[refusal.check, "impossible"] += 1
                continue
            found[refusal.check, "stands"] += 1
            assert refusal.clause in state.waived
            found[refusal.check, "stops"] += not assert_plays_on(state, rng)
    return +found


def test_after_any_overruled_choice_play_goes_on():
    first = seed()
    found = Counter()
    for number in range(first, first + len(SETUPS)):
        found += try_overruling(number, 41)
    assert len({check for check, _ in found}) > 20
    by_end = Counter()
    for (_, how), number in found.items():
        by_end[how] += number
    assert by_end.keys() >= {"stands", "impossible"}
    assert by_end["stops"] < by_end["stands"] / 20


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_soak_after_any_overruled_choice_play_goes_on():
    first = seed()
    for number in range(first, first + soak(1_500) // 10):
        try_overruling(number, 11)


# Points by hand


def test_points_by_hand_are_booked_kept_and_count():
    state = at(f"{HANDS} a=8x3 b=9x3 marker=a")
    assert winners(GAME, state) == (0,)
    state = GAME.rules.adjust(GAME.rules.adjust(state, 1, 10), 1, 3)
    booked = GAME.scoring.bookings(state)[-1]
    assert (booked.seat, booked.points, booked.category, booked.clause) == (1, 13, ADJUSTMENT, "")
    assert ADJUSTMENT not in GAME.scoring.CATEGORIES
    assert winners(GAME, state) == (1,)
    assert field(state, "adjusted") == "0,13"
    assert GAME.position.read(GAME.position.write(state)) == state
    assert GAME.rules.adjust(state, 1, -13) == at(f"{HANDS} a=8x3 b=9x3 marker=a")


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
    ("position", "seat", "held", "expected"),
    [
        (HANDS, 0, "8,8,8,9,10", "P X B pass"),
        (HANDS, 0, "5,7,8,9,9", "P X B pass"),
        (HANDS, 0, "5,7,8,10,10", "P X pass"),
        (f"{HANDS} a=8x3 marker=a", 0, "5,7,8,10,10", "P X E C pass"),
        (f"{HANDS} nobles.a=?1", 0, "5,7,8,10,10,mura", "X mura pass"),
        (f"{HANDS} nobles.a=?1", 0, "5,7,8,10,10,pietra", "X B pass"),
        (HANDS, 1, "8,8,8,9,10", ""),
        ("market=5,6 hand.a=?0", 0, "-", "P pass"),
    ],
)
def test_the_list_of_a_seat_that_sees_its_hand(position, seat, held, expected):
    assert [choice.token for choice in GAME.rules.legal_for(at(position), seat, held)] == expected.split()


def test_a_hand_told_answers_out_of_turn():
    guard = "market=6 hand.a=?2 hand.b=?3 a=9x3 marker=a doing=guard:n3:p-:t-:sb:new"
    assert [c.token for c in GAME.rules.legal_for(at(guard), 1, "8,8,8")] == ["allow"]
    assert [c.token for c in GAME.rules.legal_for(at(guard), 1, "5,8,8")] == ["guard", "allow"]
    assert GAME.rules.legal_for(at(guard), 0, "8,8") == []


@pytest.mark.parametrize(
    ("position", "held"),
    [
        (HANDS, "8,8,8,9"),
        (HANDS, "8,8,8,9,10,10"),
        (HANDS, "8,8,8,9,11"),
        (HANDS, "8,8,?3"),
        (HANDS, "five"),
        (HANDS, ""),
        (HANDS, "8,8,8,9,via"),
        (f"{HANDS} nobles.a=?1", "8,8,8,9,10,10"),
        (f"{HANDS} nobles.a=via", "8,8,8,9,10,mura"),
        (f"{HANDS} nobles.a=?1 used.b=mura", "8,8,8,9,10,mura"),
        ("market=5,6 hand.a=9,?4", "8,8,8,7,7"),
        (f"{HANDS} b=8x6 marker=b", "8,8,8,9,10"),
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


@pytest.mark.parametrize("level", [Level.SCORE, Level.FULL])
def test_a_layout_and_a_decision_are_no_such_thing(level):
    state = GAME.rules.start(Setup(level=level)) if level is Level.SCORE else at(HANDS)
    assert GAME.rules.seen(state) == ""
    assert tokens(state)
