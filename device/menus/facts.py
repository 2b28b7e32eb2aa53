"""Table facts at the box: asked for before the match that needs them, looked up at any time.

Nothing is guessed: what only the copy tells is asked for, what is likely is shown to be compared with it.
What was answered is kept at once; where the disk does not take it, it holds for this match all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

import engines
from device.facts import CopyFile, FactsError
from device.match import Header, Replay
from device.menus.fact_entries import Take, enter
from device.menus.ui import Host, View
from device.menus.views import Act, Item, Menu, TextReader, close
from device.screen import Page
from engines.contract import Setup
from engines.errors import EngineError
from engines.fact_words import FactWords
from engines.facts import (
    OPEN,
    BadFact,
    Fact,
    Facts,
    Standing,
    Use,
    kept,
    needed,
    of_match,
    playable,
    schema,
    to_ask,
)

ROOM = 20
"""So many letters fit in a line of their own."""
ROW = 18
"""And so many in a line of a long list."""


def file_of(box: Host, game: str) -> CopyFile:
    """Return the copy's file here, in the box's language."""
    return CopyFile.of(box.library.state_dir, game, box.game_texts[game])


def put(box: Host, file: CopyFile, fact: Fact, value: Any, refusal: str) -> bool:
    """Keep a fact, None to forget it, or say why it is not kept; whether it is."""
    try:
        file.put({fact.name: value})
    except (FactsError, OSError) as error:
        why = error.said if isinstance(error, FactsError) else error.strerror or str(error)
    else:
        return True
    box.refused()
    box.toast(box.texts(refusal, why=why), urgent=True)
    return False


def answers(box: Host, words: FactWords, fact: Fact, facts: Facts, take: Take) -> list[Item]:
    """Ask for a fact, which ``take`` gets: as supposed, or entered."""
    t, known = box.texts, facts.known[fact.name]
    items = []
    if known.standing in (Standing.LIKELY, Standing.SURE):
        items.append(Item(t("facts.as_printed"), lambda: take(known.value)))
    change = t("facts.enter" if known.value is None else "facts.change")
    return [*items, Item(change, lambda: enter(box, words, fact, facts, known.value, take))]


def about(box: Host, words: FactWords, fact: Fact, facts: Facts) -> Item:
    """The line to all there is to say of a fact."""
    parts = [words.about(fact), words.known(fact, facts.known[fact.name]), words.note(fact, facts)]
    act = lambda: box.push(TextReader(box, words.label(fact), "\n".join(parts)))  # noqa: E731
    return Item(box.texts("facts.about"), act)


# Before a match


def open_asked(box: Host, header: Header) -> None:
    """Ask what a new match must know of the copy, then open it with that."""
    setup = header.setup
    tried = playable(schema(header.game), setup)
    if tried is setup or not setup.position:  # a position may stand on what is yet to be asked
        try:
            engines.game(header.game).rules.start(tried)
        except EngineError:
            box.open(replace(header, setup=tried))  # which says why not, before anybody has entered a thing
            return

    def then(facts: Facts) -> None:
        box.open(replace(header, setup=kept(facts, setup)))

    ask_facts(box, header.game, setup, then, box.uses)


def ask_facts(
    box: Host, game: str, setup: Setup, then: Callable[[Facts], None], uses: Iterable[Use] = (Use.PLAY,)
) -> None:
    """Ask what a match with this set-up must know of the copy, then call ``then`` with all that is known.

    With nothing to ask it is called at once. Where something must be entered, a page says first how much, and
    that it is kept. ``uses`` says what the facts are for: the camera's sizes are asked for only where there
    is one. Back goes to the question before, and from the first away: then nothing is called, and what was
    answered stays answered.
    """
    file = file_of(box, game)
    loaded = file.load()
    asking = _Asking(box, file, loaded.facts, to_ask(loaded.facts, setup, uses), then)
    if loaded.problems:
        asking.tell(box.texts("facts.problems"), "\n".join(map(str, loaded.problems)), asking.begin)
    else:
        asking.begin()


class _Asking:
    """One round of questions, each a page on top of the one before."""

    def __init__(
        self, box: Host, file: CopyFile, facts: Facts, queue: list[Fact], then: Callable[[Facts], None]
    ) -> None:
        self._box, self._file, self._words = box, file, file.words
        self._facts, self._queue, self._then = facts, queue, then
        self._pages: list[View] = []

    def _show(self, view: View) -> None:
        view.sample = self._facts.sample
        self._pages.append(view)
        self._box.push(view)

    def tell(self, title: str, text: str, then: Act) -> None:
        self._show(_Told(self._box, title, text, then))

    def begin(self) -> None:
        lacking = any(not fact.may_wait and self._facts[fact.name] is None for fact in self._queue)
        if lacking:
            t = self._box.texts
            said = t("facts.to_enter", count=len(self._queue))
            self.tell(t("facts.printed"), said, lambda: self.ask(0))
        else:
            self.ask(0)

    def ask(self, at: int) -> None:
        if at == len(self._queue):
            close(self._box, *self._pages)
            self._then(self._facts)
            return
        box, words, fact, t = self._box, self._words, self._queue[at], self._box.texts
        title, count, known = words.label(fact), len(self._queue), self._facts.known[fact.name].value
        title = title if count == 1 else t("facts.of", title=title, number=at + 1, count=count)
        prompt = "" if known is None else words.value(fact.kind, known)
        menu = _Question(box, title, lambda: self._answers(at))
        if len(prompt) <= ROOM:
            self._show(menu)
        else:
            self.tell(title, t("facts.likely", value=prompt), lambda: self._show(menu))

    def _answers(self, at: int) -> tuple[str, list[Item]]:
        """The prompt and the lines of a question, as things stand: people may have come back to it."""
        box, words, fact, t = self._box, self._words, self._queue[at], self._box.texts
        known = self._facts.known[fact.name]
        items = answers(box, words, fact, self._facts, lambda value: self._answered(at, value))
        if known.standing is Standing.CONFIRMED:
            items.insert(0, Item(t("facts.just_so"), lambda: self.ask(at + 1)))
        elif fact.may_wait or known.value is not None:
            later = t("facts.later" if known.value is None else "facts.not_looked")
            items.append(Item(later, lambda: self.ask(at + 1)))
        prompt = (
            words.range(fact.kind, self._facts)
            if known.value is None
            else words.value(fact.kind, known.value)
        )
        return prompt, [*items, about(box, words, fact, self._facts)]

    def _answered(self, at: int, value: Any) -> None:
        fact = self._queue[at]
        try:
            self._facts = self._facts.confirm({fact.name: value})
        except BadFact as error:
            self._box.refused()
            why = self._words.wrong_with(error.problems)
            self._box.toast(self._box.texts("facts.cannot", why=why), urgent=True)
            return
        put(self._box, self._file, fact, value, "facts.not_saved")
        self.ask(at + 1)


class _Question(Menu):
    """One fact, asked for as it is known now."""

    def __init__(self, box: Host, title: str, asked: Callable[[], tuple[str, list[Item]]]) -> None:
        """``asked`` are the prompt and the lines."""
        prompt, items = asked()
        super().__init__(box, title, prompt, items)
        self._asked = asked

    def page(self) -> Page:
        """The question and its answers."""
        self.prompt, self.items = self._asked()
        return super().page()


class _Told(TextReader):
    """A text that OK leads on from; it stays below, for Back to come to."""

    def __init__(self, box: Host, title: str, text: str, then: Act) -> None:
        super().__init__(box, title, text)
        self._on = then

    def ok(self) -> None:
        """The next page, and on after the last."""
        if self.at + 1 < self.box.pages(self.page()):
            self.at += 1
        else:
            self._on()


# At any time


def setup_items(box: Host) -> list[Item]:
    """The set-up's line to what is known of the copies, where any game has something to know."""
    games = [game for game in box.game_texts if len(schema(game))]

    def act() -> None:
        if len(games) == 1:
            box.push(facts_menu(box, games[0]))
        else:
            box.push(Menu(box, box.texts("facts.title"), "", [of_game(game) for game in games]))

    def of_game(game: str) -> Item:
        return Item(box.game_texts[game]("title"), lambda: box.push(facts_menu(box, game)))

    return [Item(box.texts("facts.title"), act)] if games else []


