"""The toy game with a tower (:mod:`tests.engines.tower_toy`), as if it were one of the house's."""

from __future__ import annotations

import sys

import pytest

import engines
from tests.engines import tower_toy

ID = "tower_toy"


@pytest.fixture
def tower(monkeypatch):
    """Its id."""
    monkeypatch.setitem(sys.modules, f"engines.{ID}", tower_toy)
    monkeypatch.setattr(engines, "GAMES", (*engines.GAMES, ID))
    yield ID
    engines.game.cache_clear()
