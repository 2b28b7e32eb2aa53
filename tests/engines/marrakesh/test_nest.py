"""The deepest nesting of bonuses: it is as deep as is said, and whatever is answered there ends."""

from random import Random

import pytest

from engines.contract import Choice, Decide
from engines.kit.rulebook import question
from engines.marrakesh.problems import current
from engines.match import Match
from tests.engines.marrakesh.lines import GAME
from tests.engines.marrakesh.nest import DEPTH, DOWN, SETUP, nesting, steps


def played(number):
    """The match after so many steps, and its states."""
    match = Match(GAME, SETUP)
    states = [match.state]
    for step in steps()[:number]:
        match.play(step.text, step.seat)
        states.append(match.state)
    return match, states


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


def test_the_way_down_is_as_deep_as_is_said():
    _, states = played(len(DOWN))
    assert nesting(states) == DEPTH == max(nesting(states[: n + 1]) for n in range(len(states)))


def test_on_the_way_up_all_that_waited_is_done():
    match, states = played(len(steps()))
    assert match.pending.question == "action"
    assert nesting(states) == 1


@pytest.mark.parametrize("number", range(12))
def test_whatever_is_answered_there_the_action_ends(number):
    match, _ = played(len(DOWN))
    rng, state = Random(number), match.state
    while question(state) != "action":
        written = GAME.position.write(state)
        assert GAME.position.read(written, SETUP.facts) == state
        state = GAME.rules.apply(state, answer(state, rng))
    assert len(state.frames) - len(current(state).coming) == 2  # it, and the turn's other assistants
