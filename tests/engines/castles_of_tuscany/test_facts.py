"""What a copy of The Castles of Tuscany may have, and what its facts must not say together."""

import msgspec
import pytest

from device.texts import Texts
from engines.castles_of_tuscany.facts import SCHEMA, facts_of, printing
from engines.castles_of_tuscany.kinds import KINDS
from engines.castles_of_tuscany.regions import NAMES, put_together, seams
from engines.contract import Setup
from engines.fact_kinds import read
from engines.fact_words import FactWords
from engines.facts import (
    BadFact,
    Facts,
    Use,
    drift,
    lacking,
    of_match,
    sample,
    to_ask,
    with_facts,
)

FRESH = Facts.of(SCHEMA)
WORDS = FactWords(SCHEMA, Texts.load("en", "castles_of_tuscany", strict=True))
A1, THREE, FOUR = "icmvvimrrv", "ccmvvcmrrv", "ccmvvcmrrc"
SPLIT = dict(zip((f"cards.{kind}" for kind in KINDS), (9, 13, 11, 19, 15, 20, 17, 18), strict=True))


def told(facts, **changes):
    """With facts as people write them; what is wrong in words where they do not fit."""
    named = {name.replace("__", "."): text for name, text in changes.items()}
    try:
        return facts.confirm({name: read(SCHEMA.fact(name).kind, text) for name, text in named.items()})
    except BadFact as error:
        return [WORDS.problem(problem) for problem in error.problems]


@pytest.mark.parametrize(
    ("known", "change", "why"),
    [
        ({}, {"board__A1": A1}, None),
        ({}, {"board__A1": THREE}, None),
        ({}, {"board__A1": FOUR}, "board.A1: 4 castles, but a whole region has three"),
        ({"board__A1": A1}, {"board__A2": A1}, None),
        ({"board__A1": A1}, {"board__B1": THREE}, None),
        (
            {"board__A1": A1},
            {"board__A2": THREE},
            "board.A1 and board.A2: 3 castles, but another board of its set has 1; all of a set have as many",
        ),
        ({}, {"outline": "3 4 3"}, None),
        (
            {},
            {"outline": "4 5"},
            "outline: rows of 4 5 are 9 hexes or do not interlock; a board has ten",
        ),
        (
            {},
            {"outline": "4 2 4"},
            "outline: rows of 4 2 4 are 10 hexes or do not interlock; a board has ten",
        ),
        (SPLIT, {"cards__c": "9"}, None),
        (
            SPLIT,
            {"cards__c": "10"},
            f"{' and '.join(SPLIT)}: all colours make 123 cards, not 122",
        ),
    ],
)
def test_what_contradicts_itself(known, change, why):
    facts = told(FRESH, **{name: str(value) for name, value in known.items()})
    found = told(facts, **change)
    assert found == [why] if why else not isinstance(found, list)


@pytest.mark.parametrize("fact", [*SCHEMA], ids=lambda fact: fact.name)
def test_every_fact_is_told_in_words(fact):
    assert WORDS.label(fact)
    assert "{" not in WORDS.about(fact) + WORDS.remark(fact)
    if fact.table:
        assert WORDS.table(fact.table)


def test_only_what_a_match_cannot_begin_without_is_asked_before_it():
    asked = [fact.name for fact in to_ask(FRESH, Setup(), (Use.PLAY,))]
    assert asked == ["cards_per_draw", "farms", "outline"]
    assert {f"board.{name}" for name in NAMES} <= {fact.name for fact in FRESH.schema.needed(Setup())}
    assert lacking(FRESH) == "cards_per_draw"
    assert lacking(told(FRESH, cards_per_draw="3", farms='["vines"]')) == ""


def test_what_was_told_of_a_late_fact_goes_into_a_match_all_the_same():
    begun = {"cards_per_draw": "2", "farms": '["vines"]'}
    facts = told(FRESH, **begun, board__A2=A1, bonus__v="6,3")
    again, problems = of_match(SCHEMA, with_facts(facts, Setup()).facts)
    assert problems == []
    assert printing(again).boards == (("A2", A1),)
    assert printing(again).bonus == tuple((6, 3) if kind == "v" else None for kind in KINDS)


def test_a_sample_makes_regions_of_three_castles():
    known = printing(sample(SCHEMA))
    assert [name for name, _ in known.boards] == [*NAMES]
    for boards in (("A1", "B1", "C1"), ("A4", "B2", "C3")):
        kinds = dict(known.boards)
        made = put_together(boards, seams(known.outline), kinds, known.outline)
        assert made.kinds.count("c") == 3
    assert facts_of(with_facts(sample(SCHEMA), Setup()).facts).sample


def test_a_split_that_is_told_otherwise_later_is_shown_and_the_match_keeps_its_own():
    match, _ = of_match(SCHEMA, with_facts(FRESH.confirm(SPLIT), Setup()).facts)
    here = FRESH.confirm(SPLIT | {"cards.c": 2, "cards.t": 20})
    assert [WORDS.difference(found, "in the match", "here") for found in drift(match, here)] == [
        "Cards, dark green: in the match 9 cards; here 2 cards",
        "Cards, red: in the match 13 cards; here 20 cards",
    ]
    assert drift(match, FRESH) == []


def test_kinds_of_farms_may_stand_side_by_side():
    kind = SCHEMA.fact("farms").kind
    assert read(kind, "sheep,cows") == read(kind, "sheep; cows") == read(kind, '["sheep", "cows"]')
    assert read(kind, "sea goats, cows") == ("sea goats", "cows")
    with pytest.raises(msgspec.ValidationError):
        read(kind, "sheep,,cows")


def test_a_yield_card_s_rewards_are_said_in_words():
    said = WORDS.value(SCHEMA.fact("yields").kind, ("g2", "w1+o2", "h1", "x"))
    assert said == "2 VP on green, 1 worker + 2 VP on orange, wild hex, something else"
