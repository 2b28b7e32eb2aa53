"""Disable each named check in turn, see which tests notice: ``python -m tests.engines.mutate_checks GAME …``.

Each must be missed by its own case among those of its game. The second column says whether random
matches miss it too; ``-`` where another check refuses the same answers, only for another reason.
"""

import sys
from contextlib import contextmanager

import engines
from engines.conformance import TriedGame
from tests.engines import cases
from tests.engines.tables import TABLES

WALKS = 3
REGISTERS = {game_id: engines.game(game_id).rules.checks for game_id in engines.GAMES}
CHECKS = [(game_id, check) for game_id, checks in REGISTERS.items() for check in checks]


@contextmanager
def without(game_id, check):
    """The checks of a game as if ``check`` had never been written."""
    removed = []
    for question in check.questions:
        checks = REGISTERS[game_id]._by_question[question]
        removed.append((checks, checks.index(check)))
        checks.remove(check)
    try:
        yield
    finally:
        for checks, place in removed:
            checks.insert(place, check)


def caught_by_table(game_id, check):
    """Whether the game's table of checks fails without ``check``."""
    for case in cases.of(game_id).values():
        if case.check == check.name:
            try:
                cases.verify(game_id, case)
            except Exception:  # a later check may well stumble over what this one kept away
                return True
    return False


def caught_by_agreement(game_id, check):
    """Whether lists and checks stop agreeing without ``check`` in some random match."""
    for table in TABLES.values():
        if table.game.id != game_id:
            continue
        for made in table.steps(WALKS):
            if table.game.rules.pending(made.state).question in check.questions:
                try:
                    if list(TriedGame(table.game, table.setup).lists(made.state)):
                        return True
                except Exception:
                    return True
    return False


def main():
    """Print the table; the exit code counts checks that nobody missed."""
    survived = 0
    for game_id, check in CHECKS:
        if game_id in (sys.argv[1:] or engines.GAMES):
            with without(game_id, check):
                table, agreement = caught_by_table(game_id, check), caught_by_agreement(game_id, check)
            survived += not (table or agreement)
            sys.stdout.write(f"{check.name:22}{check.clause:9}{_said(table):8}{_said(agreement)}\n")
    sys.exit(survived)


def _said(caught):
    return "caught" if caught else "-"


if __name__ == "__main__":
    main()
