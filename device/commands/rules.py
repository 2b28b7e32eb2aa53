"""`podesta rules GAME [CLAUSE]`: the rules as the referee cites them, whole, by word, or with their tests.

``--coverage`` lists the checks that cite each clause, and the tests that see these refuse and let pass. The
tests are the cases in ``tests/engines/<game>/cases.py``: a list ``CASES`` whose items name a ``check``, its
``clause``, a refused ``token`` and what ``passes``. They need a source checkout. For a clause that no check
cites, the engine's source tells its use: the value of :mod:`engines.contract` that it is in, or else the
module that names it.
"""

from __future__ import annotations

import ast
import re
import shutil
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

import engines
from device.commands import CommandError, Exit, Options, UsageError, command, fold, show, take
from device.exports import align_columns
from device.texts import Texts
from engines.rules import Clause, Rules, load, spoken

ROOT = Path(__file__).parents[2]
"""The source checkout, if this is one."""

TESTS = "tests/engines"

_KINDS = {"Booking": "scoring", "Over": "ending", "Problem": "position", "Option": "option"}
_NONE = "–"


class Test(msgspec.Struct, frozen=True):
    """One test, by its pytest id: ``refused`` is an answer that the check refuses, ``passes`` one that it
    lets pass, "" without one.
    """

    id: str
    refused: str
    passes: str


class Covered(msgspec.Struct, frozen=True):
    """A check and its tests: ``refuses`` is true if a test sees it refuse, ``accepts`` if one sees it let
    pass.
    """

    check: str
    refuses: bool
    accepts: bool
    tests: tuple[Test, ...]


class ClauseCover(msgspec.Struct, frozen=True):
    """A clause and the checks that cite it; without checks, ``kind`` is its use (``scoring``, ``ending``,
    ``position``, ``option`` or the engine's modules that name it; ``–`` for none).
    """

    clause: str
    kind: str
    checks: tuple[Covered, ...]


class Coverage(msgspec.Struct, frozen=True):
    """The output of `podesta rules --coverage --json`; ``gaps`` names missing tests, in words."""

    game: str
    clauses: tuple[ClauseCover, ...]
    gaps: tuple[str, ...]


@command(
    take.game,
    take.option("[CLAUSE]", "the id of one clause, as refusals cite it"),
    take.option("--find WORDS", "the clauses in which all of these words stand"),
    take.option(
        "--coverage", "which checks and tests hold each clause; fails if one that can refuse lacks a test"
    ),
    take.language,
    take.json(Clause, Coverage, ClauseCover, Covered, Test),
)
def run(options: Options) -> None:
    """Print all clauses, one, those with some words, or their coverage.

    Raises UnknownClause, which names the nearest, and :class:`CommandError` if no clause has the words, or
    with every gap in the coverage.
    """
    if sum((bool(options.clause), options.find is not None, options.coverage)) > 1:
        raise UsageError("one of CLAUSE, --find and --coverage at a time")
    if options.coverage:
        found = measure_coverage(options.game)
        show(options, found, lambda: tabulate_coverage(found), found.gaps)
        return
    rules = spoken(options.game, Texts.load(options.language, options.game))
    width = min(shutil.get_terminal_size().columns, 100)
    clauses = list(rules)
    if options.clause:
        clauses = [rules.clause(options.clause.upper())]
    elif options.find is not None and not (clauses := rules.search(options.find)):
        raise CommandError(f"no clause of {options.game} has {options.find!r}")
    some = (line for clause in clauses for line in write_clause(clause, width))
    show(options, clauses, lambda: list_clauses(rules, width) if len(clauses) == len(rules) else some)


def list_clauses(rules: Rules, width: int) -> list[str]:
    """List all clauses under the titles of their sections, in lines of at most ``width`` columns."""
    lines = [rules.title, *fold(rules.source, width=width)]
    section = ""
    for clause in rules:
        if clause.section != section:
            section = clause.section
            lines += ["", section]
        lines += write_clause(clause, width)
    return lines


def write_clause(clause: Clause, width: int) -> list[str]:
    """Write a clause behind its id."""
    return fold(clause.text, f"{clause.id}  ", max(width, 40))


