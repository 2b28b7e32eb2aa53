"""The rulebook that the chapters are written in: the machine of effects, and rules that expansions change.

What a bonus, a tile or a step of the round does is an :class:`.Effect`. It waits among the frames of the
state until the questions above it are answered; then what its chapter registered with :func:`happens` is
done, which may push more frames. So bonuses nest as deep as they like, and every prefix of a chain is a
state. On tiles and in positions effects are *words* (:func:`effect_of`): ``water``, ``river3``, ``deploy_t``,
``use_b``::

    @happens("river")
    def happen_river(state, effect): ...   # effect.times is 3 for "river3", effect.what is "t" for "deploy_t"

The base game names no expansion (MK-17). A rule that some expansion changes is marked where it stands; the
expansion's chapter says what is otherwise while it is played, with the rule as it would be without it at
hand::

    @varies
    def due(state, dates):                         # in the base game's chapter
        return dates

    @madrasa.due.changed_by("imam_and_sultan")     # in the expansion's
    def change_due(below, state, dates):
        return max(0, below(state, dates) - walks_with(state, SULTAN))

What an expansion adds (an option, questions, pieces, points) is its record, :class:`Expansion`, that its
chapter registers with :func:`expand`.
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
from engines.marrakesh.facts import known
from engines.marrakesh.state import FINISHED, ONCE, Effect, Frame, State, Variant
from engines.marrakesh.state import OPTIONS as BASE

# Effects


class Nothing(msgspec.Struct, frozen=True):
    """An effect ``of`` this name, or a question that had no answer, changed nothing."""

    of: str


class AnsweredAlone(msgspec.Struct, frozen=True):
    """A question ``of`` this state had one answer, which was given without asking anybody."""

    of: State
    choice: Choice


Happening = Callable[[State, Effect], State]
Needs = Callable[[State, Effect], Iterable[str]]


class Registered(NamedTuple):
    """An effect as its chapter registered it: what happens, the pattern of its words' argument, the facts of
    the copy that must be known first, and if its argument is the seat that is asked.
    """

    happening: Happening
    what: re.Pattern[str]
    needs: Needs | None
    seated: bool


_HAPPENINGS: dict[str, Registered] = {}
SOME = range(1, 1000)
"""Numbers of a frame that counts something."""
SEAT = f"[{SEATS}]"
"""The pattern of an argument that is a seat."""


def happens(*names: str, what: str = "", needs: Needs | None = None) -> Callable[[Happening], Happening]:
    """Register the decorated function as what words of these names do; the word's frame is gone by then.

    ``what`` is the pattern of their arguments, none by default; a seat that is named is asked. Facts that it
    ``needs`` and that nobody has confirmed are told first.
    """

    def register(happening: Happening) -> Happening:
        for name in names:
            if name in _HAPPENINGS:
                raise ValueError(f"effect {name!r} is there twice")
            _HAPPENINGS[name] = Registered(happening, re.compile(what), needs, what == SEAT)
        return happening

    return register


@lru_cache(4096)
def effect_of(word: str, why: str = "", source: str = "") -> Effect:
    """Return the effect that a word stands for. Digits at its end say how often or how many, what follows its
    last low line is what it is about, unless the whole word is a name (``all_links``). Raises Malformed for a
    word that is none.
    """
    name, what, n = word, "", ONCE
    if name not in _HAPPENINGS:
        name, _, what = word.rpartition("_")
    if not name:
        name = word.rstrip("0123456789")
        what, n = "", int(word[len(name) :] or ONCE)
    if name not in _HAPPENINGS or not _HAPPENINGS[name].what.fullmatch(what):
        raise Malformed("{word!r} is not what any tile or step of a round does", word=word)
    return Effect(name, what, n, why, source)


class Book(Rulebook[State]):
    """The rulebook, and the machine of effects; nothing is told of what is hidden."""

    def settled(self, state: State) -> State:
        """Return the state after every effect that comes next without anybody being asked."""
        frames = state.frames
        while frames and isinstance(effect := frames[-1], Effect):
            happening, _, needs, seated = _HAPPENINGS[effect.name]
            seat = SEATS.index(effect.what) if seated else state.seat
            below = replace(state, frames=frames[:-1], seat=seat)
            asks = once_known(below, effect, *needs(below, effect)) if needs else None
            state = asks or happening(below, effect)
            if state is below:
                note(Nothing(effect.name))
            frames = state.frames
        return state

    def fact(self, state: State, key: Key) -> int:
        """Return what was seen of the tower, ``("inside", kind)``; no other refusal rests on that."""
        name, kind = key
        if name == "inside":
            return bags.count(state.inside, kind)
        raise KeyError(f"no fact {name!r}")

    def ask(self, state: State, frame: Frame) -> State:
        """Return the state in which the seat is asked; what has one answer is answered, what has none lapses.

        What would go on with the step of an answer that nobody gave begins a step of its own.
        """
        state = state.asking(frame)
        found = unheard(self.by_rule, state)
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
        """Return the questions that choices bring about and that have one answer."""
        with heard() as notes:
            for choice in choices:
                state = self.apply(state, choice)
        return [one for one in notes if isinstance(one, AnsweredAlone)]


BOOK = Book(ended={FINISHED: "MK-16.4"})


def lacking(state: State, names: Iterable[str]) -> str:
    """Return the first of these facts that nobody has confirmed of this copy, empty for none."""
    for name in names:
        if known(state.copy, name) is None:
            return name
    return ""


def once_known(state: State, effect: Effect, *names: str) -> State | None:
    """Return the state that asks for the first unknown of these facts of the copy and then does the effect
    again.

    None if all are known.
    """
    fact = lacking(state, names)
    return state.asking(effect, Frame("print", fact)) if fact else None


def asked_again(state: State, frame: Frame) -> State:
    """Return the state in which a question is asked once more after what is pushed on top of it."""
    return state.asking(frame, Effect("again"))


def asking(question: str, *kept: str, what: str = "") -> Happening:
    """Return what asks a question, whose frame is about ``what`` and has these fields of the effect."""

    def ask(state: State, effect: Effect) -> State:
        fields: dict[str, Any] = {name: getattr(effect, "times" if name == "n" else name) for name in kept}
        return BOOK.ask(state, Frame(question, **{"what": what} | fields))

    return ask


@happens("again")
def happen_again(state: State, _: Effect) -> State:
    return BOOK.ask(state.answered(), state.asked)


# Rules that expansions change

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


# Expansions: what is played


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
