"""Table facts in words: what a fact is called, what it may be, how it stands, what is wrong with a value."""

from __future__ import annotations

from device.texts import Texts
from engines.contract import Problem
from engines.fact_kinds import Integer, Kind, Length, ListOf, Record, Text, Value, Word, bare, write
from engines.facts import BadFact, Difference, Fact, Known, Standing, Use

FEW = 12
"""So many words of a choice are named one by one."""


class FactWords:
    """The words for the facts of one game; ``texts`` are the box's and that game's."""

    def __init__(self, texts: Texts) -> None:
        """Texts are looked up when they are needed."""
        self.texts = texts

    def label(self, fact: Fact) -> str:
        """What people call it, short."""
        label = fact.label
        return self.texts(label.key, **dict(label.figures))

    def table(self, name: str) -> str:
        """What people call a table of facts."""
        return self.texts(f"fact_table.{name}")

    def about(self, fact: Fact) -> str:
        """What exactly is meant, in a sentence."""
        return self.texts(f"fact_about.{fact.table or fact.name}", **dict(fact.label.figures))

    def field(self, fact: Fact, name: str) -> str:
        """What people call a field of a record."""
        return self.texts(f"fact_field.{fact.table or fact.name}.{name}")

    def domain(self, kind: Kind) -> str:
        """What a value may be: ``10 to 60 mm``."""
        t = self.texts
        match kind:
            case Integer(low, high, unit):
                return t("facts.kind.integer", low=low, high=high, unit=self.unit(unit)).rstrip()
            case Length(low, high):
                return t("facts.kind.length", low=f"{low:g}", high=f"{high:g}")
            case Word(words):
                if len(words) <= FEW:
                    return t("facts.kind.words", words=", ".join(words))
                return t("facts.kind.many", first=words[0], last=words[-1])
            case Text(most):
                return t("facts.kind.text", most=most)
            case ListOf(item, least, most, distinct):
                key = "facts.kind.just" if least == most else "facts.kind.list"
                several = t(key, least=least, most=most, item=self.domain(item))
                return several + t("facts.kind.distinct") if distinct else several
            case Record(fields):
                parts = (f"{name}: {self.domain(inner)}" for name, inner in fields)
                return t("facts.kind.record", fields="; ".join(parts))

    def unit(self, unit: str) -> str:
        """What is counted, as people write it."""
        key = f"unit.{unit}"
        return self.texts(key) if key in self.texts else unit

    def source(self, fact: Fact) -> str:
        """How far a source can be trusted for it."""
        return self.texts(f"facts.source.{fact.source.value}")

    def remark(self, fact: Fact) -> str:
        """All there is to say of it in one line: domain, source, what it is for, clause."""
        parts = [self.domain(fact.kind), self.source(fact)]
        if fact.uses == (Use.SIGHT,):
            parts.append(self.texts("facts.sight"))
        return "; ".join([*parts, fact.clause])

    def value(self, kind: Kind, value: Value) -> str:
        """A value as people read it."""
        match kind:
            case Integer(unit=unit):
                return f"{value} {self.unit(unit)}".rstrip()
            case ListOf(item) if not isinstance(item, Record):
                return " ".join(str(bare(item, one)) for one in value) or write(kind, value)
            case ListOf(item):
                return "; ".join(self.value(item, one) for one in value) or write(kind, value)
            case Record(fields):
                pairs = zip(fields, value, strict=True)
                return ", ".join(self.value(inner, one) for (_, inner), one in pairs)
        return write(kind, value)

    def known(self, fact: Fact, known: Known) -> str:
        """What is known of it, with how it stands unless people have confirmed it."""
        if known.standing is Standing.UNKNOWN:
            return self.texts("facts.unknown")
        value = self.value(fact.kind, known.value)
        key = f"facts.standing.{known.standing.value}"
        return value if known.standing is Standing.CONFIRMED else self.texts(key, value=value)

    def wrong(self, problem: Problem) -> str:
        """What is wrong, without where: ``10 to 60 mm, not 2.2``."""
        figures = dict(problem.figures)
        if unit := figures.get("unit"):
            figures["unit"] = f" {self.unit(str(unit))}"
        return self.texts(f"facts.wrong.{problem.check}", **figures)

    def told(self, problem: Problem) -> str:
        """What is wrong and with which fact; those that contradict each other are all named."""
        return f"{' and '.join(problem.where.split())}: {self.wrong(problem)}"

    def difference(self, found: Difference, one: str, other: str) -> str:
        """Where two copies, ``one`` and ``other``, differ: ``cell_pitch: here 22 mm; there 22.5 mm``."""
        mine, yours = self.known(found.fact, found.one), self.known(found.fact, found.other)
        return f"{found.fact.name}: {one} {mine}; {other} {yours}"

    def refused(self, error: BadFact) -> list[str]:
        """Why a value was not taken, a line for each reason."""
        return [self.told(problem) for problem in error.problems] or [str(error)]
