"""The building blocks of menus."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from device.match import RulingError
from device.menus.ui import MINUTE_MS, Ui, View
from device.screen import HeaderMark, ListPage, Page, QrPage, TablePage, TextPage, WheelPage
from device.texts import reason
from engines.errors import EngineError

Act = Callable[[], object]
T = TypeVar("T")

READ_MS = 700
"""The time after a text gave way to a question in which an OK is still meant for the text."""


def close(box: Ui, *views: View) -> None:
    """Remove views from the stack, at any place."""
    box.stack[:] = [view for view in box.stack if view not in views]


def attempt(box: Ui, act: Callable[[], T], refusal: str = "") -> T | None:
    """Return the result of ``act``; on the referee's refusal show its reason, or ``refusal``; return None."""
    try:
        return act()
    except (EngineError, RulingError) as error:
        box.play_refusal()
        box.toast(refusal or reason(error, box.texts), urgent=True)
        return None


class Item(msgspec.Struct, frozen=True):
    """A line of a list, and what OK does on it; with a ``why`` it is grey, and OK says that instead."""

    label: str
    act: Act = lambda: None
    why: str = ""


class Menu(View):
    """A choice of one line; after the last line comes the first."""

    def __init__(
        self,
        box: Ui,
        title: str,
        prompt: str,
        items: Sequence[Item],
        index: int = 0,
        on_back: Act | None = None,
    ) -> None:
        """List ``items``, the cursor on ``index``; Back calls ``on_back``, or just leaves."""
        super().__init__(box)
        self.title = title
        self.prompt = prompt
        self.items = list(items)
        self.index = index
        self._on_back = on_back

    def look(self) -> None:
        """Update the lines before a page and a key, if they depend on what may change meanwhile."""

    def page(self) -> Page:
        """Show the list."""
        self.look()
        return ListPage(self.box.header(self.title), self.prompt, self.labels, self.index, self.grey)

    @property
    def labels(self) -> tuple[str, ...]:
        """The lines in words."""
        return tuple(item.label for item in self.items)

    @property
    def grey(self) -> tuple[int, ...]:
        """The indexes of the lines that cannot be chosen now."""
        return tuple(at for at, item in enumerate(self.items) if item.why)

    def turn(self, steps: int) -> None:
        """Move the cursor."""
        self.look()
        self.index = (self.index + steps) % len(self.items)

    def ok(self) -> None:
        """Act on the line, or say why not."""
        self.look()
        item = self.items[self.index]
        if item.why:
            self.box.play_refusal()
            self.box.push(TextReader(self.box, self.title, item.why, HeaderMark.REFUSED))
        else:
            item.act()

    def back(self) -> None:
        """Leave, or call ``on_back``."""
        (self._on_back or super().back)()


class LiveMenu(Menu):
    """A menu renewed for each page and key: its lines depend on what may change meanwhile."""

    def __init__(self, box: Ui, title: str, list_lines: Callable[[], tuple[str, Sequence[Item]]]) -> None:
        """List what ``list_lines`` returns: the prompt and the lines."""
        super().__init__(box, title, "", [])
        self._list = list_lines
        self.look()

    def look(self) -> None:
        """Update the list."""
        self.prompt, items = self._list()
        self.items = list(items)
        self.index = min(self.index, len(self.items) - 1)

    def due_ms(self) -> float | None:
        """Return the time until the rest of an event's round is a minute shorter."""
        left = (self.box.round_ends_ms or 0) - self.box.now_ms()
        return left % MINUTE_MS if left > 0 else None


class LabelWheel(Menu):
    """A menu of short labels, the one with the cursor drawn large."""

    def page(self) -> Page:
        """Show the wheel."""
        return WheelPage(self.box.header(self.title), self.prompt, self.labels, self.index)


class FigureWheel(LabelWheel):
    """A choice among short figures; turning stops at the ends. ``take`` closes the wheel."""

    def __init__(
        self,
        box: Ui,
        title: str,
        prompt: str,
        items: Sequence[str],
        index: int,
        take: Callable[[str, View], None],
    ) -> None:
        """Ask for one of ``items``; ``take`` gets the figure and the wheel."""
        figures = [Item(figure, partial(take, figure, self)) for figure in items]
        super().__init__(box, title, prompt, figures, index)

    def count_detents(self, data: object) -> int:
        """Count the detents from here to a figure."""
        return self.labels.index(str(data)) - self.index

    def turn(self, steps: int) -> None:
        """Change the figure."""
        self.index = max(0, min(self.index + steps, len(self.items) - 1))


