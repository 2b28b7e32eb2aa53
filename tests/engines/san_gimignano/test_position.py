"""Position texts: what can be read, what is wrong, and that nothing crashes."""

from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.contract import Level, Setup, winners
from engines.errors import BadPosition
from tests.engines.san_gimignano.table import GAME, LATE, at, field
from tests.engines.walks import walk


def wrong(text):
    return {problem.check: problem for problem in GAME.position.status(text)}


def test_what_is_left_out_has_its_usual_value():
    state = at("market=5 a=8x3 marker=a")
    assert field(state, "deck") == "?41"
    assert (state.seat, state.level, state.termination) == (0, Level.FULL, "")


def test_the_start_reads_as_one_line():
    assert GAME.position.write(GAME.rules.start(Setup())) == (
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
        ("market=5,via", "position.no_nobles", "SG-9.1"),
        ("market=5 a=8x3s marker=a", "position.no_nobles", "SG-9.1"),
        ("market=5,via used.a=via removed=via", "position.noble_copies", "SG-9.1"),
        ("market=5 nobles=?9", "position.noble_total", "SG-9.1"),
        ("market=5 nobles.a=?11", "position.noble_total", "SG-9.1"),
        ("market=5 nobles.a=?1 nobles.shared=via,mura", "position.noble_shared", "SG-11.1"),
        ("market=5 nobles=?10 a=8x3s marker=a", "position.stones", "SG-9.5"),
        ("market=5 used.a=via,mura", "position.one_more", "SG-9.4"),
        ("market=5 used.a=pietra,pietra,pietra used.b=via,mura a=8x3sss marker=a", "position.real", "SG-9.5"),
        ("market=5 passes=2 doing=deal:n0:p-:t-:s-:new", "position.deals", "SG-10.1"),
    ],
)
def test_what_cannot_stand_is_named(text, check, clause):
    found = wrong(text)
    assert check in found
    assert found[check].clause == clause
    with pytest.raises(BadPosition, match=check) as caught:
        GAME.position.read(text)
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
        "donazione:n3:p-:t7x3:s-:new",  # 7s have none
        "target:n0:p-:t8x3:s-:new",  # 8s name none
        "guard:n3:p-:t-:s-:new",  # nobody's
        "guard:n3:p-:t-:sa:new",  # against oneself
        "guard:n0:p-:t9x3:sb:new",  # of a tower that does not stand
        "put:n0:p10,10,10,10,10,10:t-:s-:open",  # more than the hand
        "draw:n0:p-:t-:s-:open",
        "market:n4:p-:t-:s-:open",  # a card lies there already: three at most
        "final:n0:p-:t-:sa:new",  # not at this level
        "put:n0:p-:t-:sb:open",  # of another than whose turn it is
        "action:n0:p-:t-:s-:open",  # a turn in which something was begun
        "stones:n0:p-:t5-7:s-:open",  # without nobles
        "giostra:n0:pvia:t-:sb:new",
        "palazzo:n0:p-:t-:s-:open",
        "remains:n3:p7,7,7:t7x3:s-:new",
    ],
)
def test_a_begun_question_must_fit(doing):
    text = f"market=5 hand.a=?5 hand.b=?5 a=7x3,8x3 marker=a doing={doing}"
    assert wrong(text).keys() == {"position.stuck"}


@pytest.mark.parametrize(
    "doing",
    [
        "stones:n0:p-:t8x3:s-:open",  # of no run
        "giostra:n0:pmura:t-:sb:new",  # of a noble not used
        "giostra:n0:pvia:t-:sa:new",  # against oneself
        "giostra:n3:p8,8,pietra:t9x3s:sb:new",  # of a tower that does not stand
        "giostra:n1:ppietra:t8x3s:sb:new",  # on two storeys
        "giostra:n3:p8,pietra:t8x3s:sb:new",  # a card short
        "cancel:n3:p8,8,pietra:t8x3s:sb:open",  # of one stone
        "remains:n3:p8,8,pietra:t8x3s:sb:new/guard:n3:p-:t-:sb:new",
        "guard:n3:p-:t-:sb:new/giostra:n0:ppietra:t-:sa:new",  # stones do not guard here
        "traded:n1:p-:t-:s-:new",  # of no tower
        "traded:n9:p-:t9x3:s-:new",  # more than the hand
        "final_stones:n0:p-:t5-7:sa:open",  # not at this level
        "deal:n0:p-:t-:s-:new",
        "palazzo:n0:p-:t-:s-:open",  # of a Palazzo not used
    ],
)
def test_a_begun_question_of_the_advanced_game_must_fit(doing):
    text = "market=5 hand.a=?5 hand.b=?5 a=8x3s marker=a nobles.a=?1 used.a=pietra,via used.b=mura"
    assert wrong(f"{text} doing={doing}").keys() & {"position.stuck", "position.deals"}


