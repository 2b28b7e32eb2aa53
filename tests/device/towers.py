"""The toy game with a tower (:mod:`tests.engines.tower_toy`), as if it were one of the house's."""

from __future__ import annotations

import pytest

from tests.engines import tower_toy
from tests.engines.newcomers import installed


@pytest.fixture
def tower():
    """Its id."""
    with installed(tower_toy) as game_id:
        yield game_id
