"""The tests would notice if a check were lost."""

import pytest

from tests.engines.mutate_checks import CHECKS, caught_by_table, without


@pytest.mark.parametrize(("game_id", "check"), CHECKS, ids=lambda each: getattr(each, "name", each))
def test_a_lost_check_is_noticed(game_id, check):
    assert not caught_by_table(game_id, check)
    with without(game_id, check):
        assert caught_by_table(game_id, check)
    assert not caught_by_table(game_id, check)
