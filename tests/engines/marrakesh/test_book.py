"""The machine of effects: how words are read, and what happens."""

import pytest

from engines.marrakesh import book
from engines.marrakesh.book import BOOK, happens, is_effect
from engines.marrakesh.state import Frame, State, Variant, doing, gained
from tests.engines.marrakesh.sitting import seated

done = []


@pytest.fixture
def happenings(monkeypatch):
    """Nothing is registered but what a test registers."""
    monkeypatch.setattr(book, "_HAPPENINGS", {})
    book._split.cache_clear()
    done.clear()

    @happens("river", "all_links")
    @happens("deploy", "season_rapids", what="[a-z]")
    def happen_deploy_season_rapids(state, effect):
        done.append((effect.name, effect.what, effect.n))
        return state

    yield done
    book._split.cache_clear()


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
    assert is_effect(word)
    BOOK.settled(doing(State(Variant()), [word]))
    assert happenings == [read]


def test_names_that_nobody_registered_are_no_effects(happenings):
    assert not any(map(is_effect, ("season_gates", "all_gates", "rivers", "any_gate_keshi")))


def test_a_word_has_the_arguments_that_its_effect_knows(happenings):
    assert not any(map(is_effect, ("deploy", "deploy_tt", "deploy_9", "river_t", "all_links_a")))


def test_what_a_word_pushes_happens_before_the_next_word(happenings):
    @happens("two")
    def happen_two(state, effect):
        happenings.append(effect.frame.source)
        return doing(gained(state, "start", 1), ["river2"])

    BOOK.settled(doing(State(Variant()), ["two", "deploy_k"], source="scroll 1"))
    assert happenings == ["scroll 1", ("river", "", 2), ("deploy", "k", 1)]


def test_a_list_that_was_asked_for_belongs_to_who_gets_it():
    state = BOOK.ask(seated(), Frame("stair", n=2))
    BOOK.legal(state).clear()
    assert BOOK.legal(state) == BOOK.by_rule(state) != []
