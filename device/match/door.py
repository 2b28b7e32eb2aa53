"""The one door to the match: every source opens, steps, reads, tells, rules and undoes here.

Its users are the keys' menus, the page, the line, the camera and the terminal. It applies once the rules that
hold for all of them: who must confirm an entry before it counts (:class:`device.settings.Confirm`), which
seat a source may act for, and the origin that a record names::

    door = MatchDoor(library, confirm)
    door.people = box
    door.step("B 5-7", source=KEYS)
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NoReturn, Protocol

import msgspec

from device.match.correction import Undoable
from device.match.history import find_place
from device.match.library import Library
from device.match.records import Kind, Record
from device.match.referee import Closed, Entry, Referee
from device.match.replay import Header, Replay
from device.match.rulings import Amend, Override, Ruling
from device.match.standings import Archive
from device.settings import Confirm, Entries, Policy
from device.texts import Said, Why, said
from engines import bags
from engines.board import Board
from engines.contract import (
    SEATS,
    Choice,
    Decide,
    Exact,
    Interpretation,
    Multiset,
    OutOfStep,
    Printed,
    Report,
    Several,
)
from engines.errors import EngineError, Stale
from engines.readings import Observation, believed, read, written

Troubles = tuple[Why, ...]
"""Keys of texts, with their figures."""

SURE = 0.95
"""The chance of one meaning that makes a reading sure, 0 to 1."""


class Source(msgspec.Struct, frozen=True):
    """The origin of an entry.

    ``channel`` is the origin in the record: ``keys``, ``page``, ``line:keypad-1#17`` or ``camera:board``. Its
    first word chooses the confirmation policy. ``seat`` is the seat that the source is bound to, None for a
    shared source. ``voices`` maps the seats that other nodes speak for to the names of those nodes; the
    source acts for none of them. ``name`` is the same for every entry: the source alone gets back what it
    told. ``said`` is the entry word for word; the record keeps a digest of it. If the source ``asks``, its
    entries count only after a yes at the box, whatever the policy.
    """

    channel: str
    seat: int | None = None
    voices: Mapping[int, str] = {}
    name: str = ""
    said: bytes = b""
    asks: bool = False

    @property
    def kind(self) -> str:
        """The first word of the channel."""
        return self.channel.partition(":")[0]


KEYS = Source("keys")
"""The box's own keys, which all share."""

PAGE = "page"
"""The channel of the page in the browser, which all share like the keys."""


class Unconfirmed(msgspec.Struct, frozen=True):
    """An entry that waits for a yes: its notation, its seat, the people to ask, and the function to record
    it.

    An entry that is no step has no notation; ``says`` tells its effect in words. It must not be recorded once
    the match has ``moved_on``.
    """

    text: str
    seat: int | None
    policy: Policy
    record: Callable[[], object]
    says: str = ""
    moved_on: Callable[[], bool] = lambda: False


class Unclear(msgspec.Struct, frozen=True):
    """A question that a sensor leaves to people: which of several boards is right about one ``cell``, with
    the meaning of each.
    """

    cell: str
    answers: tuple[tuple[Board, Interpretation], ...]


class Proposal(msgspec.Struct, frozen=True):
    """A reading shown to people: its meaning, its sensor's confidence (0 to 1), and its channel.

    If the sensor has a question of its own, ``asked``, the answer gives the meaning. With ``ask`` people are
    asked at any confidence. ``what`` is the subject: a sight, whose board people see (the game's first for an
    empty name), or the question to the table. ``why`` are the sensor's reasons to doubt it; ``crop`` is a PNG
    of what it saw there, or empty.
    """

    meaning: Interpretation
    confidence: float
    channel: str
    asked: Unclear | None = None
    ask: bool = False
    what: str = ""
    why: Troubles = ()
    crop: bytes = b""


