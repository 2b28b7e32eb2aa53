"""Where two states differ on the table, in words: every zone and space that does, and no other."""

import pytest

from device.match import differences
from device.texts import Texts
from engines.words import Words
from tests.engines.test_telling import NAMES, TELLING, cells, differing, pieces, steps


@pytest.mark.parametrize("name", [*TELLING][::6])
def test_each_zone_and_space_that_differs_is_told(name):
    """Over ten steps of a random match, and back; texts are strict."""
    game = TELLING[name].game
    words = Words(Texts.load("en", game.id, strict=True), game, NAMES, TELLING[name].setup.facts)
    made = steps(name)
    for before, after in zip(made[::10], made[10::10], strict=False):
        for one, other in ((before.before, after.before), (after.before, before.before)):
            told = differences(words, one, other)
            zones = {
                f"{NAMES[seat]}, {words(f'zone.{zone}')}:"
                if seat is not None
                else f"{words(f'zone.{zone}')}:"
                for (zone, seat), _, _ in differing(pieces(one, game), pieces(other, game), {})
            }
            assert all(any(line.startswith(zone) for line in told) for zone in zones)
            was, now = cells(one, game), cells(other, game)
            spaces = [key for key, cell in now.items() if was.get(key) != cell]
            assert sum(" → " in line for line in told) == len(spaces)
    assert not differences(words, made[-1].after, made[-1].after)
