"""Get the rows out of a journal file that SQLite will no longer read in full.

SQLite reaches a row through the pages above it: one bad byte there, and thousands of good rows are out of
reach. The rows themselves sit in *leaf pages* that can be read without the way down to them, and each of our
rows proves itself by its hash; so this reads every leaf page it can find, in the file and in the write-ahead
log beside it, and keeps what proves true.

Page and row layout: https://www.sqlite.org/fileformat2.html sections 1.5, 1.6, 2.1, 2.3 and 4.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from device.match.records import Record, genesis, sound, whole_groups

PAGE_SIZE = 4096
COLUMNS = Record.__struct_fields__

Value = int | str | bytes | float | None
Row = tuple[Value, ...]

_TABLE_LEAF = 0x0D
_INTEGER_BYTES = (0, 1, 2, 3, 4, 6, 8)
_WAL_HEADER = 32
_FRAME_HEADER = 24


class Salvage(msgspec.Struct, frozen=True):
    """What was found: the header (None when no copy of it proves true) and the whole groups after it."""

    header: dict[str, str] | None
    records: tuple[Record, ...]


def record_from_row(row: Row) -> Record:
    """The record a row of the table holds; raises ValueError when a value is not of its column's type."""
    if len(row) != len(COLUMNS):
        raise ValueError(f"a row of {len(row)} columns is no record")
    fields = dict(zip(COLUMNS, row, strict=True))
    if fields["simulated"] in (0, 1):
        fields["simulated"] = bool(fields["simulated"])
    try:
        return msgspec.convert(fields, Record)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from error


def header_from_text(text: str) -> dict[str, str]:
    """The match header a row of either header table holds; raises ValueError when it is none."""
    try:
        return msgspec.json.decode(text, type=dict[str, str])
    except msgspec.DecodeError as error:
        raise ValueError(f"the match header cannot be read: {error}") from error


def salvage(main: bytes, wal: bytes) -> Salvage:
    """Read what can be trusted from the bytes of a journal file and of its write-ahead log."""
    records: dict[str, Record] = {}
    headers: list[dict[str, str]] = []
    starts: set[Value] = set()
    images = list(_images(main, wal))
    pages = dict(images)  # for rows that go on elsewhere: those pages are written once
    for _, page in images:
        for row in _rows(page, pages):
            match row:
                case (str(text),):
                    headers += _header(text)
                case (int(), str(), str(start)):
                    starts.add(start)
                case _:
                    for record in _proven(row):
                        records[record.hash] = record
                        starts |= {record.prev} if record.seq == 1 else set()
    header = next((header for header in headers if genesis(header) in starts), None)
    chain = _longest_chain(records, None if header is None else genesis(header))
    return Salvage(header, whole_groups(chain))


def _header(text: str) -> list[dict[str, str]]:
    try:
        return [header_from_text(text)]
    except ValueError:
        return []


def _proven(row: Row) -> list[Record]:
    try:
        record = record_from_row(row)
    except ValueError:
        return []
    return [] if sound(record) else [record]


def _longest_chain(records: Mapping[str, Record], start: str | None) -> tuple[Record, ...]:
    """The longest run of records from the first on, each following the one before.

    A write that failed may have left a record nothing follows, so there can be more than one run.
    """
    reached: dict[str, Record] = {}
    best: Record | None = None
    for record in sorted(records.values(), key=lambda record: record.seq):
        first = record.seq == 1 and start in (None, record.prev)
        before = reached.get(record.prev)
        if first or (before is not None and before.seq + 1 == record.seq):
            reached[record.hash] = best = record
    chain: list[Record] = []
    while best is not None:
        chain.append(best)
        best = reached.get(best.prev)
    return tuple(reversed(chain))


def _images(main: bytes, wal: bytes) -> Iterator[tuple[int, bytes]]:
    """Every page there is with its number, first those of the file, then all of the log, old before new."""
    for at in range(0, len(main) - PAGE_SIZE + 1, PAGE_SIZE):
        yield at // PAGE_SIZE + 1, main[at : at + PAGE_SIZE]
    for at in range(_WAL_HEADER, len(wal) - _FRAME_HEADER - PAGE_SIZE + 1, _FRAME_HEADER + PAGE_SIZE):
        start = at + _FRAME_HEADER
        yield int.from_bytes(wal[at : at + 4], "big"), wal[start : start + PAGE_SIZE]


def _rows(page: bytes, pages: Mapping[int, bytes]) -> Iterator[Row]:
    """The rows of a table's leaf page; other pages have none, and a broken row is passed over."""
    if page[0] != _TABLE_LEAF:
        return
    for cell in range(8, 8 + 2 * int.from_bytes(page[3:5], "big"), 2):
        try:
            yield _row(page, int.from_bytes(page[cell : cell + 2], "big"), pages)
        except (IndexError, ValueError, KeyError):
            continue


def _row(page: bytes, at: int, pages: Mapping[int, bytes]) -> Row:
    size, at = _varint(page, at)
    rowid, at = _varint(page, at)
    body = _payload(page, at, size, pages)
    header_size, at = _varint(body, 0)
    values: list[Value] = []
    data = header_size
    while at < header_size:
        kind, at = _varint(body, at)
        value, data = _value(body, data, kind)
        values.append(value)
    if len(values) == len(COLUMNS) and values[0] is None:
        values[0] = rowid  # an INTEGER PRIMARY KEY is kept as the row's id only
    return tuple(values)


def _payload(page: bytes, at: int, size: int, pages: Mapping[int, bytes]) -> bytes:
    """A row's bytes, which go on in a list of overflow pages when they are too many for one page."""
    if size > PAGE_SIZE * len(pages):
        raise ValueError("a row longer than the file")
    most = PAGE_SIZE - 35
    if size <= most:
        return page[at : at + size]
    least = (PAGE_SIZE - 12) * 32 // 255 - 23
    local = least + (size - least) % (PAGE_SIZE - 4)
    if local > most:
        local = least
    body = page[at : at + local]
    following = int.from_bytes(page[at + local : at + local + 4], "big")
    while len(body) < size:
        if not following:
            raise ValueError("the list of overflow pages ends early")
        overflow = pages[following]
        following = int.from_bytes(overflow[:4], "big")
        body += overflow[4 : 4 + size - len(body)]
    return body


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for _ in range(8):
        byte = data[at]
        at += 1
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at
    return value << 8 | data[at], at + 1


def _value(body: bytes, at: int, kind: int) -> tuple[Value, int]:
    if kind == 0:
        return None, at
    if kind in (8, 9):
        return kind - 8, at
    size = _INTEGER_BYTES[kind] if kind < len(_INTEGER_BYTES) else (kind - 12) // 2
    if kind in (7, 10, 11) or at + size > len(body):
        raise ValueError("no value of ours")
    raw = body[at : at + size]
    if kind < len(_INTEGER_BYTES):
        return int.from_bytes(raw, "big", signed=True), at + size
    return (raw.decode() if kind % 2 else raw), at + size
