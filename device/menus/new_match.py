"""The form of a new match, filled in as last time: OK on START plays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from msgspec.structs import replace

import engines
from device.match import Header
from device.menus.copies import open_asked
from device.menus.ui import Ui, View
from device.menus.views import Item, LiveMenu, Menu, ask, close, leave, show
from device.screen import Page, WheelPage
from engines.contract import SEATS, Option, Setup
from engines.plugged import games

T = TypeVar("T")

NAME_LENGTH = 12


def resume_form(box: Ui) -> NewMatch:
    """Return the form as it was left, or a new one if a match was opened since; the cursor is on START."""
    left = box.form
    box.form = form = left if isinstance(left, NewMatch) and left.holds else NewMatch(box)
    form.index = 0
    return form


def rematch(box: Ui) -> None:
    """Open the same game again, with the same players and options; the next player starts.

    At an event the form comes first: others may now be planned here.
    """
    if box.round:
        box.push(resume_form(box))
    elif referee := box.library.referee:
        header = referee.replay.header
        start = (header.setup.start + 1) % len(header.names)
        open_asked(box, replace(header, setup=replace(header.setup, start=start, rules_version=0)))


class FormLine(Item, frozen=True):
    """A line of the form; ``about`` says what it changes, unless its label does."""

    about: str = ""


class NewMatch(LiveMenu):
    """The form: OK on the first line starts the match, on any other changes that line."""

    def __init__(self, box: Ui) -> None:
        """Fill in the form as for the last match."""
        self.box = box
        self._last = last = box.library.find_last_asked()
        self._seat(last.game if last and last.game in games() else engines.GAMES[0])
        super().__init__(box, self.title, self._list_form)

    def _seat(self, game_id: str) -> None:
        """Fill in the form, with the players that an event's desk has planned here, if any. The title then
        names the place, so that people at another table notice.
        """
        self._here = here = self.box.round
        self.title = _place(self.box) if here else self.box.texts("home.new")
        self.choose(game_id)
        self._people = len(here.names) if here and here.names else self.seats

    @property
    def holds(self) -> bool:
        """True if no match was opened since the form was made."""
        return self._last == self.box.library.find_last_asked()

    def choose(self, game_id: str) -> None:
        """Fill in the form for a game: as in its last match, or with the last names and the game's defaults.

        Planned players come before those of the last match, and the first of them starts.
        """
        game = engines.game(game_id)
        last = self.box.library.find_last_asked(game_id)
        known = {option.name: option.values for option in game.options}
        setup = last.setup if last else Setup(game.seats[0])
        self.game = game_id
        planned = self._here.names if self._here else ()
        count = len(planned) or setup.seats
        self.seats = count if count in game.seats else game.seats[0]
        self.names = self._fill_names(planned or (last.names if last else ()), max(game.seats))
        self.start = 0 if planned else setup.start % self.seats
        self.level = setup.level if setup.level in game.levels else game.levels[0]
        self.chosen = {name: value for name, value in setup.options if value in known.get(name, ())}
        self.refereed = bool(last and last.refereed and self.box.judge.is_set)

    def _fill_names(self, first: Sequence[str], count: int) -> list[str]:
        """Return ``count`` different names: ``first``, then known players, then "Player A" and so on."""
        names = list(dict.fromkeys((*first, *self.box.library.list_names())))[:count]
        for seat in range(len(names), count):
            letters = (SEATS[seat], *SEATS)
            nobody = (self.box.texts("new.player", letter=letter.upper()) for letter in letters)
            names.append(next(name for name in nobody if name not in names))
        return names

    def _list_form(self) -> tuple[str, list[FormLine]]:
        """Return the lines, and above them the game, or what the line with the cursor changes."""
        if self._here != self.box.round:
            self._seat(self.game)
        lines = self._list_lines()
        about = lines[min(self.index, len(lines) - 1)].about
        return about or self.box.game_texts[self.game]("title"), lines

    def _list_lines(self) -> list[FormLine]:
        t = self.box.game_texts[self.game]
        game = engines.game(self.game)
        lines = [FormLine(t("new.start"), self._start)]
        if len(games()) > 1:
            advice = t("first_game.advice") if "first_game.advice" in t else ""
            about = t.sentences([t("title"), advice]) if advice else ""
            lines.append(FormLine(t("new.game"), self._pick_game, about=about))
        if len(game.seats) > 1:
            lines.append(FormLine(t("new.seats", count=self.seats), self._pick_seats))
        for seat, name in enumerate(self.names[: self.seats]):
            label = t("new.seat", letter=SEATS[seat].upper(), name=name)
            lines.append(FormLine(label, partial(self._rename, seat)))
        lines.append(FormLine(t("new.first", name=self.names[self.start]), self._pick_start))
        level = self.level.value
        lines.append(FormLine(t(f"new.level.{level}"), self._pick_level, about=t(f"new.level_about.{level}")))
        for option in self._list_options():
            label = f"{t(f'option.{option.name}')}: {t(f'option_value.{self._get_value(option)}')}"
            key = f"option_about.{option.name}"
            lines.append(FormLine(label, partial(self._pick_value, option), about=t(key) if key in t else ""))
        if self.box.judge.is_set:
            lines.append(FormLine(t("new.judge" if self.refereed else "new.no_judge"), self._pick_judge))
        return lines

    def _list_options(self) -> list[Option]:
        """Return the options that matter with the other chosen values."""
        options = engines.game(self.game).options
        values = {option.name: self._get_value(option) for option in options}
        return [option for option in options if option.matters(values)]

    def _get_value(self, option: Option) -> str:
        return self.chosen.get(option.name, option.values[0])

    def _start(self) -> None:
        if self._here:
            ask(self.box, YourTable(self.box, self.names[: self.seats], self._open, lambda: None))
        else:
            self._open()

    def _open(self) -> None:
        options = tuple(
            (option.name, self.chosen[option.name])
            for option in self._list_options()
            if self._get_value(option) != option.values[0]
        )
        setup = Setup(self.seats, self.start, options, self.level)
        names = tuple(self.names[: self.seats])
        open_asked(self.box, Header(self.game, names, setup, refereed=self.refereed))

    def _pick_game(self) -> None:
        """Go on to the next game, for as many players as before or the nearest number that it seats."""
        self.choose(_find_next(list(games()), self.game))
        self.seats = min(engines.game(self.game).seats, key=lambda count: abs(count - self._people))
        self.start %= self.seats

    def _pick_seats(self) -> None:
        self._people = self.seats = _find_next(engines.game(self.game).seats, self.seats)
        self.start %= self.seats

    def _pick_start(self) -> None:
        self.start = (self.start + 1) % self.seats

    def _pick_level(self) -> None:
        self.level = _find_next(engines.game(self.game).levels, self.level)

    def _pick_judge(self) -> None:
        self.refereed = not self.refereed

    def _pick_value(self, option: Option) -> None:
        self.chosen[option.name] = _find_next(option.values, self._get_value(option))

    def _rename(self, seat: int) -> None:
        def take(name: str) -> None:
            if name in self.names:  # two players swap seats
                self.names[self.names.index(name)] = self.names[seat]
            self.names[seat] = name

        self.box.push(make_player_menu(self.box, self.names[: self.seats], seat, take))


class YourTable(Menu):
    """The question at an event, before a match begins, whether this is the table of ``names``, in these
    seats: ``play`` after a yes, ``change`` after a no.
    """

    def __init__(
        self, box: Ui, names: Sequence[str], play: Callable[[], None], change: Callable[[], None]
    ) -> None:
        t = box.texts
        seats = t.by_commas(f"{seat.upper()} {name}" for seat, name in zip(SEATS, names, strict=False))
        items = [Item(t("round.yes"), leave(box, play)), Item(t("round.no"), leave(box, change))]
        super().__init__(box, _place(box), t("round.sit", names=seats), items)


def _place(box: Ui) -> str:
    """Return the event's name for this table, and the round if its desk has told it."""
    here = box.round
    if not (here and here.number):
        return here.table if here else ""
    return box.texts("round.here", table=here.table, round=here.number)


