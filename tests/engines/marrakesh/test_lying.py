"""A tray of which only the number is known: the contents that it leaves, and numbers that cannot be."""

import pytest

from engines import bags
from engines.contract import Choice, Exact, Several
from engines.errors import Malformed
from engines.marrakesh.pieces import COLOURS, keshis, letters
from engines.marrakesh.tower import OUT, SIGHTS, TRAY, TrayCounted, explain_number, find_released

THROWN = keshis({"turquoise": 2, "black": 1, "white": 3, "red": 3})
"""Nine keshis."""


def likely(inside, thrown, number):
    return [(held, chance) for chance, held in find_released(inside, thrown, number)]


@pytest.mark.parametrize("number", [0, 9])
def test_a_total_is_read(number):
    assert SIGHTS[0].read(f"total {number}") == TrayCounted(number)


@pytest.mark.parametrize("text", ["9", "total 09"])
def test_another_text_is_no_total(text):
    with pytest.raises(Malformed):
        SIGHTS[0].read(text)


def test_as_many_as_there_can_be_are_all_of_them():
    assert likely(keshis({"red": 1}), THROWN, 10) == [(THROWN + keshis({"red": 1}), pytest.approx(1))]


def test_one_fewer_is_one_colour_fewer_the_more_there_were_the_likelier():
    found = likely(0, THROWN, 8)
    missing = [letters(THROWN - held) for held, _ in found]
    assert missing[:2] in (["w", "r"], ["r", "w"])
    assert missing[2:] == ["t", "k"]
    assert [chance for _, chance in found] == pytest.approx([3 / 9, 3 / 9, 2 / 9, 1 / 9])


def test_what_was_thrown_comes_out_rather_than_what_stuck():
    (first, chance), (second, other) = likely(keshis({"pink": 1}), keshis({"red": 1}), 1)
    assert (first, second) == (keshis({"red": 1}), keshis({"pink": 1}))
    assert chance / other == pytest.approx(OUT / (1 - OUT) * 0.7 / 0.3)


def test_few_contents_are_answers_with_their_chances():
    found = explain_number(0, THROWN, TrayCounted(8))
    assert isinstance(found, Several)
    assert all(bags.total(TRAY.read(one.token)) == 8 for (one,) in found.explanations)
    assert {one.question for (one,) in found.explanations} == {"tray"}
    assert sum(found.chances) == pytest.approx(1)


def test_many_contents_are_worth_no_look():
    every = keshis(dict.fromkeys(COLOURS, 1))
    assert explain_number(0, every, TrayCounted(9)) == Exact(())
    assert isinstance(explain_number(0, every, TrayCounted(11)), Several)


def test_more_than_can_have_come_out_is_named():
    found = explain_number(keshis({"red": 1}), THROWN, TrayCounted(11))
    assert found.nearest == (Choice("tray", "2t1k3w4r"),)
    assert (found.differences, found.refusal.clause) == (("total 11",), "MK-4.2")
    assert dict(found.refusal.figures) == {"number": 11, "inside": 1, "thrown": 9}
