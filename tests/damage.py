"""A hundred random damages to the product, each judged by the tests: ``python -m tests.damage --seed N``.

A damage is one small change that a slip of the hand could have made: a check dropped, a bound moved by one,
an ``and`` that was an ``or``. It is made in a copy of the tree. The tests that import the module judge it; if
they pass, the folder of tests beside it does; then, for a game, the suite over all games, with its cases. A
damage that no test catches is printed with its line for somebody to look at: it is a hole in the tests, dead
code, or no damage at all.
"""

import argparse
import ast
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

import pytest

from engines import GAMES
from tests.rooms import FLOORS, ROOT, imported, sources, statements

ENGINES, OF_ALL_GAMES = "engines", ("tests/engines/test_*.py",)
LIMIT_S, PATIENCE = 240, 6
"""The seconds of processor time for the tests of one damage, and the factor by which they may last longer on
a shared processor; a damage that makes them hang is caught.
"""
COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
COUNTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult,
}  # fmt: skip
DECLARED = frozenset({"annotation", "returns", "decorator_list", "bases", "defaults", "kw_defaults"})
"""Fields of a node that stay undamaged: types, and values needed while a module is imported."""


class Damage(NamedTuple):
    """One change: its module and line, the statement before and after it, and the module's changed text."""

    module: str
    line: int
    before: str
    after: str
    text: str


def worse(node: ast.AST) -> list[ast.AST]:
    """Return the nodes that a slip could have put in the place of a node."""
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=others) if type(operator) in COMPARED:
            return [ast.Compare(left, [COMPARED[type(operator)]()], others)]
        case ast.BoolOp(op=operator, values=values):
            return [ast.BoolOp(ast.And() if isinstance(operator, ast.Or) else ast.Or(), values), *values]
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return [operand]
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in COUNTED:
            texts = (ast.JoinedStr, ast.Tuple, ast.List)
            text = any(
                isinstance(e, texts) or (isinstance(e, ast.Constant) and isinstance(e.value, str))
                for e in (left, right)
            )
            return [] if text else [ast.BinOp(left, COUNTED[type(operator)](), right)]
        case ast.IfExp(body=body, orelse=other):
            return [body, other]
        case ast.comprehension(target=target, iter=over, ifs=[_, *rest], is_async=later):
            return [ast.comprehension(target, over, rest, later)]
        case ast.If(test=test, body=body, orelse=other) if ast.unparse(test) != "TYPE_CHECKING":
            return [ast.If(ast.Constant(value), body, other) for value in (False, True)]
        case ast.Constant(value=bool(value)):
            return [ast.Constant(not value)]
        case ast.Constant(value=int(value)):
            return [ast.Constant(value + 1)]
        case ast.Expr(value=ast.Call() | ast.YieldFrom()):
            return [ast.Pass()]
    return []


def nodes(tree: ast.AST, within: ast.stmt | None = None) -> Iterator[tuple[ast.AST, ast.stmt]]:
    """Yield every node that may be damaged, in the order of the text, with the innermost statement around
    it.
    """
    for field, value in ast.iter_fields(tree):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and field not in DECLARED:
                around = child if isinstance(child, ast.stmt) else within
                if around is not None:
                    yield child, around
                yield from nodes(child, around)


