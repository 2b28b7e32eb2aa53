"""Names and docstrings: what a traceback, a profiler or a reader is shown."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests.rooms import FLOORS, ROOT

Function = ast.FunctionDef | ast.AsyncFunctionDef
NAMELESS = re.compile(r"\s*(async\s+)?def\s+_\s*\(")
TURNED = re.compile(r"(What|Whether|Where|How|Those|The same)\b")
"""Docstrings that begin so tell of a thing by a question, where a noun or a verb would name it."""
OPENED = re.compile(r"[\"']\s*" + TURNED.pattern)
MOST = 150
"""So many of them may be left, none of a function."""


def nameless(text: str) -> list[int]:
    """Return the lines of functions called ``_``."""
    return [at for at, line in enumerate(text.splitlines(), 1) if NAMELESS.match(line)]


def turned(text: str) -> Iterator[tuple[int, bool]]:
    """Yield the line of each docstring that begins with a question word, and whether it is a function's."""
    if not OPENED.search(text):
        return  # most files need no parsing
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, Function | ast.ClassDef | ast.Module):
            said = ast.get_docstring(node)
            if said and TURNED.match(said):
                yield node.body[0].lineno, isinstance(node, Function)


def files(*more: str) -> dict[str, str]:
    folders = (*FLOORS, "hardware", *more)
    every = [file for folder in folders for file in (ROOT / folder).rglob("*.py")]
    return {str(file.relative_to(ROOT)): file.read_text("utf-8") for file in (*every, *ROOT.glob("*.py"))}


def test_every_function_has_a_name():
    every = files("tests")
    assert len(every) > 500
    assert [f"{file}:{line}" for file, text in every.items() for line in nameless(text)] == []


def test_docstrings_name_what_they_are_of():
    found = [(f"{file}:{line}", of) for file, text in files().items() for line, of in turned(text)]
    assert [place for place, of_a_function in found if of_a_function] == []
    assert len(found) <= MOST


def test_a_function_without_a_name_is_found():
    assert nameless("class A:\n    @b\n    async def _(self): ...\n\ndef c(_): ...") == [3]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('def a():\n    """Whether it is."""', [(2, True)]),
        ('class A:\n    """The same for b."""', [(2, False)]),
        ('"""Whatever may come."""', []),
        ('def a():\n    """Return what lies there."""', []),
    ],
)
def test_a_docstring_turned_round_is_found(text, found):
    assert list(turned(text)) == found
