"""The rules at the table: by chapter, or by a word in them; and a refusal in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from device.menus.ui import Ui, View
from device.menus.views import Item, LabelWheel, Menu, TextReader, show
from engines.remedies import Attempt
from engines.rules import Clause, Rules, spoken
from engines.words import Words


def make_rules_menu(box: Ui, game: str) -> Menu:
    """List the rules of the game with this id."""
    rules, t = spoken(game, box.game_texts[game]), box.texts
    items = [Item(t("rules.find"), show(box, _make_letters_wheel, rules))]
    sections = rules.sections.items()
    items += [Item(title, show(box, _make_clauses_menu, rules, title, found)) for title, found in sections]
    return Menu(box, t("rules.title"), "", items)


def make_clause_page(box: Ui, clause: Clause) -> TextReader:
    """Show a clause under the title of its chapter."""
    return TextReader(box, clause.section, clause.text)


def _make_letters_wheel(box: Ui, rules: Rules) -> View:
    """Offer the first letters of words, or rows of letters if a wheel does not hold them all."""
    rows = box.texts("new.letters").split("|")
    begun: dict[str, list[str]] = {}
    for word in rules.index:
        letter = rules.reading(word)[0].upper()
        row = next((row for row in rows[1:] and rows if letter in row), letter)
        begun.setdefault(row[0], []).append(word)
    items = [Item(first, show(box, _make_words_menu, rules, first, words)) for first, words in begun.items()]
    return LabelWheel(box, box.texts("rules.title"), box.texts("rules.letter"), items)


def _make_words_menu(box: Ui, rules: Rules, first: str, words: Sequence[str]) -> View:
    items = [Item(word, show(box, _search, rules, word)) for word in words]
    return Menu(box, first, box.texts("rules.word"), items)


def _search(box: Ui, rules: Rules, word: str) -> View:
    return _make_clauses_menu(box, rules, word, rules.search(word))


def _make_clauses_menu(box: Ui, rules: Rules, title: str, clauses: Sequence[Clause]) -> View:
    """List clauses, or show the only one."""
    if len(clauses) == 1:
        return make_clause_page(box, clauses[0])
    items = [Item(rules.subject(clause), show(box, make_clause_page, clause)) for clause in clauses]
    return Menu(box, box.texts("rules.title"), title, items)


def tell_reason(words: Words, attempt: Attempt, pages: Callable[[str], int]) -> str:
    """Say why, and what would do: in two paragraphs, or in one if two exceed a screen by ``pages``."""
    told = [text for text in (words.refusal(attempt.refusal), words.remedy(attempt)) if text]
    apart = "\n".join(told)
    return apart if pages(apart) == 1 else words.texts.sentences(told)
