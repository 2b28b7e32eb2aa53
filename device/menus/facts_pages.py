"""Table facts at the box: asked for before the match that needs them, and a menu to look through them.

Nothing is guessed: what only the copy tells is asked for, what is likely is shown to be compared with it.
What was answered is kept at once; where the disk does not take it, it holds for this match all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from device.facts.file import CopyFile, FactsError
from device.menus.fact_entries import enter
from device.menus.ui import View
from device.menus.views import Item, Menu, Reader, close
from device.screen import Page
from engines.contract import Setup
from engines.fact_kinds import Value, bare
from engines.facts import BadFact, Fact, Facts, Standing, Use, missing, unconfirmed

ROOM = 20
"""So many letters fit in a line of their own."""
ROW = 18
"""And so many in a line of a long list."""


def ask_facts(
    box: Any, game: str, setup: Setup, then: Callable[[Facts], None], uses: Iterable[Use] = (Use.PLAY,)
) -> None:
    """Ask what a match with this set-up must know of the copy, then call ``then`` with all that is known.

    With nothing to ask it is called at once. ``uses`` says what the facts are for: the camera's sizes are
    asked for only where there is one. Back goes to the question before, and from the first away: then
    nothing is called, and what was answered stays answered.
    """
    _Asking(box, CopyFile.of(box.library.state_dir, game, box.game_texts[game]), setup, then, uses).begin()


def facts_menu(box: Any, game: str) -> View:
    """What is known of the copy, to look through and to change."""
    file = CopyFile.of(box.library.state_dir, game, box.game_texts[game])
    if not len(file.schema):
        return Reader(box, box.texts("facts.title"), box.texts("facts.none"))
    return FactsMenu(box, file)


def put(box: Any, file: CopyFile, fact: Fact, value: Value, refusal: str) -> bool:
    """Keep a fact, None to forget it, or say why it is not kept; whether it is."""
    try:
        file.put({fact.name: value})
    except BadFact as error:
        why = "; ".join(file.words.refused(error))
    except (FactsError, OSError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
    else:
        return True
    box.refused()
    box.toast(box.texts(refusal, why=why), urgent=True)
    return False


def about(box: Any, file: CopyFile, fact: Fact, facts: Facts) -> Reader:
    """All there is to say of a fact."""
    words = file.words
    parts = [words.about(fact), words.known(fact, facts.known(fact.name)), words.remark(fact)]
    return Reader(box, words.label(fact), "\n".join(parts))


# Before a match


class _Asking:
    """One round of questions, each a page on top of the one before."""

    def __init__(
        self,
        box: Any,
        file: CopyFile,
        setup: Setup,
        then: Callable[[Facts], None],
        uses: Iterable[Use],
    ) -> None:
        self._box, self._file, self._then = box, file, then
        self._loaded = file.load()
        self._facts = self._loaded.facts
        asked = {fact.name for open_ in (missing, unconfirmed) for fact in open_(self._facts, setup, uses)}
        self._queue = [fact for fact in file.schema if fact.name in asked]
        self._pages: list[View] = []

    def begin(self) -> None:
        """Say first what is wrong with the file."""
        if not self._loaded.problems:
            self._ask(0)
            return
        said = "\n".join(map(str, self._loaded.problems))
        self._show(_Told(self._box, self._box.texts("facts.problems"), said, lambda: self._ask(0)))

    def _show(self, view: View) -> None:
        view.sample = self._facts.sample
        self._pages.append(view)
        self._box.push(view)

    def _ask(self, at: int) -> None:
        if at == len(self._queue):
            close(self._box, *self._pages)
            self._then(self._facts)
            return
        fact, words = self._queue[at], self._file.words
        known = self._facts.known(fact.name)
        if known.value is None:
            self._show(self._menu(at, words.domain(fact.kind)))
            return
        value = words.value(fact.kind, known.value)
        if len(value) <= ROOM:
            self._show(self._menu(at, value))
            return
        said = words.texts("facts.likely", value=value)
        self._show(_Told(self._box, self._title(at), said, lambda: self._show(self._menu(at, value))))

    def _title(self, at: int) -> str:
        label = self._file.words.label(self._queue[at])
        if len(self._queue) == 1:
            return label
        text: str = self._box.texts("facts.of", title=label, number=at + 1, count=len(self._queue))
        return text

    def _menu(self, at: int, prompt: str) -> Menu:
        box, file, fact, t = self._box, self._file, self._queue[at], self._box.texts
        known = self._facts.known(fact.name)
        items = []
        if known.standing is Standing.LIKELY:
            items.append(Item(t("facts.as_printed"), lambda: self._answered(at, known.value)))
        value = known.value
        change = t("facts.enter" if value is None else "facts.change")
        took = self._taking(at)
        items.append(Item(change, lambda: enter(box, file.words, fact, value, took)))
        if fact.may_wait or value is not None:
            later = t("facts.later" if value is None else "facts.not_looked")
            items.append(Item(later, lambda: self._ask(at + 1)))
        items.append(Item(t("facts.about"), lambda: box.push(about(box, file, fact, self._facts))))
        return Menu(box, self._title(at), prompt, items)

    def _taking(self, at: int) -> Callable[[Value], None]:
        return lambda value: self._answered(at, value)

    def _answered(self, at: int, value: Value) -> None:
        fact = self._queue[at]
        try:
            self._facts = self._facts.confirm(fact.name, bare(fact.kind, value))
        except BadFact as error:
            self._box.refused()
            why = "; ".join(self._file.words.refused(error))
            self._box.toast(self._box.texts("facts.cannot", why=why), urgent=True)
            return
        put(self._box, self._file, fact, value, "facts.not_saved")
        self._ask(at + 1)


class _Told(Reader):
    """A text that OK leads on from; it stays below, for Back to come to."""

    def __init__(self, box: Any, title: str, text: str, then: Callable[[], None]) -> None:
        super().__init__(box, title, text)
        self._on = then

    def ok(self) -> None:
        """The next page, and on after the last."""
        if self.at + 1 < self.box.pages(self.page()):
            self.at += 1
        else:
            self._on()


# At any time


class FactsMenu(Menu):
    """Every fact and how it stands; the entries of a table have a menu of their own."""

    def __init__(self, box: Any, file: CopyFile, table: str = "") -> None:
        """Without a ``table`` everything, and tables by name."""
        super().__init__(box, box.texts("facts.title"), "", [Item("", lambda: None)])
        self._file, self._table = file, table
        if table:
            self.title = file.words.table(table)
        self.look()

    def look(self) -> None:
        """Look what the file says now."""
        self._loaded = self._file.load()
        self.items = self._lines()
        self.index = min(self.index, len(self.items) - 1)

    def page(self) -> Page:
        """The facts."""
        if self._loaded.facts.sample:
            self.prompt = self.box.texts("facts.sample")
        return super().page()

    def _lines(self) -> list[Item]:
        box, facts = self.box, self._loaded.facts
        lines = []
        if self._loaded.problems and not self._table:
            said = "\n".join(map(str, self._loaded.problems))
            title = box.texts("facts.problems")
            lines.append(Item(title, lambda: box.push(Reader(box, title, said))))
        tables = set()
        for fact in facts.schema:
            if fact.table == self._table:
                lines.append(Item(self._line(fact), self._opening(fact)))
            elif not self._table and fact.table not in tables:
                tables.add(fact.table)
                lines.append(self._of_table(fact.table))
        return lines

    def _line(self, fact: Fact) -> str:
        """A fact in one line: what does not fit is only said to be there."""
        t, words = self.box.texts, self._file.words
        known = self._loaded.facts.known(fact.name)
        label = words.label(fact)
        value: str = t("facts.open")
        if known.value is not None:
            value = words.value(fact.kind, known.value)
            if known.standing is Standing.LIKELY:
                value = t("facts.maybe")
            elif len(label) + len(value) + 2 > ROW:
                value = t("facts.set")
        line: str = t("facts.line", label=label, value=value)
        return line

    def _of_table(self, table: str) -> Item:
        facts = self._loaded.facts
        entries = [facts.known(fact.name) for fact in facts.schema if fact.table == table]
        settled = sum(one.standing in (Standing.CONFIRMED, Standing.SURE) for one in entries)
        title = self._file.words.table(table)
        label = self.box.texts("facts.of", title=title, number=settled, count=len(entries))

        def act() -> None:
            self.box.push(_Entries(self.box, self._file, table, self))

        return Item(label, act)

    def _opening(self, fact: Fact) -> Callable[[], None]:
        return lambda: self._open(fact)

    def _open(self, fact: Fact) -> None:
        box, file, t = self.box, self._file, self.box.texts
        facts = self._loaded.facts
        known = facts.known(fact.name)

        def keep(value: Value) -> None:
            if put(box, file, fact, value, "facts.cannot"):
                close(box, menu)
                self.look()
                box.toast(t("facts.kept"))

        items = []
        if known.standing in (Standing.LIKELY, Standing.SURE):
            items.append(Item(t("facts.as_printed"), lambda: keep(known.value)))
        change = t("facts.enter" if known.value is None else "facts.change")
        items.append(Item(change, lambda: enter(box, file.words, fact, known.value, keep)))
        if known.standing is Standing.CONFIRMED:
            items.append(Item(t("facts.forget"), lambda: keep(None)))
        items.append(Item(t("facts.about"), lambda: box.push(about(box, file, fact, facts))))
        menu = Menu(box, file.words.label(fact), file.words.known(fact, known), items)
        box.push(menu)


class _Entries(FactsMenu):
    """The entries of one table, above the menu of all."""

    def __init__(self, box: Any, file: CopyFile, table: str, above: FactsMenu) -> None:
        self._above = above
        super().__init__(box, file, table)

    def back(self) -> None:
        """Up, where the table's count may have changed."""
        super().back()
        self._above.look()
