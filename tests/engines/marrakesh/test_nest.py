"""The deepest nesting of bonuses: whatever is answered there ends."""

from random import Random

import pytest

from engines.contract import Choice, Decide
from engines.kit.rulebook import question
from engines.marrakesh.problems import find_current
from engines.match import replay
from tests.engines.marrakesh.lines import GAME
from tests.engines.marrakesh.nest import DOWN, SETUP, steps


def answer(state, rng):
    """Anything that is legal."""
    asked = GAME.rules.pending(state)
    if asked.domain.listed:
        return rng.choice(GAME.rules.legal(state))
    if isinstance(asked, Decide):
        choice = Choice(asked.question, asked.domain.draw(rng))
        if GAME.rules.why_not(state, choice) is None:
            return choice
    return GAME.worlds.answer(GAME.worlds.sample(state, rng), state, rng)


@pytest.mark.parametrize("number", range(12))
def test_whatever_is_answered_there_the_action_ends(number):
    rng, state = Random(number), replay(GAME, SETUP, steps()[: len(DOWN)]).state
    while question(state) != "action":
        written = GAME.position.write(state)
        assert GAME.position.read(written, SETUP.facts) == state
        state = GAME.rules.apply(state, answer(state, rng))
    assert len(state.frames) - len(find_current(state).coming) == 2  # it, and the turn's other assistants
