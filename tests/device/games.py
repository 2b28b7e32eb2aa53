"""Random plausible games as lists of steps, and matches opened for them."""

from __future__ import annotations

from functools import cache
from random import Random

import engines
from engines.contract import Level, Setup
from engines.match import Match, Step
from tests.engines.walks import walk

FULL = Setup()
TABLE_LEVEL = Setup(level=Level.TABLE)
MUST = Setup(start=1, options=(("donazione", "must"),))


@cache
def game_steps(seed: int, setup: Setup = FULL, game_id: str = "san_gimignano") -> tuple[Step, ...]:
    """The steps of one random game from set-up to its end, always the same for a seed."""
    game = engines.game(game_id)
    steps, begun = [], []
    for made in walk(game, setup, Random(seed)):
        if len(made.choices) > 1:
            steps += [Step(seat, choice.token) for seat, choice in made.choices.items()]
            continue
        ((seat, choice),) = made.choices.items()
        begun.append(choice)
        if not game.pending(made.after).open:
            steps.append(Step(seat, game.text(begun)))
            begun = []
    return tuple(steps)


def replayed(steps, setup: Setup = FULL, game_id: str = "san_gimignano") -> Match:
    """The match after these steps."""
    match = Match(engines.game(game_id), setup)
    for step in steps:
        match.play(step.text, step.seat)
    return match


def enter(referee, steps) -> None:
    """Send steps to a referee and wait for the disk."""
    for step in steps:
        referee.step(step.text, seat=step.seat, channel="keys")
    assert referee.wait(30)
