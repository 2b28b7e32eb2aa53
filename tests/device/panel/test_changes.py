"""A page that knows one state needs only the difference to know the next."""

from __future__ import annotations

import json

import hypothesis.strategies as st
from hypothesis import given

from device.panel.feed import changes

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab", max_size=2),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("xyz", max_size=1), inner, max_size=4)
    ),
    max_leaves=12,
)


def changed(old, change):
    """As ``page/changes.js`` does it."""
    if isinstance(change, dict):
        return {**old, **{key: changed(old[key], one) for key, one in change.items()}}
    if len(change) == 1:
        return change[0]
    length, at = change
    made = old[:length] + [None] * (length - len(old))
    for index, one in at.items():
        made[int(index)] = changed(old[int(index)], one) if int(index) < len(old) else one[0]
    return made


@given(VALUES, VALUES)
def test_a_change_makes_the_new_of_the_old(old, new):
    change = json.loads(changes(json.dumps(old), json.dumps(new)))
    if old == new:
        assert change in ({}, [old]) or change == [len(old), {}]
    assert changed(old, change) == new


def test_one_thing_that_moved_is_told_in_a_few_letters():
    old = {"panels": [{"marks": [{"x": at} for at in range(100)]}], "steps": 7}
    new = {"panels": [{"marks": [{"x": at + (at == 50)} for at in range(100)]}], "steps": 8}
    change = changes(json.dumps(old), json.dumps(new))
    assert json.loads(change) == {
        "panels": [1, {"0": {"marks": [100, {"50": {"x": [51]}}]}}],
        "steps": [8],
    }
