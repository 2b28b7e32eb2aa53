"""Everything that can be asked, refused or shown has a text, and every text finds its figures."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from random import Random

import pytest

from engines.rules import load
from engines.torres.book import BOOK
from engines.torres.cards import CARDS
from engines.torres.cards import CLAUSES as CARD_CLAUSES
from engines.torres.reading import NO_CHECKS
from tests.engines.cases import refused
from tests.engines.torres.cases import CASES
from tests.engines.torres.table import GAME
from tests.engines.torres.walking import SETUPS, busy
from tests.engines.walks import walk

TEXTS = tomllib.loads((files("engines") / "torres" / "texts.en.toml").read_text("utf-8"))
SHARED = {"more.either", "more.ap6", "more.ap7", "steps.fewer"}
"""Remedies that a refusal's figure names."""
OLED = 21
"""Characters in a line of the small screen."""


def blanks(text):
    return set(re.findall(r"\{(\w+)\}", text))


def test_every_question_has_a_text_that_fits():
    assert set(TEXTS["question"]) == BOOK.questions
    assert all(len(re.sub(r"\{\w+\}", "xx", text)) <= OLED + 2 for text in TEXTS["question"].values())


def test_every_refusal_has_a_text_filled_by_its_figures():
    assert set(TEXTS["refused"]) == {check.name for check in BOOK.checks} | set(NO_CHECKS)
    assert set(TEXTS["remedy"]) <= set(TEXTS["refused"]) | SHARED
    for example in CASES:
        refusal = refused("torres", example)
        figures = {name for name, _ in refusal.figures}
        assert blanks(TEXTS["refused"][example.check]) <= figures, example.check
        remedy = dict(refusal.figures).get("remedy", example.check)
        assert remedy == example.check or remedy in SHARED
        assert blanks(TEXTS["remedy"].get(remedy, "")) <= figures, example.check


@pytest.mark.parametrize("name", SETUPS)
def test_every_choice_and_question_is_named(name):
    shown = set()
    for made in walk(GAME, SETUPS[name], Random(3), busy):
        pending = GAME.rules.pending(made.state)
        assert blanks(TEXTS["question"][pending.question]) <= {n for n, _ in pending.figures}
        for choice in GAME.rules.legal(made.state):
            label = GAME.notation.label(choice)
            table, _, key = label.key.partition(".")
            if key in TEXTS.get(table, {}):
                assert blanks(TEXTS[table][key]) <= {n for n, _ in label.figures}
                shown.add(label.key)
            else:
                assert choice.token[-1] in "12345678", label
    assert shown


def test_options_categories_and_ends_are_named():
    assert set(TEXTS["category"]) == set(GAME.scoring.CATEGORIES)
    assert set(TEXTS["option"]) == {option.name for option in GAME.options}
    assert set(TEXTS["option_value"]) == {value for option in GAME.options for value in option.values}
    assert set(TEXTS["termination"]) == {"settled", "counted"}
    assert set(TEXTS["card"]) == set(CARDS)
    assert TEXTS["title"] == GAME.title
    short = (*TEXTS["option"].values(), *TEXTS["option_value"].values(), *TEXTS["category"].values())
    assert all(len(text) <= OLED for text in short)


def test_every_clause_cited_is_written():
    clauses = {clause.id for clause in load("torres")}
    assert {check.clause for check in BOOK.checks} <= clauses
    assert {option.clause for option in GAME.options} <= clauses
    assert set(CARD_CLAUSES) <= clauses


def test_the_clauses_of_torres():
    per_section = [8, 2, 13, 9, 5, 3]
    assert [clause.id for clause in load("torres")] == [
        f"TO-{section}.{number}"
        for section, count in enumerate(per_section, start=1)
        for number in range(1, count + 1)
    ]
