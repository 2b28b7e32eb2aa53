"""What a copy of Torres may have otherwise: sizes, the marked spaces, the master cards."""

from __future__ import annotations

from engines.contract import Figures, Setup
from engines.fact_kinds import Length, ListOf, Record, Text, Word
from engines.facts import Check, Fact, Schema, Source, Use, When, table
from engines.match_facts import of_match
from engines.torres.cells import NAMES, NEXT, NUMBERS, mask_of
from engines.torres.ground import START

CASTLES = len(START)
MASTER_CARDS = 8  # TO-6.3


def _apart(castles: tuple[str, ...]) -> Figures | None:
    """Marked spaces that touch would not be eight castles (TO-1.2, TO-1.7)."""
    marked = mask_of(NUMBERS[name] for name in castles)
    for name in castles:
        if beside := NEXT[NUMBERS[name]] & marked:
            return ("one", name), ("other", NAMES[beside.bit_length() - 1])
    return None


def _fits(pitch: float, block: float) -> Figures | None:
    """Blocks stand side by side on the spaces."""
    return (("pitch", f"{pitch:g}"), ("block", f"{block:g}")) if block > pitch else None


SCHEMA = Schema(
    "torres",
    (
        Fact(
            "start_castles",
            ListOf(Word(NAMES), CASTLES, CASTLES, distinct=True, ordered=False),
            "TO-1.2",
            Source.LIKELY,
            tuple(sorted(START, key=NAMES.index)),
            when=(When("master", ("no",), usual=True),),
            set_up=True,
        ),
        Fact("cell_pitch", Length(10, 60), "TO-1.1", uses=(Use.SIGHT,)),
        Fact("block_width", Length(5, 60), "TO-1.1", uses=(Use.SIGHT,)),
        Fact("block_height", Length(4, 60), "TO-1.6", uses=(Use.SIGHT,)),
        Fact("board_border", Length(0, 99), "TO-1.1", uses=(Use.SIGHT,)),
        *table(
            "master_card",
            [str(number) for number in range(1, MASTER_CARDS + 1)],
            Record((("name", Text(24)), ("says", Text(200)))),
            "TO-6.3",
            when=(When("master_cards", ("yes",)),),
        ),
    ),
    (
        Check("apart", ("start_castles",), "TO-1.2", _apart),
        Check("block_fits", ("cell_pitch", "block_width"), "TO-1.1", _fits),
    ),
)


def start_castles(setup: Setup) -> tuple[str, ...]:
    """The marked spaces of the copy that a match is played on (TO-1.2); the likely ones if none is told."""
    told: tuple[str, ...] | None = of_match(SCHEMA, setup)[0]["start_castles"] if setup.facts else None
    return told or START
