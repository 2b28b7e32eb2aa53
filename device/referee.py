"""The one writer of a match: what comes in is judged, recorded and only then called recorded.

A :class:`Referee` holds one open match. Its state runs ahead of the disk by the groups still being written
(``waiting``), so that nobody waits for a slow card; if one of them fails, it and all after it are taken back
and :class:`Lost` says which.

Nothing here blocks. Whoever owns the event loop passes ``wake``, which is called from the writer's thread
when something was written, and then calls :meth:`Referee.poll` on the loop.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait

import msgspec

from device.journal import Journal
from device.journal_errors import journal_error
from device.journal_writer import Writer
from device.records import Draft, Kind, Record, Stamp, seal
from device.rulings import Abandon, Over, Undo, parse_ruling
from device.story import Story
from engines import notation
from engines.contract import SEATS, Decide
from engines.errors import EngineError, Stale

log = logging.getLogger(__name__)


class CannotUndo(Exception):
    """Undo is refused; ``key`` is a text's key and ``figures`` its blanks."""

    def __init__(self, key: str, **figures: object) -> None:
        """The message is the key, for logs."""
        super().__init__(key)
        self.key = key
        self.figures = figures


class Closed(EngineError):
    """Nothing more is taken: the match was abandoned, or what was lost must be settled first."""


class Entry(msgspec.Struct, frozen=True):
    """A group on its way to the disk. ``number`` is that of its last record once it is there."""

    group: int
    number: int
    drafts: tuple[Draft, ...]
    written: Future[tuple[Record, ...]]


class Lost(msgspec.Struct, frozen=True):
    """Groups that did not reach the disk, oldest first, and why; they no longer count."""

    why: Exception
    drafts: tuple[tuple[Draft, ...], ...]


class Undoable(msgspec.Struct, frozen=True):
    """What an undo would take back: the group, who made it and its notation (empty while it is sealed).

    With ``redo`` the group is itself an undo, and ``text`` is what counts again.
    """

    group: int
    seat: int | None
    text: str
    redo: bool = False


