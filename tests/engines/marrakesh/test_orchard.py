"""The date orchard (MK-8), and the scrolls that change what is picked."""

from random import Random

import pytest

from engines.contract import Choice
from engines.marrakesh import river
from engines.marrakesh.book import BOOK
from engines.marrakesh.state import Frame
from tests.engines.marrakesh.sitting import asked, fits, gains, refused, resources, seated

BOTH = (23, 25)


def test_mk_8_1_a_date_for_each_date_picker():
    """Jan's four date pickers bring four dates."""
    state = river.pick(seated(board="4g2t"))
    assert (asked(state), resources(state), gains(state)) == ("", "4d", [])


@pytest.mark.parametrize(
    ("scroll", "token", "resource"), [(23, "2d1n", "dinar"), (24, "3w", "water"), (25, "1w2v", "water")]
)
def test_what_no_scroll_shows_is_not_picked(scroll, token, resource):
    state = river.pick(seated(board="3g", scrolls=(scroll,)))
    assert refused(state, token) == ("harvest.scroll", "MK-8.1", {"resource": resource})


def test_people_begin_with_dates():
    domain = river.harvests(seated(board="3g", scrolls=BOTH))
    assert (domain.write(domain.start), domain.write(domain.caps)) == ("3d", "3d3w3v")


def test_what_is_drawn_is_legal():
    rng = Random(1)
    state = river.pick(seated(board="5g", scrolls=BOTH))
    for _ in range(50):
        token = BOOK.domain(state).draw(rng)
        assert BOOK.why_not(state, Choice("harvest", token)) is None


@pytest.mark.parametrize(("board", "scrolls", "possible"), [
    ("1g", (23,), True), ("1g", (22,), False), ("1t", (23,), False),
])  # fmt: skip
def test_when_a_position_may_ask_what_is_picked(board, scrolls, possible):
    assert fits(seated(board=board, scrolls=scrolls), Frame("harvest")) is possible
