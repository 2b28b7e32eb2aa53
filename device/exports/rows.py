"""A match as a table (CSV of RFC 4180, UTF-8): a row for each entry that counts, with the score after it.

=================== ==================================================================================
column              what it holds
=================== ==================================================================================
``record``          the record's number; in a match file the step's
``seat``            ``a``, ``b`` …; empty for a report of the table
``player``          the seat's name
``kind``            ``step``, ``report``, ``adjustment`` (points by hand) or ``fallen`` (the rest of reports
                    that people went back before)
``notation``        as recorded; empty while the choice is sealed
``time``            UTC, as in ``2026-11-20T19:55:41.250Z``; empty in a match file
``channel``         the source of the entry
``total_a`` …       the score after it
``waived``          the clauses that were overruled for it
``ruled``           the record of the ruling that gave its wording
``by``              who agreed to that: seats, or ``judge``
``reason``          the reason for an override, or for points by hand
``simulated``       ``yes`` if it is of a simulated device
``sample``          ``yes`` if the copy's facts are made up
=================== ==================================================================================

People's text is made plain, and an apostrophe stands before text that a spreadsheet would take for a formula:
a player's name must not run as a program.

In a match file entries that count are steps, rulings are remarks beside them. A choice that is still sealed
is left out; a remark says so. A match file separates players by commas: a name with a comma loses it there,
and a remark keeps the whole name.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence

from device.exports.account import Account, AccountRow, RulingEntry
from engines import matchfile
from engines.contract import SEATS
from engines.match import Made
from engines.matchfile import MatchFile
from engines.texts import plain


def write_match(account: Account) -> str:
    """Return the text of a match file: :func:`engines.matchfile.read` reads it back as the account."""
    header = account.header
    names = tuple(_clean_name(name, seat) for seat, name in enumerate(header.names))
    steps = tuple(account.match.steps)
    file = MatchFile(
        game=header.game,
        rules_version=account.rules_version,
        names=names,
        setup=header.setup,
        steps=steps,
        simulated=account.simulated,
        note=account.note,
        result=matchfile.result(account.match),
    )
    head, _, _ = matchfile.write(file).partition("\n\n")
    renamed = map(_write_remark, _list_renamed(account, names))
    lines = [head, "", *renamed, *_list_body(account, steps)]
    return "\n".join(lines) + "\n"


def _list_body(account: Account, steps: tuple[Made, ...]) -> Iterator[str]:
    rulings, number = list(account.rulings), 0
    for row in account.rows:
        while rulings and rulings[0].record <= row.record:
            yield _write_ruling(rulings.pop(0))
        if row.sealed:
            yield _write_remark(f"record {row.record}: a sealed choice {row.text or ''}")
            continue
        number += 1
        yield f"{number} {matchfile.line(steps[number - 1])}"
    yield from map(_write_ruling, rulings)


def _write_ruling(ruled: RulingEntry) -> str:
    said = "a ruling about a sealed choice" if ruled.text is None else ruled.text
    said += f", about {ruled.about!r}" if ruled.about else ""
    said += f", agreed by {ruled.by}" if ruled.by else ""
    return _write_remark(f"record {ruled.record}: {said}" + (", undone" if ruled.undone else ""))


def _list_renamed(account: Account, names: tuple[str, ...]) -> Iterator[str]:
    for letter, name, written in zip(SEATS, account.header.names, names, strict=False):
        if name != written:
            yield f"seat {letter} is {name!r}"


def _clean_name(name: str, seat: int) -> str:
    return plain(" ".join(name.replace(",", " ").split())) or SEATS[seat]


def _write_remark(text: str) -> str:
    return f"# {plain(' '.join(text.split()))}"


_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def write_rows(account: Account) -> str:
    """Return the table."""
    columns = list_columns(len(account.header.names))
    return write_csv(columns, (_list_cells(account, row) for row in account.rows))


def write_csv(columns: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a table as CSV; an apostrophe stands before text that a spreadsheet would take for a formula."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows(map(_make_safe, row) for row in rows)
    return text.getvalue()


def list_columns(seats: int) -> list[str]:
    """Return the names of the columns."""
    totals = [f"total_{letter}" for letter in SEATS[:seats]]
    first = ["record", "seat", "player", "kind", "notation", "time", "channel"]
    return [*first, *totals, "waived", "ruled", "by", "reason", "simulated", "sample"]


def _make_safe(value: object) -> object:
    """Return a cell that no spreadsheet runs (OWASP, CSV injection); numbers stay numbers."""
    if not isinstance(value, str):
        return value
    formula = value.startswith(_FORMULA) and not re.fullmatch(r"[+-][0-9]+", value)
    return f"'{plain(value)}" if formula else plain(value)


def _list_cells(account: Account, row: AccountRow) -> list[object]:
    return [
        row.record,
        row.seat or "",
        account.header.names[SEATS.index(row.seat)] if row.seat else "",
        row.kind,
        row.text or "",
        row.time or "",
        row.channel,
        *row.totals,
        " ".join(row.waived),
        row.ruled or "",
        row.by,
        row.reason,
        "yes" if row.simulated or account.simulated else "",
        "yes" if account.header.sample else "",
    ]
