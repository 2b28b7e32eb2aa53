"""Matches as their boxes tell them over a broker: each record is checked as it comes, and answered.

::

    live = Live(store, keys, vet)
    answers = live.take([(topic, payload), …])      # kept, or nothing of them is; what each box is told
    live.settle()                                   # matches that are over become results, as from a bundle
    await attend(live, credential, "desk-1")        # both, for all that comes

A message may be lost, come twice, late or in another order, and the desk may begin with nothing: a box is
told how many records of its match are here, and goes on from there. What cannot be believed is refused by
name.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from device.event.broker import Credential
from device.event.desk.grounds import REMEDIES, Grounds, Vet
from device.event.desk.intake import Intake
from device.event.desk.rows import Call, LiveRecord, TableResult
from device.event.desk.store import DeskStore, StoreError
from device.event.messages import Heard, Kind, Presence, Sent, Topics, View
from device.event.signing import Trusted, check
from device.match import BOX, PUBLIC, SUFFIX, Record, encode, genesis, sound, whole_groups
from device.supervise import keep

if TYPE_CHECKING:
    from aiomqtt import Client

log = logging.getLogger(__name__)

RETRY_S: Final = (1.0, 15.0)
LARGEST: Final = 1 << 20
"""Bytes of one message at most."""
BATCH: Final = 500
"""Messages that are kept together at most."""
BEHIND_MS: Final = 10_000
"""A table is out of step once the desk has lacked records for so long."""

Told = tuple[str, bytes]
"""A topic and what is told there."""


class LiveTable(msgspec.Struct, frozen=True):
    """A box as it was heard of last: whether it is there and since when (ms since 1970), its view, and since
    when the desk has not had the records that the view tells of, None where it has.
    """

    box: str
    online: bool = False
    since: int = 0
    view: View | None = None
    behind: int | None = None


class _Refused(Exception):
    """A match is refused; carries why."""

    def __init__(self, kind: Grounds, why: str = "") -> None:
        super().__init__(kind, why)
        self.kind, self.why = kind, why


class _Held:
    """A match as far as the desk has it: its box, its header, the chain, and the records still hidden."""

    def __init__(self, box: str, rows: Sequence[LiveRecord]) -> None:
        self.box, self.total, self.taken = box, 0, 0
        self.header = dict[str, str]()
        self.hashes, self.sealed = list[str](), set[int]()
        for row in sorted(rows, key=lambda row: (row.seq, row.open)):
            if row.seq == 0:
                self.header = msgspec.json.decode(row.line, type=dict[str, str])
                self.box = row.who
            elif row.seq <= len(self.hashes):
                self.sealed.discard(row.seq)
            else:
                self.add(msgspec.json.decode(row.line, type=Record))

    def add(self, record: Record) -> None:
        """Take the next record."""
        self.hashes.append(record.hash)
        if record.redacted:
            self.sealed.add(record.seq)

    def heard(self, match: str, *, lacks: bool = False) -> Heard:
        """Return what its box is told."""
        return Heard(match, len(self.hashes), len(self.hashes) - len(self.sealed), lacks=lacks)


class Live:
    """The tables of an event as they are told; one thread at a time may take messages."""

    def __init__(self, store: DeskStore, keys: Callable[[], Mapping[str, Trusted]], vet: Vet) -> None:
        """Start with no table; ``keys`` is called with each batch, so that a lost box's stop counting when
        revoked.
        """
        self.store, self._keys, self._vet = store, keys, vet
        self.tables: dict[str, LiveTable] = {}
        self.changes = 0
        """Counts what a page of tables shows and was told over the broker."""
        self._held: dict[str, _Held] = {}
        self._refused: dict[tuple[str, str], Grounds] = {}
        self._calls: dict[str, tuple[str, int]] = {}
        self._due: set[str] = set()

    @property
    def topics(self) -> Topics:
        """The topics of the event."""
        return Topics.of(self.store.event)

    def forget(self) -> None:
        """Read what is kept anew: it was changed, or not kept."""
        for known in (self._held, self._calls, self._refused):
            known.clear()

    def mark(self) -> str:
        """Return what changes with each change that a page of tables shows."""
        return f"{self.changes} {len(self.out_of_step())} {len(self.offline())}"

    def offline(self) -> list[LiveTable]:
        """Return the boxes that were there and are not."""
        return [one for _, one in sorted(self.tables.items()) if not one.online]

    def out_of_step(self) -> list[LiveTable]:
        """Return the boxes whose match the desk has not had as they tell it for a while."""
        until = self.store.now_ms - BEHIND_MS
        found = (one for _, one in sorted(self.tables.items()) if one.online and one.behind is not None)
        return [one for one in found if one.behind is not None and one.behind <= until]

    def troubled(self) -> list[LiveTable]:
        """Return the boxes that have something to tell that is wrong."""
        there = (one for _, one in sorted(self.tables.items()) if one.online)
        return [one for one in there if one.view and one.view.troubles]

    # What comes

    def take(self, batch: Iterable[Told]) -> list[Told]:
        """Keep messages, all or none; return what boxes are told. What is none of theirs is left out."""
        topics, answers = self.topics, dict[tuple[str, str], Heard]()
        try:
            keys = self._keys()
            with self.store.together():
                for topic, payload in batch:
                    if (of := topics.whose(topic)) and len(payload) <= LARGEST:
                        for heard in self._one(*of, payload, keys):
                            lacks = heard.lacks or answers.get((of[0], heard.match), heard).lacks
                            answers[of[0], heard.match] = msgspec.structs.replace(heard, lacks=lacks)
        except (StoreError, ValueError) as error:
            log.error("what boxes told was not kept: %s", error)
            self.forget()
            return []
        return [(topics.to(box), msgspec.json.encode(heard)) for (box, _), heard in answers.items()]

    def _one(self, box: str, kind: Kind, payload: bytes, keys: Mapping[str, Trusted]) -> list[Heard]:
        try:
            match kind:
                case Kind.STATE:
                    self._presence(box, msgspec.json.decode(payload, type=Presence))
                case Kind.VIEW:
                    self._view(box, msgspec.json.decode(payload, type=View))
                case Kind.RECORDS:
                    return [self._records(box, msgspec.json.decode(payload, type=Sent), keys)]
        except msgspec.DecodeError as error:
            log.warning("%s: %s is not understood: %s", box, kind, error)
        return []

    def _presence(self, box: str, told: Presence) -> None:
        one = self.tables.get(box, LiveTable(box))
        if one.online != told.online or not one.since:
            self._put(msgspec.structs.replace(one, online=told.online, since=self.store.now_ms))
        if one.view and not told.online:
            self._due.add(one.view.match)

    def _view(self, box: str, view: View) -> None:
        one = self.tables.get(box, LiveTable(box))
        self._call(box, view)
        self._put(msgspec.structs.replace(one, view=view, behind=self._behind(box, view, one)))
        self._due.add(view.match)

    def _put(self, one: LiveTable) -> None:
        if self.tables.get(one.box) != one:
            self.tables[one.box] = one
            self.changes += 1

    def _behind(self, box: str, view: View, before: LiveTable) -> int | None:
        """Return since when the desk has not had what a view tells of, None where it has or refuses it."""
        there = self._kept(box, view.match)
        same = not view.records or len(there.hashes) == view.records or (box, view.match) in self._refused
        return None if same else before.behind or self.store.now_ms

    def _call(self, box: str, view: View) -> None:
        """Keep a call at the box, and that it was answered there."""
        before, now = self._calls.get(box), (view.match, view.call)
        if before == now:
            return
        self._calls[box] = now
        open_one = next((one for one in self.store.calls() if one.who == box), None)
        if not view.call and open_one:
            answered = Call(round=open_one.round, table=open_one.table, said="at the box", answered=True)
            self.store.add(answered, box, after=open_one)
        if view.call and not open_one:
            rounds = [one.round for one in self.store.seats() if one.table == view.table]
            self.store.add(Call(round=max(rounds, default=1), table=view.table, said=view.said), box)
            self.store.audit("call", f"{view.table}: {view.said or 'a judge, please'}", box)

    def _kept(self, box: str, match: str) -> _Held:
        if match not in self._held:
            held = self._held[match] = _Held(box, self.store.every(LiveRecord, match=match))
            results = self.store.every(TableResult, match=match) if held.hashes else []
            known = {tip: seq for seq, tip in enumerate(held.hashes, 1)}
            held.taken = max((known.get(row.tip, 0) for row in results), default=0)
        return self._held[match]

    # Records

    def _records(self, box: str, sent: Sent, keys: Mapping[str, Trusted]) -> Heard:
        """Keep what follows of a match; refuse the match by name where something is wrong."""
        if kind := self._refused.get((box, sent.match)):
            return Heard(sent.match, 0, 0, refused=kind)
        held = self._kept(box, sent.match)
        held.total = max(held.total, sent.total)
        try:
            for record in sent.records:
                if record.seq > len(held.hashes) + 1:
                    return held.heard(sent.match, lacks=True)
                self._record(box, held, sent, record, keys)
        except _Refused as refused:
            self._refused[box, sent.match] = refused.kind
            why = f" ({refused.why})" if refused.why else ""
            said = f"live from {box}: refused: {refused.kind}{why}; {REMEDIES[refused.kind]}"
            self.store.audit("refused", said, box)
            self.changes += 1
            return Heard(sent.match, 0, 0, refused=refused.kind)
        self._due.add(sent.match)
        one = self.tables.get(box)
        if one and one.view and one.view.match == sent.match:
            self._put(msgspec.structs.replace(one, behind=self._behind(box, one.view, one)))
        return held.heard(sent.match)

    def _record(self, box: str, held: _Held, sent: Sent, record: Record, keys: Mapping[str, Trusted]) -> None:
        """Keep one record, or nothing where it is there already; raise for one that cannot be."""
        if wrong := sound(record, allow_redacted=True):
            raise _Refused(Grounds.DAMAGED, f"record {record.seq}: {wrong}")
        if known := record.seq <= len(held.hashes):
            if held.hashes[record.seq - 1] != record.hash:
                raise _Refused(Grounds.APART, f"record {record.seq} is another than the desk has")
            if record.redacted or record.seq not in held.sealed:
                return
        elif record.seq == 1:
            self._first(box, held, sent, record, keys)
        elif record.prev != held.hashes[-1]:
            raise _Refused(Grounds.APART, f"record {record.seq} does not follow what the desk has")
        if record.signature:
            _signed(held.header, box, record, keys)
        line = msgspec.json.encode(record).decode()
        row = LiveRecord(match=sent.match, seq=record.seq, open=not record.redacted, line=line)
        self.store.add(row, box)
        if known:
            held.sealed.discard(record.seq)
        else:
            held.add(record)

    def _first(self, box: str, held: _Held, sent: Sent, record: Record, keys: Mapping[str, Trusted]) -> None:
        """Begin a match by its header; raise for one that is not this box's at this event."""
        its, table = sent.header.get("event_id", ""), sent.header.get("table_id", "")
        if not sent.header or record.prev != genesis(sent.header) or record.hash != sent.match:
            raise _Refused(Grounds.DAMAGED, "its header is not what it begins with")
        if its != self.store.event:
            raise _Refused(Grounds.EVENT, f'it says "{its}", this is "{self.store.event}"')
        if table != box and not _lost(table, keys):
            raise _Refused(Grounds.TABLE, f"it says {table or 'no table'}")
        held.header, held.box = sent.header, box
        line = msgspec.json.encode(sent.header).decode()
        self.store.add(LiveRecord(match=sent.match, seq=0, open=True, line=line), box)

    # Results

    def settle(self) -> None:
        """Take in what has come to its end, or to where its box went away, as from a bundle."""
        due, self._due = self._due, set()
        told = {one.view.match: one for one in self.tables.values() if one.view}
        for match in sorted(due - {""}):
            held = self._held.get(match)
            one = told.get(match)
            if held is None or len(held.hashes) == held.taken:
                continue
            if one and one.view and one.online:
                ready = one.view.over and len(held.hashes) == one.view.records
            else:
                ready = one is not None or len(held.hashes) >= held.total > 0
            if ready:
                held.taken = len(held.hashes)
                self._take_in(match, held)

    def _take_in(self, match: str, held: _Held) -> None:
        records = dict[int, Record]()
        for row in self.store.every(LiveRecord, match=match):
            if row.seq and (row.open or row.seq not in records):
                records[row.seq] = msgspec.json.decode(row.line, type=Record)
        whole = whole_groups([records[seq] for seq in sorted(records)])
        if not whole:
            return
        view = PUBLIC if any(one.redacted for one in whole) else BOX
        keys = self._keys()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"{held.box}{SUFFIX}"
            path.write_bytes(encode(held.header, whole, view))
            spare = _lost(held.header["table_id"], keys)
            intake = Intake(self.store, keys, self._vet, held.box, spare=spare)
            intake.take(path, f"live/{path.name}")


