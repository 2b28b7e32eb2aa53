"""``.ci/installed.py`` runs late, in an environment of its own: this test checks its imports early."""

import ast
import importlib
from pathlib import Path

SCRIPT = Path(__file__).parent.parent / ".ci" / "installed.py"


def test_all_that_it_imports_is_there() -> None:
    missing = [
        f"{node.module}.{name.name}"
        for node in ast.parse(SCRIPT.read_text("utf-8")).body
        if isinstance(node, ast.ImportFrom) and node.module
        for name in node.names
        if not hasattr(importlib.import_module(node.module), name.name)
    ]
    assert missing == []
