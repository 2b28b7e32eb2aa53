"""Table facts in a match's set-up and header: read back as they were known then, on any machine."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engines.facts import Facts, Known, Standing, is_field, of_match, with_facts
from tests.engines.fact_strategies import BAZAAR, SETUPS, Oasis
from tests.engines.test_facts import FRESH, copies


def read(fields):
    return of_match(BAZAAR, tuple(fields.items()))


class TestHeader:
    def test_what_it_says(self):
        facts = FRESH.confirm(
            {"river": 12, "tray": 90.5, "rapids": (7, 2), "cost.left": {"dates": 1, "dinars": 2, "water": 3}}
        )
        fields = dict(with_facts(facts, SETUPS[1]).facts)
        assert {name: fields[name] for name in fields if not name.startswith("fact.oasis")} == {
            "facts.copy": "Anna's",
            "facts.sample": "no",
            "fact.river": "confirmed 12 spaces",
            "fact.rapids": "confirmed 2 7",
            "fact.tray": "confirmed 90.5 mm",
            "fact.disc": "unknown",
            "fact.fines": "unknown",
            "fact.cost.left": 'confirmed {"dates": 1, "dinars": 2, "water": 3}',
            "fact.cost.right": "unknown",
        }
        assert fields["fact.oasis.03"] == 'sure {"points": 2, "colours": ["pink"]}'
        assert fields["fact.oasis.05"] == 'likely {"points": 3, "colours": ["white"]}'

    def test_todays_defaults_do_not_fill_yesterdays_gaps(self):
        facts, found = read(
            {
                "fact.oasis.03": "unknown",
                "fact.oasis.05": "unknown",
                "fact.oasis.07": 'likely {"points": 1, "colours": ["pink"]}',
            }
        )
        assert (facts["oasis.03"], facts["oasis.05"], facts["tray"]) == (None, None, None)
        assert facts.known["oasis.07"] == Known(Oasis(1, ("pink",)), Standing.LIKELY)
        assert found == []

    @pytest.mark.parametrize(
        ("field", "text", "check"),
        [
            ("fact.rivers", "confirmed 12 spaces", "no_fact"),
            ("fact.river", "confirmed 12 mm", "value"),
            ("fact.river", "confirmed 99 spaces", "value"),
            ("fact.river", "perhaps 12", "standing"),
            ("fact.river", "unknown 12", "standing"),
            ("fact.river", "confirmed", "standing"),
            ("fact.river", "", "standing"),
        ],
    )
    def test_a_field_that_does_not_fit_is_told_and_left_unknown(self, field, text, check):
        facts, found = read({field: text, "fact.tray": "confirmed 91 mm"})
        assert [(problem.where, problem.check) for problem in found] == [(field, check)]
        assert facts["river"] is None
        assert facts["tray"] == 91.0

    @pytest.mark.parametrize("order", [("fact.river", "fact.rapids"), ("fact.rapids", "fact.river")])
    def test_what_contradicts_is_told_and_neither_is_believed(self, order):
        texts = {"fact.river": "confirmed 10 spaces", "fact.rapids": "confirmed 3 12"}
        facts, told = read({name: texts[name] for name in order})
        assert [(problem.where, problem.check) for problem in told] == [
            ("fact.river fact.rapids", "rapids_fit")
        ]
        assert (facts["river"], facts["rapids"]) == (None, None)
        texts["fact.rapids"] = "confirmed 3 10"
        facts, told = read(texts)
        assert (facts["river"], facts["rapids"], told) == (10, {3, 10}, [])


class TestSetup:
    @given(copies(), st.sampled_from(SETUPS), st.booleans())
    def test_a_match_goes_by_what_was_known_then(self, facts, setup, sample):
        facts = replace(facts, sample=sample)
        match = with_facts(facts, setup)
        assert replace(match, facts=()) == setup
        assert [name for name, _ in match.facts] == sorted(name for name, _ in match.facts)
        assert all(is_field(name) and text == text.strip() != "" for name, text in match.facts)
        again, told = of_match(BAZAAR, match.facts)
        assert told == []
        assert all(again.known[fact.name] == facts.known[fact.name] for fact in facts.schema.needed(setup))
        assert with_facts(again, setup) == match
        assert with_facts(again, match) == match

    def test_where_nobody_told_the_defaults_hold(self):
        assert of_match(BAZAAR, ()) == (Facts.of(BAZAAR), [])
        told = of_match(BAZAAR, (("facts.copy", "Anna's"),))[0]
        assert (told.copy, told["oasis.05"]) == ("Anna's", None)
