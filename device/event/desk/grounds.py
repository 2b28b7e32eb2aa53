"""Reasons to refuse a match, the referee's verdict on a journal, the check of each live record of a match,
and the journal of such records.

The module knows no clock, store or broker. It refuses what it cannot believe, and names the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

import msgspec

from device.event.desk.rows import LiveRecord
from device.event.messages import FROM_DESK, DeskShare, Sent
from device.event.signing import Signed, Trusted, check, is_lost
from device.event.verifying import Cause, Verified, verify_journal
from device.match import (
    BOX,
    PUBLIC,
    JournalFile,
    Record,
    Unfollowable,
    encode,
    find_fault,
    hash_header,
    keep_whole_groups,
)


class Grounds(StrEnum):
    """The reason to refuse a match, with its ``remedy``."""

    remedy: str

    UNREADABLE = "not a journal", "upload a journal (.podesta) or a bundle of podesta bundle"
    DAMAGED = "damaged", "take another copy from the box, or from its stick"
    RULES = "not by the rules", "look at it with podesta explain, and let a judge rule the table"
    UNSIGNED = "not signed", "take the journal from the table's own box, or type the result"
    SIGNATURE = "bad signature", "somebody changed it: take another copy from the box itself"
    STRANGER = (
        "signed by a key that is not the event's",
        "if the box belongs to the event, add its key to the file of --keys",
    )
    CUT = "not signed to its end", "take the whole journal from the box, or let a judge rule the table"
    TABLE = "key of another table", "if the box stands in for the table, upload it again and say so"
    EVENT = "of another event", "set the event's name exactly as the boxes have it, or leave this match out"
    OLDER = "older than the result at the desk", "nothing is lost: the desk has the longer one"
    APART = (
        "diverges from the result at the desk",
        "two boxes continued one match: a judge looks at both and rules the table",
    )
    UNFINISHED = (
        "not finished, but the result at the desk is",
        "nothing is lost: the desk has the finished one",
    )
    BUSY = "not kept", "upload it again"

    def __new__(cls, said: str, remedy: str) -> Grounds:
        """Return a member with the text ``said`` and its remedy."""
        made = str.__new__(cls, said)
        made._value_, made.remedy = said, remedy
        return made


class NotTaken(Exception):
    """A refused match: its grounds, the detail, and its table if known."""

    def __init__(self, kind: Grounds, why: str = "", table: str = "") -> None:
        super().__init__(kind, why, table)
        self.kind, self.why, self.table = kind, why, table

    def __str__(self) -> str:
        """Return the grounds, the detail, and the remedy."""
        why = f" ({self.why})" if self.why not in ("", self.kind) else ""
        return f"{self.kind}{why}; {self.kind.remedy}"


_FAULTS = {Cause.FILE: Grounds.DAMAGED, Cause.RECORD: Grounds.DAMAGED}
_SIGNED = {
    Signed.NONE: Grounds.UNSIGNED,
    Signed.PART: Grounds.CUT,
    Signed.FOREIGN: Grounds.STRANGER,
    Signed.BAD: Grounds.SIGNATURE,
}


def vet_journal(reading: JournalFile, keys: Mapping[str, Trusted]) -> Verified:
    """Verify a journal as ``podesta verify --keys`` does; raise :class:`NotTaken` unless it holds."""
    table = reading.header.get("table_id", "")
    try:
        found = verify_journal("the journal", reading, "", keys)
    except Unfollowable as error:
        raise NotTaken(Grounds.DAMAGED, str(error), table) from error
    if failure := found.failure:
        signed = failure.kind is Cause.SIGNATURE
        kind = _SIGNED[found.signed] if signed else _FAULTS.get(failure.kind, Grounds.RULES)
        raise NotTaken(kind, str(failure), table)
    if found.unfinished:
        why = f"its last entry was not wholly written: {found.unfinished} bytes"
        raise NotTaken(Grounds.DAMAGED, why, table)
    return found


# Live records


class HeldMatch:
    """A match as the desk has it so far: its box, its header, the chain of hashes, the records still hidden,
    and the ids of judges' rulings with an answer.
    """

    def __init__(self, kept: Iterable[LiveRecord]) -> None:
        self.box, self.total, self.taken = "", 0, 0
        self.header = dict[str, str]()
        self.hashes, self.sealed, self.answered = list[str](), set[int](), set[str]()
        for row in sorted(kept, key=lambda row: (row.seq, row.open)):
            self.add(row)

    def add(self, row: LiveRecord) -> None:
        """Take in a kept row."""
        if row.seq == 0:
            self.box, self.header = row.who, msgspec.json.decode(row.line, type=dict[str, str])
        elif row.seq <= len(self.hashes):
            self.sealed.discard(row.seq)
        else:
            record = msgspec.json.decode(row.line, type=Record)
            self.hashes.append(record.hash)
            if record.channel.startswith(FROM_DESK):
                self.answered.add(record.channel.removeprefix(FROM_DESK))
            if record.redacted:
                self.sealed.add(record.seq)

    def heard(self, match: str) -> DeskShare:
        """Return the answer to its box."""
        return DeskShare(match, len(self.hashes), tuple(sorted(self.sealed)))

    def lacks(self, record: Record) -> bool:
        """Return True for a record that is new, or was hidden so far; raise :class:`NotTaken` for one that
        cannot belong to the match.

        A record behind a gap is also new.
        """
        if wrong := find_fault(record, allow_redacted=True):
            raise NotTaken(Grounds.DAMAGED, f"record {record.seq}: {wrong}")
        if record.seq > len(self.hashes):
            return True
        if self.hashes[record.seq - 1] != record.hash:
            raise NotTaken(Grounds.APART, f"record {record.seq} differs from the desk's")
        return not record.redacted and record.seq in self.sealed


def check_record(
    held: HeldMatch, sent: Sent, record: Record, box: str, event: str, keys: Mapping[str, Trusted]
) -> None:
    """Raise :class:`NotTaken` for a record that the match lacks but that does not follow its kept part: the
    match has another beginning, or the signature is not of a box of the event that may sign it.
    """
    header = held.header or sent.header
    its, table = header.get("event_id", ""), header.get("table_id", "")
    if record.seq == 1 and not held.hashes:
        if not header or record.prev != hash_header(header) or record.hash != sent.match:
            raise NotTaken(Grounds.DAMAGED, "its first record does not fit its header")
        if its != event:
            raise NotTaken(Grounds.EVENT, f'it says "{its}", this is "{event}"')
        if table != box and not is_lost(table, keys):
            raise NotTaken(Grounds.TABLE, f"it says {table or 'no table'}")
    elif record.seq > len(held.hashes) and record.prev != held.hashes[-1]:
        raise NotTaken(Grounds.APART, f"record {record.seq} does not follow the desk's last one")
    if not record.signature:
        return
    key = record.signer or header.get("box_key", "")
    if (signer := keys.get(key)) is None:
        raise NotTaken(Grounds.STRANGER, f"record {record.seq}")
    if not check(key, record.hash, record.signature):
        raise NotTaken(Grounds.SIGNATURE, f"record {record.seq}")
    if signer.name not in (box, table):
        raise NotTaken(Grounds.TABLE, f"record {record.seq} is signed by {signer.name}")
    if signer.counts_to is not None and signer.name == box:
        raise NotTaken(Grounds.STRANGER, f"the key of {box} was revoked")


def find_last_hashes(rows: Iterable[LiveRecord]) -> list[str]:
    """Return the hash of the last record of each match among the rows."""
    last = {row.match: row for row in sorted(rows, key=lambda row: row.seq) if row.seq}
    return [msgspec.json.decode(row.line, type=Record).hash for row in last.values()]


def make_journal(rows: Iterable[LiveRecord]) -> bytes:
    """Return the journal of a match from its live rows, up to the last whole group; empty without one."""
    header, records = "", dict[int, Record]()
    for row in rows:
        if row.seq == 0:
            header = row.line
        elif row.open or row.seq not in records:
            records[row.seq] = msgspec.json.decode(row.line, type=Record)
    whole = keep_whole_groups([records[seq] for seq in sorted(records)])
    if not whole:
        return b""
    view = PUBLIC if any(one.redacted for one in whole) else BOX
    return encode(msgspec.json.decode(header, type=dict[str, str]), whole, view)
