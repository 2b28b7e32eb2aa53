"""Kinds of facts: what fits, what does not and why, and text forms that read back."""

from __future__ import annotations

import math
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.fact_kinds import Integer, Length, ListOf, Record, Text, Unfit, Word, bare, read, take, write
from tests.engines.fact_strategies import KINDS, values

PRICE = Integer(1, 12, "dinars")
PITCH = Length(10, 60)
COLOUR = Word(("red", "green", "blue"))
NAME = Text(8)
CELLS = ListOf(Word(("a1", "b1", "a2", "b2")), 2, 3, distinct=True, ordered=False)
CARD = Record((("name", NAME), ("cost", PRICE)))


def faults(kind, raw, how=take):
    with pytest.raises(Unfit) as refused:
        how(kind, raw)
    return [(fault.path, fault.check) for fault in refused.value.faults]


@pytest.mark.parametrize(
    ("kind", "raw", "value"),
    [
        (PRICE, 1, 1),
        (PRICE, 12, 12),
        (PITCH, 10, 10.0),
        (PITCH, 60, 60.0),
        (PITCH, 22.5, 22.5),
        (COLOUR, "green", "green"),
        (NAME, "x", "x"),
        (NAME, "塔の 塔", "塔の 塔"),
        (NAME, "12345678", "12345678"),
        (CELLS, ["b2", "a1"], ("a1", "b2")),
        (CELLS, ["a2", "b1", "a1"], ("a1", "b1", "a2")),
        (ListOf(PRICE, 0, 3), [], ()),
        (ListOf(PRICE, 0, 3), [3, 1, 3], (3, 1, 3)),
        (ListOf(PRICE, 0, 3, ordered=False), [3, 1, 3], (1, 3, 3)),
        (CARD, {"cost": 2, "name": "Oil"}, ("Oil", 2)),
    ],
)
def test_what_fits(kind, raw, value):
    assert take(kind, raw) == value
    assert type(take(kind, raw)) is type(value)


@pytest.mark.parametrize(
    ("kind", "raw", "check"),
    [
        (PRICE, 0, "range"),
        (PRICE, 13, "range"),
        (PRICE, 10**200, "range"),
        (PRICE, 2.0, "whole"),
        (PRICE, True, "whole"),
        (PRICE, "2", "whole"),
        (PRICE, None, "whole"),
        (PITCH, 9.9, "range"),
        (PITCH, 60.1, "range"),
        (PITCH, 0, "range"),
        (PITCH, -22, "range"),
        (PITCH, math.inf, "range"),
        (PITCH, math.nan, "range"),
        (PITCH, 2.2, "range_unit"),
        (PITCH, 0.022, "range_unit"),
        (PITCH, 22.25, "tenth"),
        (PITCH, "22 mm", "quoted"),
        (PITCH, "22", "length"),
        (PITCH, True, "length"),
        (PITCH, [22], "length"),
        (COLOUR, "Green", "word"),
        (COLOUR, "", "word"),
        (COLOUR, 1, "word"),
        (COLOUR, ["red"], "word"),
        (NAME, "", "text_length"),
        (NAME, "123456789", "text_length"),
        (NAME, " x", "text_length"),
        (NAME, "x ", "text_length"),
        (NAME, "a\nb", "text"),
        (NAME, "a\u2028b", "text"),
        (NAME, "a\udc80", "text"),
        (NAME, "\x00", "text"),
        (NAME, 3, "text"),
        (CELLS, "a1", "list"),
        (CELLS, {"a1": 1}, "list"),
        (CELLS, ["a1"], "items"),
        (CELLS, ["a1", "a2", "b1", "b2"], "items"),
        (CARD, ["Oil", 2], "record"),
        (CARD, "Oil", "record"),
    ],
)
def test_what_does_not(kind, raw, check):
    assert faults(kind, raw) == [((), check)]


