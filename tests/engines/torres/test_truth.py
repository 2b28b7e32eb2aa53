"""The engine against the rules written a second time (``truth.py``), and what must hold in every state."""

from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.kit.rulebook import question
from engines.torres import ground as g
from engines.torres import ways
from engines.torres.cells import CELLS, NAMES, cells
from engines.torres.ground import BLOCKS, EMPTY, LEAST_CASTLES, survey, with_block, without_block
from engines.torres.scoring import score_phase, scoring_order
from engines.torres.state import KNIGHTS
from tests.engines.torres import truth
from tests.engines.torres.table import GAME
from tests.engines.torres.walking import SETUPS, busy
from tests.engines.walks import seed, walk

PLAYED = [name for name in SETUPS if name != "score"]


def named(mask):
    return {NAMES[cell] for cell in cells(mask)}


@cache
def walked(name, number):
    return tuple(made.after for made in walk(GAME, SETUPS[name], Random(number), busy))


def states(name):
    return walked(name, seed())


@pytest.mark.parametrize("name", PLAYED)
def test_doors_steps_and_reach_are_true(name):
    for number, state in enumerate(states(name)):
        if number % 25 or not any(state.knights):
            continue
        heights, held, descend = truth.board(state), truth.pieces(state), state.variant.descend
        for cell in cells(state.knights[state.seat]):
            here, pieces = NAMES[cell], state.taken()
            assert named(ways.through(state.ground, cell, descend)) == truth.doors(heights, here, descend)
            carded = ways.through(state.ground, cell, descend, card=True)
            assert named(carded) == truth.doors(heights, here, descend, card=True)
            assert named(ways.steps(state.ground, pieces, cell, descend)) == truth.steps(
                heights, held, here, descend
            )
            layers = ways.reach(state.ground, pieces, cell, 5, descend)
            costs = {n: spent for spent, layer in enumerate(layers, 1) for n in named(layer)}
            assert costs == truth.reach(heights, held, here, 5, descend)


@pytest.mark.parametrize("descend", [False, True])
@given(data=st.data())
def test_doors_are_true_on_any_board(descend, data):
    heights = bytes(data.draw(st.lists(st.sampled_from([0, 0, 1, 2, 3, 5]), min_size=64, max_size=64)))
    cell = data.draw(st.integers(0, CELLS - 1))
    ground = survey(heights)
    board = {NAMES[n]: h for n, h in enumerate(heights) if h}
    for card in (False, True):
        found = named(ways.through(ground, cell, descend, card))
        assert found == truth.doors(board, NAMES[cell], descend, card)


@pytest.mark.parametrize(("descend", "points"), [(False, 1), (True, 2)])
def test_a_way_inside_that_would_climb_is_gone_round_where_it_must_not(descend, points):
    """TO-3.3: out of e3 through f3 to the roof of e5 beside f5, and no column of two between them."""
    board = {"e3": 1, "e4": 1, "e5": 1, "f3": 2, "f5": 2}
    ground, cell, target = (
        survey(bytes(board.get(name, 0) for name in NAMES)),
        *map(NAMES.index, ("e3", "e5")),
    )
    assert ways.cost(ground, 1 << cell, cell, target, descend=descend) == points
    assert truth.reach(board, {"e3"}, "e3", 2, descend)["e5"] == points


@pytest.mark.parametrize("name", PLAYED)
def test_blocks_go_where_the_rules_still_hold_afterwards(name):
    for number, state in enumerate(states(name)):
        if number % 50 or question(state) == "found":
            continue
        heights, held = truth.board(state), truth.pieces(state)
        pieces = state.taken()
        assert named(state.ground.room & ~pieces) == truth.block_room(heights, held)
        sources = list(g.sources(state.ground, pieces))
        for cell in cells(state.ground.above[0] & ~pieces):
            found = named(g.targets(state.ground, cell) & ~pieces)
            assert found == truth.moved_room(heights, held, NAMES[cell])
            assert bool(found) == (cell in sources)


@pytest.mark.parametrize("name", PLAYED)
def test_phases_are_scored_truly(name):
    scored = 0
    for state in states(name):
        if question(state) == "king" or state.termination:
            continue
        if not any(state.knights) or state.king < 0:
            continue
        track = truth.phase_points(
            truth.board(state),
            truth.knights(state),
            NAMES[state.king],
            state.phase,
            scoring_order(state),
            state.totals(),
        )
        assert score_phase(state).totals() == track
        scored += 1
    assert scored


@pytest.mark.parametrize("name", PLAYED)
def test_what_holds_in_every_state(name):
    """TO-1.1, TO-3.6, TO-3.7, TO-3.11, TO-4.7: pieces are conserved, castles and the track are in order."""
    for state in states(name):
        ground = state.ground
        held = sum(map(sum, state.stacks)) - state.placed - state.under
        assert state.supply() >= 0
        assert held >= 0
        assert ground.blocks + held + state.supply() == BLOCKS
        groups = truth.castles(truth.board(state))
        assert sorted(map(sorted, map(named, ground.castles))) == sorted(map(sorted, groups))
        assert all(g.tallest(ground, castle) <= castle.bit_count() for castle in ground.castles)
        if question(state) not in ("found", "enter", "crown"):
            assert len(ground.castles) >= LEAST_CASTLES
            assert ground.heights[state.king] > 0
            assert all(1 <= own.bit_count() <= KNIGHTS for own in state.knights)
        assert state.taken().bit_count() == sum(own.bit_count() for own in state.knights) + (state.king >= 0)
        above = [points for points in state.totals() if points > 0]
        assert len(set(above)) == len(above)
        assert all(points >= 0 for points in state.totals())


def test_turns_are_counted():
    """TO-2.1: ten turns each, twelve with two players."""
    for name, each in (("two", 12), ("three", 10), ("four", 10), ("master", 10)):
        begun = dict.fromkeys(range(SETUPS[name].seats), 0)
        last = None
        for state in states(name):
            now = (state.phase, state.round, state.seat)
            if question(state) == "action" and now != last and not state.termination:
                begun[state.seat] += 1
                last = now
        assert begun == dict.fromkeys(begun, each), name


@given(st.lists(st.integers(0, CELLS - 1), max_size=70), st.data())
def test_a_ground_changed_block_by_block_is_the_ground_surveyed(placed, data):
    ground = EMPTY
    for cell in placed:
        if ground.heights[cell] < 12:
            ground = with_block(ground, cell)
    assert_same(ground, survey(ground.heights))
    while ground.above[0] and data.draw(st.booleans()):
        ground = without_block(ground, data.draw(st.sampled_from(list(cells(ground.above[0])))))
        assert_same(ground, survey(ground.heights))


def assert_same(one, other):
    for field in one.__struct_fields__:
        assert getattr(one, field) == getattr(other, field), field


def test_order_begins_where_it_is_told():
    state = GAME.rules.start(SETUPS["four"])
    assert state.order() == (3, 0, 1, 2)
    assert state.order(1) == (1, 2, 3, 0)
