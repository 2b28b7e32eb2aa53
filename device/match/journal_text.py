"""The text of a journal, as the box writes it during a match, and of its exports.

It is JSON lines in UTF-8, each ended by a line feed: first the :class:`Head`, then for each
:class:`device.match.records.Record` a line with all of its fields in order, compact, exactly as
:func:`write_line` writes it. A damaged line fails its hash, and those behind it can still be read. An export
is the same text, with all that its view may not read redacted (payload and salt empty, the digests kept).

An interrupted write ends in whole records of an incomplete group, a truncated line, and perhaps zeros. A
journal with such an end is not damaged; :attr:`Reading.unfinished` counts the bytes.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable, Mapping

import msgspec

from device.match.records import (
    NAME_DIGEST,
    Damage,
    Record,
    find_fault,
    find_tip,
    hash_header,
    keep_whole_groups,
    verify,
)
from device.texts import Said, said
from engines.contract import SEATS

FORMAT = "journal 3"
UNSEALED = "journal 2"
"""The format of a match whose header's hash covers the names themselves."""
FIRST_BYTES = b'{"podesta":"journal'
BOX = ""
"""The view of the box itself: everything."""
PUBLIC = "public"
"""The view of everybody; a seat's view is its letter."""


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: ``podesta`` is the format, ``view`` the reader that the text is for (:data:`BOX`,
    :data:`PUBLIC` or a seat's letter).

    ``tip`` is the last hash of an export, which shows if its end is missing; it is empty in the box's own
    journal, which grows. ``header`` has the facts of the match, where the chain begins (the name ``box_key``
    is reserved for the public key of the box). ``sha256`` covers this line with ``sha256`` empty; it detects
    accidents, not forgery.
    """

    podesta: str
    view: str
    tip: str
    header: dict[str, str]
    sha256: str


class JournalFile(msgspec.Struct, frozen=True):
    """A journal read from its text; with ``damage``, ``records`` are the whole groups before it.

    ``header`` is empty if it is lost. ``beyond`` are the records that are sound by themselves but do not
    count, because something before them is damaged. ``unfinished`` is the number of bytes of an incomplete
    last group; nobody was told that it was recorded.
    """

    header: dict[str, str]
    records: tuple[Record, ...]
    damage: Damage | None
    view: str = BOX
    beyond: tuple[Record, ...] = ()
    unfinished: int = 0

    @property
    def whole(self) -> bool:
        """True if nothing is redacted: a box can continue it."""
        return not (self.view or any(record.redacted for record in self.records))

    @property
    def good(self) -> Said:
        """The records that can be trusted, in words: ``records 1 to 24 are good``."""
        good = said("damage.good", last=len(self.records)) if self.records else said("damage.none_good")
        return said("damage.beyond", good=good, count=len(self.beyond)) if self.beyond else good


class OtherFormat(ValueError):
    """Error raised for a text from another version of this program."""


class _FormatOnly(msgspec.Struct, frozen=True):
    podesta: str


def write_line(value: Head | Record) -> bytes:
    """Write a line of the text."""
    return msgspec.json.encode(value) + b"\n"


def encode(header: Mapping[str, str], records: Iterable[Record] = (), view: str = BOX) -> bytes:
    """Write the text of a match; for another view than the box's, from records that are already redacted."""
    records = tuple(records)
    head = Head(_format(header), view, "" if view == BOX else find_tip(header, records), dict(header), "")
    return write_line(_add_checksum(head)) + b"".join(map(write_line, records))


def _format(header: Mapping[str, str]) -> str:
    return FORMAT if any(field.startswith(NAME_DIGEST) for field in header) else UNSEALED


def decode(data: bytes) -> JournalFile:
    """Read and verify a text.

    Raises :class:`OtherFormat` only; any other fault is the ``damage``.
    """
    first, feed, body = data.partition(b"\n")
    *lines, rest = body.split(b"\n")
    parsed = [_read_record(one) for one in lines]
    records = [one for one in itertools.takewhile(bool, parsed) if one]
    head, damage = _read_head(first), None
    if head is None or head != _add_checksum(head) or write_line(head) != first + feed:
        damage = Damage(0, said("damage.line", line=1))
        if head is None or not records or records[0].prev != hash_header(head.header):
            return JournalFile({}, (), damage, beyond=_keep_sound(parsed))
    exported, last = head.view != BOX, find_tip(head.header, records)
    found = verify(head.header, records, allow_redacted=exported)
    unfinished = False
    if found and found.seq <= len(records):
        damage = found
    elif len(records) < len(parsed):
        damage = Damage(len(records) + 1, said("damage.line", line=len(records) + 2))
    elif (found or rest) and not exported and _stops_short(rest, last):
        unfinished = True
    elif rest:
        damage = Damage(len(records) + 1, said("damage.ends", line=len(records) + 2))
    elif found:
        damage = found
    elif exported and head.tip != last:
        damage = damage or Damage(len(records) + 1, said("damage.last"))
    good = keep_whole_groups(records[: damage.seq - 1] if damage and damage.seq else records)
    used = sum(len(one) + 1 for one in (first, *lines[: len(good)]))
    return JournalFile(
        head.header,
        good,
        damage,
        head.view,
        _keep_sound(parsed[len(good) :]) if damage else (),
        len(data) - used if unfinished else 0,
    )


def _keep_sound(parsed: Iterable[Record | None]) -> tuple[Record, ...]:
    return tuple(one for one in parsed if one and not find_fault(one, allow_redacted=True))


def _stops_short(rest: bytes, before: str) -> bool:
    """Return True if ``rest``, behind the last line feed, can be the start of an unfinished line."""
    rest = rest.rstrip(b"\0")
    if not rest:
        return True
    try:
        record = msgspec.json.decode(rest, type=Record)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        return "truncated" in str(error)
    return record.prev == before and not find_fault(record)  # only the line feed is missing


def _read_head(first: bytes) -> Head | None:
    try:
        named = msgspec.json.decode(first, type=_FormatOnly).podesta
        if named not in (FORMAT, UNSEALED) and named.startswith("journal "):
            raise OtherFormat(f"written as {named!r}; this program reads {UNSEALED!r} and {FORMAT!r}")
        head = msgspec.json.decode(first, type=Head)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    return head if head.podesta == _format(head.header) and head.view in (BOX, PUBLIC, *SEATS) else None


def _read_record(text: bytes) -> Record | None:
    try:
        record = msgspec.json.decode(text, type=Record)
        return record if write_line(record) == text + b"\n" else None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None


def _add_checksum(head: Head) -> Head:
    """Return the head with its ``sha256``."""
    bare = msgspec.structs.replace(head, sha256="")
    return msgspec.structs.replace(head, sha256=hashlib.sha256(write_line(bare)).hexdigest())
