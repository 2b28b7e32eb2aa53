"""The pieces: keshis by colour; scrolls, oases, river tiles and those of expansions by number.

A handful of keshis is an :mod:`engines.bags` bag; kind *i* is ``COLOURS[i]`` (MK-1.1).

Effects of tiles are words: an instant one is an effect (:mod:`.book`); chapters ask for a permanent one
(:meth:`.State.owns`). The copy decides the effect of a number; its owner's entry starts with the one here of
public lists, with its certainty. The wording tells the time: at once, at a round's or season's end, or from
then on (MK-12.4).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from engines import bags
from engines.bags import Bag
from engines.facts import Known, Standing

COLOURS = (
    "turquoise",
    "green",
    "black",
    "white",
    "gray",
    "beige",
    "brown",
    "pink",
    "red",
    "yellow",
    "purple",
    "orange",
)
"""The colours in the order of their areas, then red, which has none, and the three goods; kinds are places in
this row.
"""
KINDS = len(COLOURS)
LETTERS = "tgkwybnprluo"
"""The colours' letters; k is black, w white, y gray, b beige, n brown, l yellow and u purple."""
TURQUOISE, GREEN, BLACK, WHITE, GRAY, BEIGE, BROWN, PINK, RED = range(9)
AREAS = LETTERS[:RED]
"""The areas with one colour, by its letter; the souk, :data:`SOUK`, takes all three goods."""
SOUK = "s"
GOODS = LETTERS[RED + 1 :]
DRAWN = tuple(letter for letter in AREAS + LETTERS[RED] if letter != LETTERS[BROWN])
"""The common bag: one of each colour except yellow, purple, orange and brown (MK-1.5)."""
EACH = 25
"""The number of keshis of each colour (MK-1.1)."""
CHOSEN = 3
"""The number of keshis that each player throws in a round (MK-3.1)."""


def keshis(counts: Mapping[str, int]) -> Bag:
    """Return the bag of ``{"red": 2}``; raises ValueError for an unknown colour or a number beyond 0 to 255.

    >>> letters(keshis({"red": 2, "white": 1}))
    'wr'
    """
    held = 0
    for colour, count in counts.items():
        if colour not in COLOURS:
            raise ValueError(f"{colour!r} is no keshi's colour; they are {', '.join(COLOURS)}")
        if not 0 <= count <= bags.FULL:
            raise ValueError(f"{count} {colour} keshis; a number from 0 to {bags.FULL}")
        held += bags.one(COLOURS.index(colour), count)
    return held


@lru_cache(4096)
def of_letters(letters: str) -> Bag:
    """Return the bag of these colours, one keshi for each letter."""
    return bags.bag(map(LETTERS.index, letters))


@lru_cache(4096)
def letters(held: Bag) -> str:
    """Return the letters of the colours in the bag, each once, in the order of :data:`LETTERS`."""
    return "".join(LETTERS[kind] for kind, _ in bags.items(held))


# Luxury goods

LUXURY = ("slipper", "tajine", "dagger", "lamp", "necklace")
LUXURY_GOODS = tuple(f"{kind}{n}" for kind in LUXURY for n in range(1, 6))
"""The 25 luxury goods; five of each kind is inferred, and numbers are not printed on them."""


def _mark(*words: str, first: int) -> dict[str, Known]:
    return {f"{n:02}": Known(word, Standing.LIKELY) for n, word in enumerate(words, first)}


# Scrolls

KESHI_SCROLLS = tuple(f"{n:02}" for n in range(1, 13))
KESHI_EFFECTS = tuple(f"deploy_{letter}" for letter in LETTERS)
GOODS_SCROLLS = tuple(str(n) for n in range(37, 43))
PAIRS = tuple(a + b for at, a in enumerate(GOODS) for b in GOODS[at:])
PAIR_EFFECTS = tuple(f"pair_{pair}" for pair in PAIRS)

SCROLLS: dict[str, Known] = {
    **_mark("line_water", "line_date", "line_dinar", "line_river", "rapids_at_once", first=13),
    **_mark("more_exchange", "water2", "dinar2", "date3", "left_gate_free", "harvest_water", first=18),
    **_mark("harvest_dinar", "harvest_vp", "climb_date", "climb_water", "season_rapids", first=24),
    "29": Known(),
    **_mark("keshi", "more_spectators", "cheap_gates", "pay_otherwise", "many_goods", first=30),
    **_mark("double_water", "any_gate_keshi", first=35),
    **_mark("keshi2", "lenient", "cheap_oases", "many_exchanges", "threes", "longer_stair", first=43),
    **_mark("top_mosque", "vendor_points", "ones", "top_palace", "act", "neighbours", first=49),
    **_mark("both_stairs", "top_jetty", "stall", "learn7", "all_links", "double_rapids", first=55),
    **_mark("free_claim", "oases3", "two_links", "settle", "double_square", first=61),
    **_mark("double_gate", "keshi3", "discovery_points", "every_rapid", "entertainers", first=66),
    **_mark("score_oasis", "sell", first=71),
}
"""Scrolls 13 to 72 except 37 to 42. No list tells the keshis of 01 to 12 and 37 to 42, or the VP of 29. The
icon of 72 is unknown: it counts as an instant one.
"""
FACED_VP = ("one_vp_each", "two_vp_each")
"""The possible effects of 29: 1 VP or 2 VP for each spectator."""
EFFECTS = (*dict.fromkeys(known.value for known in SCROLLS.values() if known.value), *FACED_VP)
AT_ONCE = frozenset(
    (
        *KESHI_EFFECTS,
        *PAIR_EFFECTS,
        *("water2", "dinar2", "date3", "keshi", "keshi2", "keshi3", "threes", "entertainers", "act"),
        *("both_stairs", "all_links", "stall", "learn7", "oases3", "settle", "score_oasis", "sell"),
    )
)
"""The effects of instant scrolls; all others are permanent."""

