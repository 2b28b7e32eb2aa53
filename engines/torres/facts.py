"""Facts in which copies of Torres differ: sizes, the marked spaces, the master cards."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import msgspec

from engines.contract import Figures, Setup
from engines.fact_kinds import number, one_of, several, text
from engines.facts import UNKNOWN, Copy, Fact, FactCheck, Known, Schema, Standing, Use, of_match
from engines.torres.cells import NAMES, NEXT, NUMBERS, mask_of
from engines.torres.ground import START

CASTLES = len(START)
CARDS = [str(card) for card in range(1, 9)]  # TO-6.3

Cells = Annotated[frozenset[Annotated[str, one_of(NAMES)]], several(CASTLES, CASTLES)]


class MasterCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The print on a master card."""

    name: Annotated[str, text(24)]
    says: Annotated[str, text(200)]


class TorresCopy(Copy, frozen=True, kw_only=True):
    """The facts of Torres."""

    start_castles: Annotated[
        Cells,
        Fact(
            "TO-1.2",
            Known(frozenset(START), Standing.LIKELY),
            unless=(("master", ("yes",)),),
            set_up=True,
            scored=True,
        ),
    ] = UNKNOWN
    cell_pitch: Annotated[float, number(10, 60, "mm"), Fact("TO-1.1", use=Use.SIGHT)] = UNKNOWN
    block_width: Annotated[float, number(5, 60, "mm"), Fact("TO-1.1", use=Use.SIGHT)] = UNKNOWN
    block_height: Annotated[float, number(4, 60, "mm"), Fact("TO-1.6", use=Use.SIGHT)] = UNKNOWN
    board_border: Annotated[float, number(0, 99, "mm"), Fact("TO-1.1", use=Use.SIGHT)] = UNKNOWN
    master_card: Annotated[
        dict[Annotated[str, one_of(CARDS)], MasterCard],
        Fact("TO-6.3", when=(("master_cards", ("yes",)),)),
    ] = UNKNOWN


def _refuse_touching(castles: Iterable[str]) -> Figures | None:
    """Refuse marked spaces that touch: they would not be eight castles (TO-1.2, TO-1.7)."""
    marked = mask_of(NUMBERS[name] for name in castles)
    for name in sorted(castles, key=NAMES.index):
        if beside := NEXT[NUMBERS[name]] & marked:
            return ("one", name), ("other", NAMES[beside.bit_length() - 1])
    return None


def _refuse_wide(pitch: float, block: float) -> Figures | None:
    """Refuse blocks wider than the spaces that they stand on side by side."""
    return (("pitch", f"{pitch:g}"), ("block", f"{block:g}")) if block > pitch else None


SCHEMA = Schema(
    "torres",
    TorresCopy,
    (
        FactCheck("apart", ("start_castles",), "TO-1.2", _refuse_touching, early=True),
        FactCheck("block_fits", ("cell_pitch", "block_width"), "TO-1.1", _refuse_wide),
    ),
)


def start_castles(setup: Setup) -> Iterable[str]:
    """Return the marked spaces of a match's copy (TO-1.2); the likely ones if they are unknown."""
    return of_match(SCHEMA, setup.facts)[0]["start_castles"] or START
