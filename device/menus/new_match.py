"""The form of a new match, filled in as last time: OK on START plays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import engines
from device.match import Header
from device.menus.facts import open_asked
from device.menus.ui import Host, View
from device.menus.views import Act, Item, Menu
from device.screen import ListPage, Page, WheelPage
from engines.contract import SEATS, Option, Setup

T = TypeVar("T")

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -'"
NAME_LENGTH = 12


class NewMatch(View):
    """The form: OK on the first line starts the match, on any other changes that line."""

    box: Host

    def __init__(self, box: Host) -> None:
        """Fill in the form as it was for the last match."""
        super().__init__(box)
        self.index = 0
        last = box.library.last_asked()
        self.choose(last.game if last and last.game in engines.GAMES else next(iter(engines.GAMES)))

    def choose(self, game_id: str) -> None:
        """Fill in the form for a game: as in its last match, or with the names used last and its defaults."""
        game = engines.game(game_id)
        last = self.box.library.last_asked(game_id)
        known = {option.name: option.values for option in game.options}
        setup = last.setup if last else Setup(game.seats[0])
        self.game = game_id
        self.seats = setup.seats if setup.seats in game.seats else game.seats[0]
        self.names = self._names(last.names if last else (), max(game.seats))
        self.start = setup.start % self.seats
        self.level = setup.level if setup.level in game.levels else game.levels[0]
        self.chosen = {name: value for name, value in setup.options if value in known.get(name, ())}
        self.refereed = bool(last and last.refereed and self.box.judge.is_set)

    def _names(self, first: Sequence[str], count: int) -> list[str]:
        """``count`` different names: ``first``, then known players, then "Player A" and so on."""
        names = list(dict.fromkeys((*first, *self.box.library.players())))[:count]
        for seat in range(len(names), count):
            letters = (SEATS[seat], *SEATS)
            nobody = (self.box.texts("new.player", letter=letter.upper()) for letter in letters)
            names.append(next(name for name in nobody if name not in names))
        return names

    def _lines(self) -> list[Item]:
        t = self.box.game_texts[self.game]
        game = engines.game(self.game)
        lines = [Item(t("new.start"), self._open)]
        if len(engines.GAMES) > 1:
            lines.append(Item(t("new.game"), self._next_game))
        if len(game.seats) > 1:
            lines.append(Item(t("new.seats", count=self.seats), self._next_seats))
        for seat, name in enumerate(self.names[: self.seats]):
            lines.append(Item(t("new.seat", letter=SEATS[seat].upper(), name=name), self._rename(seat)))
        lines.append(Item(t("new.first", name=self.names[self.start]), self._next_start))
        lines.append(Item(t(f"new.level.{self.level.value}"), self._next_level))
        for option in self._options():
            label = f"{t(f'option.{option.name}')}: {t(f'option_value.{self._value(option)}')}"
            lines.append(Item(label, self._next_value(option)))
        if self.box.judge.is_set:
            lines.append(Item(t("new.judge" if self.refereed else "new.no_judge"), self._next_judge))
        return lines

    def _options(self) -> list[Option]:
        """The options that matter beside the others as chosen."""
        options = engines.game(self.game).options
        values = {option.name: self._value(option) for option in options}
        return [option for option in options if option.matters(values)]

    def _value(self, option: Option) -> str:
        return self.chosen.get(option.name, option.values[0])

    def page(self) -> Page:
        """The form."""
        t = self.box.game_texts[self.game]
        labels = tuple(item.label for item in self._lines())
        return ListPage(self.box.header(t("home.new")), t("title"), labels, self.index)

    def turn(self, steps: int) -> None:
        """Move the cursor."""
        self.index = (self.index + steps) % len(self._lines())

    def ok(self) -> None:
        """Start, or change what the line says."""
        self._lines()[self.index].act()

    def _open(self) -> None:
        options = tuple(
            (option.name, self.chosen[option.name])
            for option in self._options()
            if self._value(option) != option.values[0]
        )
        setup = Setup(self.seats, self.start, options, self.level)
        names = tuple(self.names[: self.seats])
        open_asked(self.box, Header(self.game, names, setup, refereed=self.refereed))

    def _next_game(self) -> None:
        self.choose(_after(list(engines.GAMES), self.game))

    def _next_seats(self) -> None:
        self.seats = _after(engines.game(self.game).seats, self.seats)
        self.start %= self.seats

    def _next_start(self) -> None:
        self.start = (self.start + 1) % self.seats

    def _next_level(self) -> None:
        self.level = _after(engines.game(self.game).levels, self.level)

    def _next_judge(self) -> None:
        self.refereed = not self.refereed

    def _next_value(self, option: Option) -> Act:
        def act() -> None:
            self.chosen[option.name] = _after(option.values, self._value(option))

        return act

    def _rename(self, seat: int) -> Act:
        def take(name: str) -> None:
            if name in self.names:  # two players swap seats
                self.names[self.names.index(name)] = self.names[seat]
            self.names[seat] = name

        return lambda: self.box.push(names_menu(self.box, take))


def _after(values: Sequence[T], now: T) -> T:
    """The value after this one, cyclically."""
    return values[(values.index(now) + 1) % len(values)]


def names_menu(box: Host, take: Callable[[str], None]) -> Menu:
    """Known players, and a way to enter a new one."""

    def choose(name: str) -> Act:
        def act() -> None:
            take(name)
            box.pop()

        return act

    def entered(name: str) -> None:
        take(name)
        box.pop()

    items = [Item(box.texts("new.name"), lambda: box.push(NameEntry(box, entered)))]
    items += [Item(name, choose(name)) for name in box.library.players()]
    return Menu(box, box.texts("home.new"), box.texts("new.who"), items, min(1, len(items) - 1))


class NameEntry(View):
    """A name, letter by letter; Back takes the last letter away."""

    def __init__(self, box: Host, take: Callable[[str], None]) -> None:
        """``take`` gets the name when it is done."""
        super().__init__(box)
        self.take = take
        self.name = ""
        self.index = 0

    def page(self) -> Page:
        """The wheel of letters, the name so far above it."""
        items = (*LETTERS.replace(" ", "␣"), self.box.texts("new.name_done"))
        return WheelPage(self.box.header(self.box.texts("new.name")), self.name + "_", items, self.index)

    def turn(self, steps: int) -> None:
        """Go through the letters."""
        self.index = (self.index + steps) % (len(LETTERS) + 1)

    def ok(self) -> None:
        """Take the letter; on "done", the name."""
        if self.index < len(LETTERS):
            if len(self.name) < NAME_LENGTH:
                letter = LETTERS[self.index]
                self.name += letter if not self.name or self.name[-1] == " " else letter.lower()
        elif self.name.strip():
            self.box.pop()
            self.take(self.name.strip())

    def back(self) -> None:
        """Take the last letter away, or leave."""
        if self.name:
            self.name = self.name[:-1]
        else:
            self.box.pop()
