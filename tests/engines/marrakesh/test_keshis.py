import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import bags
from engines.marrakesh.keshis import COLOURS, keshis, named

COUNTS = st.dictionaries(st.sampled_from(COLOURS), st.integers(1, 25))


@given(COUNTS)
def test_a_bag_by_name_and_back(counts):
    assert named(keshis(counts)) == counts
    assert bags.total(keshis(counts)) == sum(counts.values())


@pytest.mark.parametrize(
    ("counts", "told"),
    [({"blue": 1}, "'blue' is no keshi's colour"), ({"red": -1}, "-1 red"), ({"red": 256}, "256 red")],
)
def test_what_is_no_keshi_is_refused(counts, told):
    with pytest.raises(ValueError, match=told):
        keshis(counts)
