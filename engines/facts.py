"""Table facts: what is printed on the owner's copy of a game and may stand in no sure source.

A game says in its :class:`Schema` (``engines/<game>/facts.py``) which facts it has. :class:`Facts` is what is
known of one copy. Nothing is guessed: a fact is confirmed by people, sure, likely and to be confirmed when it
first matters, or unknown. A match keeps the facts it uses in its set-up and header, so that a replay needs
nothing else (:mod:`engines.match_facts`).

>>> facts = Facts.of(schema("torres"))
>>> facts["cell_pitch"], facts.known("start_castles").standing
(None, <Standing.LIKELY: 'likely'>)
>>> facts.entered("cell_pitch", "22.5 mm")["cell_pitch"]
22.5
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import msgspec
from msgspec.structs import replace

from engines.contract import Figures, Label, Problem, Setup
from engines.errors import EngineError
from engines.fact_kinds import Fault, Kind, Unfit, Value, bare, read, take

RESERVED = ("format", "game", "copy", "sample", "digest")
"""Names no fact may have: what a copy's file says of itself."""


class Source(StrEnum):
    """Where a fact's default comes from."""

    SURE = "sure"  # two independent sources
    LIKELY = "likely"  # one, or not quite: to be confirmed when it first matters
    COPY = "copy"  # none: only the owner's copy tells


class Use(StrEnum):
    """What a fact is needed for."""

    PLAY = "play"  # to referee the match
    SIGHT = "sight"  # to read the table by camera


class Standing(StrEnum):
    """How well a fact is known."""

    CONFIRMED = "confirmed"  # people entered it, or said that their copy has it so
    SURE = "sure"
    LIKELY = "likely"
    UNKNOWN = "unknown"


class When(msgspec.Struct, frozen=True):
    """The match's ``option`` has one of ``values``; ``usual`` says whether it does where nobody chose."""

    option: str
    values: tuple[str, ...]
    usual: bool = False

    def holds(self, setup: Setup) -> bool:
        """Whether it is so in a match with this set-up."""
        chosen = dict(setup.options).get(self.option)
        return self.usual if chosen is None else chosen in self.values


class Fact(msgspec.Struct, frozen=True):
    """One thing to know of a copy.

    ``name`` is a word, or two with a point between them: a table and the entry in it. Only a match in which
    all of ``when`` holds needs it, and with ``set_up`` only one that begins with the usual set-up. Where it
    ``may_wait``, a match may begin while it is unknown.
    """

    name: str
    kind: Kind
    clause: str
    source: Source = Source.COPY
    default: Value = None
    uses: tuple[Use, ...] = (Use.PLAY,)
    when: tuple[When, ...] = ()
    set_up: bool = False
    may_wait: bool = True

    @property
    def table(self) -> str:
        """The table that it is an entry of, empty for none."""
        return self.name.rpartition(".")[0]

    @property
    def label(self) -> Label:
        """What people call it: a table's entries share a text, filled with their ``key``."""
        table, _, key = self.name.rpartition(".")
        return Label(f"fact.{table or key}", (("key", key),))

    def needed(self, setup: Setup, uses: Iterable[Use] = tuple(Use)) -> bool:
        """Whether a match needs it for one of ``uses``."""
        begun = self.set_up and bool(setup.position)
        return not begun and bool({*uses} & {*self.uses}) and all(one.holds(setup) for one in self.when)

    def problem(self, fault: Fault) -> Problem:
        """What is wrong with a value of it, as a problem that names it and its clause."""
        where = self.name + "".join(
            f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in fault.path
        )
        return Problem(where, fault.check, self.clause, fault.figures)


def table(
    name: str,
    keys: Sequence[str],
    kind: Kind,
    clause: str,
    *,
    sure: Mapping[str, Value] | None = None,
    likely: Mapping[str, Value] | None = None,
    **more: Any,
) -> tuple[Fact, ...]:
    """A fact for each of ``keys``, all of one kind: each is entered, confirmed and asked for by itself.

    ``sure`` and ``likely`` are the defaults of those that have one; ``more`` is as in :class:`Fact`.
    """
    facts = []
    for key in keys:
        source, default = Source.COPY, None
        for mark, known in ((Source.LIKELY, likely or {}), (Source.SURE, sure or {})):
            if key in known:
                source, default = mark, known[key]
        facts.append(Fact(f"{name}.{key}", kind, clause, source, default, **more))
    return tuple(facts)


