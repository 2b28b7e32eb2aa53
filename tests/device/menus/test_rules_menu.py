"""The rules at the table: one press from wherever they are asked, by chapter and by word."""

import pytest

import engines
from device.match import Header
from device.menus.rules import make_rules_menu
from device.screen import ListPage, TextPage, WheelPage
from device.texts import Texts
from engines.contract import Setup
from engines.facts import playable, schema
from engines.rules import load, spoken
from tests.device.conftest import NAMES


def open_rules(person, game="torres"):
    person.box.open(Header(game, NAMES, playable(schema(game), Setup())))
    person.menu()
    person.choose("Rules")
    assert person.page.header.left == "Rules"


@pytest.mark.parametrize("game", ["san_gimignano", "torres"])
def test_every_clause_is_found_by_its_chapter(person, game):
    open_rules(person, game)
    rules = load(game)
    assert person.items == ["Find a word…", *rules.sections]
    for chapter, clauses in rules.sections.items():
        person.choose(chapter)
        several = len(clauses) > 1  # a chapter of one clause is that clause
        assert not several or person.items == [rules.subject(clause) for clause in clauses]
        for at, clause in enumerate(clauses):
            if several:
                person.turn(at - person.page.index)
                person.ok()
            assert person.page.header.left == clause.section
            assert person.page.text == clause.text
            person.back()
        if several:
            person.back()
        assert person.page.header.left == "Rules"


def test_the_king_is_found_in_four_presses(person):
    open_rules(person)
    presses = []
    press = person.ok
    person.ok = lambda: presses.append(1) or press()
    person.choose("Find a word…")
    assert isinstance(person.page, WheelPage)
    person.choose("K", "king")
    assert isinstance(person.page, ListPage)
    assert len(person.items) == len(load("torres").search("king")) > 5
    assert person.page.index == 0
    person.ok()
    assert isinstance(person.page, TextPage)
    assert person.page.text == load("torres").clause("TO-5.3").text
    assert len(presses) <= 4
    for _ in range(3):
        person.back()
    person.choose("B", "bonus")  # of one clause
    assert person.page.text == load("torres").clause("TO-5.1").text
    person.back()
    assert "bonus" in person.items


@pytest.mark.parametrize("game", engines.GAMES)
def test_words_in_japanese_are_found_by_rows_of_kana(person, game):
    person.box.voices.speak("ja")
    person.box.renew_pages()
    texts = person.box.game_texts[game]
    rules, said = spoken(game, texts), set()
    person.box.open(Header(game, NAMES, playable(schema(game), Setup())))
    person.box.push(make_rules_menu(person.box, game))
    person.choose(texts("rules.find"))
    rows = person.items
    assert len(rows) <= 12
    assert set(rows) <= {row[0] for row in texts("new.letters").split("|")}
    for row in rows:
        person.choose(row)
        said |= set(person.items)
        person.back()
    assert said == set(rules.index)
    assert all(rules.search(word) for word in said)


def test_every_reading_is_of_a_word_that_some_rule_has():
    every = {word for game in engines.GAMES for word in spoken(game, Texts.load("ja", game)).index}
    assert every >= Texts.load("ja").readings.keys()


@pytest.mark.parametrize(("reason", "opened"), [("a rule is unclear", True), ("slow play", False)])
def test_a_call_about_a_rule_opens_them(person, reason, opened):
    referee = person.open()
    person.call()
    person.ok()
    person.choose(reason)
    assert reason in referee.replay.log[-1].payload
    assert (person.page.header.left == "Rules") is opened
    if opened:
        person.back()
    assert person.page.header.left.startswith("Called")


@pytest.mark.parametrize("game", engines.GAMES)
def test_a_title_begins_the_clause_in_whole_words(game):
    rules = load(game)
    for clause in rules:
        title = rules.subject(clause)
        assert 1 < len(title) <= 54
        begun = clause.text.removeprefix("Ruling: ")
        assert begun.startswith(title)
        assert not begun[len(title) :][:1].isalnum()