@pytest.mark.parametrize(
    ("kind", "raw", "found"),
    [
        (CELLS, ["a1", "c9"], [((1,), "word")]),
        (CELLS, ["a1", "b1", "a1"], [((2,), "twice")]),
        (CELLS, [3, "c9", "a1", "a1"], [((), "items"), ((0,), "word"), ((1,), "word"), ((3,), "twice")]),
        (CARD, {"name": "Oil"}, [(("cost",), "lacks")]),
        (CARD, {"name": "Oil", "cost": 2, "price": 2}, [(("price",), "field")]),
        (CARD, {"name": "", "cost": 0}, [(("name",), "text_length"), (("cost",), "range")]),
        (ListOf(CARD, 1, 2), [{"name": "x", "cost": 2}, {"name": "x"}], [((1, "cost"), "lacks")]),
    ],
)
def test_everything_wrong_is_told_with_where(kind, raw, found):
    assert faults(kind, raw) == found


@pytest.mark.parametrize(
    ("got", "other", "meant"), [(2.2, "cm", "22"), (0.022, "m", "22"), (0.5, "in", "12.7")]
)
def test_another_unit_is_recognised_and_nothing_is_converted(got, other, meant):
    kind = Length(10, 30) if other != "in" else Length(12, 13)
    with pytest.raises(Unfit) as refused:
        take(kind, got)
    figures = dict(refused.value.faults[0].figures)
    assert (figures["other"], figures["meant"]) == (other, meant)


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (PRICE, "3", 3),
        (PRICE, " +3 dinars ", 3),
        (Integer(-5, 5), "-5", -5),
        (PITCH, "22", 22.0),
        (PITCH, "22.5mm", 22.5),
        (PITCH, "22,5 mm", 22.5),
        (COLOUR, "red ", "red"),
        (NAME, "  two w ", "two w"),
        (CELLS, "b2 a1", ("a1", "b2")),
        (CELLS, "b2,a1; a2", ("a1", "a2", "b2")),
        (CELLS, '["b2", "a1"]', ("a1", "b2")),
        (ListOf(PITCH, 2, 2), "22,5 23", (22.5, 23.0)),
        (ListOf(PRICE, 0, 2), "-", ()),
        (CARD, '{"name": "Oil", "cost": 3}', ("Oil", 3)),
    ],
)
def test_a_text_is_read(kind, text, value):
    assert read(kind, text) == value


@pytest.mark.parametrize(
    ("kind", "text", "check"),
    [
        (PRICE, "3 dates", "unit"),
        (PRICE, "3 mm", "unit"),
        (Integer(1, 9), "3 mm", "whole"),
        (PRICE, "three", "whole"),
        (PRICE, "3.0", "unit"),
        (PRICE, "٣", "whole"),
        (PRICE, "", "whole"),
        (PITCH, "2.2 cm", "in_mm"),
        (PITCH, "1 in", "in_mm"),
        (PITCH, "22 cm", "unit"),
        (PITCH, "22 px", "unit"),
        (PITCH, "2.2", "range_unit"),
        (PITCH, "22.25", "tenth"),
        (PITCH, "wide", "length"),
        (COLOUR, "rde", "word"),
        (NAME, "", "text_length"),
        (CELLS, "-", "items"),
        (CARD, "Oil 3", "json"),
        (CARD, "[" * 100_000, "json"),
        (CARD, '{"name": "Oil", "cost": NaN}', "whole"),
    ],
)
def test_or_refused(kind, text, check):
    assert [check_ for _, check_ in faults(kind, text, read)] == [check]


def test_the_nearest_word_is_named():
    with pytest.raises(Unfit) as refused:
        read(COLOUR, "Gren")
    assert dict(refused.value.faults[0].figures) == {"near": "green", "got": '"Gren"'}


@given(st.data())
def test_every_value_reads_back_from_its_text_and_from_toml(data):
    kind = data.draw(KINDS)
    value = take(kind, data.draw(values(kind)))
    hash(value)
    text = write(kind, value)
    assert "\n" not in text
    assert read(kind, text) == value
    assert take(kind, bare(kind, value)) == value


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abcx"), inner, max_size=3),
    max_leaves=8,
)


@given(KINDS, JUNK)
def test_anything_else_is_refused_and_nothing_worse(kind, raw):
    with suppress(Unfit):
        value = take(kind, raw)
        assert take(kind, bare(kind, value)) == value


@given(KINDS, st.text(max_size=30))
def test_and_so_is_any_text(kind, text):
    with suppress(Unfit):
        value = read(kind, text)
        assert read(kind, write(kind, value)) == value
