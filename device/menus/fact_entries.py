"""The entry of a fact's value with the knob: the type chooses the picker; a misfit is asked again.

A short choice is a wheel or a list; a cell is a column and a row; a number or text is put together sign by
sign; a list or record is a menu of its parts so far. Values are raw, as in TOML, until they are complete.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, get_origin

import msgspec
from msgspec.structs import replace

from device.menus.ui import Ui, View, find_shortest_turn
from device.menus.views import Act, FigureWheel, Item, Menu, close, leave, show
from device.screen import GridPage, Page, PageHeader, Sign, WheelPage
from engines.board import EMPTY, Board, Cell, in_rows
from engines.fact_kinds import Kind, fields_of, fit, item_of, opened, raw, read
from engines.fact_words import FactWords
from engines.facts import Fact, Facts, contradictions_with, list_limits

Take = Callable[[Any], None]
Rows = tuple[int, ...]
"""The number of hexes in each row of a board."""
Refuse = Callable[[Any], str]
"""A function that returns the reason why a raw value cannot be, in words; empty if it can."""

WHEEL = 60
"""The most whole numbers on a wheel."""
SHORT = 4
"""The longest words on a wheel, in letters."""
SHOWN = 17
"""The number of last signs entered that are shown."""
DIGITS = "0123456789"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789.,:;-+'!?()/&"
BLANK = "␣"


def enter(
    box: Ui, words: FactWords, fact: Fact, facts: Facts, value: Any, take: Take, *, sure: bool = True
) -> None:
    """Ask for a fact's value, which was ``value``, None for nothing; ``take`` gets it, whole and right.

    A value that contradicts the other ``facts`` of the copy is refused, and stays on the page to be changed.
    Without ``sure`` the function that takes it shows it once more.
    """
    was = None if value is None else raw(fact.kind, value)

    def refuse(data: Any) -> str:
        return words.wrong_with(contradictions_with(facts, fact.name, fit(fact.kind, data)))

    _enter(Wanted(box, words, fact, facts, words.label(fact), fact.kind, take, refuse, sure), was)


def enter_number(box: Ui, words: FactWords, title: str, kind: Kind, take: Take) -> None:
    """Ask for a number that is no fact; ``take`` gets it, of that ``kind``."""
    none = Fact("", kind=kind)
    _enter(Wanted(box, words, none, Facts.of(words.schema), title, kind, take, lambda _: ""), None)


def count_detents(stack: Sequence[View], data: Any) -> int | None:
    """Count the detents to the next OK on the way to enter ``data``, a fact's raw value.

    Return None if no page of an entry is open.
    """
    pages = [view for view in stack if isinstance(view, FigureWheel | FactParts | PaintingPage | Naming)]
    for below in pages[:-1]:
        if isinstance(below, FactParts):
            data = below.find_asked(data)
    return pages[-1].count_detents(data) if pages else None


class Wanted(msgspec.Struct, frozen=True):
    """A value to ask for: a fact or a part of it, named ``title`` in the header; ``take`` gets it raw, once
    ``refuse`` has no reason against it.
    """

    box: Ui
    words: FactWords
    fact: Fact
    facts: Facts
    title: str
    kind: Kind
    take: Take
    refuse: Refuse
    sure: bool = True

    def finish(self, data: Any, *views: View) -> None:
        """Take the entered value, a text or raw, and leave the views; or say why it is refused."""
        try:
            value = raw(self.kind, read(self.kind, data) if isinstance(data, str) else fit(self.kind, data))
        except msgspec.MsgspecError:
            got = data if isinstance(data, str) else " ".join(map(str, data))
            domain = self.words.expected(self.kind, got)
            why = self.words.texts("facts.wrong.value", domain=domain, got=got)
        else:
            why = self.refuse(value)
        if why:
            self.box.play_refusal()
            self.box.toast(why, urgent=True)
        else:
            close(self.box, *views)
            self.take(value)

    def begin(self, choices: Sequence[Any], first: int) -> int:
        """Return the index of the choice to begin with: the first that fits, from ``first`` on."""
        fitting = (at for at in range(first, len(choices)) if not self.refuse(choices[at]))
        return next(fitting, first)


def _enter(asked: Wanted, was: Any) -> None:
    box = asked.box
    bare, said = opened(asked.kind)
    prompt = asked.words.range(asked.kind, asked.facts)
    words: Sequence[str] = said.get("words", ())
    if bare is int and said["high"] - said["low"] < WHEEL:
        numbers = range(said["low"], said["high"] + 1)
        at = asked.begin(numbers, max(0, -said["low"])) if was is None else was - said["low"]
        box.push(FigureWheel(box, asked.title, prompt, tuple(map(str, numbers)), at, asked.finish))
    elif (
        len(words) > WHEEL // 4
        and all(re.fullmatch(r"[a-z]\d+", word) for word in words)
        and not said["called"]
    ):
        _enter_cell(asked, prompt, words, was or words[0])
    elif words:
        at = words.index(was) if was else asked.begin(words, 0)
        if max(map(len, words)) <= SHORT and not said["called"]:
            box.push(FigureWheel(box, asked.title, prompt, words, at, asked.finish))
        else:
            box.push(Naming(asked, words, at))
    elif "signs" in said:
        box.push(PaintingPage(asked, was or ""))
    elif item_of(asked.kind) or fields_of(asked.kind):
        box.push(parts := FactParts(asked, was))
        parts.go_on()
    else:
        box.push(Typing(asked, prompt))


def _enter_cell(asked: Wanted, prompt: str, words: Sequence[str], was: str) -> None:
    box = asked.box
    columns = list(dict.fromkeys(word[0] for word in words))

    def ask_row(column: str, wheel: View) -> None:
        def finish(row: str, beside: View) -> None:
            asked.finish(column + row, wheel, beside)

        rows = [word[1:] for word in words if word[0] == column]
        at = rows.index(was[1:]) if was[1:] in rows else 0
        box.push(FigureWheel(box, asked.title, f"{column}…", rows, at, finish))

    box.push(FigureWheel(box, asked.title, prompt, columns, columns.index(was[0]), ask_row))


class Naming(Menu):
    """A choice among words, a line each; those that do not fit are grey."""

    def __init__(self, asked: Wanted, words: Sequence[str], at: int) -> None:
        """List ``words``; ``at`` is the index of the word to begin with."""
        self._words = words
        items = [
            Item(asked.words.called(asked.kind, word), partial(asked.finish, word, self), asked.refuse(word))
            for word in words
        ]
        super().__init__(asked.box, asked.title, "", items, at)

    def count_detents(self, data: Any) -> int:
        """Count the detents from here to a word, the shortest way."""
        return find_shortest_turn(self._words.index(data) - self.index, len(self._words))


class Typing(View):
    """A number or a text, sign by sign; Back removes the last sign."""

    takes_text = True

    def __init__(self, asked: Wanted, prompt: str) -> None:
        """Start with nothing typed; ``prompt`` says what may be entered."""
        super().__init__(asked.box)
        bare, said = opened(asked.kind)
        self._asked, self._prompt = asked, prompt
        self._most: int = said["most"] if bare is str else SHOWN
        self._signs = LETTERS if bare is str else DIGITS + "." * (bare is float) + "-" * (said["low"] < 0)
        self._index = 0

    def page(self) -> Page:
        """Show the wheel of signs, and above it the entry so far, or at first what may be entered."""
        t, text = self._asked.words.texts, self.typed.replace(" ", BLANK)
        items = (*self._signs.replace(" ", BLANK), t("facts.done"))
        prompt = t("facts.typed", text=text[-SHOWN:]) if text else self._prompt
        return WheelPage(self.box.header(self._asked.title), prompt, items, self._index)

    def turn(self, steps: int) -> None:
        """Go through the signs."""
        self._index = (self._index + steps) % (len(self._signs) + 1)

    def ok(self) -> None:
        """Take the sign; on "done", the whole."""
        if self._index < len(self._signs):
            capital = self.typed.rstrip(" ")[-1:] in ("", *".!?")  # begins a text and its sentences
            sign = self._signs[self._index]
            self.typed = (self.typed + (sign if capital else sign.lower()))[: self._most]
        else:
            self._asked.finish(self.typed, self)

    def type(self, text: str) -> None:
        """Take the whole."""
        self._asked.finish(text.strip(), self)


class FactParts(Menu):
    """The items of a list or the fields of a record so far; each can be changed again.

    A list of known length is done with its last item.
    """

    def __init__(self, asked: Wanted, was: Any) -> None:
        """Begin with the parts of ``was``, None for nothing."""
        super().__init__(asked.box, asked.title, "", [])
        self._asked, self._fields = asked, fields_of(asked.kind)
        self._values: list[Any] = list((was or {}).values() if self._fields else was or ())
        if self._fields:
            self._least = self._most = len(self._fields)
            self._values = self._values or [None] * self._most
        else:
            self._least, self._most = list_limits(asked.facts, asked.kind)
        self._changed = bool(self._values)
        self.look()

    def go_on(self) -> None:
        """Ask for the first missing part; the cursor is on *add…* while a list is short."""
        self.look()
        count = len(self._values)
        self.index = int(self._least <= count < (self._least + self._most) // 2 and not self._changed)
        if None in self._values:
            self._ask(self._values.index(None))
        elif len(self._values) < self._least:
            self._ask(len(self._values))

    def _list_parts(self, data: Any) -> list[Any]:
        return list(data.values() if self._fields else data)

    def find_asked(self, data: Any) -> Any:
        """Return the part of ``data`` that is being asked for."""
        return self._list_parts(data)[self._asking]

    def count_detents(self, data: Any) -> int:
        """Count the detents to the first part that must change, to the next, or to *done*."""
        wanted, count = self._list_parts(data), len(self._values)
        other = next((at for at in range(count) if self._values[at : at + 1] != wanted[at : at + 1]), count)
        if other < count:
            return len(self.items) - count + other - self.index
        return int(self._least <= count < len(wanted)) - self.index

    def look(self) -> None:
        """List the present parts."""
        t, count = self._asked.words.texts, len(self._values)
        self.items = []
        if count >= self._least and None not in self._values:
            self.items.append(Item(t("facts.done"), self._finish))
        if count < self._most:
            self.items.append(Item(t("facts.add"), partial(self._ask, count)))
        self.items += [Item(self._tell_line(at), self._make_act(at)) for at in range(count)]
        self.index = min(self.index, len(self.items) - 1)

    def _part(self, at: int) -> tuple[str, Kind]:
        """Return a part's title and kind."""
        if self._fields:
            name, kind = list(self._fields.items())[at]
            return self._asked.words.field(self._asked.fact, name), kind
        t, part = self._asked.words.texts, self._asked.words.part(self._asked.kind, at)
        title = part or t("facts.of", title=self._asked.title, number=at + 1, count=self._most)
        return title, item_of(self._asked.kind)

    def _tell_line(self, at: int) -> str:
        title, kind = self._part(at)
        value, words = self._values[at], self._asked.words
        named = self._fields or self._asked.words.part(self._asked.kind, 0)
        label = f"{title if named else at + 1}:"
        if value is None:
            return f"{label} {words.texts('facts.unknown')}"
        return f"{label} {words.value(kind, msgspec.convert(value, kind))}"

    def _finish(self) -> None:
        data = dict(zip(self._fields, self._values, strict=True)) if self._fields else self._values
        self._asked.finish(data, self)
        wrong = (at for at, value in enumerate(self._values) if self._find_fault(at, value))
        if self in self.box.stack and (at := next(wrong, None)) is not None:
            self.index = len(self.items) - len(self._values) + at

    def _find_fault(self, at: int, value: Any) -> str:
        """Say why an item cannot follow those before it, whatever comes after; empty if it can."""
        asked = self._asked
        if self._fields or asked.kind is not asked.fact.kind:
            return ""
        bare, item = opened(asked.kind)[0], item_of(asked.kind)
        begun = [msgspec.convert(one, item) for one in (*self._values[:at], value)]
        found = contradictions_with(asked.facts, asked.fact.name, get_origin(bare)(begun), early=True)
        return asked.words.wrong_with(found)

    def _ask(self, at: int) -> None:
        def take(value: Any) -> None:
            self._changed = at < len(self._values)
            self._values[at : at + 1] = [value]
            last = at == self._most - 1 and not self._changed
            self.go_on()
            if last and self._least == self._most:
                self._finish()

        self._asking = at
        title, kind = self._part(at)
        was = next(iter(self._values[at:]), None)
        refuse = partial(self._find_fault, at)
        _enter(replace(self._asked, title=title, kind=kind, take=take, refuse=refuse), was)

    def _make_act(self, at: int) -> Act:
        """Return the act of a line: enter the part again; an item of a list can also be removed."""

        def remove() -> None:
            del self._values[at]

        box, t = self.box, self._asked.words.texts
        if self._fields or self._asked.words.part(self._asked.kind, at):
            return partial(self._ask, at)
        items = [
            Item(t("facts.change"), leave(box, self._ask, at)),
            Item(t("facts.remove"), leave(box, remove)),
        ]
        return show(box, Menu, self.title, self._tell_line(at), items)


