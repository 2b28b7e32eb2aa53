"""Every check of every game by name: an answer that it lets pass, and one that it refuses with figures."""

import pytest

import engines
from tests.engines.asked import Asked
from tests.engines.cases import by_knowledge, of, refused, verify

CASES = [
    pytest.param(game_id, case, id=name) for game_id in engines.GAMES for name, case in of(game_id).items()
]


@pytest.mark.parametrize(("game_id", "case"), CASES)
def test_check(game_id, case):
    """It refuses one answer, with its clause and figures, and lets another pass."""
    verify(game_id, case)


@pytest.mark.parametrize(("game_id", "case"), CASES)
def test_what_a_check_lets_pass_answers_a_question_of_its_own(game_id, case):
    questions = {check.name: check.questions for check in engines.game(game_id).rules.checks}
    asked = Asked(engines.game(game_id))
    position, path, token = case.passing
    assert asked.answer(asked.at(position, path), token).question in questions[case.check]


@pytest.mark.parametrize(("game_id", "case"), CASES)
def test_a_refusal_by_knowledge_says_what_it_rests_on_and_others_do_not(game_id, case):
    basis = refused(game_id, case).basis
    assert bool(basis) == (case.check in by_knowledge(game_id))
    state = Asked(engines.game(game_id)).at(case.position, case.path)
    assert all(engines.game(game_id).rules.fact(state, key) >= 0 for key in basis)


@pytest.mark.parametrize("game_id", engines.GAMES)
class TestOfAGame:
    def test_it_brings_cases(self, game_id):
        assert of(game_id), f"tests/engines/{game_id}/cases.py"

    def test_every_check_has_a_case(self, game_id):
        checks = [check.name for check in engines.game(game_id).rules.checks]
        assert set(checks) == {case.check for case in of(game_id).values()}
        assert by_knowledge(game_id) <= set(checks)

    def test_checks_have_names_of_their_own(self, game_id):
        checks = [check.name for check in engines.game(game_id).rules.checks]
        assert len(set(checks)) == len(checks)
