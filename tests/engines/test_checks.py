"""Every check of every game by name: an answer that it lets pass, and one that it refuses with figures."""

import pytest

import engines
from tests.engines.cases import by_knowledge, of, verify

CASES = [
    pytest.param(game_id, case, id=name) for game_id in engines.GAMES for name, case in of(game_id).items()
]


@pytest.mark.parametrize(("game_id", "case"), CASES)
def test_check(game_id, case):
    """It refuses one answer, with its clause and figures, and lets another pass: so a lost one is noticed."""
    verify(game_id, case)


@pytest.mark.parametrize("game_id", engines.GAMES)
def test_every_check_has_a_case_and_a_name_of_its_own(game_id):
    checks = [check.name for check in engines.game(game_id).rules.checks]
    assert set(checks) == {case.check for case in of(game_id).values()}
    assert by_knowledge(game_id) <= set(checks)
    assert len(set(checks)) == len(checks)
