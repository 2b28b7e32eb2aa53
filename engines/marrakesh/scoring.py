"""Points by season, the scores of oases at the end, and winners (MK-16).

Every oasis has a number, 1 to 30, and a fact of the copy: ``gate_oasis.03`` may be ``p2``, 2 VP for each pink
gate. An oasis counts things on its owner's board and in its supply (MK-16.2).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from engines import bags
from engines.contract import Booking, Place, Tie, totals
from engines.kit import by_hand, ranked
from engines.marrakesh import pieces
from engines.marrakesh.book import list_played
from engines.marrakesh.facts import Printing, look_up
from engines.marrakesh.pieces import AREAS, COLOURS, KINDS, LETTERS, RED
from engines.marrakesh.state import PLACES, RESOURCES, SEASONS, START_POINTS, Gain, Side, State

NUMBERS = tuple(f"{n:02}" for n in range(1, 31))
"""The numbers of all oases, as in the names of facts."""
SCORED = 3
"""The number of claimed oases that score (MK-16.2)."""
RETURNED = 12
"""The most resources that may be returned for an oasis (MK-16.2)."""
LEFT_A_POINT = 2  # MK-16.3
_BASE, _TOP, _LINES, _SMALL = 3, 7, 5, 3
"""The VP that are added to an oasis' count; those of 27 to 30; the lines of 29; the most keshis in an area
that 24 counts.
"""
TABLES = {
    number: table
    for table, numbers in (
        ("gate_oasis", pieces.GATE_OASES),
        ("keshi_oasis", pieces.KESHI_OASES),
        ("good_oasis", pieces.GOOD_OASES),
        ("resource_oasis", pieces.RESOURCE_OASES),
        ("oasis", tuple(pieces.OASES)),
    )
    for number in numbers
}
"""The table of facts with an oasis, by its number."""


class Worth(NamedTuple):
    """The VP of an oasis, and their sum in words: ``3 + 8 white``."""

    points: int
    sum: str


def name_fact(number: int) -> str:
    """Return the name of an oasis' fact."""
    name = f"{number:02}"
    return f"{TABLES[name]}.{name}"


def list_unknown(state: State) -> tuple[str, ...]:
    """Return the unknown facts of claimed oases, which the table must tell before the end."""
    names = dict.fromkeys(name_fact(number) for side in state.sides for number in side.oases)
    return tuple(name for name in names if look_up(state.copy, name) is None)


def find_returned(state: State, number: int) -> int | None:
    """Return the kind of resource that an oasis takes, None if it takes none or is unknown."""
    name = name_fact(number)
    shown = look_up(state.copy, name) if name.startswith("resource_oasis") else None
    return None if shown is None else RESOURCES.index(shown)


def list_full_areas(side: Side) -> Iterator[int]:
    """Yield the complete areas, by kind: 8 keshis, guards at gates among them, and a vendor (MK-5.2,
    MK-13.4).
    """
    return (kind for kind in range(RED) if side.deployed(kind) >= PLACES and side.vendors >> kind & 1)


def count_worth(state: State, seat: int, number: int, returned: int = 0) -> Worth:
    """Return the VP of an oasis, 0 while unknown; 19 to 21 count up to 12 ``returned`` resources."""
    name, side = name_fact(number), state.sides[seat]
    shown = look_up(state.copy, name)
    table, _, _ = name.partition(".")
    if shown is None:
        return Worth(0, "unknown")
    if table == "gate_oasis":
        return _count_gates(side, shown)
    if table == "keshi_oasis":
        kind = LETTERS.index(shown)
        return _add(side.deployed(kind), COLOURS[kind])
    if table == "good_oasis":
        kind, vp = shown[:-1], int(shown[-1])
        return multiply(vp, sum(good[:-1] == kind for good in side.goods), _name_kind(kind))
    if table == "resource_oasis":
        return _add(min(returned, RETURNED), f"{shown}s" if shown != "water" else shown)
    return _FORMS[shown](side, state.copy)


def _add(count: int, what: str) -> Worth:
    return Worth(_BASE + count, f"{_BASE} + {_write_number(count, what)}")


def multiply(vp: int, count: int, what: str) -> Worth:
    """Return ``vp`` VP for each of ``count`` things."""
    return Worth(vp * count, f"{vp} × {_write_number(count, what)}")


