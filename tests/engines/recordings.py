"""Matches that players of the tests play and that are kept as match files in ``tests/matches``."""

import sys
from pathlib import Path
from random import Random

from engines import matchfile
from engines.contract import Decide
from engines.match import Match
from engines.search import true_choices

MATCHES = Path(__file__).parents[1] / "matches"


def record(game, setup, choose, seed, rulings=()):
    """A match played to its end; ``choose`` as for walks, ``rulings`` are what people ruled, by how many
    steps had been made.
    """
    match, rng, ruled = Match(game, setup), Random(seed), dict(rulings)
    state = match.state
    world = game.worlds.sample(state, rng)
    begun = []
    while not state.termination:
        if not begun and ruled.get(len(match.steps)):
            match.make(ruled[len(match.steps)])
            state = match.state
            world = game.worlds.sample(state, rng)
            continue
        pending = game.rules.pending(state)
        if isinstance(pending, Decide):
            seat = pending.seats[0]
            true = true_choices(game, world, state, seat, rng)
            choice = choose(game, state, world, seat, true, rng)
        else:
            choice = game.worlds.answer(world, state, rng)
        world = game.worlds.advance(world, state, choice, rng)
        state = game.rules.apply(state, choice)
        begun.append(choice)
        if not game.rules.pending(state).open:
            match.play(game.notation.text(begun))
            begun = []
    return match


def file(match, names, note):
    """The match written down."""
    return matchfile.MatchFile(
        game=match.game.id,
        rules_version=match.game.played_by(match.setup),
        names=names,
        setup=match.setup,
        steps=tuple(match.steps),
        simulated=True,
        note=note,
        result=matchfile.result(match),
    )


def keep(files):
    """Write match files by name."""
    for name, written in files.items():
        path = MATCHES / f"{name}.match"
        path.write_text(matchfile.write(written), "utf-8")
        sys.stdout.write(f"{path.name}\n")
