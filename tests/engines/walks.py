"""Random matches for the tests: played in a sampled world, so that every step in them is true somewhere."""

import os
from random import Random
from typing import Any

from msgspec import Struct

from engines.contract import Choice, Decide, Report
from engines.search import true_choices

SMOKE = 24


class Made(Struct, frozen=True):
    """One choice made on a walk (or all seats' sealed ones, by seat), with the world it was made in."""

    state: Any
    choices: dict[int | None, Choice]
    after: Any
    world: Any


def seldom_pass(game, state, world, seat, true, rng):
    """Any true choice; ``pass`` only one time in twenty where there is another, or matches end at once."""
    doing = [choice for choice in true if choice.token != "pass"]
    return rng.choice(doing if doing and rng.random() > 0.05 else true)


def walk(game, setup, rng: Random, choose=seldom_pass):
    """One whole match; ``choose`` picks one of what a seat's pieces truly allow."""
    state = game.rules.start(setup)
    world = game.worlds.sample(state, rng)
    while not state.termination:
        pending = game.rules.pending(state)
        here = world
        if isinstance(pending, Report):
            choices: dict[int | None, Choice] = {None: game.worlds.answer(world, state, rng)}
        else:
            choices = {}
            for seat in pending.seats:
                true = true_choices(game, world, state, seat, rng)
                choices[seat] = choose(game, state, world, seat, true, rng)
        for choice in choices.values():
            world = game.worlds.advance(world, state, choice, rng)
        sealed = isinstance(pending, Decide) and len(pending.seats) > 1
        after = (
            game.rules.reveal(state, [*choices.values()])
            if sealed
            else game.rules.apply(state, *choices.values())
        )
        yield Made(state, choices, after, here)
        state = after


def seed() -> int:
    """PODESTA_SEED, else 1: the same walks every day. Shown by pytest where the test fails."""
    number = int(os.environ.get("PODESTA_SEED", "1"))
    print(f"PODESTA_SEED={number}")
    return number


def soak(size: int, smoke: int = SMOKE) -> int:
    """The size of a long run: ``size``, or where PODESTA_SOAK=smoke at most ``smoke``."""
    return min(size, smoke) if os.environ.get("PODESTA_SOAK") == "smoke" else size
