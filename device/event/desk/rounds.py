"""Rounds, from the desk's rows: drawing, comparing with the roll call, changing, telling the boxes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

import msgspec

from device.event.desk.rows import (
    Attendee,
    Roll,
    RollAnswer,
    RoundClock,
    SeatPlan,
    SeatRow,
    Stage,
    TableState,
)
from device.event.desk.seating import (
    LEAST,
    Person,
    SeatedRound,
    SeatingError,
    SeatingRules,
    choose_latecomer_table,
    draw,
    find_faults,
)
from device.event.desk.store import DeskStore
from device.event.provision import name_tables
from engines.contract import SEATS

# Drawing a round


def number_tables(tables: int, known: Iterable[str]) -> dict[str, str]:
    """Return the names of ``tables`` tables by number: ``table-003`` for ``3`` if it is among the ``known``
    names, otherwise the name that provision gives.
    """
    found = {str(number): name for number, name in enumerate(name_tables(tables), 1)}
    return found | {str(int(name[6:])): name for name in known if re.fullmatch("table-[0-9]{1,9}", name)}


def split_lines(text: str) -> Iterator[str]:
    """Yield the non-empty lines of a typed text."""
    return filter(None, (" ".join(line.split()) for line in text.splitlines()))


def parse_rules(sizes: str, apart: str) -> SeatingRules:
    """Return the typed rules: sizes like ``4,3``, and a line ``Ada / Ben`` for each pair to keep apart.

    Raises ValueError naming the part that cannot be read.
    """
    if not re.fullmatch(r"[2-4](, ?[2-4])*", sizes):
        raise ValueError(f'the sizes of tables are like "4,3", not "{sizes}"')
    pairs = list[tuple[str, str]]()
    for line in split_lines(apart):
        if not (names := re.fullmatch("([^/]*[^/ ]) ?/ ?([^/]+)", line)):
            raise ValueError(f'a pair to keep apart is a line like "Ada / Ben", not "{line}"')
        pairs.append((names[1], names[2]))
    return SeatingRules(tuple(map(int, re.findall("[2-4]", sizes))), tuple(pairs))


def parse_people(
    roll: Mapping[str, Roll], fixed: str, teachers: str, apart: Iterable[tuple[str, str]] = ()
) -> list[Person]:
    """Return the people present. ``fixed`` has a line ``Ada: 3`` for each who cannot move, ``teachers`` a
    line with each name. People of the pairs to keep ``apart`` may be away.

    Raises ValueError naming the line that cannot be read, or a name that does not play.
    """
    tables, teaching = dict[str, str](), {*split_lines(teachers)}
    for line in split_lines(fixed):
        if not (fixed_at := re.fullmatch(r"(.*\S) ?: ?(\d+)", line)):
            raise ValueError(f'a person who cannot move is a line like "Ada: 3", not "{line}"')
        tables[fixed_at[1]] = str(int(fixed_at[2]))
    if unknown := sorted({*tables, *teaching, *chain.from_iterable(apart)} - roll.keys()):
        raise ValueError(f"{unknown[0]} does not play: see People")
    there = [name for name, how in roll.items() if how is Roll.HERE]
    return [Person(name, tables.get(name, ""), name in teaching) for name in there]


def list_earlier_rounds(store: DeskStore, before: int) -> list[SeatedRound]:
    """Return the rounds before the given number as planned; people present without a seat sat out.

    Present are those whom the round's roll call found, and those who were players when it began: when its
    clock was started, without a clock when it was first planned.
    """
    rounds = list[SeatedRound]()
    for number, plan in store.plans().items():
        if number < before:
            tables = dict[str, tuple[str, ...]]()
            for row in plan.seats:
                tables[row.table] = (*tables.get(row.table, ()), row.person)
            seated = set(chain.from_iterable(tables.values()))
            left = {name: how for name, how in store.roll(number).items() if name not in seated}
            began = [*store.every(RoundClock, round=number), *store.every(SeatPlan, round=number)][0].at
            there = {one.name for one in store.current(Attendee, until=began) if not one.gone}
            there |= {one.person for one in store.current(RollAnswer, round=number)}
            byes = tuple(name for name, how in left.items() if how is Roll.HERE and name in there)
            rounds.append(SeatedRound(tables, byes, tuple(left.keys() - {*byes})))
    return rounds


def draw_round(
    people: Sequence[Person],
    rules: SeatingRules,
    before: Sequence[SeatedRound],
    number: int,
    seed: int,
    boxes: Iterable[str] = (),
) -> tuple[list[SeatRow], tuple[str, ...], tuple[str, ...]]:
    """Return the seats of one more round, the people who sit out, and the faults of the round in words.
    Tables are named as ``boxes`` or earlier tables are.

    Raises :class:`device.event.desk.seating.SeatingError`.
    """
    one = draw(people, rules, seed, before)
    names = number_tables(len(one.tables), [*chain.from_iterable(each.tables for each in before), *boxes])
    seated = {names[table]: there for table, there in one.tables.items()}
    rows = [
        SeatRow(number, table, letter, name)
        for table, there in seated.items()
        for letter, name in zip(SEATS, there, strict=False)
    ]
    return rows, one.byes, tuple(find_faults(people, before, SeatedRound(seated, one.byes), rules))


# The published round and the roll call


class Mismatch(msgspec.Struct, frozen=True):
    """A player whose plan and roll call differ, or who is alone at a table, in words; ``table`` is the
    planned one, empty for a player present without a seat.
    """

    said: str
    person: str
    table: str = ""


def find_mismatches(tables: Sequence[TableState], roll: Mapping[str, Roll]) -> list[Mismatch]:
    """Return the differences of a round's plan from its roll call; tables with a result no longer matter."""
    found = []
    for one in (one for one in tables if one.state is Stage.OUTSTANDING):
        for seat in one.seats:
            how = roll.get(seat.person)
            if how is not Roll.HERE:
                said = (
                    f"{seat.person} {_HOW[how] if how else 'no longer plays'} but has a seat at {one.table}"
                )
                found.append(Mismatch(said, seat.person, one.table))
        if said := _advise_too_few(one.table, one.seats):
            found.append(Mismatch(said, one.seats[0].person, one.table))
    seated = {seat.person for one in tables for seat in one.seats}
    there = [name for name, how in roll.items() if how is Roll.HERE]
    return found + [Mismatch(f"{name} is here but has no seat", name) for name in there if name not in seated]


