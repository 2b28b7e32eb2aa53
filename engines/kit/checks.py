"""Named checks: the specification of what is legal, and the words of every refusal.

A game registers its checks in order, each with its clause and the questions it guards. The game's fast
generator must list exactly the answers that no check refuses; a property test compares the two.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import FrameType
from typing import Generic, TypeVar

import msgspec

from engines.contract import Choice, Key, Problem, Refusal

S = TypeVar("S")


class Objection(msgspec.Struct, frozen=True):
    """A check's objection to a token: the figures for its text and, for knowledge, the facts behind it.

    ``names`` are the figures that come from the token: another token of its verb may have others.
    """

    figures: dict[str, int | str] = {}
    basis: tuple[Key, ...] = ()
    names: tuple[str, ...] = ()


def wrong(where: str, check: str, clause: str, **figures: int | str) -> Problem:
    """Return a problem that people may let stand by overruling its clause."""
    return Problem(where, check, clause, tuple(figures.items()))


def impossible(where: str, check: str, clause: str, **figures: int | str) -> Problem:
    """Return a problem that no overruled clause lets stand."""
    return Problem(where, check, clause, tuple(figures.items()), pieces=True)


Test = Callable[[S, str], Objection | None]


class Check(msgspec.Struct, Generic[S], frozen=True):
    """One rule that can refuse a token. ``pieces`` is True if not even the pieces allow it. ``chapter`` is
    the module that registered it.
    """

    name: str
    clause: str
    questions: tuple[str, ...]
    test: Test[S]
    whole: bool = False
    pieces: bool = False
    chapter: str = ""


class Checks(Generic[S]):
    """A game's checks in the order in which they run: those of the whole turn, then chapter by chapter."""

    def __init__(self) -> None:
        """Start with none; :meth:`check` registers them."""
        self._all: list[Check[S]] = []
        self._by_question: dict[str, list[Check[S]]] = {}

    def __iter__(self) -> Iterator[Check[S]]:
        return iter(self._all)

    def check(
        self, name: str, clause: str, *questions: str, whole: bool = False, pieces: bool = False
    ) -> Callable[[Test[S]], Test[S]]:
        """Register the decorated function as the check ``name`` of ``clause`` on these questions.

        Set ``whole`` if it is about the whole turn, whatever the answer, and ``pieces`` if its refusals stay
        impossible whatever clause people overrule.
        """

        def register(test: Test[S]) -> Test[S]:
            check = Check(name, clause, questions, test, whole, pieces, _find_importing())
            self._all.append(check)
            for question in questions:
                self._by_question.setdefault(question, []).append(check)
            return test

        return register

    def order(self, chapters: Sequence[str]) -> None:
        """Put the checks in the order of these modules, in whatever order they were imported; others come
        last.
        """
        place = {chapter: at for at, chapter in enumerate(chapters)}
        self._all.sort(key=lambda one: place.get(one.chapter, len(place)))
        for checks in self._by_question.values():
            checks.sort(key=lambda one: (not one.whole, place.get(one.chapter, len(place))))

    def why_not(self, state: S, choice: Choice) -> Refusal | None:
        """Return the first refusal of ``choice``, which must answer the question ``state`` asks."""
        for depth, check in enumerate(self._by_question.get(choice.question, ())):
            objection = check.test(state, choice.token)
            if objection is not None:
                figures = tuple(objection.figures.items())
                return Refusal(check.name, check.clause, figures, objection.basis, objection.names, depth)
        return None

    def passing(self, question: str, state: S, tokens: Iterable[str]) -> list[str]:
        """Return the ``tokens`` that no check refuses as answers to the question that ``state`` asks."""
        checks, found = self._by_question.get(question, ()), []
        for token in tokens:
            for check in checks:
                if check.test(state, token) is not None:
                    break
            else:
                found.append(token)
        return found

    def allow(self, state: S, choice: Choice) -> bool:
        """Return True unless the pieces themselves forbid ``choice``."""
        checks = self._by_question.get(choice.question, ())
        return not any(check.pieces and check.test(state, choice.token) for check in checks)


def _find_importing() -> str:
    """Return the name of the module that is being imported, however many functions down."""
    frame: FrameType | None = sys._getframe()
    while frame and frame.f_code.co_name != "<module>":
        frame = frame.f_back
    return frame.f_globals["__name__"] if frame else ""
