"""Points, the seasons they were gained in, and who wins (MK-16)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engines.contract import Booking, Place, Tie, totals
from engines.kit.ranking import by_hand, ranked
from engines.marrakesh import oases
from engines.marrakesh.expansions.every import EXPANSIONS
from engines.marrakesh.state import PLACES, SEASONS, START_POINTS, State
from engines.marrakesh.variants import played

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
"""What scores in seasons, with its clause."""
LAST = {
    "oases": "MK-16.2",
    **{category: clause for each in EXPANSIONS for category, clause in each.last.items()},
    "areas": "MK-16.1",
    "leftovers": "MK-16.3",
}
"""What scores after the last season."""
_SOURCES = {source: clause for each in EXPANSIONS for source, clause in each.sources.items()}
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
"""Who stands in areas, by kind."""
_NUMBERED = {"scrolls": "scroll", "river_tile": "tile"}
_CALLED = {
    "g": "date pickers",
    "further": "beyond the jetty",
    "top": "past the last step",
    "start": "start oasis",
}
"""What gave points, in words: tiles by their category, then what is not called so itself."""


def parts_over(state: State) -> int:
    """How many seasons have been scored."""
    return SEASONS if state.termination else state.season - 1


def bookings(state: State) -> tuple[Booking, ...]:
    """All points: 10 to begin with, what was gained in each season, and after the last what MK-16 counts."""
    booked: list[Booking] = []
    for seat in range(state.variant.seats):
        booked.append(Booking(seat, START_POINTS, "start", "MK-1.4", str(START_POINTS), 1))
        booked += _played(state, seat)
        if state.termination:
            booked += _last(state, seat)
    return (*booked, *by_hand(state.adjusted))


def _played(state: State, seat: int) -> Iterator[Booking]:
    """What was gained, once for each season, category and source, categories in their order."""
    together: dict[tuple[int, str, str], list[int]] = {}
    for gain in state.sides[seat].gains:
        together.setdefault((gain.season, gain.category, gain.source), []).append(gain.points)
    order = list(PLAYED)
    for (season, category, source), each in sorted(
        together.items(), key=lambda item: (item[0][0], order.index(item[0][1]))
    ):
        figures = ": ".join(filter(None, (_called(category, source), _sum(each))))
        yield Booking(seat, sum(each), category, _SOURCES.get(source, PLAYED[category]), figures, season)


def _called(category: str, source: str) -> str:
    """What gave the points, in words."""
    if category == "provision":
        tiles = source.count(",") + 1
        return f"{tiles} tile{'s' * (tiles > 1)}"
    if source.isdigit():
        return f"{_NUMBERED[category]} {source}"
    if found := re.fullmatch(r"line(.)(.)", source):
        return f"mosque {found[1]}, palace {found[2]}"
    if found := re.fullmatch(r"rapid(.)", source):
        return f"rapid {found[1]}"
    return _CALLED.get(source, source).replace("lamp", "oil lamp")


def _sum(each: list[int]) -> str:
    """``3``, ``4 × 2`` or ``2 + 5``."""
    if len(each) > 1 and len(set(each)) == 1:
        return f"{len(each)} × {each[0]}"
    return " + ".join(map(str, each)).replace("+ -", "- ")


def _last(state: State, seat: int) -> Iterator[Booking]:
    numbers, returned, _ = oases.best(state, seat)
    given = oases.returned_for(state, seat, numbers)
    for number in numbers:
        points, figures = oases.worth(state, seat, number, given.get(number, 0))
        if points:
            yield _booked(seat, points, "oases", f"oasis {number:02}: {figures}")
    for each in played(state):
        yield from each.bookings(state, seat)
    for kind in oases.full_areas(state.sides[seat]):
        yield _booked(seat, AREA, "areas", f"{PLACES} {PEOPLE[kind]} + vendor")
    left = oases.left_over(state, seat, returned)
    if points := left // oases.LEFT_A_POINT:
        yield _booked(seat, points, "leftovers", f"{left} ÷ {oases.LEFT_A_POINT}")


def _booked(seat: int, points: int, category: str, figures: str) -> Booking:
    return Booking(seat, points, category, LAST[category], figures, SEASONS)


def ranking(state: State) -> tuple[Place, ...]:
    """The most points first; level, further on the palace stair, then on the mosque's (MK-16.4)."""
    return ranked(
        totals(bookings(state), state.variant.seats),
        "MK-16.4",
        Tie("palace", "MK-16.4", tuple(enumerate(side.palace for side in state.sides))),
        Tie("mosque", "MK-16.4", tuple(enumerate(side.mosque for side in state.sides))),
    )