class _Swap(ast.NodeTransformer):
    """Puts one node in the place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else self.generic_visit(node)


def damages(module: str, text: str) -> int:
    """Return the number of damages of a module."""
    return sum(len(worse(node)) for node, _ in nodes(ast.parse(text)))


def damage(module: str, text: str, number: int) -> Damage:
    """Return the damage with that ``number``, from 0."""
    tree = ast.parse(text)
    node, new, around = [(node, new, around) for node, around in nodes(tree) for new in worse(node)][number]
    before, line = _first_lines(around), around.lineno
    whole = ast.fix_missing_locations(_Swap(node, new).visit(tree))
    after = _first_lines(around if node is not around else new)
    return Damage(module, line, before, after, ast.unparse(whole))


def _first_lines(statement: ast.AST) -> str:
    """Return a statement as text; of a compound one only the head."""
    return ast.unparse(ast.fix_missing_locations(statement)).partition("\n")[0]


def chosen(seed: int, count: int, under: Sequence[str] = ("",)) -> list[Damage]:
    """Return ``count`` different damages of all modules whose names begin with one of ``under``, the same for
    the same ``seed``.
    """
    below = {name: path for name, path in sources().items() if name.startswith(tuple(under))}
    texts = {name: path.read_text("utf-8") for name, path in below.items()}
    every = [(name, number) for name, text in texts.items() for number in range(damages(name, text))]
    picked = random.Random(seed).sample(every, min(count, len(every)))
    return [damage(name, texts[name], number) for name, number in picked]


@cache
def importers() -> dict[str, list[str]]:
    """Return, for each module, the test files that import it, or a name from it, by its full path."""
    found: dict[str, list[str]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for name in set(imported(statements(path.read_text("utf-8")), sources())):
            found.setdefault(name, []).append(str(path.relative_to(ROOT)))
    return found


def judges(module: str) -> list[list[str]]:
    """Return groups of tests in their order: those that import the module, nearest first, then the folder
    beside it, then, for a game, the tests over all games.
    """
    path = sources()[module].relative_to(ROOT)
    beside = ROOT / "tests" / path.parent
    while not any(beside.glob("test_*.py")):
        beside = beside.parent
    near = f"tests/{path.parent}/test_{path.name}"
    direct = sorted(importers().get(module, []), key=lambda test: -SequenceMatcher(None, test, near).ratio())
    groups = [direct, [str(beside.relative_to(ROOT))]]
    floor, _, rest = module.partition(".")
    if floor == ENGINES and (game := rest.partition(".")[0]) in GAMES:
        groups.append([*OF_ALL_GAMES, "-k", game])
    return [group for group in groups if group]


def caught(made: Damage, tree: Path) -> str:
    """Return the test that fails in a copy of the tree with a damage, empty if none does."""
    path = tree / sources()[made.module].relative_to(ROOT)
    whole, was = path.read_text("utf-8"), path.stat()
    path.write_text(made.text, "utf-8")
    try:
        for group in judges(made.module):
            if failed := _failing(group, tree):
                return failed
        return ""
    finally:
        path.write_text(whole, "utf-8")
        os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))  # the compiled file stays valid


def _failing(group: list[str], tree: Path) -> str:
    """Return the first test of a group that fails, or another failure; RuntimeError if none ran."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        "--hypothesis-seed=0",
        f"--timeout={PATIENCE * LIMIT_S}",
        *(str(path.relative_to(tree)) for test in group if "*" in test for path in sorted(tree.glob(test))),
        *(test for test in group if "*" not in test),
    ]
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        ran = subprocess.run(
            command,
            cwd=tree,
            env=environment,
            timeout=PATIENCE * LIMIT_S,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_S, LIMIT_S + 5)),
            capture_output=True,
            text=True,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"more than {PATIENCE * LIMIT_S} s"
    if ran.returncode in (0, 5):
        return ""
    if ran.returncode == pytest.ExitCode.USAGE_ERROR and "while loading conftest" not in ran.stderr:
        raise RuntimeError(f"no test ran: {ran.stderr.strip()}")  # a missing environment catches nothing
    said = [line for line in ran.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return said[0] if said else f"exit status {ran.returncode}"


def copied(to: Path) -> Path:
    """Copy the tree's files into a folder, tracked or new, without ignored ones."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    for name in filter(None, listed.stdout.split("\0")):
        source, target = ROOT / name, to / name
        if source.exists() or source.is_symlink():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)
    return to


def compiled(tree: Path) -> Path:
    """Compile a copy and its tests once: otherwise each run of some tests would compile them again."""
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": ""}
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "tests"]
    subprocess.run(command, cwd=tree, env=environment, capture_output=True, check=True)
    return tree


def main() -> int:
    """Judge the damages of a seed; the exit status is 1 if any survives."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument(
        "--under", nargs="*", default=[""], help=f"modules whose names begin so: {FLOORS[0]}.menus"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    every = chosen(options.seed, options.count, options.under)
    survivors = 0
    with tempfile.TemporaryDirectory() as folder:
        trees = [compiled(copied(Path(folder, str(number)))) for number in range(options.jobs)]

        free = SimpleQueue[Path]()
        for tree in trees:
            free.put(tree)

        def judged(made: Damage) -> tuple[Damage, str]:
            tree = free.get()
            try:
                return made, caught(made, tree)
            finally:
                free.put(tree)

        with ThreadPoolExecutor(options.jobs) as threads:
            for made, by in threads.map(judged, every):
                survivors += not by
                where = f"{sources()[made.module].relative_to(ROOT)}:{made.line}"
                told = by or f"SURVIVES\n  - {made.before}\n  + {made.after}"
                print(f"{where}: {told}", flush=True)
    print(f"seed {options.seed}: {len(every) - survivors} of {len(every)} caught")
    return int(survivors > 0)


if __name__ == "__main__":
    sys.exit(main())
