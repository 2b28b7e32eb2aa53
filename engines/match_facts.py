"""Table facts in a match: those it needs, kept in its set-up and header, and read back on any machine.

A match goes by what was known when it was opened, not by what the machine's copy says today.

>>> from engines.facts import Facts, schema
>>> torres = schema("torres")
>>> setup = kept(Facts.of(torres, "Anna's"), Setup())
>>> setup.facts[0], setup.facts[-2:]
(('fact.block_height', 'unknown'), (('facts.copy', "Anna's"), ('facts.sample', 'no')))
>>> of_match(torres, setup)[0].known("start_castles").standing
<Standing.LIKELY: 'likely'>
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from engines.contract import Problem, Setup
from engines.fact_kinds import Unfit, read, write
from engines.facts import Difference, Facts, Known, Schema, Standing, differences, needed, problems

COPY_FIELD = "facts.copy"
SAMPLE_FIELD = "facts.sample"
FIELD = "fact."


def is_field(name: str) -> bool:
    """Whether a header's field tells of the copy, be it known to this version or not."""
    return name.startswith((FIELD, "facts."))


def header_fields(facts: Facts, setup: Setup) -> dict[str, str]:
    """The facts that a match with this set-up needs, as its header keeps them; nothing for a game without.

    ``fact.cell_pitch`` is ``confirmed 22.5 mm``, ``likely …``, ``sure …`` or ``unknown``.
    """
    if not len(facts.schema):
        return {}
    fields = {COPY_FIELD: facts.copy, SAMPLE_FIELD: "yes" if facts.sample else "no"}
    for fact, known in needed(facts, setup):
        text = "" if known.value is None else write(fact.kind, known.value)
        fields[FIELD + fact.name] = f"{known.standing.value} {text}".rstrip()
    return fields


def read_header(schema: Schema, fields: Mapping[str, str]) -> tuple[Facts, tuple[Problem, ...]]:
    """The facts that :func:`header_fields` wrote, as they were known then; all others are unknown.

    A default of today is never put in the place of what was unknown. A field that this schema does not know
    any more or that does not fit it, alone or beside another, is left unknown and told as a problem: whether
    to go on is for people.
    """
    facts = Facts(
        schema, (Known(),) * len(schema), fields.get(COPY_FIELD, ""), fields.get(SAMPLE_FIELD) == "yes"
    )
    found: list[Problem] = []
    for field, text in fields.items():
        name = field.removeprefix(FIELD)
        if name == field:
            continue
        if name not in schema:
            found.append(Problem(field, "no_fact", "", (("near", schema.nearest(name)),)))
            continue
        fact = schema.fact(name)
        mark, _, written = text.partition(" ")
        if mark not in tuple(Standing) or (mark == Standing.UNKNOWN) is bool(written):
            found.append(Problem(field, "standing", fact.clause, (("got", text),)))
        elif written:
            try:
                facts = facts.known_as(name, Known(read(fact.kind, written), Standing(mark)))
            except Unfit as unfit:
                found += [replace(fact.problem(fault), where=field) for fault in unfit.faults]
    for problem in problems(facts):
        several = problem.where.split()
        found.append(replace(problem, where=" ".join(FIELD + name for name in several)))
        for name in several:  # nobody knows which of them is wrong
            facts = facts.known_as(name, Known())
    return facts, tuple(found)


def kept(facts: Facts, setup: Setup) -> Setup:
    """The set-up with what the match needs of the copy in it; a game without facts changes nothing."""
    fields = header_fields(facts, setup).items()
    return replace(setup, facts=tuple(sorted((name, text) for name, text in fields if text)))


def of_match(schema: Schema, setup: Setup) -> tuple[Facts, tuple[Problem, ...]]:
    """What a match goes by, and what of it this version cannot read; the defaults where nobody told."""
    return read_header(schema, dict(setup.facts)) if setup.facts else (Facts.of(schema), ())


def drift(match: Facts, here: Facts) -> list[Difference]:
    """Where a copy is known to be otherwise than a match has it; what is only likely here proves nothing."""
    return [
        one
        for one in differences(match, here)
        if one.one.value is not None
        and one.other.standing in (Standing.CONFIRMED, Standing.SURE)
        and one.one.value != one.other.value
    ]
