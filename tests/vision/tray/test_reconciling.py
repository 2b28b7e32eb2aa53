"""The most probable contents of a tray, against the sum over every single way to colour the pieces."""

import math
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import bags
from engines.marrakesh.pieces import COLOURS, KINDS
from tests.engines.marrakesh.sitting import named
from vision.tray import reconciling
from vision.tray.reconciling import MOST_PIECES, OTHERS, SeenKeshi, _make_rows, _Run, reconcile

PLENTY = sum(bags.one(kind, 25) for kind in range(KINDS))
WORST = 1e-9
"""The most that a chance may be off where nothing had to be left out for want of time."""


def seen(*, chance=1.0, **colours):
    return SeenKeshi(tuple(float(colours.get(colour, 0)) for colour in COLOURS), chance)


def ways(piece):
    """Everything a piece can be: what lies there, how many, and the chance."""
    whole = math.fsum(piece.colours)
    yield 0, 0, 1 - piece.chance
    for kind, weight in enumerate(piece.colours):
        yield bags.one(kind), 1, piece.chance * weight / whole


def by_hand(room, pieces, total=None):
    """The chance of all contents: every way of all pieces, one by one."""
    sums = {}
    each = [[way for way in ways(piece) if way[2]] for piece in pieces]
    for chosen in product(*each):
        held = sum(way[0] for way in chosen)
        number = sum(way[1] for way in chosen)
        fits = 1.0 if total is None else (total[number] if number < len(total) else 0.0)
        if fits and bags.within(held, room):
            sums.setdefault(held, []).append(math.prod(way[2] for way in chosen) * fits)
    sums = {held: math.fsum(chances) for held, chances in sums.items()}
    whole = math.fsum(sums.values())
    return {held: chance / whole for held, chance in sums.items()} if whole else {}


# Below 1e-30 the products of the sum by hand are 0.
CHANCES = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0.0001, 1), st.floats(1e-30, 1e-6))
WEIGHTS = st.one_of(st.just(0.0), st.floats(1e-3, 1), st.floats(1e-9, 1e-5))


@st.composite
def pieces(draw, most=5, kinds=4):
    """Up to five pieces, each of some of four colours."""
    found = []
    for _ in range(draw(st.integers(0, most))):
        weights = draw(st.lists(WEIGHTS, min_size=kinds, max_size=kinds).filter(any))
        chance = draw(st.one_of(st.just(1.0), CHANCES))
        found.append(SeenKeshi((*weights, *(0.0,) * (KINDS - kinds)), chance))
    return found


ROOM = st.lists(st.integers(0, 4), min_size=4, max_size=4).map(
    lambda counts: sum(bags.one(kind, count) for kind, count in enumerate(counts))
)
TOTALS = st.one_of(
    st.none(),
    st.lists(st.one_of(st.just(0.0), st.floats(1e-6, 1)), min_size=1, max_size=8).map(tuple),
    # a bell; below a spread of 0.2 the hand's own products are 0
    st.builds(
        lambda mean, spread: tuple(math.exp(-0.5 * ((mean - n) / spread) ** 2) for n in range(101)),
        st.floats(0, 6),
        st.floats(0.2, 2),
    ),
)


def told(found):
    return [found.best, *found.others] if found.best else []


@given(ROOM, pieces(), TOTALS)
def test_it_is_what_all_ways_together_say(room, rows, total):
    found = reconcile(room, rows, total)
    truth = by_hand(room, rows, total)
    assert found.slack <= WORST
    assert bool(truth) == (found.best is not None)
    # Runners-up are left out only if there are more, or if their chance is next to nothing.
    likely = sum(chance > WORST for chance in truth.values())
    assert min(likely, 1 + OTHERS) <= len(told(found)) <= min(len(truth), 1 + OTHERS)
    for one in told(found):
        assert one.chance == pytest.approx(truth[one.keshis], abs=2 * WORST)  # the slack, and what rounds off
    ranked = sorted(truth.values(), reverse=True)[: len(told(found))]
    assert [one.chance for one in told(found)] == pytest.approx(ranked, abs=2 * WORST)


