"""Matches as their boxes tell them over a broker: each record is checked as it comes, and answered.

::

    live = Live(store, keys, vet)
    answers = live.take([(topic, payload), …])      # kept, or nothing of them is; what each box is told
    live.settle()                                   # matches that are over become results, as from a bundle
    live.due()                                      # what boxes are told unasked: judges' words, the round

A message may be lost, come twice, late or in another order, and the desk may begin with nothing: a box is
told how many records of its match are here, and goes on from there. What cannot be believed is refused by
name, until the box, the event's name or the keys are others. A judge's word is told until the records of its
match have it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from device.event.desk import rows
from device.event.desk.grounds import Grounds, HeldMatch, Refused, Vet, check_record, journal_of
from device.event.desk.intake import Intake
from device.event.desk.rounds import running
from device.event.desk.store import DeskStore, StoreError
from device.event.messages import Heard, Kind, Presence, Seated, Sent, Topics, View, Word
from device.event.signing import Trusted, lost
from device.match import SUFFIX, Adjust, Answered, Judged

log = logging.getLogger(__name__)

LARGEST: Final = 1 << 20
"""Bytes of one message at most."""
BEHIND_MS: Final = 10_000
"""A table is out of step once the desk has lacked records for so long."""
AGAIN_MS: Final = 10_000
"""A word that a box does not have in its record by then is told again."""
SEATED_MS: Final = 60_000
"""So is who sits there, whether it was heard or not: the box's clock goes as the desk's does."""

Told = tuple[str, bytes]
"""A topic and what is told there."""


class LiveTable(msgspec.Struct, frozen=True):
    """A box as it was heard of last: whether it is there and since when (ms since 1970), its view, and since
    when the desk has not had the records that the view tells of, None where it has.

    ``start`` is the start of the box that came last, ``others`` are those that told something else; one of
    them that tells more makes the box ``doubled``: two have the same file.
    """

    box: str
    online: bool = False
    since: int = 0
    view: View = View("")
    behind: int | None = None
    start: str = ""
    others: frozenset[str] = frozenset()
    doubled: bool = False


class Live:
    """The tables of an event as they are told; one thread at a time may take messages."""

    def __init__(
        self, store: DeskStore, keys: Callable[[], Mapping[str, Trusted]], vet: Vet, name: str = ""
    ) -> None:
        """Start with no table; ``keys`` is called with each batch, so that a lost box's stop counting when
        revoked. ``name`` is the desk's: while another rules the event it only looks.
        """
        self.store, self._keys, self._vet, self.name = store, keys, vet, name
        self.tables: dict[str, LiveTable] = {}
        self.words: dict[str, Word] = {}
        """By box, what it was told of a judge's and has not answered."""
        self.changes = 0
        """Counts what a page of tables shows and was told over the broker."""
        self._held: dict[str, HeldMatch] = {}
        self._refused: dict[tuple[str, str], Grounds] = {}
        self._calls: dict[str, tuple[str, int]] = {}
        self._under: tuple[str, Mapping[str, Trusted]] = ("", {})
        self._told: dict[tuple[str, type], tuple[object, int]] = {}
        self._mark, self._running = "", running(store)

    @property
    def topics(self) -> Topics:
        """The topics of the event."""
        return Topics.of(self.store.event)

    @property
    def rules(self) -> bool:
        """Return True while no other desk rules the event."""
        return self.store.ruling() in ("", self.name)

    def forget(self) -> None:
        """Read what is kept anew: it was changed, or not kept."""
        for known in (self._held, self._calls, self._refused, self._told):
            known.clear()

    def mark(self) -> str:
        """Return what changes with each change that a page of tables shows."""
        return f"{self.changes} {[*map(len, self.wanting().values())]}"

    def _boxes(self) -> list[LiveTable]:
        return sorted(self.tables.values(), key=lambda one: one.box)

    def _playing(self) -> list[LiveTable]:
        """Return the boxes that are there and have told of a table."""
        return [one for one in self._boxes() if one.online and one.view.table]

    def wanting(self) -> dict[str, list[LiveTable]]:
        """Return the boxes that somebody should look at, by what is the matter: those that were there and
        are not, whose match the desk has not had as they tell it for a while, that tell what is wrong there.
        """
        every, until = self._boxes(), self.store.now_ms - BEHIND_MS
        there = [one for one in every if one.online]
        return {
            "offline": [one for one in every if not one.online],
            "out of step": [one for one in there if one.behind is not None and one.behind <= until],
            "doubled": [one for one in there if one.doubled],
            "undervoltage": [one for one in there if one.view.undervoltage],
            "troubled": [one for one in there if one.view.troubles],
        }

    def playing(self) -> dict[str, View]:
        """Return how it stands at the tables whose boxes are there and play, by table."""
        return {one.view.table: one.view for one in self._playing() if one.view.records}

    def astray(self) -> list[LiveTable]:
        """Return the boxes that play with other people than their table has in any round's plan."""
        planned = dict[tuple[int, str], set[str]]()
        for seat in self.store.seats():
            planned.setdefault((seat.round, seat.table), set()).add(rows.same_name(seat.person))
        plans = [(table, names) for (_, table), names in planned.items()]
        there = [one for one in self._playing() if plans and one.view.records and not one.view.over]
        return [one for one in there if (one.view.table, {*map(rows.same_name, one.view.names)}) not in plans]

    def played(self, one: rows.TableState) -> View:
        """Return what the people of a table play there now, as its box tells; an empty view where nobody
        knows.
        """
        planned = {rows.same_name(seat.person) for seat in one.seats}
        views = [box.view for box in self._boxes() if box.view.table == one.table]
        found = (view for view in views if {*map(rows.same_name, view.names)} == planned)
        return next(found, View(one.table))

    # Messages that come

    def take(self, batch: Iterable[Told]) -> list[Told]:
        """Keep messages, all or none; return what boxes are told. What is none of theirs is left out."""
        topics, answers = self.topics, dict[tuple[str, str], Heard]()
        try:
            keys, rules = self._keys(), self.rules
            with self.store.together():
                for topic, payload in batch:
                    if (of := topics.whose(topic)) and len(payload) <= LARGEST:
                        for heard in self._one(*of, payload, keys, rules=rules):
                            answers[of[0], heard.match] = heard
        except (StoreError, ValueError) as error:
            log.error("what boxes told was not kept: %s", error)
            self.forget()
            return []
        return [(topics.to(box), msgspec.json.encode(heard)) for (box, _), heard in answers.items()]

    def _one(
        self, box: str, kind: Kind, payload: bytes, keys: Mapping[str, Trusted], *, rules: bool
    ) -> list[Heard]:
        """Keep a message; while another desk rules, only see how it is with the box."""
        try:
            match kind:
                case Kind.STATE:
                    self._presence(box, msgspec.json.decode(payload, type=Presence))
                case Kind.VIEW:
                    self._view(box, msgspec.json.decode(payload, type=View), keys, rules=rules)
                case Kind.RECORDS if rules:
                    return [self._records(box, msgspec.json.decode(payload, type=Sent), keys)]
        except msgspec.DecodeError as error:
            log.warning("%s: %s is not understood: %s", box, kind, error)
        return []

    def _presence(self, box: str, told: Presence) -> None:
        before = one = self.tables.get(box, LiveTable(box))
        if not told.online and one.since and (told.start != one.start or one.doubled):  # another goes on
            last = one.start if told.start != one.start else ""
            self._put(msgspec.structs.replace(one, start=last, others=frozenset(), doubled=False))
            return
        if told.online:
            one = self._told_by(one, told.start, came=True)
        if (one.online, one.start) != (told.online, before.start) or not one.since:
            self._refused = {of: why for of, why in self._refused.items() if of[0] != box}
            self._put(msgspec.structs.replace(one, online=told.online, since=self.store.now_ms))
        if told.online:
            self._told = {of: told for of, told in self._told.items() if of[0] != box}

    def _view(self, box: str, view: View, keys: Mapping[str, Trusted], *, rules: bool) -> None:
        its = self._kept(view.match).header.get("table_id", view.table)
        if (view.table != box and not lost(view.table, keys)) or its != view.table:
            if rules and (box, "") not in self._refused:  # its matches are looked at by themselves
                what = view.table[:64] or "no table" if its == view.table else f"the match of {its}"
                self._refuse(box, "", Refused(Grounds.TABLE, f"its view says {what}"))
            return
        one = self._told_by(self.tables.get(box, LiveTable(box)), view.start)
        if rules:
            self._call(box, view)
        self._put(self._seen(msgspec.structs.replace(one, view=view), rules=rules))

    def _told_by(self, one: LiveTable, start: str, *, came: bool = False) -> LiveTable:
        """Return a box of which this start ``came``, or told more; note it once where two are there.

        What the broker kept of a start before comes once, and is no second box.
        """
        if start in ("", one.start):
            return one
        doubled = one.doubled or (one.start != "" and start in one.others)
        if doubled and not one.doubled and self.rules:
            self.store.audit("doubled", f"two boxes tell as {one.box}: both have its file", one.box)
        others, last = (one.others | {one.start}, start) if came else (one.others | {start}, one.start)
        return msgspec.structs.replace(one, start=last, others=others, doubled=doubled)

    def _put(self, one: LiveTable) -> None:
        if self.tables.get(one.box) != one:
            self.tables[one.box] = one
            self.changes += 1

    def _seen(self, one: LiveTable, *, rules: bool = True) -> LiveTable:
        """Return a box with since when the desk lacks what its view tells, None if it has or refuses it."""
        view, there = one.view, len(self._kept(one.view.match).hashes)
        same = view.records in (0, there) or (one.box, view.match) in self._refused or not rules
        return msgspec.structs.replace(one, behind=None if same else one.behind or self.store.now_ms)

    def _call(self, box: str, view: View) -> None:
        """Note a call at the box, or that it was answered there."""
        before, now = self._calls.get(box), (view.match, view.call)
        if before == now:
            return
        self._calls[box] = now
        every = self.store.counting(rows.Call)
        open_one = next((one for one in every if one.who == box and not one.answered), None)
        if not view.call and open_one:
            more = {"said": "at the box", "answered": True}
            self.store.add(msgspec.structs.replace(open_one, **more), box, after=open_one)
        if view.call and not any((one.match, one.record) == now for one in every):
            rounds = [one.round for one in self.store.seats() if one.table == view.table]
            number, said = max(rounds, default=1), view.said
            call = rows.Call(round=number, table=view.table, said=said, match=view.match, record=view.call)
            self.store.add(call, box, after=open_one)
            self.store.audit("call", f"{view.table}: {view.said or 'a judge, please'}", box)

    def _kept(self, match: str) -> HeldMatch:
        if match not in self._held:
            held = self._held[match] = HeldMatch(self.store.every(rows.LiveRecord, match=match))
            results = self.store.every(rows.TableResult, match=match) if held.hashes else []
            known = {tip: seq for seq, tip in enumerate(held.hashes, 1)}
            held.taken = max((known.get(row.tip, 0) for row in results), default=0)
        return self._held[match]

    # Records

    def _records(self, box: str, sent: Sent, keys: Mapping[str, Trusted]) -> Heard:
        """Keep what follows of a match; refuse the match by name where something is wrong."""
        if kind := self._refused.get((box, sent.match)):
            return Heard(sent.match, 0, refused=kind)
        held = self._kept(sent.match)
        held.total = max(held.total, sent.total)
        try:
            for record in sent.records:
                if record.seq > len(held.hashes) + 1:
                    return held.heard(sent.match)
                if not held.lacks(record):
                    continue
                check_record(held, sent, record, box, self.store.event, keys)
                first = [] if held.header else [(0, sent.header, True)]
                for seq, told, is_open in (*first, (record.seq, record, not record.redacted)):
                    line = msgspec.json.encode(told).decode()
                    row = rows.LiveRecord(match=sent.match, seq=seq, open=is_open, line=line, who=box)
                    self.store.add(row, box)
                    held.add(row)
        except Refused as refused:
            self._refuse(box, sent.match, refused)
            return Heard(sent.match, 0, refused=refused.kind)
        if (one := self.tables.get(box)) and one.view.match == sent.match:
            self._put(self._seen(one))
        return held.heard(sent.match)

    def _refuse(self, box: str, match: str, refused: Refused) -> None:
        self._refused[box, match] = refused.kind
        self.store.audit("refused", f"live from {box}: refused: {refused}", box)
        self.changes += 1

    # Results

    def settle(self) -> None:
        """Take in what has come to its end, or to where its box went away, as from a bundle."""
        told = {one.view.match: one for one in self.tables.values()}
        for match, held in sorted(self._held.items()) if self.rules else ():
            whole, one = len(held.hashes), told.get(match)
            if one and one.online:
                ready = one.view.over and whole == one.view.records
            else:
                ready = one is not None or whole >= held.total > 0
            if ready and whole != held.taken:
                held.taken = whole
                if data := journal_of(self.store.every(rows.LiveRecord, match=match)):
                    keys = self._keys()
                    spare = lost(held.header["table_id"], keys)
                    intake = Intake(self.store, keys, self._vet, held.box, spare=spare)
                    intake.take(f"live/{held.box}{SUFFIX}", data)

    # Messages to boxes unasked

    def due(self) -> list[Told]:
        """Return what boxes are told now: that a match is wanted that was refused under other keys or another
        event, the words of judges that are new, or not answered for a while, and who sits at their tables.
        """
        if not self.rules:
            return []
        try:
            under = self.store.event, self._keys()
        except (StoreError, ValueError):
            return []
        again, changed = self._refused, under != self._under
        if changed:
            self._under, self._refused = under, {}
        told = list[tuple[str, Heard | Word | Seated]]()
        told += [(box, self._kept(match).heard(match)) for box, match in again if changed and match]
        if (words := dict(self._open_words())) != self.words:
            self.words = words
            self.changes += 1
        told += [(box, word) for box, word in words.items() if self._is_due(box, word, AGAIN_MS)]
        if (mark := self.store.mark()) != self._mark:
            self._mark, self._running = mark, running(self.store)
        clock, number = self._running.clock, self._running.number
        left = clock.left(self.store.now_ms) if clock and clock.running else None
        for one in self._playing() if number else ():
            seats = Seated(number, one.view.table, self._running.names.get(one.view.table, ()))
            if self._is_due(one.box, (seats, clock), SEATED_MS):
                told.append((one.box, msgspec.structs.replace(seats, left_s=left)))
        return [(self.topics.to(box), msgspec.json.encode(one)) for box, one in told]

    def _is_due(self, box: str, one: object, again_ms: int) -> bool:
        """Return True for what a box was told otherwise last, or a while ago; it is told now."""
        before, at = self._told.get((box, type(one)), (None, 0))
        due = one != before or self.store.now_ms - at >= again_ms
        if due:
            self._told[box, type(one)] = one, self.store.now_ms
        return due

    def _open_words(self) -> Iterator[tuple[str, Word]]:
        """Yield by box the judges' words on its match, the last one last, that its records do not have."""
        played = [(one.box, one.view, self._kept(one.view.match)) for one in self._playing()]
        there = [told for told in played if told[2].header.get("table_id") == told[1].table]
        kinds: tuple[type[rows.JudgesRow], ...] = (rows.Call, rows.DeskRuling, rows.PointsByHand)
        words = [row for kind in kinds for row in self.store.counting(kind) if row.match] if there else []
        for box, view, held in there:
            for row in (row for row in words if row.match == view.match):
                asked = not isinstance(row, rows.Call) or (row.answered and row.record == view.call)
                line = _line(row, view.names) if asked else ""
                if line and rows.word_of(row) not in held.words:
                    yield box, Word(view.match, rows.word_of(row), row.who, line)


def _line(row: rows.JudgesRow, names: Sequence[str]) -> str:
    """Return a judge's word as the box's record is to have it: points by seat where they are of its names,
    nothing where points by hand are of nobody there.
    """
    if isinstance(row, rows.Call):
        return str(Answered(row.said))
    if isinstance(row, rows.PointsByHand):
        seats = [seat for seat, name in enumerate(names) if rows.same_name(name) == rows.same_name(row.name)]
        return str(Adjust(seats[0], row.points, row.reason)) if seats else ""
    given = dict(zip(map(rows.same_name, row.names), row.scores, strict=True))
    points = [str(given[name]) for name in map(rows.same_name, names) if name in given]
    fit = row.ruled is rows.Ways.SCORES and len(points) == len(names) == len(given)
    return str(Judged(":".join(points) if fit else str(row.ruled), row.reason))
