"""What a camera saw of the towers, read as steps."""

from __future__ import annotations

import pytest

from engines.contract import Choice
from engines.errors import EngineError, Malformed
from engines.observation import Observation
from engines.search import Exact, OutOfStep, Several, interpret
from tests.engines.san_gimignano.table import GAME, at, play

TABLE = "market=6,8 hand.a=?6 hand.b=?5 a=5-7,8x3 b=9x3 marker=a"


def see(state, *texts):
    return interpret(GAME, state, Observation("towers", tuple((text, 0.9 / len(texts)) for text in texts)))


@pytest.mark.parametrize(
    ("seen", "text"),
    [
        ("a=5-7,8x3,8x4 b=9x3", "B 8x4"),
        ("a=5-7,8x3,8-10 b=9x3", "B 8-10"),
        ("a=5-7,8x5 b=9x3", "E 8x3 +2"),
        ("a=5-7*,8x3 b=9x3", "C 5-7"),
        ("a=5-7*,8x3* b=9x3", "C 5-7 8x3"),
    ],
)
def test_one_step_explains_what_was_seen(seen, text):
    found = see(at(TABLE), seen)
    assert isinstance(found, Exact)
    assert GAME.text(found.choices) in (text, " ".join([text.split()[0], *reversed(text.split()[1:])]))


def test_an_unchanged_table_is_no_step():
    assert see(at(TABLE), "a=8x3,5-7 b=9x3") == Exact(())


def test_an_extension_leaves_the_draw_to_be_asked():
    found = see(at(TABLE), "a=5-7,8x4 b=9x3")
    state = at(TABLE)
    for choice in found.choices:
        state = GAME.apply(state, choice)
    assert GAME.pending(state).question == "draw"


def test_the_tower_a_ten_destroyed_names_the_target():
    state = play(at("market=6 hand.a=?6 hand.b=8,8 b=7x3,8x3 marker=b"), "B 10x3")
    assert see(state, "a=10x3 b=7x3") == Exact((Choice("donazione", "use"), Choice("target", "b8x3")))


def test_the_tower_that_falls_says_there_was_no_guard():
    state = play(at("market=6 hand.a=?6 hand.b=?5 b=8x3 marker=b"), "B 10x3", "use")
    assert see(state, "a=10x3 b=-") == Exact((Choice("guard", "allow"),))


def test_several_steps_may_lead_to_the_same_towers():
    """With no donazione to decline, a second 10 tower destroys the first: the same as one storey added."""
    state = at("market=6 hand.a=10,10,10,10 hand.b=?5 a=10x3 marker=a donazione=must")
    found = see(state, "a=10x4 b=-")
    assert isinstance(found, Several)
    assert {GAME.text(choices) for choices in found.explanations} == {"B 10x4", "E 10x3 +1"}


def test_out_of_step_names_what_is_left_unexplained():
    found = see(at(TABLE), "a=5-7,8x3,10x3 b=9x4")
    assert isinstance(found, OutOfStep)
    assert GAME.text(found.nearest) == "B 10x3"
    assert found.differences == ("+b9x4", "-b9x3")


def test_out_of_step_names_the_rule_in_the_way():
    found = see(at(TABLE.replace("8x3", "8x3*,10x3")), "a=5-7,8x4*,10x3 b=9x3")
    assert isinstance(found, OutOfStep)
    assert found.refusal is not None
    assert (found.refusal.check, found.refusal.clause) == ("extend.complete", "SG-3.11")


def test_the_likeliest_candidate_that_can_be_explained_counts():
    found = see(at(TABLE), "a=5-7 b=9x3", "a=5-7,8x4 b=9x3", "a=5-7*,8x3 b=9x3")
    assert isinstance(found, Exact)
    assert GAME.text(found.choices) == "E 8x3 +1"


def test_of_candidates_none_of_which_can_be_the_first_is_answered():
    found = see(at(TABLE), "a=5-7 b=9x3", "a=- b=-")
    assert isinstance(found, OutOfStep)
    assert found.differences == ("-a8x3",)


@pytest.mark.parametrize("text", ["a=8x2", "c=8x3", "a", "a=8x3 a=-", "a=x"])
def test_a_layout_that_is_not_written_as_one(text):
    with pytest.raises(Malformed):
        see(at(TABLE), text)


def test_an_observation_of_nothing():
    with pytest.raises(EngineError):
        interpret(GAME, at(TABLE), Observation("towers", ()))


def test_layouts_read_as_positions_do():
    assert GAME.read_layout("a=5-7,8x3 b=9x3") == GAME.layout(at(TABLE))
    assert GAME.read_layout("a=- b=-") == ((), ())
