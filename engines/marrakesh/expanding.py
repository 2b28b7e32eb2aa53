"""Expansions (MK-17): how they change the base game, which names none, and which a match is played with.

A rule that some expansion changes is marked where it stands; the expansion's chapter says what is otherwise
while it is played, with the rule as it would be without it at hand::

    @varies
    def dates(state, colour):                      # in the base game's chapter
        return tiles.DATES[colour]

    @madrasa.dates.changed_by("imam_and_sultan")   # in the expansion's
    def change_dates(below, state, colour):
        return max(0, below(state, colour) - (holds(state, SULTAN)))

What an expansion adds (an option, questions, pieces, points) is its record, :class:`Expansion`, that
its chapter registers with :func:`expand`.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import lru_cache, partial, update_wrapper
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

import msgspec
from msgspec.structs import replace

from engines.contract import Booking, Figures, Label, Option, Problem, Zone
from engines.kit import Form, of_variant, variant
from engines.marrakesh.state import OPTIONS as BASE
from engines.marrakesh.state import State, Variant

P = ParamSpec("P")
R = TypeVar("R")


class Varies(Generic[P, R]):
    """A rule, and what each expansion has it say instead; several change it in the order in which they are
    registered, each over the one before.
    """

    def __init__(self, rule: Callable[Concatenate[State, P], R]) -> None:
        """Take the rule of the base game."""
        self._rule = rule
        self._changes: list[tuple[str, Callable[..., R]]] = []
        self._made: dict[frozenset[str], Callable[..., R]] = {frozenset(): rule}
        update_wrapper(self, rule)

    def __call__(self, state: State, /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Return what the rule says with the expansions of this match."""
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
    """Mark a rule that expansions change: ``NAME.changed_by`` is where each does."""
    return Varies(rule)


K = TypeVar("K", bound=msgspec.Struct)


def kept(state: State, kind: type[K]) -> K:
    """Return the value of this kind that its expansion keeps; raises LookupError if it is not played."""
    for each in state.beside:
        if type(each) is kind:
            return each
    raise LookupError(f"no expansion of this match keeps {kind.__name__}")


def keeping(state: State, value: msgspec.Struct) -> State:
    """Return the state in which an expansion keeps ``value`` instead of what it kept."""
    beside = tuple(value if type(each) is type(value) else each for each in state.beside)
    return msgspec.structs.replace(state, beside=beside)


def _none(*_: Any) -> Iterator[Any]:
    return iter(())


class Expansion(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that an expansion adds to the base game."""

    option: Option
    """Its second value plays it."""
    laid: Callable[[int], Figures] = lambda _: ()
    """The figures of what hands lay out of it at a table of so many seats."""
    keeps: type[msgspec.Struct] | None = None
    """What the expansion has lie on the table, as it is at first; None for nothing."""
    fields: Mapping[str, Form] = {}
    """How the fields of what it keeps are written in a position, by their names."""
    problems: Callable[[State], Iterator[Problem]] = _none
    """What can be wrong with that."""
    bookings: Callable[[State, int], Iterator[Booking]] = _none
    """What a seat scores at the end."""
    zones: Callable[[State, int | None], Iterator[Zone]] = _none
    """What lies before a seat, or before all."""
    questions: Collection[str] = ()
    """Its questions, which are asked only where it is played."""
    hands: Callable[[State, State, int], Iterator[Label]] = _none
    """What hands do before a seat between two states."""

    @property
    def name(self) -> str:
        """The name of its option."""
        return self.option.name


EXPANSIONS: list[Expansion] = []
"""All that are registered, in the order of the rules."""


def expand(expansion: Expansion) -> Expansion:
    """Register what an expansion adds, and return it."""
    insort(EXPANSIONS, expansion, key=lambda each: each.option.clause)
    return expansion


# What is played


def declared() -> tuple[Option, ...]:
    """Return all options: those of the base game, then one for each expansion."""
    return (*BASE, *(each.option for each in EXPANSIONS))


def variant_of(seats: int, told: Mapping[str, str]) -> Variant:
    """Return the variant of so many seats with these options, a value of each by name."""
    named = (each.option for each in EXPANSIONS)
    played = frozenset(option.name for option in named if told[option.name] != option.values[0])
    return replace(variant(Variant, BASE, seats, told), expansions=played)


@lru_cache(8)
def options(variant: Variant) -> Mapping[str, str]:
    """Return the options of a variant, a value of each by name."""
    return of_variant(BASE, variant) | {
        each.name: each.option.values[each.name in variant.expansions] for each in EXPANSIONS
    }


@lru_cache(8)
def expansions(variant: Variant) -> tuple[Expansion, ...]:
    """Return the expansions that are played."""
    return tuple(each for each in EXPANSIONS if each.name in variant.expansions)


def played(state: State) -> tuple[Expansion, ...]:
    """Return the expansions of a match."""
    return expansions(state.variant) if state.variant.expansions else ()
