"""A match as a table (CSV as in RFC 4180, UTF-8): a row for each thing that counts, the score after each.

=================== ==================================================================================
column              what it holds
=================== ==================================================================================
``record``          the record's number; in a match file the step's
``seat``            ``a``, ``b`` …; empty for what the table showed
``player``          the seat's name
``kind``            ``step``, ``report``, ``adjustment`` (points by hand) or ``fallen`` (what stays on the
                    table of reports that people went back before)
``notation``        as recorded; empty while the choice is sealed
``time``            UTC, as in ``2026-11-20T19:55:41.250Z``; empty out of a match file
``channel``         where it was entered
``total_a`` …       the score after it
``waived``          clauses that were overruled for it
``ruled``           the record of the ruling that it owes its wording to
``by``              who agreed to that: seats, or ``judge``
``reason``          why it was let stand, or why points were given
``simulated``       ``yes`` where no real device stood behind it
``sample``          ``yes`` where the copy's table facts are made up
=================== ==================================================================================

What people wrote is made plain, and a text that a spreadsheet would take for a formula has an apostrophe
before it: whoever opens the table runs nothing that somebody named a player.
"""

from __future__ import annotations

import csv
import io
import re
from datetime import UTC, datetime

from device.exports.account import Account, AccountRow
from engines.contract import SEATS
from engines.texts import plain

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def write(account: Account) -> str:
    """Return the table, its lines ended as the RFC has them."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(columns(len(account.header.names)))
    writer.writerows(map(_harmless, _cells(account, row)) for row in account.rows)
    return text.getvalue()


def columns(seats: int) -> list[str]:
    """Return the names of the columns."""
    totals = [f"total_{letter}" for letter in SEATS[:seats]]
    first = ["record", "seat", "player", "kind", "notation", "time", "channel"]
    return [*first, *totals, "waived", "ruled", "by", "reason", "simulated", "sample"]


def moment(utc_ms: int) -> str:
    """Write a time as ISO 8601 has it, in UTC and to the millisecond.

    >>> moment(1_700_000_000_250)
    '2023-11-14T22:13:20.250Z'
    """
    at = datetime.fromtimestamp(utc_ms / 1000, UTC)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _harmless(value: object) -> object:
    """Return a cell that is shown and never run, as OWASP asks of CSV; numbers stay numbers."""
    if not isinstance(value, str):
        return value
    formula = value.startswith(_FORMULA) and not re.fullmatch(r"[+-][0-9]+", value)
    return f"'{plain(value)}" if formula else plain(value)


def _cells(account: Account, row: AccountRow) -> list[object]:
    return [
        row.number,
        SEATS[row.seat] if row.seat is not None else "",
        account.header.names[row.seat] if row.seat is not None else "",
        row.kind,
        row.text,
        "" if row.utc_ms is None else moment(row.utc_ms),
        row.channel,
        *row.totals,
        " ".join(row.waived),
        row.ruled or "",
        row.by,
        row.reason,
        "yes" if row.simulated or account.simulated else "",
        "yes" if account.header.sample else "",
    ]
