"""Standings over the rounds of an event: points that compare between games and tables of any size.

A table of n gives (n - place) / (n - 1) place points: 1 for the first, 0 for the last; people on a shared
place share its points. So a table of any size gives n / 2 in all. Each of the event's tie-breaks
(:func:`parse_tie_breaks`) separates people whom the earlier ones leave level.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final

import msgspec

from device.event.desk.rows import Scored, TableState

MET: Final = "met"
"""The tie-break by place points at tables where all of the level people sat."""
TIE_BREAKS: Final = {
    "place points": "place points",
    "wins": "wins",
    "share": "share of the table's points",
    "points": "points of all games",
    MET: "the tables where all who are level met",
}
"""The tie-breaks, in words."""
USUAL: Final = "place points, wins, share, met"


class EventStanding(msgspec.Struct, frozen=True):
    """A person's standing: ``place`` (equal if shared), and the figures of all tie-breaks but the last."""

    place: int
    name: str
    played: int
    figures: dict[str, Fraction]


def parse_tie_breaks(text: str) -> tuple[str, ...]:
    """Read tie-breaks in order, such as ``wins, points``; raises ValueError naming an unknown or repeated
    one.
    """
    found = tuple(" ".join(one.split()).lower() for one in text.split(","))
    if wrong := [one for one in found if one not in TIE_BREAKS or found.count(one) > 1]:
        each = ", ".join(TIE_BREAKS)
        raise ValueError(f'the standings go by some of {each}, each once, not by "{wrong[0]}"')
    return found


def share_place_points(places: Mapping[str, int]) -> dict[str, Fraction]:
    """Return the points of places, by name; people on a shared place share the points of the places they
    fill.
    """
    n, sharing = len(places), Counter(places.values())
    last = {place: place + sharing[place] - 1 for place in sharing}
    return {name: Fraction(2 * n - place - last[place], 2 * (n - 1)) for name, place in places.items()}


def rank_people(results: Sequence[Scored], order: Sequence[str]) -> tuple[EventStanding, ...]:
    """Return the standings by all results that count, the first place first. People whom no tie-break in
    ``order`` separates share a place, in the order of names.

    A shared first place is a shared win.
    """
    tables, found = [_compute_figures(one) for one in results], list[EventStanding]()
    for name in sorted({name for one in tables for name in one}):
        own = [one[name] for one in tables if name in one]
        figures = {by: sum((each[by] for each in own), Fraction(0)) for by in own[0]}
        found.append(EventStanding(0, name, len(own), figures))
    groups, placed = _part_groups(found, [_map_places(one) for one in results], order), list[EventStanding]()
    for group in groups:
        placed += [msgspec.structs.replace(one, place=1 + len(placed)) for one in group]
    return tuple(placed)


def _map_places(one: Scored) -> dict[str, int]:
    """Return the places at a table, by name."""
    return dict(zip(one.names, one.places, strict=True))


def _compute_figures(one: Scored) -> dict[str, dict[str, Fraction]]:
    """Return the figures of a result, by name."""
    given, first = share_place_points(_map_places(one)), one.places.count(1)
    total = sum(max(0, points) for points in one.scores)
    return {
        name: {
            "place points": given[name],
            "wins": Fraction(place == 1, first),
            "share": Fraction(max(0, points), total or 1),
            "points": Fraction(points),
        }
        for name, points, place in zip(one.names, one.scores, one.places, strict=True)
    }


def _part_groups(
    people: Sequence[EventStanding], places: Sequence[dict[str, int]], order: Sequence[str]
) -> list[list[EventStanding]]:
    """Return groups of people whom no tie-break separates, the first group first."""
    if not order or len(people) < 2:
        return [list(people)] if people else []
    by, *rest = order
    level = {one.name for one in people}
    met = [share_place_points(table) for table in places if level <= table.keys()]
    groups: dict[Fraction, list[EventStanding]] = {}
    for one in people:
        there = (table[one.name] for table in met)
        groups.setdefault(sum(there, Fraction(0)) if by == MET else one.figures[by], []).append(one)
    each = (group for _, group in sorted(groups.items(), reverse=True))
    return [part for group in each for part in _part_groups(group, places, rest)]


def list_counted_results(tables: Iterable[TableState]) -> list[Scored]:
    """Return the results that count for the standings: of tables that wait for nobody and are not void."""
    found = [one.counts for one in tables if one.done]
    return [counts for counts in found if counts and counts.scores]


def tabulate_standings(
    tables: Iterable[TableState], order: Sequence[str]
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the standings as text: the names of the columns, and the rows."""
    shown = [by for by in order if by != MET]
    forms = {by: "g" if by in ("wins", "points") else ".3f" for by in shown}
    rows = [
        (
            str(one.place),
            one.name,
            str(one.played),
            *(f"{float(one.figures[by]):{forms[by]}}" for by in shown),
        )
        for one in rank_people(list_counted_results(tables), order)
    ]
    return ("place", "name", "played", *shown), rows