def _find_next(values: Sequence[T], now: T) -> T:
    """Return the value after this one, cyclically."""
    return values[(values.index(now) + 1) % len(values)]


def make_player_menu(box: Ui, seated: Sequence[str], seat: int, take: Callable[[str], None]) -> View:
    """List known players for a seat: first those without a seat, each by last use; then a new name."""
    known = [name for name in box.library.list_names() if name != seated[seat]]
    names = sorted(known, key=lambda name: name in seated)
    return Names(box, names, take) if names else NameEntry(box, take)


class Names(Menu):
    """Names to choose from, and a way to enter a new one."""

    takes_text = True

    def __init__(self, box: Ui, names: Sequence[str], take: Callable[[str], None]) -> None:
        """List ``names`` and a new one; ``take`` gets the name."""
        self._take = take
        items = [Item(name, partial(self._take_name, name)) for name in names]
        items.append(Item(box.texts("new.name"), show(box, NameEntry, self._take_name)))
        super().__init__(box, box.texts("home.new"), box.texts("new.who"), items)

    def _take_name(self, name: str) -> None:
        close(self.box, self)
        self._take(name)

    def type(self, text: str) -> None:
        """Take the name."""
        if name := fit_name(self.box, text):
            self._take_name(name)


def fit_name(box: Ui, text: str) -> str:
    """Remove unreadable signs from a typed name; return it, or "", with a message if it is too long."""
    name = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    if len(name) > NAME_LENGTH:
        box.play_refusal()
        box.toast(box.texts("new.too_long", most=NAME_LENGTH), urgent=True)
        return ""
    return name


