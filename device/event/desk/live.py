"""Matches that boxes send over a broker: the desk checks each record as it comes, and answers.

::

    live = Live(store, keys)
    answers = live.take([(topic, payload), …])      # keeps all or none of them; answers to each box
    live.settle()                                   # turns finished matches into results, as from a bundle
    live.due()                                      # messages unasked: judges' rulings, the round

Messages may get lost, come twice, late or out of order, and the desk may begin with nothing: it tells a box
how many records of its match it has, and the box goes on from there. It refuses what it cannot believe, with
a reason, until the box, the event's name or the keys change. It repeats a judge's ruling until the records
of the match have it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from device.event.desk import rows
from device.event.desk.grounds import Grounds, HeldMatch, NotTaken, check_record, make_journal
from device.event.desk.intake import Intake
from device.event.desk.rounds import find_running_round
from device.event.desk.store import DeskStore, StoreError
from device.event.messages import (
    DeskShare,
    JudgesRuling,
    Presence,
    Seated,
    Sent,
    TableView,
    TopicKind,
    Topics,
)
from device.event.signing import Trusted, is_lost
from device.match import SUFFIX, Adjust, Answered, Judged

log = logging.getLogger(__name__)

LARGEST: Final = 1 << 20
"""The largest message, in bytes."""
BEHIND_MS: Final = 10_000
"""A table is out of step once the desk has lacked records for so long."""
AGAIN_MS: Final = 10_000
"""The desk repeats a ruling that a box does not have in its records by then."""
SEATED_MS: Final = 60_000
"""The desk repeats the seats after this time, heard or not: the box's clock follows the desk's."""

TopicMessage = tuple[str, bytes]
"""A topic and the message on it."""


class LiveTable(msgspec.Struct, frozen=True):
    """The latest news of a box: its presence and the time of that (ms since 1970), its view, and the time
    since when the desk lacks records that the view counts, None if it lacks none.

    ``start`` is the latest start of the box, ``others`` are earlier or rival starts. If one of these sends
    again, the box is ``doubled``: two boxes have the same file.
    """

    box: str
    online: bool = False
    since: int = 0
    view: TableView = TableView("")
    behind: int | None = None
    start: str = ""
    others: frozenset[str] = frozenset()
    doubled: bool = False


class Live:
    """The tables of an event as boxes report them; only one thread at a time may take messages."""

    def __init__(self, store: DeskStore, keys: Callable[[], Mapping[str, Trusted]], name: str = "") -> None:
        """Start with no table. ``keys`` is called with each batch, so that a lost box's key stops counting
        when it is revoked. ``name`` is the desk's own: while another is in charge it only looks.
        """
        self.store, self._keys, self.name = store, keys, name
        self.tables: dict[str, LiveTable] = {}
        self.rulings: dict[str, JudgesRuling] = {}
        """By box, a judge's ruling that was sent to it and that it has not answered."""
        self.changes = 0
        """The number of changes that a page of tables shows and that came over the broker."""
        self._held: dict[str, HeldMatch] = {}
        self._refused: dict[tuple[str, str], Grounds] = {}
        self._calls: dict[str, tuple[str, int]] = {}
        self._under: tuple[str, Mapping[str, Trusted]] = ("", {})
        self._last_sent: dict[tuple[str, type], tuple[object, int]] = {}
        self._mark, self._running = "", find_running_round(store)

    @property
    def topics(self) -> Topics:
        """The topics of the event."""
        return Topics.of(self.store.event)

    @property
    def leads(self) -> bool:
        """True while no other desk is in charge of the event."""
        return self.store.in_charge() in ("", self.name)

    def forget(self) -> None:
        """Read kept rows anew: somebody changed them, or keeping failed."""
        for known in (self._held, self._calls, self._refused, self._last_sent):
            known.clear()

    def mark(self) -> str:
        """Return a text that changes with each change that a page of tables shows."""
        return f"{self.changes} {[*map(len, self.in_trouble().values())]}"

    def _list_boxes(self) -> list[LiveTable]:
        return sorted(self.tables.values(), key=lambda one: one.box)

    def _list_playing(self) -> list[LiveTable]:
        """Return the boxes that are online and have a table."""
        return [one for one in self._list_boxes() if one.online and one.view.table]

    def in_trouble(self) -> dict[str, list[LiveTable]]:
        """Return the boxes that somebody should look at, by trouble: gone offline, out of step for a while,
        two with one file, low voltage, or faults of their own.
        """
        every, until = self._list_boxes(), self.store.now_ms - BEHIND_MS
        there = [one for one in every if one.online]
        return {
            "offline": [one for one in every if not one.online],
            "out of step": [one for one in there if one.behind is not None and one.behind <= until],
            "doubled": [one for one in there if one.doubled],
            "undervoltage": [one for one in there if one.view.undervoltage],
            "troubled": [one for one in there if one.view.troubles],
        }

    def playing(self) -> dict[str, TableView]:
        """Return the views of tables with a match, of boxes that are online, by table."""
        return {one.view.table: one.view for one in self._list_playing() if one.view.records}

    def astray(self) -> list[LiveTable]:
        """Return the boxes that play with other people than any round's plan has for their table."""
        planned = dict[tuple[int, str], set[str]]()
        for seat in self.store.seats():
            planned.setdefault((seat.round, seat.table), set()).add(rows.name_key(seat.person))
        plans = [(table, names) for (_, table), names in planned.items()]
        there = [one for one in self._list_playing() if plans and one.view.records and not one.view.over]
        return [one for one in there if (one.view.table, {*map(rows.name_key, one.view.names)}) not in plans]

    def played(self, one: rows.TableState) -> TableView:
        """Return the match that a table's people play now, by its box's view; an empty view if nobody knows
        it.
        """
        planned = {rows.name_key(seat.person) for seat in one.seats}
        views = [box.view for box in self._list_boxes() if box.view.table == one.table]
        found = (view for view in views if {*map(rows.name_key, view.names)} == planned)
        return next(found, TableView(one.table))

    # Incoming messages

    def take(self, batch: Iterable[TopicMessage]) -> list[TopicMessage]:
        """Keep messages, all or none; return the answers to boxes. Ignore other topics."""
        topics, answers = self.topics, dict[tuple[str, str], DeskShare]()
        try:
            keys, leads = self._keys(), self.leads
            with self.store.transaction():
                for topic, payload in batch:
                    if (of := topics.whose(topic)) and len(payload) <= LARGEST:
                        for heard in self._keep_message(*of, payload, keys, leads=leads):
                            answers[of[0], heard.match] = heard
        except (StoreError, ValueError) as error:
            log.error("what boxes told was not kept: %s", error)
            self.forget()
            return []
        return [(topics.to(box), msgspec.json.encode(heard)) for (box, _), heard in answers.items()]

    def _keep_message(
        self, box: str, kind: TopicKind, payload: bytes, keys: Mapping[str, Trusted], *, leads: bool
    ) -> list[DeskShare]:
        """Keep a message; while another desk is in charge, only note the box's presence and view."""
        try:
            match kind:
                case TopicKind.STATE:
                    self._note_presence(box, msgspec.json.decode(payload, type=Presence))
                case TopicKind.VIEW:
                    self._note_view(box, msgspec.json.decode(payload, type=TableView), keys, leads=leads)
                case TopicKind.RECORDS if leads:
                    return [self._keep_records(box, msgspec.json.decode(payload, type=Sent), keys)]
        except msgspec.DecodeError as error:
            log.warning("%s: %s is not understood: %s", box, kind, error)
        return []

    def _note_presence(self, box: str, presence: Presence) -> None:
        before = one = self.tables.get(box, LiveTable(box))
        rival = one.since and (presence.start != one.start or one.doubled)
        if rival and not presence.online:  # the rival still runs
            last = one.start if presence.start != one.start else ""
            self._put(msgspec.structs.replace(one, start=last, others=frozenset(), doubled=False))
            return
        if presence.online:
            one = self._note_start(one, presence.start, came=True)
        if (one.online, one.start) != (presence.online, before.start) or not one.since:
            self._refused = {of: why for of, why in self._refused.items() if of[0] != box}
            self._put(msgspec.structs.replace(one, online=presence.online, since=self.store.now_ms))
        if presence.online:
            self._last_sent = {to: sent for to, sent in self._last_sent.items() if to[0] != box}

    def _note_view(self, box: str, view: TableView, keys: Mapping[str, Trusted], *, leads: bool) -> None:
        its = self._find_held(view.match).header.get("table_id", view.table)
        if (view.table != box and not is_lost(view.table, keys)) or its != view.table:
            if leads and (box, "") not in self._refused:  # records of its matches are checked on their own
                what = view.table[:64] or "no table" if its == view.table else f"the match of {its}"
                self._refuse(box, "", NotTaken(Grounds.TABLE, f"its view says {what}"))
            return
        one = self._note_start(self.tables.get(box, LiveTable(box)), view.start)
        if leads:
            self._note_call(box, view)
        self._put(self._note_lag(msgspec.structs.replace(one, view=view), leads=leads))

    def _note_start(self, one: LiveTable, start: str, *, came: bool = False) -> LiveTable:
        """Return a box after news from ``start``, which just ``came`` or sent more; note it once if there are
        two.

        A message of an earlier start that the broker kept comes only once, and is no second box.
        """
        if start in ("", one.start):
            return one
        doubled = one.doubled or (one.start != "" and start in one.others)
        if doubled and not one.doubled and self.leads:
            self.store.audit("doubled", f"two boxes send as {one.box}: both have its file", one.box)
        others, last = (one.others | {one.start}, start) if came else (one.others | {start}, one.start)
        return msgspec.structs.replace(one, start=last, others=others, doubled=doubled)

    def _put(self, one: LiveTable) -> None:
        if self.tables.get(one.box) != one:
            self.tables[one.box] = one
            self.changes += 1

    def _note_lag(self, one: LiveTable, *, leads: bool = True) -> LiveTable:
        """Return a box with the time since when the desk lacks records of its view, None if it lacks none.

        It lacks none if it refuses the match, or only looks.
        """
        view, there = one.view, len(self._find_held(one.view.match).hashes)
        same = view.records in (0, there) or (one.box, view.match) in self._refused or not leads
        return msgspec.structs.replace(one, behind=None if same else one.behind or self.store.now_ms)

    def _note_call(self, box: str, view: TableView) -> None:
        """Note a call at the box, or its answer there."""
        before, now = self._calls.get(box), (view.match, view.call)
        if before == now:
            return
        self._calls[box] = now
        every = self.store.current(rows.JudgeCall)
        open_one = next((one for one in every if one.who == box and not one.answered), None)
        if not view.call and open_one:
            more = {"said": "at the box", "answered": True}
            self.store.add(msgspec.structs.replace(open_one, **more), box, after=open_one)
        if view.call and not any((one.match, one.record) == now for one in every):
            rounds = [one.round for one in self.store.seats() if one.table == view.table]
            number, said = max(rounds, default=1), view.said
            call = rows.JudgeCall(
                round=number, table=view.table, said=said, match=view.match, record=view.call
            )
            self.store.add(call, box, after=open_one)
            self.store.audit("call", f"{view.table}: {view.said or 'a judge, please'}", box)

    def _find_held(self, match: str) -> HeldMatch:
        if match not in self._held:
            held = self._held[match] = HeldMatch(self.store.every(rows.LiveRecord, match=match))
            results = self.store.every(rows.TableResult, match=match) if held.hashes else []
            known = {tip: seq for seq, tip in enumerate(held.hashes, 1)}
            held.taken = max((known.get(row.tip, 0) for row in results), default=0)
        return self._held[match]

    # Records

    def _keep_records(self, box: str, sent: Sent, keys: Mapping[str, Trusted]) -> DeskShare:
        """Keep the next records of a match; refuse the match with a reason if something is wrong."""
        if kind := self._refused.get((box, sent.match)):
            return DeskShare(sent.match, 0, refused=kind)
        held = self._find_held(sent.match)
        held.total = max(held.total, sent.total)
        try:
            for record in sent.records:
                if record.seq > len(held.hashes) + 1:
                    return held.heard(sent.match)
                if not held.lacks(record):
                    continue
                check_record(held, sent, record, box, self.store.event, keys)
                first = [] if held.header else [(0, sent.header, True)]
                for seq, kept, is_open in (*first, (record.seq, record, not record.redacted)):
                    line = msgspec.json.encode(kept).decode()
                    row = rows.LiveRecord(match=sent.match, seq=seq, open=is_open, line=line, who=box)
                    self.store.add(row, box)
                    held.add(row)
        except NotTaken as refused:
            self._refuse(box, sent.match, refused)
            return DeskShare(sent.match, 0, refused=refused.kind)
        if (one := self.tables.get(box)) and one.view.match == sent.match:
            self._put(self._note_lag(one))
        return held.heard(sent.match)

    def _refuse(self, box: str, match: str, refused: NotTaken) -> None:
        self._refused[box, match] = refused.kind
        self.store.audit("refused", f"live from {box}: refused: {refused}", box)
        self.changes += 1

    # Results

    def settle(self) -> None:
        """Turn matches that are over, or whose box went away, into results, as from a bundle."""
        tables = {one.view.match: one for one in self.tables.values()}
        for match, held in sorted(self._held.items()) if self.leads else ():
            whole, one = len(held.hashes), tables.get(match)
            if one and one.online:
                ready = one.view.over and whole == one.view.records
            else:
                ready = one is not None or whole >= held.total > 0
            if ready and whole != held.taken:
                held.taken = whole
                if data := make_journal(self.store.every(rows.LiveRecord, match=match)):
                    keys = self._keys()
                    spare = is_lost(held.header["table_id"], keys)
                    intake = Intake(self.store, keys, held.box, spare=spare)
                    intake.take(f"live/{held.box}{SUFFIX}", data)

    # Messages to boxes unasked

    def due(self) -> list[TopicMessage]:
        """Return the messages to send now: requests for matches that were refused under other keys or another
        event, judges' rulings that are new or unanswered for a while, and the seats at the boxes' tables.
        """
        if not self.leads:
            return []
        try:
            under = self.store.event, self._keys()
        except (StoreError, ValueError):
            return []
        again, changed = self._refused, under != self._under
        if changed:
            self._under, self._refused = under, {}
        due = list[tuple[str, DeskShare | JudgesRuling | Seated]]()
        due += [(box, self._find_held(match).heard(match)) for box, match in again if changed and match]
        if (rulings := dict(self._open_rulings())) != self.rulings:
            self.rulings = rulings
            self.changes += 1
        due += [(box, one) for box, one in rulings.items() if self._is_due(box, one, AGAIN_MS)]
        if (mark := self.store.mark()) != self._mark:
            self._mark, self._running = mark, find_running_round(self.store)
        clock, number = self._running.clock, self._running.number
        left = clock.left(self.store.now_ms) if clock and clock.running else None
        for one in self._list_playing() if number else ():
            seats = Seated(number, one.view.table, self._running.names.get(one.view.table, ()))
            if self._is_due(one.box, (seats, clock), SEATED_MS):
                due.append((one.box, msgspec.structs.replace(seats, left_s=left)))
        return [(self.topics.to(box), msgspec.json.encode(one)) for box, one in due]

    def _is_due(self, box: str, one: object, again_ms: int) -> bool:
        """Return True if ``one`` is new to the box, or was sent long enough ago; note it as sent now."""
        before, at = self._last_sent.get((box, type(one)), (None, 0))
        due = one != before or self.store.now_ms - at >= again_ms
        if due:
            self._last_sent[box, type(one)] = one, self.store.now_ms
        return due

    def _open_rulings(self) -> Iterator[tuple[str, JudgesRuling]]:
        """Yield, with their boxes, the judges' rulings on a match that its records lack, the latest last."""
        played = [(one.box, one.view, self._find_held(one.view.match)) for one in self._list_playing()]
        there = [one for one in played if one[2].header.get("table_id") == one[1].table]
        kinds: tuple[type[rows.JudgesRow], ...] = (rows.JudgeCall, rows.DeskRuling, rows.PointsByHand)
        ruled = [row for kind in kinds for row in self.store.current(kind) if row.match] if there else []
        for box, view, held in there:
            for row in (row for row in ruled if row.match == view.match):
                asked = not isinstance(row, rows.JudgeCall) or (row.answered and row.record == view.call)
                line = _write_ruling(row, view.names) if asked else ""
                if line and rows.make_ruling_id(row) not in held.answered:
                    yield box, JudgesRuling(view.match, rows.make_ruling_id(row), row.who, line)


def _write_ruling(row: rows.JudgesRow, names: Sequence[str]) -> str:
    """Return a judge's ruling as a line for the box's log: points by seat if the names fit; empty for points
    by hand if nobody there has the name.
    """
    if isinstance(row, rows.JudgeCall):
        return str(Answered(row.said))
    if isinstance(row, rows.PointsByHand):
        seats = [seat for seat, name in enumerate(names) if rows.name_key(name) == rows.name_key(row.name)]
        return str(Adjust(seats[0], row.points, row.reason)) if seats else ""
    given = dict(zip(map(rows.name_key, row.names), row.scores, strict=True))
    points = [str(given[name]) for name in map(rows.name_key, names) if name in given]
    fit = row.ruled is rows.RulingKind.SCORES and len(points) == len(names) == len(given)
    return str(Judged(":".join(points) if fit else str(row.ruled), row.reason))