class Check(msgspec.Struct, frozen=True):
    """What must hold between the facts ``about``: ``fails`` gets their values, all known, and returns the
    figures of what is wrong, or None.
    """

    name: str
    about: tuple[str, ...]
    clause: str
    fails: Callable[..., Figures | None]


class BadFact(EngineError):
    """A fact that there is not, or a value that does not fit it; ``problems`` is everything wrong."""

    def __init__(self, message: str, problems: Sequence[Problem] = ()) -> None:
        """``message`` is one line."""
        super().__init__(message)
        self.problems = tuple(problems)


class Schema:
    """The facts of one game, iterated in the order in which people are asked."""

    def __init__(self, game: str, facts: Iterable[Fact] = (), checks: Sequence[Check] = ()) -> None:
        """Raises ValueError for a fact there twice, one without or with too much default, a default that
        does not fit or a name that means something else.
        """
        self.game = game
        self.facts = tuple(facts)
        self.checks = tuple(checks)
        self._places = {fact.name: place for place, fact in enumerate(self.facts)}
        if len(self._places) < len(self.facts):
            names = [fact.name for fact in self.facts]
            raise ValueError(f"{game}: fact {next(n for n in names if names.count(n) > 1)} is there twice")
        for fact in self.facts:
            if fact.name in RESERVED or fact.name.count(".") > 1 or fact.table in self._places:
                raise ValueError(f"{game}: a fact cannot be called {fact.name}")
            if (fact.default is None) is not (fact.source is Source.COPY):
                raise ValueError(f"{game}: {fact.name} is {fact.source} with default {fact.default!r}")
            if fact.default is not None and take(fact.kind, bare(fact.kind, fact.default)) != fact.default:
                raise ValueError(f"{game}: {fact.name} has a default that is not in order")
        for check in self.checks:
            for name in check.about:
                self.fact(name)

    def __iter__(self) -> Iterator[Fact]:
        """All facts in order."""
        return iter(self.facts)

    def __len__(self) -> int:
        """How many there are."""
        return len(self.facts)

    def __contains__(self, name: object) -> bool:
        """Whether there is a fact of that name."""
        return name in self._places

    def place(self, name: str) -> int:
        """Where a fact stands among the others; raises :class:`BadFact` naming the nearest."""
        if name not in self._places:
            hint = f"; did you mean {self.nearest(name)}?" if self._places else ""
            raise BadFact(f"{self.game} has no fact {name!r}{hint}")
        return self._places[name]

    def fact(self, name: str) -> Fact:
        """The fact of that name; raises :class:`BadFact` naming the nearest."""
        return self.facts[self.place(name)]

    def nearest(self, name: str) -> str:
        """The fact whose name looks most like ``name``, empty where there are none."""
        return next(iter(difflib.get_close_matches(name.lower(), self._places, n=1, cutoff=0.0)), "")


class Known(msgspec.Struct, frozen=True):
    """A fact's value, None while it is unknown, and how well it is known."""

    value: Value = None
    standing: Standing = Standing.UNKNOWN


