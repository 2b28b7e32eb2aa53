"""The records of a match as its box told them: which may follow in it, and the journal that they make.

No clock, no store, no broker; what cannot be believed is refused by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from device.event.desk.grounds import Grounds, Refused
from device.event.desk.rows import LiveRecord
from device.event.messages import WORD, Heard, Sent
from device.event.signing import Trusted, check, lost
from device.match import BOX, PUBLIC, Record, encode, genesis, sound, whole_groups


class HeldMatch:
    """A match as far as the desk has it: its box, its header, the chain, the records still hidden, and the
    judges' words that were answered.
    """

    def __init__(self, kept: Iterable[LiveRecord]) -> None:
        self.box, self.total, self.taken = "", 0, 0
        self.header = dict[str, str]()
        self.hashes, self.sealed, self.words = list[str](), set[int](), set[str]()
        for row in sorted(kept, key=lambda row: (row.seq, row.open)):
            self.add(row)

    def add(self, row: LiveRecord) -> None:
        """Take a row that is kept."""
        if row.seq == 0:
            self.box, self.header = row.who, msgspec.json.decode(row.line, type=dict[str, str])
        elif row.seq <= len(self.hashes):
            self.sealed.discard(row.seq)
        else:
            record = msgspec.json.decode(row.line, type=Record)
            self.hashes.append(record.hash)
            if record.channel.startswith(WORD):
                self.words.add(record.channel.removeprefix(WORD))
            if record.redacted:
                self.sealed.add(record.seq)

    def heard(self, match: str) -> Heard:
        """Return what its box is told."""
        return Heard(match, len(self.hashes), tuple(sorted(self.sealed)))

    def lacks(self, record: Record) -> bool:
        """Return True for a record that is new, or was hidden so far; raise for one that cannot be its.

        A record behind a gap is new, too.
        """
        if wrong := sound(record, allow_redacted=True):
            raise Refused(Grounds.DAMAGED, f"record {record.seq}: {wrong}")
        if record.seq > len(self.hashes):
            return True
        if self.hashes[record.seq - 1] != record.hash:
            raise Refused(Grounds.APART, f"record {record.seq} is another than the desk has")
        return not record.redacted and record.seq in self.sealed


def check_record(
    held: HeldMatch, sent: Sent, record: Record, box: str, event: str, keys: Mapping[str, Trusted]
) -> None:
    """Raise for a record that the match lacks and that does not follow what is kept of it, as a box of the
    event tells it: its match begins elsewhere, or none of the event's boxes that may have has signed it.
    """
    header = held.header or sent.header
    its, table = header.get("event_id", ""), header.get("table_id", "")
    if record.seq == 1 and not held.hashes:
        if not header or record.prev != genesis(header) or record.hash != sent.match:
            raise Refused(Grounds.DAMAGED, "its header is not what it begins with")
        if its != event:
            raise Refused(Grounds.EVENT, f'it says "{its}", this is "{event}"')
        if table != box and not lost(table, keys):
            raise Refused(Grounds.TABLE, f"it says {table or 'no table'}")
    elif record.seq > len(held.hashes) and record.prev != held.hashes[-1]:
        raise Refused(Grounds.APART, f"record {record.seq} does not follow what the desk has")
    if not record.signature:
        return
    key = record.signer or header.get("box_key", "")
    if (signer := keys.get(key)) is None:
        raise Refused(Grounds.STRANGER, f"record {record.seq}")
    if not check(key, record.hash, record.signature):
        raise Refused(Grounds.SIGNATURE, f"record {record.seq}")
    if signer.name not in (box, table):
        raise Refused(Grounds.TABLE, f"record {record.seq} is signed by {signer.name}")
    if signer.counts_to is not None and signer.name == box:
        raise Refused(Grounds.STRANGER, f"the key of {box} was revoked")


def tips(told: Iterable[LiveRecord]) -> list[str]:
    """Return the hash of the last record of each match among rows."""
    last = {row.match: row for row in sorted(told, key=lambda row: row.seq) if row.seq}
    return [msgspec.json.decode(row.line, type=Record).hash for row in last.values()]


def journal_of(told: Iterable[LiveRecord]) -> bytes:
    """Return the journal of a match that was told, as far as it is whole; empty where nothing is."""
    header, records = "", dict[int, Record]()
    for row in told:
        if row.seq == 0:
            header = row.line
        elif row.open or row.seq not in records:
            records[row.seq] = msgspec.json.decode(row.line, type=Record)
    whole = whole_groups([records[seq] for seq in sorted(records)])
    if not whole:
        return b""
    view = PUBLIC if any(one.redacted for one in whole) else BOX
    return encode(msgspec.json.decode(header, type=dict[str, str]), whole, view)