class People(Protocol):
    """The people at the table, whom the door can show and ask things."""

    def play(self, referee: Referee) -> None:
        """Show a match that was opened."""

    def ask_to_sit(self, names: Sequence[str], open_match: Callable[[], object]) -> bool:
        """Ask at an event whether this is the table of the players ``names``, and call ``open_match`` after a
        yes. Elsewhere ask nothing and return False.
        """

    def confirm(self, waiting: Unconfirmed) -> None:
        """Ask whether an entry is right."""

    def propose(self, proposal: Proposal) -> None:
        """Show people a reading, by :meth:`MatchDoor.find_policy`."""

    def overrule(self, tokens: Sequence[str], clause: str, source: Source) -> None:
        """Ask whether the last of ``tokens``, the start of a step, stands although ``clause`` forbids it."""


class Busy(Closed):
    """Error raised when another match is being played."""


class Held(EngineError):
    """Notice raised when people are asked about the entry, which counts after their yes."""


class NotYours(EngineError):
    """Error raised when the source may not act for that seat."""


class MatchDoor:
    """The door to the open match; the user interface sets ``people``."""

    def __init__(self, library: Library, confirm: Confirm | None = None) -> None:
        """Open the door; ``confirm`` says who must confirm an entry, by its source: nobody by default."""
        self.library = library
        self.confirm = confirm or Confirm()
        self.people: People | None = None
        self.archive = Archive()
        self.answers = 0
        """The number of times people answered a sensor that the table agrees with the match."""
        self._tellings: dict[int, tuple[Referee, int, str]] = {}

    @property
    def referee(self) -> Referee:
        """The open match; raises :class:`device.match.referee.Closed` if none is."""
        if self.library.referee is None:
            raise Closed(said("stopped.no_match"))
        return self.library.referee

    def open(self, header: Header, *, source: Source) -> Referee:
        """Open a match and show it; sources other than the keys may only while no match is being played.

        If a match with this header is already open and has no record yet, return it. Raises :class:`Busy`,
        and the errors of :meth:`device.match.library.Library.open_match`; nothing has changed then.
        """
        before = self.library.referee
        if source.kind != KEYS.kind and before:
            if not before.head and before.replay.header.asked == header:
                return before
            if not before.replay.over:
                players = " – ".join(before.replay.names)
                raise Busy(f"{players} is being played; people can abandon it at the box")
        referee = self.library.open_match(header)
        if self.people:
            self.people.play(referee)
        return referee

    def ask_to_sit(self, header: Header, open_match: Callable[[], object]) -> None:
        """Ask people at an event if this is their table, before a match from elsewhere opens; raises
        :class:`Held` if it asked. Does nothing while a match is being played.
        """
        playing = self.library.referee and not self.library.referee.replay.over
        if self.people and not playing and self.people.ask_to_sit(header.names, open_match):
            raise Held(said("stopped.held"))

    # Steps, and who must confirm them

    def step(
        self,
        *texts: str,
        source: Source,
        seat: int | None = None,
        head: int | None = None,
        override: Override | None = None,
        by: str = "",
        confirmed: bool = False,
    ) -> Entry:
        """Enter a step, or several as one group; see :meth:`device.match.referee.Referee.step`.

        ``confirmed`` means that people have already said yes, as they have to an ``override`` and must have
        to a group. Raises :class:`Held` if people are asked first, :class:`NotYours`, ValueError for an
        unconfirmed group that people must confirm, and the errors of the referee.
        """
        referee = self.referee
        seat = self.find_actor(source, seat)
        policy = "auto" if confirmed or override else self._find_step_policy(referee, source)
        if policy != "auto":
            referee.check_head(head)
            if len(texts) > 1:
                raise ValueError("people are asked about one step at a time")
            self._ask_about(texts[0], policy, source, seat)
        replay = referee.replay
        state = replay.match.state
        entry = referee.step(
            *texts,
            seat=seat,
            head=head,
            channel=source.channel,
            override=override,
            by=by,
            evidence=source.said,
        )
        self._learn(replay, state, texts[0])
        if added := replay.game.rules.extends(state, replay.match.state):
            self.library.copies.extend(replay.header.game, *added, sample=replay.header.sample)
        return entry

    def _find_step_policy(self, referee: Referee, source: Source) -> Policy:
        """Return who must confirm a step from ``source`` now.

        It needs no confirmation if a seat chooses unseen by others, or if the match takes no step; the
        referee then says why.
        """
        replay = referee.replay
        # `match.pending` may name only the last of several seats that choose unseen; `question` names all.
        asked = replay.match.question
        sealed = source.seat is not None and isinstance(asked, Decide) and len(asked.seats) > 1
        if sealed or referee.lost or replay.over or replay.affairs.paused or replay.affairs.call:
            return "auto"
        confirm = self.confirm
        by_kind = {"keys": confirm.keys, "line": confirm.line, "page": confirm.page}
        policy = by_kind.get(source.kind, Entries()).of(0 if isinstance(asked, Decide) else None)
        return "ask" if source.asks and policy == "auto" else policy

    def _ask_about(self, text: str, policy: Policy, source: Source, seat: int | None) -> NoReturn:
        """Ask people about a legal step, and record it after a yes; raises :class:`Held`."""
        step = self.referee.replay.match.read(text, seat).step
        record = partial(self.step, text, source=source, seat=seat, confirmed=True)
        self.ask_people(Unconfirmed(step.text, step.seat, policy, record, moved_on=self._watch_match()))

    def ask_people(self, waiting: Unconfirmed) -> NoReturn:
        """Ask people about an entry that counts only after their yes; raises :class:`Held`."""
        if self.people:
            self.people.confirm(waiting)
        raise Held(said("stopped.held"))

    def ask_to_overrule(self, *tokens: str, clause: str, says: str, source: Source) -> NoReturn:
        """Ask people whether a step stands whose last token ``clause`` forbids; raises :class:`Held`.

        ``says`` is the question in words. After a yes the box goes on as if the keys had overruled a refusal.
        """

        def overrule() -> None:
            if self.people:
                self.people.overrule(tokens, clause, source)

        self.ask_people(Unconfirmed("", source.seat, "ask", overrule, says, self._watch_match()))

    def _watch_match(self) -> Callable[[], bool]:
        """Return a function that tells if a play was entered or taken back after this moment, or the match
        was abandoned.
        """
        replay = self.referee.replay
        at = replay.match.points[-1]
        return lambda: replay.abandoned or replay.match.points[-1] is not at

    # The seats of a source

    def find_actor(self, source: Source, seat: int | None = None) -> int | None:
        """Return the seat that ``source`` acts for if it names ``seat``; None is the asked seat.

        Raises :class:`NotYours` for a seat other than its own, or one that another node speaks for.
        """
        if source.seat is not None and seat not in (None, source.seat):
            raise NotYours(said("stopped.other_seat", own=SEATS[source.seat], seat=SEATS[seat or 0]))
        actor = source.seat if seat is None else seat
        seats = self._list_asked_seats() if actor is None else (actor,)
        if voice := self._find_other_voice(source, seats):
            raise NotYours(voice)
        return actor

    def _list_asked_seats(self) -> tuple[int, ...]:
        pending = self.referee.replay.match.pending
        return pending.seats if isinstance(pending, Decide) else ()

    def _find_other_voice(self, source: Source, seats: tuple[int, ...]) -> Said | None:
        """Return a text naming the other node that speaks for one of ``seats``, or None."""
        taken = next((seat for seat in seats if seat in source.voices), None)
        return None if taken is None else said("status.voice", node=source.voices[taken], seat=SEATS[taken])

    # Readings

    async def observe(
        self,
        seen: Observation,
        *,
        source: Source,
        meaning: Interpretation | None = None,
        asked: Unclear | None = None,
        evidence: bytes = b"",
        why: Troubles = (),
        crop: bytes = b"",
    ) -> int:
        """Record a sensor's observation and show it to people; return the record's number, once it is on the
        disk.

        ``meaning`` is its meaning now, if the sensor has computed it. The record keeps a digest of
        ``evidence``, a picture. Raises EngineError for a reading that is not accepted, JournalError.
        """
        referee, replay = self.referee, self.referee.replay
        if replay.over:
            raise Stale(said("stopped.over"))
        ordered = tuple(sorted(seen.candidates, key=lambda candidate: candidate[1], reverse=True))
        seen, at = Observation(seen.what, ordered), replay.match.points[-1]
        if meaning is None:
            believed(replay.game, replay.match.state, seen)
        # A bare number does not ask people if a fuller reading came since the last step: see `counted`.
        bare = bool(seen.totals) and any(not one.totals for one in self._list_observed(seen.what))
        entry = referee.note(
            written(seen),
            channel=source.channel,
            kind=Kind.READING,
            confidence=ordered[0][1],
            evidence=evidence or source.said,
        )
        number = (await wait_written(entry))[-1].seq
        plays_on = self.library.referee is referee and not replay.over
        if plays_on and not bare and (now := self._interpret(seen, meaning, at)):
            meaning, confidence, ask = now
            ask = ask or bool(self._find_other_voice(source, self._list_asked_seats()))
            self.propose(Proposal(meaning, confidence, source.channel, asked, ask, seen.what, why, crop))
        return number

    def _interpret(
        self, seen: Observation, meaning: Interpretation | None, at: object
    ) -> tuple[Interpretation, float, bool] | None:
        """Return what a recorded reading means now, its confidence, and True if people are asked at any
        confidence; None if it is out of date.

        ``meaning`` is the sensor's own, computed for the point ``at`` of the match.
        """
        match = self.referee.replay.match
        if meaning is not None:
            return (meaning, seen.candidates[0][1], False) if match.points[-1] is at else None
        try:
            meaning, confidence = believed(match.game, match.state, seen)
        except EngineError:
            return None  # its question is no longer asked
        # While a seat chooses, people are asked about a bare number, however sure it is.
        ask = bool(seen.totals) and isinstance(match.pending, Decide)
        if ask and isinstance(meaning, OutOfStep) and self._shows_last_layout(seen):
            meaning = Exact(())  # hands are only slower than keys
        return meaning, confidence, ask

    def _shows_last_layout(self, seen: Observation) -> bool:
        """Return True if the table shows the layout before the last entry: hands may follow keys."""
        match = self.referee.replay.match
        sight = match.game.in_sight(match.state)[seen.what]
        now = sight.of(match.state)
        layouts = (sight.of(point.state) for point in reversed(match.points))
        before = next((layout for layout in layouts if layout != now), now)
        return not sight.differences(sight.read(seen.candidates[0][0]), before)

    def propose(self, proposal: Proposal) -> None:
        """Show people a reading; one that finds the table unchanged withdraws an earlier question."""
        if self.people:
            self.people.propose(proposal)

    def find_policy(self, proposal: Proposal) -> Policy:
        """Return who must confirm a reading."""
        return self.confirm.readings.sure if self.is_sure(proposal) else self.confirm.readings.unsure

    def is_sure(self, proposal: Proposal) -> bool:
        """Return True if a reading is hardly in doubt and may count unasked."""
        meaning, chance = proposal.meaning, 0.0
        if isinstance(meaning, Exact):
            chance = proposal.confidence
        elif isinstance(meaning, Several):
            chance = max(meaning.chances, default=0.0)
        return chance >= SURE and not proposal.ask and not proposal.why

    @property
    def counted(self) -> Mapping[int, float]:
        """The chance of each number of things, if the table is asked about them: the last bare number read
        since the last step. Empty if nobody counted.
        """
        referee = self.library.referee
        pending = referee.replay.match.pending if referee else None
        if not isinstance(pending, Report):
            return {}
        return next((one.totals for one in self._list_observed(pending.question) if one.totals), {})

    def find_miscount(self, choice: Choice) -> tuple[int, int] | None:
        """Return the number that is hardly in doubt, and the other number that ``choice`` counts.

        None if they are the same, or if there is no such number.
        """
        sure = [number for number, chance in self.counted.items() if chance >= SURE]
        asked = self.referee.replay.match.pending
        domain = asked.domain if isinstance(asked, Report) and asked.question == choice.question else None
        if not sure or not isinstance(domain, Multiset):
            return None
        entered = bags.total(domain.read(choice.token))
        return None if entered == sure[0] else (sure[0], entered)

    def _list_observed(self, what: str) -> Iterator[Observation]:
        """Return the observations of ``what`` since the last step, the latest first."""
        log = self.referee.replay.log
        since = next((record.seq for record in reversed(log) if record.changes), 0)
        return (read(record.payload) for record in log.list_readings(what, since))

    # Hidden pieces, rulings and remarks

    def tell(self, held: str, *, source: Source) -> Entry:
        """Record privately the pieces that the seat of ``source`` holds.

        Raises :class:`NotYours` if it has no seat, Stale if the match is over.
        """
        if source.seat is None:
            raise NotYours("only a node bound to a seat tells what that seat holds")
        referee = self.referee
        if referee.replay.over:
            raise Stale(said("stopped.over"))
        entry = referee.tell(source.seat, held, channel=source.channel, evidence=source.said)
        self._tellings[source.seat] = referee, entry.number, source.name
        return entry

    def find_held(self, seat: int | None, *, source: Source) -> str:
        """Return the hidden pieces of ``seat`` that ``source`` itself told, "" once they are out of date.

        Only the source that told them gets them back: a line may falsely claim any seat.
        """
        referee = self.referee
        log = referee.replay.log
        told = [one.seq for one in log if one.kind is Kind.PRIVATE and one.seat == seat]
        if seat is None or not told or self._tellings.get(seat) != (referee, told[-1], source.name):
            return ""
        return referee.replay.find_held(seat)

    def rule(self, *rulings: Ruling, source: Source, by: str = "") -> Entry:
        """Record people's rulings; see :meth:`device.match.referee.Referee.rule`."""
        history, points = self.referee.replay.history, self.referee.replay.match.points
        entry = self.referee.rule(*rulings, channel=source.channel, by=by)
        for ruling in rulings:
            if isinstance(ruling, Amend) and (at := find_place(history, ruling.record)) is not None:
                self._learn(self.referee.replay, points[at].state, ruling.text, history[at].text)
        return entry

    def undo(self, offer: Undoable, *, source: Source, says: str = "") -> Entry:
        """Carry out an offer of :func:`device.match.correction.list_undoable`.

        Raises :class:`Held` for a source that ``asks``; ``says`` is the question in words.
        """
        referee = self.referee
        if source.asks:
            undo = partial(referee.undo, offer, channel=source.channel)
            self.ask_people(Unconfirmed("", source.seat, "ask", undo, says, self._watch_match()))
        return referee.undo(offer, channel=source.channel)

    def _learn(self, replay: Replay, state: Any, text: str, was: str = "") -> None:
        """Offer the copy's file the fact that a step told in ``state``, if it told one."""
        asked = replay.game.rules.pending(state)
        if isinstance(asked, Report) and isinstance(asked.domain, Printed):
            tokens = [replay.game.notation.tokens(told)[0] for told in (text, was) if told]
            header = replay.header
            self.library.copies.learn(header.game, asked.domain, *tokens, sample=header.sample)

    def note(self, text: str, *, source: Source) -> Entry:
        """Record a remark that changes nothing."""
        return self.referee.note(text, channel=source.channel, evidence=source.said)


async def wait_written(entry: Entry) -> tuple[Record, ...]:
    """Return an entry's records, once they are on the disk; raises JournalError or OSError."""
    return await asyncio.wrap_future(entry.written)
