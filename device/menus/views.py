"""The views that menus are made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
from msgspec.structs import replace

from device.match import RulingError
from device.menus.ui import Ui, View
from device.screen import HeaderMark, ListPage, Page, TablePage, TextPage
from device.texts import reason
from engines.errors import EngineError
from engines.words import Words

Act = Callable[[], None]

MOMENT_MS = 400
"""How long people must have had to look before OK counts: at a page they decide on since it came in sight, at
what was recorded since then.
"""

READ_MS = 700
"""So long at a question that came in place of a text."""


def close(box: Ui, *views: View) -> None:
    """Remove views from the stack, wherever they stand."""
    box.stack[:] = [view for view in box.stack if view not in views]


def attempt(box: Ui, act: Callable[[], object]) -> bool:
    """Try what the referee may refuse; a refusal is shown. True where it was done."""
    try:
        act()
    except (EngineError, RulingError) as error:
        box.refused()
        box.toast(reason(error, box.texts), urgent=True)
        return False
    return True


def _nothing() -> None:
    """Do nothing, as an item that only says why not."""


class Item(msgspec.Struct, frozen=True):
    """A line of a list, and what OK does on it; with a ``why`` it is grey, and OK says that instead."""

    label: str
    act: Act = _nothing
    why: str = ""


class Menu(View):
    """Choose one of some lines; after the last comes the first."""

    def __init__(self, box: Ui, title: str, prompt: str, items: Sequence[Item], index: int = 0) -> None:
        """``index`` is where the cursor starts."""
        super().__init__(box)
        self.title = title
        self.prompt = prompt
        self.items = list(items)
        self.index = index

    def page(self) -> Page:
        """The list."""
        labels = tuple(item.label for item in self.items)
        return ListPage(self.box.header(self.title), self.prompt, labels, self.index, self.grey)

    @property
    def grey(self) -> tuple[int, ...]:
        """The places of the lines that cannot be chosen now."""
        return tuple(at for at, item in enumerate(self.items) if item.why)

    def turn(self, steps: int) -> None:
        """Move the cursor."""
        self.index = (self.index + steps) % len(self.items)

    def ok(self) -> None:
        """Do what the line says, or say why it cannot be done now."""
        item = self.items[self.index]
        if item.why:
            self.box.refused()
            self.box.push(TextReader(self.box, self.title, item.why, HeaderMark.REFUSED))
        else:
            item.act()


class Paged(View):
    """A page of several screens: turning goes through them, OK goes on, Back leaves."""

    def __init__(self, box: Ui, title: str) -> None:
        """Begin at the first page."""
        super().__init__(box)
        self.title = title
        self.at = 0

    def turn(self, steps: int) -> None:
        """Turn pages."""
        self.at = max(0, min(self.at + steps, self.box.pages(self.page()) - 1))

    def ok(self) -> None:
        """The next page; leave after the last."""
        if self.at + 1 < self.box.pages(self.page()):
            self.at += 1
        else:
            self.box.pop()


class TextReader(Paged):
    """A text of any length."""

    def __init__(
        self, box: Ui, title: str, text: str, mark: HeaderMark | None = None, about: str = ""
    ) -> None:
        """``text`` may hold line breaks; ``mark`` stands in the header instead of the last entry's, once that
        is on the disk. One that is ``about`` something goes when that is said anew.
        """
        super().__init__(box, title)
        self.about = about
        self.text = text
        self.mark = mark

    def page(self) -> Page:
        """The text at the page reached."""
        header = self.box.header(self.title)
        mark = header.mark if header.mark is HeaderMark.SAVING else self.mark or header.mark
        return TextPage(replace(header, mark=mark), self.text, self.at)


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
        """``rows`` begin with their label; a ``note`` is read after the totals. OK on the last page leads to
        what there is ``more``.
        """
        super().__init__(box, title)
        self._more = more
        self.columns = tuple(columns)
        self.rows = tuple(tuple(row) for row in rows)
        self.totals = tuple(totals)
        self.note = note

    def ok(self) -> None:
        """The next page; after the last what there is more."""
        last = self.at + 1 >= self.box.pages(self.page())
        super().ok()
        if last and self._more:
            self.box.push(self._more())

    def page(self) -> Page:
        """The table at the page reached."""
        header = self.box.header(self.title)
        return TablePage(header, self.columns, self.rows, self.totals, self.at, self.note)


def ask(box: Ui, view: View) -> None:
    """Show a view, and before it the prompt of a list that leaves it no room, on pages of its own."""
    box.push(view)
    page = view.page()
    if isinstance(page, ListPage) and box.pages(page) > 1:
        box.push(TextReader(box, page.header.left, page.prompt))


class Deliberate(View):
    """A page whose OK counts only after :data:`MOMENT_MS` in sight."""

    def __init__(self, box: Ui) -> None:
        """Not seen yet."""
        super().__init__(box)
        self._seen_ms: float | None = None

    def appear(self) -> None:
        """The page shows something new: the moment starts again."""
        self._seen_ms = None

    def in_sight(self, page: Page) -> Page:
        """Give ``page`` back, noting that it is in sight."""
        if self._seen_ms is None:
            self._seen_ms = self.box.now_ms()
        return page

    @property
    def considered(self) -> bool:
        """Return True if OK counts."""
        return self._seen_ms is not None and self.box.now_ms() - self._seen_ms >= MOMENT_MS


class Onward(TextReader, Deliberate):
    """A text whose last OK leads on, once it has been in sight for a moment."""

    def __init__(self, box: Ui, title: str, text: str, act: Act) -> None:
        """``act`` leaves the text and goes on."""
        super().__init__(box, title, text)
        self._act = act

    def page(self) -> Page:
        """The text at the page reached."""
        return self.in_sight(super().page())

    def ok(self) -> None:
        """The next page, and on after the last."""
        if self.at + 1 < self.box.pages(self.page()):
            self.at += 1
        elif self.considered:
            self._act()


def reason_menu(box: Ui, words: Words, what: str, act: Callable[[str], None]) -> Menu:
    """The reasons under ``reason.<what>``, and none; ``act`` gets the one chosen, as a record keeps it."""

    def give(reason: str) -> Callable[[], None]:
        def chosen() -> None:
            box.pop()
            act(reason)

        return chosen

    t = words.texts
    items = [Item(t(key), give(t.original(key))) for key in t.under(f"reason.{what}")]
    items.append(Item(words("reason.none"), give("")))
    return Menu(box, words("reason.title"), "", items)
