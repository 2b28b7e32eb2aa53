"""Position texts: what can be read, what is wrong, and that nothing crashes."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.contract import Level, Setup
from engines.errors import BadPosition
from tests.engines.san_gimignano.table import GAME, LATE, at, field
from tests.engines.walks import walk


def wrong(text):
    return {problem.check: problem for problem in GAME.status(text)}


def test_what_is_left_out_has_its_usual_value():
    state = at("market=5 a=8x3 marker=a")
    assert field(state, "deck") == "?41"
    assert (state.seat, state.level, state.termination) == (0, Level.FULL, "")


def test_the_start_reads_as_one_line():
    assert GAME.position(GAME.start(Setup())) == (
        "a=- b=- marker=- market=- hand.a=?5 hand.b=?5 shared=- deck=?35 turn=b phase=building closer=- "
        "passes=0 level=full donazione=may doing=market:n4:p-:t-:s-:new over=-"
    )


@pytest.mark.parametrize(
    ("text", "check", "clause"),
    [
        ("market=5,5,5 hand.a=5,5,5", "position.copies", "SG-1.1"),
        ("market=5 a=5x4 b=5-8,5-9 marker=a", "position.copies", "SG-1.1"),
        ("market=5 deck=?43", "position.total", "SG-1.1"),
        ("market=5 hand.a=?50", "position.total", "SG-1.1"),
        ("market=5 hand.a=?1 hand.b=?1 shared=8,8,8", "position.shared", "SG-11.1"),
        ("market=5 a=8x3", "position.marker", "SG-4.1"),
        ("market=5 phase=ending closer=a", "position.closer", "SG-3.12"),
        ("market=5 a=8x3*,9x3*,10x3*,7x3* marker=a closer=a", "position.closed", "SG-6.1"),
        (f"{LATE} market=8 hand.a=?7 hand.b=?8 deck=-", "position.deck", "SG-6.1"),
        ("hand.a=?5 hand.b=?5", "position.market", "SG-3.4"),
        ("market=5 passes=2", "position.passes", "SG-2.2"),
        ("market=5 over=double_pass", "position.passes", "SG-2.2"),
        ("market=5 hand.a=8,8 doing=build:n0:p-:t-:s-:open", "position.stuck", "SG-2.1"),
    ],
)
def test_what_cannot_stand_is_named(text, check, clause):
    found = wrong(text)
    assert check in found
    assert found[check].clause == clause
    with pytest.raises(BadPosition, match=check) as caught:
        GAME.read_position(text)
    assert caught.value.problems


def test_everything_wrong_is_named_at_once():
    assert wrong("market=- a=8x3 passes=2 deck=?9").keys() == {
        "position.total",
        "position.marker",
        "position.market",
        "position.passes",
    }


@pytest.mark.parametrize(
    "doing",
    [
        "height:n0:p-:t-:s-:open",  # of no tower
        "height:n0:p-:t8x3:s-:open",  # of one that stands already
        "storeys:n0:p-:t9x3:s-:open",  # of one that does not stand
        "storeys:n0:p-:t-:s-:open",
        "donazione:n3:p-:t9x3:s-:new",
        "donazione:n3:p-:t7x3:s-:new",  # 7s have none
        "target:n0:p-:t8x3:s-:new",  # 8s name none
        "target:n0:p-:t-:s-:new",
        "guard:n3:p-:t-:s-:new",  # nobody's
        "guard:n3:p-:t-:sa:new",  # against oneself
        "guard:n0:p-:t-:sb:new",  # of nothing
        "guard:n0:p-:t9x3:sb:new",  # of a tower that does not stand
        "put:n0:p10,10,10,10,10,10:t-:s-:open",  # more than the hand
        "draw:n0:p-:t-:s-:open",
        "draw:n99:p-:t-:s-:open",
        "market:n4:p-:t-:s-:open",  # a card lies there already: three at most
        "final:n0:p-:t-:sa:new",  # not at this level
        "final_state:n0:p-:t-:sa:open",
        "draw:n1:p-:t-:s-:open/draw:n1:p-:t-:s-:open",
    ],
)
def test_a_begun_question_must_fit(doing):
    text = f"market=5 hand.a=?5 hand.b=?5 a=7x3,8x3 marker=a doing={doing}"
    assert wrong(text).keys() == {"position.stuck"}


def test_an_exchange_needs_two_cards_in_hand():
    assert wrong("market=5 hand.a=?1 doing=put:n0:p-:t-:s-:open").keys() == {"position.stuck"}
    assert wrong("market=5 hand.a=?2 doing=put:n0:p-:t-:s-:open").keys() == set()


@pytest.mark.parametrize(
    "text",
    [
        "market=4",
        "market=5,",
        "market",
        "market=5 market=6",
        "markt=5",
        "a=8x2",
        "a=8x9",
        "a=5x6",
        "a=9-5",
        "a=5-6",
        "a=8x3!",
        "turn=c",
        "marker=c",
        "phase=end",
        "passes=3",
        "level=half",
        "donazione=no",
        "over=won",
        "deck=?3,5,?3",
        "deck=?",
        "hand.a=?x",
        "hand.a=?500",
        "doing=dance:n0:p-:t-:s-:open",
        "doing=put",
        "doing=height:n0:p-:t4x1:s-:open",
        "doing=put:n0:p4:t-:s-:open",
    ],
)
def test_what_cannot_be_read_is_refused_in_one_line(text):
    with pytest.raises(BadPosition) as caught:
        GAME.status(text)
    assert str(caught.value).startswith("position")
    assert "\n" not in str(caught.value)


def legal_or_refused(text):
    """Either refused by name or as sound as any state: its list, its checks and its choices work."""
    try:
        state = GAME.read_position(text)
    except BadPosition:
        return
    assert GAME.status(GAME.position(state)) == []
    assert GAME.read_position(GAME.position(state)) == state
    for choice in GAME.legal(state):
        assert GAME.why_not(state, choice) is None
        after = GAME.apply(state, choice)
        assert GAME.legal(after) or after.termination, (text, choice)
    GAME.winners(state)


@given(st.text(alphabet="abx-*?,=:5689 10", max_size=60))
def test_any_text_is_read_or_refused(text):
    legal_or_refused(text)


@settings(max_examples=150)
@given(st.integers(0, 2**32), st.data())
def test_damaged_positions_are_refused_or_sound(number, data):
    states = [made.after for made in walk(GAME, Setup(), Random(number % 20))]
    words = GAME.position(data.draw(st.sampled_from(states))).split()
    others = GAME.position(data.draw(st.sampled_from(states))).split()
    at_word = data.draw(st.integers(0, len(words) - 1))
    legal_or_refused(" ".join([*words[:at_word], others[at_word], *words[at_word + 1 :]]))
