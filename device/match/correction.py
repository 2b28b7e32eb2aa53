"""Undo and correction: the offers of an undo, other readings of a wrong entry, and the draft of a correction
until it is recorded.

A step can be taken back only while it has shown nobody anything: what the table has shown stays seen. An undo
is itself a ruling and can be undone. Rollbacks and corrections lead back farther than the last group.

A draft holds rulings that nobody else sees. Each change is tried on the whole match; the box shows the entry
that no longer fits, and the same draft can correct it. Once everything fits, the draft is recorded as one
group.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from enum import Enum, auto
from typing import Any

import msgspec

from device.match.asking import Question
from device.match.history import Line, find_place
from device.match.records import Kind
from device.match.replay import Replay, Tried
from device.match.rulings import (
    Adjust,
    Amend,
    Answered,
    By,
    Call,
    Edit,
    Give,
    Insert,
    Override,
    Pause,
    Resume,
    Rollback,
    Strike,
    Undo,
)
from engines.contract import Choice, Over, Report
from engines.errors import EngineError, Refused
from engines.match import Match, Step
from engines.notation import read

BREAKS = (Pause, Resume, Call, Answered, By)
"""The rulings of a pause or a call."""


class CannotUndo(Exception):
    """A refused undo: ``key`` is the key of a text, ``places`` those of the steps that stay, ``seat`` the
    seat that made them.
    """

    def __init__(self, key: str, places: Sequence[int] = (), seat: int | None = None) -> None:
        """Take the text's key, which is also the message for logs."""
        super().__init__(key)
        self.key = key
        self.places = tuple(places)
        self.seat = seat


class Undoable(msgspec.Struct, frozen=True):
    """A possible undo: the group it takes back, its seat, and its notation (empty while it is sealed).

    ``places`` are the indexes of its steps in the match, empty while one is sealed. With ``redo`` the group
    is an undo, and ``text`` is the step that will count again, against clauses that were ``waived``.
    ``rulings`` are the rulings of the group, if it has no step.
    """

    group: int
    seat: int | None
    text: str
    redo: bool = False
    rulings: tuple[Rollback | Edit | Adjust | Give, ...] = ()
    places: tuple[int, ...] = ()
    waived: tuple[str, ...] = ()


def list_undoable(replay: Replay, seat: int | None = None) -> list[Undoable]:
    """Return at most two offers: to take back the last step, then the last ruling.

    ``seat`` is the seat that a source is bound to, None for the shared box. Raises :class:`CannotUndo` with
    the reason if there is none.
    """
    ruling = find_last_ruling(replay, seat)
    try:
        step = find_last_step(replay, seat)
    except CannotUndo:
        if ruling is None:
            raise
        return [ruling]
    return [step] if ruling is None else [step, ruling]


def find_last_ruling(replay: Replay, seat: int | None = None) -> Undoable | None:
    """Return the offer to take back the last group if it is a ruling, otherwise None.

    Notes, readings, pauses and calls after it do not count: they change no score and no question.
    """
    if replay.abandoned:
        return None
    log = replay.log
    last = next(
        (one for one in reversed(log) if one.changes and not isinstance(log.read_ruling(one), BREAKS)), None
    )
    group = log.list_group(last.group) if last else []
    rulings = [ruling for record in group if (ruling := log.read_ruling(record))]
    if len(rulings) < len(group) or not rulings:
        return None
    undo = rulings[-1]
    if isinstance(undo, Undo):
        undone = log.list_group(undo.group)
        target = next((record for record in undone if record.kind is not Kind.RULING), undone[0])
        # Undoing the undo of an undo is the same as undoing the step itself, which is offered.
        if target.kind is Kind.RULING or seat not in (None, target.seat):
            return None
        ruled = (one for record in undone if isinstance(one := log.read_ruling(record), Override))
        waived = tuple(clause for one in ruled for clause in one.clauses)
        return Undoable(group[0].group, target.seat, replay.write_public(target), redo=True, waived=waived)
    kept = tuple(one for one in rulings if isinstance(one, Rollback | Edit | Adjust | Give))
    return Undoable(group[0].group, None, "", rulings=kept) if seat is None and kept else None


