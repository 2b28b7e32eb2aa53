"""The facts of a copy of The Castles of Tuscany that no source has (CT-1.6)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from engines import bags
from engines.bags import Bag
from engines.castles_of_tuscany import regions
from engines.castles_of_tuscany.kinds import CARDS, CASTLE, FARMS, JOINED, KINDS, REWARDS
from engines.castles_of_tuscany.regions import HEXES, Outline
from engines.contract import Figures, Told
from engines.fact_kinds import number, one_of, several, signs, text
from engines.facts import UNKNOWN, Copy, Fact, FactCheck, Facts, Known, Schema, Standing, Use, of_match

MOST_VP = 20
"""The most VP of a colour bonus; the largest known one is far below."""
CASTLES = 3  # CT-1.5

Hexes = Annotated[str, signs(KINDS, HEXES, rows="outline")]
Bonus = Annotated[tuple[Annotated[int, number(0, MOST_VP, "VP")], ...], several(2, 2)]


class TuscanyCopy(Copy, frozen=True, kw_only=True):
    """The facts of The Castles of Tuscany."""

    cards_per_draw: Annotated[int, number(2, 3, "cards"), Fact("CT-3.3", may_wait=False)] = UNKNOWN
    farms: Annotated[
        tuple[Annotated[str, text(12)], ...],
        several(1, len(FARMS)),
        Fact("CT-5.4", may_wait=False, names="farm"),
    ] = UNKNOWN
    outline: Annotated[
        tuple[Annotated[int, number(1, 9, "hexes")], ...],
        several(2, 3),
        Fact("CT-1.5", Known((5, 5), Standing.LIKELY), may_wait=False),
    ] = UNKNOWN
    storage_points: Annotated[
        int, number(0, 9, "VP"), Fact("CT-5.9", Known(2, Standing.SURE), may_wait=False)
    ] = UNKNOWN
    board: Annotated[dict[Annotated[str, one_of(regions.NAMES)], Hexes], Fact("CT-1.6", late=True)] = UNKNOWN
    bonus: Annotated[dict[Annotated[str, one_of(KINDS)], Bonus], Fact("CT-4.2", late=True)] = UNKNOWN
    cards: Annotated[
        dict[Annotated[str, one_of(KINDS)], Annotated[int, number(1, 99, "cards")]],
        Fact("CT-1.4", late=True),
    ] = UNKNOWN
    yields: Annotated[
        tuple[Annotated[str, one_of(REWARDS, "reward", JOINED)], ...],
        several(1, len(REWARDS)),
        Fact("CT-5.8", late=True),
    ] = UNKNOWN
    hex_size: Annotated[float, number(10, 60, "mm"), Fact("CT-1.3", use=Use.SIGHT)] = UNKNOWN


def _refuse_twice(farms: tuple[str, ...]) -> Figures | None:
    twice = [kind for kind in farms if farms.count(kind) > 1]
    return (("name", twice[0]),) if twice else None


def _refuse_rows(outline: Outline) -> Figures | None:
    """Refuse rows that are no board's."""
    if regions.is_outline(outline):
        return None
    return (("rows", " ".join(map(str, outline))), ("hexes", sum(outline)))


def _refuse_castles(kinds: str) -> Figures | None:
    """Refuse more dark green spaces on a board than a region's three (CT-1.5)."""
    return (("castles", kinds.count(CASTLE)),) if kinds.count(CASTLE) > CASTLES else None


def _refuse_unlike_set(one: str, other: str) -> Figures | None:
    """Refuse boards of one set with different numbers of dark green spaces (CT-1.5): any of them may be in a
    region, which has three.
    """
    if one.count(CASTLE) == other.count(CASTLE):
        return None
    return (("one", one.count(CASTLE)), ("other", other.count(CASTLE)))


def _refuse_card_sum(*cards: int) -> Figures | None:
    return (("cards", sum(cards)), ("all", CARDS)) if sum(cards) != CARDS else None


_BOARDS = [f"board.{name}" for name in regions.NAMES]
_FIRST = {name[0]: f"board.{name}" for name in reversed(regions.NAMES)}

_SAMPLE = (
    *("icmvvimrrv", "cqqmvffmvt", "cffvmrifvm", "crrftmmriq"),
    *("trcfftrvvv", "cvvvtfrimm", "vctqqvvtti", "ttvcrtvvii"),
    *("vcqftvrqff", "icrqqttrff", "mvvrrcvqff", "cfqrmffqrm"),
)
"""Made up boards."""

SCHEMA = Schema(
    "castles_of_tuscany",
    TuscanyCopy,
    (
        FactCheck("twice", ("farms",), "CT-5.4", _refuse_twice, early=True),
        FactCheck("ten", ("outline",), "CT-1.5", _refuse_rows),
        *(FactCheck("few_castles", (name,), "CT-1.5", _refuse_castles) for name in _BOARDS),
        *(
            FactCheck("alike", (_FIRST[name[len("board.")]], name), "CT-1.5", _refuse_unlike_set)
            for name in _BOARDS
            if name not in _FIRST.values()
        ),
        FactCheck("all_cards", tuple(f"cards.{kind}" for kind in KINDS), "CT-1.4", _refuse_card_sum),
    ),
    made_up={
        "cards_per_draw": 2,
        "farms": ("vines", "olives", "wheat", "cows"),
        **dict(zip(_BOARDS, _SAMPLE, strict=True)),
        **{f"bonus.{kind}": (6, 3) for kind in KINDS},
        **dict(zip((f"cards.{kind}" for kind in KINDS), (9, 13, 11, 19, 15, 20, 17, 18), strict=True)),
        "yields": ("g2", "g3", "o2", "o3", "c2", "c3", "m1", "w1", "h1"),
        "hex_size": 40.0,
    },
)


class Printing(msgspec.Struct, frozen=True, cache_hash=True):
    """A match's knowledge of its copy: cards a ``draw``, the number of ``farms`` kinds, the boards'
    ``outline``, the known ``boards`` by name, the ``bonus`` values by kind (None while unknown), the region
    ``cards`` (0 while unknown), the ``yields`` (empty while unknown), and the VP of the square tile
    ``storage``.
    """

    draw: int = 2
    farms: int = 4
    outline: Outline = (5, 5)
    storage: int = 2
    boards: tuple[tuple[str, str], ...] = ()
    bonus: tuple[tuple[int, int] | None, ...] = (None,) * len(KINDS)
    cards: Bag = 0
    yields: tuple[str, ...] = ()


def facts_of(told: Told) -> Facts:
    """Return the facts that a match knows of its copy; the schema's defaults if it has none."""
    return of_match(SCHEMA, told)[0]


def printing(facts: Facts) -> Printing:
    """Return the facts that a match uses; none that it needs may be unknown."""
    split = [facts[f"cards.{kind}"] for kind in KINDS]
    bonus = [facts[f"bonus.{kind}"] for kind in KINDS]
    return Printing(
        facts["cards_per_draw"],
        len(facts["farms"]),
        facts["outline"],
        facts["storage_points"],
        tuple((name, facts[f"board.{name}"]) for name in regions.NAMES if facts[f"board.{name}"]),
        tuple(pair and (pair[0], pair[1]) for pair in bonus),
        0 if None in split else sum(bags.one(kind, each) for kind, each in enumerate(split)),
        facts["yields"] or (),
    )
