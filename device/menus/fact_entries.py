"""Entering a value with the knob, each kind in its own way; what does not fit is said and asked again.

A short choice is a wheel or a list, cells are a column and a row, numbers and texts are put together sign by
sign, and lists and records are a menu of what is there so far.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from device.facts.words import FactWords
from device.menus.ui import View
from device.menus.views import Item, Menu, close
from device.screen import Page, WheelPage
from engines.fact_kinds import Fault, Integer, Kind, Length, ListOf, Record, Text, Unfit, Value, Word, bare
from engines.fact_kinds import read as read_text
from engines.fact_kinds import take as take_raw
from engines.facts import Fact

Take = Callable[[Value], None]

WHEEL = 60
"""So many whole numbers are still gone through one by one."""
SHORT = 4
"""So long may words on a wheel be."""
SHOWN = 17
"""So many of the last signs entered are shown."""
DIGITS = "0123456789"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789.,:;-+'!?()/&"
BLANK = "␣"


def enter(box: Any, words: FactWords, fact: Fact, value: Value, take: Take) -> None:
    """Ask for a fact's value, which was ``value``, None for nothing; ``take`` gets it, whole and right."""
    _enter(box, Asked(words, fact, words.label(fact)), fact.kind, value, take)


class Asked:
    """What is being asked for: the fact, and the part of it."""

    def __init__(self, words: FactWords, fact: Fact, title: str) -> None:
        """``title`` is what the header says."""
        self.words = words
        self.fact = fact
        self.title = title

    def part(self, title: str) -> Asked:
        """A part of it."""
        return Asked(self.words, self.fact, title)

    def refuse(self, box: Any, faults: Sequence[Fault]) -> None:
        """Say what does not fit."""
        box.refused()
        said = "; ".join(self.words.wrong(self.fact.problem(fault)) for fault in faults)
        box.toast(said, urgent=True)


def _enter(box: Any, asked: Asked, kind: Kind, value: Value, take: Take) -> None:
    match kind:
        case Integer(low, high) if high - low < WHEEL:
            numbers = [str(number) for number in range(low, high + 1)]
            at = 0 if value is None else value - low
            prompt = asked.words.domain(kind)
            box.push(Wheel(box, asked.title, prompt, numbers, at, lambda text: take(int(text))))
        case Word(words):
            _enter_word(box, asked, words, value, take)
        case ListOf():
            box.push(listing := ListEntry(box, asked, kind, value, take))
            listing.go_on()
        case Record():
            box.push(record := RecordEntry(box, asked, kind, value, take))
            record.go_on()
        case _:
            box.push(Typing(box, asked, kind, take))


def _enter_word(box: Any, asked: Asked, words: tuple[str, ...], value: Value, take: Take) -> None:
    at = words.index(value) if value is not None else 0
    prompt = asked.words.domain(Word(words))
    if len(words) > WHEEL // 4 and all(re.fullmatch(r"[a-z]\d+", word) for word in words):
        columns = list(dict.fromkeys(word[0] for word in words))

        def in_column(column: str) -> None:
            rows = [word[1:] for word in words if word[0] == column]
            below = words[at][1:]
            row = rows.index(below) if below in rows else 0
            box.push(Wheel(box, asked.title, f"{column}…", rows, row, lambda row: _both(column, row)))

        def _both(column: str, row: str) -> None:
            close(box, wheel)
            take(column + row)

        wheel = Wheel(box, asked.title, prompt, columns, columns.index(words[at][0]), in_column, stays=True)
        box.push(wheel)
    elif max(map(len, words)) <= SHORT:
        box.push(Wheel(box, asked.title, prompt, words, at, take))
    else:

        def chosen(word: str) -> Callable[[], None]:
            def act() -> None:
                close(box, menu)
                take(word)

            return act

        menu = Menu(box, asked.title, "", [Item(word, chosen(word)) for word in words], at)
        box.push(menu)


class Wheel(View):
    """One of some short figures; at the ends it stops."""

    def __init__(
        self,
        box: Any,
        title: str,
        prompt: str,
        items: Sequence[str],
        index: int,
        take: Callable[[str], None],
        *,
        stays: bool = False,
    ) -> None:
        """``take`` gets the figure; with ``stays`` the wheel is still there below what comes next."""
        super().__init__(box)
        self._title, self._prompt = title, prompt
        self._items, self._index = tuple(items), index
        self._take, self._stays = take, stays

    def page(self) -> Page:
        """The wheel."""
        return WheelPage(self.box.header(self._title), self._prompt, self._items, self._index)

    def turn(self, steps: int) -> None:
        """More or less."""
        self._index = max(0, min(self._index + steps, len(self._items) - 1))

    def ok(self) -> None:
        """That one."""
        if not self._stays:
            close(self.box, self)
        self._take(self._items[self._index])


class Typing(View):
    """A number or a text, sign by sign; Back takes the last one away."""

    def __init__(self, box: Any, asked: Asked, kind: Kind, take: Take) -> None:
        """``take`` gets the value once what was entered is one."""
        super().__init__(box)
        self._asked, self._kind, self._take = asked, kind, take
        self._signs = _signs(kind)
        self._text = ""
        self._index = 0

    def page(self) -> Page:
        """The wheel of signs, above it what was entered so far, or at first what may be."""
        words = self._asked.words
        done = words.texts("facts.done")
        items = (*self._signs.replace(" ", BLANK), done)
        prompt = words.domain(self._kind)
        if self._text:
            prompt = words.texts("facts.typed", text=self._text.replace(" ", BLANK)[-SHOWN:])
        return WheelPage(self.box.header(self._asked.title), prompt, items, self._index)

    def turn(self, steps: int) -> None:
        """Go through the signs."""
        self._index = (self._index + steps) % (len(self._signs) + 1)

    def ok(self) -> None:
        """Take the sign; on "done", the whole."""
        if self._index < len(self._signs):
            self._text += self._next(self._signs[self._index])
            return
        try:
            value = read_text(self._kind, self._text)
        except Unfit as unfit:
            self._asked.refuse(self.box, unfit.faults)
            return
        close(self.box, self)
        self._take(value)

    def _next(self, sign: str) -> str:
        """The sign as it stands there: capitals begin a text and its sentences."""
        most = self._kind.most if isinstance(self._kind, Text) else SHOWN
        if len(self._text) >= most:
            return ""
        return sign if self._text.rstrip(" ")[-1:] in ("", *".!?") else sign.lower()

    def back(self) -> None:
        """Take the last sign away, or leave."""
        if self._text:
            self._text = self._text[:-1]
        else:
            close(self.box, self)


