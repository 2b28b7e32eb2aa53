"""Facts printed on a copy and in no sure source (MK-1.8, MK-17), and those that a match needs.

People tell the boards before a match. Tiles are ``late``: the game asks when one first matters; the answer
starts with the entry of public lists (``tiles``).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

import msgspec

from engines.contract import Figures, Told
from engines.fact_kinds import number, one_of, several, signs
from engines.facts import UNKNOWN, Copy, Fact, FactCheck, Facts, Known, Schema, Standing, of_match
from engines.marrakesh import pieces
from engines.marrakesh.pieces import LETTERS, OFFICE_LINES, OFFICES, SPACES, STAIR_TILES, TOWN_EFFECTS, TOWNS

SQUARE = ("water", "mosque", "river", "dinar", "vp2", "palace", "date", "goods")
"""The bonuses around the square (MK-10.2)."""
RAPIDS = ("vp", "vp3", "any", "goods")
"""The bonuses of rapids (MK-15.1)."""
ICONS = ("keshi", "keshi_of_two", "exchange", "scroll")
"""The signs on places of the oasis track; ``keshi_of_two`` has a keshi in a game of two only."""
LINKS = (
    *(f"dinar{n}" for n in range(1, 5)),
    "date",
    "water",
    *(f"deploy_{letter}" for letter in LETTERS),
    "keshi",
    "alike2",
    "river",
    *(f"vp{n}" for n in range(1, 8)),
)
"""The bonuses on the lines between both stairs."""
SECTIONS = 5  # MK-11.2

LINES = [f"{mosque}{palace}" for mosque in range(1, SECTIONS + 1) for palace in range(1, SECTIONS + 1)]
"""The lines between both stairs, by the sections that they join, the mosque's first."""
OASES = ("left1", "left2", "left3", "right1", "right2", "right3")
"""The places of oases in a Sahara, in the order of the bits of :attr:`.Side.claimed`."""
DISC = 8
"""The sections of the disc."""

_PRICE = ("water", "dates", "dinars")
_COST = ("yellow", "purple", "orange")
Space = Annotated[int, number(1, 40)]
Spaces = Annotated[tuple[Space, ...], several(1, 9)]
Steps = Annotated[int, number(5, 40, "steps")]
Lines = Annotated[tuple[Space, ...], several(4, 5)]
Points = Annotated[int, number(0, 20, "VP")]
Price = Annotated[tuple[Annotated[int, number(0, 9)], ...], several(3, 3, _PRICE)]
Workshop = Annotated[tuple[Annotated[int, number(-9, 9)], ...], several(2, 2, ("dinars", "vp"))]
Good = Annotated[tuple[Annotated[int, number(0, 12)], ...], several(7, 7, (*_COST, "vp", *_PRICE))]
"""Yellow, purple and orange keshis returned; VP, water, dates and dinars gained."""
Rapid = Annotated[str, one_of(RAPIDS, "reward")]
Reward = Annotated[str, one_of(LINKS, "reward")]
Passed = Annotated[str, one_of((*SPACES, *LINKS), "reward")]
Rewards = Annotated[tuple[Reward, ...], several(1, 6)]
AllPassed = Annotated[tuple[Passed, ...], several(1, 6)]
Around = Annotated[tuple[Annotated[str, one_of(SQUARE, "reward")], ...], several(8, 8)]
Sections = Annotated[tuple[Annotated[int, number(0, 4, "spectators")], ...], several(DISC, DISC)]
Track = Annotated[tuple[Annotated[str, one_of(ICONS, "sign")], ...], several(6, 6)]
Line = Annotated[str, one_of(LINES)]
Gates = Annotated[tuple[Annotated[str, one_of(pieces.PER_GATE, "colour")], ...], several(1, 4)]
Office = Annotated[tuple[Annotated[str, one_of(OFFICE_LINES, "reward")], ...], several(3, 3, _COST)]

# The keys of tables, and their entries