SCROLL_NUMBERS = {
    "gray": range(1, 22),
    "yellow": range(22, 43),
    "pink": range(43, 61),
    "orange": range(61, 73),
}
"""The numbers of scrolls by colour."""
SCHOLARS = {"gray": 1, "yellow": 3, "pink": 5, "orange": 7}
DATES = {"gray": 1, "yellow": 1, "pink": 2, "orange": 3}


def name_scroll_fact(number: int) -> str:
    """Return the name of a scroll's fact."""
    name = f"{number:02}"
    if name in KESHI_SCROLLS:
        return f"keshi_scroll.{name}"
    return f"goods_scroll.{name}" if name in GOODS_SCROLLS else f"scroll.{name}"


# Oases

GATE_OASES = ("01", "02", "03", "04")
PER_GATE = tuple(f"{letter}{vp}" for letter in LETTERS for vp in range(1, 5))
KNOWN_GATE_OASES = {"03": Known(("p2",), Standing.LIKELY)}
KESHI_OASES = tuple(f"{n:02}" for n in range(5, 14))
PER_KESHI = tuple(AREAS + "r")
KNOWN_KESHI_OASES = {"05": Known("w", Standing.SURE), "07": Known("t", Standing.SURE)}
GOOD_OASES = tuple(str(n) for n in range(14, 19))
PER_GOOD = tuple(f"{kind}{vp}" for kind in LUXURY for vp in range(1, 6))
RESOURCE_OASES = ("19", "20", "21")
PER_RESOURCE = ("water", "date", "dinar")
KNOWN_RESOURCE_OASES = {"21": Known("date", Standing.SURE)}
OASES = _mark(
    *("goods", "scrolls", "small_areas", "full_areas", "oases"),
    *("mosque_top", "palace_top", "lines", "jetty"),
    first=22,
)
OASIS_FORMS = tuple(known.value for known in OASES.values())


# River tiles

RIVER = {
    **_mark("act", "spare_oasis", "keshi2", "vp5", "vp7_vp3", "any6_any3", first=1),
    **_mark("deploy_r", "vp3", "crocodile", "each_good", "stair3_stair", "gates_or_greens", first=7),
    **_mark("keshi_pnb", "one_each", "oases2", "square2", "pinks_or_reds", "four_or_goods", first=13),
    "05": Known("vp7_vp3", Standing.SURE),
}
"""The effect of each face; those of season 3 name the winner's and the second's part."""
RIVER_EFFECTS = tuple(known.value for known in RIVER.values())
SEASON_FACES = (
    ("01", "02", "07", "08", "13", "14"),
    ("03", "04", "09", "10", "15", "16"),
    ("05", "06", "11", "12", "17", "18"),
)
"""The faces that lie out in each season; the third's are sure, the others inferred."""


# A sample


def sample_tiles() -> dict[str, Any]:
    """Make up values of the tiles that are in no list."""
    goods = {
        f"good.{name}": (at % 3, (at // 2) % 2, 1, 1 + at % 5, at % 2, (at + 1) % 2, at % 3 == 0)
        for at, name in enumerate(LUXURY_GOODS)
    }
    return {
        **{name: tuple(map(int, value)) for name, value in goods.items()},
        **{f"keshi_scroll.{name}": word for name, word in zip(KESHI_SCROLLS, KESHI_EFFECTS, strict=True)},
        **{f"goods_scroll.{name}": word for name, word in zip(GOODS_SCROLLS, PAIR_EFFECTS, strict=True)},
        "scroll.29": FACED_VP[1],
        "more_counts": "yes",
        **{f"gate_oasis.{name}": pair for name, pair in zip(GATE_OASES, _GATES, strict=True)},
        **{
            f"keshi_oasis.{name}": one
            for name, one in zip(KESHI_OASES, "wntgkybpr", strict=True)
            if name != "05"
        },
        **{f"good_oasis.{name}": f"{kind}3" for name, kind in zip(GOOD_OASES, LUXURY, strict=True)},
        "resource_oasis.19": "water",
        "resource_oasis.20": "dinar",
    }


_GATES = (("t2", "g2"), ("k2", "w2"), ("p2",), ("y1", "n2", "r1"))


# Staircase tiles (MK-17.1)

STAIR_TILES = tuple(f"{number:02}{face}" for number in range(1, 21) for face in "ab")
"""The faces of the tiles; their owner gave numbers and letters, and no list has their bonuses."""
SPACES = tuple(f"s{number}" for number in range(1, 13))
"""The middle bonus spaces between the stairs, row by row from the lower left."""


# More exchange offices (MK-17.3)

OFFICES = tuple(map(str, range(1, 7)))
"""The offices' numbers; their owner gave them, none are printed."""
OFFICE_LINES = tuple(f"1{resource}1{bonus}" for resource in "wdn" for bonus in "vrs")
"""The lines: a resource, and 1 VP, 1 river step or 1 stair step."""

# Desert towns (MK-17.5)

TOWNS = _mark(
    *("gate2", "good2", "scroll2", "palace1", "mosque1", "keshis3", "river1", "areas2", "faced1"),
    *("prize_scroll", "prize_good", "prize_gate"),
    first=1,
)
"""The effect of each town: VP for a thing that it counts at the end, or a gain at once."""
TOWN_EFFECTS = tuple(known.value for known in TOWNS.values())
TOWNS_AT_ONCE = frozenset({"prize_scroll", "prize_good", "prize_gate"})
"""The effects of towns that act at their claim."""
