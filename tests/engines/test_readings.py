"""What a reading means: of a layout by its sight, of an answer to a report, of a number of things.

Layouts of several places and steps are read in tests/engines/castles_of_tuscany and san_gimignano.
"""

import pytest
from msgspec.structs import replace

from engines.contract import Choice, Exact, OutOfStep, Refusal, Several
from engines.errors import EngineError, Malformed
from engines.readings import Observation, believed, interpret, read, readings, written
from engines.search import changes
from tests.engines import grid_toy, tower_toy, toy


def see(state, what, *texts, game):
    return interpret(game, state, Observation(what, tuple((text, 0.9 / len(texts)) for text in texts)))


# Layouts


def test_candidates_that_mean_the_same_are_one():
    def heights(text):
        return f"{text}/0000/0000 a=a1 b=d3"

    seen = ((heights("0100"), 0.35), (heights("0010"), 0.33), (heights("0010"), 0.3))
    found, _ = believed(grid_toy.GAME, grid_toy.Stones(), Observation("board", seen))
    assert [choices[0].token for choices in found.explanations] == ["Bc1", "Bb1"]
    assert found.chances == pytest.approx((0.63, 0.35))
    sure = Observation("board", ((heights("0100"), 0.9),) * 2)
    assert believed(grid_toy.GAME, grid_toy.Stones(), sure)[1] == 1


def test_sealed_choices_are_not_guessed():
    found = interpret(toy.GAME, toy.Beans(), Observation("beans_left", (("3r5g", 0.9),)))
    assert found == OutOfStep((), ("3r5g",), None)


def test_a_turn_of_one_step_ends_with_it():
    state = grid_toy.Stones()
    assert see(state, "board", "0100/0000/0000 a=a1 b=d3", game=grid_toy.GAME) == Exact(
        (Choice("action", "Bb1"),)
    )
    found = see(state, "board", "0110/0000/0000 a=a1 b=d3", game=grid_toy.GAME)
    assert found.differences == ("+Bc1",)


def test_a_piece_that_is_elsewhere_is_one_change():
    assert [changes(words) for words in ((), ("+Bd3",), ("+ac4", "-ac3"), ("-ac3", "-Bd3"))] == [0, 1, 1, 2]


# Answers to a report

ASKED = toy.Beans(guesses=("odd", "even"), left=toy.BEANS.read("2r5g"))


def answered(*candidates, what="beans"):
    return believed(toy.GAME, ASKED, Observation(what, candidates))


def test_an_answer_is_exact():
    assert answered(("1r2g", 0.9)) == (Exact((Choice("beans", "1r2g"),)), 0.9)
    assert answered(("1r2g", 0.9), what="fact")[0] == Exact((Choice("beans", "1r2g"),))


def test_several_answers_have_their_chances():
    found, sure = answered(("1r2g", 0.6), ("2r1g", 0.3))
    assert found == Several(((Choice("beans", "1r2g"),), (Choice("beans", "2r1g"),)), (0.6, 0.3))
    assert sure == pytest.approx(0.9)


def test_an_answer_that_cannot_be_leaves_the_others():
    found, sure = answered(("3r", 0.7), ("2r1g", 0.2), ("5 beans", 0.1))
    assert (found, sure) == (Exact((Choice("beans", "2r1g"),)), 0.2)


def test_one_that_the_rules_refuse_is_out_of_step_with_the_clause():
    found, sure = answered(("3r", 0.7), ("what", 0.2))
    refusal = Refusal("beans.left", "T-2", (("left", 7),), (("r", 0),))
    assert (found, sure) == (OutOfStep((), ("3r",), refusal), 0.7)


def test_what_is_no_answer_at_all_is_malformed():
    with pytest.raises(Malformed, match="'what' does not answer 'beans'"):
        answered(("what", 0.9), ("nonsense", 0.1))
    with pytest.raises(EngineError, match="an observation of 'beans' with no candidate"):
        answered()
    with pytest.raises(Malformed, match="no reading 'tray' is taken now; there are beans_left, beans, fact"):
        answered(("1r", 0.9), what="tray")


# A tray


THROWN = replace(tower_toy.Tower(3, (1, 1)), thrown=tower_toy.PEBBLES.read("2r1g"))
"""Another red one is inside."""


def tray(*texts, state=THROWN):
    return see(state, "tray", *texts, game=tower_toy.GAME)


def test_what_is_asked_and_seen_under_one_name_is_an_answer():
    assert readings(tower_toy.GAME, THROWN) == ("tray", "fact")
    assert tray("2r1g") == Exact((Choice("tray", "2r1g"),))
    found = tray("4r")
    assert (found.differences, found.refusal.check) == (("4r",), "tray.conservation")


def test_a_number_of_things_is_what_the_game_makes_of_it():
    found = tray("total 3")
    assert [choices[0].token for choices in found.explanations] == ["2r1g", "3r"]
    assert found.chances == pytest.approx((0.45, 0.45))
    assert tray("total 5").refusal.check == "tray.total"
    assert tray("total 4") == Exact((Choice("tray", "3r1g"),))


def test_of_several_numbers_each_counts_as_much_as_its_contents():
    seen = Observation("tray", (("total 3", 0.8), ("total 4", 0.15)))
    found, sure = believed(tower_toy.GAME, THROWN, seen)
    assert [choices[0].token for choices in found.explanations] == ["2r1g", "3r", "3r1g"]
    assert (found.chances, sure) == (pytest.approx((0.4, 0.4, 0.15)), pytest.approx(0.95))


def test_without_a_throw_a_number_says_nothing():
    assert tray("total 3", state=tower_toy.Tower(3, (1, 1))) == Exact(())


def test_an_observation_is_read_as_it_is_written():
    seen = Observation("tray", (("2r1g", 0.8), ("6 8 8", 0.15)))
    assert written(seen) == "tray 0.80 2r1g | 0.15 6 8 8"
    assert read(written(seen)) == seen


@pytest.mark.parametrize(
    ("candidates", "totals"),
    [
        ((("total 9", 0.8), ("total 10", 0.1)), {9: 0.8, 10: 0.1}),
        ((("total 9", 0.8), ("2r", 0.1)), {}),
        ((("total 9 r", 0.8),), {}),
    ],
)
def test_only_bare_numbers_are_totals(candidates, totals):
    assert Observation("tray", candidates).totals == totals
