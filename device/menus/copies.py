"""Facts of a copy at the box: asked before the match that needs them, shown and changed at any time.

Nothing is guessed: the box asks for what only the copy tells, and shows likely values to compare with it. It
keeps each answer at once; if the disk refuses, the answer still holds for this match.

Keys also teach cameras a copy's pieces: the box says what to lay out, takes a picture, and tells the result.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from functools import partial
from typing import Annotated, Any

from msgspec.structs import replace

import engines
from device.copy_file import CopyFile, FactsError
from device.match import Header, Replay
from device.menus.fact_entries import Take, enter, enter_number
from device.menus.ui import Ui, View
from device.menus.views import Act, Item, LiveMenu, Menu, Onward, TextReader, close, read, show
from device.sensors.host import Lesson, Taught, describe_outcome
from device.texts import in_words, of_system
from engines.contract import Setup
from engines.errors import EngineError
from engines.fact_kinds import number
from engines.fact_words import FactWords
from engines.facts import (
    OPEN,
    BadFact,
    Fact,
    Facts,
    Standing,
    Use,
    of_match,
    playable,
    schema,
    to_ask,
    with_facts,
)
from engines.texts import breadth

log = logging.getLogger(__name__)

LINE_ROOM = 20
"""The letters that fit in a line of their own."""
LIST_ROOM = 18
"""The letters that fit in a line of a long list."""


def find_file(box: Ui, game: str) -> CopyFile:
    """Return the copy's file here, in the box's language."""
    return CopyFile.of(box.library.state_dir, game, box.game_texts[game])


def put(box: Ui, file: CopyFile, fact: Fact, value: Any, refusal: str) -> bool:
    """Keep a fact, None to forget it; return True if it is kept, else say why not."""
    try:
        file.put({fact.name: value})
    except (FactsError, OSError) as error:
        log.warning("%s: %s", file.path, error)
        why = error.said if isinstance(error, FactsError) else in_words(of_system(error), box.texts)
    else:
        return True
    box.play_refusal()
    box.toast(box.texts(refusal, why=why), urgent=True)
    return False


def list_answers(box: Ui, words: FactWords, fact: Fact, facts: Facts, take: Take) -> list[Item]:
    """Return the ways to answer a fact, which ``take`` gets: as supposed, or entered."""
    t, known = box.texts, facts.known[fact.name]
    change = t("facts.enter" if known.value is None else "facts.change")
    items = [Item(change, partial(enter, box, words, fact, facts, known.value, take))]
    if known.standing in (Standing.LIKELY, Standing.SURE):
        items.insert(0, Item(t("facts.as_printed"), partial(take, known.value)))
    return items


def make_about_item(box: Ui, words: FactWords, fact: Fact, facts: Facts) -> Item:
    """Return the line that leads to the text about a fact."""
    parts = words.about(fact), words.known(fact, facts.known[fact.name]), words.note(fact, facts)
    return Item(box.texts("facts.about"), read(box, words.label(fact), "\n".join(parts)))


# Before a match


def open_asked(box: Ui, header: Header) -> None:
    """Ask for the facts of the copy that a new match needs, then open it with them."""
    setup = header.setup
    tried = playable(schema(header.game), setup)
    if tried is setup or not setup.position:  # a position may depend on facts still to ask
        try:
            engines.game(header.game).rules.start(tried)
        except EngineError:
            box.open(replace(header, setup=tried))  # which says why not, before anybody has entered a thing
            return

    def open_match(facts: Facts) -> None:
        box.open(replace(header, setup=with_facts(facts, setup)))

    ask_facts(box, header.game, setup, open_match, box.uses)


def ask_facts(box: Ui, game: str, setup: Setup, go_on: Callable[[Facts], None], uses: Iterable[Use]) -> None:
    """Ask for the facts of the copy that a match with this set-up needs, then call ``go_on`` with all known
    facts.

    With nothing to ask it calls ``go_on`` at once. If people must enter something, a page first tells how
    much, and that it is kept. ``uses`` are the uses of the facts: the camera's sizes matter only with a
    camera. Back goes to the question before; from the first it leaves without calling ``go_on``, but answers
    stay.
    """
    file = find_file(box, game)
    loaded = file.load()
    asking = _Asking(box, file, loaded.facts, to_ask(loaded.facts, setup, uses), go_on)
    if loaded.problems:
        asking.show_text(box.texts("facts.problems"), "\n".join(map(str, loaded.problems)), asking.begin)
    else:
        asking.begin()


class _Asking:
    """One round of questions, each a page on top of the one before."""

    def __init__(
        self, box: Ui, file: CopyFile, facts: Facts, queue: list[Fact], go_on: Callable[[Facts], None]
    ) -> None:
        self._box, self._file, self._words = box, file, file.words
        self._facts, self._queue, self._go_on = facts, queue, go_on
        self._pages: list[View] = []

    def _show(self, view: View) -> None:
        view.sample = self._facts.sample
        self._pages.append(view)
        self._box.push(view)

    def show_text(self, title: str, text: str, go_on: Act) -> None:
        self._show(Onward(self._box, title, text, go_on))

    def begin(self) -> None:
        if any(not fact.may_wait and self._facts[fact.name] is None for fact in self._queue):
            t = self._box.texts
            self.show_text(
                t("facts.printed"), t("facts.to_enter", count=len(self._queue)), partial(self.ask, 0)
            )
        else:
            self.ask(0)

    def ask(self, at: int) -> None:
        if at == len(self._queue):
            close(self._box, *self._pages)
            self._go_on(self._facts)
            return
        box, words, fact, t = self._box, self._words, self._queue[at], self._box.texts
        title, count, known = words.label(fact), len(self._queue), self._facts.known[fact.name].value
        title = title if count == 1 else t("facts.of", title=title, number=at + 1, count=count)
        prompt = "" if known is None else words.value(fact.kind, known)
        menu = LiveMenu(box, title, partial(self._list_answers, at))
        if breadth(prompt) <= LINE_ROOM:
            self._show(menu)
        else:
            self.show_text(title, t("facts.likely", value=prompt), partial(self._show, menu))

    def _list_answers(self, at: int) -> tuple[str, list[Item]]:
        """Return the present prompt and lines of a question: people may have come back to it."""
        box, words, fact, t = self._box, self._words, self._queue[at], self._box.texts
        known, go_on = self._facts.known[fact.name], partial(self.ask, at + 1)
        items = list_answers(box, words, fact, self._facts, partial(self._take_answer, at))
        if known.standing is Standing.CONFIRMED:
            items.insert(0, Item(t("facts.just_so"), go_on))
        elif fact.may_wait or known.value is not None:
            items.append(Item(t("facts.later" if known.value is None else "facts.not_looked"), go_on))
        items.append(make_about_item(box, words, fact, self._facts))
        if known.value is None:
            return words.range(fact.kind, self._facts), items
        return words.value(fact.kind, known.value), items

    def _take_answer(self, at: int, value: Any) -> None:
        fact = self._queue[at]
        try:
            self._facts = self._facts.confirm({fact.name: value})
        except BadFact as error:
            self._box.play_refusal()
            why = self._words.wrong_with(error.problems)
            self._box.toast(self._box.texts("facts.cannot", why=why), urgent=True)
            return
        put(self._box, self._file, fact, value, "facts.not_saved")
        self.ask(at + 1)


# At any time


def list_setup_items(box: Ui) -> list[Item]:
    """Return the set-up's line to the facts of the copies, if any game has facts."""
    title, games = box.texts("facts.title"), [game for game in box.game_texts if len(schema(game))]
    items = [Item(box.game_texts[game]("title"), show(box, make_facts_menu, game)) for game in games]
    if len(games) > 1:
        return [Item(title, show(box, Menu, title, "", items))]
    return [Item(title, one.act) for one in items]


