"""Steps as text: shorthand, canonical form, and each way a text can fail."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import notation
from engines.contract import Choice
from engines.errors import Ambiguous, Impossible, Malformed, Refused
from tests.engines.san_gimignano.table import GAME, answer, at, play

TABLE = "market=6,8,10 hand.a=?6 hand.b=?5 a=8x3,6-8,9x3* b=7x3 marker=a"


def canonical(position, text):
    choices, _ = notation.read(GAME, at(position), text)
    return GAME.notation.text(choices)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("B 8 x3", "B 8x3"),
        ("B 8 8 8", "B 8x3"),
        ("B 10 8 9", "B 8-10"),
        ("E 8x3 8 d", "E 8x3 +1 d"),
        ("E 8x3 8 8 > d m6", "E 8x3 +2 d m6"),
        ("E 6-8 5 > m10", "E 6-8 +1 m10"),
        ("X 9 7 9 > d d d", "X 7 9 9 > d d d"),
        ("X 10 9 > m6 d", "X 9 10 > m6 d"),
        ("X 9 7 > 10 d", "X 7 9 > m10 d"),
        ("C 8x3 .", "C 8x3"),
        ("C 6-8 8x3", "C 6-8 8x3"),
    ],
)
def test_shorthand_is_spelled_out(written, text):
    assert canonical(TABLE, written) == text


NOBLE_TABLE = """market=6,8,10,via hand.a=?7 hand.b=?5 a=8x3,7-9,9x3* b=7x3 marker=a
    nobles.a=pietra,pietra,?1 used.b=mura"""


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("B 8 x4s", "B 8x4s"),
        ("B 8 8 pietra 8", "B 8x4s"),
        ("B 5-7s6", "B 5-7s6"),
        ("B 5-7s s6", "B 5-7s6"),
        ("B 5 7 pietra", "B 5-7s6"),
        ("B 6 5 9 pietra 8", "B 5-9s7"),
        ("E 8x3 8 pietra > d d", "E 8x3 +2s d d"),
        ("E 8x3 pietra 8 d d", "E 8x3 +2s d d"),
        ("E 7-9 5 pietra > d via", "E 7-9 +2s6 d mvia"),
        ("E 7-9 pietra > m6", "E 7-9 +1s6 m6"),
        ("X pietra 8 > n d", "X 8 pietra > n d"),
        ("X pietra 8 10 > via m6 n", "X 8 10 pietra > mvia m6 n"),
    ],
)
def test_nobles_and_stones_are_written_by_name(written, text):
    state = at(NOBLE_TABLE)
    choices, after = notation.read(GAME, state, written)
    assert GAME.notation.text(choices) == text
    again, same = notation.read(GAME, state, text)
    assert (GAME.notation.text(again), same) == (text, after)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("B 5 6 pietra", "say which storeys are stones"),
        ("B 5 5 6 pietra", "neither one rank"),
        ("B 5-7s", "unfinished"),
        ("B 5-7s8", "does not answer"),
        ("B 8x3ssss", "does not answer"),
        ("E 8x3 9 pietra > d d", "does not go on top"),
        ("X 8 nobody > d d", "does not answer"),
        ("via via", "does not answer|ends after"),
    ],
)
def test_malformed_nobles(text, message):
    with pytest.raises(Malformed, match=message):
        notation.read(GAME, at(NOBLE_TABLE), text)


@pytest.mark.parametrize(
    ("choice", "key", "figures"),
    [
        (Choice("action", "via"), "card.via", {"token": "via"}),
        (Choice("draw", "n"), "source.nobles", {}),
        (Choice("draw", "d"), "source.deck", {}),
        (Choice("draw", "d3"), "source.deck_rest", {"n": "3"}),
        (Choice("draw", "mvia"), "source.market", {"card": "via"}),
        (Choice("build", "5-7s"), "shape.stones", {"run": "5-7"}),
        (Choice("height", "x4ss"), "height.stones", {"n": "4", "stones": 2}),
        (Choice("storeys", "+2s5s6"), "storeys.at", {"n": "2", "stones": "5,6"}),
        (Choice("extend", "8x4s"), "tower.standing", {"tower": "8x4s"}),
        (Choice("complete", "4-7s4s6*"), "tower.standing_completed", {"tower": "4-7s4s6"}),
        (Choice("target", "b9x3*"), "tower.of_completed", {"seat": 1, "tower": "9x3"}),
        (Choice("stones", "s4s6"), "stones.at", {"ranks": "4,6"}),
        (Choice("traded", "n2"), "count.nobles", {"n": 2}),
        (Choice("final_closer", "-"), "final_marker.-", {"token": "-"}),
        (Choice("giostra", "giostra"), "giostra.giostra", {"token": "giostra"}),
    ],
)
def test_labels(choice, key, figures):
    label = GAME.notation.label(choice)
    assert (label.key, dict(label.figures)) == (key, figures)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "B",
        "B 8",
        "B 11x3",
        "B 8x3 d",
        "E 8x4 +1 d",
        "X 8 8 > d d d",
        "C",
        "pass pass",
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


def test_a_step_still_open_has_a_text_too():
    put = [Choice("action", "X"), Choice("put", "9"), Choice("put", "8")]
    assert GAME.notation.text(put) == "X 8 9"
    assert GAME.notation.text([Choice("action", "B"), Choice("build", "8")]) == "B 8"
    assert GAME.notation.text([]) == ""


WORDS = (
    "P X B E C via pietra 5-7s 8x4s +1s s6 n mvia 5 8 8x3 6-8 x3 +1 d d2 m6 m10 > . use pass close - * a ?"
)


@given(st.lists(st.sampled_from(WORDS.split()), max_size=7))
def test_any_words_are_a_step_or_an_error_of_the_tree(words):
    state = at(NOBLE_TABLE if len(words) % 2 else TABLE)
    try:
        choices, after = notation.read(GAME, state, " ".join(words))
    except (Malformed, Ambiguous, Refused):
        return
    again, same = notation.read(GAME, state, GAME.notation.text(choices))
    assert same == after
    assert GAME.notation.text(again) == GAME.notation.text(choices)


@pytest.mark.parametrize(("step", "clause"), [("E 7x3 7", "SG-3.9"), ("C 7x3", "SG-3.11")])
def test_another_s_tower_is_refused_by_its_clause(step, clause):
    state = at("market=5,5 hand.a=?3 hand.b=?5 a=8x3,9x3 b=7x3 marker=a")
    with pytest.raises(Refused) as caught:
        play(state, step)
    assert caught.value.refusal.clause == clause
    asked = at(GAME.position.write(state), step[0])
    with pytest.raises(Impossible):
        GAME.rules.overrule(asked, answer(asked, "7x3"), clause)


@pytest.mark.parametrize(
    ("step", "canonical"),
    [
        ("P d1 m6", "P m6 d1"),
        ("P m6 d1", "P m6 d1"),
        ("X 8 8 8 > d1 m6 d1", "X 8 8 8 > m6 d2"),
    ],
)
def test_at_level_table_draws_are_told_in_any_order(step, canonical):
    state = at("level=table market=6,8,10 hand.a=?5 hand.b=?5")
    choices, after = notation.read(GAME, state, step)
    assert GAME.notation.text(choices) == canonical
    assert after == play(state, canonical)


def test_with_two_decks_draws_stay_in_the_order_they_are_told_in():
    state = at("level=table market=6,8,10 hand.a=?5 hand.b=?5 nobles=?10")
    choices, _ = notation.read(GAME, state, "P d1 m6")
    assert GAME.notation.text(choices) == "P d1 m6"