def _lost(table: str, keys: Mapping[str, Trusted]) -> bool:
    """Return True for a table whose own key was revoked: a spare box may stand in."""
    return any(box.name == table and box.counts_to is not None for box in keys.values())


def _signed(header: Mapping[str, str], box: str, record: Record, keys: Mapping[str, Trusted]) -> None:
    """Raise for a record that is signed by none of the event's boxes that may have."""
    key = record.signer or header.get("box_key", "")
    by = keys.get(key)
    if by is None:
        raise _Refused(Grounds.STRANGER, f"record {record.seq}")
    if not check(key, record.hash, record.signature):
        raise _Refused(Grounds.SIGNATURE, f"record {record.seq}")
    if by.name not in (box, header.get("table_id", "")):
        raise _Refused(Grounds.TABLE, f"record {record.seq} is signed by {by.name}")
    if by.counts_to is not None and by.name == box:
        raise _Refused(Grounds.STRANGER, f"the key of {box} was revoked")


# The desk at the broker


async def attend(live: Live, credential: Credential, name: str) -> None:
    """Hear what boxes tell and answer, whenever the broker is there; ``name`` is the desk's."""
    from aiomqtt import MqttError, Will  # noqa: PLC0415 – an extra; a desk without a broker starts without

    pause = RETRY_S[0]
    while True:
        topics = live.topics
        gone, here = (msgspec.json.encode(Presence(online=there, name=name)) for there in (False, True))
        try:
            async with credential.client(Will(topics.desk, gone, qos=1, retain=True)) as client:
                await client.subscribe(f"{topics.base}/box/+/+", qos=1)
                await client.publish(topics.desk, here, qos=1, retain=True)
                pause = RETRY_S[0]
                try:
                    await _hear(live, client, topics)
                except asyncio.CancelledError:
                    await client.publish(topics.desk, gone, qos=1, retain=True)
                    raise
        except (MqttError, OSError) as error:
            log.warning("%s: %s", credential.url, error)
        await asyncio.sleep(pause)
        pause = min(2 * pause, RETRY_S[1])


