"""CSV in and out: people, the seats of rounds, results; what is wrong is named by its line."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from device.event.desk.rows import Attendee, SeatRow, TableState
from engines.contract import SEATS

PEOPLE: Final = ("name", "club")
SEATING: Final = ("round", "table", "seat", "person")
RESULTS: Final = ("round", "table", "seat", "person", "points", "place", "how", "signer", "phrase", "why")
LONGEST: Final = 64
"""Letters of a name at most."""
MOST_ROUNDS: Final = 99

_NEUTRAL = re.compile(r"\A'(?=[=+\-@\t])")


class SheetError(Exception):
    """A table cannot be read, for one or several reasons, each naming its line."""

    def __init__(self, *reasons: str) -> None:
        """Take the reasons in the order of their lines."""
        super().__init__("\n".join(reasons))
        self.reasons = reasons


def written(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table as CSV; what a spreadsheet would take for a formula stands behind an apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(columns)
    for row in rows:
        cells = map(str, row)
        writer.writerow(
            [f"'{cell}" if cell[:1] in tuple("=+-@\t") and not _number(cell) else cell for cell in cells]
        )
    return out.getvalue()


def _number(text: str) -> bool:
    return re.fullmatch(r"-?\d{1,9}", text, re.ASCII) is not None


def parsed(data: bytes, columns: Sequence[str], needed: Sequence[str]) -> list[tuple[int, dict[str, str]]]:
    """Return the rows of a table with the lines they end at; raise :class:`SheetError`.

    Commas, semicolons and tabs may part the cells, in UTF-8; the first line names the columns in any order.
    """
    wrong = []
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").splitlines(), 1):
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            wrong.append(f"line {number}: byte 0x{line[error.start]:02x} is not UTF-8; save the table so")
            continue
        if odd := re.search(r"[\x00-\x08\x0b-\x1f\x7f]", text):
            wrong.append(f"line {number}: it has the control character 0x{ord(odd[0]):02x}; take it out")
    if wrong:
        raise SheetError(*wrong)
    text = data.decode("utf-8-sig")
    head = text.split("\n", 1)[0]
    parting = max(",;\t", key=head.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=parting, strict=True)
    found = []
    try:
        names = [cell.strip().lower() for cell in next(reader, [])]
        if lacking := [name for name in needed if name not in names]:
            raise SheetError(
                f"line 1: the column {lacking[0]} is missing; the columns are {', '.join(columns)}"
            )
        for cells in reader:
            if any(cell.strip() for cell in cells):
                values = [_NEUTRAL.sub("", " ".join(cell.split())) for cell in cells]
                found.append((reader.line_num, dict(zip(names, values, strict=False))))
    except csv.Error as error:
        raise SheetError(f"line {reader.line_num}: {error}") from error
    return found


def people_of(data: bytes) -> list[Attendee]:
    """Read who plays, with columns name and, where it is there, club; raise :class:`SheetError`."""
    wrong, found = list[str](), dict[str, Attendee]()
    for line, row in parsed(data, PEOPLE, ["name"]):
        name, club = row.get("name", ""), row.get("club", "")
        if why := unfit(name) or (unfit(club) if club else ""):
            wrong.append(f"line {line}: {why}")
        elif name.casefold() in found:
            wrong.append(f"line {line}: {name} is there twice; tell the two apart")
        else:
            found[name.casefold()] = Attendee(name=name, club=club)
    if wrong:
        raise SheetError(*wrong)
    return list(found.values())


def unfit(text: str) -> str:
    """Return what is wrong with a name, empty for nothing."""
    if not text:
        return "the name is missing"
    if len(text) > LONGEST:
        return f"{text[:LONGEST]}… has more than {LONGEST} letters"
    return "" if text.isprintable() else f"{text!a} has letters that cannot be seen"


def seats_of(data: bytes, people: Iterable[Attendee]) -> dict[int, list[SeatRow]]:
    """Read the seats of rounds, with columns round, table, seat and person; raise :class:`SheetError`."""
    known = {one.name.casefold(): one.name for one in people if not one.gone}
    wrong, found = list[str](), dict[int, list[SeatRow]]()
    taken = set[tuple[int, str]]()
    for line, row in parsed(data, SEATING, SEATING):
        number, table, seat, person = (row.get(name, "") for name in SEATING)
        if not (_number(number) and 1 <= int(number) <= MOST_ROUNDS):
            wrong.append(f'line {line}: the round is a number from 1 to {MOST_ROUNDS}, not "{number}"')
            continue
        if why := _misplaced(int(number), table, seat.lower(), person, known, taken):
            wrong.append(f"line {line}: {why}")
            continue
        taken |= {(int(number), known[person.casefold()]), (int(number), f"{table} {seat.lower()}")}
        placed = SeatRow(int(number), table, seat.lower(), known[person.casefold()])
        found.setdefault(int(number), []).append(placed)
    if wrong:
        raise SheetError(*wrong)
    return found


def _misplaced(
    number: int, table: str, seat: str, person: str, known: dict[str, str], taken: set[tuple[int, str]]
) -> str:
    """Return what is wrong with a line of a plan, empty for nothing."""
    if not re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", table):
        return f'a table is letters, digits, "-", "_" and ".", such as table-07, not "{table}"'
    if len(seat) != 1 or seat not in SEATS:
        return f'a seat is one of {" ".join(SEATS)}, not "{seat}"'
    if person.casefold() not in known:
        return f'"{person}" is not among the people who play; add them there first'
    if (number, known[person.casefold()]) in taken:
        return f"{person} sits in round {number} already"
    if (number, f"{table} {seat}") in taken:
        return f"seat {seat} of {table} is taken in round {number} already"
    return ""


def result_rows(tables: Iterable[TableState]) -> Iterator[tuple[object, ...]]:
    """Yield a row for each person at each table, as :data:`RESULTS` names the columns."""
    for one in tables:
        counted, signed = one.counts, one.result
        names = counted.names if counted else tuple(seat.person for seat in one.seats)
        for at, name in enumerate(names):
            points = counted.scores[at] if counted and counted.scores else ""
            place = counted.places[at] if counted and counted.places else ""
            by = (signed.signer, signed.phrase) if signed else ("", "")
            yield (one.round, one.table, SEATS[at], name, points, place, one.state, *by, one.why)
