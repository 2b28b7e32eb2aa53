"""What is printed on a copy of Marrakesh, base game, and in no sure source (MK-1.8).

Boards are told before a match. Tiles are ``late``: the game asks when one first matters, with what public
lists say of it as the answer to begin with (``tiles``).
"""

from __future__ import annotations

from typing import Annotated, Any

from engines.contract import Figures
from engines.fact_kinds import number, one_of, several, signs
from engines.facts import UNKNOWN, Check, Copy, Fact, Known, Standing
from engines.marrakesh import tiles
from engines.marrakesh.keshis import LETTERS

SQUARE = ("water", "mosque", "river", "dinar", "vp2", "palace", "date", "goods")
"""The bonuses around the square (MK-10.2)."""
RAPIDS = ("vp", "vp3", "any", "goods")
"""The bonuses of rapids (MK-15.1)."""
ICONS = ("keshi", "keshi_of_two", "exchange", "scroll")
"""What the oasis track's places show; ``keshi_of_two`` holds a keshi in a game of two only."""
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

Steps = Annotated[int, number(5, 40, "steps")]
Lines = Annotated[tuple[Annotated[int, number(1, 40)], ...], several(4, 5)]
_PRICE = ("water", "dates", "dinars")
Price = Annotated[tuple[Annotated[int, number(0, 9)], ...], several(3, 3, _PRICE)]
Workshop = Annotated[tuple[Annotated[int, number(-9, 9)], ...], several(2, 2, ("dinars", "vp"))]
Good = Annotated[
    tuple[Annotated[int, number(0, 12)], ...], several(7, 7, ("yellow", "purple", "orange", "vp", *_PRICE))
]
"""Yellow, purple and orange keshis returned; VP, water, dates and dinars gained."""
Links = Annotated[tuple[Annotated[str, one_of(LINKS, "reward")], ...], several(1, 6)]

LINES = [f"{mosque}{palace}" for mosque in range(1, SECTIONS + 1) for palace in range(1, SECTIONS + 1)]
"""The lines between both stairs by the sections that they join, the mosque's first."""
PLACES = ("left1", "left2", "left3", "right1", "right2", "right3")


class MarrakeshCopy(Copy, frozen=True, kw_only=True):
    """The facts of Marrakesh."""

    river_length: Annotated[int, number(5, 40, "spaces"), Fact("MK-7.1", may_wait=False)] = UNKNOWN
    rapids: Annotated[
        tuple[Annotated[int, number(1, 40)], ...], several(1, 9), Fact("MK-15.1", may_wait=False)
    ] = UNKNOWN
    rapid_bonus: Annotated[
        tuple[Annotated[str, one_of(RAPIDS, "reward")], ...],
        several(1, 9, as_many="rapids"),
        Fact("MK-15.1", may_wait=False),
    ] = UNKNOWN
    jetty: Annotated[
        tuple[Annotated[int, number(0, 20, "VP")], ...], several(1, 8), Fact("MK-7.3", may_wait=False)
    ] = UNKNOWN
    mosque_steps: Annotated[Steps, Fact("MK-11.1", may_wait=False)] = UNKNOWN
    mosque_lines: Annotated[Lines, Fact("MK-11.2", may_wait=False)] = UNKNOWN
    palace_steps: Annotated[Steps, Fact("MK-11.1", may_wait=False)] = UNKNOWN
    palace_lines: Annotated[Lines, Fact("MK-11.2", may_wait=False)] = UNKNOWN
    square: Annotated[
        tuple[Annotated[str, one_of(SQUARE, "reward")], ...], several(8, 8), Fact("MK-10.2", may_wait=False)
    ] = UNKNOWN
    disc: Annotated[
        tuple[Annotated[int, number(0, 4, "spectators")], ...],
        several(8, 8),
        Fact("MK-10.1", may_wait=False, unless=(("spectators", ("purple",)),)),
    ] = UNKNOWN
    gate_places: Annotated[str, signs(LETTERS, 8), Fact("MK-13.5", may_wait=False)] = UNKNOWN
    track: Annotated[
        tuple[Annotated[str, one_of(ICONS, "sign")], ...], several(6, 6), Fact("MK-14.4", may_wait=False)
    ] = UNKNOWN
    link: Annotated[dict[Annotated[str, one_of(LINES)], Links], Fact("MK-11.2", late=True)] = UNKNOWN
    workshop: Annotated[
        dict[Annotated[str, one_of(("1", "2", "3", "4"))], Workshop],
        Fact("MK-13.1", {"1": Known((0, -3), Standing.LIKELY)}, late=True),
    ] = UNKNOWN
    price: Annotated[dict[Annotated[str, one_of(PLACES)], Price], Fact("MK-14.3", late=True)] = UNKNOWN
    demand: Annotated[
        dict[Annotated[str, one_of([str(n) for n in range(1, 13)])], Price], Fact("MK-15.3", late=True)
    ] = UNKNOWN
    demand_loss: Annotated[int, number(0, 9, "VP"), Fact("MK-15.3", Known(4, Standing.LIKELY), late=True)] = (
        UNKNOWN
    )
    good: Annotated[dict[Annotated[str, one_of(tiles.GOODS)], Good], Fact("MK-9.3", late=True)] = UNKNOWN
    keshi_scroll: Annotated[
        dict[
            Annotated[str, one_of(tiles.KESHI_SCROLLS)], Annotated[str, one_of(tiles.KESHI_EFFECTS, "reward")]
        ],
        Fact("MK-12.4", late=True),
    ] = UNKNOWN
    goods_scroll: Annotated[
        dict[
            Annotated[str, one_of(tiles.GOODS_SCROLLS)], Annotated[str, one_of(tiles.PAIR_EFFECTS, "reward")]
        ],
        Fact("MK-12.4", late=True),
    ] = UNKNOWN
    scroll: Annotated[
        dict[Annotated[str, one_of(list(tiles.SCROLLS))], Annotated[str, one_of(tiles.EFFECTS, "reward")]],
        Fact("MK-12.4", tiles.SCROLLS, late=True),
    ] = UNKNOWN
    more_counts: Annotated[str, one_of(("no", "yes")), Fact("MK-12.4", late=True)] = (
        UNKNOWN  # whether scroll 31 changes what 47 and 51 take for 3 and 1
    )
    gate_oasis: Annotated[
        dict[
            Annotated[str, one_of(tiles.GATE_OASES)],
            Annotated[tuple[Annotated[str, one_of(tiles.PER_GATE, "colour")], ...], several(1, 4)],
        ],
        Fact("MK-16.2", tiles.KNOWN_GATE_OASES, late=True),
    ] = UNKNOWN
    keshi_oasis: Annotated[
        dict[Annotated[str, one_of(tiles.KESHI_OASES)], Annotated[str, one_of(tiles.PER_KESHI, "colour")]],
        Fact("MK-16.2", tiles.KNOWN_KESHI_OASES, late=True),
    ] = UNKNOWN
    good_oasis: Annotated[
        dict[Annotated[str, one_of(tiles.GOOD_OASES)], Annotated[str, one_of(tiles.PER_GOOD, "luxury")]],
        Fact("MK-16.2", late=True),
    ] = UNKNOWN
    resource_oasis: Annotated[
        dict[
            Annotated[str, one_of(tiles.RESOURCE_OASES)], Annotated[str, one_of(tiles.PER_RESOURCE, "lies")]
        ],
        Fact("MK-16.2", tiles.KNOWN_RESOURCE_OASES, late=True),
    ] = UNKNOWN
    oasis: Annotated[
        dict[Annotated[str, one_of(list(tiles.OASES))], Annotated[str, one_of(tiles.OASIS_FORMS, "tile")]],
        Fact("MK-16.2", tiles.OASES, late=True),
    ] = UNKNOWN
    river_tile: Annotated[
        dict[
            Annotated[str, one_of(list(tiles.RIVER))], Annotated[str, one_of(tiles.RIVER_EFFECTS, "reward")]
        ],
        Fact("MK-15.2", tiles.RIVER, late=True),
    ] = UNKNOWN
    crocodile: Annotated[int, number(1, 40), Fact("MK-15.2", late=True)] = UNKNOWN


