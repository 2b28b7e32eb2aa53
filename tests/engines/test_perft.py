"""Counted trees, by two generators: the fast list, and the domain filtered by the checks.

The figures are data of each game's tests: ``tests/engines/<game>/perft.py`` has ``FIGURES``, by name a
position and how many ways there are to make one choice, two, and so on.
"""

from itertools import product
from math import prod

import pytest

import engines
from engines.conformance import TriedGame
from engines.contract import Decide, Over, Setup
from engines.search import divide, perft
from tests.engines.asked import Asked
from tests.engines.cases import brought

FIGURES = [
    pytest.param(engines.game(game_id), *figures, id=f"{game_id} {name}")
    for game_id in engines.GAMES
    for name, figures in brought(game_id, "perft", "FIGURES", {}).items()
]
DEEP = 1_000
"""The checks are asked as long as there are fewer leaves."""


def by_checks(game, state, depth):
    """perft again, by the checks."""
    if depth == 0:
        return 1
    pending = game.rules.pending(state)
    if isinstance(pending, Over):
        return 0
    seats = pending.seats if isinstance(pending, Decide) else (None,)
    choices = [TriedGame(game, Setup()).passing(state, seat) for seat in seats]
    if depth == 1:
        return prod(map(len, choices))
    if len(choices) > 1:
        return sum(by_checks(game, game.rules.reveal(state, each), depth - 1) for each in product(*choices))
    return sum(by_checks(game, game.rules.apply(state, choice), depth - 1) for choice in choices[0])


@pytest.mark.parametrize("game_id", engines.GAMES)
def test_every_game_brings_figures(game_id):
    assert brought(game_id, "perft", "FIGURES", {}), f"tests/engines/{game_id}/perft.py"


@pytest.mark.parametrize(("game", "position", "figures"), FIGURES)
def test_perft(game, position, figures):
    state = Asked(game).at(position)
    assert [perft(game, state, depth) for depth in range(len(figures) + 1)] == [1, *figures]
    for depth, figure in enumerate(figures, 1):
        if figure < DEEP:
            assert by_checks(game, state, depth) == figure
    split = divide(game, state, 2)
    assert sum(split.values()) == figures[1]
    assert list(split) == [choice.token for choice in game.rules.legal(state)]
