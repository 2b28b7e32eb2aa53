"""The views that menus are made of: each shows one page and takes the keys while it is on top."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from device.screen.pages import ListPage, Mark, Page, TablePage, TextPage

if TYPE_CHECKING:
    from device.menus.core import Box

Act = Callable[[], None]


class Item(msgspec.Struct, frozen=True):
    """A line of a list and what OK does on it."""

    label: str
    act: Act


class View(ABC):
    """One page on top of the stack. Keys that it does not use do what they do everywhere.

    With ``sample`` it and whatever is opened over it show a match with a made-up copy, and are marked. One
    ``of_sensor`` asks what a reading means, and goes when the table is read again.
    """

    sample = False
    of_sensor = False

    def __init__(self, box: Box) -> None:
        """Every view belongs to a box."""
        self.box = box

    @abstractmethod
    def page(self) -> Page:
        """What to show now."""

    @abstractmethod
    def turn(self, steps: int) -> None:
        """The encoder was turned."""

    @abstractmethod
    def ok(self) -> None:
        """OK was pressed."""

    def back(self) -> None:
        """Back was pressed: one level up."""
        self.box.pop()

    def due_ms(self) -> float | None:
        """How long until the page changes by itself; None where it does not."""
        return None

    def changed(self) -> None:  # noqa: B027 – most views show nothing of the match
        """The match has moved on, here or elsewhere."""


class Menu(View):
    """Choose one of some lines. The list goes round: past the last comes the first."""

    def __init__(self, box: Box, title: str, prompt: str, items: Sequence[Item], index: int = 0) -> None:
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

    def __init__(self, box: Box, title: str) -> None:
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

    def __init__(self, box: Box, title: str, text: str, mark: Mark | None = None) -> None:
        """``text`` may hold line breaks; ``mark`` stands in the header instead of the last entry's."""
        super().__init__(box, title)
        self.text = text
        self.mark = mark

    def page(self) -> Page:
        """The text at the page reached."""
        header = self.box.header(self.title)
        return TextPage(replace(header, mark=self.mark or header.mark), self.text, self.at)


class Sheet(Paged):
    """A breakdown."""

    def __init__(
        self,
        box: Box,
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
