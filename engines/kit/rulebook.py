"""The rules of a game put together from its chapters.

A *chapter* is a module for one chapter of the printed rules. For each question that belongs to it, it
registers, in this order: the fast list of what is legal, the checks that refuse with reasons, the effect of
an answer, and what the pieces would allow where a clause was overruled::

    @BOOK.lists("leap_to")
    def _(state, held): ...            # every legal choice, in the domain's order

    @BOOK.check("leap_to.level", "TO-4.9", "leap_to")
    def _(state, token): ...           # an Objection, or None

    @BOOK.effect("leap_to")
    def _(state, token): ...           # the state after it

    @BOOK.possible("leap_to")
    def _(state, token, held): ...     # whether the pieces allow it at all

List and checks say the same thing twice, fast and with reasons; a property test holds them together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, Protocol, TypeVar

from msgspec.structs import replace

from engines.contract import Choice, Decide, Key, Over, Pending, Refusal, Rules, Setup
from engines.errors import Impossible, Malformed
from engines.kit.checks import Checks


class Asking(Protocol):
    """A frame: a question that has been begun."""

    @property
    def question(self) -> str:
        """Its name."""
        ...


class Playing(Protocol):
    """What the states of all games have in common."""

    @property
    def frames(self) -> Sequence[Asking]:
        """The questions that have been begun, the one asked now last."""
        ...

    @property
    def termination(self) -> str:
        """How the match ended, empty while it goes on."""
        ...

    @property
    def waived(self) -> tuple[str, ...]:
        """The clauses that were overruled, in order."""
        ...

    @property
    def adjusted(self) -> tuple[int, ...]:
        """Points given by hand, by seat."""
        ...


S = TypeVar("S", bound=Playing)
H = TypeVar("H")

TURN = "action"
"""The question of a turn in which nothing has been begun."""

Lists = Callable[[S, H | None], list[Choice]]
Effect = Callable[[S, str], S]
Possible = Callable[[S, str, H | None], bool]


def question(state: Playing) -> str:
    """The name of the question a state asks."""
    return state.frames[-1].question if state.frames else TURN


class Rulebook(Rules[S], Generic[S, H]):
    """:class:`engines.contract.Rules` from chapters; a game inherits it and adds what is its own.

    ``H`` is what somebody is known to hold: lists are asked with None for what the referee knows, and with a
    hand for what its owner sees.
    """

    def __init__(self) -> None:
        """Without a chapter; importing a chapter registers it."""
        self.checks: Checks[S] = Checks()
        self.check = self.checks.check
        self._lists: dict[str, Lists[S, H]] = {}
        self._effects: dict[str, Effect[S]] = {}
        self._possible: dict[str, Possible[S, H]] = {}

    def lists(self, *questions: str) -> Callable[[Lists[S, H]], Lists[S, H]]:
        """Register the decorated function as the fast list of these questions."""
        return _registrar(self._lists, questions)

    def effect(self, *questions: str) -> Callable[[Effect[S]], Effect[S]]:
        """Register the decorated function as what an answer to these questions does."""
        return _registrar(self._effects, questions)

    def possible(self, *questions: str) -> Callable[[Possible[S, H]], Possible[S, H]]:
        """Register whether the pieces allow an answer to these questions, whatever the rules say.

        Where a question has none, they allow whatever answers it.
        """
        return _registrar(self._possible, questions)

    # What a game says of itself

    def broken(self, state: S) -> set[str]:
        """The clauses that a state breaks and that may be waived."""
        return set()

    def knowing_less(self, state: S) -> Iterable[S]:
        """The state, then with ever less known, for an overruled choice that contradicts what is known."""
        return (state,)

    def stands(self, before: S, choice: Choice) -> bool:
        """Whether a choice in a state with waived clauses is one by the rules, and so breaks no more."""
        return bool(self.by_rule(before))

    # What there is to choose

    def by_rule(self, state: S, held: H | None = None) -> list[Choice]:
        """Every choice that the rules allow, in the domain's order."""
        return [] if state.termination else self._lists[question(state)](state, held)

    def choices(self, state: S, held: H | None = None) -> list[Choice]:
        """The same; where a clause was overruled and nothing is legal, what the pieces allow."""
        found = self.by_rule(state, held)
        if found or not state.waived or state.termination:
            return found
        pending = self.pending(state)
        assert not isinstance(pending, Over)
        answers = (Choice(pending.question, token) for token in pending.domain.tokens)
        return [choice for choice in answers if self.leads_on(state, choice, held) is not None]

    def leads_on(self, state: S, choice: Choice, held: H | None = None) -> S | None:
        """The state after a choice that the pieces allow and that can be played on from, None for another."""
        allows = self._possible.get(choice.question)
        if allows and not allows(state, choice.token, held):
            return None
        after = self.play(state, choice)
        return after if after.termination or self.choices(after, self.still(after, held)) else None

    def still(self, after: S, held: H | None) -> H | None:
        """What is held after a choice, as far as it is known without asking again."""
        return held

    def play(self, state: S, choice: Choice) -> S:
        """The state after ``choice``."""
        return self._effects[choice.question](state, choice.token)

    # The contract

    def legal(self, state: S, seat: int | None = None, /) -> list[Choice]:
        """Every choice that is certain or possible; by what the pieces allow where nothing else is left."""
        return self.choices(state) if state.waived else self.by_rule(state)

    def why_not(self, state: S, choice: Choice, seat: int | None = None, /) -> Refusal | None:
        """The first check that refuses, unless the choice stands in where a clause was overruled."""
        refusal = self.checks.why_not(state, choice)
        return None if refusal and state.waived and choice in self.choices(state) else refusal

    def apply(self, state: S, choice: Choice, /) -> S:
        """The state after a legal choice; one that only stands in may break more clauses."""
        if not state.waived:
            return self.play(state, choice)
        after = self.play(state, choice)
        return after if self.stands(state, choice) else waive(after, self.broken(after))

    def overrule(self, state: S, choice: Choice, clause: str, seat: int | None = None, /) -> S:
        """The state after ``choice``, ``clause`` waived with all else that it breaks."""
        state = waive(state, {clause})
        for known in self.knowing_less(state):
            after = self.leads_on(known, choice)
            if after is not None:
                return waive(after, self.broken(after))
        raise Impossible(self.checks.why_not(state, choice) or Refusal("", clause))

    def adjust(self, state: S, seat: int, points: int, /) -> S:
        """The points are kept beside those of play."""
        given = tuple(old + points * (each == seat) for each, old in enumerate(state.adjusted))
        return changed(state, adjusted=given)

    def reveal(self, state: S, choices: Sequence[Choice], /) -> S:
        """Nobody chooses unseen, by default."""
        raise TypeError("no simultaneous choices")

    def legal_for(self, state: S, seat: int, held: str, /) -> list[Choice]:
        """The list of a seat that sees what it holds; empty where another is asked."""
        hand = self.hand(state, seat, held)
        asked = self.pending(state)
        if not isinstance(asked, Decide) or asked.seats != (seat,):
            return []
        return self.choices(state, hand)

    def hand(self, state: S, seat: int, held: str) -> H:
        """What ``held`` says that ``seat`` holds; raises Malformed where that cannot be."""
        raise Malformed("the game has no hidden pieces to tell of")

    def likely(self, state: S, choice: Choice, /) -> int:
        """All alike."""
        return 0

    def exposes(self, state: S, choice: Choice, /) -> bool:
        """Nothing is hidden."""
        return False

    def fact(self, state: S, key: Key, /) -> int:
        """No refusal rests on knowledge."""
        raise KeyError(f"no fact {key[0]!r}")

    def seen(self, state: S, /) -> str:
        """Earlier answers say nothing."""
        return ""

    def start(self, setup: Setup, /) -> S:
        """A game's own."""
        raise NotImplementedError

    def pending(self, state: S, /) -> Pending:
        """A game's own."""
        raise NotImplementedError

    def seated(self, state: S, /) -> int:
        """As many as points are kept for."""
        return len(state.adjusted)


def waive(state: S, clauses: set[str]) -> S:
    """The state with ``clauses`` overruled besides those that were."""
    return changed(state, waived=tuple(sorted(clauses | set(state.waived))))


def changed(state: S, **fields: Any) -> S:
    """The state with other ``fields``; states of all games are Structs."""
    made: S = replace(state, **fields)  # type: ignore[type-var]
    return made


T = TypeVar("T")


def _registrar(register: dict[str, T], questions: tuple[str, ...]) -> Callable[[T], T]:
    def registered(function: T) -> T:
        for each in questions:
            if each in register:
                raise ValueError(f"question {each!r} is there twice")
            register[each] = function
        return function

    return registered
