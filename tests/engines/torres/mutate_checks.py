"""Disable each check in turn and see which tests notice: ``python -m tests.engines.torres.mutate_checks``.

Each must be missed by its own case in the table of checks. The second column says whether random matches miss
it too; ``-`` where another check refuses the same answers, only for another reason.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from random import Random

from engines.torres.checks import CHECKS
from tests.engines.test_contract import assert_lists_agree
from tests.engines.torres.table import GAME
from tests.engines.torres.test_checks import CASES, verify
from tests.engines.torres.walking import SETUPS, busy
from tests.engines.walks import walk

WALKS = 4


@contextmanager
def without(check):
    """The checks as if ``check`` had never been written."""
    removed = []
    for question in check.questions:
        checks = CHECKS._by_question[question]
        removed.append((checks, checks.index(check)))
        checks.remove(check)
    try:
        yield
    finally:
        for checks, place in removed:
            checks.insert(place, check)


def caught_by_table(check):
    """Whether the table of checks fails without ``check``."""
    for case in CASES:
        if case.check == check.name:
            try:
                verify(case)
            except Exception:  # a later check may well stumble over what this one kept away
                return True
    return False


def caught_by_agreement(check):
    """Whether lists and checks stop agreeing without ``check`` in some random match."""
    for name in SETUPS:
        for number in range(WALKS):
            for made in walk(GAME, SETUPS[name], Random(number), busy):
                if GAME.pending(made.state).question in check.questions:
                    try:
                        assert_lists_agree(GAME, made.state)
                    except Exception:
                        return True
    return False


def survey():
    """(check, caught by the table, caught by the agreement) for every check."""
    for check in list(CHECKS):
        with without(check):
            yield check, caught_by_table(check), caught_by_agreement(check)


def main():
    """Print the table; the exit code counts checks that nobody missed."""
    survived = 0
    for check, table, agreement in survey():
        survived += not (table or agreement)
        sys.stdout.write(f"{check.name:22}{check.clause:9}{_said(table):8}{_said(agreement)}\n")
    sys.exit(survived)


def _said(caught):
    return "caught" if caught else "-"


if __name__ == "__main__":
    main()
