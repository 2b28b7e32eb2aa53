"""Phones that act for seats: the code that is shown for one, and those that are paired, to be ended."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from msgspec.structs import replace

from device.match import Referee, Replay
from device.menus.ui import Host, Ui, View
from device.menus.views import Item, Menu, close
from device.screen import NoticePage, Page, QrPage


class CodePage(View):
    """The code for a phone that asks for a seat, until it is typed there or its time is over.

    It is for who stands at the display; whoever looks from elsewhere sees its cover. OK takes it away.
    """

    def __init__(self, box: Host) -> None:
        """Show what :attr:`Host.pairings` says."""
        super().__init__(box)
        self._host = box

    def page(self) -> Page:
        """The player and the six digits."""
        t, asking = self.box.texts, self._host.pairings.asking
        referee = self._host.library.referee
        header = replace(self.box.header(t("pair.title")), private=True)
        if asking is None or referee is None:
            return NoticePage(header, t("pair.over"))
        code = f"{asking.code[:3]} {asking.code[3:]}"
        return NoticePage(header, t("pair.code", name=referee.replay.names[asking.seat], code=code))

    def due_ms(self) -> float | None:
        """Time until it is looked at whether the code still holds."""
        return 1000.0 if self._host.pairings.asking else None

    def turn(self, steps: int) -> None:
        """Nothing to turn to."""

    def ok(self) -> None:
        """Take the code away."""
        self.back()

    def back(self) -> None:
        """Take the code away."""
        self._host.pairings.give_up()
        close(self.box, self)


class Address(View):
    """The page's address for phones on the network, as a QR code; it holds nothing that lets anybody act."""

    def __init__(self, box: Ui, address: str) -> None:
        """Show this ``address``."""
        super().__init__(box)
        self._address = address

    def page(self) -> Page:
        """The code."""
        return QrPage(self.box.header(self.box.texts("setup.address")), self._address)

    def turn(self, steps: int) -> None:
        """Nothing to turn to."""

    def ok(self) -> None:
        """Leave."""
        self.back()


def show_code(box: Host) -> None:
    """Show the code of a phone that asks now, or take away one that holds no more."""
    shown = [view for view in box.stack if isinstance(view, CodePage)]
    if not box.pairings.asking:
        close(box, *shown)
    elif not shown:
        box.push(CodePage(box))
    box.on_page()


def phone_items(box: Host, referee: Referee) -> list[Item]:
    """Return the item of the phones of a match; none where none is paired."""
    box.pairings.follow(Path(referee.path).name)
    if not box.pairings.phones:
        return []
    return [Item(box.texts("pair.phones"), lambda: box.push(_phones(box, referee.replay)))]


def _phones(box: Host, replay: Replay) -> Menu:
    """Return the phones with whom each acts for; OK on one asks whether to end it."""

    def ending(name: str) -> None:
        def end() -> None:
            box.pairings.end(name)
            box.pop()
            box.pop()
            box.toast(box.texts("pair.ended", phone=name))

        items = [Item(box.texts("undo.keep"), box.pop), Item(box.texts("pair.end"), end)]
        box.push(Menu(box, name, box.texts("play.sure"), items))

    items = []
    for phone in box.pairings.phones:
        names = box.texts.row(replay.names[seat] for seat in phone.seats if seat < len(replay.names))
        items.append(Item(f"{phone.name}: {names}", partial(ending, phone.name)))
    return Menu(box, box.texts("pair.phones"), "", items)
