"""Outside the match: the home screen, past matches, set-up, switching off."""

from __future__ import annotations

from collections.abc import Sequence

import engines
from device.match import JournalError, Past
from device.menus.ending import confirmed_line
from device.menus.facts import match_items, setup_items
from device.menus.match_menu import score_table, steps_menu
from device.menus.new_match import new_match
from device.menus.rules import rules_menu
from device.menus.ui import Host, View
from device.menus.views import Act, Item, Menu, Reader
from device.menus.why import why_menu
from device.screen import Page
from engines.errors import EngineError

ROW = 18
"""Characters in a line of a long list: what is longer would lose its middle."""


class Home(Menu):
    """The home screen."""

    box: Host

    def __init__(self, box: Host) -> None:
        """The list is made anew for each page and key: it depends on the open match."""
        super().__init__(box, box.texts("home.title"), "", [Item("", lambda: None)])
        self.prompt = box.texts("home.prompt")

    def page(self) -> Page:
        """The list as it is now."""
        self._list()
        return super().page()

    def turn(self, steps: int) -> None:
        """Move the cursor in the list as it is now."""
        self._list()
        super().turn(steps)

    def ok(self) -> None:
        """Do what the line says."""
        self._list()
        super().ok()

    def back(self) -> None:
        """There is nothing above home."""

    def _list(self) -> None:
        box, t = self.box, self.box.texts
        items = []
        referee = box.library.referee
        if referee and not referee.replay.over:
            label = t("home.continue", name=" – ".join(referee.replay.names))
            items.append(Item(label, lambda: box.play(referee)))
        items.append(Item(t("home.new"), lambda: box.push(new_match(box))))
        items.append(Item(t("home.past"), lambda: box.push(past_menu(box))))
        items.append(Item(t("home.setup"), lambda: box.push(setup_menu(box))))
        items.append(Item(t("home.power_off"), lambda: box.push(power_menu(box))))
        self.items = items
        self.index %= len(items)


def past_menu(box: Host) -> View:
    """The matches on the disk, the latest first."""
    past = box.library.past()
    if not past:
        return Reader(box, box.texts("home.past"), box.texts("past.none"))

    def look(one: Past) -> Act:
        return lambda: box.push(_past_match(box, one))

    items = [Item(f"{one.date[5:]} {one.players.replace('-', ' – ')}", look(one)) for one in past]
    return Menu(box, box.texts("home.past"), "", items)


def _past_match(box: Host, past: Past) -> View:
    try:
        replay = box.library.look_at(past)
    except (JournalError, EngineError, ValueError) as error:
        return Reader(box, past.date, str(error))
    words = box.words_of(replay)
    items = [
        Item(words("play.scores"), lambda: box.push(score_table(box, replay, words))),
        Item(words("why.title"), lambda: box.push(why_menu(box, replay, words))),
        Item(words("play.steps"), lambda: box.push(steps_menu(box, replay, words))),
        *match_items(box, replay),
    ]
    if replay.match.state.termination:
        said = confirmed_line(replay, words)
        items.append(Item(words("ending.title"), lambda: box.push(Reader(box, words("ending.title"), said))))
    current = box.library.referee
    if not replay.over and not (current and current.path == str(past.path)):
        items.append(Item(words("past.continue"), lambda: box.continue_match(past)))
    menu = Menu(box, words("title"), f"{past.date[5:]} {' – '.join(replay.names)}", items)
    menu.sample = replay.header.sample
    return menu


def setup_menu(box: Host) -> Menu:
    """The box's own affairs."""
    items = [Item(box.texts("setup.status"), lambda: box.push(box.status()))]
    for game in engines.GAMES:
        label = box.texts("setup.rules", game=box.game_texts[game]("title"))
        items.append(Item(label, _rules(box, game)))
    items += setup_items(box)
    return Menu(box, box.texts("home.setup"), "", items)


def _rules(box: Host, game: str) -> Act:
    return lambda: box.push(rules_menu(box, game))


def status_text(box: Host, lines: Sequence[str]) -> str:
    """What has gone wrong since the start, then the state of each part."""
    library = box.library
    parts = [*library.problems, *lines]
    if library.simulated:
        parts.insert(0, box.texts("setup.simulated"))
    return "\n".join(parts) or box.texts("setup.fine")


def power_menu(box: Host) -> Menu:
    """Ask before switching off."""

    def act() -> None:
        said = box.power() if box.power else box.texts("setup.no_power")
        box.pop()
        box.toast(said, urgent=True)

    items = [
        Item(box.texts("undo.keep"), box.pop),
        Item(box.texts("home.power_off"), act),
    ]
    return Menu(box, box.texts("home.power_off"), box.texts("play.sure"), items)
