"""Boards that slipped, things in the way and a region turned round are named, and none is read as placed."""

from functools import cache

import pytest

from device.sensors.readers import judging
from device.texts import said
from tests.device.sensors.readers.castles_of_tuscany.regions import PITCH_MM, Watching, region
from tests.device.sensors.readers.castles_of_tuscany.test_reader import GAME, HEADER, states

WRONG = {
    "part of a hex": ({"moved": ((7, 0), (0, 0), (0, 0))}, "regions.slipped.right"),
    "half a hex": ({"moved": ((0, 0), (-PITCH_MM / 2, 0), (0, 0))}, "regions.slipped.left"),
    "as with another seam": ({"moved": ((0, 0), (0, 0), (PITCH_MM, 0))}, "regions.slipped.right"),
    "away from the others": ({"moved": ((0, 6), (0, 0), (0, 0))}, "regions.slipped.far"),
    "towards its owner": ({"moved": ((0, 0), (0, 0), (0, -6))}, "regions.slipped.near"),
    "a stack": ({"stack": (8.0, 60.0)}, "regions.beside"),
    "turned": ({"turned": True}, "regions.turned"),
}


@cache
def first():
    """The picture of the table before the turn."""
    return region(GAME, states()[9][0], 1)


@pytest.mark.parametrize("name", WRONG)
def test_what_lies_wrong_is_named_and_nothing_is_read(name):
    before, _, _ = states()[9]
    in_the_way, key = WRONG[name]
    watching = Watching(GAME, HEADER.setup, before)
    if name == "a stack":  # it comes while the reader watches; the others are told by the first picture too
        assert watching.look(first())[0].as_expected
    finding, told, troubles = watching.look(region(GAME, before, 2, **in_the_way))
    assert (finding.verdict, told, [*troubles]) == (None, None, [key])
    if name == "half a hex":
        assert troubles[key]["board"] == before.sides[0].boards[1][:2]
        assert abs(troubles[key]["mm"] - PITCH_MM / 2) <= 1
    assert "{" not in str(said(key, **troubles[key]))


@pytest.mark.parametrize(
    "moved",
    [((1, 0), (-1, 0.5), (0, -0.5)), pytest.param(((5, -4),) * 3, marks=pytest.mark.pictures)],
)
def test_a_turn_is_read_where_the_boards_lie_together(moved):
    """Wherever in their field: pushed a little, or all of them together."""
    before, after, _ = states()[9]
    watching = Watching(GAME, HEADER.setup, before)
    assert watching.look(first())[0].as_expected
    finding, _, troubles = watching.look(region(GAME, after, 2, moved=moved))
    assert isinstance(finding.verdict, judging.Proposed)
    assert (str(finding.verdict.layout), troubles) == (str(GAME.sights[0].of(after)), {})


@pytest.mark.parametrize("place", [(170.0, 120.0), pytest.param((70.0, 60.0), marks=pytest.mark.pictures)])
def test_a_hand_that_rests_there_is_something_in_the_way(place):
    before, after, _ = states()[9]
    watching = Watching(GAME, HEADER.setup, before)
    assert watching.look(first())[0].as_expected
    finding, told, troubles = watching.look(region(GAME, after, 2, hand=place))
    assert (finding.verdict, told) == (None, None)
    assert {*troubles} <= {"regions.beside", "regions.hidden", "regions.covered"}
