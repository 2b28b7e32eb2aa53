"""Named checks: the specification of what is legal, and the words of every refusal.

A game registers its checks in order, each with the clause it stands for and the questions it guards. The
game's fast generator must list exactly what no check refuses; a property test holds them together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

import msgspec

from engines.contract import Choice, Key, Refusal

S = TypeVar("S")


class Objection(msgspec.Struct, frozen=True):
    """What a check holds against a token: the figures its text needs and, for knowledge, what it rests on."""

    figures: dict[str, int | str] = {}
    basis: tuple[Key, ...] = ()


Test = Callable[[S, str], Objection | None]


class Check(msgspec.Struct, Generic[S], frozen=True):
    """One rule that can refuse a token."""

    name: str
    clause: str
    questions: tuple[str, ...]
    test: Test[S]


class Checks(Generic[S]):
    """A game's checks in the order in which they are asked."""

    def __init__(self) -> None:
        """Start with none; :meth:`check` registers them."""
        self._all: list[Check[S]] = []
        self._by_question: dict[str, list[Check[S]]] = {}

    def __iter__(self) -> Iterator[Check[S]]:
        return iter(self._all)

    def check(self, name: str, clause: str, *questions: str) -> Callable[[Test[S]], Test[S]]:
        """Register the decorated function as the check ``name`` of ``clause`` on these questions."""

        def register(test: Test[S]) -> Test[S]:
            check = Check(name, clause, questions, test)
            self._all.append(check)
            for question in questions:
                self._by_question.setdefault(question, []).append(check)
            return test

        return register

    def why_not(self, state: S, choice: Choice) -> Refusal | None:
        """The first refusal of ``choice``, which must answer the question ``state`` asks."""
        for check in self._by_question.get(choice.question, ()):
            objection = check.test(state, choice.token)
            if objection is not None:
                return Refusal(check.name, check.clause, tuple(objection.figures.items()), objection.basis)
        return None