def make_facts_menu(box: Ui, game: str) -> View:
    """Return the menu of the copy's facts, to look through and to change."""
    title, file = box.texts("facts.title"), find_file(box, game)
    if not len(file.schema):
        return TextReader(box, title, box.texts("facts.none"))
    return LiveMenu(box, title, partial(_list_facts, box, file))


def _list_facts(box: Ui, file: CopyFile, table: str = "") -> tuple[str, list[Item]]:
    """Return the facts of a ``table`` as the file has them now; without one all, and tables by name."""
    t, loaded = box.texts, file.load()
    lines = {}
    for fact in loaded.facts.schema:
        if fact.table == table:
            opened = partial(_open, box, file, fact, loaded.facts)
            lines[fact.name] = Item(_tell_fact(file.words, fact, loaded.facts), opened)
        elif not table:
            lines[fact.table] = _make_table_item(box, file, fact.table, loaded.facts)
    items = list(lines.values())
    if loaded.problems and not table:
        title, said = t("facts.problems"), "\n".join(map(str, loaded.problems))
        items.insert(0, Item(title, read(box, title, said)))
    return t("facts.sample") if loaded.facts.sample else "", items


def _tell_fact(words: FactWords, fact: Fact, facts: Facts) -> str:
    """Tell a fact in one line; if the value is too long for it, only that it is set."""
    t, label, known = words.texts, words.label(fact), facts.known[fact.name]
    if known.value is None:
        value = t("facts.open")
    elif known.standing is Standing.LIKELY:
        value = t("facts.maybe")
    else:
        value = words.value(fact.kind, known.value)
        value = value if breadth(label) + breadth(value) + 2 <= LIST_ROOM else t("facts.set")
    return t("facts.line", label=label, value=value)


def _make_table_item(box: Ui, file: CopyFile, table: str, facts: Facts) -> Item:
    entries = [known for name, known in facts.known.items() if name.startswith(f"{table}.")]
    settled = sum(known.standing not in OPEN for known in entries)
    title = file.words.table(table)
    label = box.texts("facts.of", title=title, number=settled, count=len(entries))
    return Item(label, show(box, LiveMenu, title, partial(_list_facts, box, file, table)))


