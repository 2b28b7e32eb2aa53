"""What every oasis scores, by number, and the best three of those claimed (MK-16.2, MK-16.3)."""

from itertools import chain, combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import bags
from engines.marrakesh import scoring
from engines.marrakesh.state import RESOURCES
from tests.engines.marrakesh.sitting import COPY, before, table, told, unknown

BUSY = before(
    "3w14d5n",
    "1t2g3k8w4y8b6p2r5l",
    vendors=0b101000,  # white and beige, whose areas are complete
    gates="tggp-ynr",
    goods=("slipper1", "slipper4", "tajine2", "lamp1", "lamp2", "lamp3"),
    scrolls=(3, 14, 15, 61),
    oases=(1, 5, 19, 22, 27),
    mosque=15,
    palace=14,
    lines=5,
    fisherman=14,
)
SCORES = {
    1: (6, "2 × 1 turquoise gate + 2 × 2 green gates"),
    2: (0, "2 × 0 black gates + 2 × 0 white gates"),
    3: (2, "2 × 1 pink gate"),
    4: (4, "1 × 1 gray gate + 2 × 1 brown gate + 1 × 1 red gate"),
    5: (11, "3 + 8 white"),
    6: (3, "3 + 0 brown"),
    7: (4, "3 + 1 turquoise"),
    8: (5, "3 + 2 green"),
    9: (6, "3 + 3 black"),
    10: (7, "3 + 4 gray"),
    11: (11, "3 + 8 beige"),
    12: (9, "3 + 6 pink"),
    13: (5, "3 + 2 red"),
    14: (6, "3 × 2 slippers"),
    15: (3, "3 × 1 tajine"),
    16: (0, "3 × 0 daggers"),
    17: (9, "3 × 3 oil lamps"),
    18: (0, "3 × 0 necklaces"),
    19: (6, "3 + 3 water"),
    20: (8, "3 + 5 dinars"),
    21: (15, "3 + 12 dates"),
    22: (9, "3 + 6 luxury goods"),
    23: (7, "3 + 4 scrolls"),
    24: (16, "4 × 4 small areas"),
    25: (8, "4 × 2 complete areas"),
    26: (15, "3 × 5 oases"),
    27: (7, "the mosque's last step"),
    28: (0, "not the palace's last step"),
    29: (7, "5 lines of 5"),
    30: (0, "not the jetty"),
}
"""By number what it scores on the busy table, and its sum."""


@pytest.mark.parametrize("number", range(1, 31))
def test_every_oasis_scores(number):
    returned = {19: 3, 20: 5, 21: 14}.get(number, 0)
    assert scoring.worth(table(BUSY), 0, number, returned) == SCORES[number]
    assert scoring.points(table(BUSY), 0, number, returned) == SCORES[number][0]


@pytest.mark.parametrize(
    ("number", "side", "points"),
    [
        (5, before(), 3),
        (24, before(), 32),
        (24, before(board="4b8r"), 28),
        (25, before(board="8w7y", vendors=0b1000), 4),
        (25, before(board="8w"), 0),
        (26, before(oases=(26,)), 3),
        (27, before(mosque=14), 0),
        (28, before(palace=15), 7),
        (29, before(lines=4), 0),
        (30, before(fisherman=15), 7),
    ],
)
def test_from_where_on_it_scores(number, side, points):
    assert scoring.points(table(side), 0, number) == points


def test_the_copy_says_what_it_shows():
    copy = told(
        keshi_oasis={"06": "p"},
        gate_oasis={"03": ("p2", "l1")},
        good_oasis={"14": "lamp5"},
        oasis={"22": "scrolls"},
    )
    side = before(board="2p", gates="pl------", goods=("lamp1",), scrolls=(1, 2, 3))
    state = table(side, copy=copy)
    assert [scoring.points(state, 0, number) for number in (6, 3, 14, 22)] == [5, 3, 5, 6]


def test_what_must_be_told_before_the_end():
    copy = unknown(COPY, "keshi_oasis.05", "oasis.27", "gate_oasis.03", "oasis.22")
    state = table(BUSY, before(oases=(3, 5)), copy=copy)
    assert scoring.unknown(state) == ("keshi_oasis.05", "oasis.22", "oasis.27", "gate_oasis.03")
    assert scoring.unknown(table(BUSY)) == ()


# The best


def test_as_many_resources_as_count_are_returned():
    state = table(before("3w14d", oases=(21, 19)))
    assert scoring.best(state, 0) == ((21, 19), bags.one(0, 3) + bags.one(1, 12), 15 + 6)
    assert scoring.left_over(state, 0, bags.one(0, 3) + bags.one(1, 12)) == 2


def test_leftovers_count_beside_oases():
    """21 makes 8 of 5 dates and 27 makes 7, but the dates left over make 2 more."""
    side = before("5d", oases=(21, 27, 28, 29), mosque=15, palace=15, lines=5)
    assert scoring.best(table(side), 0) == ((27, 28, 29), 0, 21)


COUNTS = st.integers(0, 14)
SIDES = st.builds(
    lambda numbers, resources, yellow, gates, scrolls: before(
        "{}w{}d{}n".format(*resources),
        f"1t2g3k8w4y8b6p2r{yellow}l",
        oases=tuple(numbers),
        gates=gates,
        scrolls=tuple(range(1, scrolls + 1)),
    ),
    st.lists(st.sampled_from(range(1, 31)), unique=True, max_size=7),
    st.tuples(COUNTS, COUNTS, COUNTS),
    st.integers(0, 3),
    st.text("tgkwp-", min_size=8, max_size=8),
    st.integers(0, 9),
)


def every_way(state):
    """The sums of oases and leftovers of every choice of at most three oases and of resources returned."""
    side = state.sides[0]
    for numbers in chain.from_iterable(combinations(side.oases, size) for size in range(4)):
        kinds = [scoring.returns(state, number) for number in numbers]
        spans = [range(13) if kind is not None else (0,) for kind in kinds]
        for given_up in product(*spans):
            spent = [0] * len(RESOURCES)
            for kind, count in zip(kinds, given_up, strict=True):
                spent[kind or 0] += count
            if any(count > bags.count(side.resources, kind) for kind, count in enumerate(spent)):
                continue
            scored = sum(
                scoring.points(state, 0, number, count)
                for number, count in zip(numbers, given_up, strict=True)
            )
            left = bags.total(side.resources) - sum(spent) + bags.count(side.board, 9)
            yield scored + left // 2


@given(SIDES)
def test_no_other_choice_makes_more(side):
    state = table(side)
    numbers, returned, points = scoring.best(state, 0)
    assert set(numbers) <= set(side.oases)
    assert bags.within(returned, side.resources)
    given_up = scoring.returned_for(state, 0, numbers)
    assert points == sum(scoring.points(state, 0, number, given_up.get(number, 0)) for number in numbers)
    assert points + scoring.left_over(state, 0, returned) // 2 == max(every_way(state))


def test_two_oases_of_one_resource_share_what_there_is():
    copy = told(resource_oasis={"19": "date", "20": "date"})
    state = table(before("17d", oases=(19, 20, 21)), copy=copy)
    assert scoring.best(state, 0) == ((19, 20, 21), bags.one(1, 17), 3 * 3 + 17)
