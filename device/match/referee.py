"""The one writer of a match: what comes in is judged, recorded and only then called recorded.

A step is let in or refused with its clause; what people rule on top of that (:mod:`device.match.rulings`) is
recorded like a step, and all of it is tried on the match before a word is written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from device.match.history import RulingError, place, ruling
from device.match.ledger import Entry, Ledger
from device.match.records import Draft, Kind
from device.match.replay import Tried
from device.match.rulings import (
    Abandon,
    Adjust,
    Agree,
    Answered,
    By,
    Call,
    Dispute,
    Edit,
    Over,
    Override,
    Pause,
    Resume,
    Rollback,
    Ruling,
    Undo,
)
from engines.contract import SEATS, Decide
from engines.errors import EngineError, Stale

SEEN = "seen"
"""The channel of a report that was answered from what the table had shown before people went back."""


class CannotUndo(Exception):
    """Undo is refused; ``key`` is a text's key and ``figures`` its blanks."""

    def __init__(self, key: str, **figures: object) -> None:
        """The message is the key, for logs."""
        super().__init__(key)
        self.key = key
        self.figures = figures


class Closed(EngineError):
    """Nothing is taken now: the match was abandoned or stands still, or what was lost must be settled."""


class Misfit(EngineError):
    """A correction cannot be made as it is: ``tried.stuck`` no longer fits after it."""

    def __init__(self, tried: Tried) -> None:
        """``tried`` is how far it went."""
        line = tried.stuck
        super().__init__(f"record {line.seq if line else 0} no longer fits: {tried.error}")
        self.tried = tried


class Undoable(msgspec.Struct, frozen=True):
    """What an undo would take back: the group, who made it and its notation (empty while it is sealed).

    With ``redo`` the group is itself an undo, and ``text`` is what counts again; with ``ruling`` it is what
    people ruled last, and ``text`` the ruling's line.
    """

    group: int
    seat: int | None
    text: str
    redo: bool = False
    ruling: bool = False