def _rising(*lines: int) -> bool:
    return list(lines) == sorted(set(lines))


def _lines(steps: int, lines: tuple[int, ...]) -> Figures | None:
    """Lines lie one behind the other, before some step of the stair."""
    fits = _rising(*lines) and lines[-1] <= steps
    return None if fits else (("lines", ", ".join(map(str, lines))), ("steps", steps))


def _rapids(length: int, rapids: tuple[int, ...]) -> Figures | None:
    """A rapid lies before the space of its number; the jetty is the one behind the last."""
    fits = _rising(*rapids) and rapids[-1] <= length + 1
    return None if fits else (("rapids", ", ".join(map(str, rapids))), ("last", length + 1))


def _pairs(rapids: tuple[int, ...], bonus: tuple[str, ...]) -> Figures | None:
    return None if len(rapids) == len(bonus) else (("rapids", len(rapids)), ("bonus", len(bonus)))


def _best_first(jetty: tuple[int, ...]) -> Figures | None:
    fits = list(jetty) == sorted(jetty, reverse=True)
    return None if fits else (("jetty", ", ".join(map(str, jetty))),)


def _each_once(square: tuple[str, ...]) -> Figures | None:
    """The eight places are all different."""
    return () if len(set(square)) < len(square) else None


CHECKS = (
    Check("rapids", ("river_length", "rapids"), "MK-15.1", _rapids, early=True),
    Check("rapid_bonus", ("rapids", "rapid_bonus"), "MK-15.1", _pairs),
    Check("jetty", ("jetty",), "MK-7.3", _best_first, early=True),
    Check("mosque", ("mosque_steps", "mosque_lines"), "MK-11.2", _lines, early=True),
    Check("palace", ("palace_steps", "palace_lines"), "MK-11.2", _lines, early=True),
    Check("square", ("square",), "MK-10.2", _each_once, early=True),
)

MADE_UP: dict[str, Any] = {
    "river_length": 14,
    "rapids": (3, 6, 9, 12),
    "rapid_bonus": ("vp", "any", "goods", "vp3"),
    "jetty": (7, 5, 4, 3),
    "mosque_steps": 15,
    "mosque_lines": (3, 6, 9, 12),
    "palace_steps": 15,
    "palace_lines": (3, 6, 9, 12),
    "square": SQUARE,
    "disc": (1, 1, 3, 1, 1, 3, 1, 3),
    "gate_places": "ntygkwbp",
    "track": ("keshi", "exchange", "keshi", "scroll", "keshi_of_two", "exchange"),
    "crocodile": 2,
    **{f"link.{name}": links for name, links in tiles.sample_links(LINES, LINKS).items()},
    **{f"workshop.{n}": pair for n, pair in zip("1234", ((0, -3), (1, 1), (2, 2), (3, 4)), strict=True)},
    **dict(
        zip(
            (f"price.{place}" for place in PLACES),
            ((0, 0, 1), (0, 1, 0), (1, 1, 0), (1, 0, 0), (0, 1, 1), (1, 1, 0)),
            strict=True,
        )
    ),
    **{f"demand.{n}": tiles.sample_demand(n) for n in range(1, 13)},
    **tiles.sample_tiles(),
}
"""Values of a sample."""
