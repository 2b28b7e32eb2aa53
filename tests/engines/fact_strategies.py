"""Kinds of facts and their values at random, and a game of the other kind: tables of dozens of values."""

from __future__ import annotations

from hypothesis import strategies as st

from engines.contract import Setup
from engines.fact_kinds import Integer, Length, ListOf, Record, Text, Word
from engines.facts import Check, Fact, Schema, Source, Use, When, table

WORDS = st.lists(st.from_regex(r"[a-z0-9_-]{1,8}", fullmatch=True), min_size=1, max_size=9, unique=True)
SIGNS = st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"))

PLAIN = st.one_of(
    st.builds(
        lambda low, more, unit: Integer(low, low + more, unit),
        st.integers(-99, 999),
        st.integers(0, 999),
        st.sampled_from(("", "dinars")),
    ),
    st.builds(lambda low, more: Length(low, low + more), st.integers(0, 99), st.integers(0, 999)),
    WORDS.map(lambda words: Word(tuple(words))),
)
SIMPLE = PLAIN | st.integers(1, 30).map(Text)
KINDS = st.recursive(
    SIMPLE,
    lambda inner: st.one_of(
        st.builds(
            lambda item, least, more, ordered: ListOf(item, least, least + more, ordered=ordered),
            inner,
            st.integers(0, 3),
            st.integers(0, 4),
            st.booleans(),
        ),
        st.lists(
            st.tuples(st.sampled_from("abc"), inner), min_size=1, max_size=3, unique_by=lambda f: f[0]
        ).map(lambda fields: Record(tuple(fields))),
    ),
    max_leaves=4,
)


def values(kind):
    """Values of a kind, as TOML would give them."""
    match kind:
        case Integer(low, high):
            return st.integers(low, high)
        case Length(low, high):
            return st.integers(int(low * 10), int(high * 10)).map(lambda tenths: tenths / 10)
        case Word(words):
            return st.sampled_from(words)
        case Text(most):
            fits = st.text(SIGNS, min_size=1, max_size=most)
            return fits.filter(lambda text: text.strip() == text and text)
        case ListOf(item, least, most):
            return st.lists(values(item), min_size=least, max_size=most)
        case Record(fields):
            return st.fixed_dictionaries({name: values(inner) for name, inner in fields})
    raise AssertionError(kind)


COLOURS = ("green", "gray", "white", "black", "pink", "beige")
COST = Record(tuple((name, Integer(0, 9)) for name in ("dates", "dinars", "water")))
OASES = [f"{number:02}" for number in range(1, 31)]

# Not the facts of any real game: their shape.
BAZAAR = Schema(
    "bazaar",
    (
        Fact("river", Integer(5, 40, "spaces"), "MK-1", may_wait=False),
        Fact("rapids", ListOf(Integer(1, 40), 1, 6, distinct=True, ordered=False), "MK-1"),
        *table(
            "oasis",
            OASES,
            Record((("points", Integer(0, 9)), ("colours", ListOf(Word(COLOURS), 1, 3, distinct=True)))),
            "MK-14",
            sure={"03": (2, ("pink",))},
            likely={"05": (3, ("white",)), "07": (3, ("black", "green"))},
        ),
        *table("cost", ["left", "right"], COST, "MK-14", when=(When("desert", ("yes", "long")),)),
        *table("gain", ["left", "right"], Integer(0, 9), "MK-14", when=(When("desert", ("long",)),)),
        Fact("disc", ListOf(Integer(0, 4), 8, 8), "MK-9", when=(When("disc", ("pink",), usual=True),)),
        Fact("tray", Length(40, 300), "MK-1", Source.SURE, 90.0, uses=(Use.SIGHT,)),
    ),
    (
        Check(
            "rapids_fit",
            ("river", "rapids"),
            "MK-1",
            lambda river, rapids: (("rapid", max(rapids)),) if max(rapids) > river else None,
        ),
    ),
)

SETUPS = [
    Setup(),
    Setup(options=(("desert", "yes"),)),
    Setup(options=(("disc", "purple"), ("desert", "no"))),
    Setup(position="x"),
]