# A small board of hexes: one OK a hex, one for the whole


def find_rows(kind: Kind, facts: Facts) -> Rows:
    """Return the rows for the signs of this kind on a copy; two rows while they are unknown."""
    said = opened(kind)[1]
    if "signs" not in said:
        return ()
    number, name = said["number"], said["rows"]
    known: Rows = (facts[name] if name else None) or ()
    return known if sum(known) == number else (number - number // 2, number // 2)


def paint_board(rows: Rows, signs: str) -> Board:
    """Return a board with the first of its hexes painted."""
    painted = [Cell(ground=sign) for sign in signs]
    return in_rows(rows, [*painted, *[EMPTY] * (sum(rows) - len(signs))])


def make_painting_page(
    header: PageHeader,
    prompt: str,
    board: Board,
    lines: Sequence[str],
    index: int,
    doubts: Sequence[int] = (),
) -> GridPage:
    """Show a painted board beside some lines to choose from, with a sign on the doubtful hexes."""
    places = [place for place, cell in enumerate(board.cells) if cell]
    signs = tuple((places[hex_], Sign.ASKED) for hex_ in doubts)
    return GridPage(header, prompt, board, tuple(lines), (-1,) * len(lines), index, signs=signs)


class PaintingPage(View):
    """A board with the cursor on the next hex; the knob goes through its signs, Back goes a hex back."""

    takes_text = True

    def __init__(self, asked: Wanted, was: str) -> None:
        """Begin with the signs ``was``, empty for none.

        If people must be ``sure``, the whole takes one more OK.
        """
        super().__init__(asked.box)
        self._asked, self._rows = asked, find_rows(asked.kind, asked.facts)
        self._signs: str = opened(asked.kind)[1]["signs"]
        self._was = was
        self._index = 0
        self._begin_hex()

    @property
    def _whole(self) -> bool:
        return len(self.typed) == sum(self._rows)

    def page(self) -> GridPage:
        """Show the board, and beside it the sign to paint next."""
        t = self._asked.words.texts
        if self._whole:
            board = paint_board(self._rows, self.typed)
            return make_painting_page(self.box.header(""), self._asked.title, board, [t("facts.done")], 0)
        at = len(self.typed)
        board = paint_board(self._rows, self.typed + self._signs[self._index])
        place = [place for place, cell in enumerate(board.cells) if cell][at]
        labels = tuple(map(self._asked.words.sign, self._signs))
        prompt = t("facts.of", title=self._asked.title, number=at + 1, count=sum(self._rows))
        places = (place,) * len(labels)
        return GridPage(self.box.header(""), prompt, board, labels, places, self._index, named=False)

    def turn(self, steps: int) -> None:
        """Go through the signs."""
        self._index = (self._index + steps) % len(self._signs)

    def count_detents(self, signs: str) -> int:
        """Count the detents to the next OK on the way to paint ``signs``."""
        if self._whole:
            return 0
        return find_shortest_turn(self._signs.index(signs[len(self.typed)]) - self._index, len(self._signs))

    def ok(self) -> None:
        """Paint the hex; at the end take the whole."""
        count = len(self.typed)
        if count < sum(self._rows):
            self.typed += self._signs[self._index]
            self._begin_hex()
        if count + (not self._asked.sure) >= sum(self._rows):
            self._asked.finish(self.typed, self)

    def type(self, text: str) -> None:
        """Take the whole, or say what is wrong with it."""
        self._asked.finish(text.strip(), self)

    def back(self) -> None:
        """Go back a hex; from the first one leave."""
        if self.typed:
            self._index = self._signs.index(self.typed[-1])
        super().back()

    def _begin_hex(self) -> None:
        """Begin the next hex with its earlier sign, or else with the one painted last."""
        at = len(self.typed)
        if at < len(self._was):
            self._index = self._signs.index(self._was[at])
