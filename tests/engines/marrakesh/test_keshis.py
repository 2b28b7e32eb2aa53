from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import bags
from engines.marrakesh.keshis import COLOURS, KINDS, keshis, named

COUNTS = st.dictionaries(st.sampled_from(COLOURS), st.integers(1, 25))


def test_there_are_twelve_colours():
    assert KINDS == len(set(COLOURS)) == 12


@given(COUNTS)
def test_a_bag_by_name_and_back(counts):
    assert named(keshis(counts)) == counts
    assert bags.total(keshis(counts)) == sum(counts.values())


def test_none_of_a_colour_is_not_named():
    assert named(keshis({"red": 0, "gray": 3})) == {"gray": 3}


def test_the_colours_stand_in_their_order():
    assert list(named(keshis({"orange": 1, "turquoise": 2}))) == ["turquoise", "orange"]
    assert keshis({"turquoise": 2}) == 2


@pytest.mark.parametrize(
    ("counts", "told"),
    [({"blue": 1}, "'blue' is no keshi's colour"), ({"red": -1}, "-1 red"), ({"red": 256}, "256 red")],
)
def test_what_is_no_keshi_is_refused(counts, told):
    with pytest.raises(ValueError, match=told):
        keshis(counts)