WorkshopName = Annotated[str, one_of(("1", "2", "3", "4"))]
Place = Annotated[str, one_of(OASES)]
Demand = Annotated[str, one_of([str(n) for n in range(1, 13)])]
Loss = Annotated[int, number(0, 9, "VP")]
YesNo = Annotated[str, one_of(("no", "yes"))]
GoodName = Annotated[str, one_of(pieces.LUXURY_GOODS)]
KeshiScroll = Annotated[str, one_of(pieces.KESHI_SCROLLS)]
GoodsScroll = Annotated[str, one_of(pieces.GOODS_SCROLLS)]
Scroll = Annotated[str, one_of(list(pieces.SCROLLS))]
KeshiEffect = Annotated[str, one_of(pieces.KESHI_EFFECTS, "reward")]
PairEffect = Annotated[str, one_of(pieces.PAIR_EFFECTS, "reward")]
ScrollEffect = Annotated[str, one_of(pieces.EFFECTS, "reward")]
GateOasis = Annotated[str, one_of(pieces.GATE_OASES)]
KeshiOasis = Annotated[str, one_of(pieces.KESHI_OASES)]
PerKeshi = Annotated[str, one_of(pieces.PER_KESHI, "colour")]
GoodOasis = Annotated[str, one_of(pieces.GOOD_OASES)]
PerGood = Annotated[str, one_of(pieces.PER_GOOD, "luxury")]
ResourceOasis = Annotated[str, one_of(pieces.RESOURCE_OASES)]
PerResource = Annotated[str, one_of(pieces.PER_RESOURCE, "lies")]
Oasis = Annotated[str, one_of(list(pieces.OASES))]
OasisForm = Annotated[str, one_of(pieces.OASIS_FORMS, "tile")]
RiverTile = Annotated[str, one_of(list(pieces.RIVER))]
RiverEffect = Annotated[str, one_of(pieces.RIVER_EFFECTS, "reward")]
StairFace = Annotated[str, one_of(STAIR_TILES)]
OfficeName = Annotated[str, one_of(OFFICES)]
Town = Annotated[str, one_of(list(TOWNS))]
TownEffect = Annotated[str, one_of(TOWN_EFFECTS, "tile")]

_FIRST_WORKSHOP = {"1": Known((0, -3), Standing.LIKELY)}

_STAIRCASE = (("staircase_tiles", ("yes",)),)
_ATTENDANTS = (("imam_and_sultan", ("yes",)),)
_OFFICES = (("more_offices", ("yes",)),)
_TOWNS = (("desert_towns", ("yes",)),)
_PURPLE = (("spectators", ("purple",)),)


class MarrakeshCopy(Copy, frozen=True, kw_only=True):
    """The facts of Marrakesh, those of the expansions last (MK-17)."""

    river_length: Annotated[int, number(5, 40, "spaces"), Fact("MK-7.1", may_wait=False)] = UNKNOWN
    rapids: Annotated[Spaces, Fact("MK-15.1", may_wait=False)] = UNKNOWN
    rapid_bonus: Annotated[
        tuple[Rapid, ...], several(1, 9, as_many="rapids"), Fact("MK-15.1", may_wait=False)
    ] = UNKNOWN
    jetty: Annotated[tuple[Points, ...], several(1, 8), Fact("MK-7.3", may_wait=False)] = UNKNOWN
    mosque_steps: Annotated[Steps, Fact("MK-11.1", may_wait=False)] = UNKNOWN
    mosque_lines: Annotated[Lines, Fact("MK-11.2", may_wait=False)] = UNKNOWN
    palace_steps: Annotated[Steps, Fact("MK-11.1", may_wait=False)] = UNKNOWN
    palace_lines: Annotated[Lines, Fact("MK-11.2", may_wait=False)] = UNKNOWN
    square: Annotated[Around, Fact("MK-10.2", may_wait=False)] = UNKNOWN
    disc: Annotated[Sections, Fact("MK-10.1", may_wait=False, unless=_PURPLE)] = UNKNOWN
    gate_places: Annotated[str, signs(LETTERS, 8), Fact("MK-13.5", may_wait=False)] = UNKNOWN
    track: Annotated[Track, Fact("MK-14.4", may_wait=False)] = UNKNOWN
    link: Annotated[dict[Line, Rewards], Fact("MK-11.2", late=True)] = UNKNOWN
    workshop: Annotated[dict[WorkshopName, Workshop], Fact("MK-13.1", _FIRST_WORKSHOP, late=True)] = UNKNOWN
    price: Annotated[dict[Place, Price], Fact("MK-14.3", late=True)] = UNKNOWN
    demand: Annotated[dict[Demand, Price], Fact("MK-15.3", late=True)] = UNKNOWN
    demand_loss: Annotated[Loss, Fact("MK-15.3", Known(4, Standing.LIKELY), late=True)] = UNKNOWN
    good: Annotated[dict[GoodName, Good], Fact("MK-9.3", late=True)] = UNKNOWN
    keshi_scroll: Annotated[dict[KeshiScroll, KeshiEffect], Fact("MK-12.4", late=True)] = UNKNOWN
    goods_scroll: Annotated[dict[GoodsScroll, PairEffect], Fact("MK-12.4", late=True)] = UNKNOWN
    scroll: Annotated[dict[Scroll, ScrollEffect], Fact("MK-12.4", pieces.SCROLLS, late=True)] = UNKNOWN
    # Yes if the spectator that scroll 31 adds counts for the 3 and 1 of scrolls 47 and 51:
    more_counts: Annotated[YesNo, Fact("MK-12.4", late=True)] = UNKNOWN
    gate_oasis: Annotated[dict[GateOasis, Gates], Fact("MK-16.2", pieces.KNOWN_GATE_OASES, late=True)] = (
        UNKNOWN
    )
    keshi_oasis: Annotated[
        dict[KeshiOasis, PerKeshi], Fact("MK-16.2", pieces.KNOWN_KESHI_OASES, late=True)
    ] = UNKNOWN
    good_oasis: Annotated[dict[GoodOasis, PerGood], Fact("MK-16.2", late=True)] = UNKNOWN
    resource_oasis: Annotated[
        dict[ResourceOasis, PerResource], Fact("MK-16.2", pieces.KNOWN_RESOURCE_OASES, late=True)
    ] = UNKNOWN
    oasis: Annotated[dict[Oasis, OasisForm], Fact("MK-16.2", pieces.OASES, late=True)] = UNKNOWN
    river_tile: Annotated[dict[RiverTile, RiverEffect], Fact("MK-15.2", pieces.RIVER, late=True)] = UNKNOWN
    crocodile: Annotated[Space, Fact("MK-15.2", late=True)] = UNKNOWN
    stair_tile: Annotated[dict[StairFace, Reward], Fact("MK-17.1", late=True, when=_STAIRCASE)] = UNKNOWN
    line_spaces: Annotated[dict[Line, AllPassed], Fact("MK-17.1", late=True, when=_STAIRCASE)] = UNKNOWN
    imam_step: Annotated[Space, Fact("MK-17.2", late=True, when=_ATTENDANTS)] = UNKNOWN
    sultan_step: Annotated[Space, Fact("MK-17.2", late=True, when=_ATTENDANTS)] = UNKNOWN
    office: Annotated[dict[OfficeName, Office], Fact("MK-17.3", late=True, when=_OFFICES)] = UNKNOWN
    purple_disc: Annotated[Sections, Fact("MK-17.4", late=True, when=_PURPLE)] = UNKNOWN
    town: Annotated[dict[Town, TownEffect], Fact("MK-17.5", TOWNS, late=True, when=_TOWNS)] = UNKNOWN


