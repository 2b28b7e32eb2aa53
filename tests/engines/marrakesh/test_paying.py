"""What things cost: dinars, what is paid instead of them, and keshis that go back."""

import pytest

from engines.marrakesh import paying
from engines.marrakesh.book import BOOK
from engines.marrakesh.paying import paid, paid_any
from tests.engines.marrakesh.sitting import (
    agreed,
    asked,
    fits,
    play,
    refused,
    resources,
    seated,
    tokens,
    under_1,
)

OTHERWISE = (33,)


def test_under_version_1_dinars_pay_for_dinars_first():
    state = paid(under_1(seated(resources="3w3d3n", scrolls=OTHERWISE)), (1, 0, 2))
    assert (asked(state), resources(state)) == ("", "2w3d1n")


def test_mk_5_8_with_scroll_33_the_owner_says_what_each_dinar_is_paid_with():
    state = paid(seated(resources="3w3d3n", scrolls=OTHERWISE), (1, 0, 2))
    assert (asked(state), tokens(state), resources(state)) == (
        "instead",
        ["water", "date", "dinar"],
        "2w3d3n",
    )
    assert BOOK.pending(state).figures == (("n", 2), ("variant", "due"))
    assert resources(play(state, "date dinar")) == "2w2d2n"
    assert asked(play(state, "date dinar")) == ""


def test_scroll_33_asks_what_is_paid_for_each_dinar_that_is_lacking():
    state = paid(under_1(seated(resources="1w2d1n", scrolls=OTHERWISE)), (0, 0, 3))
    assert (asked(state), tokens(state), resources(state)) == ("instead", ["water", "date"], "1w2d")
    assert refused(state, "dinar") == ("instead.dinar", "MK-12.4", {"n": 2})
    assert agreed(state)
    assert resources(play(state, "date water")) == "1d"


def test_mk_12_2_the_refusal_names_the_dates_that_must_be_left():
    state = paid(seated(resources="3w2d", scrolls=OTHERWISE), (0, 0, 1), kept=2)
    assert resources(state) == "2w2d"  # nothing but water could be paid
    frame = paying.Frame("instead", "2", 1)
    asking = paid(seated(resources="3w2d", scrolls=OTHERWISE), (0, 0, 2)).answered(frame)
    assert refused(asking, "date") == ("instead.kept", "MK-12.2", {"dates": 2, "needed": 2})
    assert agreed(asking)


def test_scroll_45_one_resource_of_any_kind():
    state = paid_any(seated(resources="1w1n"))
    assert tokens(state) == ["water", "dinar"]
    assert refused(state, "date") == ("instead.held", "MK-12.4", {"resource": "date"})
    assert agreed(state)
    assert resources(play(state, "dinar")) == "1w"


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