@given(ROOM, pieces(), TOTALS, st.integers(1, 60))
def test_with_too_little_time_it_still_says_nothing_wrong(room, rows, total, effort):
    """Chances are proven from below and bounded above by the slack."""
    found = reconcile(room, rows, total, effort)
    truth = by_hand(room, rows, total)
    if not truth:
        assert found.best is None
        return
    for one in told(found):
        assert one.chance <= truth[one.keshis] + 1e-12
        assert truth[one.keshis] <= one.chance + found.slack + 1e-12
    others = [chance for held, chance in truth.items() if held not in {one.keshis for one in told(found)}]
    last = told(found)[-1].chance if len(told(found)) == 1 + OTHERS else 0.0
    assert max(others, default=0) <= last + found.slack + 1e-12


# What it is for


def test_the_sum_over_all_ways_counts_and_not_the_likeliest_way():
    """Red and red is the likeliest way, 0.3025; one of each has two ways of 0.2475."""
    found = reconcile(PLENTY, [seen(red=0.55, pink=0.45)] * 2)
    assert named(found.best.keshis) == {"pink": 1, "red": 1}
    assert found.best.chance == pytest.approx(0.495)
    assert named(found.others[0].keshis) == {"red": 2}
    assert found.others[0].chance == pytest.approx(0.3025)


def test_a_colour_of_which_there_is_none_is_no_way_to_go_on():
    (row,) = _make_rows([(0.25, (0.5, 0.125, 0.125))], (0, 1, 2))
    assert [chance for _, chance in row.others] == [0.5, 0.5]


def test_all_runs_together_take_the_effort(monkeypatch):
    runs = []

    class WatchedRun(_Run):
        def __init__(self, *given):
            super().__init__(*given)
            runs.append(self)

    monkeypatch.setattr(reconciling, "_Run", WatchedRun)
    reconcile(PLENTY, [seen(red=0.6, pink=0.3, gray=0.1, white=0.01)] * 8, effort=2000)
    assert len(runs) > 2
    assert [run.effort + sum(one.taken for one in runs[:n]) for n, run in enumerate(runs)] == [2000] * len(
        runs
    )


# Bad input


@pytest.mark.parametrize(
    ("piece", "said"),
    [
        (SeenKeshi((0.5, 0.5)), "2 chances for 12 colours"),
        (SeenKeshi((0.0,) * 12), "nor all 0"),
        (SeenKeshi((1.0, -0.1, *(0.0,) * 10)), "below 0"),
        (SeenKeshi((math.nan, *(1.0,) * 11)), "below 0"),
        (SeenKeshi((math.inf, *(1.0,) * 11)), "below 0"),
        (seen(red=1, chance=1.5), "chance 1.5"),
        (seen(red=1, chance=-0.5), "chance -0.5"),
        (seen(red=1, chance=math.nan), "chance nan"),
    ],
)
def test_a_piece_with_chances_that_are_none_is_refused(piece, said):
    with pytest.raises(ValueError, match=f"piece 2: .*{said}"):
        reconcile(PLENTY, [seen(red=1), piece])


@pytest.mark.parametrize("total", [(1.0, -1.0), (math.nan,), (math.inf, 0.0)])
def test_a_total_that_is_none_is_refused(total):
    with pytest.raises(ValueError, match="a total"):
        reconcile(PLENTY, [seen(red=1)], total)


def test_too_many_pieces_are_refused():
    assert reconcile(PLENTY * 3, [seen(red=1)] * MOST_PIECES).best.chance == 1.0
    with pytest.raises(ValueError, match="61 pieces"):
        reconcile(PLENTY, [seen(red=1)] * (MOST_PIECES + 1))
