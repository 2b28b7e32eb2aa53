"""The date orchard (MK-8), and the scrolls that change what is picked."""

from random import Random

import pytest

from engines.contract import Choice
from engines.marrakesh import river
from engines.marrakesh.book import BOOK
from engines.marrakesh.state import Frame
from tests.engines.marrakesh.sitting import fits, seated

BOTH = (23, 25)


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
