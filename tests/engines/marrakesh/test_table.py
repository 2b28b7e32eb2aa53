"""Matches whose reports come from real pieces."""

from random import Random

import pytest

from tests.engines.marrakesh.lines import setup
from tests.engines.marrakesh.table import REAL
from tests.engines.walks import walk


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_tile_comes_up_once(seats):
    """A match to its end; what is taken lay on the table, and no tile is taken twice."""
    for made in walk(REAL, setup(seats, known=seats != 3), Random(seats)):
        (choice,) = made.choices.values()
        assert REAL.rules.why_not(made.state, choice) is None
    sides = made.after.sides
    for taken in ("scrolls", "oases", "goods", "demands"):
        tiles = [tile for side in sides for tile in getattr(side, taken)]
        assert len(set(tiles)) == len(tiles)
