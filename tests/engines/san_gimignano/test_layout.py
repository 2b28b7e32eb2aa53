"""What a camera saw of the towers, read as steps."""

import pytest

from engines import search
from engines.contract import Choice, Exact, OutOfStep, Several
from engines.errors import Malformed
from engines.readings import Observation, interpret
from engines.search import steps_of
from tests.engines.san_gimignano.table import GAME, at, play

TABLE = "market=6,8 hand.a=?6 hand.b=?5 a=5-7,8x3 b=9x3 marker=a"


def see(state, *texts):
    return interpret(GAME, state, Observation("towers", tuple((text, 0.9 / len(texts)) for text in texts)))


STONES = "market=6,8 hand.a=?6 hand.b=?5 a=7-9,8x3 b=9x3 marker=a nobles.a=pietra,pietra used.b=via"


@pytest.mark.parametrize(
    ("seen", "text"),
    [
        ("a=7-9,8x3,8x4s b=9x3", "B 8x4s"),
        ("a=7-9,8x3,8x4ss b=9x3", "B 8x4ss"),
        ("a=7-9,8x3,4-7s4s6 b=9x3", "B 4-7s4s6"),
        ("a=7-9,8x5s b=9x3", "E 8x3 +2s"),
        ("a=4-9s4s6,8x3 b=9x3", "E 7-9 +3s4s6"),
    ],
)
def test_a_step_with_stones_explains_what_was_seen(seen, text):
    found = see(at(STONES), seen)
    assert isinstance(found, Exact)
    assert GAME.notation.text(found.choices) == text


def test_a_stone_where_none_may_be_used_is_out_of_step():
    found = see(at(STONES.replace("used.b=via", "used.a=via")), "a=7-9,8x3,8x4s b=9x3")
    assert isinstance(found, OutOfStep)
    assert set(found.differences) <= {"+a8x4s", "-a8x4"}


def test_what_a_giostra_takes_down_says_that_it_was_played():
    state = play(at("market=6 hand.a=?6 hand.b=?5 nobles.a=pietra nobles.b=?1"), "B 8x4s")
    assert see(state, "a=8x4s b=-") == Exact(())
    assert see(state, "a=8x3 b=-") == Exact((Choice("giostra", "giostra"),))
    state = play(state, "giostra")
    assert see(state, "a=- b=-") == Exact((Choice("remains", "back"),))


def test_which_of_two_stones_was_cancelled_shows():
    text = "market=5 hand.a=6,7,9,?1 hand.b=?5 nobles.a=pietra,pietra nobles.b=?1 used.b=via"
    state = play(at(text), "B 5-9s5s8")
    assert see(state, "a=6-9s8 b=-") == Exact((Choice("giostra", "giostra"), Choice("cancel", "s5")))


def test_completed_towers_with_stones():
    state = at("market=6 hand.a=?6 hand.b=?5 a=7-9s8,8x3 b=9x3 marker=a used.a=pietra")
    found = see(state, "a=7-9s8*,8x3 b=9x3")
    assert found == Exact((Choice("action", "C"), Choice("complete", "7-9s8")))
    assert isinstance(see(state, "a=7-9*,8x3 b=9x3"), OutOfStep)


def test_an_unchanged_table_is_no_step():
    assert see(at(TABLE), "a=8x3,5-7 b=9x3") == Exact(())


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
    assert {GAME.notation.text(choices) for choices in found.explanations} == {"B 10x4", "E 10x3 +1"}


def test_out_of_step_names_the_rule_in_the_way():
    found = see(at(TABLE.replace("8x3", "8x3*,10x3")), "a=5-7,8x4*,10x3 b=9x3")
    assert isinstance(found, OutOfStep)
    assert found.refusal is not None
    assert (found.refusal.check, found.refusal.clause) == ("extend.complete", "SG-3.11")


def texts(state, found):
    return [steps_of(GAME, state, choices) for choices in found.explanations]


# Several steps of a turn

CONSPIRED = [
    ("market=6 hand.a=?6 hand.b=8,8 b=7x3,8x3 marker=b", "a=10x3 b=7x3", ["B 10x3", "use b8x3"]),
    # Whom the tower belonged to may have guarded it.
    ("market=6 hand.a=?6 hand.b=?5 b=8x3 marker=b", "a=10x3 b=-", ["B 10x3", "use", "allow"]),
]


@pytest.mark.parametrize(("table", "seen", "steps"), CONSPIRED)
def test_a_ten_tower_and_the_tower_it_destroyed(table, seen, steps, monkeypatch):
    state = at(table)
    found = see(state, seen)
    assert isinstance(found, Exact)
    assert steps_of(GAME, state, found.choices) == steps
    for text in steps:
        state = play(state, text)
    assert str(GAME.sight.of(state)) == str(GAME.sight.read(seen))
    monkeypatch.setattr(search, "MOST_STATES", 3)  # grown too long, it is out of step
    assert isinstance(see(at(table), seen), OutOfStep)


def test_the_turn_of_the_other_seat_is_not_read_on():
    found = see(at(TABLE), "a=5-7,8x4 b=9x4")
    assert isinstance(found, OutOfStep)
    found = see(at(TABLE), "a=5-7*,8x3 b=9x3*")
    assert isinstance(found, OutOfStep)
    assert found.differences == ("+b9x3*", "-b9x3")


@pytest.mark.parametrize("text", ["a=8x2", "c=8x3", "a", "a=8x3 a=-", "a=x", "a=5-7s8", "a=4-7"])
def test_a_layout_that_is_not_written_as_one(text):
    with pytest.raises(Malformed):
        see(at(TABLE), text)


def test_layouts_read_as_positions_do():
    assert GAME.sight.read("a=5-7,8x3 b=9x3") == GAME.sight.of(at(TABLE))
    assert GAME.sight.read("a=- b=-") == ((), ())
    stones = "a=7-9s8*,8x4s b=-"
    assert GAME.sight.read(stones) == GAME.sight.of(
        at(f"market=5 {stones} marker=a used.a=pietra,pietra used.b=via")
    )
