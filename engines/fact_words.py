"""Facts of a copy in words: names, domains, values, standings and faults; errors of the engines in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_origin

from engines.contract import Problem
from engines.errors import EngineError
from engines.fact_kinds import Kind, fields_of, item_of, opened, raw, write
from engines.facts import FIELD, BadFact, Fact, Facts, Known, Schema, Standing, Use, list_limits
from engines.texts import Texts

DIGITS = "0123456789"
FEW = 12
"""The most words of a domain that are listed one by one."""


class FactWords:
    """The words for the facts of one game."""

    def __init__(self, schema: Schema, texts: Texts) -> None:
        """Take ``texts`` that include the game's."""
        self.schema = schema
        self.texts = texts

    def label(self, fact: Fact) -> str:
        """Name a fact; the entries of a table share a text with the blanks ``key``, ``first`` and ``last``
        (sign of the key).
        """
        return self.texts(f"fact.{fact.table or fact.name}", **self._find_key(fact))

    def table(self, name: str) -> str:
        """Name a table of facts."""
        return self.texts(f"fact_table.{name}")

    def about(self, fact: Fact) -> str:
        """Explain a fact in a sentence."""
        return self.texts(f"fact_about.{fact.table or fact.name}", **self._find_key(fact))

    def _find_key(self, fact: Fact) -> dict[str, str]:
        key = fact.key
        kind = key.rstrip(DIGITS)
        text, number = f"fact_key.{kind}", key.removeprefix(kind)
        named = self.texts(text, n=number) if text in self.texts else key
        return {"key": named, "first": key[0], "last": key[-1]}

    def field(self, fact: Fact, name: str) -> str:
        """Name a field of a record."""
        return self.texts(f"fact_field.{fact.table or fact.name}.{name}")

    def domain(self, kind: Kind, fact: Fact | None = None) -> str:
        """Say the domain of a value: ``10 to 60 mm``; with ``fact`` name its fields as for people, not as in
        the copy's file.
        """
        t, (bare, said) = self.texts, opened(kind)
        if words := said.get("words"):
            few = len(words) <= FEW
            key = "facts.kind.words" if few else "facts.kind.many"
            return t(key, words=t.by_commas(words), first=words[0], last=words[-1])
        if fields := fields_of(kind):
            named = {name: self.field(fact, name) if fact else name for name in fields}
            parts = (f"{named[name]}: {self.domain(inner)}" for name, inner in fields.items())
            return t("facts.kind.record", fields=t.by_semicolons(parts))
        if "unit" in said:
            return t("facts.kind.number", **said | {"unit": self.unit(said, said["high"])}).rstrip()
        if "signs" in said:
            return t("facts.kind.signs", number=said["number"], signs=" ".join(said["signs"]))
        if bare is str and said:
            return t("facts.kind.text", **said)
        if said:
            key = "facts.kind.just" if said["least"] == said["most"] else "facts.kind.list"
            several = t(key, item=self.domain(item_of(kind)), **said)
            return several + t("facts.kind.distinct") if get_origin(bare) is frozenset else several
        return t(f"facts.kind.{bare.__name__}")

    def range(self, kind: Kind, facts: Facts) -> str:
        """Say the domain of a value to people who see its words anyway: ``4 to 5, each 1 to 40``."""
        t, (bare, said), item = self.texts, opened(kind), item_of(kind)
        if item is not None or "signs" in said:
            least, most = list_limits(facts, kind) if item is not None else (said["number"], said["number"])
            key = "facts.range.just" if least == most else "facts.range.list"
            each = self.range(item, facts) if item is not None else ""
            number = t(key, least=least, most=most)
            number = t("facts.range.each" if each else "facts.range.singly", number=number, item=each)
            return number + t("facts.kind.distinct") if get_origin(bare) is frozenset else number
        return "" if "words" in said or fields_of(kind) else self.domain(kind)

    def expected(self, kind: Kind, got: object) -> str:
        """Say the domain of a value, and the fault of the signs that were given."""
        said, domain = opened(kind)[1], self.domain(kind)
        if "signs" not in said or not isinstance(got, str):
            return domain
        given = "".join(got.split()).lower()
        for place, sign in enumerate(given, 1):
            if sign not in said["signs"]:
                begun = [one for one in said["signs"] if f" {sign}" in f" {self.sign(one)}"]
                near = self.texts.by_commas(f"{one} {self.sign(one)}" for one in begun)
                key = "facts.near" if near else "facts.sign"
                return self.texts(key, domain=domain, place=place, sign=sign, near=near)
        return (
            domain
            if len(given) == said["number"]
            else self.texts("facts.signs", domain=domain, count=len(given))
        )

    def sign(self, sign: str) -> str:
        """Name the printed thing that a sign stands for."""
        return self.texts(f"ground.{sign}")

    def called(self, kind: Kind, word: str) -> str:
        """Name a word of a domain; ``pile2`` may be named by ``pile`` and the number."""
        said = opened(kind)[1]
        table, joined = said.get("called"), said.get("joined")
        if joined and joined in word:
            return self.texts("list.plus").join(self.called(kind, one) for one in word.split(joined))
        if not table or f"{table}.{word}" in self.texts:
            return self.texts(f"{table}.{word}") if table else word
        name = word.rstrip(DIGITS)
        key, value = f"{table}.{name}", word.removeprefix(name)
        if "n" in self.texts.placeholders(key):
            return self.texts(key, n=int(value))
        return self.texts("facts.part", part=self.texts(key), value=value).rstrip()

    def choices(self, kind: Kind) -> tuple[tuple[str, str], ...]:
        """Return the words of a domain with their names; empty for any other kind."""
        return tuple((word, self.called(kind, word)) for word in opened(kind)[1].get("words", ()))

    def part(self, kind: Kind, at: int) -> str:
        """Name a place of a tuple, empty if its places have no meanings of their own."""
        parts = opened(kind)[1].get("parts")
        return self.texts(f"fact_part.{parts[at]}") if parts else ""

    def unit(self, said: Mapping[str, Any], count: object) -> str:
        """Name the unit of a number."""
        unit = str(said.get("unit", ""))
        return self.texts(f"unit.{unit}", n=count) if f"unit.{unit}" in self.texts else unit

    def remark(self, fact: Fact) -> str:
        """Describe a fact in one line of a copy's file: domain, source, purpose, clause."""
        domain = "" if opened(fact.kind)[1].get("called") else self.domain(fact.kind)
        return self._find_remark(fact, domain)

    def note(self, fact: Fact, facts: Facts) -> str:
        """Describe a fact in one line to people who enter it: range, source, purpose, clause."""
        return self._find_remark(fact, self.range(fact.kind, facts))

    def _find_remark(self, fact: Fact, domain: str) -> str:
        sight = self.texts("facts.sight") if fact.use is Use.SIGHT else ""
        source = self.texts(f"facts.source.{fact.default.standing.value}")
        return self.texts.by_semicolons(filter(None, (domain, source, sight, fact.clause)))

    def value(self, kind: Kind, value: Any) -> str:
        """Say a value."""
        if fields := fields_of(kind):
            return self.texts.by_commas(
                self.value(inner, getattr(value, name)) for name, inner in fields.items()
            )
        if (item := item_of(kind)) and (fields_of(item) or item_of(item)):
            return self.texts.by_semicolons(self.value(item, one) for one in value)
        if item and self.part(kind, 0):
            return self.texts.by_commas(
                self.texts("facts.part", part=self.part(kind, at), value=self.value(item, one))
                for at, one in enumerate(value)
            )
        if item and opened(item)[1].get("called"):
            return self.texts.by_commas(self.value(item, one) for one in value) or write(kind, value)
        if item:
            named = (self.texts.recall("made_up", str(one)) for one in raw(kind, value))
            return " ".join(named) or write(kind, value)
        if "words" in opened(kind)[1]:
            return self.called(kind, value)
        data, said = raw(kind, value), opened(kind)[1]
        if "signs" in said:
            return self.texts.listed([self.sign(one) for one in data])
        return self.texts("facts.amount", number=data, unit=self.unit(said, data)).rstrip()

    def known(self, fact: Fact, known: Known) -> str:
        """Say the knowledge of a fact: ``22.5 mm``, ``d1 c3 (likely)``, ``unknown yet``."""
        if known.value is None:
            return self.texts("facts.unknown")
        value = self.value(fact.kind, known.value)
        key = f"facts.standing.{known.standing.value}"
        return value if known.standing is Standing.CONFIRMED else self.texts(key, value=value)

    def wrong(self, problem: Problem) -> str:
        """Say a fault without its fact: ``10 to 60 mm, not 2.2``."""
        fact = self.schema.facts.get(problem.where.removeprefix(FIELD))
        figures = dict(problem.figures)
        domain = self.expected(fact.kind, figures.get("got")) if fact else ""
        return self.texts(f"facts.wrong.{problem.check}", domain=domain, **figures)

    def wrong_with(self, found: Iterable[Problem]) -> str:
        """Say the faults of a fact that people are entering, empty for none."""
        return self.texts.by_semicolons(map(self.wrong, found))

    def problem(self, problem: Problem) -> str:
        """Say a fault with its fact, or with all facts that contradict one another."""
        names = self.texts("list.and").join(problem.where.split())
        return self.texts("facts.problem", names=names, wrong=self.wrong(problem))

    def difference(self, found: tuple[Fact, Known, Known], one: str, other: str) -> str:
        """Say a difference of two copies, ``one`` and ``other``: ``Pitch: here 22 mm; there 22.5 mm``."""
        fact, mine, yours = found
        known = {"mine": self.known(fact, mine), "yours": self.known(fact, yours)}
        return self.texts("facts.difference", label=self.label(fact), one=one, other=other, **known)


def error_in_words(error: Exception, texts: Texts) -> str:
    """Say an error of the engines in the language of ``texts``, the error behind it included; any other error
    in its own words.
    """
    if isinstance(error, BadFact) and error.schema:
        return texts.by_semicolons(map(FactWords(error.schema, texts).problem, error.problems))
    if not isinstance(error, EngineError) or not isinstance(error.message, str):
        return str(error)
    said = texts.translate(f"error.{error.message}", error.message)
    values = {name: _say_blank(value, texts) for name, value in error.values.items()}
    return said.format_map(values) if values else said


def _say_blank(value: object, texts: Texts) -> object:
    """Return the words for a blank of an error: alternatives, or the error behind it."""
    if isinstance(value, tuple):
        return texts("list.or").join(value)
    return error_in_words(value, texts) if isinstance(value, EngineError) else value