def _signs(kind: Kind) -> str:
    match kind:
        case Integer(low):
            return DIGITS + "-" * (low < 0)
        case Length(low):
            return DIGITS + "." + "-" * (low < 0)
    return LETTERS


class _Parts(Menu):
    """What of several parts is there so far; the first line is always what comes next."""

    def __init__(self, box: Any, asked: Asked, kind: Kind, take: Take) -> None:
        super().__init__(box, asked.title, "", [Item("", lambda: None)])
        self._asked, self._kind, self._take = asked, kind, take

    def page(self) -> Page:
        """The parts as they are."""
        self.items = self._lines()
        self.index = min(self.index, len(self.items) - 1)
        return super().page()

    def turn(self, steps: int) -> None:
        """Move the cursor."""
        self.items = self._lines()
        super().turn(steps)

    def ok(self) -> None:
        """Do what the line says."""
        self.items = self._lines()
        super().ok()

    def _lines(self) -> list[Item]:
        raise NotImplementedError

    def _part(self, label: str, kind: Kind, value: Value | None) -> str:
        known = self._asked.words.texts("facts.unknown") if value is None else ""
        return f"{label} {known or self._asked.words.value(kind, value)}"

    def _done(self, raw: object) -> None:
        try:
            value = take_raw(self._kind, raw)
        except Unfit as unfit:
            self._asked.refuse(self.box, unfit.faults)
            return
        close(self.box, self)
        self._take(value)


class ListEntry(_Parts):
    """Items one after the other; each can be changed or taken away again."""

    def __init__(self, box: Any, asked: Asked, kind: ListOf, value: Value, take: Take) -> None:
        """``value`` is the list to begin with, None for an empty one."""
        super().__init__(box, asked, kind, take)
        self._of = kind
        self._values: list[Value] = list(value or ())

    def go_on(self) -> None:
        """Ask for the next item while there are too few."""
        if len(self._values) < self._of.least:
            self._ask(len(self._values))

    def _lines(self) -> list[Item]:
        t, lines = self._asked.words.texts, []
        if len(self._values) >= self._of.least:
            lines.append(Item(t("facts.done"), self._finish))
        if len(self._values) < self._of.most:
            lines.append(Item(t("facts.add"), lambda: self._ask(len(self._values))))
        for at, value in enumerate(self._values):
            lines.append(Item(self._part(f"{at + 1}", self._of.item, value), self._open(at)))
        return lines

    def _finish(self) -> None:
        self._done([bare(self._of.item, value) for value in self._values])

    def _ask(self, at: int) -> None:
        def take(value: Value) -> None:
            self._values[at : at + 1] = [value]
            self.index = 0
            self.go_on()

        most = self._of.most
        title = self._asked.words.texts("facts.of", title=self._asked.title, number=at + 1, count=most)
        _enter(self.box, self._asked.part(title), self._of.item, next(iter(self._values[at:]), None), take)

    def _open(self, at: int) -> Callable[[], None]:
        t = self._asked.words.texts

        def act() -> None:
            def change() -> None:
                close(self.box, menu)
                self._ask(at)

            def remove() -> None:
                close(self.box, menu)
                del self._values[at]

            label = self._part(f"{at + 1}", self._of.item, self._values[at])
            items = [Item(t("facts.change"), change), Item(t("facts.remove"), remove)]
            menu = Menu(self.box, self.title, label, items)
            self.box.push(menu)

        return act


class RecordEntry(_Parts):
    """Field after field; each can be changed again."""

    def __init__(self, box: Any, asked: Asked, kind: Record, value: Value, take: Take) -> None:
        """``value`` is the record to begin with, None for an empty one."""
        super().__init__(box, asked, kind, take)
        self._fields = kind.fields
        self._values: list[Value] = list(value) if value is not None else [None] * len(kind.fields)

    def go_on(self) -> None:
        """Ask for the first field that nobody has filled in."""
        if None in self._values:
            self._ask(self._values.index(None))

    def _lines(self) -> list[Item]:
        lines = []
        if None not in self._values:
            lines.append(Item(self._asked.words.texts("facts.done"), self._finish))
        for at, (name, kind) in enumerate(self._fields):
            label = self._asked.words.field(self._asked.fact, name)
            lines.append(Item(self._part(f"{label}:", kind, self._values[at]), self._opening(at)))
        return lines

    def _finish(self) -> None:
        pairs = zip(self._fields, self._values, strict=True)
        self._done({name: bare(kind, value) for (name, kind), value in pairs})

    def _opening(self, at: int) -> Callable[[], None]:
        return lambda: self._ask(at)

    def _ask(self, at: int) -> None:
        def take(value: Value) -> None:
            self._values[at] = value
            self.index = 0
            self.go_on()

        name, kind = self._fields[at]
        title = self._asked.words.field(self._asked.fact, name)
        _enter(self.box, self._asked.part(title), kind, self._values[at], take)
