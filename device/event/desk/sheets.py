"""CSV in and out: people, the seats of rounds, results; an error names its line."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypeVar

from device.event.desk.rows import Attendee, SeatRow, TableState
from engines.contract import SEATS

T = TypeVar("T")

PEOPLE: Final = ("name", "club")
SEATING: Final = ("round", "table", "seat", "person")
RESULTS: Final = ("round", "table", "seat", "person", "points", "place", "how", "signer", "phrase", "why")
LONGEST: Final = 64
"""The most letters of a name."""
MOST_ROUNDS: Final = 99

_NEUTRAL = re.compile(r"\A'(?=[=+\-@\t])")


def _is_number(text: str) -> bool:
    return re.fullmatch(r"-?\d{1,9}", text, re.ASCII) is not None


def _read(
    data: bytes, columns: Sequence[str], needed: Sequence[str], made: Callable[[dict[str, str]], T]
) -> list[T]:
    """Return the value ``made`` of each row of a table; raise ValueError with all its faults.

    The text is UTF-8; commas, semicolons or tabs separate the cells; the first line names the columns, in any
    order.
    """
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        why = f"line {line}: byte 0x{data[error.start]:02x} is not UTF-8; save the table as UTF-8"
        raise ValueError(why) from error
    if odd := re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", text):
        line = text.count("\n", 0, odd.start()) + 1
        raise ValueError(f"line {line}: remove the control character 0x{ord(odd[0]):02x}")
    wrong, found = list[str](), list[T]()
    parting = max(",;\t", key=text.partition("\n")[0].count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=parting, strict=True)
    try:
        names = [cell.strip().lower() for cell in next(reader, [])]
        if lacking := [name for name in needed if name not in names]:
            raise ValueError(
                f"line 1: the column {lacking[0]} is missing; the columns are {', '.join(columns)}"
            )
        for cells in filter(any, reader):
            values = [_NEUTRAL.sub("", " ".join(cell.split())) for cell in cells]
            try:
                if any(values):
                    found.append(made(dict.fromkeys(columns, "") | dict(zip(names, values, strict=False))))
            except ValueError as error:
                wrong.append(f"line {reader.line_num}: {error}")
    except csv.Error as error:
        raise ValueError(f"line {reader.line_num}: {error}") from error
    if wrong:
        raise ValueError("\n".join(wrong))
    return found


def read_people(data: bytes) -> list[Attendee]:
    """Read the players, with the column name and, optionally, club; raise ValueError."""
    taken = set[str]()

    def made(row: dict[str, str]) -> Attendee:
        name, club = check_name(row["name"]), row["club"] and check_name(row["club"])
        if name.casefold() in taken:
            raise ValueError(f"{name} is there twice: tell the two apart")
        taken.add(name.casefold())
        return Attendee(name=name, club=club)

    return _read(data, PEOPLE, ["name"], made)


def check_name(text: str) -> str:
    """Return a valid name; raise ValueError for an invalid one."""
    if not text:
        raise ValueError("the name is missing")
    if len(text) > LONGEST:
        raise ValueError(f"{text[:LONGEST]}… has more than {LONGEST} letters")
    if not text.isprintable():
        raise ValueError(f"{text!a} has letters that cannot be seen")
    return text


def read_seats(data: bytes, people: Iterable[Attendee]) -> dict[int, list[SeatRow]]:
    """Read the seats of rounds, with columns round, table, seat and person; raise ValueError."""
    known = {one.name.casefold(): one.name for one in people if not one.gone}
    found = dict[int, list[SeatRow]]()

    def made(row: dict[str, str]) -> None:
        number, table, seat = row["round"], row["table"], row["seat"].lower()
        if not (_is_number(number) and 1 <= int(number) <= MOST_ROUNDS):
            raise ValueError(f'the round is a number from 1 to {MOST_ROUNDS}, not "{number}"')
        if not re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", table):
            raise ValueError(f'a table is letters, digits, "-", "_" and ".", such as table-07, not "{table}"')
        if len(seat) != 1 or seat not in SEATS:
            raise ValueError(f'a seat is one of {" ".join(SEATS)}, not "{seat}"')
        if not (person := known.get(row["person"].casefold())):
            raise ValueError(f'"{row["person"]}" is not among the people who play; add them there first')
        there = found.setdefault(int(number), [])
        if any(one.person == person for one in there):
            raise ValueError(f"{person} sits in round {number} already")
        if any((one.table, one.seat) == (table, seat) for one in there):
            raise ValueError(f"seat {seat} of {table} is taken in round {number} already")
        there.append(SeatRow(int(number), table, seat, person))

    _read(data, SEATING, SEATING, made)
    return found


def list_result_rows(tables: Iterable[TableState]) -> Iterator[tuple[object, ...]]:
    """Yield a row for each person at each table, as :data:`RESULTS` names the columns."""
    for one in tables:
        counted, signed = one.counts, one.result
        names = counted.names if counted else tuple(seat.person for seat in one.seats)
        for at, name in enumerate(names):
            points = counted.scores[at] if counted and counted.scores else ""
            place = counted.places[at] if counted and counted.places else ""
            by = (signed.signer, signed.phrase) if signed else ("", "")
            yield (one.round, one.table, SEATS[at], name, points, place, one.state, *by, one.why)