_HOW = {Roll.STANDBY: "stands by", Roll.LATE: "is late", Roll.GONE: "is not here"}


def _advise_too_few(table: str, seats: Iterable[SeatRow]) -> str:
    """Return advice if too few people are left at a table; empty if enough are, or nobody."""
    there = [seat.person for seat in seats if seat.table == table]
    few = 0 < len(there) < LEAST
    return f"{table} has only {', '.join(there)}: move them, or seat somebody who stands by" if few else ""


def seat_latecomer(
    tables: Sequence[TableState], name: str, rules: SeatingRules, played: Sequence[SeatedRound]
) -> SeatRow:
    """Return a latecomer's seat, at a table that is not full and waits for its result.

    Raises :class:`device.event.desk.seating.SeatingError` if there is none.
    """
    waiting = {one.table: one for one in tables if one.state is Stage.OUTSTANDING}
    there = {table: [seat.person for seat in one.seats] for table, one in waiting.items()}
    at = waiting[choose_latecomer_table(there, name, rules, played)]
    taken = {seat.seat for seat in at.seats}
    return SeatRow(at.round, at.table, next(letter for letter in SEATS if letter not in taken), name)


def take_out_player(seats: Sequence[SeatRow], name: str, instead: str = "") -> tuple[list[SeatRow], str]:
    """Return a plan without a player who did not come, or with another in that seat, and advice if too few
    are left at the table; raise :class:`device.event.desk.seating.SeatingError` for a name without a seat.
    """
    at = next((seat.table for seat in seats if seat.person == name), "")
    if not at:
        raise SeatingError(f"{name} sits at no table of this round")
    if instead:
        return [msgspec.structs.replace(s, person=instead) if s.person == name else s for s in seats], ""
    left = [seat for seat in seats if seat.person != name]
    return left, _advise_too_few(at, left)


def reseat_table(
    seats: Sequence[SeatRow], number: int, table: str, people: Mapping[str, str], there: Iterable[str]
) -> list[SeatRow]:
    """Return a plan with these people, by seat, at a table; raise ValueError for one who cannot sit there."""
    others = [seat for seat in seats if seat.table != table]
    elsewhere = {seat.person: seat.table for seat in others}
    chosen = [SeatRow(number, table, seat, name) for seat, name in people.items() if name]
    if not chosen:
        raise ValueError(f"nobody is left at {table}: who did not come is taken out under Roll call")
    for name in (seat.person for seat in chosen):
        if name in elsewhere:
            raise ValueError(f"{name} sits at {elsewhere[name]}: take them out there first, under Roll call")
        if name not in there:
            raise ValueError(f"{name} does not play: see People")
        if list(people.values()).count(name) > 1:
            raise ValueError(f"{name} is chosen for two seats")
    return [*others, *chosen]


# The current round


class RunningRound(msgspec.Struct, frozen=True):
    """The current round: its number, 0 for none, the people at each table in seat order, its clock."""

    number: int
    names: Mapping[str, tuple[str, ...]]
    clock: RoundClock | None


def find_running_round(store: DeskStore) -> RunningRound:
    """Return the current round: the first with a table that waits for somebody, or a later one whose clock
    was started; the last round if no table waits.
    """
    tables = [one for one in store.tables() if one.seats]
    planned = {one.round for one in tables}
    first = min((one.round for one in tables if not one.done), default=max(planned, default=0))
    started = {one.round for one in store.current(RoundClock)}
    number = max({first, *started} & planned, default=0)
    names = {one.table: tuple(seat.person for seat in one.seats) for one in tables if one.round == number}
    return RunningRound(number, names, store.clock(number))
