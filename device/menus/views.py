"""The views that menus are made of, and what is done with views: each shows one page and takes the keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
from msgspec.structs import replace

from device.match.history import RulingError
from device.match.words import Words
from device.menus.ui import Ui, View
from device.screen import ListPage, Mark, Page, TablePage, TextPage
from engines.errors import EngineError

Act = Callable[[], None]

MOMENT_MS = 500
"""How long a page that people decide on must have been in sight before OK on it counts."""


def close(box: Ui, *views: View) -> None:
    """Take views off the stack, wherever on it they stand."""
    box.stack[:] = [view for view in box.stack if view not in views]


def attempt(box: Ui, act: Callable[[], object]) -> bool:
    """Do what the referee may refuse, and say so if it does; whether it was done."""
    try:
        act()
    except (EngineError, RulingError) as error:
        box.refused()
        box.toast(str(error), urgent=True)
        return False
    return True


class Item(msgspec.Struct, frozen=True):
    """A line of a list and what OK does on it."""

    label: str
    act: Act


class Menu(View):
    """Choose one of some lines. The list goes round: past the last comes the first."""

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
        return ListPage(self.box.header(self.title), self.prompt, labels, self.index)

    def turn(self, steps: int) -> None:
        """Move the cursor."""
        self.index = (self.index + steps) % len(self.items)

    def ok(self) -> None:
        """Do what the line says."""
        self.items[self.index].act()


class Paged(View):
    """Something of several screens; turning pages through it, OK goes on and Back leaves."""

    def __init__(self, box: Ui, title: str) -> None:
        """Begin at the first page."""
        super().__init__(box)
        self.title = title
        self.at = 0

    def turn(self, steps: int) -> None:
        """Turn pages."""
        self.at = max(0, min(self.at + steps, self.box.pages(self.page()) - 1))

    def ok(self) -> None:
        """The next page, and away after the last."""
        if self.at + 1 < self.box.pages(self.page()):
            self.at += 1
        else:
            self.box.pop()


class Reader(Paged):
    """A text of any length."""

    def __init__(self, box: Ui, title: str, text: str, mark: Mark | None = None) -> None:
        """``text`` may hold line breaks; ``mark`` stands in the header instead of the last entry's, once that
        is on the disk.
        """
        super().__init__(box, title)
        self.text = text
        self.mark = mark

    def page(self) -> Page:
        """The text at the page reached."""
        header = self.box.header(self.title)
        mark = header.mark if header.mark is Mark.SAVING else self.mark or header.mark
        return TextPage(replace(header, mark=mark), self.text, self.at)


class Sheet(Paged):
    """A breakdown."""

    def __init__(
        self,
        box: Ui,
        title: str,
        columns: Sequence[str],
        rows: Sequence[Sequence[str]],
        totals: Sequence[str] = (),
    ) -> None:
        """``rows`` begin with their label."""
        super().__init__(box, title)
        self.columns = tuple(columns)
        self.rows = tuple(tuple(row) for row in rows)
        self.totals = tuple(totals)

    def page(self) -> Page:
        """The table at the page reached."""
        return TablePage(self.box.header(self.title), self.columns, self.rows, self.totals, self.at)


class Deliberate(View):
    """A page whose OK counts once people have had it in sight for a moment."""

    def __init__(self, box: Ui) -> None:
        """Nobody has seen it yet."""
        super().__init__(box)
        self._seen_ms: float | None = None

    def appear(self) -> None:
        """What is shown from now on has not been seen yet."""
        self._seen_ms = None

    def in_sight(self, page: Page) -> Page:
        """The page, which is seen from now on if it was not before."""
        if self._seen_ms is None:
            self._seen_ms = self.box.now_ms()
        return page

    @property
    def considered(self) -> bool:
        """Whether OK counts."""
        return self._seen_ms is not None and self.box.now_ms() - self._seen_ms >= MOMENT_MS


def reason_menu(box: Ui, words: Words, what: str, act: Callable[[str], None]) -> Menu:
    """The reasons that the texts have under ``reason.<what>``, and none; ``act`` gets the one chosen."""

    def give(reason: str) -> Callable[[], None]:
        def chosen() -> None:
            box.pop()
            act(reason)

        return chosen

    items = [Item(reason, give(reason)) for reason in words.texts.all(f"reason.{what}")]
    items.append(Item(words("reason.none"), give("")))
    return Menu(box, words("reason.title"), "", items)