# Coverage


def measure_coverage(game: str) -> Coverage:
    """Return the coverage of a game's clauses.

    Raises :class:`CommandError` without a source checkout, ModuleNotFoundError without the tests' packages.
    """
    found, checks, uses = list(_list_tests(game)), list(_list_checks(game)), _find_uses(game)
    clauses = []
    for clause in load(game):
        cover = []
        for check in checks:
            if check.clause == clause.id:
                named = (check.name, check.clause)
                tests = tuple(test for case, test in found if (case.check, case.clause) == named)
                seen = any(test.refused for test in tests), any(test.passes for test in tests)
                cover.append(Covered(check.name, *seen, tests))
        clauses.append(ClauseCover(clause.id, "check" if cover else uses.get(clause.id, _NONE), tuple(cover)))
    return Coverage(game, tuple(clauses), tuple(_list_gaps(clauses, checks, found)))


def _list_gaps(
    clauses: Sequence[ClauseCover], checks: Sequence[Any], found: Iterable[tuple[Any, Test]]
) -> Iterator[str]:
    known = {clause.clause for clause in clauses}
    for check in checks:
        if check.clause not in known:
            yield f"{check.clause}: {check.name} cites it, and the rules have no such clause"
    for clause in clauses:
        for check in clause.checks:
            if not check.refuses:
                yield f"{clause.clause}: no test sees {check.check} refuse"
            if not check.accepts:
                yield f"{clause.clause}: no test sees {check.check} let pass"
    named = {(check.name, check.clause) for check in checks}
    for case, test in found:
        if (case.check, case.clause) not in named:
            yield f"{test.id}: there is no check {case.check} of {case.clause}"


def _list_checks(game: str) -> Sequence[Any]:
    """Return the game's checks, in order."""
    rules: Any = engines.game(game).rules
    return list(rules.checks)


def _list_tests(game: str) -> Iterator[tuple[Any, Test]]:
    """Yield each case of the tables with its test."""
    path = ROOT / TESTS / game / "cases.py"
    if not path.is_file():
        raise CommandError(
            f"no {path}: which tests cover the clauses can be told in a source checkout only",
            code=Exit.LACKING,
        )
    sys.path.insert(0, str(ROOT))
    try:
        cases: dict[str, Any] = import_module("tests.engines.cases").of(game)
    finally:
        sys.path.remove(str(ROOT))
    for name, case in cases.items():
        yield case, Test(f"{TESTS}/test_checks.py::test_check[{name}]", case.token, case.passes[-1])


def _find_uses(game: str) -> dict[str, str]:
    """Return the use of each clause in the engine's source: the kinds of value that it is in, else the
    modules that name it.
    """
    values, modules = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for file in sorted(engines.folder(game).glob("*.py")):
        source = file.read_text("utf-8")
        for clause in re.findall(r"\b[A-Z]+-\d+(?:\.\d+)*\b", source):
            modules[clause].add(file.stem)
        for call in ast.walk(ast.parse(source)):
            name = call.func if isinstance(call, ast.Call) else None
            if isinstance(call, ast.Call) and isinstance(name, ast.Name) and name.id in _KINDS:
                for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
                    if isinstance(argument, ast.Constant):
                        values[str(argument.value)].add(_KINDS[name.id])
    return {clause: ", ".join(sorted(values.get(clause) or found)) for clause, found in modules.items()}


def tabulate_coverage(found: Coverage) -> list[str]:
    """Return the coverage as a table: a line for each check, with its first test and the number of others."""
    rows = [["clause", "check", "refuses", "accepts", "test"]]
    for clause in found.clauses:
        for check in clause.checks:
            refused = next((test.refused for test in check.tests if test.refused), _NONE)
            passes = next((test.passes for test in check.tests if test.passes), _NONE)
            more = f" and {len(check.tests) - 1} more" if len(check.tests) > 1 else ""
            test = check.tests[0].id if check.tests else _NONE
            rows.append([clause.clause, check.check, refused, passes, test + more])
        if not clause.checks:
            rows.append([clause.clause, f"({clause.kind})" if clause.kind != _NONE else _NONE, "", "", ""])
    return align_columns(rows)
