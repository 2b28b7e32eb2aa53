"""Names that a traceback, a profiler or a search can show."""

from __future__ import annotations

import ast

from tests.rooms import FLOORS, ROOT


def nameless(text: str) -> list[int]:
    """Return the lines of functions called ``_``."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [
        node.lineno for node in ast.walk(ast.parse(text)) if isinstance(node, functions) and node.name == "_"
    ]


def test_every_function_has_a_name():
    folders = (*FLOORS, "hardware", "tests")
    files = [file for folder in folders for file in (ROOT / folder).rglob("*.py")]
    assert len(files) > 500
    assert [f"{file}:{line}" for file in files for line in nameless(file.read_text("utf-8"))] == []


def test_a_function_without_one_is_found():
    assert nameless("class A:\n    @b\n    async def _(self): ...\n\ndef c(_): ...") == [3]