class Referee(Story):
    """One open match and its journal."""

    def __init__(
        self,
        journal: Journal,
        *,
        stamp: Callable[[], Stamp],
        wake: Callable[[], None] = lambda: None,
        on_change: Callable[[], None] = lambda: None,
        stall: Callable[[], None] | None = None,
    ) -> None:
        """Take over an open journal and go to where it stands; raises what a strict replay raises.

        ``on_change`` is called whenever what people may see has changed.
        """
        super().__init__(journal.header, journal.records)
        self.lost: Lost | None = None
        self.waiting: deque[Entry] = deque()
        self._stamp = stamp
        self._wake = wake
        self._on_change = on_change
        self._journal = journal
        self._writer = Writer(journal, stall=stall)

    @property
    def path(self) -> str:
        """The journal's file."""
        return str(self._journal.path)

    @property
    def head(self) -> int:
        """The number of the last record, written or waiting; 0 before the first."""
        return self.log[-1].seq if self.log else 0

    @property
    def recorded(self) -> int:
        """The number of the last record that is on the disk."""
        return self.head - sum(len(entry.drafts) for entry in self.waiting)

    def step(self, text: str, *, seat: int | None = None, head: int | None = None, channel: str) -> Entry:
        """Judge a step and send it to the disk as one group.

        ``seat`` None is whoever is asked; ``head`` is the last record its author knows. Raises
        :class:`engines.errors.NotationError` or :class:`Closed`, and then nothing has changed.
        """
        self._settled()
        if self.abandoned:
            raise Closed("the match was abandoned")
        if head is not None and head != self.head:
            raise Stale(f"record {self.head} has come after record {head}")
        asked = self.match.pending
        read = self.match.read(text, seat)
        kind = Kind.STEP if isinstance(asked, Decide) else Kind.REPORT
        sealed = bool(read.after.sealed)
        visibility = f"seat:{SEATS[read.step.seat or 0]}" if sealed else "public"
        self.match.add(read)
        draft = Draft(
            kind=kind,
            payload=read.step.text,
            seat=read.step.seat,
            channel=channel,
            visibility=visibility,
            state_digest=self.digest(read.after.state),
            simulated=self.header.simulated,
        )
        drafts = [draft]
        if self.match.state.termination:
            drafts.append(self._ruling(Over(self.match.state.termination), channel))
        entry = self._write(drafts)
        self.history.append(self.log[-len(drafts)])
        self._on_change()
        return entry

    def note(self, text: str, *, channel: str, kind: Kind = Kind.NOTE, confidence: float = 1.0) -> Entry:
        """Record a remark or a reading that changes nothing in the game; raises :class:`Closed`."""
        self._settled()
        ppm = round(confidence * 1_000_000)
        draft = Draft(
            kind=kind, payload=text, channel=channel, confidence_ppm=ppm, simulated=self.header.simulated
        )
        entry = self._write([draft])
        self._on_change()
        return entry

    def abandon(self, *, channel: str, reason: str = "") -> Entry:
        """Give the match up; raises :class:`Closed`."""
        self._settled()
        entry = self._write([self._ruling(Abandon(reason), channel)])
        self._on_change()
        return entry

    def undoable(self, seat: int | None = None) -> list[Undoable]:
        """What may be undone now, the usual first: the last step, or the undo just made.

        ``seat`` is the seat a channel is bound to, None for the box that all share. Raises
        :class:`CannotUndo` with the reason when there is nothing.
        """
        if self.abandoned:
            raise CannotUndo("undo.nothing")
        offers: list[Undoable] = []
        refused: CannotUndo | None = None
        try:
            offers.append(self._last_step(seat))
        except CannotUndo as error:
            refused = error
        last = self.log[-1] if self.log else None
        if last and last.kind is Kind.RULING and isinstance(undo := parse_ruling(last.payload), Undo):
            target = next(record for record in self.log if record.group == undo.group)
            # Undoing the undo of an undo is what undoing the step itself comes to, and that is offered.
            if target.kind is not Kind.RULING and (seat is None or target.seat == seat):
                offers.append(Undoable(last.group, target.seat, self.shown(target), redo=True))
        if not offers and refused:
            raise refused
        return offers

    def _last_step(self, seat: int | None) -> Undoable:
        """The last group, if it is a seat's own and has shown nobody anything new."""
        if not self.history:
            raise CannotUndo("undo.nothing")
        record = self.history[-1]
        text = self.shown(record)
        before, after = self.match.points[-2:]
        if record.kind is Kind.REPORT:
            raise CannotUndo("undo.report", text=text)
        if seat is not None and record.seat != seat:
            raise CannotUndo("undo.not_yours", seat=record.seat, text=text or "…")
        if before.sealed and not after.sealed:
            raise CannotUndo("undo.revealed", text=text)
        if not after.sealed:
            choices, _ = notation.read(self.game, before.state, record.payload, record.seat)
            state = before.state
            for choice in choices:
                if self.game.exposes(state, choice):
                    raise CannotUndo("undo.seen", seat=record.seat, text=text)
                state = self.game.apply(state, choice)
        return Undoable(record.group, record.seat, text)

    def undo(self, offer: Undoable, *, channel: str) -> Entry:
        """Carry out what :meth:`undoable` offered; raises Stale if something has happened since."""
        self._settled()
        try:
            still = offer in self.undoable()
        except CannotUndo:
            still = False
        if not still:
            raise Stale("something was entered since")
        entry = self._write([self._ruling(Undo(offer.group), channel)])
        self.follow()
        self._on_change()
        return entry

    def poll(self) -> None:
        """Take note of what the writer has done since the last call; call it after ``wake``."""
        places: dict[int, Record] = {}
        while self.waiting and self.waiting[0].written.done():
            entry = self.waiting[0]
            error = entry.written.exception()
            if error:
                self._lose(error)
                return
            records = entry.written.result()
            start = records[0].seq - 1
            self.log[start : start + len(records)] = records
            self.waiting.popleft()
            places |= {record.seq: record for record in records}
        if places:
            self.history = [places.get(record.seq, record) for record in self.history]
            self._on_change()

    def retry(self) -> None:
        """Send what was lost to the disk again, in its order."""
        lost, self.lost = self.lost, None
        for drafts in lost.drafts if lost else ():
            self._write(drafts)
        self.follow()
        self._on_change()

    def forget_lost(self) -> None:
        """Leave what was lost out; people enter it again."""
        self.lost = None
        self._on_change()

    def wait(self, timeout: float | None = None) -> bool:
        """Block until nothing is waiting; False if ``timeout`` seconds were not enough."""
        wait([entry.written for entry in self.waiting], timeout)
        self.poll()
        return not self.waiting

    def close(self) -> None:
        """Write what waits and close the journal."""
        self._writer.close()
        self.poll()
        self._journal.close()

    def _settled(self) -> None:
        if self.lost:
            raise Closed("an earlier entry was not recorded; people decide on it first")

    def _write(self, drafts: Sequence[Draft]) -> Entry:
        group = self.log[-1].group + 1 if self.log else 1
        stamp = self._stamp()
        for place, draft in enumerate(drafts, self.head + 1):
            provisional = seal(
                draft, stamp, seq=place, group=group, group_size=len(drafts), prev="", salt="-"
            )
            self.log.append(provisional)
        written = self._writer.submit(drafts)
        entry = Entry(group, self.head, tuple(drafts), written)
        self.waiting.append(entry)
        written.add_done_callback(lambda _: self._wake())
        return entry

    def _lose(self, error: BaseException) -> None:
        """Take back every waiting group: what was decided on top of a lost one was decided on nothing."""
        wait([entry.written for entry in self.waiting])
        drafts = tuple(entry.drafts for entry in self.waiting)
        first = self.head - sum(map(len, drafts))
        del self.log[first:]
        self.waiting.clear()
        why = error if isinstance(error, Exception) else RuntimeError(str(error))
        if isinstance(why, OSError):
            why = journal_error(self._journal.path, why)
        earlier = self.lost.drafts if self.lost else ()
        self.lost = Lost(why, earlier + drafts)
        log.error("not recorded: %s", why)
        self._writer.resume()
        self.follow()
        self._on_change()

    def _ruling(self, ruling: Undo | Abandon | Over, channel: str) -> Draft:
        return Draft(kind=Kind.RULING, payload=str(ruling), channel=channel, simulated=self.header.simulated)
