"""MicroPython for tests: ``.ci/micropython FOLDER`` fetches it, ``PODESTA_MICROPYTHON`` says where it is."""

import os

import pytest


def micropython() -> str:
    """The path of what runs MicroPython; without it the test is skipped."""
    path = os.environ.get("PODESTA_MICROPYTHON", "")
    if not os.access(path, os.X_OK):
        pytest.skip("no MicroPython: PODESTA_MICROPYTHON=$(.ci/micropython build/micropython)")
    return path