def _write_number(count: int, what: str) -> str:
    """Write a number of things that are named in the plural: ``1 oil lamp``, ``2 oases``."""
    return f"{count} {('oasis' if what == 'oases' else what.removesuffix('s')) if count == 1 else what}"


def _name_kind(kind: str) -> str:
    return "oil lamps" if kind == "lamp" else f"{kind}s"


def _count_gates(side: Side, shown: tuple[str, ...]) -> Worth:
    each = [
        multiply(int(pair[1]), side.gates.count(pair[0]), f"{COLOURS[LETTERS.index(pair[0])]} gates")
        for pair in shown
    ]
    return Worth(sum(one.points for one in each), " + ".join(one.sum for one in each))


def _reach(reached: bool, what: str) -> Worth:
    return Worth(_TOP, what) if reached else Worth(0, f"not {what}")


_FORMS: dict[str, Callable[[Side, Printing], Worth]] = {
    "goods": lambda side, _: _add(len(side.goods), "luxury goods"),
    "scrolls": lambda side, _: _add(len(side.scrolls), "scrolls"),
    "small_areas": lambda side, _: multiply(
        4, sum(side.deployed(kind) <= _SMALL for kind in range(len(AREAS))), "small areas"
    ),
    "full_areas": lambda side, _: multiply(4, len([*list_full_areas(side)]), "complete areas"),
    "oases": lambda side, _: multiply(3, len(side.oases), "oases"),
    "mosque_top": lambda side, copy: _reach(side.mosque >= copy.mosque_steps, "the mosque's last step"),
    "palace_top": lambda side, copy: _reach(side.palace >= copy.palace_steps, "the palace's last step"),
    "lines": lambda side, _: _reach(side.lines >= _LINES, f"{side.lines} lines of {_LINES}"),
    "jetty": lambda side, copy: _reach(side.fisherman > copy.river_length, "the jetty"),
}
"""The scores of oases 22 to 30, by their words."""


# The end


def count_left_over(state: State, seat: int, returned: int) -> int:
    """Count the resources and goods keshis of a seat that returned some resources (MK-16.3)."""
    side = state.sides[seat]
    goods = sum(side.deployed(kind) for kind in range(RED + 1, KINDS))
    return bags.total(side.resources) - returned + goods


def _share_resources(state: State, seat: int, numbers: Iterable[int]) -> dict[int, int]:
    """Return these oases with the number of resources that a seat returns for each: all that count.

    A returned one gives 1 VP, and never takes more than 1 from the leftovers.
    """
    left = list(bags.counts(state.sides[seat].resources, len(RESOURCES)))
    found = dict.fromkeys(numbers, 0)
    for number in found:
        if (kind := find_returned(state, number)) is not None:
            found[number] = min(left[kind], RETURNED)
            left[kind] -= found[number]
    return found


def choose_best(state: State, seat: int) -> dict[int, int]:
    """Return the three claimed oases that make the most VP together with the leftovers (MK-16.2, MK-16.3),
    each with the number of resources returned for it.

    Of equal ones those claimed first count.
    """

    def total(given: dict[int, int]) -> int:
        points = sum(count_worth(state, seat, number, returned).points for number, returned in given.items())
        return points + count_left_over(state, seat, sum(given.values())) // LEFT_A_POINT

    oases = state.sides[seat].oases
    chosen = combinations(oases, min(SCORED, len(oases)))
    return max((_share_resources(state, seat, numbers) for numbers in chosen), key=total)


PLAYED = {
    "orchard": "MK-5.5",
    "square": "MK-10.2",
    "river": "MK-7.3",
    "rapids": "MK-15.1",
    "river_tile": "MK-15.2",
    "mosque": "MK-11.3",
    "palace": "MK-11.3",
    "connections": "MK-11.2",
    "souk": "MK-9.3",
    "gates": "MK-13.1",
    "sahara": "MK-14.2",
    "scrolls": "MK-12.4",
    "offices": "MK-9.2",
    "provision": "MK-15.3",
}
"""The categories of the seasons, with their clauses."""
LAST = {
    "oases": "MK-16.2",
    "towns": "MK-17.5.2",
    "areas": "MK-16.1",
    "leftovers": "MK-16.3",
}
"""The categories after the last season, with their clauses."""
_SOURCES = {"desert town": "MK-17.5"}
"""The clauses of sources with one of their own."""
CATEGORIES = ("start", *PLAYED, *LAST)
GROUPS = {
    "river": ("river", "rapids", "river_tile"),
    "stairs": ("mosque", "palace", "connections"),
    "trade": ("souk", "offices", "gates"),
    "places": ("orchard", "square", "sahara"),
    "scrolls": ("scrolls",),
    "provision": ("provision",),
    "end": tuple(LAST),
}
AREA = 10  # MK-16.1
PEOPLE = ("fish", "date pickers", "clerics", "nobles", "scholars", "guards", "caravans", "entertainers")
"""The keshis of areas, by kind."""
_NUMBERED = {"scrolls": "scroll", "river_tile": "tile"}
_CALLED = {
    "g": "date pickers",
    "further": "beyond the jetty",
    "top": "past the last step",
    "start": "start oasis",
}
"""The words for sources: for tiles by category, then for others that need some."""


