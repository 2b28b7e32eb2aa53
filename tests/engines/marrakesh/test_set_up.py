"""Setting up (MK-1.5)."""

import pytest
from msgspec.structs import replace

from device.texts import Texts
from engines.contract import Setup
from engines.errors import BadSetup
from engines.facts import BadFact, Facts, Known, sample, to_ask, with_facts
from engines.marrakesh.book import EXPANSIONS
from engines.marrakesh.facts import SCHEMA
from engines.marrakesh.state import Side
from engines.words import Words
from tests.engines.marrakesh.lines import EVERYTHING, GAME, answer, at, setup, turn

WORDS = Words(Texts.load("en", "marrakesh", strict=True), GAME, ())


def test_what_is_left_in_the_bag_goes_by_itself():
    """Four draw two each of eight: the last player's last keshi is told by the others."""
    state = GAME.rules.start(setup(4))
    for token in "tgkwybp":
        assert GAME.rules.pending(state).question == "stock"
        state = GAME.rules.apply(state, answer(state, token))
    assert [side.stock.replace("-", "") for side in state.sides] == ["tg", "kw", "yb", "pr"]
    assert GAME.rules.pending(state).question == "turn_up"


@pytest.mark.parametrize("each", EXPANSIONS, ids=lambda each: each.name)
def test_mk_17_what_an_expansion_lays_out_is_told_first(each):
    state = GAME.rules.start(setup(3, **{each.name: each.option.values[1]}))
    (said,) = WORDS.labels(GAME.telling.opening(state))
    assert said.endswith(".")
    state = GAME.rules.apply(state, answer(state, "t"))
    assert GAME.telling.opening(state) == ()


@pytest.mark.parametrize(("seats", "n"), [(2, 3), (3, 5), (4, 7)])
def test_mk_17_5_so_many_towns_lie_out(seats, n):
    state = GAME.rules.start(setup(seats, desert_towns="yes"))
    (said,) = WORDS.labels(GAME.telling.opening(state))
    assert f"{n} of 12 towns" in said


def test_nothing_is_laid_out_in_the_base_game_or_later_on():
    assert GAME.telling.opening(GAME.rules.start(setup())) == ()
    assert GAME.telling.opening(at(turn(**EVERYTHING))) == ()
    state = at(turn(**EVERYTHING))
    empty = tuple(replace(side, stock=Side().stock) for side in state.sides)
    assert GAME.telling.opening(replace(state, sides=empty)) == ()


def test_mk_17_4_of_the_disc_only_the_side_that_is_played_is_asked():
    """The pink side before a match, the purple one when it first matters."""
    pink, purple = (Setup(options=(("spectators", side),)) for side in ("pink", "purple"))
    made_up = sample(SCHEMA)
    unseen = replace(made_up, known={**made_up.known, "disc": Known()})
    assert [fact.name for fact in to_ask(unseen, pink)] == ["disc"]
    assert to_ask(unseen, purple) == []
    with pytest.raises(BadSetup, match="disc must be known first"):
        GAME.rules.start(with_facts(unseen, pink))
    setup = with_facts(unseen, purple)
    state = GAME.rules.start(setup)
    assert GAME.rules.pending(state).question == "stock"
    assert GAME.position.parse(GAME.position.write(state), setup.facts) == state


@pytest.mark.parametrize("line", ["link.11", "line_spaces.11"])
def test_mk_11_2_a_line_has_a_bonus(line):
    with pytest.raises(BadFact, match=f"{line}: .*length >= 1"):
        Facts.of(SCHEMA).confirm({line: ()})
