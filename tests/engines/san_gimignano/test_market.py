"""What a camera saw of the market, read as the turn that made it so."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.contract import Choice, Exact, Level, OutOfStep, Report, Setup, Several
from engines.errors import Malformed
from engines.readings import Observation, interpret, readings
from engines.san_gimignano.cards import KINDS
from engines.search import explain, steps_of
from tests.engines.san_gimignano.table import GAME, LATE, at, play, start
from tests.engines.walks import walk

(MARKET,) = (sight for sight in GAME.sights if sight.NAME == "market")
RULES = GAME.rules
TABLE = "market=6,8,8,10 hand.a=?5 hand.b=?5"


def see(state, *texts):
    return interpret(GAME, state, Observation("market", tuple((text, 0.9 / len(texts)) for text in texts)))


def ways(state, found):
    """The steps of each explanation."""
    explained = found.explanations if isinstance(found, Several) else (found.choices,)
    return ["; ".join(steps_of(GAME, state, choices)) for choices in explained]


# Layouts


@given(st.lists(st.sampled_from(KINDS)))
def test_a_market_reads_back(cards):
    layout = MARKET.read(",".join(cards) or "-")
    assert sorted(layout) == sorted(cards)
    assert MARKET.read(MARKET.written(layout)) == layout


@pytest.mark.parametrize("text", ["", "6 8", "4", "6,", "mura,x"])
def test_what_is_no_market(text):
    with pytest.raises(Malformed, match="is not a card; cards are 5, 6"):
        MARKET.read(text)


def test_it_is_what_lies_there_in_the_order_of_the_kinds():
    state = at("market=10,via,6,8 hand.a=?5 hand.b=?5 nobles.a=- nobles.b=-")
    assert MARKET.written(MARKET.of(state)) == "6,8,10,via"
    assert MARKET.differences(MARKET.read("6,8,8"), MARKET.of(state)) == ("+m8", "-m10", "-mvia")
    assert readings(GAME, state) == ("towers", "market")


# A turn


def test_a_purchase_and_its_refill_are_one_look():
    state = at("market=6,8 hand.a=?5 hand.b=?5")
    assert ways(state, see(state, "5,7,9,10")) == ["P m6 m8; 5 7 9 10", "X 5 7 9 10 > m6 m8 d d"]
    assert ways(state, see(state, "-")) == ["P m6 m8"]
    assert ways(state, see(state, "6,9")) == ["P m8 m6; 6 9"]  # the other two are still to come
    half = play(state, "P m6 m8")
    assert ways(half, see(half, "5,7,9,10")) == ["5 7 9 10"]


def test_what_came_back_to_a_market_that_was_emptied_may_be_put_there_as_well():
    state = at("market=6 hand.a=?5 hand.b=?5")
    assert ways(state, see(state, "6,7,8,9")) == ["P m6 d; 6 7 8 9", "X 7 8 9 > d d d"]


def test_the_four_cards_at_the_start_answer_what_is_asked():
    state = start()
    assert RULES.pending(state).question == "market"
    four = tuple(Choice("market", rank) for rank in ("6", "8", "8", "10"))
    assert see(state, "8,10,6,8") == Exact(four)
    assert see(state, "6 8 8 10") == Exact(four)  # as a node writes an answer
    assert see(state, "6,8,8,10", "6,8,8,9").explanations[1][-1] == Choice("market", "9")
    assert ways(state, see(state, "6,8")) == ["6 8"]
    assert see(state, "-") == Exact(())


def test_cards_known_on_the_deck_come_up_by_themselves():
    state = play(at("market=6 hand.a=?6 hand.b=8,8 b=7x3,8x3 marker=b"), "B 10x3", "use b8x3")
    assert ways(state, see(state, "8,8,8,9")) == ["P m6 d; 8 9"]  # of three 8s on top one was drawn


def test_a_tower_may_have_drawn_it():
    """It shows elsewhere: people say which turn it was, the purchase first."""
    state = at(TABLE + " a=5-7,9x3 marker=a")
    assert ways(state, see(state, "6,8,10")) == [
        "P m8 d",
        "E 9x3 +1 m8",
        "E 9x3 +2 m8 d",
        "E 9x3 +3 m8 d d",
        "E 9x3 +4 m8 d d d",
        "E 9x3 +5 m8 d d d d",
    ]
    laid = play(at(TABLE + " a=5-7,8x3 marker=a"), "B 8x3")
    assert ways(laid, see(laid, "6,8,8")) == ["use m10 d d"]


def test_a_step_that_was_begun_is_gone_on_with():
    state = at(TABLE)
    for choice in (Choice("action", "X"), Choice("put", "7")):
        state = RULES.apply(state, choice)
    assert ways(state, see(state, "6,7,8,8,9")) == ["9 > m10 d"]
    assert see(state, "6,8,8,10") == Exact(())


# Out of step


@pytest.mark.parametrize(
    ("more", "seen", "nearest", "differences", "check"),
    [
        ("", "8", "P m6 m8", ("-m10",), None),
        ("", "6,8,8,9,10", "", ("+m9",), "exchange.least"),
        ("hand.a=?6", "6,8", "", ("-m8", "-m10"), "purchase.hand_limit"),
        (
            f"{LATE} market=6,8,8,8 phase=ending deck=- hand.a=?6 hand.b=?6",
            "8,8,8",
            "",
            ("-m6",),
            "action.ending",
        ),
        ("hand.a=5,6,6", "6,7,7,8,8,10", "", ("+m7", "+m7"), "exchange.hand"),
    ],
)
def test_what_no_turn_explains_is_out_of_step(more, seen, nearest, differences, check):
    fields = dict(word.split("=") for word in f"{TABLE} {more}".split())
    state = at(" ".join(f"{name}={value}" for name, value in fields.items()))
    found = see(state, seen)
    assert isinstance(found, OutOfStep)
    assert (ways(state, Exact(found.nearest)), found.differences) == ([nearest], differences)
    assert (found.refusal and found.refusal.check) == check


def test_a_card_that_cannot_have_come_up_names_the_clause():
    state = play(at("market=6,8 hand.a=?5 hand.b=?5 a=5x5 marker=a"), "P m6 m8")
    found = see(state, "5,7,9,10")
    assert (found.refusal.check, found.refusal.clause) == ("market.unseen", "SG-11.1")
    assert found.differences == ("+m5", "+m7", "+m9", "+m10")


# Whole matches

OPTIONS = [
    (),
    (("donazione", "must"),),
    (("nobles", "yes"), ("pietra_guard", "yes")),
    (("deals", "2"),),
]


def _fills(state):
    pending = RULES.pending(state)
    return isinstance(pending, Report) and pending.question in ("market", "deal")


@pytest.mark.parametrize(("options", "level"), [*zip(OPTIONS, [Level.FULL, Level.TABLE] * 2, strict=True)])
def test_every_step_that_changes_the_market_is_found_again_from_its_look(level, options):
    """With what was turned up after it; while that is still coming, perhaps as something that ends so."""
    told, begun = 0, None
    for made in walk(GAME, Setup(level=level, options=options), Random(7)):
        pending = RULES.pending(made.state)
        if begun is None or not (pending.open or pending.question == "market"):
            begun = made.state
        after, seen = made.after, MARKET.of(made.after)
        if (RULES.pending(after).open and not _fills(after)) or seen == MARKET.of(begun):
            continue
        found, ends = explain(GAME, MARKET, begun, seen), []
        for choices in found.explanations if isinstance(found, Several) else (found.choices,):
            state = begun
            for choice in choices:
                assert RULES.why_not(state, choice) is None
                state = RULES.apply(state, choice)
            ends.append(state)
        assert after in ends or (_fills(after) and made.state is not begun)
        assert {MARKET.of(end) for end in ends} == {seen}
        told += 1
    assert told > 20