class Referee(Ledger):
    """One open match: what is let in, and what people rule."""

    def step(
        self,
        text: str,
        *,
        seat: int | None = None,
        head: int | None = None,
        channel: str,
        override: Override | None = None,
        by: str = "",
    ) -> Entry:
        """Judge a step and send it to the disk as one group.

        ``seat`` None is whoever is asked; ``head`` is the last record its author knows. With an ``override``
        the step stands although its clauses forbid it; ``by`` says who agreed
        (:class:`device.match.rulings.By`). Raises :class:`engines.errors.NotationError`,
        :class:`engines.errors.Impossible` or :class:`Closed`, and then nothing has changed.
        """
        self._open(head)
        read = self._judge(text, seat, override.clauses if override else ())
        waiver = [self._ruling(override, channel)] if override else []
        entry = self._write([*self._agreed(by, channel), *waiver, read(channel), *self._end(channel)])
        self._tell_what_was_seen()
        self._on_change()
        return entry

    def steps(
        self, texts: Sequence[str], *, seat: int | None = None, head: int | None = None, channel: str
    ) -> Entry:
        """Several steps, one after the other, as one group: all of them or, if one is refused, none.

        ``seat`` is who makes each, None whoever is asked. Raises as :meth:`step`.
        """
        self._open(head)
        length = len(self.match.steps)
        try:
            drafts = [self._judge(text, seat)(channel) for text in texts]
        except EngineError:
            self.match.cut(length)
            raise
        entry = self._write([*drafts, *self._end(channel)])
        self._tell_what_was_seen()
        self._on_change()
        return entry

    def _open(self, head: int | None) -> None:
        """Raise where nothing can be played now, or something came after ``head``."""
        self._settled()
        if self.abandoned:
            raise Closed("the match was abandoned")
        if self.affairs.paused or self.affairs.call:
            why = "a judge is called" if self.affairs.call else "paused"
            raise Closed(f"the match stands still: {why}")
        if head is not None and head != self.head:
            raise Stale(f"record {self.head} has come after record {head}")

    def _judge(self, text: str, seat: int | None, waived: tuple[str, ...] = ()) -> Callable[[str], Draft]:
        """Let a step in or refuse it; what makes its draft, by the channel it came from."""
        asked = self.match.pending
        read = self.match.read(text, seat, waived)
        self.match.add(read)
        visibility = f"seat:{SEATS[read.step.seat or 0]}" if read.after.sealed else "public"
        return lambda channel: Draft(
            kind=Kind.STEP if isinstance(asked, Decide) else Kind.REPORT,
            payload=read.step.text,
            seat=read.step.seat,
            channel=channel,
            visibility=visibility,
            state_digest=self.digest(read.after.state),
            simulated=self.header.simulated,
        )

    def _tell_what_was_seen(self) -> None:
        """Answer for the table what it has shown before people went back."""
        while True:
            choices, whole = self.remembered()
            if not whole:
                return
            draft = self._judge(self.game.text(choices), None)(SEEN)
            self._write([draft, *self._end(SEEN)])

    def _end(self, channel: str) -> list[Draft]:
        """The record of the end, where the match has come to it."""
        termination = self.match.state.termination
        return [self._ruling(Over(termination), channel)] if termination else []

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

        Of ``evidence``, a picture for example, the record keeps a digest only.
        """
        self._settled()
        draft = Draft(
            kind=kind,
            payload=text,
            channel=channel,
            confidence_ppm=round(confidence * 1_000_000),
            evidence=evidence,
            simulated=self.header.simulated,
        )
        return self._record([draft])

    def tell(self, seat: int, held: str, *, channel: str) -> Entry:
        """Record in private what ``seat`` holds; raises Malformed where that cannot be, or :class:`Closed`.

        Nothing that others see or are told ever depends on it.
        """
        self._settled()
        self.game.legal_for(self.match.state, seat, held)
        draft = Draft(
            kind=Kind.PRIVATE,
            payload=held,
            seat=seat,
            channel=channel,
            visibility=f"seat:{SEATS[seat]}",
            simulated=self.header.simulated,
        )
        return self._record([draft])

    # What people rule

    def abandon(self, *, channel: str, reason: str = "") -> Entry:
        """Give the match up; raises :class:`Closed`."""
        return self._rule([Abandon(reason)], channel)

    def pause(self, *, channel: str) -> Entry:
        """Stop the match and its clocks; raises :class:`Closed`, also where it stands still already."""
        if self.affairs.paused or self.over:
            raise Closed("the match stands still already")
        return self._rule([Pause()], channel)

    def resume(self, *, channel: str) -> Entry:
        """Go on after a pause; raises :class:`Closed` where there is none."""
        if not self.affairs.paused:
            raise Closed("the match is not paused")
        return self._rule([Resume()], channel)

    def call(self, reason: str = "", *, channel: str) -> Entry:
        """Ask for a judge: the match stops until :meth:`answered`. Raises :class:`Closed`.

        A second call before that only adds its reason to the record.
        """
        return self._rule([Call(reason)], channel)

    def answered(self, *, channel: str, by: str = "") -> Entry:
        """The call is settled; raises :class:`Closed` where nobody called."""
        if not self.affairs.call:
            raise Closed("no judge was called")
        return self._rule([Answered()], channel, by)

    def rollback(self, seq: int, *, channel: str, by: str) -> Entry:
        """Go back to before record ``seq``; what the table has shown since stays seen.

        Raises Stale where no step or report of that number counts, and :class:`Closed`.
        """
        at = place(self.history, seq)
        if at is None or not self.history[at].play:
            raise Stale(f"record {seq} is no step or report that counts")
        return self._rule([Rollback(seq)], channel, by)

    def adjust(self, seat: int, points: int, reason: str, *, channel: str, by: str) -> Entry:
        """Give ``points``, or take them where below 0; raises :class:`Closed`."""
        return self._rule([Adjust(seat, points, reason)], channel, by)

    def correct(self, edits: Sequence[Edit | Override], *, channel: str, by: str) -> Entry:
        """Correct entries that were wrong, all of ``edits`` or none.

        They are tried on the match as it stands now, whatever has happened since they were drafted. Raises
        :class:`Misfit` where a later entry no longer fits, Stale where one of them is not there any more,
        and :class:`Closed`.
        """
        try:
            tried = self.tried(edits)
        except RulingError as error:
            raise Stale(str(error)) from error
        counted = {line.seq for line in self.history}
        gone = [one.record for one in edits if not isinstance(one, Override) and one.record not in counted]
        if gone:
            raise Stale(f"record {gone[0]} no longer counts")
        if tried.stuck:
            raise Misfit(tried)
        return self._rule(edits, channel, by)

    def agree(self, seat: int, *, channel: str) -> Entry:
        """``seat`` confirms the final score; raises :class:`Closed` before the end."""
        return self._view(Agree(seat), channel)

    def dispute(self, seat: int, points: Sequence[int], *, channel: str) -> Entry:
        """``seat`` counts other ``points``, by seat: both views stand. Raises as :meth:`agree`."""
        return self._view(Dispute(seat, tuple(points)), channel)

    def _view(self, view: Agree | Dispute, channel: str) -> Entry:
        if not self.match.state.termination:
            raise Closed("the match is not over")
        return self._rule([view], channel)

    def _rule(self, rulings: Sequence[Ruling], channel: str, by: str = "") -> Entry:
        self._settled()
        drafts = [*self._agreed(by, channel), *(self._ruling(one, channel) for one in rulings)]
        ended = bool(self.match.state.termination)
        after = self.tried(rulings).match.state.termination
        if after and not ended:
            drafts.append(self._ruling(Over(after), channel))
        return self._record(drafts)

    def _record(self, drafts: Sequence[Draft]) -> Entry:
        """Write a group that is no step, and bring everything to what it leads to."""
        entry = self._write(drafts)
        if any(draft.kind is Kind.RULING for draft in drafts):
            self._tell_what_was_seen()
        self._on_change()
        return entry

    def _agreed(self, by: str, channel: str) -> list[Draft]:
        return [self._ruling(By(by), channel)] if by else []

    # Undo

    def undoable(self, seat: int | None = None) -> list[Undoable]:
        """What may be undone now, the usual first: the last step, or what was ruled just now.

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
        offers += self._last_ruling(seat)
        if not offers and refused:
            raise refused
        return offers

    def _last_ruling(self, seat: int | None) -> list[Undoable]:
        """The undo of a step, or the correction, rollback or adjustment that was recorded last."""
        group = [record for record in self.log if record.group == self.log[-1].group] if self.log else []
        rulings = [ruling(record) for record in group if record.kind is Kind.RULING]
        if len(rulings) < len(group) or not rulings:
            return []
        undo = rulings[-1]
        if isinstance(undo, Undo):
            undone = [record for record in self.log if record.group == undo.group]
            target = next((record for record in undone if record.kind is not Kind.RULING), undone[0])
            # Undoing the undo of an undo is what undoing the step itself comes to, and that is offered.
            if target.kind is Kind.RULING or seat not in (None, target.seat):
                return []
            return [Undoable(group[0].group, target.seat, self.shown(target), redo=True)]
        if seat is None and any(isinstance(one, Rollback | Edit | Adjust) for one in rulings):
            texts = [str(one) for one in rulings if isinstance(one, Rollback | Edit | Adjust)]
            return [Undoable(group[0].group, None, ", ".join(texts), ruling=True)]
        return []

    def _last_step(self, seat: int | None) -> Undoable:
        """The last group, if it is a seat's own and has shown nobody anything new."""
        played = [at for at, line in enumerate(self.history) if line.play]
        if not played:
            raise CannotUndo("undo.nothing")
        last = self.history[played[-1]]
        group = [at for at in played if self.history[at].record.group == last.record.group]
        text = ", ".join(self.shown(self.history[at]) for at in group)
        for at in group:
            line, before, after = self.history[at], *self.match.points[at : at + 2]
            if line.record.kind is Kind.REPORT:
                raise CannotUndo("undo.report", text=text)
            if line.ruled:
                raise CannotUndo("undo.corrected", text=text)
            if seat is not None and line.seat != seat:
                raise CannotUndo("undo.not_yours", seat=line.seat, text=text or "…")
            if before.sealed and not after.sealed:
                raise CannotUndo("undo.revealed", text=text)
            if self.exposed(at):
                raise CannotUndo("undo.seen", seat=line.seat, text=text)
        return Undoable(last.record.group, last.seat, text)

    def undo(self, offer: Undoable, *, channel: str) -> Entry:
        """Carry out what :meth:`undoable` offered; raises Stale if something has happened since."""
        self._settled()
        try:
            still = offer in self.undoable()
        except CannotUndo:
            still = False
        if not still:
            raise Stale("something was entered since")
        return self._record([self._ruling(Undo(offer.group), channel)])

    def _settled(self) -> None:
        if self.lost:
            raise Closed("an earlier entry was not recorded; people decide on it first")

    def _ruling(self, ruled: Ruling, channel: str) -> Draft:
        return Draft(kind=Kind.RULING, payload=str(ruled), channel=channel, simulated=self.header.simulated)
