"""The track, the end of a phase, and who is last, first and winner (TO-3.10, TO-3.11, TO-5)."""

import pytest

from engines.contract import Level
from engines.torres.scoring import skip
from tests.engines.torres.table import GAME, start


@pytest.mark.parametrize(
    ("points_", "seat", "landing", "further"),
    [
        ((0, 0), 0, 3, 0),
        ((0, 3), 0, 3, 1),
        ((0, 3, 4), 0, 3, 2),
        ((0, 3, 5), 0, 3, 1),
        ((0, 0, 0), 0, 0, 0),  # the start is shared
        ((3, 4), 0, 4, 1),  # its own space counts for nobody
        ((3, 4), 1, 4, 0),
    ],
)
def test_a_taken_space_is_passed_over(points_, seat, landing, further):
    assert skip(list(points_), seat, landing) == landing + further


def test_a_match_counts_in_what_its_options_and_level_have():
    played = ("steps", "castles", "king", "bumps")
    assert GAME.scoring.counted(start(2)) == played
    assert GAME.scoring.counted(start(3, 0, master="yes")) == played
    carded = start(3, 0, master="yes", master_cards="yes")
    assert GAME.scoring.counted(carded) == ("steps", "castles", "king", "cards", "bumps")
    assert GAME.scoring.counted(start(2, level=Level.SCORE)) == ("track", "castles", "king", "bumps")
