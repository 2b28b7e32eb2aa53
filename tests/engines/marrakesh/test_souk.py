"""The souk (MK-9): the exchange office, and one good of a stack in a turn."""

import pytest
from msgspec.structs import replace

from engines.marrakesh import souk
from tests.engines.marrakesh.sitting import (
    fits,
    seated,
)


def with_lines(state, *lines):
    """The state in which the office's lines are known."""
    return replace(state, lines=lines)


# The exchange office


# Luxury goods


# Positions


@pytest.mark.parametrize(("frame", "scrolls", "possible"), [
    (("line", "l"), (), True), (("line", "u"), (), False), (("line", "t"), (), False),
    (("good", "", 0), (), True), (("good", "", 1), (), True), (("good", "", 2), (), False),
    (("good", "+", 1), (34,), True), (("good", "+", 1), (33,), False), (("good", "", 0), (34,), True),
    (("sell_more",), (46,), True), (("sell_more",), (45,), False),
])  # fmt: skip
def test_what_a_position_may_ask(frame, scrolls, possible):
    state = with_lines(seated(board="3l", scrolls=scrolls), "", "1d", "")
    assert fits(state, souk.Frame(*frame)) is possible
