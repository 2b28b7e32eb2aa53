"""The roll call of a round: people who are there, where its plan does not match them, and the changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from device.event.desk.rows import Attendee, Presence, Roll, SeatRow, State, TableState
from device.event.desk.seating import LEAST, SeatedRound, SeatingError, SeatingRules, late
from engines.contract import SEATS


class Mismatch(msgspec.Struct, frozen=True):
    """Somebody of whom plan and roll call tell different things, or who is alone at a table, in words;
    ``table`` is where they are planned, empty where they are there and have no seat.
    """

    said: str
    person: str
    table: str = ""


def roll_of(people: Iterable[Attendee], called: Iterable[Presence], number: int) -> dict[str, Roll]:
    """Return how it stands with everybody who plays, by name: as it was called in this round, else in the
    last before it. Who stood by there, or was never called, counts as there.
    """
    found = {one.name: Roll.HERE for one in people if not one.gone}
    for row in sorted(called, key=lambda row: row.round):
        if row.round <= number and row.person in found:
            carried = Roll.HERE if row.roll is Roll.STANDBY and row.round < number else row.roll
            found[row.person] = carried
    return found


def mismatches(tables: Sequence[TableState], roll: Mapping[str, Roll]) -> list[Mismatch]:
    """Return what of a round's plan does not match who is there; tables whose result is in are past that."""
    found = []
    seated = {seat.person for one in tables for seat in one.seats}
    for one in tables:
        if one.state is not State.OUTSTANDING:
            continue
        for seat in one.seats:
            how = roll.get(seat.person)
            if how is not Roll.HERE:
                said = f"{seat.person} {_HOW[how] if how else 'plays no more'}, and sits at {one.table}"
                found.append(Mismatch(said, seat.person, one.table))
        if said := _too_few(one.table, one.seats):
            found.append(Mismatch(said, one.seats[0].person, one.table))
    found += [
        Mismatch(f"{name} is there and has no seat", name)
        for name, how in roll.items()
        if how is Roll.HERE and name not in seated
    ]
    return found


_HOW = {Roll.STANDBY: "stands by", Roll.LATE: "is late", Roll.GONE: "is not there"}


def _too_few(table: str, seats: Sequence[SeatRow]) -> str:
    """Return what to do where too few are left at a table; empty where there are enough, or nobody."""
    names = ", ".join(seat.person for seat in seats)
    few = 0 < len(seats) < LEAST
    return f"{table} has only {names}: seat them elsewhere, or somebody who stands by" if few else ""


def joined(
    tables: Sequence[TableState], name: str, rules: SeatingRules, played: Sequence[SeatedRound]
) -> SeatRow:
    """Return the seat of somebody who came late, at a table that is not full and waits for its result.

    Raises :class:`device.event.desk.seating.SeatingError` where there is none.
    """
    waiting = {one.table: one for one in tables if one.state is State.OUTSTANDING}
    there = {table: [seat.person for seat in one.seats] for table, one in waiting.items()}
    at = waiting[late(there, name, rules, played)]
    taken = {seat.seat for seat in at.seats}
    return SeatRow(at.round, at.table, next(letter for letter in SEATS if letter not in taken), name)


def without(seats: Sequence[SeatRow], name: str, instead: str = "") -> tuple[list[SeatRow], str]:
    """Return a plan without somebody who did not come, or with another in that seat, and what to do where
    too few are left at the table; raise :class:`device.event.desk.seating.SeatingError` for who has no seat.
    """
    at = next((seat.table for seat in seats if seat.person == name), "")
    if not at:
        raise SeatingError(f"{name} sits at no table of this round")
    if instead:
        return [msgspec.structs.replace(s, person=instead) if s.person == name else s for s in seats], ""
    left = [seat for seat in seats if seat.person != name]
    return left, _too_few(at, [seat for seat in left if seat.table == at])


def reseated(
    seats: Sequence[SeatRow], number: int, table: str, people: Mapping[str, str], there: Iterable[str]
) -> list[SeatRow]:
    """Return a plan in which these people, by seat, sit at a table; raise ValueError for who cannot."""
    others = [seat for seat in seats if seat.table != table]
    elsewhere = {seat.person: seat.table for seat in others}
    chosen = {seat: name for seat, name in people.items() if name}
    for name in chosen.values():
        if name in elsewhere:
            raise ValueError(f"{name} sits at {elsewhere[name]}: take them out there first, under Roll call")
        if name not in there:
            raise ValueError(f"{name} does not play: see People")
        if list(chosen.values()).count(name) > 1:
            raise ValueError(f"{name} is chosen for two seats")
    if not chosen:
        raise ValueError(f"nobody is left at {table}: who did not come is taken out under Roll call")
    return [*others, *(SeatRow(number, table, seat, name) for seat, name in chosen.items())]
