"""A match: its steps, the states between them, and the points that each step changed."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from itertools import pairwise
from typing import Any, ClassVar

import msgspec

from engines import notation
from engines.contract import Booking, Choice, Decide, Game, Over, Pending, Refusal, Report, Setup
from engines.errors import EngineError, OutOfTurn, Stale


class Step(msgspec.Struct, frozen=True):
    """A step of a match: the seat (None for a report of the table) and the notation.

    ``waived`` are the overruled clauses that forbid the step.
    """

    seat: int | None
    text: str
    waived: tuple[str, ...] = ()


class Adjustment(msgspec.Struct, frozen=True):
    """Points that people gave ``seat``, or took if negative, with the reason; or that many of a ``good``."""

    seat: int
    points: int
    reason: str = ""
    good: str = ""

    @property
    def text(self) -> str:
        """The number and the good: ``-5``, ``+2 worker``."""
        return f"{self.points:+d} {self.good}".rstrip()


class Fallen(msgspec.Struct, frozen=True):
    """Pieces that stay on the table when reports are rolled back: :meth:`engines.contract.Rules.stays`."""

    words: tuple[str, ...] = ()
    seat: ClassVar[None] = None

    @property
    def text(self) -> str:
        """The words with blanks between them."""
        return " ".join(self.words)


Made = Step | Adjustment | Fallen


class Point(msgspec.Struct, frozen=True):
    """A point of a match: the state, the sealed choices so far by seat, and the choices that led here, none
    after a ruling.
    """

    state: Any
    sealed: tuple[tuple[int, Choice], ...] = ()
    made: tuple[Choice, ...] = ()


class Read(msgspec.Struct, frozen=True):
    """A legal step that was read, and the point it leads to."""

    step: Step
    choices: tuple[Choice, ...]
    after: Point


class Match:
    """A match in memory. It keeps all its points, so going back costs nothing."""

    _asked: tuple[Point | None, Pending] = None, Over("", "")

    def __init__(self, game: Game[Any, Any], setup: Setup) -> None:
        """Start a match; raises what ``game.rules.start`` raises."""
        self.game = game
        self.setup = setup
        self.steps: list[Made] = []
        self.points = [Point(game.rules.start(setup))]

    @property
    def state(self) -> Any:
        """The state after the last step."""
        return self.points[-1].state

    @property
    def question(self) -> Pending:
        """The question of the state, to all seats; computed once a point."""
        point = self.points[-1]
        if self._asked[0] is not point:
            self._asked = point, self.game.rules.pending(point.state)
        return self._asked[1]

    @property
    def pending(self) -> Pending:
        """The question to the seats that have not answered yet."""
        pending, sealed = self.question, self.points[-1].sealed
        if isinstance(pending, Decide) and sealed:
            committed = {seat for seat, _ in sealed}
            left = tuple(seat for seat in pending.seats if seat not in committed)
            return msgspec.structs.replace(pending, seats=left)
        return pending

    def read(self, text: str, seat: int | None = None, waived: tuple[str, ...] = ()) -> Read:
        """Return the step that ``text`` would make now, without making it; ``seat`` None is the seat asked.

        Raises :class:`engines.errors.NotationError`: Malformed, Ambiguous, Refused, OutOfTurn, Stale; with
        clauses ``waived`` also Impossible.
        """
        pending = self.pending
        if isinstance(pending, Over):
            raise Stale("{text!r}: the match is over", text)
        actor = None
        if isinstance(pending, Decide):
            actor = pending.seats[0] if seat is None and len(pending.seats) == 1 else seat
            if actor not in pending.seats:
                raise OutOfTurn(seat, pending.seats)
        choices, state = notation.read(self.game, self.state, text, actor, waived)
        made = tuple(choices)
        after = Point(state, (), made)
        question = self.question
        if isinstance(question, Decide) and len(question.seats) > 1 and actor is not None:
            after = self._seal(question, actor, choices[0])
        return Read(Step(actor, self.game.notation.text(choices), waived), made, after)

    def _seal(self, question: Decide, seat: int, choice: Choice) -> Point:
        sealed = dict(self.points[-1].sealed) | {seat: choice}
        if len(sealed) < len(question.seats):
            return Point(self.state, tuple(sorted(sealed.items())), (choice,))
        state = self.game.rules.reveal(self.state, [sealed[seat] for seat in question.seats])
        return Point(state, (), (choice,))

    def add(self, read: Read) -> None:
        """Append a step that :meth:`read` returned for the last point."""
        self.steps.append(read.step)
        self.points.append(read.after)

    def play(self, text: str, seat: int | None = None, waived: tuple[str, ...] = ()) -> Read:
        """Read and append a step; raises as :meth:`read`."""
        read = self.read(text, seat, waived)
        self.add(read)
        return read

    def adjust(self, adjustment: Adjustment) -> None:
        """Append points or goods by hand; the question stays the same.

        Raises :class:`engines.errors.Malformed` for goods that cannot come or go.
        """
        here, rules = self.points[-1], self.game.rules
        seat, n = adjustment.seat, adjustment.points
        if not adjustment.good:
            state = rules.adjust(here.state, seat, n)
        else:
            state = rules.give(here.state, seat, adjustment.good, n)
        self.steps.append(adjustment)
        self.points.append(Point(state, here.sealed))

    def remember(self, fallen: Fallen) -> None:
        """Append pieces that stay of rolled back reports; raises :class:`engines.errors.Malformed`."""
        here = self.points[-1]
        state = here.state
        for word in fallen.words:
            state = self.game.rules.remember(state, word)
        self.steps.append(fallen)
        self.points.append(Point(state, here.sealed))

    def make(self, made: Made) -> None:
        """Append any entry; raises as :meth:`read`."""
        match made:
            case Step():
                self.play(made.text, made.seat, made.waived)
            case Adjustment():
                self.adjust(made)
            case Fallen():
                self.remember(made)

    def cut(self, length: int) -> None:
        """Go back to the first ``length`` steps."""
        del self.steps[length:]
        del self.points[length + 1 :]

    def branch(self, length: int) -> Match:
        """Return a separate match with the first ``length`` steps of this one."""
        other = copy(self)
        other.steps = self.steps[:length]
        other.points = self.points[: length + 1]
        return other

    def sealed(self, length: int) -> list[int]:
        """Return the indexes of the choices among the first ``length`` steps that nobody may see yet."""
        waiting = len(self.points[length].sealed)
        made = [at for at in range(length) if isinstance(self.steps[at], Step)] if waiting else []
        return made[len(made) - waiting :]

    def walk(self, at: int) -> list[tuple[Any, Choice]]:
        """Return each choice of the step at place ``at``, with the state before it."""
        step, state, choices = self.steps[at], self.points[at].state, self.points[at + 1].made
        assert isinstance(step, Step)
        return list(notation.walk(self.game, state, choices, step.seat, step.waived))

    def chosen(self, at: int) -> tuple[Choice, ...]:
        """Return the choices that place ``at`` shows: after sealed ones all of them, none after a ruling."""
        step, point, after = self.steps[at], self.points[at], self.points[at + 1]
        made = after.made
        if not isinstance(step, Step) or after.sealed:
            return ()
        if not point.sealed or step.seat is None:
            return made
        return tuple(choice for _, choice in sorted([*point.sealed, (step.seat, made[0])]))

    def reported(self, at: int) -> list[tuple[Any, Choice]]:
        """Return the :meth:`walk` of a report at place ``at``; empty for a step of a player."""
        asked = self.game.rules.pending(self.points[at].state)
        return self.walk(at) if isinstance(self.steps[at], Step) and isinstance(asked, Report) else []

    def evidence(self, refusal: Refusal) -> list[int]:
        """Return the numbers (from 1) of the steps behind a refusal by knowledge; empty for one by rule.

        These are the steps that changed a fact of the refusal's ``basis``.
        """
        values = [[self.game.rules.fact(point.state, key) for key in refusal.basis] for point in self.points]
        return [number for number, (was, now) in enumerate(pairwise(values), 1) if was != now]


def replay(game: Game[Any, Any], setup: Setup, steps: Sequence[Made]) -> Match:
    """Play ``steps``; raises EngineError with the number of the first that does not fit."""
    match = Match(game, setup)
    for number, step in enumerate(steps, 1):
        try:
            match.make(step)
        except EngineError as error:
            error.at = number
            raise
    return match


# Reasons of a score


class Change(msgspec.Struct, frozen=True):
    """A change of a seat's points in one category, clause and part, with the figures before and after.

    ``points`` are negative for a loss, and 0 if only the figures changed.
    """

    seat: int
    category: str
    clause: str
    part: int
    before: int
    after: int
    was: str
    figures: str

    @property
    def points(self) -> int:
        """The points gained."""
        return self.after - self.before


def gains(before: Sequence[Booking], after: Sequence[Booking]) -> tuple[Change, ...]:
    """Return the changes between two lists of bookings, in the order of ``before``, then of ``after``.

    >>> [one] = gains([Booking(0, 10, "plain", "SG-8.3")], [Booking(0, 17, "plain", "SG-8.3", "10 + 7")])
    >>> one.points, one.was, one.figures
    (7, '', '10 + 7')
    """
    old, new = _sum(before), _sum(after)
    found = []
    for kind in dict.fromkeys((*old, *new)):
        (points, was), (now, figures) = old.get(kind, (0, "")), new.get(kind, (0, ""))
        if (points, was) != (now, figures):
            found.append(Change(*kind, points, now, was, figures))
    return tuple(found)


def gains_by_step(match: Match) -> list[tuple[Change, ...]]:
    """Return the changes of a match: those of its first state, then those of each step."""
    booked = [match.game.scoring.bookings(point.state) for point in match.points]
    return [gains((), booked[0]), *(gains(before, after) for before, after in pairwise(booked))]


def _sum(bookings: Sequence[Booking]) -> dict[tuple[int, str, str, int], tuple[int, str]]:
    """Sum points and join figures by seat, category, clause and part."""
    found: dict[tuple[int, str, str, int], tuple[int, str]] = {}
    for one in bookings:
        kind = one.seat, one.category, one.clause, one.part
        points, figures = found.get(kind, (0, ""))
        found[kind] = points + one.points, ", ".join(filter(None, (figures, one.figures)))
    return found
