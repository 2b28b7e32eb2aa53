"""What is known of a copy: standing, what a match needs, where two differ."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engines
from engines.contract import Setup
from engines.errors import BadPosition, BadSetup
from engines.facts import (
    BadFact,
    Fact,
    Facts,
    Known,
    Schema,
    Standing,
    Use,
    as_header,
    differences,
    is_sample,
    playable,
    problems,
    sample,
    schema,
    to_ask,
)
from tests.engines import tower_toy
from tests.engines.fact_strategies import BAZAAR, SETUPS, Oasis, values

FRESH = Facts.of(BAZAAR, "Anna's")


def names(facts):
    return [fact.name for fact in facts]


@st.composite
def copies(draw):
    """A copy of which some facts are confirmed."""
    facts = Facts.of(BAZAAR, draw(st.sampled_from(("", "Anna's"))))
    for fact in draw(st.lists(st.sampled_from(list(BAZAAR)), max_size=12)):
        try:
            facts = facts.confirm({fact.name: draw(values(fact.kind))})
        except BadFact as error:  # a rapid beyond the river
            if {problem.check for problem in error.problems} != {"rapids_fit"}:
                raise
    return facts


class TestSchema:
    def test_a_table_marks_each_entry_by_itself(self):
        assert BAZAAR.fact("oasis.03").default == Known(Oasis(2, ("pink",)), Standing.SURE)
        assert BAZAAR.fact("oasis.05").default == Known(Oasis(3, ("white",)), Standing.LIKELY)
        assert BAZAAR.fact("oasis.04").default == Known(None, Standing.UNKNOWN)

    def test_a_game_without_facts_has_none(self):
        assert len(schema("san_gimignano")) == 0
        assert len(schema("no_such_game")) == 0


class TestStanding:
    def test_what_people_say_is_confirmed_also_where_it_is_the_default(self):
        facts = FRESH.confirm({"oasis.05": {"points": 3, "colours": ["white"]}})
        assert facts.known["oasis.05"] == Known(Oasis(3, ("white",)), Standing.CONFIRMED)
        assert facts.confirmed == {"oasis.05": Oasis(3, ("white",))}
        assert FRESH.confirmed == {}

    def test_what_is_forgotten_is_as_at_first(self):
        for name, value in (("oasis.05", Oasis(9, ("pink",))), ("river", 12)):
            facts = FRESH.confirm({name: value})
            assert facts != FRESH
            assert facts.confirm({name: None}) == FRESH

    @pytest.mark.parametrize("value", [{"points": 10, "colours": ["pink"]}, {"points": 1}, 3])
    def test_a_value_that_does_not_fit_names_fact_and_clause(self, value):
        with pytest.raises(BadFact, match=r"oasis\.04: ") as refused:
            FRESH.confirm({"oasis.04": value})
        (problem,) = refused.value.problems
        assert (problem.where, problem.check, problem.clause) == ("oasis.04", "value", "MK-14")


class TestNeeded:
    def test_by_options(self):
        plain, desert, purple = (names(FRESH.schema.needed(setup)) for setup in SETUPS[:3])
        assert "disc" in plain
        assert "cost.left" not in plain
        assert set(desert) - set(plain) == {"cost.left", "cost.right"}
        assert set(plain) - set(purple) == {"disc"}

    def test_by_use(self):
        assert "tray" in names(FRESH.schema.needed(Setup()))
        assert "tray" not in names(FRESH.schema.needed(Setup(), (Use.PLAY,)))
        assert names(FRESH.schema.needed(Setup(), (Use.SIGHT,))) == ["tray"]

    def test_all_conditions_hold_together(self):
        both = Fact("C", when=(("x", ("1",)),), unless=(("y", ("2", "3")),))
        assert both.needed(Setup(options=(("x", "1"),)))
        assert both.needed(Setup(options=(("x", "1"), ("y", "1"))))
        assert not both.needed(Setup(options=(("y", "1"),)))
        assert not both.needed(Setup(options=(("x", "1"), ("y", "3"))))

    def test_what_is_unknown_or_likely_is_asked(self):
        asked = names(to_ask(FRESH, Setup()))
        assert {"river", "oasis.05", "oasis.07"} <= set(asked)
        assert not {"oasis.03", "tray"} & set(asked)
        facts = FRESH.confirm({"river": 12, "oasis.05": Oasis(1, ("pink",))})
        assert set(asked) - set(names(to_ask(facts, Setup()))) == {"river", "oasis.05"}


class TestDifferences:
    def test_names_what_differs_and_how_it_stands(self):
        other = FRESH.confirm({"oasis.05": Oasis(3, ("white",)), "river": 12})
        found = {fact.name: (one.standing, two.standing) for fact, one, two in differences(FRESH, other)}
        assert found == {
            "river": (Standing.UNKNOWN, Standing.CONFIRMED),
            "oasis.05": (Standing.LIKELY, Standing.CONFIRMED),
        }

    @given(copies(), copies())
    def test_symmetric_and_empty_only_between_equals(self, one, other):
        there = differences(one, other)
        assert there == [(fact, mine, yours) for fact, yours, mine in differences(other, one)]
        assert (there == []) is (one.known == other.known)


class TestASample:
    @pytest.mark.parametrize(
        "facts", [BAZAAR, tower_toy.SCHEMA, *map(schema, engines.GAMES)], ids=lambda one: one.game
    )
    def test_has_a_value_for_everything_and_contradicts_nothing(self, facts):
        made = sample(facts)
        assert made.sample
        assert list(made.confirmed) == [fact.name for fact in facts]
        assert problems(made) == []
        assert sample(facts) == made

    def test_has_what_is_likely_and_what_the_schema_makes_up(self):
        assert sample(BAZAAR)["oasis.05"] == Oasis(3, ("white",))
        assert sample(BAZAAR)["river"] == 5
        assert sample(tower_toy.SCHEMA)["turns"] == 4

    def test_a_made_up_copy_that_contradicts_itself_is_refused(self):
        with pytest.raises(BadFact, match="rapids_fit"):
            sample(Schema("bazaar", BAZAAR.kind, BAZAAR.checks, {"rapids": [6]}))

    def test_stands_in_where_a_match_could_not_begin_and_is_marked(self):
        setup = playable(tower_toy.SCHEMA, Setup())
        assert is_sample(setup.facts)
        assert tower_toy.GAME.rules.start(setup).turns == 4
        with pytest.raises(BadSetup, match="turns"):
            tower_toy.GAME.rules.start(Setup())


class TestAPosition:
    """It stands on facts that its line does not hold."""

    state = tower_toy.GAME.rules.start(playable(tower_toy.SCHEMA, Setup()))
    text = tower_toy.GAME.position.write(state)

    def test_is_read_beside_the_copy(self):
        longer = as_header(Facts.of(tower_toy.SCHEMA).confirm({"turns": 9}), tower_toy.SCHEMA)
        assert tower_toy.GAME.position.read(self.text, longer).turns == 9

    def test_cannot_be_read_without(self):
        with pytest.raises(BadPosition, match="turns"):
            tower_toy.GAME.position.read(self.text)

    def test_may_stand_on_one_copy_and_not_on_another(self):
        shorter = as_header(Facts.of(tower_toy.SCHEMA).confirm({"turns": 2}), tower_toy.SCHEMA)
        text = f"3{self.text[1:]}"
        assert tower_toy.GAME.position.status(text, playable(tower_toy.SCHEMA, Setup()).facts) == []
        assert [one.check for one in tower_toy.GAME.position.status(text, shorter)] == ["turns"]
