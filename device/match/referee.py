"""The one writer of a match: it judges and records an entry, and only then calls it recorded.

It accepts a step, or refuses it and cites the clause. People's rulings (:mod:`device.match.rulings`) are
recorded like steps; the referee tries everything on the match before it writes a word.

The replay runs ahead of the disk by the groups being written (:attr:`Referee.waiting`), so that nobody waits
for a slow card. If one of them fails, it and all after it are taken back; :class:`Lost` has them. Nothing
here blocks: the writer's thread calls ``wake`` after a write, and the owner of the event loop then calls
:meth:`Referee.poll`.
"""

from __future__ import annotations

import contextlib
import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

import msgspec

from device.match import rulings
from device.match.correction import CannotUndo, Undoable, list_undoable
from device.match.history import RulingError, find_place
from device.match.journal import Journal, JournalError, JournalFull, JournalReadOnly, make_journal_error
from device.match.records import Draft, Kind, Record, Stamp, place_draft
from device.match.replay import Replay
from device.match.rulings import Ruling
from device.texts import said
from engines.contract import SEATS, Decide
from engines.errors import EngineError, Stale

log = logging.getLogger(__name__)

SEEN = "seen"
"""The channel of a report that the box answered with what the table had shown before people went back."""


class Closed(EngineError):
    """Error raised when no entry is accepted: the match was abandoned or stands still, or lost entries are
    unsettled.
    """


class Misfit(EngineError):
    """Error raised when a later line no longer fits after a correction."""


class Entry(msgspec.Struct, frozen=True):
    """A group on its way to the disk. ``number`` is that of its last record once it is there."""

    group: int
    number: int
    drafts: tuple[Draft, ...]
    written: Future[tuple[Record, ...]]


class Lost(msgspec.Struct, frozen=True):
    """Groups that did not reach the disk, oldest first, and the error; they no longer count."""

    why: Exception
    drafts: tuple[tuple[Draft, ...], ...]

    @property
    def title(self) -> str:
        """The key of the text that says they are not saved, or not surely."""
        return "lost.title" if getattr(self.why, "sure", True) else "lost.unsure_title"

    @property
    def reason(self) -> str:
        """The key of the text for the reason, in plain words."""
        whys = {JournalFull: "lost.full", JournalReadOnly: "lost.read_only"}
        return next((key for kind, key in whys.items() if isinstance(self.why, kind)), "lost.other")


class Writer:
    """A thread that appends groups to a journal in the order of submission: no key press waits for a card.

    After a group fails, all later ones fail, too, until :meth:`resume`: they were decided on a position that
    was never recorded. ``stall`` is called before each commit; a test lets it wait like a slow card or raise
    like a full one.
    """

    def __init__(self, journal: Journal, *, stall: Callable[[], None] | None = None) -> None:
        """Start the thread; the caller closes the journal, after the writer."""
        self._journal = journal
        self._stall = stall
        self._failure: Exception | None = None  # the reason to skip later groups
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="journal")

    def submit(self, drafts: Sequence[Draft], stamp: Stamp | None = None) -> Future[tuple[Record, ...]]:
        """Queue a group; the future gives its records once they are on the disk, or the error.

        ``stamp`` is the time when it happened, by default that of writing: a slow card is nobody's thinking
        time.

        The future cannot be cancelled: an accepted group is recorded even if nobody waits for it. Raises
        :class:`JournalError` after :meth:`close`.
        """
        written: Future[tuple[Record, ...]] = Future()
        written.set_running_or_notify_cancel()
        try:
            self._thread.submit(self._write, tuple(drafts), stamp, written)
        except RuntimeError:
            raise JournalError(f"{self._journal.path}: the writer is closed") from None
        return written

    def resume(self) -> None:
        """Write groups submitted from now on; those queued before are still skipped."""
        with contextlib.suppress(RuntimeError):  # closed
            self._thread.submit(self._forgive, self._failure)

    def ask(self, answer: Callable[[], None]) -> None:
        """Have the thread call ``answer`` after the queued groups; a closed writer calls it at once."""
        try:
            self._thread.submit(answer)
        except RuntimeError:
            answer()

    def close(self) -> None:
        """Write the queued groups, then stop the thread; closing twice is harmless."""
        self._thread.shutdown()

    def _forgive(self, failure: Exception | None) -> None:
        if failure is self._failure:
            self._failure = None

    def _write(
        self, drafts: Sequence[Draft], stamp: Stamp | None, written: Future[tuple[Record, ...]]
    ) -> None:
        if self._failure is not None:
            why = f"not recorded, because an earlier entry was not: {self._failure}"
            written.set_exception(JournalError(why))
            return
        try:
            if self._stall is not None:
                self._stall()
            records = self._journal.append(drafts, stamp)
        except Exception as error:
            self._failure = error
            written.set_exception(error)
        else:
            written.set_result(records)


