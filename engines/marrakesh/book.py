"""The rulebook that the chapters are written in, and the machine of effects.

What a bonus, a tile or a step of the round does is an :class:`.Effect`. It waits among the frames of the
state until the questions above it are answered; then what its chapter registered with :func:`happens` is
done, which may push more frames. So bonuses nest as deep as they like, and every prefix of a chain is a
state. On tiles and in positions effects are *words* (:func:`effect_of`): ``water``, ``river3``, ``deploy_t``,
``use_b``::

    @happens("river")
    def happen_river(state, effect): ...   # effect.times is 3 for "river3", effect.what is "t" for "deploy_t"
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from engines import bags
from engines.contract import SEATS, Choice, Key
from engines.errors import Malformed
from engines.kit import Rulebook, heard, note, unheard
from engines.marrakesh.facts import known
from engines.marrakesh.state import FINISHED, ONCE, Effect, Frame, State


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
