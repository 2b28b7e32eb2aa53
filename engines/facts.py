"""Facts of a copy: things printed on the owner's copy of a game that no sure source has.

A game's are in ``engines/<game>/facts.py``: a :class:`Copy` with a field for each fact and each table of
facts, and the conditions between them. :class:`Facts` is the knowledge of one copy. Nothing is guessed: a
fact is confirmed by people, sure, likely (to be confirmed when it first matters) or unknown. A match keeps
the facts that it needs in its set-up and header, so a replay anywhere needs nothing else.

>>> facts = Facts.of(schema("torres"))
>>> facts["cell_pitch"], facts.known["start_castles"].standing
(None, <Standing.LIKELY: 'likely'>)
>>> setup = with_facts(facts.confirm({"cell_pitch": 22.5}), Setup())
>>> setup.facts[:3]
(('fact.block_height', 'unknown'), ('fact.block_width', 'unknown'), ('fact.board_border', 'unknown'))
>>> of_match(schema("torres"), setup.facts)[0]["cell_pitch"]
22.5
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache, lru_cache
from importlib import import_module
from string import ascii_lowercase
from types import MappingProxyType
from typing import Annotated, Any, get_args, get_origin

import msgspec
from msgspec.structs import replace

from engines import module
from engines.contract import Figures, Level, Problem, Setup, Told
from engines.errors import EngineError, nearest
from engines.fact_kinds import Kind, fields_of, fit, opened, plainest, read, text, write

COPY_FIELD, SAMPLE_FIELD, FIELD = "facts.copy", "facts.sample", "fact."
"""Fields of a match's header about its copy; a fact's name follows the last."""


# The facts of a game


class Use(StrEnum):
    """The purpose that a fact is needed for."""

    PLAY = "play"  # to referee the match
    SIGHT = "sight"  # to read the table by camera


class Standing(StrEnum):
    """The certainty of a fact."""

    CONFIRMED = "confirmed"  # people entered it, or said that their copy has it
    SURE = "sure"  # two independent sources have it
    LIKELY = "likely"  # one source has it: to be confirmed when it first matters
    UNKNOWN = "unknown"  # only the owner's copy has it


Options = tuple[tuple[str, tuple[str, ...]], ...]
"""Options of a match, each with some values."""

UNKNOWN: Any = None
"""The default of a fact's field in a :class:`Copy`."""

MANY = 60
"""The most items of a list whose kind sets no limit."""

OPEN = (Standing.UNKNOWN, Standing.LIKELY)
"""The standings of facts that people have yet to look at."""


class Known(msgspec.Struct, frozen=True):
    """A fact's value, None while it is unknown, and its certainty."""

    value: Any = None
    standing: Standing = Standing.UNKNOWN


class Fact(msgspec.Struct, frozen=True):
    """One fact of a copy; it annotates a field of a :class:`Copy` that is unknown by default.

    A table is a dict whose keys are ``one_of`` some words. Each entry is a fact of its own, ``table.key``;
    ``default`` then has a :class:`Known` by key. A match needs a fact if all options of ``when`` and no
    option of ``unless`` have a value given there; with ``set_up`` only if it begins with the usual set-up.
    With ``may_wait`` a match may begin while it is unknown; only the game asks for a ``late`` one, when it
    first matters. A ``scored`` one is needed, too, for a final table that is entered by hand. ``names`` is
    the table of the game's texts whose a, b, c … this list of texts renames. ``name`` and ``kind`` are the
    field's.
    """

    clause: str
    default: Any = Known()
    use: Use = Use.PLAY
    when: Options = ()
    unless: Options = ()
    set_up: bool = False
    may_wait: bool = True
    late: bool = False
    scored: bool = False
    names: str = ""
    name: str = ""
    kind: Kind = None

    @property
    def table(self) -> str:
        """The table of this entry, empty for a fact outside tables."""
        return self.name.rpartition(".")[0]

    @property
    def key(self) -> str:
        """Its name within its table."""
        return self.name.rpartition(".")[2]

    def needed(self, setup: Setup, uses: Iterable[Use] = tuple(Use)) -> bool:
        """Return True if a match needs it for one of ``uses``."""
        chosen = dict(setup.options)
        return (
            self.use in uses
            and (self.scored or setup.level is not Level.SCORE)
            and not (self.set_up and setup.position)
            and all(chosen.get(option) in values for option, values in self.when)
            and not any(chosen.get(option) in values for option, values in self.unless)
        )


