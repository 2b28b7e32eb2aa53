"""The rules of a game put together from its chapters.

A *chapter* is a module for one chapter of the printed rules. For each of its questions it registers, in this
order: the possible answers, a fast list of the legal ones if the question is frequent, the checks that refuse
with reasons, the effect of an answer, and the answers that the pieces allow once a clause is overruled::

    BOOK.asks(GRID, "leap_to", figures=at_cell)      # the answers, the blanks in the question's words

    @BOOK.lists("leap_to")
    def list_leap_to(state): ...                  # every legal choice, in the domain's order

    @BOOK.check("leap_to.level", "TO-4.9", "leap_to")
    def check_leap_to_level(state, token): ...           # an Objection, or None

    @BOOK.effect("leap_to")
    def effect_leap_to(state, token): ...           # the state after it

    @BOOK.possible("leap_to")
    def possible_leap_to(state, token): ...          # True if the pieces allow it

    @BOOK.fits("leap_to")
    def fits_leap_to(state): ...                  # True if a position may ask it

List and checks say the same thing twice, fast and with reasons; a property test compares them. A question
without a list, usually a rare one, lists the answers that its checks let pass. If a single rule gives the
tokens, :meth:`Rulebook.offers` registers it as both list and check. If an answer only needs a condition,
:meth:`Rulebook.needs` registers its check.

At a state the book reads by the same names :meth:`Rulebook.figures_at`, ``fits_at`` and ``lists_at``.
:meth:`Rulebook.domain` reads what ``asks`` registers, ``play`` does the effect, ``leads_on`` tries what is
``possible``.

Chapters import the book, not the other way round. So a chapter registers the functions that the whole game
needs (the start of a match, things that happen by themselves) with :meth:`Rulebook.method`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from functools import partial
from types import ModuleType
from typing import Any, Generic, Protocol, Self, TypeVar

import msgspec
from msgspec.structs import replace

from engines.contract import (
    SEATS,
    AnyDomain,
    Choice,
    Decide,
    Figures,
    Over,
    Pending,
    Problem,
    Refusal,
    Report,
    Rules,
    Setup,
)
from engines.errors import Impossible, Malformed
from engines.kit.checks import Checks, Objection
from engines.kit.noting import heard, unheard


class Asking(Protocol):
    """A frame: a question in progress."""

    @property
    def question(self) -> str:
        """Its name."""
        ...

    @property
    def open(self) -> bool:
        """True if it continues a step that a choice has begun."""
        ...


class Frame(msgspec.Struct, frozen=True):
    """A frame without further memory."""

    question: str
    open: bool = False


class Playing(Protocol):
    """The members that the states of all games share."""

    @property
    def seat(self) -> int:
        """The seat whose turn it is."""
        ...

    @property
    def frames(self) -> Sequence[Asking]:
        """The questions in progress, the pending one last."""
        ...

    @property
    def termination(self) -> str:
        """The way the match ended, empty while it goes on."""
        ...

    @property
    def waived(self) -> tuple[str, ...]:
        """The overruled clauses, in order."""
        ...

    @property
    def adjusted(self) -> tuple[int, ...]:
        """Points given by hand, by seat."""
        ...


S = TypeVar("S", bound=Playing)

TURN = "action"
"""The question of a turn before anything has begun."""

Answers = AnyDomain | Callable[[S], AnyDomain]
Lists = Callable[[S], list[Choice]]
Effect = Callable[[S, str], S]
Possible = Callable[[S, str], bool]
Tokens = Callable[[S], Sequence[str]]
Told = Callable[[S, str], dict[str, int | str]]
Method = TypeVar("Method", bound=Callable[..., Any])


def question(state: Playing) -> str:
    """Return the name of the question that a state asks."""
    return state.frames[-1].question if state.frames else TURN


def of_frame(*names: str, **blanks: str) -> Callable[[Any], Figures]:
    """Return a function for the blanks of a question: each of ``blanks`` renames a field of its frame,
    ``names`` are fields of the state.
    """
    return lambda state: (
        *[(blank, getattr(state.frames[-1], name)) for blank, name in blanks.items()],
        *[(name, getattr(state, name)) for name in names],
    )


def within(**bounds: Container[Any]) -> Callable[[Any], bool]:
    """Return a condition: each field of the pending frame has one of the values given for it."""
    return lambda state: all(getattr(state.frames[-1], name) in known for name, known in bounds.items())


class Rulebook(Rules[S], Generic[S]):
    """:class:`engines.contract.Rules` from chapters; a game may inherit it to add methods of its own."""

    def __init__(self, ended: Mapping[str, str] | None = None) -> None:
        """Start without chapters: importing one registers it. ``ended`` has each termination's clause."""
        self._ended = ended or {}
        self.checks: Checks[S] = Checks()
        self.check = self.checks.check
        self.reports: set[str] = set()
        self._answers: dict[str, Answers[S]] = {}
        self._figures: dict[str, Callable[[S], Figures]] = {}
        self._lists: dict[str, Lists[S]] = {}
        self._effects: dict[str, Effect[S]] = {}
        self._possible: dict[str, Possible[S]] = {}
        self._fits: dict[str, Callable[[S], bool]] = {}
        self._made: dict[str, Callable[[str], Choice]] = {}

    def asks(
        self,
        answers: Answers[S],
        *questions: str,
        report: bool = False,
        figures: Callable[[S], Figures] | None = None,
        fits: Callable[[S], bool] | None = None,
    ) -> None:
        """Register the domain of these questions' answers, or a function of the state that returns it.

        With ``report`` the table answers: the question is a :class:`Report`, kept in ``reports``. ``figures``
        and ``fits`` register the same as the decorators of those names, for a mere expression.
        """
        _make_registrar(self._answers, questions)(answers)
        if figures:
            self.figures(*questions)(figures)
        if fits:
            self.fits(*questions)(fits)
        for each in questions:
            self._made[each] = _Choices(each).__getitem__
        if report:
            self.reports.update(questions)

    def _list_unrefused(self, question: str, state: S) -> list[Choice]:
        """Return the answers in the domain that no check refuses."""
        passed = self.checks.passing(question, state, self.domain(state).tokens)
        return self.listed(question, passed)

    def offers(
        self, name: str, clause: str, *questions: str, told: str | Told[S], pieces: bool = True
    ) -> Callable[[Tokens[S]], Tokens[S]]:
        """Register the decorated function, which returns the legal tokens of these questions in the domain's
        order, both as their list and as the check ``name`` of ``clause`` that refuses all others.

        Without ``questions`` the check's name begins with the question: ``vendor.free`` of ``vendor``.
        ``told`` returns the figures of the objection, or is the name of the figure for the token. ``pieces``
        is that of :meth:`check`.
        """
        asked = questions or (name.partition(".")[0],)

        def register(tokens: Tokens[S]) -> Tokens[S]:
            def check_offered(state: S, token: str) -> Objection | None:
                if token in tokens(state):
                    return None
                return Objection({told: token} if isinstance(told, str) else told(state, token))

            self.check(name, clause, *asked, pieces=pieces)(check_offered)
            for each in asked:
                self.lists(each)(partial(_list_offered, self._made[each], tokens))
            return tokens

        return register

    def needs(
        self,
        name: str,
        clause: str,
        answers: Collection[str],
        question: str,
        holds: Callable[[S], object],
        pieces: bool = False,
    ) -> None:
        """Register the check ``name`` of ``clause``, which refuses these ``answers`` unless ``holds`` is true
        of the state; ``pieces`` is that of :meth:`check`.
        """

        def check_needed(state: S, token: str) -> Objection | None:
            return None if token not in answers or holds(state) else Objection()

        self.check(name, clause, question, pieces=pieces)(check_needed)

    def figures(self, *questions: str) -> Callable[[Callable[[S], Figures]], Callable[[S], Figures]]:
        """Register the decorated function for the blanks in the words of these questions."""
        return _make_registrar(self._figures, questions)

    def lists(self, *questions: str) -> Callable[[Lists[S]], Lists[S]]:
        """Register the decorated function as the fast list of these questions."""
        return _make_registrar(self._lists, questions)

    def effect(self, *questions: str) -> Callable[[Effect[S]], Effect[S]]:
        """Register the decorated function as the effect of an answer to these questions."""
        return _make_registrar(self._effects, questions)

    def possible(self, *questions: str) -> Callable[[Possible[S]], Possible[S]]:
        """Register the decorated function, which returns True if the pieces allow an answer, whatever the
        rules.

        The pieces also forbid everything that a check of ``pieces`` refuses.
        """
        return _make_registrar(self._possible, questions)

    def fits(self, *questions: str) -> Callable[[Callable[[S], bool]], Callable[[S], bool]]:
        """Register the decorated function, which returns True if the frames of these questions fit the rest
        of the state. Without one they do.
        """
        return _make_registrar(self._fits, questions)

    def listed(self, question: str, tokens: Iterable[str]) -> list[Choice]:
        """Return the choices of these tokens as answers to a question."""
        return list(map(self._made[question], tokens))

    def method(self, function: Method) -> Method:
        """Register the decorated function in place of the rulebook's method of that name."""
        name = function.__name__
        if not hasattr(self, name):
            raise ValueError(f"a rulebook has no method {name!r}")
        setattr(self, name, function)
        return function

    @property
    def questions(self) -> frozenset[str]:
        """The names of all questions of the chapters."""
        return frozenset(self._answers)

    def of(self, *chapters: ModuleType) -> Self:
        """Return the book that these ``chapters`` wrote when they were imported; its checks run in their
        order.

        A question without a list lists the answers that no check refuses. Raises ValueError for a question
        without answers or effect, and if there is none for a turn, :data:`TURN`.
        """
        self.checks.order([chapter.__name__ for chapter in chapters])
        told = {TURN}.union(self._figures, self._possible, self._fits, self._lists)
        checked = {each for check in self.checks for each in check.questions}
        for each in self._answers.keys() - self._lists.keys():
            self._lists[each] = partial(self._list_unrefused, each)
        needed = (("answers (asks)", set(self._answers)), ("effect", set(self._effects)))
        told = told.union(checked, *(there for _, there in needed))
        for each in sorted(told):
            lacking = [what for what, there in needed if each not in there]
            if lacking:
                names = ", ".join(chapter.__name__ for chapter in chapters) or "this rulebook"
                raise ValueError(f"question {each!r} has no {' and no '.join(lacking)} in {names}")
        return self

    # Defaults that a game may replace

    def asked(self, state: S) -> int:
        """Return the seat that must choose: by default the one whose turn it is."""
        return state.seat

    def ended(self, state: S) -> str:
        """Return the clause under which the match ended."""
        return self._ended.get(state.termination, "")

    def settled(self, state: S) -> S:
        """Return the state after everything that happens by itself once a choice has had its effect."""
        return state

    def problems(self, state: S) -> list[Problem]:
        """Return every fault of a state that no overruled clause lets stand."""
        return []

    def unwaived(self, state: S, problems: Iterable[Problem]) -> list[Problem]:
        """Return the problems that no overruled clause lets stand."""
        return [one for one in problems if one.pieces or one.clause not in state.waived]

    def broken(self, state: S) -> set[str]:
        """Return the clauses that a state breaks and that may be waived."""
        return {problem.clause for problem in self.problems(state) if not problem.pieces}

    def knowing_less(self, state: S) -> Iterable[S]:
        """Return the state, then states that know ever less, for an overruled choice that contradicts it."""
        return (state,)

    def stands(self, before: S, choice: Choice) -> bool:
        """Return True if a legal choice in a state with waived clauses breaks no clause: by default if the
        rules list any choice there, as only then none stands in.
        """
        return not self.domain(before).listed or bool(self.lists_at(before))

    # Choices

    def domain(self, state: S) -> AnyDomain:
        """Return the domain of answers to the pending question."""
        answers = self._answers[question(state)]
        return answers(state) if callable(answers) else answers

    def figures_at(self, state: S) -> Figures:
        """Return the figures for the words of the pending question."""
        told = self._figures.get(question(state))
        return told(state) if told else ()

    def fits_at(self, state: S) -> bool:
        """Return True if the pending question fits the rest of the state."""
        fits = self._fits.get(question(state))
        return fits is None or fits(state)

    def lists_at(self, state: S) -> list[Choice]:
        """Return every choice that the rules allow, in the domain's order."""
        if state.termination:
            return []
        return self._lists[state.frames[-1].question if state.frames else TURN](state)

    def leads_on(self, state: S, choice: Choice) -> S | None:
        """Return the state after a choice if the pieces allow it and play can go on from there, or None."""
        allows = self._possible.get(choice.question)
        if (allows and not allows(state, choice.token)) or not self.checks.allow(state, choice):
            return None
        after = unheard(self.play, state, choice)
        return after if after.termination or self.answerable(after) else None

    def answerable(self, state: S) -> bool:
        """Return True if the pending question has an answer, or too many to list."""
        return not self.domain(state).listed or bool(self.legal(state))

    def play(self, state: S, choice: Choice) -> S:
        """Return the state after ``choice`` and everything that follows by itself."""
        return self.settled(self._effects[choice.question](state, choice.token))

    def noted(self, state: S, choices: Sequence[Choice]) -> list[Any]:
        """Return all notes of the effects of a step's choices (:mod:`.noting`), overruled ones too."""
        with heard() as notes:
            for choice in choices:
                refusal = unheard(self.why_not, state, choice)
                state = self.overrule(state, choice, refusal.clause) if refusal else self.apply(state, choice)
        return notes

    # The contract

    def legal(self, state: S, seat: int | None = None, /) -> list[Choice]:
        """Return every choice that the rules allow; if there is none and a clause was overruled, the choices
        that stand in: those that the pieces allow.
        """
        found = self.lists_at(state)
        if found or not state.waived or state.termination:
            return found
        answers = self.listed(question(state), self.domain(state).tokens)
        return [choice for choice in answers if self.leads_on(state, choice) is not None]

    def why_not(self, state: S, choice: Choice, seat: int | None = None, /) -> Refusal | None:
        """Return the first refusal, unless the choice stands in because a clause was overruled."""
        refusal = self.checks.why_not(state, choice)
        return None if refusal and state.waived and choice in self.legal(state) else refusal

    def apply(self, state: S, choice: Choice, /) -> S:
        """Return the state after a legal choice; one that only stands in may break more clauses."""
        if not state.waived:
            return self.play(state, choice)
        after = self.play(state, choice)
        return after if self.stands(state, choice) else waive(after, self.broken(after))

    def overrule(self, state: S, choice: Choice, clause: str, seat: int | None = None, /) -> S:
        """Return the state after ``choice``, with ``clause`` and every other clause that it breaks waived."""
        state = waive(state, {clause})
        for known in self.knowing_less(state):
            if self.leads_on(known, choice) is not None:
                after = self.play(known, choice)
                return waive(after, self.broken(after))
        raise Impossible(self.checks.why_not(state, choice) or Refusal("", clause))

    def adjust(self, state: S, seat: int, points: int, /) -> S:
        """Add points to those given by hand; waive the clauses that the state then breaks."""
        given = tuple(old + points * (each == seat) for each, old in enumerate(state.adjusted))
        after: S = changed(state, adjusted=given)
        broken = self.broken(after) - self.broken(state)
        return waive(after, broken) if broken else after

    def give(self, state: S, seat: int, good: str, n: int, /) -> S:
        """Return the state after :meth:`given`; raises Malformed if there are not so many, or if that breaks
        something.
        """
        there = {one.name: range(-one.there, one.left + 1) for one in self.goods(state, seat)}
        if not n or n not in there.get(good, ()):
            raise Malformed("{seat} can neither get nor return {goods}", SEATS[seat], f"{n:+d} {good}")
        after = self.given(state, seat, good, n)
        if len(self.problems(after)) > len(self.problems(state)) or not self.answerable(after):
            raise Malformed(f"{n:+d} {good!r} for seat {SEATS[seat]} fits nothing that is asked")
        return after

    def given(self, state: S, seat: int, good: str, n: int) -> S:
        """Return the state after people gave or took goods; a game with :meth:`goods` implements it."""
        raise NotImplementedError("no goods are given by hand")

    def reveal(self, state: S, choices: Sequence[Choice], /) -> S:
        """Raise TypeError, by default: nobody chooses unseen."""
        raise TypeError("no simultaneous choices")

    @property
    def hides(self) -> bool:
        """True if the game implements :meth:`seen_by`, a hand as its owner sees it."""
        return getattr(self.seen_by, "__func__", None) is not Rulebook.seen_by

    def legal_for(self, state: S, seat: int, held: str, /) -> list[Choice]:
        """Return the list for a seat that sees its own hand; empty if another seat is asked."""
        seen, asked = self.seen_by(state, seat, held), self.pending(state)
        return self.legal(seen) if isinstance(asked, Decide) and asked.seats == (seat,) else []

    def seen_by(self, state: S, seat: int, held: str) -> S:
        """Return the state as ``seat`` sees it while it holds ``held``; raises Malformed if it cannot hold
        that.
        """
        raise Malformed("the game has no hidden pieces to tell of")

    def start(self, setup: Setup, /) -> S:
        """Start a match; the game's own chapter registers it with :meth:`method`."""
        raise NotImplementedError("no chapter starts a match")

    def pending(self, state: S, /) -> Pending:
        """Return the last question in progress, or that of a turn, as a report or a seat's decision."""
        if state.termination:
            return Over(state.termination, self.ended(state))
        name, begun = question(state), bool(state.frames) and state.frames[-1].open
        figures = self.figures_at(state)
        if name in self.reports:
            return Report(name, self.domain(state), begun, figures)
        return Decide((self.asked(state),), name, self.domain(state), begun, figures)

    def seated(self, state: S, /) -> int:
        """Count the seats that points are kept for."""
        return len(state.adjusted)


def waive(state: S, clauses: set[str]) -> S:
    """Return the state with ``clauses`` overruled, too."""
    return changed(state, waived=tuple(sorted(clauses | set(state.waived))))


def changed(state: S, **fields: Any) -> S:
    """Return the state with other ``fields``; states of all games are Structs."""
    made: S = replace(state, **fields)  # type: ignore[type-var]
    return made


def _list_offered(made: Callable[[str], Choice], tokens: Tokens[S], state: S) -> list[Choice]:
    return list(map(made, tokens(state)))


class _Choices(dict[str, Choice]):
    """The choices that answer a question, each made once."""

    def __init__(self, question: str) -> None:
        self.question = question

    def __missing__(self, token: str) -> Choice:
        made = self[token] = Choice(self.question, token)
        return made


T = TypeVar("T")


def _make_registrar(register: dict[str, T], questions: tuple[str, ...]) -> Callable[[T], T]:
    def registered(what: T) -> T:
        for each in questions:
            if each in register:
                raise ValueError(f"question {each!r} is there twice")
            register[each] = what
        return what

    return registered
