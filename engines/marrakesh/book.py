"""The rulebook that the chapters are written in, and the machine of effects.

Whatever a bonus, tile or step of the round does is a *word*: ``water``, ``river3``, ``deploy_t``, ``use_b``.
A word waits as a frame of the state until the questions above it are answered; then what its chapter
registered with :func:`happens` is done, which may push more frames. So bonuses nest as deep as they like, and
every prefix of a chain is a state. Digits at the end of a word say how often or how many, what follows its
last low line is its argument, unless the whole word is registered as a name (``all_links``)::

    @happens("river")
    def happen_river(state, effect): ...   # effect.n is 3 for "river3", effect.what is "t" for "deploy_t"
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from functools import lru_cache

import msgspec
from msgspec.structs import replace

from engines import bags
from engines.contract import SEATS, Choice, Key
from engines.kit.noting import note, unheard
from engines.kit.rulebook import Rulebook
from engines.marrakesh.facts import known
from engines.marrakesh.state import EFFECT, FINISHED, Frame, State, answered, asking


class Effect(msgspec.Struct, frozen=True):
    """A word read: its ``name``, its argument and its number; ``frame`` is where it stood."""

    name: str
    what: str
    n: int
    frame: Frame


class Nothing(msgspec.Struct, frozen=True):
    """An effect ``of`` this name, or a question that had no answer, changed nothing."""

    of: str


Happening = Callable[[State, Effect], State]
_HAPPENINGS: dict[str, tuple[Happening, re.Pattern[str]]] = {}
"""By name what happens, and the pattern of a word's argument."""
SEAT = f"[{SEATS}]"
"""The pattern of an argument that is a seat."""


def happens(*names: str, what: str = "") -> Callable[[Happening], Happening]:
    """Register the decorated function as what words of these names do; the word's frame is gone by then.

    ``what`` is the pattern of their arguments, none by default.
    """

    def register(happening: Happening) -> Happening:
        for name in names:
            if name in _HAPPENINGS:
                raise ValueError(f"effect {name!r} is there twice")
            _HAPPENINGS[name] = happening, re.compile(what)
        return happening

    return register


def is_effect(word: str) -> bool:
    """Whether some chapter knows the word and its argument."""
    name, what, _ = _split(word)
    return name in _HAPPENINGS and _HAPPENINGS[name][1].fullmatch(what) is not None


@lru_cache(4096)
def _split(word: str) -> tuple[str, str, int]:
    if word in _HAPPENINGS:
        return word, "", 1
    name, _, what = word.rpartition("_")
    if name:
        return name, what, 1
    plain, digits = re.fullmatch(r"(.*?)(\d*)", word).groups()  # type: ignore[union-attr]
    return plain, "", int(digits or 1)


_HEARD: ContextVar[list[tuple[State, Choice]] | None] = ContextVar("heard", default=None)
"""Where questions are kept that :meth:`Book.ask` answers itself, while somebody wants to know."""


class Book(Rulebook[State, None]):
    """What is asked, legal and happens; of what is hidden nobody tells."""

    _asked: tuple[State | None, list[Choice]] = None, []
    """The state that :meth:`ask` returned last, and its list: mostly it is what :meth:`legal` wants next."""

    def legal(self, state: State, seat: int | None = None, /) -> list[Choice]:
        """Every choice that is certain or possible."""
        asked, found = self._asked
        return found.copy() if asked is state else super().legal(state, seat)

    def settled(self, state: State) -> State:
        """The state after every effect that comes next without anybody being asked."""
        frames = state.frames
        while frames and (frame := frames[-1]).question == EFFECT:
            name, what, n = _split(frame.what)
            happening, _ = _HAPPENINGS[name]
            below = replace(state, frames=frames[:-1])
            state = happening(below, Effect(name, what, frame.n or n, frame))
            if state is below:
                note(Nothing(name))
            frames = state.frames
        return state

    def fact(self, state: State, key: Key) -> int:
        """No refusal rests on what was seen but for the tower's: ``("inside", kind)``."""
        name, kind = key
        if name == "inside":
            return bags.count(state.inside, kind)
        raise KeyError(f"no fact {name!r}")

    def ask(self, state: State, frame: Frame) -> State:
        """The state in which the seat is asked; what has one answer is answered, what has none lapses.

        What would go on with the step of an answer that nobody gave begins a step of its own.
        """
        state = asking(state, frame)
        found = unheard(self.by_rule, state)
        if len(found) > 1:
            self._asked = state, found
            return state
        if not found and not state.waived and self.domain(state).listed:
            note(Nothing(frame.question))
            return answered(state)
        if not found:
            return state
        if (heard := _HEARD.get()) is not None:
            heard.append((state, found[0]))
        after = self._effects[frame.question](state, found[0].token)
        if frame.open or not after.frames or not after.frames[-1].open:
            return after
        return answered(after, replace(after.frames[-1], open=False))

    def by_itself(self, state: State, choice: Choice) -> list[tuple[State, Choice]]:
        """The questions that a choice brings about and that have one answer: each state, with that one."""
        heard: list[tuple[State, Choice]] = []
        token = _HEARD.set(heard)
        try:
            self.play(state, choice)
        finally:
            _HEARD.reset(token)
        return heard


BOOK = Book(ended={FINISHED: "MK-16.4"})


def lacking(state: State, names: Iterable[str]) -> str:
    """The first of these facts that nobody has confirmed of this copy, empty for none."""
    for name in names:
        if known(state.copy, name) is None:
            return name
    return ""


def once_known(state: State, effect: Effect, *names: str) -> State | None:
    """None where these facts of the copy are known; else the state that asks for the first of them and then
    does the effect again.
    """
    fact = lacking(state, names)
    return asking(state, effect.frame, Frame("print", fact)) if fact else None


def asked_again(state: State, frame: Frame) -> State:
    """The state in which a question is asked once more after what is pushed on top of it."""
    return asking(state, frame, Frame(EFFECT, "again"))


@happens("again")
def happen_again(state: State, _: Effect) -> State:
    return BOOK.ask(answered(state), state.frames[-1])
