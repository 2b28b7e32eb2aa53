"""MicroPython for tests: ``.ci/micropython FOLDER`` fetches it, ``PODESTA_MICROPYTHON`` has its path."""

import os

import pytest


def micropython() -> str:
    """Return the path of MicroPython; without it skip the test."""
    path = os.environ.get("PODESTA_MICROPYTHON", "")
    if not os.access(path, os.X_OK):
        pytest.skip("no MicroPython: PODESTA_MICROPYTHON=$(.ci/micropython build/micropython)")
    return path
