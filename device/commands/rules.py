"""`podesta rules GAME [CLAUSE]`: the rules as the referee cites them."""

from __future__ import annotations

import argparse
import shutil
import textwrap

from device.commands import Exit
from device.commands.values import add_game
from engines.rules import Clause, Rules, load


def arguments(parser: argparse.ArgumentParser) -> None:
    """What it takes."""
    add_game(parser)
    parser.add_argument(
        "clause", metavar="CLAUSE", nargs="?", help="the id of one clause, as refusals cite it"
    )


def run(options: argparse.Namespace) -> int:
    """Print all clauses, or one; raises UnknownClause, which names the nearest."""
    rules = load(options.game)
    width = min(shutil.get_terminal_size().columns, 100)
    if options.clause is None:
        print("\n".join(listing(rules, width)))
    else:
        print("\n".join(paragraph(rules.clause(options.clause.upper()), width)))
    return Exit.FINE


def listing(rules: Rules, width: int) -> list[str]:
    """All clauses under the titles of their sections, in lines of at most ``width`` columns."""
    lines = [rules.title, *textwrap.wrap(rules.source, width)]
    section = ""
    for clause in rules:
        if clause.section != section:
            section = clause.section
            lines += ["", section]
        lines += paragraph(clause, width)
    return lines


def paragraph(clause: Clause, width: int) -> list[str]:
    """A clause behind its id."""
    head = f"{clause.id}  "
    return textwrap.wrap(clause.text, max(width, 40), initial_indent=head, subsequent_indent=" " * len(head))
