"""The record of a match, as values: an entry, the chain of entries, the checks of a log.

Nothing here reads a clock, a disk or a source of randomness. A :class:`Draft` is an entry of the referee;
:func:`seal` turns it into a :class:`Record`, which names the record before it by hash; :func:`verify` finds
the first record that was altered. :mod:`device.match.history` computes which entries count.

**Hashes.** A *packed* sequence of texts is each text's UTF-8 bytes as a netstring (``5:torre,``), one after
the other. With ``H`` the SHA-256 of such a sequence, in lower-case hex:

* ``payload_digest  = H("podesta payload 1", salt, payload)``;
* ``evidence_digest = H("podesta evidence 1", salt, SHA-256 of the evidence in hex)``, empty without evidence;
* ``hash = H("podesta record 1", …)`` over the fields :data:`HASHED`, in that order: whole numbers in decimal,
  no seat as the empty text, ``simulated`` as ``1`` or ``0``;
* ``prev`` is the hash of the record before it; that of the first is :func:`hash_header` of the match header;
* ``name_digest.a = H("podesta name 1", salt, name)`` in the header covers ``seat.a`` and ``name_salt.a``
  beside it, so that these may be struck (:func:`strike_names`). A header without it is of an older match, and
  its hash covers the names themselves.

Payload, salt and evidence enter only through their digests. So a record still verifies without its payload
and salt (:func:`redact`), or after its picture has expired.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from operator import attrgetter
from typing import Any, Protocol

import msgspec
from msgspec.structs import asdict

from device.texts import Why, said

GRAMMAR = 1
"""Version of the notation of payloads."""

RECOVERED = "recovered_"
"""The prefix of header names that tell the origin of a recovered file; :func:`hash_header` omits them."""

NAME, NAME_SALT, NAME_DIGEST = "seat.", "name_salt.", "name_digest."
"""Header fields of a seat, by its letter: the player's name, and the salt and digest that cover it."""

HASHED = (
    "seq", "group", "group_size", "kind", "seat", "channel", "visibility", "confidence_ppm", "state_digest",
    "simulated", "grammar", "payload_digest", "evidence_digest", "utc_ms", "mono_ms", "boot_id", "table_id",
    "event_id", "prev",
)  # fmt: skip
"""The fields that a record's hash covers, in packing order."""


SIGNED = r"([A-Za-z0-9+/]{43}=)? [A-Za-z0-9+/]{86}==| "
"""The form of a signature behind its signer, or of none."""

PHRASE = 16
"""The number of digits of a hash to note on paper."""


class Kind(StrEnum):
    """A record's kind: a step of play, a report of the table, a sensor's reading, people's ruling, a remark,
    or a seat's telling of its own hidden pieces.
    """

    STEP = "step"
    REPORT = "report"
    READING = "reading"
    RULING = "ruling"
    NOTE = "note"
    PRIVATE = "private"


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """An entry to record, before it has a number, a time and a place in the chain.

    ``payload`` is notation text; ``seat`` is the actor, counted from 0, or None; ``confidence_ppm`` runs from
    0 to 1,000,000. The record keeps only a salted digest of ``evidence`` (a picture, a trace).
    """

    kind: Kind
    payload: str
    seat: int | None = None
    channel: str = "keys"
    visibility: str = "public"
    evidence: bytes = b""
    confidence_ppm: int = 1_000_000
    state_digest: str = ""
    simulated: bool = False


class Stamp(msgspec.Struct, frozen=True):
    """A moment: ``utc_ms`` since 1970, ``mono_ms`` on a clock that never jumps within one ``boot_id``."""

    utc_ms: int
    mono_ms: int
    boot_id: str


