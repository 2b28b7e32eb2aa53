"""Kinds of facts: what fits, what does not, and text forms that read back."""

import math
from contextlib import suppress
from typing import Annotated

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.fact_kinds import (
    fit,
    number,
    one_of,
    plainest,
    raw,
    read,
    read_word,
    several,
    signs,
    text,
    write,
    write_word,
)
from tests.engines.fact_strategies import BAZAAR, values

PRICE = Annotated[int, number(1, 12, "dinars")]
PITCH = Annotated[float, number(10, 60, "mm")]
COLOUR = Annotated[str, one_of(("red", "green", "blue"))]
NAME = Annotated[str, text(8)]
CELL = Annotated[str, one_of(("a1", "b1", "a2", "b2"))]
CELLS = Annotated[frozenset[CELL], several(2, 3)]
YIELDS = tuple[Annotated[str, one_of(("w1", "o2"), joined="+")], ...]
PRICES = Annotated[tuple[PRICE, ...], several(0, 3)]
HEXES = Annotated[str, signs("abc", 4)]


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: NAME
    cost: PRICE


CARDS = Annotated[tuple[Card, ...], several(1, 2)]


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (PRICE, 0),
        (PRICE, 13),
        (PRICE, 2.5),
        (PRICE, True),
        (PRICE, "2"),
        (PITCH, 9.9),
        (PITCH, 60.1),
        (PITCH, math.inf),
        (PITCH, math.nan),
        (COLOUR, "Green"),
        (COLOUR, "red\n"),
        (HEXES, "abc"),
        (HEXES, "abcaa"),
        (HEXES, "abcd"),
        (NAME, ""),
        (NAME, "123456789"),
        (NAME, " x"),
        (NAME, "x "),
        (NAME, "a\nb"),
        (NAME, "a\u202eb"),
        (NAME, "a\udc80"),
        (NAME, 3),
        (CELLS, "a1"),
        (CELLS, ["a1"]),
        (CELLS, ["a1", "a1"]),
        (CELLS, ["a1", "c9"]),
        (CELLS, ["a1", "a2", "b1", "b2"]),
        (Card, ["Oil", 2]),
        (Card, {"name": "Oil"}),
        (Card, {"name": "Oil", "cost": 2, "price": 2}),
        (CARDS, [{"name": "x", "cost": 2}, {"name": "x"}]),
    ],
)
def test_what_does_not(kind, data):
    with pytest.raises(msgspec.ValidationError):
        fit(kind, data)


@pytest.mark.parametrize(
    ("kind", "written", "value"),
    [
        (PRICE, "3", 3),
        (PRICE, " 3 dinars ", 3),
        (Annotated[int, number(-5, 5)], "-5", -5),
        (PITCH, "22", 22.0),
        (PITCH, "22.5mm", 22.5),
        (PITCH, "22,5 mm", 22.5),
        (COLOUR, "red ", "red"),
        (HEXES, " AB ca", "abca"),
        (NAME, "  two w ", "two w"),
        (CELLS, "b2 a1", frozenset(("a1", "b2"))),
        (CELLS, "b2,a1; a2", frozenset(("a1", "a2", "b2"))),
        (CELLS, '["b2", "a1"]', frozenset(("a1", "b2"))),
        (PRICES, "-", ()),
        (YIELDS, "w1+o2 w1", ("w1+o2", "w1")),
        (Card, '{"name": "Oil", "cost": 3}', Card("Oil", 3)),
    ],
)
def test_a_text_is_read(kind, written, value):
    assert read(kind, written) == value


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        (PRICE, "3 dates"),
        (PRICE, ""),
        (PITCH, "2.2 cm"),
        (PITCH, "2.2"),
        (PITCH, "nan"),
        (COLOUR, "rde"),
        (HEXES, "ab,ca"),
        (NAME, ""),
        (CELLS, "-"),
        (CELLS, "a1 a1"),
        (CARDS, "null"),
        (YIELDS, "w1+"),
        (YIELDS, "w1+x9"),
        (Card, "Oil 3"),
        (Card, "[" * 100_000),
        (Card, '{"name": "Oil", "cost": NaN}'),
        (Card, '{"name": "\udc80", "cost": 1}'),
    ],
)
def test_or_refused(kind, written):
    with pytest.raises(msgspec.MsgspecError):
        read(kind, written)


KINDS = [
    PRICE,
    PITCH,
    COLOUR,
    HEXES,
    NAME,
    CELLS,
    Annotated[frozenset[PRICE], several(2, 3)],
    PRICES,
    CARDS,
    *dict.fromkeys(fact.kind for fact in BAZAAR),
]


@given(st.data(), st.sampled_from(KINDS))
def test_every_value_reads_back_from_its_text_and_from_toml(data, kind):
    value = msgspec.convert(data.draw(values(kind)), kind)
    hash(value)
    written = write(kind, value)
    assert "\n" not in written
    assert read(kind, written) == value
    assert msgspec.convert(raw(kind, value), kind) == value
    word = write_word(kind, value)
    assert word.split() == [word]
    assert read_word(kind, word) == value


@pytest.mark.parametrize(
    ("kind", "value", "written", "word"),
    [
        (PITCH, 22.5, "22.5 mm", "22.5"),
        (PITCH, 22.0, "22 mm", "22"),
        (PRICE, 3, "3 dinars", "3"),
        (COLOUR, "red", "red", "red"),
        (NAME, "two dry", "two dry", '"two\\u0020dry"'),
        (CELLS, frozenset(("b2", "a1", "b1")), "a1 b1 b2", "a1,b1,b2"),
        (PRICES, (3, 1), "3 1", "3,1"),
        (PRICES, (), "-", "-"),
        (Card, Card("at sea", 3), '{"name": "at sea", "cost": 3}', '{"name":"at\\u0020sea","cost":3}'),
    ],
)
def test_a_value_is_written_as_a_text_and_as_a_word(kind, value, written, word):
    assert (write(kind, value), write_word(kind, value)) == (written, word)


@given(st.sampled_from(KINDS), st.text(max_size=30))
def test_any_other_text_is_refused_and_nothing_worse(kind, written):
    with suppress(msgspec.MsgspecError):
        value = read(kind, written)
        assert read(kind, write(kind, value)) == value


@pytest.mark.parametrize("kind", KINDS)
def test_the_plainest_fits(kind):
    assert fit(kind, raw(kind, plainest(kind))) == plainest(kind)


def test_several_different_records_must_be_told():
    with pytest.raises(ValueError, match="must be told"):
        plainest(Annotated[frozenset[Card], several(2, 3)])
