"""Which checks cite each clause of a game's rules, and which tests see them refuse and let pass.

The tests are the cases in ``tests/engines/<game>/cases.py``: a list ``CASES`` whose items name a ``check``,
its ``clause``, a refused ``token`` and what ``passes``. They need a source checkout. What a clause that no
check cites is for is read off the engine's source: the value of :mod:`engines.contract` that it is put into,
or else the module that names it.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

import engines
from device.commands import CommandError, Exit
from device.exports import columns
from engines.rules import load

ROOT = Path(__file__).parents[2]
"""The source checkout, if this is one."""

TESTS = "tests/engines"

_KINDS = {"Booking": "scoring", "Over": "ending", "Problem": "position", "Option": "option"}
_NONE = "–"


class Test(msgspec.Struct, frozen=True):
    """One test, by its pytest id: ``refused`` is the answer that it sees refused, ``passes`` the one that it
    sees let pass, "" where it has none.
    """

    id: str
    refused: str
    passes: str


class Covered(msgspec.Struct, frozen=True):
    """A check: whether some test sees it refuse and some test sees it let pass, and which."""

    check: str
    refuses: bool
    accepts: bool
    tests: tuple[Test, ...]


class ClauseCover(msgspec.Struct, frozen=True):
    """A clause: the checks that cite it; where there are none, what it is for (``scoring``, ``ending``,
    ``position``, ``option`` or the engine's modules that name it; ``–`` where nothing does).
    """

    clause: str
    kind: str
    checks: tuple[Covered, ...]


class Coverage(msgspec.Struct, frozen=True):
    """The output of `podesta rules --coverage --json`; ``gaps`` are what lacks a test, in words."""

    game: str
    clauses: tuple[ClauseCover, ...]
    gaps: tuple[str, ...]


def of(game: str) -> Coverage:
    """Return the cover of a game's clauses.

    Raises :class:`CommandError` where there is no source checkout, ModuleNotFoundError without the tests' own
    packages.
    """
    found = list(_tests(game))
    checks = list(_checks(game))
    kinds = dict(_kinds(game))
    clauses = []
    for clause in load(game):
        cover = tuple(
            _covered(check.name, check.clause, found) for check in checks if check.clause == clause.id
        )
        clauses.append(ClauseCover(clause.id, "check" if cover else kinds.get(clause.id, _NONE), cover))
    return Coverage(game, tuple(clauses), tuple(_gaps(clauses, checks, found)))


def _covered(name: str, clause: str, found: Iterable[tuple[Any, Test]]) -> Covered:
    tests = tuple(test for case, test in found if (case.check, case.clause) == (name, clause))
    refuses, accepts = any(test.refused for test in tests), any(test.passes for test in tests)
    return Covered(name, refuses, accepts, tests)


def _gaps(
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


def _checks(game: str) -> Sequence[Any]:
    """Return the game's checks, in order."""
    rules: Any = engines.game(game).rules
    return list(rules.checks)


def _tests(game: str) -> Iterator[tuple[Any, Test]]:
    """Yield each case of the tables with its test."""
    path = ROOT / TESTS / game / "cases.py"
    if not path.is_file():
        raise CommandError(
            f"no {path}: which tests cover the clauses can be told in a source checkout only",
            code=Exit.LACKING,
        )
    for name, case in _cases(game).items():
        yield case, Test(f"{TESTS}/test_checks.py::test_check[{name}]", *_tokens(case))


def _tokens(case: Any) -> tuple[str, str]:
    passes = case.passes
    return case.token, (passes if isinstance(passes, str) else passes[-1]) if passes else ""


def _cases(game: str) -> dict[str, Any]:
    sys.path.insert(0, str(ROOT))
    try:
        found: dict[str, Any] = import_module("tests.engines.cases").of(game)
        return found
    finally:
        sys.path.remove(str(ROOT))


def _kinds(game: str) -> Iterator[tuple[str, str]]:
    """Return the kinds of use of each clause that the engine's source names."""
    values: dict[str, set[str]] = {}
    modules: dict[str, set[str]] = {}
    for file in sorted(engines.folder(game).glob("*.py")):
        for clause, kind in _cited(file):
            (values if kind else modules).setdefault(clause, set()).add(kind or file.stem)
    for clause in {*values, *modules}:
        yield clause, ", ".join(sorted(values.get(clause) or modules[clause]))


def _cited(file: Path) -> Iterator[tuple[str, str]]:
    """Yield the clauses that a module names, each with the kind of value it is put into, if known."""
    source = file.read_text("utf-8")
    for clause in re.findall(r"\b[A-Z]+-\d+(?:\.\d+)*\b", source):
        yield clause, ""
    for call in ast.walk(ast.parse(source)):
        if isinstance(call, ast.Call):
            name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
            for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
                if name in _KINDS and isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument.value, _KINDS[name]


def table(found: Coverage) -> list[str]:
    """Return the cover as a table: a line for each check, with how many tests and the first of them."""
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
    return columns(rows)