class Record(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One entry of the log.

    ``seq`` and ``group`` count from 1 without gaps. A group (one OK) holds ``group_size`` records and is the
    unit of undo. ``salt`` is hex; it is empty exactly if the record is redacted. The last record of a group
    may bear a box's ``signature`` of its hash; ``signer`` is that box's key unless the header names it.
    Neither is written if empty, and the hash covers neither.
    """

    seq: int
    group: int
    group_size: int
    kind: Kind
    payload: str
    seat: int | None
    channel: str
    visibility: str
    confidence_ppm: int
    state_digest: str
    simulated: bool
    grammar: int
    salt: str
    payload_digest: str
    evidence_digest: str
    utc_ms: int
    mono_ms: int
    boot_id: str
    table_id: str
    event_id: str
    prev: str
    hash: str
    signer: str = ""
    signature: str = ""

    @property
    def play(self) -> bool:
        """True if it belongs to the game itself: a step, or a report of the table."""
        return self.kind in (Kind.STEP, Kind.REPORT)

    @property
    def changes(self) -> bool:
        """True if it may change the pending question, as plays and rulings do, unlike notes and readings."""
        return self.play or self.kind is Kind.RULING

    @property
    def redacted(self) -> bool:
        """True if the payload was taken out."""
        return not self.salt


class Signer(Protocol):
    """A box's key: ``public`` in base64, and its signatures. Both members may raise OSError."""

    @property
    def public(self) -> str:
        """The public key."""
        ...

    def sign(self, digest: str, /) -> str:
        """Return the signature of a hash."""
        ...


class Damage(msgspec.Struct, frozen=True):
    """The first fault of a log: the ``seq`` of the bad record (0 if it is no record), and the fault."""

    seq: int
    what: Why

    @property
    def why(self) -> Why:
        """One line for a person."""
        return said("damage.record", seq=self.seq, what=self.what) if self.seq else self.what

    def __str__(self) -> str:
        """Return it in English."""
        return str(self.why)


def _hash_texts(*texts: str) -> str:
    packed = [b"%d:%b," % (len(raw), raw) for raw in map(str.encode, texts)]
    return hashlib.sha256(b"".join(packed)).hexdigest()


def _hash_payload(salt: str, payload: str) -> str:
    return _hash_texts("podesta payload 1", salt, payload)


def _hash_evidence(salt: str, evidence: bytes) -> str:
    return _hash_texts("podesta evidence 1", salt, hashlib.sha256(evidence).hexdigest()) if evidence else ""


_hashed = attrgetter(*HASHED)


def _hash(record: Record) -> str:
    values = [
        "" if one is None else one if isinstance(one, str) else str(int(one)) for one in _hashed(record)
    ]
    return _hash_texts("podesta record 1", *values)


def hash_header(header: Mapping[str, str]) -> str:
    """Return the digest of a match header, which the first record is chained to.

    Fields and values are packed in order of the fields. Fields beginning with :data:`RECOVERED` stay out, so
    that a recovered file keeps every hash of the original; so do names with a digest.
    """
    beside = {f"{kind}{seat}" for seat in _list_sealed(header) for kind in (NAME, NAME_SALT)}
    pairs = sorted(
        pair for pair in header.items() if not pair[0].startswith(RECOVERED) and pair[0] not in beside
    )
    return _hash_texts("podesta header 1", *(text for pair in pairs for text in pair))


def _list_sealed(header: Mapping[str, str]) -> list[str]:
    """Return the seats whose names have a digest."""
    return [field.removeprefix(NAME_DIGEST) for field in header if field.startswith(NAME_DIGEST)]


def seal_names(header: Mapping[str, str], salt: Callable[[], str]) -> dict[str, str]:
    """Return a header with a freshly salted digest of each name: without salt a name could be guessed."""
    sealed = dict(header)
    for field, name in header.items():
        seat = field.removeprefix(NAME)
        if field.startswith(NAME) and NAME_DIGEST + seat not in header:
            fresh = salt()
            sealed |= {NAME_SALT + seat: fresh, NAME_DIGEST + seat: _name_digest(fresh, name)}
    return sealed


def _name_digest(salt: str, name: str) -> str:
    return _hash_texts("podesta name 1", salt, name)


def strike_names(header: Mapping[str, str], seats: Iterable[str]) -> dict[str, str]:
    """Return a header without the names of these seats, on which every hash and signature stays valid. It
    also loses the name of the file that it was recovered from, which may contain theirs.

    Raises ValueError for a match that was recorded before names could be struck.
    """
    struck = dict(header)
    for seat in seats:
        struck.pop(f"{RECOVERED}from", None)
        if NAME_DIGEST + seat not in header:
            raise ValueError("it was recorded before names could be struck: what is signed covers them")
        struck |= {NAME + seat: "", NAME_SALT + seat: ""}
    return struck


def is_struck(header: Mapping[str, str], seat: str) -> bool:
    """Return True if the name at a seat was struck."""
    return NAME_DIGEST + seat in header and not header.get(NAME_SALT + seat)


def find_misnamed(header: Mapping[str, str]) -> str:
    """Return the fault of the names against their digests, in words; "" for none."""
    for seat in _list_sealed(header):
        name, salt = header.get(NAME + seat), header.get(NAME_SALT + seat)
        if name is None or salt is None:
            return f"the name of seat {seat} is missing"
        if (name or salt) and _name_digest(salt, name) != header[NAME_DIGEST + seat]:
            return f"the name of seat {seat} is not what was recorded"
    return ""


def find_tip(header: Mapping[str, str], records: Sequence[Record]) -> str:
    """Return the hash that the next record is chained to."""
    return records[-1].hash if records else hash_header(header)


def write_phrase(records: Sequence[Record]) -> str:
    """Return the start of the hash of the last signed record, as people note it: ``1f0c 9a2b 77d4 0e51``.

    Empty if no record is signed.
    """
    signed = next((record.hash for record in reversed(records) if record.signature), "")
    return " ".join(signed[at : at + 4] for at in range(0, min(PHRASE, len(signed)), 4))


_UNCHAINED = ("payload_digest", "evidence_digest", "table_id", "event_id", "prev", "hash")
_ON_ITS_WAY = {"salt": "-", **dict.fromkeys(_UNCHAINED, "")}
"""The still unknown fields of a record on its way to the disk: it is neither salted nor chained."""


def place_draft(draft: Draft, stamp: Stamp, **place: Any) -> Record:
    """Give a draft its time and ``place``: its ``seq``, ``group`` and ``group_size``. Without the salt, the
    digests and the other fields of the chain the result is a record on its way to the disk.
    """
    told = asdict(draft)
    del told["evidence"]
    return Record(**told, **asdict(stamp), grammar=GRAMMAR, **(_ON_ITS_WAY | place))


def seal(draft: Draft, stamp: Stamp, *, salt: str, **place: Any) -> Record:
    """Give a draft its number, time and ``place`` in the chain, as in :func:`place_draft`, and its hash.

    ``salt`` is fresh random hex for each record: without it a short payload could be guessed from its digest.
    Raises ValueError for text that is not Unicode.
    """
    payload, evidence = _hash_payload(salt, draft.payload), _hash_evidence(salt, draft.evidence)
    record = place_draft(draft, stamp, salt=salt, payload_digest=payload, evidence_digest=evidence, **place)
    return msgspec.structs.replace(record, hash=_hash(record))


def redact(record: Record) -> Record:
    """Return the record without its payload, and without the salt, with which it could be guessed."""
    return msgspec.structs.replace(record, payload="", salt="")


def has_evidence(record: Record, evidence: bytes) -> bool:
    """Return True if the record was sealed with ``evidence``; False for a redacted record."""
    return bool(record.salt) and record.evidence_digest == _hash_evidence(record.salt, evidence)


def find_fault(record: Record, *, allow_redacted: bool = False) -> Why:
    """Return the fault of a record taken by itself, in words; "" for a sound one."""
    if record.redacted:
        if not allow_redacted or record.payload:
            return said("damage.salt")
    elif record.payload_digest != _hash_payload(record.salt, record.payload):
        return said("damage.payload")
    if not re.fullmatch(SIGNED, f"{record.signer} {record.signature}"):
        return said("damage.signature")
    return "" if record.hash == _hash(record) else said("damage.field")


def verify(
    header: Mapping[str, str], records: Iterable[Record], *, allow_redacted: bool = False
) -> Damage | None:
    """Return the first fault of a log, or None.

    A log that lacks whole groups at its end looks like a shorter match; to detect this, compare the last hash
    with a noted one.
    """
    if what := find_misnamed(header):
        return Damage(0, what)
    before, group, size, missing, seq = hash_header(header), 0, 0, 0, 0
    for seq, record in enumerate(records, 1):
        expected = (group, size) if missing else (group + 1, max(record.group_size, 1))
        if record.seq != seq:
            return Damage(seq, said("damage.gap", seq=record.seq))
        if wrong := find_fault(record, allow_redacted=allow_redacted):
            return Damage(seq, wrong)
        if record.prev != before:
            return Damage(seq, said("damage.chain"))
        if (record.group, record.group_size) != expected:
            found = {"group": record.group, "size": record.group_size}
            return Damage(seq, said("damage.group", **found, wanted=expected[0], of=expected[1]))
        missing = (missing or record.group_size) - 1
        before, group, size = record.hash, record.group, record.group_size
    lacks = said("damage.lacks", group=group, missing=missing, size=size)
    return Damage(seq + 1, lacks) if missing else None


def keep_whole_groups(records: Sequence[Record]) -> tuple[Record, ...]:
    """Return the records without an incomplete last group: half of a compound step is no step."""
    if records:
        last = records[-1]
        present = sum(1 for record in records[-last.group_size :] if record.group == last.group)
        if present < last.group_size:
            return tuple(records[:-present])
    return tuple(records)