class Referee:
    """One open match: accepted entries, rulings, and the last record on the disk.

    ``replay`` is the match with everything entered so far.
    """

    def __init__(
        self,
        journal: Journal,
        *,
        stamp: Callable[[], Stamp],
        wake: Callable[[], None] = lambda: None,
        on_change: Callable[[], None] = lambda: None,
        stall: Callable[[], None] | None = None,
    ) -> None:
        """Take over an open journal and replay it; raises the errors of a strict replay.

        ``on_change`` is called whenever anything that people may see has changed.
        """
        self.replay = Replay(journal.header, journal.records)
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
    def header(self) -> Mapping[str, str]:
        """The facts that the journal begins with."""
        return self._journal.header

    @property
    def head(self) -> int:
        """The number of the last record, written or waiting; 0 before the first."""
        log = self.replay.log
        return log[-1].seq if log else 0

    @property
    def recorded(self) -> int:
        """The number of the last record that is on the disk."""
        if not self.waiting:
            return self.head
        first = self.waiting[0]
        return first.number - len(first.drafts)

    # Entries

    def step(
        self,
        *texts: str,
        seat: int | None = None,
        head: int | None = None,
        channel: str,
        override: rulings.Override | None = None,
        by: str = "",
        evidence: bytes = b"",
    ) -> Entry:
        """Judge a step, or several in a row, and send them to the disk as one group.

        If one is refused, none is accepted. ``seat`` makes each, None is the asked seat; ``head`` is the last
        record that the author knows. With an ``override`` a step stands although those clauses forbid it;
        ``by`` names the people who agreed (:class:`device.match.rulings.By`). The record keeps only a digest
        of ``evidence``, for example the words from a line. Raises :class:`engines.errors.NotationError`,
        :class:`engines.errors.Impossible` or :class:`Closed`; nothing has changed then.
        """
        self._check_playable(head)
        match = self.replay.match
        length = len(match.steps)
        try:
            waived = override.clauses if override else ()
            steps = [self._judge(text, seat, channel, waived, evidence) for text in texts]
        except EngineError:
            match.cut(length)
            raise
        waiver = [self._draft_ruling(override, channel)] if override else []
        return self._record([*self._draft_agreement(by, channel), *waiver, *steps, *self._end(channel)])

    def check_head(self, head: int | None) -> None:
        """Raise Stale if ``head``, the last record that somebody knows of, is not the last one."""
        if head is None or head == self.head:
            return
        if head > self.head:
            raise Stale(said("stopped.no_record", record=head, last=self.head))
        raise Stale(said("stopped.come_after", record=self.head, head=head))

    def _check_playable(self, head: int | None) -> None:
        """Raise Closed if nothing can be played now, Stale if something came after ``head``."""
        self._check_settled()
        if self.replay.abandoned:
            raise Closed(said("stopped.abandoned"))
        affairs = self.replay.affairs
        if affairs.paused or affairs.call:
            raise Closed(said("stopped.called" if affairs.call else "stopped.paused"))
        self.check_head(head)

    def _judge(
        self, text: str, seat: int | None, channel: str, waived: tuple[str, ...] = (), evidence: bytes = b""
    ) -> Draft:
        """Accept a step and return its draft, or raise its refusal."""
        match = self.replay.match
        asked = match.pending
        read = match.read(text, seat, waived)
        match.add(read)
        return self._draft(
            Kind.STEP if isinstance(asked, Decide) else Kind.REPORT,
            read.step.text,
            channel,
            seat=read.step.seat,
            visibility=f"seat:{SEATS[read.step.seat or 0]}" if read.after.sealed else "public",
            state_digest=self.replay.digest(read.after.state),
            evidence=evidence,
        )

    def _tell_what_was_seen(self) -> None:
        """Answer reports with what the table had shown before people went back."""
        while True:
            choices, whole = self.replay.find_remembered()
            if not whole:
                return
            draft = self._judge(self.replay.game.notation.text(choices), None, SEEN)
            self._send([draft, *self._end(SEEN)])

    def _end(self, channel: str) -> list[Draft]:
        """Return the record of the end if the match is over."""
        termination = self.replay.match.state.termination
        return [self._draft_ruling(rulings.Over(termination), channel)] if termination else []

    def note(
        self,
        text: str,
        *,
        channel: str,
        kind: Kind = Kind.NOTE,
        confidence: float = 1.0,
        evidence: bytes = b"",
    ) -> Entry:
        """Record a remark or a reading that changes nothing in the game; raises :class:`Closed`.

        The record keeps only a digest of ``evidence``, for example a picture.
        """
        self._check_settled()
        ppm = round(confidence * 1_000_000)
        return self._record([self._draft(kind, text, channel, confidence_ppm=ppm, evidence=evidence)])

    def tell(self, seat: int, held: str, *, channel: str, evidence: bytes = b"") -> Entry:
        """Record privately the pieces that ``seat`` holds; raises Malformed if it cannot hold them, or
        :class:`Closed`.

        Nothing that others see or are told ever depends on it.
        """
        self._check_settled()
        self.replay.game.rules.legal_for(self.replay.match.state, seat, held)
        visibility = f"seat:{SEATS[seat]}"
        draft = self._draft(Kind.PRIVATE, held, channel, seat=seat, visibility=visibility, evidence=evidence)
        return self._record([draft])

    # Rulings

    def rule(self, *ruled: Ruling, channel: str, by: str = "") -> Entry:
        """Record rulings as one group, all of them or none; ``by`` names the people who agreed.

        They are tried on the match as it is now. Raises :class:`Closed` if one has nothing to rule on, Stale
        if it names an entry that no longer counts, :class:`Misfit` if a later entry no longer fits.
        """
        self._check_settled()
        for ruling in ruled:
            self._check_applies(ruling)
        try:
            tried = self.replay.try_rulings(ruled)
        except RulingError as error:
            raise Stale(str(error)) from error
        if tried.stuck:
            raise Misfit(f"record {tried.stuck.seq} no longer fits: {tried.error}")
        drafts = [*self._draft_agreement(by, channel), *(self._draft_ruling(one, channel) for one in ruled)]
        after = tried.match.state.termination
        if after and not self.replay.match.state.termination:
            drafts.append(self._draft_ruling(rulings.Over(after), channel))
        return self._record(drafts)

    def _check_applies(self, ruling: Ruling) -> None:
        """Raise if a ruling has nothing to rule on."""
        replay = self.replay
        match ruling:
            case rulings.Pause() if replay.affairs.paused or replay.over:
                raise Closed(said("stopped.still"))
            case rulings.Resume() if not replay.affairs.paused:
                raise Closed(said("stopped.not_paused"))
            case rulings.Answered() if not replay.affairs.call:
                raise Closed(said("stopped.not_called"))
            case rulings.Agree() | rulings.Dispute() if not replay.match.state.termination:
                raise Closed(said("stopped.not_over"))
            case rulings.Rollback(record):
                at = find_place(replay.history, record)
                if at is None or not replay.history[at].play:
                    raise Stale(said("stopped.no_step", record=record))
            case rulings.Amend(record) | rulings.Strike(record) | rulings.Insert(record):
                if find_place(replay.history, record) is None:
                    raise Stale(said("stopped.no_longer", record=record))

    def undo(self, offer: Undoable, *, channel: str) -> Entry:
        """Carry out an offer of :func:`device.match.correction.list_undoable`.

        Raises Stale if something has happened since, :class:`Closed`.
        """
        self._check_settled()
        try:
            still = offer in list_undoable(self.replay)
        except CannotUndo:
            still = False
        if not still:
            raise Stale(said("stopped.stale"))
        return self._record([self._draft_ruling(rulings.Undo(offer.group), channel)])

    # On the way to the disk

    def poll(self) -> None:
        """Take over the results of the writer since the last call; call it after ``wake``."""
        written = False
        while self.waiting and self.waiting[0].written.done():
            entry = self.waiting[0]
            if error := entry.written.exception():
                self._lose(error)
                return
            self.replay.log.settle(entry.written.result())
            self.waiting.popleft()
            written = True
        if written:
            self.replay.follow()
            self._on_change()

    def retry(self) -> None:
        """Send the lost groups to the disk again, in order."""
        lost, self.lost = self.lost, None
        for drafts in lost.drafts if lost else ():
            self._send(drafts)
        self._on_change()

    def forget_lost(self) -> None:
        """Drop the lost groups; people enter them again."""
        self.lost = None
        self._on_change()

    def wait(self, timeout: float | None = None) -> bool:
        """Block until nothing is waiting; return False if ``timeout`` seconds were not enough."""
        wait([entry.written for entry in self.waiting], timeout)
        self.poll()
        return not self.waiting

    def ask_writer(self, answer: Callable[[], None]) -> None:
        """Have the writer's thread call ``answer``, once it has written the waiting groups."""
        self._writer.ask(answer)

    def close(self) -> None:
        """Write the waiting groups and close the journal."""
        self._writer.close()
        self.poll()
        self._journal.close()

    def _record(self, drafts: Sequence[Draft]) -> Entry:
        """Send a group to the disk, and update everything to its result."""
        entry = self._send(drafts)
        self._tell_what_was_seen()
        self._on_change()
        return entry

    def _send(self, drafts: Sequence[Draft]) -> Entry:
        log = self.replay.log
        group = log[-1].group + 1 if log else 1
        stamp = self._stamp()
        size = len(drafts)
        log.extend(
            place_draft(draft, stamp, seq=seq, group=group, group_size=size)
            for seq, draft in enumerate(drafts, self.head + 1)
        )
        self.replay.follow()
        written = self._writer.submit(drafts, stamp)
        entry = Entry(group, self.head, tuple(drafts), written)
        self.waiting.append(entry)
        written.add_done_callback(lambda _: self._wake())
        return entry

    def _lose(self, error: BaseException) -> None:
        """Take back every waiting group: those after a lost one were decided on its result."""
        drafts = tuple(entry.drafts for entry in self.waiting)
        self.replay.log.cut(len(self.replay.log) - sum(map(len, drafts)))
        self.waiting.clear()
        why = error if isinstance(error, Exception) else RuntimeError(str(error))
        if isinstance(why, OSError):
            why = make_journal_error(self._journal.path, why)
        self.lost = Lost(why, drafts)
        log.error("not recorded: %s", why)
        self._writer.resume()
        self.replay.follow()
        self._on_change()

    def _check_settled(self) -> None:
        if self.lost:
            raise Closed(said("stopped.unsettled"))

    def _draft_agreement(self, by: str, channel: str) -> list[Draft]:
        return [self._draft_ruling(rulings.By(by), channel)] if by else []

    def _draft_ruling(self, ruled: Ruling, channel: str) -> Draft:
        return self._draft(Kind.RULING, str(ruled), channel)

    def _draft(self, kind: Kind, payload: str, channel: str, **more: Any) -> Draft:
        simulated = self.replay.header.simulated
        return Draft(kind=kind, payload=payload, channel=channel, simulated=simulated, **more)
