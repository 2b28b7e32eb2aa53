"""Parts as most games have them: reports where all lies open."""

from random import Random

import pytest
from msgspec import Struct

from engines.contract import Choice, Domain, Number
from engines.kit import Open
from engines.kit.checks import Objection
from engines.kit.rulebook import Rulebook
from engines.search import NothingTrue


class State(Struct, frozen=True):
    least: int
    seat: int = 0
    frames: tuple[object, ...] = ()
    termination: str = ""
    waived: tuple[str, ...] = ()
    adjusted: tuple[int, ...] = (0, 0)


DIE = Domain("action", tuple("123456"))


def reporting(answers, **draws):
    """A book that asks the table for a number that is ``least`` or more."""
    book = Rulebook()
    book.asks(answers, "action", report=True)
    book.check("least", "X-1", "action")(
        lambda state, token: None if int(token) >= state.least else Objection()
    )
    if answers is DIE:
        book.lists("action")(
            lambda state: book.listed("action", (n for n in DIE.tokens if int(n) >= state.least))
        )
    return Open(book, draws)


@pytest.mark.parametrize("answers", [DIE, Number("action", 0, 6)])
def test_the_table_reports_what_is_legal_and_all_of_it(answers):
    rng, worlds = Random(1), reporting(answers)
    told = {worlds.answer(None, State(4), rng) for _ in range(200)}
    assert told == {Choice("action", token) for token in "456"}


@pytest.mark.parametrize("answers", [DIE, Number("action", 0, 6)])
def test_where_nothing_is_legal_nothing_is_true(answers):
    with pytest.raises(NothingTrue):
        reporting(answers).answer(None, State(7), Random(1))


def test_what_is_drawn_for_a_question_is_reported():
    worlds = reporting(DIE, action=lambda state, rng: str(state.least + rng.randrange(2)))
    told = {worlds.answer(None, State(4), rng) for rng in map(Random, range(20))}
    assert told == {Choice("action", token) for token in "45"}
