"""More exchange offices (MK-17.3): in positions, after going back, and in words."""

import pytest
from msgspec.structs import replace

from engines.marrakesh import GAME, souk
from engines.marrakesh.book import BOOK
from engines.marrakesh.expanding import kept
from engines.marrakesh.overlays import Offices
from engines.marrakesh.state import Frame
from tests.engines.marrakesh.lines import turn
from tests.engines.marrakesh.sitting import (
    COPY,
    fits,
    playing,
    seated,
)

PICTURED = ("1d1r", "1n1v", "1w1s")
"""The lines that the rulebook shows: a date and a river step, a dinar and a VP, water and a stair step."""


def at_souk(copy=COPY, board="2l2u2o", **side):
    return playing(seated(copy=copy, board=board, **side), "more_offices")


def sold(colour, copy=COPY, **side):
    """The state after a keshi was returned to the season's office."""
    return BOOK.settled(souk.sell(at_souk(copy, **side), colour))


def test_offices_are_written_in_a_position():
    text = turn(more_offices="yes", offices="2,5", season=2)
    state = GAME.position.read(text)
    assert kept(state, Offices).offices == ("2", "5")
    assert GAME.position.read(GAME.position.write(state)) == state
    more = turn(more_offices="yes", offices="2,5", season=1, waived="MK-17.3")
    assert [one.check for one in GAME.position.status(more)] == ["position.offices"]


@pytest.mark.parametrize(("what", "there"), [("u", True), ("", False), ("t", False)])
def test_an_office_is_asked_for_a_colour_of_goods_while_no_line_is_known(what, there):
    assert fits(at_souk(), Frame("office", what)) == there
    assert not fits(replace(at_souk(), lines=PICTURED), Frame("office", what))


def test_an_office_that_was_told_is_known_after_going_back_in_its_season():
    first, later = sold("u"), replace(sold("u"), season=2)
    assert BOOK.seen(first) == BOOK.seen(sold("l")) != BOOK.seen(later)
