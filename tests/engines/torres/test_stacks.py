"""Blocks in front of players: what a turn may use and what it leaves (TO-1.3, TO-2.2, TO-3.4, TO-3.13)."""

from itertools import product

import pytest

from engines.torres import stacks as piles
from engines.torres.stacks import DEALT, can_place, more, results, rounds, spreads
from tests.engines.torres.table import at, blocks, fields, play, start, tokens, turn


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


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_all_ends_of_a_turn(number):
    for stacks, placed, under in product(spreads(number), range(4), range(2)):
        if max(stacks) >= placed and sum(stacks) >= placed + under:
            wanted = by_hand(stacks, placed, under)
            if wanted:
                assert set(results(stacks, placed, under)) == wanted, (stacks, placed, under)
                best = results(stacks, placed, under)[0]
                assert sum(best) == max(map(sum, wanted))


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_another_block_can_be_placed_where_some_stack_may_have_been_used(number):
    for stacks, placed, under in product(spreads(number), range(4), range(2)):
        if sum(stacks) >= placed + under:
            assert can_place(stacks, placed, under) == bool(by_hand(stacks, placed + 1, under))
            most = more(stacks, placed, under)
            assert not by_hand(stacks, placed + most + 1, under)
            assert not most or by_hand(stacks, placed + most, under)


def test_stacks_are_dealt_by_players_and_phase():
    for seats, phases in DEALT.items():
        assert [rounds(seats, phase) for phase in (1, 2, 3)] == ([4, 4, 4] if seats == 2 else [4, 3, 3])
        assert 8 + seats * sum(map(sum, phases)) <= 92
    assert fields(play(start(3), "E c3", "E f3", "E d1", "K h4"))["stacks.c"] == "3-3-2-2"


def test_all_blocks_of_a_turn_come_from_one_stack():
    state = play(at(turn(stacks="3-2-2-2")), "B d3", "B b3", "B c2")
    assert not [token for token in tokens(state) if token[0] == "B"]
    assert fields(play(state, "end"))["stacks.a"] == "2-2-2"


def test_what_is_left_can_be_sorted_by_hand():
    state = play(at(turn(stacks="2-2-2-1")), "B d3")
    assert fields(play(state, "end"))["stacks.a"] == "2-2-2"
    assert fields(play(state, "end 3-2-1"))["stacks.a"] == "3-2-1"
    assert "stacks" in tokens(state)
    other = play(state, "end 2-2-1")
    assert fields(other)["stacks.a"] == "2-2-1"
    assert other.supply() == state.supply() + 1


def test_the_turn_ends_by_itself_only_where_nothing_is_to_be_chosen():
    alone = turn("d2=1 e2=1", stacks="3-3-3-3", left=1)
    assert fields(play(at(alone), "S 1"))["turn"] == "b"
    open_stacks = turn("d2=1 e2=1", stacks="3-3-2-2", left=1)
    assert fields(play(at(open_stacks), "S 1"))["turn"] == "a"
    with_card = turn("d2=1 e2=1", left=1, deck_a=9)
    assert tokens(play(at(with_card), "S 1")) == ["card", "end"]
    played = turn("d2=1 e2=1", left=1, deck_a=8, carded="yes", played_a="leap")
    assert fields(play(at(played), "S 1"))["turn"] == "b"


def test_blocks_left_when_a_phase_ends_go_to_the_supply():
    text = turn(stacks="3", turn="b", round=4).replace("stacks.b=3-3-3-3", "stacks.b=3")
    state = play(at(text.replace("stacks.a=3", "stacks.a=-")), "end", "K stay")
    assert state.phase == 2
    assert state.supply() == 92 - 8 - 24
    assert piles.text(state.stacks[0]) == "3-3-3-3"


def test_where_the_supply_is_short_the_first_are_dealt_first():
    heights = blocks("c3=12 d3=12 d4=12 c4=12 d5=12 e5=3")
    text = f"blocks={heights} a=c3 b=f6 king=h4 round=4 waived=TO-3.7 doing=king:c-1:n0:new turn=b"
    state = play(at(text), "K stay")
    assert state.supply() == 0
    assert [sum(held) for held in state.stacks] == [92 - state.ground.blocks - 12, 12]
