"""Copies of Torres as they might be found on a table."""

from hypothesis import strategies as st

from engines.facts import Facts, schema
from engines.torres.cells import NAMES, NEXT, NUMBERS
from tests.engines.fact_strategies import values

SCHEMA = schema("torres")
OTHERS = "a1 c1 e1 g1 a8 c8 e8 g8"
"""Start castles that no copy has, but might have."""


def apart(rng):
    """Eight spaces that do not touch, at random."""
    cells = list(NAMES)
    rng.shuffle(cells)
    found = []
    for name in cells:
        if not any(NEXT[NUMBERS[name]] >> NUMBERS[other] & 1 for other in found):
            found.append(name)
    return found[:8]


@st.composite
def copies(draw):
    """A copy that people have looked at as far as they cared to."""
    facts = Facts.of(SCHEMA, draw(st.sampled_from(("", "Anna's", "facts: of # this"))))
    facts = Facts(SCHEMA, facts.known, facts.copy, draw(st.booleans()))
    if draw(st.booleans()):
        facts = facts.confirm({"start_castles": apart(draw(st.randoms(use_true_random=False)))})
    if draw(st.booleans()):
        width = draw(st.integers(50, 300)) / 10
        facts = facts.confirm({"block_width": width})
        facts = facts.confirm({"cell_pitch": draw(st.integers(max(int(width * 10), 100), 600)) / 10})
    for name in draw(st.lists(st.sampled_from([fact.name for fact in SCHEMA if fact.table]), max_size=3)):
        facts = facts.confirm({name: draw(values(SCHEMA.fact(name).kind))})
    return facts
