"""What every oasis scores, by number, and the best three of those claimed (MK-16.2, MK-16.3)."""

from itertools import chain, combinations, product

from hypothesis import given
from hypothesis import strategies as st

from engines import bags
from engines.marrakesh import scoring
from engines.marrakesh.state import RESOURCES
from tests.engines.marrakesh.sitting import before, table

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
        kinds = [scoring.find_returned(state, number) for number in numbers]
        spans = [range(13) if kind is not None else (0,) for kind in kinds]
        for given_up in product(*spans):
            spent = [0] * len(RESOURCES)
            for kind, count in zip(kinds, given_up, strict=True):
                spent[kind or 0] += count
            if any(count > bags.count(side.resources, kind) for kind, count in enumerate(spent)):
                continue
            scored = sum(
                scoring.count_worth(state, 0, number, count).points
                for number, count in zip(numbers, given_up, strict=True)
            )
            left = bags.total(side.resources) - sum(spent) + bags.count(side.board, 9)
            yield scored + left // 2


@given(SIDES)
def test_no_other_choice_makes_more(side):
    state = table(side)
    best = scoring.choose_best(state, 0)
    assert set(best) <= set(side.oases)
    kinds = [(scoring.find_returned(state, number), count) for number, count in best.items() if count]
    assert bags.within(sum(bags.one(kind, count) for kind, count in kinds), side.resources)
    points = sum(scoring.count_worth(state, 0, number, count).points for number, count in best.items())
    assert points + scoring.count_left_over(state, 0, sum(best.values())) // 2 == max(every_way(state))
