"""`podesta rules GAME [CLAUSE]`: the rules as the referee cites them, by word, and which tests hold them."""

from __future__ import annotations

import argparse
import shutil
import textwrap

from device.commands import CommandError, Exit
from device.commands.coverage import ClauseCover, Coverage, Covered, Test, coverage
from device.commands.coverage import lines as cover_lines
from device.commands.values import add_game, add_json, add_language, show
from device.texts import Texts
from engines.rules import Clause, Rules, spoken


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that the subcommand takes."""
    add_game(parser)
    parser.add_argument(
        "clause", metavar="CLAUSE", nargs="?", help="the id of one clause, as refusals cite it"
    )
    parser.add_argument("--find", metavar="WORDS", help="the clauses in which all of these words stand")
    parser.add_argument(
        "--coverage",
        action="store_true",
        help="which checks and tests hold each clause; fails if one that can refuse lacks a test",
    )
    add_language(parser)
    add_json(parser, Coverage, ClauseCover, Covered, Test)


def run(options: argparse.Namespace) -> int:
    """Print all clauses, one, those with a word, or what covers them.

    Raises UnknownClause, which names the nearest, and :class:`CommandError` where no clause has the words
    and with every gap in the cover.
    """
    rules = spoken(options.game, Texts.load(options.language, options.game))
    if options.find is not None and (options.coverage or options.clause):
        raise CommandError("--find is of all clauses", code=Exit.USAGE)
    if options.coverage:
        return _coverage(options)
    width = min(shutil.get_terminal_size().columns, 100)
    clauses = list(rules)
    if options.clause:
        clauses = [rules.clause(options.clause.upper())]
    elif options.find is not None and not (clauses := rules.search(options.find)):
        raise CommandError(f"no clause of {rules.title} has {options.find!r}")
    some = (line for clause in clauses for line in paragraph(clause, width))
    show(options, clauses, lambda: listing(rules, width) if len(clauses) == len(rules) else some)
    return Exit.FINE


def _coverage(options: argparse.Namespace) -> int:
    if options.clause is not None:
        raise CommandError("--coverage is of all clauses", code=Exit.USAGE)
    found = coverage(options.game)
    show(options, found, lambda: cover_lines(found))
    if found.gaps:
        raise CommandError(*found.gaps)
    return Exit.FINE


def listing(rules: Rules, width: int) -> list[str]:
    """List all clauses under the titles of their sections, in lines of at most ``width`` columns."""
    lines = [rules.title, *textwrap.wrap(rules.source, width)]
    section = ""
    for clause in rules:
        if clause.section != section:
            section = clause.section
            lines += ["", section]
        lines += paragraph(clause, width)
    return lines


def paragraph(clause: Clause, width: int) -> list[str]:
    """Write a clause behind its id."""
    head = f"{clause.id}  "
    return textwrap.wrap(clause.text, max(width, 40), initial_indent=head, subsequent_indent=" " * len(head))
