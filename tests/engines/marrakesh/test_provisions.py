"""Provision: all or nothing (MK-15.3)."""

import pytest

from tests.engines.marrakesh.sitting import after, asked, gains, resources, seated, told

TWO = told(demand={"1": (1, 0, 1), "2": (0, 1, 1)})
"""Together they ask for 1 water, 1 date and 2 dinars."""


@pytest.mark.parametrize(
    ("there", "left", "lost"),
    [
        ("1w1d2n", "", []),
        ("3w1d3n", "2w1n", []),
        ("1w1d1n", "", [("provision", -8, "1,2")]),
        ("5w5d", "", [("provision", -8, "1,2")]),
        ("", "", [("provision", -8, "1,2")]),
    ],
)
def test_who_cannot_give_all_loses_all_resources_and_the_vp_of_all_tiles(there, left, lost):
    state = after(seated(copy=TWO, demands=(1, 2), resources=there), "provision_a")
    assert (asked(state), resources(state), gains(state)) == ("", left, lost)