class FactCheck(msgspec.Struct, frozen=True):
    """A condition between the facts ``about``: ``fails`` gets their values, all known, and returns the
    figures of a fault, or None.

    An ``early`` one also judges the first items of a list: no further items mend what it finds.
    """

    name: str
    about: tuple[str, ...]
    clause: str
    fails: Callable[..., Figures | None]
    early: bool = False


class Copy(msgspec.Struct, frozen=True, kw_only=True):
    """The file of a copy, without its facts; a game's own adds a field for each fact.

    ``copy`` is the owner's name for it. A ``sample`` is made up. An export has a ``digest``.
    """

    format: int = 0
    game: str = ""
    copy: Annotated[str, text(32, least=0)] = ""
    sample: bool = False
    digest: str = ""


class BadFact(EngineError):
    """An unknown fact, or a value that does not fit; ``problems`` are faults of facts of ``schema``, which
    is None for an unknown fact.
    """

    def __init__(
        self, message: str, problems: Sequence[Problem] = (), schema: Schema | None = None, **values: object
    ) -> None:
        """Take ``message``, one line."""
        super().__init__(message, **values)
        self.problems, self.schema = tuple(problems), schema


class Schema:
    """The facts of one game, in the order in which people are asked; ``kind`` is the file of a copy."""

    def __init__(
        self,
        game: str,
        kind: type[Copy] = Copy,
        checks: Sequence[FactCheck] = (),
        made_up: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        """Take the fields of ``kind`` that have a :class:`Fact`.

        ``made_up`` are values of a :func:`sample` in place of the plainest.
        """
        self.game, self.kind, self.checks, self.made_up = game, kind, tuple(checks), made_up
        self.facts = {fact.name: fact for fact in _list_facts(kind)}

    def __iter__(self) -> Iterator[Fact]:
        """Yield all facts in order."""
        return iter(self.facts.values())

    def __len__(self) -> int:
        """Return the number of facts."""
        return len(self.facts)

    def fact(self, name: str) -> Fact:
        """Return the fact of that name; raises :class:`BadFact` naming the nearest."""
        if name not in self.facts:
            near = self.nearest(name)
            raise BadFact(
                "{game} has no fact {name!r}; did you mean {near}?", game=self.game, name=name, near=near
            )
        return self.facts[name]

    def needed(self, setup: Setup, uses: Iterable[Use] = tuple(Use)) -> list[Fact]:
        """Return the facts that a match needs."""
        return [fact for fact in self if fact.needed(setup, uses)]

    def nearest(self, name: str) -> str:
        """Return the fact whose name looks most like ``name``, empty if there are none."""
        return nearest(name, self.facts, 0)

    def unfit(self, fact: Fact, value: Any, error: Exception) -> BadFact:
        """Return the error for a value that does not fit a fact; ``error`` says why."""
        got = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
        figures = (("got", got if len(got) <= 40 else got[:39] + "…"),)
        return BadFact(f"{fact.name}: {error}", [Problem(fact.name, "value", fact.clause, figures)], self)

    def values_of(self, copy: Copy) -> dict[str, Any]:
        """Return the values in a copy's file, by fact."""
        found: dict[str, Any] = {}
        for fact in self:
            held = getattr(copy, fact.table or fact.name)
            value = (held or {}).get(fact.key) if fact.table else held
            if value is not None:
                found[fact.name] = value
        return found


def _list_facts(kind: type[Copy]) -> Iterator[Fact]:
    for name, hint in fields_of(kind).items():
        bare, _ = opened(hint)
        for fact in (mark for mark in getattr(hint, "__metadata__", ()) if isinstance(mark, Fact)):
            if get_origin(bare) is dict:
                keys, item = get_args(bare)
                known = {} if isinstance(fact.default, Known) else fact.default
                for key in opened(keys)[1]["words"]:
                    yield replace(fact, name=f"{name}.{key}", kind=item, default=known.get(key, Known()))
            else:
                yield replace(fact, name=name, kind=hint)


@cache
def schema(game: str) -> Schema:
    """Return the facts of the game with this id; none if it has no module for them."""
    package = module(game)
    try:
        loaded: Schema = import_module(f"{package}.facts").SCHEMA
    except ModuleNotFoundError as error:
        if error.name not in (f"{package}.facts", package):
            raise
        return Schema(game)
    return loaded


# The knowledge of a copy


class Facts(msgspec.Struct, frozen=True):
    """The knowledge of one copy: a :class:`Known` for each fact of the schema, by name and in its order.

    ``copy`` is the owner's name for it; a ``sample`` is made up and marked wherever it is used.
    """

    schema: Schema
    known: Mapping[str, Known]
    copy: str = ""
    sample: bool = False

    @classmethod
    def of(cls, schema: Schema, copy: str = "") -> Facts:
        """Return the facts of a copy that nobody has looked at yet: the defaults."""
        return cls(schema, {fact.name: fact.default for fact in schema}, copy)

    def __getitem__(self, name: str) -> Any:
        """Return a fact's value, its default until people confirm one, None while it is unknown."""
        return self.known[name].value

    @property
    def confirmed(self) -> dict[str, Any]:
        """The values that people entered or confirmed, by name."""
        known = self.known.items()
        return {name: one.value for name, one in known if one.standing is Standing.CONFIRMED}

    def confirm(self, changes: Mapping[str, Any]) -> Facts:
        """Return facts with values from people, as they are or as in TOML; None forgets one.

        Raises :class:`BadFact` if one does not fit, by itself or beside the others.
        """
        known: dict[str, Known] = {}
        for name, value in changes.items():
            fact = self.schema.fact(name)
            try:
                given = None if value is None else Known(fit(fact.kind, value), Standing.CONFIRMED)
            except msgspec.ValidationError as error:
                raise self.schema.unfit(fact, value, error) from None
            known[name] = given or fact.default
        facts = replace(self, known={**self.known, **known})
        if found := problems(facts):
            raise BadFact(f"{found[0].where}: {found[0].check}", found, self.schema)
        return facts


def problems(facts: Facts) -> list[Problem]:
    """Return the contradictions between facts; ``where`` names all facts of one."""
    return _find_failing(facts, facts.schema.checks)


def contradictions_with(facts: Facts, name: str, value: Any, *, early: bool = False) -> list[Problem]:
    """Return the contradictions of another ``value`` of a fact; with ``early`` it is the first items of a
    list.
    """
    checks = [check for check in facts.schema.checks if name in check.about and early <= check.early]
    return _find_failing(replace(facts, known={**facts.known, name: Known(value)}), checks)


def list_limits(facts: Facts, kind: Kind) -> tuple[int, int]:
    """Return the least and the most items of a list of this kind on a copy."""
    said: dict[str, Any] = {"least": 0, "most": MANY, "as_many": ""} | opened(kind)[1]
    like = facts[said["as_many"]] if said["as_many"] else None
    return (said["least"], said["most"]) if like is None else (len(like), len(like))


def _find_failing(facts: Facts, checks: Iterable[FactCheck]) -> list[Problem]:
    found = []
    for check in checks:
        values = [facts[name] for name in check.about]
        figures = None if None in values else check.fails(*values)
        if figures is not None:
            found.append(Problem(" ".join(check.about), check.name, check.clause, figures))
    return found


def without_contradictions(facts: Facts, instead: Facts) -> tuple[Facts, list[Problem]]:
    """Replace contradicting facts by those of ``instead``; return the facts and the contradictions."""
    found = problems(facts)
    names = [name for problem in found for name in problem.where.split()]
    return replace(facts, known={**facts.known, **{name: instead.known[name] for name in names}}), found


def lacking(facts: Facts, setup: Setup | None = None) -> str:
    """Return the first unknown fact that must be known before a match, empty for none."""
    first = (fact.name for fact in facts.schema.needed(setup or Setup()) if not fact.may_wait)
    return next((name for name in first if facts[name] is None), "")


def to_ask(facts: Facts, setup: Setup, uses: Iterable[Use] = tuple(Use)) -> list[Fact]:
    """Return the facts that people have yet to look at."""
    asked = [fact for fact in facts.schema.needed(setup, uses) if not fact.late]
    return [fact for fact in asked if facts.known[fact.name].standing in OPEN]


def differences(one: Facts, other: Facts) -> list[tuple[Fact, Known, Known]]:
    """Return the facts in which two copies of a game differ, in order."""
    pairs = [(fact, one.known[fact.name], other.known[fact.name]) for fact in one.schema]
    return [(fact, mine, yours) for fact, mine, yours in pairs if mine != yours]


def sample(schema: Schema) -> Facts:
    """Return a made up copy, always the same, for benches and tests; it is marked wherever it is used.

    A fact has the value made up in the schema, or else its default, or else the plainest of its kind. Raises
    :class:`BadFact` if they contradict one another: the schema must then make up better ones.
    """
    defaults = {fact.name: fact.default.value for fact in schema if fact.default.value is not None}
    values = {fact.name: plainest(fact.kind) for fact in schema if fact.name not in defaults}
    return replace(Facts.of(schema).confirm(values | defaults | dict(schema.made_up)), sample=True)


def playable(schema: Schema, setup: Setup) -> Setup:
    """Add a sample's facts to a set-up without facts if its match could not begin without."""
    asked = schema.needed(setup, (Use.PLAY,))
    lacking = any(not fact.may_wait and fact.default.value is None for fact in asked)
    return with_facts(sample(schema), setup) if lacking and not setup.facts else setup


# In a match


def is_sample(facts: Told) -> bool:
    """Return True if the copy of a match is made up."""
    return (SAMPLE_FIELD, "yes") in facts


def as_header(facts: Facts, which: Iterable[Fact]) -> Told:
    """Write the facts ``which``, known or not, as fields of a match's header, in order of name."""
    fields = {COPY_FIELD: facts.copy, SAMPLE_FIELD: "yes" if facts.sample else "no"} if facts.known else {}
    for fact in which:
        known = facts.known[fact.name]
        value = "" if known.value is None else write(fact.kind, known.value)
        fields[FIELD + fact.name] = f"{known.standing.value} {value}".rstrip()
    return tuple(sorted((name, value) for name, value in fields.items() if value))


def is_field(name: str) -> bool:
    """Return True if a header's field is about the copy, even if this version does not know it."""
    return name.startswith((FIELD, "facts."))


def with_facts(facts: Facts, setup: Setup) -> Setup:
    """Add the facts that a match needs to its set-up, as in its header.

    ``fact.cell_pitch`` is ``confirmed 22.5 mm``, ``likely …``, ``sure …`` or ``unknown``. A game without
    facts leaves the set-up as it is.
    """
    which = facts.schema.needed(setup)
    return replace(setup, facts=as_header(facts, which)) if which or setup.level is not Level.SCORE else setup


def of_match(schema: Schema, fields: Told) -> tuple[Facts, list[Problem]]:
    """Return the facts in a match's header, and the faults; facts without a field are unknown.

    A field that the schema does not know, or that does not fit it, alone or beside another, is a problem and
    stays unknown: people decide whether to go on. Without any field the defaults hold.
    """
    if not fields:
        return Facts.of(schema), []
    told = dict(fields)
    known, found = dict.fromkeys(schema.facts, Known()), []
    blank = Facts(schema, dict(known), told.get(COPY_FIELD, ""), told.get(SAMPLE_FIELD) == "yes")
    for field, written in fields:
        name = field.removeprefix(FIELD)
        if name == field:
            continue
        mark, _, value = written.partition(" ")
        if name not in schema.facts:
            found.append(Problem(field, "no_fact", "", (("near", schema.nearest(name)),)))
        elif mark not in tuple(Standing) or (mark == Standing.UNKNOWN) is bool(value):
            found.append(Problem(field, "standing", schema.fact(name).clause, (("got", written),)))
        elif value:
            fact = schema.fact(name)
            try:
                known[name] = Known(read(fact.kind, value), Standing(mark))
            except msgspec.MsgspecError as error:
                found += [replace(one, where=field) for one in schema.unfit(fact, value, error).problems]
    facts, broken = without_contradictions(replace(blank, known=known), blank)
    for problem in broken:
        found.append(replace(problem, where=" ".join(FIELD + name for name in problem.where.split())))
    return facts, found


@lru_cache
def called(game: str, fields: Told) -> Mapping[str, str]:
    """Return a copy's own names for things by the key of the text that each replaces: ``farm.a``."""
    naming = [fact for fact in schema(game) if fact.names]
    facts = of_match(schema(game), fields)[0] if naming else None
    return {
        f"{fact.names}.{letter}": name
        for fact in naming
        for letter, name in zip(ascii_lowercase, (facts and facts[fact.name]) or (), strict=False)
    }


def drift(match: Facts, here: Facts) -> list[tuple[Fact, Known, Known]]:
    """Return the facts in which a copy certainly differs from a match's; a likely value proves nothing."""
    return [
        (fact, then, now)
        for fact, then, now in differences(match, here)
        if then.value is not None and now.standing not in OPEN and then.value != now.value
    ]