def _is_rising(*lines: int) -> bool:
    return list(lines) == sorted(set(lines))


def _check_lines(steps: int, lines: tuple[int, ...]) -> Figures | None:
    """Refuse lines that are not in order, or behind the stair's last step."""
    fits = _is_rising(*lines) and lines[-1] <= steps
    return None if fits else (("lines", ", ".join(map(str, lines))), ("steps", steps))


def _check_rapids(length: int, rapids: tuple[int, ...]) -> Figures | None:
    """Refuse rapids that are not in order, or beyond the jetty, which is behind the last space.

    A rapid lies before the space of its number.
    """
    fits = _is_rising(*rapids) and rapids[-1] <= length + 1
    return None if fits else (("rapids", ", ".join(map(str, rapids))), ("last", length + 1))


def _check_pairs(rapids: tuple[int, ...], bonus: tuple[str, ...]) -> Figures | None:
    return None if len(rapids) == len(bonus) else (("rapids", len(rapids)), ("bonus", len(bonus)))


def _check_best_first(jetty: tuple[int, ...]) -> Figures | None:
    fits = list(jetty) == sorted(jetty, reverse=True)
    return None if fits else (("jetty", ", ".join(map(str, jetty))),)


def _check_each_once(square: tuple[str, ...]) -> Figures | None:
    """Refuse a square with the same bonus twice."""
    return () if len(set(square)) < len(square) else None


def _check_on_stair(steps: int, step: int) -> Figures | None:
    return None if step <= steps else (("steps", steps), ("step", step))


def _check_one_of_each(disc: tuple[int, ...]) -> Figures | None:
    """Refuse a purple side without exactly one section of nobody and one of four; of an unfinished one only
    two of either.
    """
    none, four = disc.count(0), disc.count(4)
    lacking = len(disc) == DISC and not (none and four)
    return (("none", none), ("four", four)) if lacking or max(none, four) > 1 else None


_CHECKS = (
    FactCheck("rapids", ("river_length", "rapids"), "MK-15.1", _check_rapids, early=True),
    FactCheck("rapid_bonus", ("rapids", "rapid_bonus"), "MK-15.1", _check_pairs),
    FactCheck("jetty", ("jetty",), "MK-7.3", _check_best_first, early=True),
    FactCheck("mosque", ("mosque_steps", "mosque_lines"), "MK-11.2", _check_lines, early=True),
    FactCheck("palace", ("palace_steps", "palace_lines"), "MK-11.2", _check_lines, early=True),
    FactCheck("square", ("square",), "MK-10.2", _check_each_once, early=True),
    FactCheck("imam", ("mosque_steps", "imam_step"), "MK-17.2", _check_on_stair),
    FactCheck("sultan", ("palace_steps", "sultan_step"), "MK-17.2", _check_on_stair),
    FactCheck("purple_disc", ("purple_disc",), "MK-17.4", _check_one_of_each, early=True),
)


