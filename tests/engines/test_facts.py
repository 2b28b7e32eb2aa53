"""What is known of a copy: standing, what a match needs, where two differ."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.contract import Setup
from engines.fact_kinds import Integer, bare
from engines.facts import (
    BadFact,
    Fact,
    Facts,
    Known,
    Schema,
    Source,
    Standing,
    Use,
    When,
    differences,
    missing,
    needed,
    problems,
    schema,
    unconfirmed,
)
from tests.engines.fact_strategies import BAZAAR, OASES, SETUPS, values

FRESH = Facts.of(BAZAAR, "Anna's")


def names(facts):
    return [fact.name for fact in facts]


@st.composite
def copies(draw):
    """A copy of which some facts are confirmed."""
    facts = Facts.of(BAZAAR, draw(st.sampled_from(("", "Anna's"))))
    for fact in draw(st.lists(st.sampled_from(BAZAAR.facts), max_size=12)):
        try:
            facts = facts.confirm(fact.name, draw(values(fact.kind)))
        except BadFact as error:  # twice the same colour or rapid, or a rapid beyond the river
            if not {problem.check for problem in error.problems} <= {"twice", "rapids_fit"}:
                raise
    return facts


class TestSchema:
    @pytest.mark.parametrize(
        ("facts", "why"),
        [
            ([Fact("a", Integer(0, 1), "C"), Fact("a", Integer(0, 1), "C")], "twice"),
            ([Fact("format", Integer(0, 1), "C")], "cannot be called"),
            ([Fact("a.b.c", Integer(0, 1), "C")], "cannot be called"),
            ([Fact("a", Integer(0, 1), "C"), Fact("a.b", Integer(0, 1), "C")], "cannot be called"),
            ([Fact("a", Integer(0, 1), "C", Source.SURE)], "default None"),
            ([Fact("a", Integer(0, 1), "C", Source.LIKELY)], "default None"),
            ([Fact("a", Integer(0, 1), "C", Source.COPY, 1)], "default 1"),
        ],
    )
    def test_what_cannot_be_one(self, facts, why):
        with pytest.raises(ValueError, match=why):
            Schema("g", facts)

    def test_a_default_must_fit(self):
        with pytest.raises(Exception, match="range"):
            Schema("g", [Fact("a", Integer(0, 1), "C", Source.SURE, 2)])

    def test_a_check_is_about_facts_there_are(self):
        with pytest.raises(BadFact, match="no fact 'rivers'; did you mean river"):
            Schema("g", BAZAAR.facts, [type(BAZAAR.checks[0])("x", ("rivers",), "C", lambda _: None)])

    def test_a_table_marks_each_entry_by_itself(self):
        marks = {fact.name: (fact.source, fact.default) for fact in BAZAAR if fact.table == "oasis"}
        assert len(marks) == len(OASES)
        assert marks["oasis.03"] == (Source.SURE, (2, ("pink",)))
        assert marks["oasis.05"] == (Source.LIKELY, (3, ("white",)))
        assert marks["oasis.04"] == (Source.COPY, None)

    def test_entries_share_a_label(self):
        assert BAZAAR.fact("oasis.04").label.key == "fact.oasis"
        assert dict(BAZAAR.fact("oasis.04").label.figures) == {"key": "04"}
        assert BAZAAR.fact("river").label.key == "fact.river"

    def test_an_unknown_name_tells_the_nearest(self):
        with pytest.raises(BadFact, match=r"bazaar has no fact 'Rivver'; did you mean river\?"):
            FRESH.confirm("Rivver", 1)

    def test_a_game_without_facts_has_none(self):
        assert len(schema("san_gimignano")) == 0
        assert len(schema("no_such_game")) == 0


class TestStanding:
    def test_at_first_only_defaults_are_known(self):
        assert FRESH.known("oasis.03") == Known((2, ("pink",)), Standing.SURE)
        assert FRESH.known("oasis.05") == Known((3, ("white",)), Standing.LIKELY)
        assert FRESH.known("river") == Known(None, Standing.UNKNOWN)
        assert FRESH.confirmed == {}

    def test_what_people_say_is_confirmed_also_where_it_is_the_default(self):
        facts = FRESH.confirm("oasis.05", {"points": 3, "colours": ["white"]})
        assert facts.known("oasis.05") == Known((3, ("white",)), Standing.CONFIRMED)
        assert facts.confirmed == {"oasis.05": (3, ("white",))}
        assert FRESH.confirmed == {}

    def test_what_is_forgotten_is_as_at_first(self):
        for name in ("oasis.05", "river"):
            raw = bare(BAZAAR.fact(name).kind, {"oasis.05": (9, ("pink",)), "river": 12}[name])
            facts = FRESH.confirm(name, raw)
            assert facts != FRESH
            assert facts.forget(name) == FRESH

    def test_a_value_that_does_not_fit_names_fact_field_and_clause(self):
        with pytest.raises(BadFact) as refused:
            FRESH.confirm("oasis.04", {"points": 10, "colours": ["pink", "pink", "grey"]})
        where = [(problem.where, problem.check, problem.clause) for problem in refused.value.problems]
        assert where == [
            ("oasis.04.points", "range", "MK-14"),
            ("oasis.04.colours[3]", "word", "MK-14"),
            ("oasis.04.colours[2]", "twice", "MK-14"),
        ]

    def test_a_text_is_taken_too(self):
        assert FRESH.entered("river", "12 spaces")["river"] == 12
        with pytest.raises(BadFact, match="river"):
            FRESH.entered("river", "12 mm")

    @pytest.mark.parametrize("order", [("river", "rapids"), ("rapids", "river")])
    def test_what_contradicts_what_is_known_is_refused(self, order):
        raws = {"river": 12, "rapids": [3, 13]}
        facts = FRESH.confirm(order[0], raws[order[0]])
        with pytest.raises(BadFact) as refused:
            facts.confirm(order[1], raws[order[1]])
        (problem,) = refused.value.problems
        assert (problem.where, problem.check, problem.figures) == (
            "river rapids",
            "rapids_fit",
            (("rapid", 13),),
        )
        assert problems(facts) == []
        fits = FRESH.confirm("river", 13).confirm("rapids", [13, 3])
        assert fits["rapids"] == (3, 13)
        assert problems(fits) == []


class TestNeeded:
    def test_by_options(self):
        plain, desert, purple = (names(fact for fact, _ in needed(FRESH, setup)) for setup in SETUPS[:3])
        assert "disc" in plain
        assert "cost.left" not in plain
        assert set(desert) - set(plain) == {"cost.left", "cost.right"}
        assert set(plain) - set(purple) == {"disc"}

    def test_by_use(self):
        assert "tray" in names(fact for fact, _ in needed(FRESH, Setup()))
        assert "tray" not in names(fact for fact, _ in needed(FRESH, Setup(), (Use.PLAY,)))
        assert names(fact for fact, _ in needed(FRESH, Setup(), (Use.SIGHT,))) == ["tray"]

    def test_by_how_it_begins(self):
        fact = Fact("a", Integer(0, 1), "C", set_up=True)
        assert fact.needed(Setup())
        assert not fact.needed(Setup(position="x"))
        assert Fact("a", Integer(0, 1), "C").needed(Setup(position="x"))

    def test_all_conditions_hold_together(self):
        both = Fact("a", Integer(0, 1), "C", when=(When("x", ("1",)), When("y", ("1",), usual=True)))
        assert both.needed(Setup(options=(("x", "1"),)))
        assert both.needed(Setup(options=(("x", "1"), ("y", "1"))))
        assert not both.needed(Setup(options=(("y", "1"),)))
        assert not both.needed(Setup(options=(("x", "1"), ("y", "2"))))

    def test_missing_is_unknown_and_unconfirmed_is_likely(self):
        assert "river" in names(missing(FRESH, Setup()))
        assert names(unconfirmed(FRESH, Setup())) == ["oasis.05", "oasis.07"]
        assert not {"oasis.03", "oasis.05", "tray"} & set(names(missing(FRESH, Setup())))
        facts = FRESH.confirm("river", 12).confirm("oasis.05", {"points": 1, "colours": ["pink"]})
        assert set(names(missing(FRESH, Setup()))) - set(names(missing(facts, Setup()))) == {"river"}
        assert names(unconfirmed(facts, Setup())) == ["oasis.07"]


class TestDifferences:
    def test_names_what_differs_and_how_it_stands(self):
        other = FRESH.confirm("oasis.05", {"points": 3, "colours": ["white"]}).confirm("river", 12)
        found = {one.fact.name: (one.one.standing, one.other.standing) for one in differences(FRESH, other)}
        assert found == {
            "river": (Standing.UNKNOWN, Standing.CONFIRMED),
            "oasis.05": (Standing.LIKELY, Standing.CONFIRMED),
        }

    def test_of_two_games_there_are_none(self):
        with pytest.raises(ValueError, match="bazaar and one of g"):
            differences(FRESH, Facts.of(Schema("g")))

    @given(copies(), copies())
    def test_symmetric_and_empty_only_between_equals(self, one, other):
        there = [(d.fact, d.one, d.other) for d in differences(one, other)]
        back = [(d.fact, d.other, d.one) for d in differences(other, one)]
        assert there == back
        assert (there == []) is (one.states == other.states)