_LINE, _RAPID = re.compile(r"line(.)(.)"), re.compile(r"rapid(.)")


def parts_over(state: State) -> int:
    """Return the number of scored seasons."""
    return SEASONS if state.termination else state.season - 1


@lru_cache(8)
def bookings(state: State) -> tuple[Booking, ...]:
    """Return all points: the first 10, the gains of each season, and after the last those of MK-16."""
    booked: list[Booking] = []
    for seat in range(state.variant.seats):
        booked.append(Booking(seat, START_POINTS, "start", "MK-1.4", str(START_POINTS), 1))
        booked += _book_played(seat, state.sides[seat].gains)
        if state.termination:
            booked += _book_last(state, seat)
    return (*booked, *by_hand(state.adjusted))


@lru_cache(16)
def _book_played(seat: int, gains: tuple[Gain, ...]) -> tuple[Booking, ...]:
    """Return the gains, one booking for each season, category and source, in the order of categories."""
    together: dict[tuple[int, str, str], list[int]] = {}
    for gain in gains:
        together.setdefault((gain.season, gain.category, gain.source), []).append(gain.points)
    order = list(PLAYED)
    booked = []
    for (season, category, source), each in sorted(
        together.items(), key=lambda item: (item[0][0], order.index(item[0][1]))
    ):
        figures = ": ".join(filter(None, (_name_source(category, source), _write_sum(each))))
        clause = _SOURCES.get(source, PLAYED[category])
        booked.append(Booking(seat, sum(each), category, clause, figures, season))
    return tuple(booked)


def _name_source(category: str, source: str) -> str:
    """Return the words for a source."""
    if category == "provision":
        tiles = source.count(",") + 1
        return f"{tiles} tile{'s' * (tiles > 1)}"
    if source.isdigit():
        return f"{_NUMBERED[category]} {source}"
    if found := _LINE.fullmatch(source):
        return f"mosque {found[1]}, palace {found[2]}"
    if found := _RAPID.fullmatch(source):
        return f"rapid {found[1]}"
    return _CALLED.get(source, source).replace("lamp", "oil lamp")


def _write_sum(each: list[int]) -> str:
    """Write ``3``, ``4 × 2`` or ``2 + 5``."""
    if len(each) > 1 and len(set(each)) == 1:
        return f"{len(each)} × {each[0]}"
    return " + ".join(map(str, each)).replace("+ -", "- ")


def _book_last(state: State, seat: int) -> Iterator[Booking]:
    given = choose_best(state, seat)
    for number, returned in given.items():
        points, figures = count_worth(state, seat, number, returned)
        if points:
            yield _book_end(seat, points, "oases", f"oasis {number:02}: {figures}")
    for each in list_played(state):
        yield from each.bookings(state, seat)
    for kind in list_full_areas(state.sides[seat]):
        yield _book_end(seat, AREA, "areas", f"{PLACES} {PEOPLE[kind]} + vendor")
    left = count_left_over(state, seat, sum(given.values()))
    if points := left // LEFT_A_POINT:
        yield _book_end(seat, points, "leftovers", f"{left} ÷ {LEFT_A_POINT}")


def _book_end(seat: int, points: int, category: str, figures: str) -> Booking:
    return Booking(seat, points, category, LAST[category], figures, SEASONS)


def ranking(state: State) -> tuple[Place, ...]:
    """Rank by points, at a tie by the palace's steps, then by the mosque's (MK-16.4)."""
    return ranked(
        totals(bookings(state), state.variant.seats),
        "MK-16.4",
        Tie("palace", "MK-16.4", tuple(enumerate(side.palace for side in state.sides))),
        Tie("mosque", "MK-16.4", tuple(enumerate(side.mosque for side in state.sides))),
    )
