"""Table facts in a match's set-up and header: read back as they were known then, on any machine."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engines.contract import Setup
from engines.fact_kinds import Integer, Length, Word
from engines.facts import Fact, Facts, Known, Schema, Source, Standing, needed, table
from engines.match_facts import drift, header_fields, is_field, kept, of_match, read_header
from tests.engines.fact_strategies import BAZAAR, SETUPS
from tests.engines.test_facts import FRESH, copies


class TestHeader:
    def test_what_it_says(self):
        kinds = (
            Fact("pitch", Length(10, 60), "C"),
            Fact("side", Word(("left", "right")), "C", Source.LIKELY, "left"),
        )
        facts = Facts.of(Schema("g", kinds), "Anna's")
        assert header_fields(facts, Setup()) == {
            "facts.copy": "Anna's",
            "facts.sample": "no",
            "fact.pitch": "unknown",
            "fact.side": "likely left",
        }
        known = header_fields(facts.confirm("pitch", 22.5).confirm("side", "left"), Setup())
        assert (known["fact.pitch"], known["fact.side"]) == ("confirmed 22.5 mm", "confirmed left")

    def test_a_game_without_facts_adds_nothing(self):
        assert header_fields(Facts.of(Schema("g")), Setup()) == {}
        facts, drift = read_header(BAZAAR, {"game": "g"})
        assert (facts.states, drift) == ((Known(),) * len(BAZAAR), ())

    @given(copies(), st.sampled_from(SETUPS), st.booleans())
    def test_it_reads_back_to_what_the_match_needed(self, facts, setup, sample):
        facts = Facts(BAZAAR, facts.states, facts.copy, sample)
        again, drift = read_header(BAZAAR, {"game": "bazaar", "seat.a": "x"} | header_fields(facts, setup))
        assert drift == ()
        assert (again.copy, again.sample) == (facts.copy, sample)
        used = {fact.name for fact, _ in needed(facts, setup)}
        for fact in BAZAAR:
            assert again.known(fact.name) == (facts.known(fact.name) if fact.name in used else Known())
        assert header_fields(again, setup) == header_fields(facts, setup)

    def test_todays_defaults_do_not_fill_yesterdays_gaps(self):
        then = Schema("g", table("t", ["1", "2"], Integer(0, 9), "C", likely={"2": 4}))
        now = Schema("g", table("t", ["1", "2"], Integer(0, 9), "C", sure={"1": 5, "2": 6}))
        facts, drift = read_header(now, header_fields(Facts.of(then), Setup()))
        assert (facts["t.1"], facts.known("t.2")) == (None, Known(4, Standing.LIKELY))
        assert drift == ()

    @pytest.mark.parametrize(
        ("field", "text", "check"),
        [
            ("fact.rivers", "confirmed 12 spaces", "no_fact"),
            ("fact.river", "confirmed 12 mm", "unit"),
            ("fact.river", "confirmed 99 spaces", "range"),
            ("fact.river", "perhaps 12", "standing"),
            ("fact.river", "unknown 12", "standing"),
            ("fact.river", "confirmed", "standing"),
            ("fact.river", "", "standing"),
        ],
    )
    def test_a_field_that_does_not_fit_is_told_and_left_unknown(self, field, text, check):
        facts, drift = read_header(BAZAAR, {field: text, "fact.tray": "confirmed 91 mm"})
        assert [(problem.where, problem.check) for problem in drift] == [(field, check)]
        assert facts["river"] is None
        assert facts["tray"] == 91.0

    @pytest.mark.parametrize("order", [("fact.river", "fact.rapids"), ("fact.rapids", "fact.river")])
    def test_what_contradicts_is_told_and_neither_is_believed(self, order):
        texts = {"fact.river": "confirmed 10 spaces", "fact.rapids": "confirmed 3 12"}
        facts, told = read_header(BAZAAR, {name: texts[name] for name in order})
        assert [(problem.where, problem.check) for problem in told] == [
            ("fact.river fact.rapids", "rapids_fit")
        ]
        assert (facts["river"], facts["rapids"]) == (None, None)
        texts["fact.rapids"] = "confirmed 3 10"
        facts, told = read_header(BAZAAR, texts)
        assert (facts["river"], facts["rapids"], told) == (10, (3, 10), ())


class TestSetup:
    @given(copies(), st.sampled_from(SETUPS), st.booleans())
    def test_a_match_goes_by_what_was_known_then(self, facts, setup, sample):
        facts = replace(facts, sample=sample)
        match = kept(facts, setup)
        assert replace(match, facts=()) == setup
        assert [name for name, _ in match.facts] == sorted(name for name, _ in match.facts)
        assert all(is_field(name) and text == text.strip() != "" for name, text in match.facts)
        again, told = of_match(BAZAAR, match)
        assert told == ()
        assert [known for _, known in needed(again, setup)] == [known for _, known in needed(facts, setup)]
        assert kept(again, setup) == match
        assert kept(again, match) == match

    def test_a_game_without_facts_keeps_none(self):
        assert kept(Facts.of(Schema("g"), "Anna's"), Setup()) == Setup()

    def test_where_nobody_told_the_defaults_hold(self):
        assert of_match(BAZAAR, Setup()) == (Facts.of(BAZAAR), ())
        told = of_match(BAZAAR, Setup(facts=(("facts.copy", "Anna's"),)))[0]
        assert (told.copy, told["oasis.05"]) == ("Anna's", None)

    @pytest.mark.parametrize(
        ("name", "of_copy"),
        [
            ("fact.river", True),
            ("fact.unheard", True),
            ("facts.copy", True),
            ("facts", False),
            ("factory.x", False),
            ("option.fact", False),
        ],
    )
    def test_which_fields_tell_of_the_copy(self, name, of_copy):
        assert is_field(name) is of_copy


class TestDrift:
    """The match has a fact so, the copy here so: only what people know here can contradict."""

    @pytest.mark.parametrize(
        ("match", "here", "told"),
        [
            (("confirmed", 12), ("confirmed", 13), True),
            (("likely", 12), ("confirmed", 13), True),
            (("confirmed", 12), ("sure", 13), True),
            (("confirmed", 12), ("likely", 13), False),
            (("confirmed", 12), ("unknown", None), False),
            (("unknown", None), ("confirmed", 13), False),
            (("likely", 12), ("confirmed", 12), False),
        ],
    )
    def test_only_what_is_known_to_be_otherwise(self, match, here, told):
        one, other = (FRESH.known_as("river", Known(value, Standing(mark))) for mark, value in (match, here))
        assert [found.fact.name for found in drift(one, other)] == ["river"] * told

    @given(copies(), copies())
    def test_by_fact(self, one, other):
        looked_up = [fact for fact in BAZAAR if fact.name in other.confirmed or fact.source is Source.SURE]
        told = [f.name for f in looked_up if one[f.name] is not None and one[f.name] != other[f.name]]
        assert [found.fact.name for found in drift(one, other)] == told
        assert drift(one, one) == []
