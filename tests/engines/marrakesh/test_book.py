"""The machine of effects: how words are read, and what happens."""

import pytest

from engines.errors import Malformed
from engines.marrakesh import book
from engines.marrakesh.book import BOOK, Varies, effect_of, happens
from engines.marrakesh.frames import Effect, Stair
from engines.marrakesh.state import State, Variant
from tests.engines.marrakesh.sitting import seated

done = []


@pytest.fixture
def happenings(monkeypatch):
    """Nothing is registered but what a test registers."""
    monkeypatch.setattr(book, "_HAPPENINGS", {})
    effect_of.cache_clear()
    done.clear()

    @happens("river", "all_links")
    @happens("deploy", "season_rapids", subject="[a-z]")
    def happen_deploy_season_rapids(state, effect):
        done.append((effect.name, effect.subject, effect.times))
        return state

    yield done
    effect_of.cache_clear()


@pytest.mark.parametrize(
    ("word", "read"),
    [
        ("river", ("river", "", 1)),
        ("river3", ("river", "", 3)),
        ("deploy_t", ("deploy", "t", 1)),
        ("season_rapids_a", ("season_rapids", "a", 1)),
        ("all_links", ("all_links", "", 1)),
    ],
)
def test_a_word_is_a_name_with_an_argument_or_a_number(happenings, word, read):
    BOOK.settled(State(Variant()).doing(effect_of(word)))
    assert happenings == [read]


@pytest.mark.parametrize("word", ["season_gates", "all_gates", "rivers", "any_gate_keshi", "_", ""])
def test_names_that_nobody_registered_are_no_effects(happenings, word):
    with pytest.raises(Malformed):
        effect_of(word)


@pytest.mark.parametrize("word", ["deploy", "deploy_tt", "deploy_9", "river_t", "all_links_a"])
def test_a_word_has_the_arguments_that_its_effect_knows(happenings, word):
    with pytest.raises(Malformed):
        effect_of(word)


def test_what_a_word_pushes_happens_before_the_next_word(happenings):
    @happens("two")
    def happen_two(state, effect):
        happenings.append(effect.source)
        return state.gained("start", 1).doing(effect_of("river2"))

    BOOK.settled(State(Variant()).doing(Effect("two", source="scroll 1"), Effect("deploy", "k")))
    assert happenings == ["scroll 1", ("river", "", 2), ("deploy", "k", 1)]


def test_a_list_that_was_asked_for_belongs_to_who_gets_it():
    state = BOOK.ask(seated(), Stair(steps=2))
    BOOK.legal(state).clear()
    assert BOOK.legal(state) == BOOK.lists_at(state) != []


def test_several_expansions_change_a_rule_each_over_the_one_before():
    rule = Varies(lambda _state: ["base"])
    rule.changed_by("one")(lambda below, state: [*below(state), "one"])
    rule.changed_by("other")(lambda below, state: [*below(state), "other"])
    played = State(Variant(2, expansions=frozenset({"one", "other"})))
    assert (rule(State(Variant(2))), rule(played)) == (["base"], ["base", "one", "other"])