class Facts(msgspec.Struct, frozen=True):
    """What is known of one copy: a :class:`Known` for each fact of the schema, in its order.

    ``copy`` is what the owner calls it; a ``sample`` is made up and marked wherever it is used.
    """

    schema: Schema
    states: tuple[Known, ...]
    copy: str = ""
    sample: bool = False

    @classmethod
    def of(cls, schema: Schema, copy: str = "") -> Facts:
        """A copy that nobody has looked at yet: only the defaults are known."""
        return cls(schema, tuple(map(_default, schema)), copy)

    def known(self, name: str) -> Known:
        """What is known of a fact; raises :class:`BadFact` for one there is not."""
        return self.states[self.schema.place(name)]

    def __getitem__(self, name: str) -> Value:
        """A fact's value, its default where nobody has confirmed it yet, None while it is unknown."""
        return self.known(name).value

    @property
    def confirmed(self) -> dict[str, Value]:
        """The values that people entered or confirmed, by name."""
        return {
            fact.name: known.value
            for fact, known in zip(self.schema, self.states, strict=True)
            if known.standing is Standing.CONFIRMED
        }

    def confirm(self, name: str, raw: object) -> Facts:
        """With the value that people gave, as TOML or JSON holds it.

        Raises :class:`BadFact` where it does not fit, by itself or beside what else is known.
        """
        return self._with(self.schema.fact(name), lambda kind: take(kind, raw))

    def entered(self, name: str, text: str) -> Facts:
        """The same with a value in its text form."""
        return self._with(self.schema.fact(name), lambda kind: read(kind, text))

    def _with(self, fact: Fact, taken: Callable[[Kind], Value]) -> Facts:
        try:
            value = taken(fact.kind)
        except Unfit as unfit:
            found = [fact.problem(fault) for fault in unfit.faults]
            raise BadFact(f"{fact.name}: {unfit}", found) from None
        facts = self.known_as(fact.name, Known(value, Standing.CONFIRMED))
        broken = [check for check in self.schema.checks if fact.name in check.about]
        if found := [one for check in broken if (one := _broken(facts, check))]:
            raise BadFact(f"{fact.name}: {', '.join(one.check for one in found)}", found)
        return facts

    def forget(self, name: str) -> Facts:
        """With a fact as if nobody had looked: its default, or unknown."""
        return self.known_as(name, _default(self.schema.fact(name)))

    def known_as(self, name: str, known: Known) -> Facts:
        """With just that known of a fact, unchecked; raises :class:`BadFact` for one there is not."""
        place = self.schema.place(name)
        return replace(self, states=(*self.states[:place], known, *self.states[place + 1 :]))


def _default(fact: Fact) -> Known:
    standing = Standing.UNKNOWN if fact.source is Source.COPY else Standing(fact.source.value)
    return Known(fact.default, standing)


@cache
def schema(game: str) -> Schema:
    """The facts of the game with this id; none where it has no module for them."""
    module = f"engines.{game}.facts"
    try:
        found = find_spec(module) is not None
    except ModuleNotFoundError:
        found = False
    loaded: Schema = import_module(module).SCHEMA if found else Schema(game)
    return loaded


def needed(facts: Facts, setup: Setup, uses: Iterable[Use] = tuple(Use)) -> list[tuple[Fact, Known]]:
    """What a match with this set-up needs of the copy, and what is known of it."""
    states = zip(facts.schema, facts.states, strict=True)
    return [(fact, known) for fact, known in states if fact.needed(setup, uses)]


def missing(facts: Facts, setup: Setup, uses: Iterable[Use] = tuple(Use)) -> list[Fact]:
    """What must be asked before a match with this set-up."""
    return [fact for fact, known in needed(facts, setup, uses) if known.standing is Standing.UNKNOWN]


def unconfirmed(facts: Facts, setup: Setup, uses: Iterable[Use] = tuple(Use)) -> list[Fact]:
    """What is likely and is to be confirmed before a match with this set-up."""
    return [fact for fact, known in needed(facts, setup, uses) if known.standing is Standing.LIKELY]


def problems(facts: Facts) -> list[Problem]:
    """What contradicts itself between facts that fit one by one; ``where`` names them all."""
    return [found for check in facts.schema.checks if (found := _broken(facts, check))]


def _broken(facts: Facts, check: Check) -> Problem | None:
    values = [facts[name] for name in check.about]
    if any(value is None for value in values):
        return None
    figures = check.fails(*values)
    return None if figures is None else Problem(" ".join(check.about), check.name, check.clause, figures)


class Difference(msgspec.Struct, frozen=True):
    """A fact that two copies have otherwise."""

    fact: Fact
    one: Known
    other: Known


def differences(one: Facts, other: Facts) -> list[Difference]:
    """Where two copies of a game differ, in the order of its facts; raises ValueError for two games."""
    if one.schema.game != other.schema.game:
        raise ValueError(f"a copy of {one.schema.game} and one of {other.schema.game}")
    pairs = zip(one.schema, one.states, other.states, strict=True)
    return [Difference(fact, mine, yours) for fact, mine, yours in pairs if mine != yours]
