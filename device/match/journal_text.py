"""The text of a journal: what the box writes as a match is played, and what an export of it is.

JSON lines in UTF-8, each ended by a line feed. The first is the :class:`Head`, each further line one
:class:`device.match.records.Record` with all of its fields in order, compact, exactly as :func:`line` writes
it. A line that is damaged says so by its hash, and those behind it can still be read. An export is the same
text with what its view may not read redacted (payload and salt are empty, the digests stay).

How a write ends that was interrupted: in whole records of a group that is not complete, a line that stops
short, and zeros perhaps. A journal that ends so is not damaged; :attr:`Reading.unfinished` counts the bytes.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable, Mapping

import msgspec

from device.match.records import NAME_DIGEST, Damage, Record, genesis, sound, tip, verify, whole_groups
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
    """The first line: ``podesta`` is the format, ``view`` whose eyes the text is for (:data:`BOX`,
    :data:`PUBLIC` or a seat's letter).

    ``tip`` is the hash an export ends with, so that it shows when its end is missing; empty in the box's own
    journal, which grows. ``header`` are the facts of the match that the chain begins with (the name
    ``box_key`` is kept for the public key of the box). ``sha256`` covers this line with itself empty; it
    tells accidents, not forgery.
    """

    podesta: str
    view: str
    tip: str
    header: dict[str, str]
    sha256: str


class Reading(msgspec.Struct, frozen=True):
    """A journal as its text holds it: with ``damage``, ``records`` are the whole groups before it.

    ``header`` is empty when it is lost. ``beyond`` are the records that are sound by themselves and do not
    count, because something before them is damaged. ``unfinished`` counts the bytes of a last group that was
    not wholly written; nobody was told it was.
    """

    header: dict[str, str]
    records: tuple[Record, ...]
    damage: Damage | None
    view: str = BOX
    beyond: tuple[Record, ...] = ()
    unfinished: int = 0

    @property
    def whole(self) -> bool:
        """True where nothing is redacted: a box can go on with it."""
        return not (self.view or any(record.redacted for record in self.records))

    @property
    def good(self) -> Said:
        """The records that can be trusted, in words: ``records 1 to 24 are good``."""
        good = said("damage.good", last=len(self.records)) if self.records else said("damage.none_good")
        return said("damage.beyond", good=good, count=len(self.beyond)) if self.beyond else good


class OtherFormat(ValueError):
    """The text was written by another version of this program."""


class _Named(msgspec.Struct, frozen=True):
    podesta: str


def line(value: Head | Record) -> bytes:
    """Write a line of the text."""
    return msgspec.json.encode(value) + b"\n"


def encode(header: Mapping[str, str], records: Iterable[Record] = (), view: str = BOX) -> bytes:
    """Write the text of a match; for another view than the box's, of records that are redacted already."""
    records = tuple(records)
    head = Head(_format(header), view, "" if view == BOX else tip(header, records), dict(header), "")
    return line(_summed(head)) + b"".join(map(line, records))


def _format(header: Mapping[str, str]) -> str:
    return FORMAT if any(field.startswith(NAME_DIGEST) for field in header) else UNSEALED


def decode(data: bytes) -> Reading:
    """Read and verify a text.

    Raises :class:`OtherFormat`. Nothing else: whatever is wrong with it is its ``damage``.
    """
    first, feed, body = data.partition(b"\n")
    *lines, rest = body.split(b"\n")
    parsed = [_record(one) for one in lines]
    records = [one for one in itertools.takewhile(bool, parsed) if one]
    head, damage = _head(first), None
    if head is None or head != _summed(head) or line(head) != first + feed:
        damage = Damage(0, said("damage.line", line=1))
        if head is None or not records or records[0].prev != genesis(head.header):
            return Reading({}, (), damage, beyond=_sound(parsed))
    exported, last = head.view != BOX, tip(head.header, records)
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
    good = whole_groups(records[: damage.seq - 1] if damage and damage.seq else records)
    used = sum(len(one) + 1 for one in (first, *lines[: len(good)]))
    return Reading(
        head.header,
        good,
        damage,
        head.view,
        _sound(parsed[len(good) :]) if damage else (),
        len(data) - used if unfinished else 0,
    )


def _sound(parsed: Iterable[Record | None]) -> tuple[Record, ...]:
    return tuple(one for one in parsed if one and not sound(one, allow_redacted=True))


def _stops_short(rest: bytes, before: str) -> bool:
    """Return True if what stands behind the last line feed can be what is left of a line being written."""
    rest = rest.rstrip(b"\0")
    if not rest:
        return True
    try:
        record = msgspec.json.decode(rest, type=Record)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        return "truncated" in str(error)
    return record.prev == before and not sound(record)  # it lacks the line feed alone


def _head(first: bytes) -> Head | None:
    try:
        named = msgspec.json.decode(first, type=_Named).podesta
        if named not in (FORMAT, UNSEALED) and named.startswith("journal "):
            raise OtherFormat(f"written as {named!r}; this program reads {UNSEALED!r} and {FORMAT!r}")
        head = msgspec.json.decode(first, type=Head)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    return head if head.podesta == _format(head.header) and head.view in (BOX, PUBLIC, *SEATS) else None


def _record(text: bytes) -> Record | None:
    try:
        record = msgspec.json.decode(text, type=Record)
        return record if line(record) == text + b"\n" else None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None


def _summed(head: Head) -> Head:
    """Return the head with its ``sha256`` filled in."""
    bare = msgspec.structs.replace(head, sha256="")
    return msgspec.structs.replace(head, sha256=hashlib.sha256(line(bare)).hexdigest())
