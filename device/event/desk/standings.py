"""Standings over the rounds of an event: points that compare between games and tables of any size.

A table of n gives the place points (n - place) / (n - 1): 1 for the first, 0 for the last, and those who
share places share what these give. So a table of any size gives n / 2 in all. Who is level by the first of
the tie-breaks that the event chose (:func:`tie_breaks`) is parted by the next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final

import msgspec

MET: Final = "met"
"""The tie-break by place points at the tables where all who are level sat."""
TIE_BREAKS: Final = {
    "place points": "place points",
    "wins": "wins",
    "share": "share of the table's points",
    "points": "points of all games",
    MET: "the tables where all who are level met",
}
"""What may part people, in words."""
USUAL: Final = "place points, wins, share, met"


class PlacedTable(msgspec.Struct, frozen=True):
    """The result of one table in one round: the points by name, and the places that the rules gave."""

    round: int
    table: str
    points: dict[str, int]
    places: dict[str, int]


class EventStanding(msgspec.Struct, frozen=True):
    """Somebody's standing: ``place`` (shared ones alike), and the figures of the tie-breaks but the last."""

    place: int
    name: str
    played: int
    figures: dict[str, Fraction]


def tie_breaks(text: str) -> tuple[str, ...]:
    """Read what parts people, the first first: ``wins, points``; raises ValueError naming what does not."""
    found = tuple(" ".join(one.split()).lower() for one in text.split(","))
    if wrong := [one for one in found if one not in TIE_BREAKS or found.count(one) > 1]:
        each = ", ".join(TIE_BREAKS)
        raise ValueError(f'the standings go by some of {each}, each once, not by "{wrong[0]}"')
    return found


def place_points(places: Mapping[str, int]) -> dict[str, Fraction]:
    """Return what places give, by name; those who share a place share what the places they fill give."""
    n, sharing = len(places), Counter(places.values())
    last = {place: place + sharing[place] - 1 for place in sharing}
    return {name: Fraction(2 * n - place - last[place], 2 * (n - 1)) for name, place in places.items()}


def standings(results: Sequence[PlacedTable], order: Sequence[str]) -> tuple[EventStanding, ...]:
    """Return the standings by all results that count, the first first by these tie-breaks; who is level by
    all shares the place, in the order of names.

    A shared first place is a shared win.
    """
    tables, found = [_given(one) for one in results], list[EventStanding]()
    for name in sorted({name for one in tables for name in one}):
        own = [one[name] for one in tables if name in one]
        figures = {by: sum((each[by] for each in own), Fraction(0)) for by in own[0]}
        found.append(EventStanding(0, name, len(own), figures))
    return tuple(_placed(_parted(found, results, order)))


def _given(one: PlacedTable) -> dict[str, dict[str, Fraction]]:
    """Return the figures that a result gives each of its people."""
    given = place_points(one.places)
    first, total = Counter(one.places.values())[1], sum(max(0, points) for points in one.points.values())
    return {
        name: {
            "place points": given[name],
            "wins": Fraction(place == 1, first),
            "share": Fraction(max(0, one.points[name]), total or 1),
            "points": Fraction(one.points[name]),
        }
        for name, place in one.places.items()
    }


def _parted(
    people: Sequence[EventStanding], results: Sequence[PlacedTable], order: Sequence[str]
) -> list[list[EventStanding]]:
    """Return people in groups that nothing parts, the first first."""
    if not order or len(people) < 2:
        return [list(people)] if people else []
    by, *rest = order
    level = {one.name for one in people}
    met = [place_points(table.places) for table in results if level <= table.places.keys()]
    groups: dict[Fraction, list[EventStanding]] = {}
    for one in people:
        there = (table[one.name] for table in met)
        groups.setdefault(sum(there, Fraction(0)) if by == MET else one.figures[by], []).append(one)
    each = (group for _, group in sorted(groups.items(), reverse=True))
    return [part for group in each for part in _parted(group, results, rest)]


def _placed(groups: Iterable[Sequence[EventStanding]]) -> Iterable[EventStanding]:
    place = 1
    for group in groups:
        yield from (msgspec.structs.replace(one, place=place) for one in group)
        place += len(group)