def _open(box: Ui, file: CopyFile, fact: Fact, facts: Facts) -> None:
    """Show a fact, to answer again or forget."""
    t, known = box.texts, facts.known[fact.name]

    def keep(value: Any) -> None:
        if put(box, file, fact, value, "facts.cannot"):
            close(box, menu)
            box.toast(t("facts.kept"))

    items = list_answers(box, file.words, fact, facts, keep)
    if known.standing is Standing.CONFIRMED:
        items.append(Item(t("facts.forget"), partial(keep, None)))
    items.append(make_about_item(box, file.words, fact, facts))
    menu = Menu(box, file.words.label(fact), file.words.known(fact, known), items)
    box.push(menu)


# In a match


def list_match_items(box: Ui, replay: Replay) -> list[Item]:
    """Return a match's line to its facts of the copy; none in a game without facts."""
    there = len(schema(replay.header.game))
    return [Item(box.texts("facts.title"), show(box, make_match_facts, replay))] if there else []


def make_match_facts(box: Ui, replay: Replay) -> View:
    """Return the facts of a match, and those known to differ on the copy here."""
    t, setup = box.texts, replay.header.setup
    file = find_file(box, replay.header.game)
    words, here = file.words, file.load().facts
    facts, _ = of_match(file.schema, setup.facts)
    rows = [t("facts.sample_match")] * facts.sample
    rows += [t("facts.copy_name", name=facts.copy)] * bool(facts.copy)
    rows += [t("facts.untold")] * (not setup.facts)
    for fact in facts.schema.needed(setup):
        known = facts.known[fact.name]
        since = known.value is None and here[fact.name] is not None
        value = words.known(fact, here.known[fact.name] if since else known)
        rows.append(t("facts.since" if since else "facts.line", label=words.label(fact), value=value))
    if unlike := list(file.unlike(setup)):
        rows += [t("facts.unlike"), *unlike]
    return TextReader(box, t("facts.title"), "\n".join(rows))


MM = Annotated[float, number(2, 1000, "mm")]
"""The size of a piece."""
SIDES = ("width", "height")


def make_teaching_menu(box: Ui) -> View:
    """Return the list of lessons for the cameras of this box."""
    title, lessons = box.texts("teach.title"), box.lessons
    if not lessons:
        return TextReader(box, title, box.texts("teach.none"))

    def act(lesson: Lesson) -> None:
        _ask_sizes(box, lesson, lambda sizes: box.push(LayPage(box, lesson, sizes)))

    items = [Item(one.title(box.texts, box.game_texts[one.game]), partial(act, one)) for one in lessons]
    return Menu(box, title, box.texts("teach.which"), items)


def _ask_sizes(box: Ui, lesson: Lesson, go_on: Callable[[dict[str, tuple[float, float]]], None]) -> None:
    """Ask for the unknown sizes, one number after the other, then call ``go_on`` with all."""
    asked = [(name, side) for name in lesson.unknown for side in SIDES]
    entered: list[float] = []

    def take(value: float) -> None:
        entered.append(value)
        ask()

    def ask() -> None:
        if len(entered) == len(asked):
            pairs = zip(entered[::2], entered[1::2], strict=True)
            go_on(dict(zip(lesson.unknown, pairs, strict=True)))
            return
        name, side = asked[len(entered)]
        words = find_file(box, lesson.game).words
        enter_number(box, words, box.texts(f"teach.{side}", what=box.texts(f"teach.piece.{name}")), MM, take)

    ask()


class LayPage(Onward):
    """A page that says what to lay where, then what a picture taught or what is wrong; the header says what
    OK does.
    """

    def __init__(self, box: Ui, lesson: Lesson, sizes: dict[str, tuple[float, float]]) -> None:
        """Ask people to lay out the lesson; ``sizes`` are those that people entered."""
        t = box.texts
        super().__init__(box, t("teach.ok"), lesson.lay(t), self._take)
        self._lesson, self._sizes = lesson, sizes
        self._taking = self._learnt = False

    def _take(self) -> None:
        if self._learnt:
            close(self.box, self)
        elif not self._taking:
            self._taking = True
            self._show_text("teach.taking", self.box.texts("teach.leave"))
            self.box.teach(self._lesson, self._sizes, self._show_outcome)

    def _show_outcome(self, taught: Taught) -> None:
        self._taking, self._learnt = False, taught.learnt
        said = describe_outcome(taught, self.box.game_texts[self._lesson.game])
        self._show_text("teach.title" if taught.learnt else "teach.again", said)
        if self in self.box.stack:
            self.box.on_page()
        else:
            self.box.toast(said)

    def _show_text(self, title: str, text: str) -> None:
        self.title, self.text, self.at = self.box.texts(title), text, 0
        self.appear()
