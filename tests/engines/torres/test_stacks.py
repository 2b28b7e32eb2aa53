"""Blocks in front of players: what a turn may use and what it leaves (TO-1.3, TO-2.2, TO-3.4, TO-3.13)."""

from itertools import product

import pytest

from engines.torres.stacks import can_place, more, results, spreads


@pytest.mark.parametrize(
    ("stacks", "placed", "under", "first"),
    [
        ((3, 3, 3, 3), 3, 0, (3, 3, 3)),
        ((3, 3, 3, 3), 0, 0, (3, 3, 3)),  # nothing fits onto threes
        ((3, 3, 2, 2), 2, 0, (3, 3, 2)),
        ((3, 3, 2, 2), 1, 0, (3, 3, 3)),  # a stack of 2 is used, the block left goes onto the other
        ((2, 2, 1), 1, 0, (2, 2)),  # the smallest that suffices
        ((2, 1, 1), 0, 0, (3, 1)),  # the fullest stacks first
        ((2,), 0, 0, ()),  # the last stack of a phase: what is left goes to the supply
        ((3, 1), 1, 1, (2,)),
        ((3, 3), 3, 1, (2,)),
        ((0, 0), 0, 0, (0,)),
    ],
)
def test_the_likeliest_end(stacks, placed, under, first):
    assert results(stacks, placed, under)[0] == first


def by_hand(stacks, placed, under):
    """Every end of a turn, tried out: which was used, which gave the block under a knight, what moved."""
    found = set()
    for used in range(len(stacks)):
        for giver in range(len(stacks)):
            left = list(stacks)
            left[used] -= placed
            left[giver] -= under
            if min(left) < 0:
                continue
            spare = left.pop(used)
            for given in product(range(4), repeat=len(left)):
                after = [mine + more for mine, more in zip(left, given, strict=True)]
                if sum(given) <= spare and all(m <= 3 or not g for m, g in zip(after, given, strict=True)):
                    found.add(tuple(sorted(after, reverse=True)))
    return found


@pytest.mark.parametrize("number", [1, 2, 3])
def test_all_ends_of_a_turn(number):
    for stacks, placed, under in product(spreads(number), range(4), range(2)):
        if max(stacks) >= placed and sum(stacks) >= placed + under:
            wanted = by_hand(stacks, placed, under)
            if wanted:
                assert set(results(stacks, placed, under)) == wanted, (stacks, placed, under)
                best = results(stacks, placed, under)[0]
                assert sum(best) == max(map(sum, wanted))


@pytest.mark.parametrize("number", [1, 2, 3])
def test_another_block_can_be_placed_where_some_stack_may_have_been_used(number):
    for stacks, placed, under in product(spreads(number), range(4), range(2)):
        if sum(stacks) >= placed + under:
            assert can_place(stacks, placed, under) == bool(by_hand(stacks, placed + 1, under))
            most = more(stacks, placed, under)
            assert not by_hand(stacks, placed + most + 1, under)
            assert not most or by_hand(stacks, placed + most, under)
