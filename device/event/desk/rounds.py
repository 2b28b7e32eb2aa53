"""Rounds drawn and standings told from what the desk keeps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import chain

import msgspec

from device.event.desk.rollcall import roll_of
from device.event.desk.rows import Attendee, Presence, Roll, Scored, SeatRow, State, TableState
from device.event.desk.seating import (
    Person,
    SeatedRound,
    SeatingRules,
    draw,
    violations,
)
from device.event.desk.standings import MET, standings
from device.event.provision import table_names
from engines.contract import SEATS

DONE = (State.IN, State.RULED)
"""The states of a table that waits for nobody."""


def named(tables: int, known: Iterable[str]) -> dict[str, str]:
    """Return the names of so many tables by number: ``table-003`` of ``3`` where that is known, else as
    provision names them.
    """
    found = {str(number): name for number, name in enumerate(table_names(tables), 1)}
    return found | {str(int(name[6:])): name for name in known if re.fullmatch("table-[0-9]{1,9}", name)}


def rules_of(sizes: str, apart: str) -> SeatingRules:
    """Return the rules that were typed: ``4,3``, and a line ``Ada / Ben`` for each pair kept apart.

    Raises ValueError naming what cannot be read.
    """
    if not re.fullmatch(r"[2-4](, ?[2-4])*", sizes):
        raise ValueError(f'the sizes of tables are like "4,3", not "{sizes}"')
    pairs = list[tuple[str, str]]()
    for line in filter(None, map(str.strip, apart.splitlines())):
        names = [" ".join(name.split()) for name in line.split("/")]
        if len(names) != 2 or not all(names):
            raise ValueError(f'who is kept apart is a line like "Ada / Ben", not "{line}"')
        pairs.append((names[0], names[1]))
    return SeatingRules(tuple(map(int, re.findall("[2-4]", sizes))), tuple(pairs))


def people_of(
    roll: Mapping[str, Roll], fixed: str, teachers: str, apart: Iterable[tuple[str, str]] = ()
) -> list[Person]:
    """Return who is there; ``fixed`` has a line ``Ada: 3`` for who cannot move, ``teachers`` a name a line.
    Of the pairs kept ``apart`` somebody may be away.

    Raises ValueError naming what cannot be read, and who does not play.
    """
    there = [name for name, how in roll.items() if how is Roll.HERE]
    tables = dict[str, str]()
    for line in filter(None, map(str.strip, fixed.splitlines())):
        name, _, table = line.rpartition(":")
        if not table.strip().isdigit() or not name.strip():
            raise ValueError(f'who cannot move is a line like "Ada: 3", not "{line}"')
        tables[" ".join(name.split())] = str(int(table))
    teaching = {" ".join(line.split()) for line in teachers.splitlines()} - {""}
    if unknown := sorted({*tables, *teaching, *chain.from_iterable(apart)} - roll.keys()):
        raise ValueError(f"{unknown[0]} does not play: see People")
    return [Person(name, tables.get(name, ""), name in teaching) for name in there]


def played(
    seats: Sequence[SeatRow], before: int, people: Sequence[Attendee], called: Sequence[Presence]
) -> list[SeatedRound]:
    """Return the rounds before that number as they were planned; who was there and had no seat sat out."""
    found, rounds = dict[int, dict[str, tuple[str, ...]]](), list[SeatedRound]()
    for row in sorted(seats, key=lambda row: (row.round, row.table, row.seat)):
        if row.round < before:
            tables = found.setdefault(row.round, {})
            tables[row.table] = (*tables.get(row.table, ()), row.person)
    for number, tables in found.items():
        seated = set(chain.from_iterable(tables.values()))
        left = {name: how for name, how in roll_of(people, called, number).items() if name not in seated}
        byes = tuple(name for name, how in left.items() if how is Roll.HERE)
        rounds.append(SeatedRound(tables, byes, tuple(left.keys() - {*byes})))
    return rounds


def drawn(
    people: Sequence[Person],
    rules: SeatingRules,
    before: Sequence[SeatedRound],
    number: int,
    seed: int,
    boxes: Iterable[str] = (),
) -> tuple[list[SeatRow], tuple[str, ...], tuple[str, ...]]:
    """Return the seats of one more round, who sits out, and all that is wrong with the event so far by name;
    tables are named as ``boxes`` are, or as they were.

    Raises :class:`device.event.desk.seating.SeatingError`.
    """
    one = draw(people, rules, seed, before)
    names = named(len(one.tables), [*chain.from_iterable(each.tables for each in before), *boxes])
    told = {names[table]: there for table, there in one.tables.items()}
    rows = [
        SeatRow(number, table, SEATS[seat], name)
        for table, there in told.items()
        for seat, name in enumerate(there)
    ]
    there = [msgspec.structs.replace(person, table=names.get(person.table, "")) for person in people]
    return rows, one.byes, violations(there, [*before, SeatedRound(told, one.byes)], rules)


def counting(tables: Iterable[TableState]) -> list[Scored]:
    """Return the results that count for the standings: of tables that wait for nobody, and are not void."""
    found = [one.counts for one in tables if one.state in DONE]
    return [counts for counts in found if counts and counts.scores]


def standing_table(
    tables: Iterable[TableState], order: Sequence[str]
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the standings by these tie-breaks as text: the names of the columns, and the rows."""
    shown = [by for by in order if by != MET]
    rows = [
        (str(one.place), one.name, str(one.played), *(_figure(by, one.figures[by]) for by in shown))
        for one in standings(counting(tables), order)
    ]
    return ("place", "name", "played", *shown), rows


def _figure(by: str, figure: Fraction) -> str:
    return f"{float(figure):g}" if by in ("wins", "points") else f"{float(figure):.3f}"
