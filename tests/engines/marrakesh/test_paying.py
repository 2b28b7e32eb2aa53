"""What things cost: dinars, what is paid instead of them, and keshis that go back."""

import pytest

from engines.marrakesh import paying
from engines.marrakesh.paying import paid
from tests.engines.marrakesh.sitting import (
    asked,
    fits,
    resources,
    seated,
    under_1,
)

OTHERWISE = (33,)


def test_under_version_1_dinars_pay_for_dinars_first():
    state = paid(under_1(seated(resources="3w3d3n", scrolls=OTHERWISE)), (1, 0, 2))
    assert (asked(state), resources(state)) == ("", "2w3d1n")


@pytest.mark.parametrize(("what", "n", "held", "scrolls", "possible"), [
    ("", 1, "1w1d", (33,), True), ("", 2, "1w1d", (33,), True), ("", 3, "1w1d", (33,), False),
    ("", 0, "1w1d", (33,), False), ("", 3, "1w1d1n", (33,), True), ("", 4, "1w1d1n", (33,), False),
    ("", 1, "1w1d", (34,), False),
    ("1", 1, "1w1d", (33,), True), ("1", 2, "1w1d", (33,), False), ("any", 1, "1n", (45,), True),
    ("any", 2, "2n", (45,), False), ("any", 1, "", (45,), False),
])  # fmt: skip
def test_what_a_position_may_ask_to_be_paid(what, n, held, scrolls, possible):
    state = seated(resources=held, scrolls=scrolls)
    assert fits(state, paying.Frame("instead", what, n)) is possible
