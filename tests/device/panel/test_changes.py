"""A page that knows one state needs only the difference to know the next."""

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
        gone = {key for key, one in change.items() if one == []}
        came = {key: changed(old.get(key), one) for key, one in change.items() if key not in gone}
        return {key: value for key, value in old.items() if key not in gone} | came
    if len(change) == 1:
        return change[0]
    made, at = [], 0
    for one in change:
        if isinstance(one, int):
            made += old[at : at + max(0, one)]
            at += abs(one)
        elif isinstance(one, list) and len(one) == 1:
            made.append(one[0])
        else:
            made.append(changed(old[at], one))
            at += 1
    assert at == len(old)
    return made


@given(VALUES, VALUES)
def test_a_change_makes_the_new_of_the_old(old, new):
    change = json.loads(changes(json.dumps(old), json.dumps(new)))
    if json.dumps(old) == json.dumps(new):
        assert change in ({}, [old]) or change == [0, len(old)]
    assert changed(old, change) == new


def test_one_thing_that_moved_or_came_is_told_without_those_behind_it():
    old = {"marks": [{"x": at, "k": f"mark:{at}"} for at in range(100)], "steps": 7}
    moved = {"marks": [*old["marks"][:50], old["marks"][50] | {"x": 51}, *old["marks"][51:]], "steps": 8}
    told = json.loads(changes(json.dumps(old), json.dumps(moved)))
    assert told == {"marks": [0, 50, {"x": [51]}, 49], "steps": [8]}
    came = {"marks": [*old["marks"][:3], {"x": 7, "k": "new"}, *old["marks"][3:-1]], "steps": 7}
    told = json.loads(changes(json.dumps(old), json.dumps(came)))
    assert told == {"marks": [0, 3, [{"x": 7, "k": "new"}], 96, -1]}
