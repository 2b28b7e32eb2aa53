"""Standings over the rounds of an event: points that compare between games and tables of any size.

A table of n gives the place points (n - place) / (n - 1): 1 for the first, 0 for the last, and those who
share places share what these give. So a table of any size gives n / 2 in all. Who is level by one of
:data:`ORDER` is parted by the next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final

import msgspec


class StandingsError(ValueError):
    """A result that cannot be counted; one line with the table, the round and what is wrong."""


class PlacedTable(msgspec.Struct, frozen=True):
    """The result of one table in one round: the points by name, and the places that the rules gave."""

    round: int
    table: str
    points: dict[str, int]
    places: dict[str, int]


class EventStanding(msgspec.Struct, frozen=True):
    """Somebody's standing: ``place`` (shared ones alike), and what it is by in the order of :data:`ORDER`."""

    place: int
    name: str
    played: int
    place_points: Fraction
    wins: Fraction
    share: Fraction


def place_points(places: Mapping[str, int]) -> dict[str, Fraction]:
    """Return what places give, by name; those who share a place share what the places they fill give.

    Raises ValueError for places that leave a gap, or for fewer than two people.
    """
    n, sharing = len(places), Counter(places.values())
    filled = {place: range(place, place + sharing[place]) for place in sharing}
    if n < 2 or sorted(at for each in filled.values() for at in each) != list(range(1, n + 1)):
        raise ValueError(
            f"places {', '.join(str(one) for one in sorted(places.values()))} are none of {n} people"
        )
    return {
        name: Fraction(sum(n - at for at in filled[place]), sharing[place] * (n - 1))
        for name, place in places.items()
    }


def _direct(standing: EventStanding, level: Sequence[str], results: Sequence[PlacedTable]) -> Fraction:
    """Return somebody's place points at the tables where all who are level sat."""
    met = [one for one in results if {*level} <= one.places.keys()]
    return sum((place_points(one.places)[standing.name] for one in met), Fraction(0))


Key = Callable[[EventStanding, Sequence[str], Sequence[PlacedTable]], Fraction]

ORDER: Final[tuple[tuple[str, Key], ...]] = (
    ("place points", lambda one, _level, _results: one.place_points),
    ("wins", lambda one, _level, _results: one.wins),
    ("share of the table's points", lambda one, _level, _results: one.share),
    ("the tables where all who are level met", _direct),
)
"""The tie-breaks that part people, the first first; who is level by all shares the place."""


def standings(results: Sequence[PlacedTable]) -> tuple[EventStanding, ...]:
    """Return the standings by all results that count, the first first; those who share a place by name.

    A shared first place is a shared win. Raises :class:`StandingsError` for a result whose points and places
    are not of the same people, or whose places cannot be.
    """
    tables, found = [_given(one) for one in results], list[EventStanding]()
    for name in sorted({name for one in tables for name in one}):
        own = [one[name] for one in tables if name in one]
        found.append(
            EventStanding(0, name, len(own), *(sum(each, Fraction(0)) for each in zip(*own, strict=True)))
        )
    return tuple(_placed(_parted(found, results)))


def _given(one: PlacedTable) -> dict[str, tuple[Fraction, Fraction, Fraction]]:
    """Return what a result gives each of its people: place points, wins, share of the points."""
    where = f"table {one.table}, round {one.round}"
    if one.points.keys() != one.places.keys():
        raise StandingsError(f"{where}: points and places are not of the same people")
    try:
        given = place_points(one.places)
    except ValueError as error:
        raise StandingsError(f"{where}: {error}") from error
    first, total = Counter(one.places.values())[1], sum(max(0, points) for points in one.points.values())
    return {
        name: (given[name], Fraction(place == 1, first), Fraction(max(0, one.points[name]), total or 1))
        for name, place in one.places.items()
    }


def _parted(
    people: Sequence[EventStanding], results: Sequence[PlacedTable], at: int = 0
) -> list[list[EventStanding]]:
    """Return people in groups that nothing parts, the first first."""
    if at == len(ORDER) or len(people) < 2:
        return [list(people)] if people else []
    level = [one.name for one in people]
    groups: dict[Fraction, list[EventStanding]] = {}
    for one in people:
        groups.setdefault(ORDER[at][1](one, level, results), []).append(one)
    return [
        part for _, group in sorted(groups.items(), reverse=True) for part in _parted(group, results, at + 1)
    ]


def _placed(groups: Iterable[Sequence[EventStanding]]) -> Iterable[EventStanding]:
    place = 1
    for group in groups:
        yield from (msgspec.structs.replace(one, place=place) for one in group)
        place += len(group)