def find_last_step(replay: Replay, seat: int | None = None) -> Undoable:
    """Return the offer to take back the last play; raises :class:`CannotUndo` with the reason."""
    if replay.abandoned:
        raise CannotUndo("undo.abandoned")
    history = replay.history
    played = [at for at, line in enumerate(history) if line.play]
    if not played:
        raise CannotUndo("undo.nothing")
    last = history[played[-1]]
    group = [at for at in played if history[at].record.group == last.record.group]
    for at in group:
        line, before, after = history[at], *replay.match.points[at : at + 2]
        if line.record.kind is Kind.REPORT:
            raise CannotUndo("undo.report", group)
        if line.ruled:
            raise CannotUndo("undo.corrected", group)
        if seat is not None and line.seat != seat:
            raise CannotUndo("undo.not_yours", group, line.seat)
        if before.sealed and not after.sealed:
            raise CannotUndo("undo.revealed", group)
        if replay.is_exposed(at):
            raise CannotUndo("undo.seen", group, line.seat)
    shown = [replay.write_public(history[at]) for at in group]
    if not all(shown):
        return Undoable(last.record.group, last.seat, "")
    return Undoable(last.record.group, last.seat, ", ".join(shown), places=tuple(group))


def list_alternatives(match: Match, step: Step) -> list[str]:
    """Return the whole legal steps that differ from an entry in one word, the last words first.

    ``match`` stands before the entry. A step is left out if its other words do not fit the changed one.
    """
    try:
        choices, state = read(match.game, match.state, step.text, step.seat, step.waived)
    except EngineError:
        return []
    reached = [Question.at(match.game, match.state, seat=step.seat)]
    if reached[0].sealed:
        return [choice.token for choice in reached[0].legal if choice != choices[0]]
    with contextlib.suppress(EngineError):  # one of its words was overruled: try none after it
        for choice in choices[:-1]:
            reached.append(reached[-1].choose(choice, forced=False))
    found: list[str] = []
    states: list[Any] = [state]
    for at, question in reversed([*enumerate(reached)]):
        others = (one for one in question.legal if one != choices[at])
        for made in (_complete(question.choose(one, forced=False), choices[at + 1 :]) for one in others):
            if made and made.state not in states:  # 7, 8 and 8, 7 are one market
                found.append(made.text)
                states.append(made.state)
    return found


def _complete(question: Question, left: Sequence[Choice]) -> Question | None:
    """Return the step that the choices ``left`` complete, each when it is asked; None if they do not."""
    left = list(left)
    while question.pending.open:
        legal = question.legal
        if left and left[0] in legal:
            choice = left.pop(0)
        elif len(legal) == 1 and (not left or left[0].question != legal[0].question):
            choice = legal[0]
        else:
            return None
        question = question.choose(choice, forced=False)
    return None if left else question


class Likely(Enum):
    """The likeliest fix of an entry that no longer fits."""

    OTHER = auto()  # the answer was another one
    NEVER = auto()  # the entry never happened
    MISSING = auto()  # the entry is right, and one before it is missing


def find_likeliest(replay: Replay, tried: Tried) -> Likely:
    """Return the likeliest fix of the entry that a draft of ``replay`` is stuck at.

    If the match asks the entry's question there, the answer was another one. After the end of the match, or
    if the next entry answers the pending question, the entry never happened. Otherwise an entry is missing
    before it; another is missing if people have already inserted one there.
    """
    stuck, match = tried.stuck, tried.match
    assert stuck
    if isinstance(match.pending, Over):
        return Likely.NEVER
    if _answers(replay, tried, stuck):
        return Likely.OTHER
    at = len(match.steps)
    kept = at and tried.lines[at - 1].record.payload.startswith(f"insert {stuck.seq} ")
    after = next((line for line in tried.lines[at + 1 :] if line.play), None)
    return Likely.NEVER if after and not kept and _fits(match, after) else Likely.MISSING


