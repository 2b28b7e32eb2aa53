"""How expansions change the base game (MK-17), which names none of them.

A rule that some expansion changes is marked where it stands; the expansion's chapter says what is otherwise
while it is played, with the rule as it would be without it at hand::

    @varies
    def dates(state, colour):                      # in the base game's chapter
        return tiles.DATES[colour]

    @madrasa.dates.changed_by("imam_and_sultan")   # in the expansion's
    def change_dates(below, state, colour):
        return max(0, below(state, colour) - (holds(state, SULTAN)))

What an expansion adds (an option, questions in words, pieces, points) is its record, :class:`Expansion`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial, update_wrapper
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

import msgspec

from engines.contract import Booking, Choice, Label, Option, Zone
from engines.marrakesh.forms import Form
from engines.marrakesh.state import State

P = ParamSpec("P")
R = TypeVar("R")


class Varies(Generic[P, R]):
    """A rule, and what each expansion has it say instead; several change it in the order in which they are
    registered, each over the one before.
    """

    def __init__(self, rule: Callable[Concatenate[State, P], R]) -> None:
        """The rule of the base game."""
        self._rule = rule
        self._changes: list[tuple[str, Callable[..., R]]] = []
        self._made: dict[frozenset[str], Callable[..., R]] = {frozenset(): rule}
        update_wrapper(self, rule)

    def __call__(self, state: State, /, *args: P.args, **kwargs: P.kwargs) -> R:
        """What the rule says with the expansions of this match."""
        made = self._made.get(state.variant.expansions) or self._with(state.variant.expansions)
        return made(state, *args, **kwargs)

    def _with(self, played: frozenset[str]) -> Callable[..., R]:
        made: Callable[..., R] = self._rule
        for expansion, change in self._changes:
            if expansion in played:
                made = partial(change, made)
        self._made[played] = made
        return made

    def changed_by(self, expansion: str) -> Callable[[Callable[..., R]], Callable[..., R]]:
        """Register the decorated function as the rule while ``expansion`` is played.

        It gets the rule below it, then what that would get.
        """

        def register(change: Callable[..., R]) -> Callable[..., R]:
            self._changes.append((expansion, change))
            self._made.clear()
            return change

        return register


def varies(rule: Callable[Concatenate[State, P], R]) -> Varies[P, R]:
    """Mark a rule that expansions change."""
    return Varies(rule)


K = TypeVar("K", bound=msgspec.Struct)


def kept(state: State, kind: type[K]) -> K:
    """What the expansion with such a value keeps; raises LookupError where it is not played."""
    for each in state.beside:
        if type(each) is kind:
            return each
    raise LookupError(f"no expansion of this match keeps {kind.__name__}")


def keeping(state: State, value: msgspec.Struct) -> State:
    """The state in which an expansion keeps ``value`` instead of what it kept."""
    beside = tuple(value if type(each) is type(value) else each for each in state.beside)
    return msgspec.structs.replace(state, beside=beside)


Said = Callable[[State, Sequence[str]], Iterable[Label]]
"""What is said of a step that begins with some question, from its tokens."""
Tell = Callable[..., None]
"""How a problem is told: where, check, clause, figures."""


def _none(*_: Any) -> Iterator[Any]:
    return iter(())


class Expansion(msgspec.Struct, frozen=True, kw_only=True):
    """What an expansion adds to the base game, and how it is put into words."""

    option: Option
    """Its second value plays it."""
    laid: Callable[[int], Label]
    """What hands lay out of it at a table of so many seats."""
    keeps: Callable[[int], msgspec.Struct] | None = None
    """What lies on the table of so many seats at first, None where the expansion keeps nothing."""
    fields: Mapping[str, Form] = {}
    """How the fields of what it keeps are written in a position, by their names."""
    problems: Callable[[State, Tell], object] = _none
    """What can be wrong with that."""
    never_waived: Collection[str] = ()
    """The checks of those problems that no overruled clause lets stand."""
    standing_on: Mapping[str, tuple[str, ...]] = {}
    """What may stand above a question that waits, by question."""
    last: Mapping[str, str] = {}
    """Categories that score at the end, with their clauses."""
    sources: Mapping[str, str] = {}
    """Sources of VP in categories of the base game, with their clauses."""
    bookings: Callable[[State, int], Iterator[Booking]] = _none
    """What a seat scores in them."""
    zones: Callable[[State, int | None], Iterator[Zone]] = _none
    """What lies before a seat, or before all."""
    words: Mapping[str, str] = {}
    """What stands before the answer to its questions in a match file."""
    labels: Mapping[str, Callable[[str], Label | None]] = {}
    """Words for an answer, by question."""
    said: Mapping[str, Said] = {}
    """What is said of a step, by the question that it begins with."""
    hands: Callable[[State, State, int], Iterator[Label]] = _none
    """What hands do before a seat between two states."""
    about: Collection[str] = ()
    """Questions that come in the midst of a turn, and say what they are about."""
    seen: Mapping[str, Callable[[State], str]] = {}
    """What its reports are about, by question: one about the same has been seen before people went back."""
    answers: Mapping[str, Callable[[State, Any], Choice]] = {}
    """What a table may report, by question, in a sampled world."""

    @property
    def name(self) -> str:
        """The name of its option."""
        return self.option.name