async def _hear(live: Live, client: Client, topics: Topics) -> None:
    """Take in what comes until the broker is gone, or the event is named anew."""
    async for message in client.messages:
        batch = [message]
        while len(client.messages) and len(batch) < BATCH:
            batch.append(await anext(client.messages))
        told = [(str(one.topic), _bytes(one.payload)) for one in batch]
        for topic, answer in await asyncio.to_thread(live.take, told):
            await client.publish(topic, answer, qos=1)
        await asyncio.to_thread(live.settle)
        if live.topics != topics:
            return


def _bytes(payload: object) -> bytes:
    return bytes(payload) if isinstance(payload, bytes | bytearray) else b""


@contextlib.contextmanager
def attending(live: Live, credential: Credential, name: str) -> Iterator[None]:
    """Be at the broker meanwhile, in a thread of its own."""
    loop = asyncio.new_event_loop()
    task = loop.create_task(keep("broker", partial(attend, live, credential, name), lambda _part, _why: None))

    def run() -> None:
        with contextlib.suppress(asyncio.CancelledError):
            loop.run_until_complete(task)

    thread = threading.Thread(target=run, name="broker", daemon=True)
    thread.start()
    try:
        yield
    finally:
        loop.call_soon_threadsafe(task.cancel)
        thread.join(5)
