"""Phones that act for seats: the code that is shown for one, and those that are paired, to be ended."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from device.match import Referee, Replay
from device.menus.ui import Ui, View
from device.menus.views import Item, Menu, close, show, sure
from device.screen import NoticePage, Page


class CodePage(View):
    """The code for a phone that asks for a seat, until it is typed there or its time is over.

    It is for who stands at the display; whoever looks from elsewhere sees its cover. OK takes it away.
    """

    def page(self) -> Page:
        """Show the player and the six digits."""
        t, asking, referee = self.box.texts, self.box.pairings.asking, self.box.library.referee
        header = replace(self.box.header(t("pair.title")), private=True)
        if asking is None or referee is None:
            return NoticePage(header, t("pair.over"))
        code = f"{asking.code[:3]} {asking.code[3:]}"
        return NoticePage(header, t("pair.code", name=referee.replay.names[asking.seat], code=code))

    def due_ms(self) -> float | None:
        """Return how long until the code is looked at again."""
        return 1000.0 if self.box.pairings.asking else None

    def back(self) -> None:
        """Take the code away."""
        self.box.pairings.give_up()
        close(self.box, self)


def show_code(box: Ui) -> None:
    """Show the code of a phone that asks now, or take away an expired one."""
    shown = [view for view in box.stack if isinstance(view, CodePage)]
    if not box.pairings.asking:
        close(box, *shown)
    elif not shown:
        box.push(CodePage(box))
    box.on_page()


def phone_items(box: Ui, referee: Referee) -> list[Item]:
    """Return the item of the phones of a match; none where none is paired."""
    box.pairings.follow(Path(referee.path).name)
    title = box.texts("pair.phones")
    return [Item(title, show(box, _phones, referee.replay))] if box.pairings.phones else []


def _phones(box: Ui, replay: Replay) -> Menu:
    """Return the phones with whom each acts for; OK on one asks whether to end it."""
    items = []
    for phone in box.pairings.phones:
        names = box.texts.row(replay.names[seat] for seat in phone.seats if seat < len(replay.names))
        items.append(Item(f"{phone.name}: {names}", show(box, _ending, phone.name)))
    return Menu(box, box.texts("pair.phones"), "", items)


def _ending(box: Ui, name: str) -> Menu:
    def end() -> None:
        box.pairings.end(name)
        close(box, *box.stack[-2:])
        box.toast(box.texts("pair.ended", phone=name))

    return sure(box, name, box.texts("play.sure"), box.texts("pair.end"), end)
