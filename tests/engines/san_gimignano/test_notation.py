"""Steps as text: shorthand, canonical form, and each way a text can fail."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import notation
from engines.contract import Choice, Setup
from engines.errors import Ambiguous, Malformed, OutOfTurn, Refused, Stale
from engines.match import Match
from tests.engines.san_gimignano.table import GAME, at, play, start

TABLE = "market=6,8,10 hand.a=?6 hand.b=?5 a=8x3,6-8,9x3* b=7x3 marker=a"


def canonical(position, text):
    choices, _ = notation.read(GAME, at(position), text)
    return GAME.text(choices)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("B 8x3", "B 8x3"),
        ("B 8 x3", "B 8x3"),
        ("B 8 8 8", "B 8x3"),
        ("  B   8x3 ", "B 8x3"),
        ("B 10 8 9", "B 8-10"),
        ("B 8-10", "B 8-10"),
        ("E 8x3 +1 d", "E 8x3 +1 d"),
        ("E 8x3 8 d", "E 8x3 +1 d"),
        ("E 8x3 8 8 > d m6", "E 8x3 +2 d m6"),
        ("E 6-8 5 > m10", "E 6-8 +1 m10"),
        ("E -8 +1 d", "E 6-8 +1 d"),
        ("X 9 7 9 > d d d", "X 7 9 9 > d d d"),
        ("X 10 9 > m6 d", "X 9 10 > m6 d"),
        ("X 9 7 > 10 d", "X 7 9 > m10 d"),
        ("C 8x3", "C 8x3"),
        ("C 8x3 .", "C 8x3"),
        ("C 6-8 8x3", "C 6-8 8x3"),
        ("pass", "pass"),
    ],
)
def test_shorthand_is_spelled_out(written, text):
    assert canonical(TABLE, written) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "Q",
        "p",
        "B",
        "B 8",
        "B 8 8",
        "B 8x2",
        "B 11x3",
        "B 8x3 d",
        "B 8 8 9",
        "B 7 8 10",
        "E",
        "E 8x3",
        "E 8x4 +1 d",
        "E 8x3 +2 d",
        "E 8x3 9 d",
        "E 6-8 4 d",
        "E 6-8 6 d",
        "X 8 8",
        "X 8 8 >",
        "X 8 8 > d",
        "X 8 8 > d d d",
        "C",
        "pass pass",
        "use",
        "guard",
        "d",
    ],
)
def test_malformed(text):
    with pytest.raises(Malformed):
        notation.read(GAME, at(TABLE), text)


@pytest.mark.parametrize(
    ("position", "text", "candidates"),
    [
        ("market=6 hand.a=?6 a=8x3,10x3 marker=a", "E x3 +1 d", ("10x3", "8x3")),
        (
            "market=6 hand.a=?2 a=10x3,8x3 b=8x3 marker=a doing=target:n0:p-:t10x3:s-:new",
            "8x3",
            ("a8x3", "b8x3"),
        ),
    ],
)
def test_ambiguous_names_the_candidates(position, text, candidates):
    with pytest.raises(Ambiguous) as caught:
        notation.read(GAME, at(position), text)
    assert set(caught.value.candidates) == set(candidates)
    assert all(candidate in str(caught.value) for candidate in candidates)


def test_a_target_may_be_written_without_its_owner():
    position = "market=6 hand.a=?2 a=10x3 b=7x3,8x3 marker=a doing=target:n0:p-:t10x3:s-:new"
    assert canonical(position, "8x3") == "b8x3"


def test_refused_names_token_check_clause_and_figures():
    with pytest.raises(Refused) as caught:
        notation.read(GAME, at("market=5 hand.a=?6"), "P d d")
    assert str(caught.value) == "SG-3.2: P refused (purchase.hand_limit: cards 6, taken 2, limit 7)"
    assert (caught.value.token, caught.value.refusal.clause) == ("P", "SG-3.2")


def test_a_step_refused_at_its_end_leaves_nothing_behind():
    match = Match(GAME, Setup(position="market=8,9 hand.a=8,8,?3 hand.b=?5"))
    with pytest.raises(Refused, match=r"SG-3\.6: m8"):
        match.play("X 8 8 > d m8")
    assert (match.steps, len(match.points)) == ([], 1)


def test_stale_once_the_match_is_over():
    state = play(at("market=5"), "pass", "pass")
    with pytest.raises(Stale):
        notation.read(GAME, state, "pass")


def test_out_of_turn():
    match = Match(GAME, Setup(position="market=5 hand.a=?5 hand.b=?5 turn=b"))
    with pytest.raises(OutOfTurn, match="seat a: b is asked"):
        match.play("pass", 0)
    match.play("pass", 1)


def test_market_reports_are_ranks_in_the_order_turned_up():
    choices, _ = notation.read(GAME, start(), "10 8 6 8")
    assert GAME.text(choices) == "10 8 6 8"
    with pytest.raises(Malformed, match="unfinished"):
        notation.read(GAME, start(), "10 8 6")


def test_a_step_still_open_has_a_text_too():
    put = [Choice("action", "X"), Choice("put", "9"), Choice("put", "8")]
    assert GAME.text(put) == "X 8 9"
    assert GAME.text([Choice("action", "B"), Choice("build", "8")]) == "B 8"
    assert GAME.text([]) == ""


WORDS = "P X B E C 5 8 8x3 6-8 x3 +1 d d2 m6 m10 > . use pass close - * a ?"


@given(st.lists(st.sampled_from(WORDS.split()), max_size=7))
def test_any_words_are_a_step_or_an_error_of_the_tree(words):
    state = at(TABLE)
    try:
        choices, after = notation.read(GAME, state, " ".join(words))
    except (Malformed, Ambiguous, Refused):
        return
    again, same = notation.read(GAME, state, GAME.text(choices))
    assert same == after
    assert GAME.text(again) == GAME.text(choices)