class NameEntry(View):
    """A name, letter by letter; *done* is one detent behind the last, and Back removes the last. If a
    language has more letters than a wheel holds, people choose a row of them first.
    """

    takes_text = True

    def __init__(self, box: Ui, take: Callable[[str], None]) -> None:
        """Start with an empty name; ``take`` gets it when it is done."""
        super().__init__(box)
        self._take = take
        self._rows = box.texts("new.letters").split("|")
        self._row = self._rows[0] if len(self._rows) == 1 else ""
        self._index = 0
        self._done = len(self._wheel)

    @property
    def _wheel(self) -> list[str]:
        """The letters of a row, or else the first letter of each row."""
        return list(self._row) if self._row else [row[0] for row in self._rows]

    @property
    def _ends(self) -> bool:
        """True if *done* is on this wheel, the one that a name begins on."""
        return len(self._rows) == 1 or not self._row

    def page(self) -> Page:
        """Show the wheel of letters, with the name so far above it."""
        items = [sign.replace(" ", "␣") for sign in self._wheel]
        if self._ends:
            items.insert(self._done, self.box.texts("new.name_done"))
        return WheelPage(
            self.box.header(self.box.texts("new.name")), self.typed + "_", tuple(items), self._index
        )

    def turn(self, steps: int) -> None:
        """Go through the letters."""
        self._index = (self._index + steps) % (len(self._wheel) + self._ends)

    def ok(self) -> None:
        """Take the letter, or open the row; on "done", take the name."""
        if self._ends and self._index == self._done:
            if name := self.typed.strip():
                self._finish(name)
            return
        at = self._index - (self._ends and self._index > self._done)
        if not self._row:
            self._row, self._index, self._done = self._rows[at], 0, at + 1
            return
        if len(self.typed) < NAME_LENGTH:
            letter = self._row[at]
            self.typed += letter if not self.typed or self.typed[-1] == " " else letter.lower()
            self._index, self._done = (at, at + 1) if self._ends else (self._done, self._done)
        if len(self._rows) > 1:
            self._row = ""

    def type(self, text: str) -> None:
        """Take the whole name."""
        if name := fit_name(self.box, text):
            self._finish(name)

    def _finish(self, name: str) -> None:
        close(self.box, self)
        self._take(name)

    def back(self) -> None:
        """Leave a row, remove the last letter, or leave."""
        if not self._ends:
            self._row, self._index = "", self._done - 1
        else:
            super().back()
