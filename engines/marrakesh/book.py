"""The rulebook that the chapters register in: the machine of effects, and rules that expansions change.

A bonus, a tile and a step of the round each have an :class:`.Effect`. It waits among the frames of the state
until the questions above it are answered; then the function that its chapter registered with :func:`happens`
runs, which may push more frames. So bonuses nest to any depth, and every prefix of a chain is a state. On
tiles and in positions effects are *words* (:func:`effect_of`): ``water``, ``river3``, ``deploy_t``,
``use_b``, whose subject is the seat ``b``::

    @happens("river")
    def happen_river(state, effect): ...   # effect.times is 3 for "river3"

The base game names no expansion (MK-17). It marks a rule that some expansion changes; the expansion's chapter
has the change, a function that gets the rule without it as ``below``::

    @Varies
    def due(state, dates):                         # in the base game's chapter
        return dates

    @madrasa.due.changed_by("imam_and_sultan")     # in the expansion's
    def change_due(below, state, dates):
        return max(0, below(state, dates) - walks_with(state, SULTAN))

An :class:`Expansion` has all that an expansion adds (an option, questions, pieces, points); its chapter
registers it with :func:`expand`.
"""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial, update_wrapper
from typing import Any, Concatenate, Generic, NamedTuple, ParamSpec, TypeVar

import msgspec
from msgspec.structs import replace

from engines import bags
from engines.contract import SEATS, Booking, Choice, Figures, Key, Label, Option, Problem, Zone
from engines.errors import Malformed
from engines.kit import Form, Rulebook, heard, note, of_variant, unheard, variant
from engines.marrakesh.facts import look_up
from engines.marrakesh.frames import ONCE, Effect, Frame, Print
from engines.marrakesh.state import FINISHED, State, Variant
from engines.marrakesh.state import OPTIONS as BASE

# Effects


class Nothing(msgspec.Struct, frozen=True):
    """A note: the effect or the unanswerable question ``of`` this name changed nothing."""

    of: str


class AnsweredAlone(msgspec.Struct, frozen=True):
    """A note: the question ``of`` this state had one answer, which was given without asking anybody."""

    of: State
    choice: Choice


Happening = Callable[[State, Effect], State]
Needs = Callable[[State, Effect], Iterable[str]]


class Registered(NamedTuple):
    """An effect as its chapter registered it: its function, the pattern of its subject, the facts of the copy
    that it needs first, and True if its subject is the seat to ask.
    """

    happening: Happening
    subject: re.Pattern[str]
    needs: Needs | None
    seated: bool


_HAPPENINGS: dict[str, Registered] = {}
SOME = range(1, 1000)
"""The numbers of a frame that counts."""
SEAT = f"[{SEATS}]"
"""The pattern of a subject that is a seat."""


def happens(*names: str, subject: str = "", needs: Needs | None = None) -> Callable[[Happening], Happening]:
    """Register the decorated function for the effects of these names; it gets the state without the effect.

    ``subject`` is the pattern of their subjects, by default none; a seat as subject is asked. The table is
    first asked for the unknown facts that the effect ``needs``.
    """

    def register(happening: Happening) -> Happening:
        for name in names:
            if name in _HAPPENINGS:
                raise ValueError(f"effect {name!r} is there twice")
            _HAPPENINGS[name] = Registered(happening, re.compile(subject), needs, subject == SEAT)
        return happening

    return register


@lru_cache(4096)
def effect_of(word: str, why: str = "", source: str = "") -> Effect:
    """Return the effect of a word; raises Malformed for a word without an effect.

    A word is a name (``all_links``), a name with a number (``river3``), or a name with a subject behind its
    last low line (``deploy_t``).
    """
    name, subject, number = word, "", ONCE
    if name not in _HAPPENINGS:
        name, _, subject = word.rpartition("_")
    if not name:
        name = word.rstrip("0123456789")
        subject, number = "", int(word[len(name) :] or ONCE)
    if name not in _HAPPENINGS or not _HAPPENINGS[name].subject.fullmatch(subject):
        raise Malformed("{word!r} is not what any tile or step of a round does", word)
    return Effect(name, subject, number, why, source)


class Book(Rulebook[State]):
    """The rulebook, and the machine of effects."""

    def settled(self, state: State) -> State:
        """Return the state after all effects before the next question."""
        frames = state.frames
        while frames and isinstance(effect := frames[-1], Effect):
            happening, _, needs, seated = _HAPPENINGS[effect.name]
            seat = SEATS.index(effect.subject) if seated else state.seat
            below = replace(state, frames=frames[:-1], seat=seat)
            asks = ask_unknown(below, effect, *needs(below, effect)) if needs else None
            state = asks or happening(below, effect)
            if state is below:
                note(Nothing(effect.name))
            frames = state.frames
        return state

    def fact(self, state: State, key: Key) -> int:
        """Return the number of keshis of a kind in the tower, ``("inside", kind)``."""
        name, kind = key
        if name == "inside":
            return bags.count(state.inside, kind)
        raise KeyError(f"no fact {name!r}")

    def ask(self, state: State, frame: Frame) -> State:
        """Return the state that asks the seat; a single answer is given, a question without answers is
        dropped.

        A question that continues the step of such an answer begins a step of its own.
        """
        state = state.asking(frame)
        found = unheard(self.lists_at, state)
        if len(found) > 1:
            return state
        if not found and not state.waived and self.domain(state).listed:
            note(Nothing(frame.question))
            return state.answered()
        if not found:
            return state
        note(AnsweredAlone(state, found[0]))
        after = self._effects[frame.question](state, found[0].token)
        if frame.open or not after.frames or not after.frames[-1].open:
            return after
        return after.answered(replace(after.frames[-1], open=False))

    def by_itself(self, state: State, choices: Sequence[Choice]) -> list[AnsweredAlone]:
        """Return the questions with one answer that follow from choices."""
        with heard() as notes:
            for choice in choices:
                state = self.apply(state, choice)
        return [one for one in notes if isinstance(one, AnsweredAlone)]