@pytest.mark.parametrize(
    ("towers", "doing", "missing"),
    [
        ("a=8x3", "giostra:n0:pmonumento:t-:sb:new", True),  # the tower was there before
        ("a=8x3s", "giostra:n3:p8,8,pietra:t8x3s:sb:new", False),  # the marker is judged after the Giostra
        ("a=8x3s b=9x3", "giostra:n3:p8,8,pietra:t8x3s:sb:new", True),
        ("a=8x4s", "giostra:n1:ppietra:t8x4s:sb:new", True),  # extended: three storeys stood
    ],
)
def test_the_marker_is_missing_but_for_a_first_tower_that_a_giostra_may_answer(towers, doing, missing):
    used = "used.a=monumento,pietra used.b=via"
    text = f"market=5 hand.a=?5 hand.b=?5 nobles.b=?1 {used} {towers} doing={doing}"
    assert ("position.marker" in wrong(text)) == missing


def test_an_exchange_needs_two_cards_in_hand():
    assert wrong("market=5 hand.a=?1 doing=put:n0:p-:t-:s-:open").keys() == {"position.stuck"}
    assert wrong("market=5 hand.a=?2 doing=put:n0:p-:t-:s-:open").keys() == set()


@pytest.mark.parametrize(
    "text",
    [
        "market=4",
        "a=8x2",
        "a=5x6",
        "donazione=no",
        "deck=?3,5,?3",
        "hand.a=?500",
        "doing=dance:n0:p-:t-:s-:open",
        "doing=height:n0:p-:t4x1:s-:open",
        "doing=put:n0:p4:t-:s-:open",
        "doing=draw:n1:p-:t-:s-:open:none",
        "doing=stones:n0:p-:t3-7:s-:open",
        "a=5-7s8",
        "a=4-7s5",
        "a=5-7s5s5",
        "a=8x3s8",
        "a=5-11s5",
        "hand.a=via",
        "nobles=8",
        "used.a=?1",
        "deck=?,5",
    ],
)
def test_what_cannot_be_read_is_refused_in_one_line(text):
    with pytest.raises(BadPosition) as caught:
        GAME.position.status(text)
    assert str(caught.value).startswith("position")
    assert "\n" not in str(caught.value)


def legal_or_refused(text):
    """Either refused by name or as sound as any state: its list, its checks and its choices work."""
    try:
        state = GAME.position.read(text)
    except BadPosition:
        return
    assert GAME.position.status(GAME.position.write(state)) == []
    assert GAME.position.read(GAME.position.write(state)) == state
    for choice in GAME.rules.legal(state):
        assert GAME.rules.why_not(state, choice) is None
        after = GAME.rules.apply(state, choice)
        assert GAME.rules.legal(after) or after.termination, (text, choice)
    winners(GAME, state)


@given(st.text(alphabet="abx-*?,=:5689 10", max_size=60))
def test_any_text_is_read_or_refused(text):
    legal_or_refused(text)


DAMAGED = [
    Setup(),
    Setup(options=(("nobles", "yes"), ("pietra_guard", "yes"))),
    Setup(options=(("nobles", "yes"), ("deals", "2"))),
    Setup(level=Level.SCORE, options=(("nobles", "yes"), ("deals", "target"))),
]


@cache
def walked(number):
    return [made.after for made in walk(GAME, DAMAGED[number % len(DAMAGED)], Random(number))]


@settings(max_examples=50)
@given(st.integers(0, 2**32), st.data())
def test_damaged_positions_are_refused_or_sound(number, data):
    states = walked(number % 24)
    words = GAME.position.write(data.draw(st.sampled_from(states))).split()
    others = GAME.position.write(data.draw(st.sampled_from(states))).split()
    at_word = data.draw(st.integers(0, len(words) - 1))
    other = data.draw(st.sampled_from(others))
    kept = [word for at, word in enumerate(words) if at != at_word and word[:2] != other[:2]]
    legal_or_refused(" ".join([*kept, other]))