class Printing(msgspec.Struct, frozen=True, cache_hash=True):
    """A match's knowledge of its copy: the boards, then the tiles ``known`` so far, by fact."""

    river_length: int = 14
    rapids: tuple[int, ...] = (3, 6, 9, 12)
    rapid_bonus: tuple[str, ...] = ("vp", "any", "goods", "vp3")
    jetty: tuple[int, ...] = (7, 5, 4, 3)
    mosque_steps: int = 15
    mosque_lines: tuple[int, ...] = (3, 6, 9, 12)
    palace_steps: int = 15
    palace_lines: tuple[int, ...] = (3, 6, 9, 12)
    square: tuple[str, ...] = SQUARE
    disc: tuple[int, ...] = (1, 1, 3, 1, 1, 3, 1, 3)
    gate_places: str = "ntygkwbp"
    track: tuple[str, ...] = ("keshi", "exchange", "keshi", "scroll", "keshi_of_two", "exchange")
    known: tuple[tuple[str, Any], ...] = ()


_MADE_UP: dict[str, Any] = {
    **{name: value for name, value in msgspec.structs.asdict(Printing()).items() if name != "known"},
    "crocodile": 2,
    **{
        f"link.{line}": tuple(
            dict.fromkeys(LINKS[(9 * at + 5 * step) % len(LINKS)] for step in range(1 + at % 4))
        )
        for at, line in enumerate(LINES)
    },
    **{f"workshop.{n}": pair for n, pair in zip("1234", ((0, -3), (1, 1), (2, 2), (3, 4)), strict=True)},
    **dict(
        zip(
            (f"price.{place}" for place in OASES),
            ((0, 0, 1), (0, 1, 0), (1, 1, 0), (1, 0, 0), (0, 1, 1), (1, 1, 0)),
            strict=True,
        )
    ),
    **{f"demand.{n}": (n % 3, (n + 1) % 3, 1 + n % 2) for n in range(1, 13)},
    **pieces.sample_tiles(),
    **{f"stair_tile.{face}": LINKS[5 * at % len(LINKS)] for at, face in enumerate(STAIR_TILES)},
    **{
        f"line_spaces.{line}": (
            *(SPACES[(5 * at + 7 * step) % len(SPACES)] for step in range(at % 4)),
            ("dinar1", "vp1", "river")[at % 3],
        )
        for at, line in enumerate(LINES)
    },
    "imam_step": 4,
    "sultan_step": 5,
    **{f"office.{name}": OFFICE_LINES[at : at + 3] for at, name in enumerate(OFFICES)},
    "purple_disc": (0, 2, 1, 4, 1, 2, 1, 2),
}
"""Values of a sample."""

SCHEMA = Schema("marrakesh", MarrakeshCopy, _CHECKS, made_up=_MADE_UP)


@lru_cache(16)
def read_facts(told: Told) -> Facts:
    """Return the facts that a match knows of its copy, or the schema's defaults."""
    return of_match(SCHEMA, told)[0]


@lru_cache(256)
def share(copy: Printing) -> Printing:
    """Return one object for all equal ones, so that a lookup by copy need not compare all tiles."""
    return copy


def read_printing(facts: Facts) -> Printing:
    """Return a match's knowledge of its copy; no fact of a board that it needs may be lacking.

    A board that it does not need is a usual one. A tile that is only likely is unknown: the match asks for
    it.
    """
    boards = {fact.name: facts[fact.name] for fact in SCHEMA if not fact.late}
    sure = (Standing.SURE, Standing.CONFIRMED)
    tiles = [(fact.name, facts.known[fact.name]) for fact in SCHEMA if fact.late]
    return share(
        Printing(
            **{name: value for name, value in boards.items() if value is not None},
            known=tuple((name, told.value) for name, told in tiles if told.standing in sure),
        )
    )


def look_up(copy: Printing, name: str) -> Any:
    """Return the value of a late fact, None while nobody has confirmed it."""
    return _index_known(copy).get(name)


def look_up_any(copy: Printing, name: str) -> Any:
    """Return the value of any fact, None for a late one that nobody has confirmed."""
    return look_up(copy, name) if SCHEMA.fact(name).late else getattr(copy, name)


@lru_cache(256)
def _index_known(copy: Printing) -> dict[str, Any]:
    return dict(copy.known)
