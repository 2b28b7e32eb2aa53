"""Columns are read as towers that there can be, all together, or people are asked."""

import pytest

from device.sensors.readers.san_gimignano.towers import ASTRAY, HOPELESS, STONE, measure_unlikeness, read
from engines.san_gimignano.cards import RANK_NAMES, STONES, read_tower
from vision.cards.reading import Column, Fan

FACES = (*RANK_NAMES, STONE)


def alike(name, other=None, *, behind=0.2):
    """A card that looks like ``name``, and by so much less like ``other``."""
    found = dict.fromkeys(FACES, 0.4) | {name: 0.9}
    return found | {other: 0.9 - behind} if other else found


def fan(cards, rival=0.5):
    return Fan(tuple(card if isinstance(card, dict) else alike(card) for card in cards), rival)


def column(*cards, rival=0.5):
    return Column(fan(cards, rival), fan([{"back": 0.4}] * len(cards)))


def face_down(number, rival=0.5, back=0.9):
    return Column(fan([alike("5") | {"5": 0.45}] * number), Fan(({"back": back},) * number, rival))


@pytest.mark.parametrize(
    ("storeys", "tower"),
    [
        ("8 8 8", "8x3"),
        ("5 6 7 8 9 10", "5-10"),
        ("pietra 9 9 9", "9x4s"),
        ("6 7 pietra 9", "6-9s8"),
        ("pietra 5 6 7", "4-7s4"),
        ("8 9 10 pietra", "8-11s11"),
        ("pietra 6 pietra", "6x3ss 5-7s5s7"),
    ],
)
def test_towers(storeys, tower):
    (seen,) = read([column(*storeys.split())]).best
    assert seen.storeys == tuple(storeys.split())
    assert [str(one) for one in seen.towers] == tower.split()
    assert seen.sure


def test_what_one_card_looks_like_gives_way_to_the_whole_column():
    (seen,) = read([column("8", alike("9", "8", behind=0.05), "8", "8")]).best
    assert (seen.storeys, seen.sure) == (("8",) * 4, True)
    (seen,) = read([column("6", alike("6", "7", behind=0.05), "8")]).best
    assert (seen.storeys, seen.sure) == (("6", "7", "8"), True)


def test_what_fits_no_tower_is_asked_about():
    (seen,) = read([column("8", "6", "8", "5")]).best
    assert not seen.sure
    (seen,) = read([column("8", "8")]).best
    assert (seen.storeys, seen.sure, seen.towers) == (("8", "8"), False, ())
    (seen,) = read([column("10", "9", "8")]).best  # the lowest rank lies at the far end
    assert not seen.sure


def test_there_are_as_many_cards_of_a_rank_as_it_says():
    six = [alike("6", "9", behind=0.03)] * 4
    both = read([column(*six), column(*six)]).best  # six 6s there are, and nine 9s
    assert sorted(seen.storeys[0] for seen in both) == ["6", "9"]
    assert not any(seen.sure for seen in both)
    clearer = [alike("6", "9", behind=0.05)] * 4
    both = read([column(*six), column(*clearer)]).best
    assert [seen.storeys[0] for seen in both] == ["9", "6"]
    assert all(seen.sure for seen in both)


def test_there_are_so_many_stones_and_no_more():
    def stony(count):
        return column(*[STONE] * count, *["8"] * 3)

    assert [seen.sure for seen in read([stony(1), column("7", STONE, "7")]).best] == [True, True]
    many = [stony(1)] * (STONES + 1)
    assert not any(seen.sure for seen in read(many).best)


def test_a_tower_that_was_flipped_is_counted():
    (seen,) = read([face_down(6)]).best
    assert (seen.storeys, seen.sure, seen.towers) == (6, True, ())
    (seen,) = read([face_down(6, rival=0.05)]).best
    assert (seen.storeys, seen.sure) == (6, False)
    (seen,) = read([face_down(6, back=0.5)]).best  # as like a face as a back
    assert not seen.sure


def test_a_card_that_nobody_can_see_is_asked_about():
    glare = dict.fromkeys(FACES, 0.3) | {"8": 0.35}
    (seen,) = read([column("8", "8", glare, "8")]).best
    assert (seen.storeys, seen.sure) == (("8",) * 4, False)
    (seen,) = read([column("8", "8", "8", rival=0.05)]).best  # perhaps there is one more
    assert not seen.sure


def test_a_heap_that_is_no_column_is_asked_about():
    (seen,) = read([Column(None, None)]).best
    assert not seen.sure
    assert read([]).best == ()


@pytest.mark.parametrize(
    ("towers", "cost"),
    [
        ("8x3 5-7", 0.0),
        ("5-7 8x3", 0.0),
        ("8x3", 3 * ASTRAY),  # a column too many
        ("8x3 5-7 9x3", 3 * ASTRAY),  # one too few
        ("8x4 5-7", ASTRAY),
        ("8x3s 5-7", 0.5),  # a stone looks like none of the cards
        ("8x3* 5-7", 3 * ASTRAY),
    ],
)
def test_what_speaks_against_towers(towers, cost):
    seen = [column("8", "8", "8"), column("5", "6", "7")]
    assert measure_unlikeness(seen, [read_tower(tower) for tower in towers.split()]) == pytest.approx(cost)


def test_a_stone_lies_where_it_looks_like_one():
    assert measure_unlikeness([column("8", STONE, "8", "8")], [read_tower("8x4s")]) == 0.0
    assert measure_unlikeness([face_down(4)], [read_tower("9x4*")]) == 0.0
    assert measure_unlikeness([face_down(4)], [read_tower("9x5*")]) == pytest.approx(ASTRAY)
    assert measure_unlikeness([], []) == 0.0


def test_what_is_no_column_of_cards_is_one_too_many():
    assert measure_unlikeness([Column(None, None)], []) == pytest.approx(ASTRAY)
    assert measure_unlikeness([column("5", "6", "7")], []) == pytest.approx(3 * ASTRAY)


def test_what_else_columns_may_be_is_as_likely_as_it_looks():
    """Readings that are far behind the best are none."""

    def nines(behind):
        return column(*[alike("8", "9", behind=behind) | {STONE: -0.5}] * 3)

    assert (("9",) * 3,) in read([nines(HOPELESS / 3 - 0.01)]).likely
    assert (("9",) * 3,) not in read([nines(HOPELESS / 3 + 0.01)]).likely
    both = read([nines(HOPELESS / 4)] * 2).likely
    assert (("8",) * 3, ("9",) * 3) in both
    assert (("9",) * 3, ("9",) * 3) not in both
