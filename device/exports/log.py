"""A whole log as JSON lines: what ``podesta verify`` checks on any machine, without SQLite.

The first line says what the file holds (:class:`Head`), each further line is one
:class:`device.match.records.Record` with all of its fields, in order. Every line is JSON as written here, to
the byte: compact, UTF-8, the fields in their order, a line feed at its end. What a view may not read is
redacted: payload and salt are empty, the digests stay, so the chain of hashes still holds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import msgspec

from device.exports.sight import PUBLIC
from device.match.journal_file import Reading, tip
from device.match.records import Damage, Record, verify, whole_groups
from engines.contract import SEATS

FORMAT = "journal 1"
FIRST_BYTES = b'{"podesta":"journal'


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line. ``podesta`` is the format, ``view`` whose eyes the export is for (``public`` or a
    seat's letter), ``records`` how many lines follow and ``tip`` the last one's hash (without records the
    header's digest). ``sha256`` covers the other fields of this line, with itself empty, and all lines after
    it; it tells accidents, not forgery. ``header`` are the facts that the chain begins with.
    """

    podesta: str
    view: str
    records: int
    tip: str
    sha256: str
    header: dict[str, str]


class Exported(Reading, frozen=True):
    """What such a file holds; ``view`` is whose it says it is."""

    view: str = PUBLIC


class LaterFormat(ValueError):
    """The file was written by a later version of this program."""


def write(header: Mapping[str, str], records: Sequence[Record], view: str) -> bytes:
    """The file of a log that is redacted already."""
    lines = b"".join(_line(record) for record in records)
    head = Head(FORMAT, view, len(records), tip(header, records), "", dict(header))
    return _line(msgspec.structs.replace(head, sha256=_sum(head, lines))) + lines


def read(data: bytes) -> Exported:
    """The log in a file's bytes; with damage, the whole groups before it.

    Raises :class:`LaterFormat`. Nothing else: whatever is wrong with the file is its ``damage``.
    """
    first, _, rest = data.partition(b"\n")
    head = _head(first)
    if head is None:
        return Exported({}, (), Damage(0, "line 1 is not what was written"))
    records: list[Record] = []
    damage = None
    lines = rest.split(b"\n")
    for number, line in enumerate(lines[:-1], 2):
        record = _record(line)
        if record is None:
            damage = Damage(len(records) + 1, f"line {number} is not what was written")
            break
        records.append(record)
    else:
        if lines[-1]:
            damage = Damage(len(records) + 1, f"line {len(lines) + 1} is cut off")
    earlier = verify(head.header, records, allow_redacted=True)
    if earlier and not (damage and earlier.seq > len(records)):
        damage = earlier
    damage = damage or _contradiction(head, records, rest)
    good = records[: damage.seq - 1] if damage and damage.seq else records
    return Exported(head.header, whole_groups(good), damage, head.view)


def _head(line: bytes) -> Head | None:
    try:
        head = msgspec.json.decode(line, type=Head)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    if head.podesta != FORMAT and head.podesta.startswith("journal "):
        raise LaterFormat(f"written as {head.podesta!r}; this program reads {FORMAT!r}")
    good = head.podesta == FORMAT and head.view in (PUBLIC, *SEATS)
    return head if good and _line(head) == line + b"\n" else None


def _record(line: bytes) -> Record | None:
    try:
        record = msgspec.json.decode(line, type=Record)
        return record if _line(record) == line + b"\n" else None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None


def _contradiction(head: Head, records: Sequence[Record], rest: bytes) -> Damage | None:
    """What the first line says otherwise than the others."""
    if head.records != len(records):
        return Damage(
            min(head.records, len(records)) + 1,
            f"{len(records)} records stand here, line 1 says {head.records}",
        )
    if head.tip != tip(head.header, records):
        return Damage(len(records), "not the record that line 1 says the log ends with")
    if head.sha256 != _sum(msgspec.structs.replace(head, sha256=""), rest):
        return Damage(0, "line 1 is not what was written")
    return None


def _line(value: Head | Record) -> bytes:
    return msgspec.json.encode(value) + b"\n"


def _sum(head: Head, lines: bytes) -> str:
    return hashlib.sha256(_line(head) + lines).hexdigest()