class Paged(View):
    """A page of several screens: turning goes through them, OK goes on, Back leaves."""

    def __init__(self, box: Ui, title: str) -> None:
        """Begin at the first page."""
        super().__init__(box)
        self.title = title
        self.at = 0

    @property
    def last(self) -> int:
        """The number of the last screen, from 0."""
        return self.box.pages(self.page()) - 1

    def turn(self, steps: int) -> None:
        """Turn pages."""
        self.at = max(0, min(self.at + steps, self.last))

    def ok(self) -> None:
        """Show the next page; go on after the last."""
        if self.at < self.last:
            self.at += 1
        else:
            self.go_on()

    def go_on(self) -> None:
        """Leave the page, read to its end."""
        self.box.pop()


class TextReader(Paged):
    """A text of any length."""

    def __init__(
        self, box: Ui, title: str, text: str, mark: HeaderMark | None = None, about: str = ""
    ) -> None:
        """Show ``text``, which may hold line breaks.

        ``mark`` replaces the last entry's in the header, once that is on the disk. A reader that is ``about``
        a subject goes when that is told again.
        """
        super().__init__(box, title)
        self.about = about
        self.text = text
        self.mark = mark

    def page(self) -> Page:
        """Show the text at the current page."""
        header = self.box.header(self.title)
        mark = header.mark if header.mark is HeaderMark.SAVING else self.mark or header.mark
        return TextPage(replace(header, mark=mark), self.text, self.at)


class Onward(TextReader):
    """A text whose last OK calls ``act``, once it has been in sight for a moment. The text stays below, for
    Back, unless ``act`` removes it.
    """

    def __init__(self, box: Ui, title: str, text: str, act: Act) -> None:
        """Show a text; ``act`` goes on."""
        super().__init__(box, title, text)
        self._act = act

    def go_on(self) -> None:
        """Call ``act``, if people have had time to look."""
        if self.considered:
            self._act()


class FigureSheet(Paged):
    """A table of figures."""

    def __init__(
        self,
        box: Ui,
        title: str,
        columns: Sequence[str],
        rows: Sequence[Sequence[str]],
        totals: Sequence[str] = (),
        note: str = "",
        more: Callable[[], View] | None = None,
    ) -> None:
        """Show a table whose ``rows`` begin with their label; a ``note`` comes after the totals.

        OK on the last page leads to the view that ``more`` makes.
        """
        super().__init__(box, title)
        self._more = more
        self.columns = tuple(columns)
        self.rows = tuple(tuple(row) for row in rows)
        self.totals = tuple(totals)
        self.note = note

    def go_on(self) -> None:
        """Leave, and show the view of ``more``."""
        super().go_on()
        if self._more:
            self.box.push(self._more())

    def page(self) -> Page:
        """Show the table at the current page."""
        header = self.box.header(self.title)
        return TablePage(header, self.columns, self.rows, self.totals, self.at, self.note)


class CodeSheet(View):
    """A text as a QR code, for a phone, and in letters to note by hand."""

    def __init__(self, box: Ui, title: str, text: str) -> None:
        """Show this ``text``."""
        super().__init__(box)
        self._title, self._text = title, text

    def page(self) -> Page:
        """Show the code, its text beside it."""
        return QrPage(self.box.header(self._title), self._text)


def show(box: Ui, make: Callable[..., View], *given: object) -> Act:
    """Return an act that shows the view ``make(box, *given)``."""
    return lambda: box.push(make(box, *given))


def read(box: Ui, title: str, text: str) -> Act:
    """Return an act that shows a text."""
    return show(box, TextReader, title, text)


def ask_sure(box: Ui, title: str, prompt: str, yes: str, act: Act) -> Menu:
    """Return the question before ``act``, which must also leave it; the cursor starts on not doing it."""
    return Menu(box, title, prompt, [Item(box.texts("undo.keep"), box.pop), Item(yes, act)])


def leave(box: Ui, act: Callable[..., object], *given: object) -> Act:
    """Return an act that leaves the view on top, then calls ``act(*given)``."""

    def leave_and_act() -> None:
        box.pop()
        act(*given)

    return leave_and_act


def ask(box: Ui, view: View) -> None:
    """Show a view; if its list leaves no room for the prompt, show that first on pages of its own."""
    box.push(view)
    page = view.page()
    if isinstance(page, ListPage) and box.pages(page) > 1:
        box.push(TextReader(box, page.header.left, page.prompt))


def make_reason_menu(box: Ui, what: str, act: Callable[[str], None]) -> Menu:
    """List the reasons under ``reason.<what>``, and none; ``act`` gets the chosen one, as recorded."""
    t = box.words.texts
    items = [Item(t(key), leave(box, act, t.original(key))) for key in t.under(f"reason.{what}")]
    items.append(Item(t("reason.none"), leave(box, act, "")))
    return Menu(box, t("reason.title"), "", items)