def _answers(replay: Replay, tried: Tried, line: Line) -> bool:
    """Return True if a line answers the pending question.

    A line of the log does if it answered the same question in the log; a line of the draft if it can be read
    as an answer.
    """
    if line.seat not in getattr(tried.match.pending, "seats", (None,)):
        return False
    at = find_place(replay.history, line.seq)
    if at is None:
        return isinstance(tried.error, Refused)
    return _name_question(replay.match.branch(at)) == _name_question(tried.match)


def _name_question(match: Match) -> tuple[str, str]:
    """Return the name of the question, and the thing on the table that it is about."""
    pending = match.pending
    assert not isinstance(pending, Over)
    about = match.game.rules.seen(match.state) if isinstance(pending, Report) else ""
    return pending.question, about


def _fits(match: Match, line: Line) -> bool:
    try:
        match.branch(len(match.steps)).make(line.made)
    except EngineError:
        return False
    return True


class Correction:
    """A draft: edits on top of a replay, tried as they are made.

    A line that the draft inserts has the number that it would get; :meth:`attempt` gives the lines.
    """

    def __init__(self, replay: Replay, edits: Iterable[Edit | Override] = ()) -> None:
        """Begin a correction of ``replay``, or continue one with ``edits``."""
        self._replay = replay
        self._head = len(replay.log)
        self.edits = list(edits)

    def attempt(self) -> Tried:
        """Return the match with the edits, on the log as it is now."""
        self._head = len(self._replay.log)
        return self._replay.try_rulings(self.edits)

    def amend(self, line: Line, seat: int | None, text: str, *override: Override) -> None:
        """Replace ``line`` by ``text``, made by ``seat``; ``override`` the clauses that forbid it."""
        at = self._find_inserted(line)
        if at is not None:
            self.insert(line, seat, text, *override)
            self._drop(at + len(override) + 1)
        elif seat != line.seat:
            self.insert(line, seat, text, *override)
            self.strike(line)
        else:
            self._drop_amendment(line.seq)
            self.edits += [*override, Amend(line.seq, text)]

    def strike(self, line: Line) -> None:
        """Take ``line`` out: it never happened."""
        at = self._find_inserted(line)
        if at is None:
            self._drop_amendment(line.seq)
            self.edits.append(Strike(line.seq))
        else:
            self._drop(at)

    def insert(self, line: Line, seat: int | None, text: str, *override: Override) -> None:
        """Insert ``text`` before ``line``: it happened, but nobody entered it."""
        at = self._find_inserted(line)
        if at is None:
            self.edits += [*override, Insert(line.seq, seat, text)]
        else:  # a later insertion before the same record stands nearer to it
            inserted = self.edits[at]
            assert isinstance(inserted, Insert)
            first = self._find_start(at)
            self.edits[first:first] = [*override, Insert(inserted.record, seat, text)]

    def _find_inserted(self, line: Line) -> int | None:
        """Return the place of the edit that inserted ``line``, None for a line of the log."""
        at = line.seq - self._head - 1
        return at if at >= 0 else None

    def _find_start(self, at: int) -> int:
        """Return the place where an edit begins: that of the override before it, if there is one."""
        return at - 1 if at and isinstance(self.edits[at - 1], Override) else at

    def _drop_amendment(self, record: int) -> None:
        """Drop the draft's amendment of a record of the log."""
        amended = (
            at for at, edit in enumerate(self.edits) if isinstance(edit, Amend) and edit.record == record
        )
        if (at := next(amended, None)) is not None:
            self._drop(at)

    def _drop(self, at: int) -> None:
        del self.edits[self._find_start(at) : at + 1]
