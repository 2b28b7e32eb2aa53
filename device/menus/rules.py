"""The rules at the table: by chapter, or by a word that stands in them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from device.menus.ui import Ui
from device.menus.views import Item, Menu, TextReader
from device.screen import Page, WheelPage
from engines.rules import Clause, Rules, spoken


def rules_menu(box: Ui, game: str) -> Menu:
    """The rules of the game with this id."""
    rules, t = spoken(game, box.game_texts[game]), box.texts
    items = [Item(t("rules.find"), partial(_letters, box, rules))]
    items += [
        Item(title, partial(_open, box, rules, title, among)) for title, among in rules.sections.items()
    ]
    return Menu(box, t("rules.title"), "", items)


def clause_page(box: Ui, clause: Clause) -> TextReader:
    """A clause under the title of its chapter."""
    return TextReader(box, clause.section, clause.text)


class LabelWheel(Menu):
    """A menu of short labels, the one with the cursor drawn large."""

    def page(self) -> Page:
        """The wheel."""
        labels = tuple(item.label for item in self.items)
        return WheelPage(self.box.header(self.title), self.prompt, labels, self.index)


def _letters(box: Ui, rules: Rules) -> None:
    """Offer what words begin with: a letter, or a row of those that a wheel does not hold all."""
    rows = box.texts("new.letters").split("|")
    begun: dict[str, list[str]] = {}
    for word in rules.index:
        letter = rules.reading(word)[0].upper()
        row = next((row for row in rows[1:] and rows if letter in row), letter)
        begun.setdefault(row[0], []).append(word)
    items = [Item(first, partial(_words, box, rules, first, words)) for first, words in begun.items()]
    box.push(LabelWheel(box, box.texts("rules.title"), box.texts("rules.letter"), items))


def _words(box: Ui, rules: Rules, first: str, words: Sequence[str]) -> None:
    def found(word: str) -> None:
        _open(box, rules, word, rules.search(word))

    items = [Item(word, partial(found, word)) for word in words]
    box.push(Menu(box, first, box.texts("rules.word"), items))


def _open(box: Ui, rules: Rules, title: str, clauses: Sequence[Clause]) -> None:
    """Show a list of clauses, or the only one."""

    def read(clause: Clause) -> None:
        box.push(clause_page(box, clause))

    if len(clauses) == 1:
        read(clauses[0])
    else:
        items = [Item(rules.subject(clause), partial(read, clause)) for clause in clauses]
        box.push(Menu(box, box.texts("rules.title"), title, items))
