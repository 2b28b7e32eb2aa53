"""`podesta rules GAME [CLAUSE]`: the rules as the referee cites them, whole, by word, or with their tests."""

from __future__ import annotations

import shutil

from device.commands import CommandError, Options, UsageError, command, coverage, folded, show, take
from device.texts import Texts
from engines.rules import Clause, Rules, spoken


@command(
    take.game,
    take.option("[CLAUSE]", "the id of one clause, as refusals cite it"),
    take.option("--find WORDS", "the clauses in which all of these words stand"),
    take.option(
        "--coverage", "which checks and tests hold each clause; fails if one that can refuse lacks a test"
    ),
    take.language,
    take.json(Clause, coverage.Coverage, coverage.ClauseCover, coverage.Covered, coverage.Test),
)
def run(options: Options) -> None:
    """Print all clauses, one, those with a word, or what covers them.

    Raises UnknownClause, which names the nearest, and :class:`CommandError` where no clause has the words
    and with every gap in the cover.
    """
    if sum((bool(options.clause), options.find is not None, options.coverage)) > 1:
        raise UsageError("one of CLAUSE, --find and --coverage at a time")
    if options.coverage:
        found = coverage.of(options.game)
        show(options, found, lambda: coverage.table(found), found.gaps)
        return
    rules = spoken(options.game, Texts.load(options.language, options.game))
    width = min(shutil.get_terminal_size().columns, 100)
    clauses = list(rules)
    if options.clause:
        clauses = [rules.clause(options.clause.upper())]
    elif options.find is not None and not (clauses := rules.search(options.find)):
        raise CommandError(f"no clause of {options.game} has {options.find!r}")
    some = (line for clause in clauses for line in paragraph(clause, width))
    show(options, clauses, lambda: listing(rules, width) if len(clauses) == len(rules) else some)


def listing(rules: Rules, width: int) -> list[str]:
    """List all clauses under the titles of their sections, in lines of at most ``width`` columns."""
    lines = [rules.title, *folded(rules.source, width=width)]
    section = ""
    for clause in rules:
        if clause.section != section:
            section = clause.section
            lines += ["", section]
        lines += paragraph(clause, width)
    return lines


def paragraph(clause: Clause, width: int) -> list[str]:
    """Write a clause behind its id."""
    return folded(clause.text, f"{clause.id}  ", max(width, 40))