BOOK = Book(ended={FINISHED: "MK-16.4"})


def ask_unknown(state: State, effect: Effect, *names: str) -> State | None:
    """Return the state that asks for the first unknown of these facts and then does the effect again; None if
    all are known.
    """
    fact = next((name for name in names if look_up(state.copy, name) is None), None)
    return state.asking(effect, Print(fact)) if fact else None


def ask_again(state: State, frame: Frame) -> State:
    """Return the state that asks a question again after the frames pushed on top of it."""
    return state.asking(frame, Effect("again"))


def asking(frame: Callable[[Effect], Frame]) -> Happening:
    """Return the function of an effect that asks the question of this ``frame``."""
    return lambda state, effect: BOOK.ask(state, frame(effect))


@happens("again")
def happen_again(state: State, _: Effect) -> State:
    """Ask the question below again."""
    return BOOK.ask(state.answered(), state.asked(Frame))


# Rules that expansions change

P = ParamSpec("P")
R = TypeVar("R")


class Varies(Generic[P, R]):
    """Decorator of a rule that expansions change with ``NAME.changed_by``, each on top of those before it."""

    def __init__(self, rule: Callable[Concatenate[State, P], R]) -> None:
        """Take the rule of the base game."""
        self._rule = rule
        self._changes: list[tuple[str, Callable[..., R]]] = []
        self._made: dict[frozenset[str], Callable[..., R]] = {frozenset(): rule}
        update_wrapper(self, rule)

    def __call__(self, state: State, /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Return the rule's result with the expansions of this match."""
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
        """Register the decorated function as the rule in matches with ``expansion``.

        It gets the rule without its change, then the rule's arguments.
        """

        def register(change: Callable[..., R]) -> Callable[..., R]:
            self._changes.append((expansion, change))
            self._made.clear()
            return change

        return register


K = TypeVar("K", bound=msgspec.Struct)


def find_pieces(state: State, kind: type[K]) -> K:
    """Return the pieces of this kind; raises LookupError in a match without their expansion."""
    for each in state.beside:
        if type(each) is kind:
            return each
    raise LookupError(f"no expansion of this match keeps {kind.__name__}")


def keep_pieces(state: State, value: msgspec.Struct) -> State:
    """Return the state with ``value`` in place of the pieces of its kind."""
    beside = tuple(value if type(each) is type(value) else each for each in state.beside)
    return replace(state, beside=beside)


def _yield_nothing(*_: Any) -> Iterator[Any]:
    return iter(())


class Expansion(msgspec.Struct, frozen=True, kw_only=True):
    """All that an expansion adds to the base game."""

    option: Option
    """The option whose second value plays it."""
    laid: Callable[[int], Figures] = lambda _: ()
    """The figures of its pieces laid out at set-up, by the number of seats."""
    keeps: type[msgspec.Struct] | None = None
    """The kind of its pieces on the table; its defaults are the set-up. None for an expansion without any."""
    fields: Mapping[str, Form] = {}
    """The forms of its pieces in a position, by the names of their fields."""
    problems: Callable[[State], Iterator[Problem]] = _yield_nothing
    """The faults of its pieces."""
    bookings: Callable[[State, int], Iterator[Booking]] = _yield_nothing
    """The points of a seat at the end."""
    zones: Callable[[State, int | None], Iterator[Zone]] = _yield_nothing
    """The zones in front of a seat, or of all."""
    questions: Collection[str] = ()
    """Its questions."""
    hands: Callable[[State, State, int], Iterator[Label]] = _yield_nothing
    """The work for hands in front of a seat between two states."""

    @property
    def name(self) -> str:
        """The name of its option."""
        return self.option.name


EXPANSIONS: list[Expansion] = []
"""All registered expansions, in the order of the rules."""


def expand(expansion: Expansion) -> Expansion:
    """Register an expansion, and return it."""
    insort(EXPANSIONS, expansion, key=lambda each: each.option.clause)
    return expansion


# The expansions of a match


def list_options() -> tuple[Option, ...]:
    """Return all options: those of the base game, then one for each expansion."""
    return (*BASE, *(each.option for each in EXPANSIONS))


def make_variant(seats: int, told: Mapping[str, str]) -> Variant:
    """Return the variant with these seats and options, a value of each by name."""
    named = (each.option for each in EXPANSIONS)
    played = frozenset(option.name for option in named if told[option.name] != option.values[0])
    return replace(variant(Variant, BASE, seats, told), expansions=played)


@lru_cache(8)
def tell_options(variant: Variant) -> Mapping[str, str]:
    """Return the options of a variant, a value of each by name."""
    return of_variant(BASE, variant) | {
        each.name: each.option.values[each.name in variant.expansions] for each in EXPANSIONS
    }


@lru_cache(8)
def list_expansions(variant: Variant) -> tuple[Expansion, ...]:
    """Return the expansions of a variant."""
    return tuple(each for each in EXPANSIONS if each.name in variant.expansions)


def list_played(state: State) -> tuple[Expansion, ...]:
    """Return the expansions of a match."""
    return list_expansions(state.variant) if state.variant.expansions else ()
