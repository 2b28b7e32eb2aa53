"""The tests would notice if a check were lost."""

from __future__ import annotations

import pytest

from engines.torres.checks import CHECKS
from tests.engines.torres.mutate_checks import caught_by_table, without


@pytest.mark.parametrize("check", list(CHECKS), ids=lambda check: check.name)
def test_a_lost_check_is_noticed(check):
    assert not caught_by_table(check)
    with without(check):
        assert caught_by_table(check)
    assert not caught_by_table(check)
