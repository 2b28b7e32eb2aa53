"""Counted trees, by two generators: the fast list, and the domain filtered by the checks.

The figures are data of each game's tests: ``tests/engines/<game>/perft.py`` has ``FIGURES``, by name a
position and how many ways there are to make one choice, two, and so on.
"""

import pytest

import engines
from engines.search import divide, perft
from tests.engines.asked import Asked
from tests.engines.cases import brought
from tests.engines.test_conformance import by_checks

FIGURES = [
    pytest.param(engines.game(game_id), *figures, id=f"{game_id} {name}")
    for game_id in engines.GAMES
    for name, figures in brought(game_id, "perft", "FIGURES", {}).items()
]
DEEP = 1_000
"""The checks are asked as long as there are fewer leaves."""


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