def facts_menu(box: Host, game: str) -> View:
    """Return the menu of the copy's facts, to look through and to change."""
    file = file_of(box, game)
    if not len(file.schema):
        return TextReader(box, box.texts("facts.title"), box.texts("facts.none"))
    return FactsMenu(box, file, box.texts("facts.title"))


class FactsMenu(Menu):
    """Every fact and how it stands; the entries of a ``table`` have a menu of their own above that of all."""

    def __init__(self, box: Host, file: CopyFile, title: str, table: str = "") -> None:
        """Without a ``table`` everything, and tables by name."""
        super().__init__(box, title, "", [])
        self._host, self._file, self._table = box, file, table
        self._look()

    def page(self) -> Page:
        """The facts as the file has them now."""
        self._look()
        return super().page()

    def _look(self) -> None:
        t, loaded = self.box.texts, self._file.load()
        self.prompt = t("facts.sample") if loaded.facts.sample else ""
        lines = {}
        for fact in loaded.facts.schema:
            if fact.table == self._table:
                lines[fact.name] = Item(self._line(fact, loaded.facts), self._opening(fact, loaded.facts))
            elif not self._table:
                lines[fact.table] = self._of_table(fact.table, loaded.facts)
        self.items = list(lines.values())
        if loaded.problems and not self._table:
            said = "\n".join(map(str, loaded.problems))
            title = t("facts.problems")
            self.items.insert(0, Item(title, lambda: self.box.push(TextReader(self.box, title, said))))
        self.index = min(self.index, len(self.items) - 1)

    def _line(self, fact: Fact, facts: Facts) -> str:
        """A fact in one line: what does not fit is only said to be there."""
        t, words, known = self.box.texts, self._file.words, facts.known[fact.name]
        label = words.label(fact)
        if known.value is None:
            value = t("facts.open")
        elif known.standing is Standing.LIKELY:
            value = t("facts.maybe")
        else:
            value = words.value(fact.kind, known.value)
            value = value if len(label) + len(value) + 2 <= ROW else t("facts.set")
        return t("facts.line", label=label, value=value)

    def _of_table(self, table: str, facts: Facts) -> Item:
        entries = [known for name, known in facts.known.items() if name.startswith(f"{table}.")]
        settled = sum(known.standing not in OPEN for known in entries)
        title = self._file.words.table(table)
        label = self.box.texts("facts.of", title=title, number=settled, count=len(entries))
        return Item(label, lambda: self.box.push(FactsMenu(self._host, self._file, title, table)))

    def _opening(self, fact: Fact, facts: Facts) -> Act:
        box, file, t = self._host, self._file, self.box.texts
        known = facts.known[fact.name]

        def keep(value: Any) -> None:
            if put(box, file, fact, value, "facts.cannot"):
                close(box, menu)
                box.toast(t("facts.kept"))

        items = answers(box, file.words, fact, facts, keep)
        if known.standing is Standing.CONFIRMED:
            items.append(Item(t("facts.forget"), lambda: keep(None)))
        items.append(about(box, file.words, fact, facts))
        menu = Menu(box, file.words.label(fact), file.words.known(fact, known), items)
        return lambda: box.push(menu)


# In a match


def match_items(box: Host, replay: Replay) -> list[Item]:
    """A match's line to the facts that it goes by."""
    if not len(schema(replay.header.game)):
        return []
    return [Item(box.texts("facts.title"), lambda: box.push(match_facts(box, replay)))]


def match_facts(box: Host, replay: Replay) -> View:
    """Return the facts that a match goes by, and where the copy here is known to be otherwise."""
    t, setup = box.texts, replay.header.setup
    file = file_of(box, replay.header.game)
    words, here = file.words, file.load().facts
    facts, _ = of_match(file.schema, setup.facts)
    rows = [t("facts.sample_match")] * facts.sample
    rows += [t("facts.copy_name", name=facts.copy)] * bool(facts.copy)
    rows += [t("facts.untold")] * (not setup.facts)
    for fact in needed(facts, setup):
        known = facts.known[fact.name]
        since = known.value is None and here[fact.name] is not None
        value = words.known(fact, here.known[fact.name] if since else known)
        rows.append(t("facts.since" if since else "facts.line", label=words.label(fact), value=value))
    if unlike := list(file.unlike(setup)):
        rows += [t("facts.unlike"), *unlike]
    return TextReader(box, t("facts.title"), "\n".join(rows))
