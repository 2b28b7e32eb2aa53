"""What is not the match itself: the home screen, opening one, looking back, set-up, a disk that refuses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import engines
from device.box.ending import confirmed_line
from device.box.menus import score_table, steps_menu
from device.box.views import Act, Item, Menu, Reader, View
from device.journal_errors import JournalError, JournalFull, JournalReadOnly
from device.pages import ListPage, Page, WheelPage
from device.referee import Referee
from device.story import Header
from device.table import Past
from engines.contract import SEATS, Setup
from engines.errors import EngineError
from engines.rules import load

if TYPE_CHECKING:
    from device.box.core import Box

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -'"
NAME_LENGTH = 12
ROW = 18
"""Characters in a line of a long list: what is longer would lose its middle."""


class Home(Menu):
    """Where the box is when no match is on the screen."""

    def __init__(self, box: Box) -> None:
        """The list is made anew each time it is shown: it depends on the open match."""
        super().__init__(box, box.texts("home.title"), "", [Item("", lambda: None)])
        self.prompt = box.texts("home.prompt")

    def page(self) -> Page:
        """The list as things stand."""
        self._list()
        return super().page()

    def turn(self, steps: int) -> None:
        """Move the cursor, as things stand."""
        self._list()
        super().turn(steps)

    def ok(self) -> None:
        """Do what the line says, as things stand."""
        self._list()
        super().ok()

    def back(self) -> None:
        """There is nothing above home."""

    def _list(self) -> None:
        box, t = self.box, self.box.texts
        items = []
        referee = box.table.referee
        if referee and not referee.over:
            label = t("home.continue", name=" – ".join(referee.names))
            items.append(Item(label, lambda: box.play(referee)))
        items.append(Item(t("home.new"), lambda: box.push(NewMatch(box))))
        items.append(Item(t("home.past"), lambda: box.push(past_menu(box))))
        items.append(Item(t("home.setup"), lambda: box.push(setup_menu(box))))
        items.append(Item(t("home.power_off"), lambda: box.push(power_menu(box))))
        self.items = items
        self.index %= len(items)


class NewMatch(View):
    """A form with everything filled in: OK on the first line starts the match, on any other changes it."""

    def __init__(self, box: Box) -> None:
        """Begin with the names used last and everything else at its default."""
        super().__init__(box)
        self.index = 0
        self.names: list[str] = []
        self.chosen: dict[str, str] = {}
        self.refereed = False
        self.choose(next(iter(engines.GAMES)))

    def _lines(self) -> list[Item]:
        t = self.box.game_texts[self.game]
        game = engines.game(self.game)
        lines = [Item(t("new.start"), self._open)]
        if len(engines.GAMES) > 1:
            lines.append(Item(t("title"), self._next_game))
        for seat, name in enumerate(self.names):
            lines.append(Item(t("new.seat", letter=SEATS[seat].upper(), name=name), self._rename(seat)))
        lines.append(Item(t("new.first", name=self.names[self.start]), self._next_start))
        lines.append(Item(t(f"new.level.{self.level.value}"), self._next_level))
        for option in game.options:
            value = self.chosen.get(option.name, option.values[0])
            label = f"{t(f'option.{option.name}')}: {t(f'option_value.{value}')}"
            lines.append(Item(label, self._next_value(option.name, option.values)))
        if self.box.judge.is_set:
            lines.append(Item(t("new.judge" if self.refereed else "new.no_judge"), self._next_judge))
        return lines

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
        options = tuple((name, value) for name, value in self.chosen.items())
        setup = Setup(len(self.names), self.start, options, self.level)
        self.box.open(Header(self.game, tuple(self.names), setup, refereed=self.refereed))

    def _next_game(self) -> None:
        games = list(engines.GAMES)
        self.choose(games[(games.index(self.game) + 1) % len(games)])

    def choose(self, game_id: str) -> None:
        """Fill the form for a game: as many names as it seats, everything else at its default."""
        game = engines.game(game_id)
        known = self.box.table.players()
        self.game, self.chosen, self.start, self.level = game_id, {}, 0, game.levels[0]
        seats = range(game.seats[0])
        self.names = [known[seat] if seat < len(known) else _player(self.box, seat) for seat in seats]

    def _next_start(self) -> None:
        self.start = (self.start + 1) % len(self.names)

    def _next_level(self) -> None:
        levels = engines.game(self.game).levels
        self.level = levels[(levels.index(self.level) + 1) % len(levels)]

    def _next_judge(self) -> None:
        self.refereed = not self.refereed

    def _next_value(self, name: str, values: Sequence[str]) -> Act:
        def act() -> None:
            now = self.chosen.get(name, values[0])
            self.chosen[name] = values[(values.index(now) + 1) % len(values)]

        return act

    def _rename(self, seat: int) -> Act:
        def take(name: str) -> None:
            if name in self.names:  # players who swap seats
                self.names[self.names.index(name)] = self.names[seat]
            self.names[seat] = name

        return lambda: self.box.push(names_menu(self.box, take))


def _player(box: Box, seat: int) -> str:
    return box.texts("new.player", letter=SEATS[seat].upper())


def names_menu(box: Box, take: Callable[[str], None]) -> Menu:
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
    items += [Item(name, choose(name)) for name in box.table.players()]
    return Menu(box, box.texts("home.new"), box.texts("new.who"), items, min(1, len(items) - 1))


class NameEntry(View):
    """A name, letter by letter; Back takes the last letter away."""

    def __init__(self, box: Box, take: Callable[[str], None]) -> None:
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


def past_menu(box: Box) -> View:
    """The matches on the disk, the latest first."""
    past = box.table.past()
    if not past:
        return Reader(box, box.texts("home.past"), box.texts("past.none"))

    def look(one: Past) -> Act:
        return lambda: box.push(_past_match(box, one))

    items = [Item(f"{one.date[5:]} {one.players.replace('-', ' – ')}", look(one)) for one in past]
    return Menu(box, box.texts("home.past"), "", items)


def _past_match(box: Box, past: Past) -> View:
    try:
        story = box.table.look_at(past)
    except (JournalError, EngineError, ValueError) as error:
        return Reader(box, past.date, str(error))
    words = box.words_of(story)
    items = [
        Item(words("play.scores"), lambda: box.push(score_table(box, story, words))),
        Item(words("play.steps"), lambda: box.push(steps_menu(box, story, words))),
    ]
    if story.match.state.termination:
        said = confirmed_line(story, words)
        items.append(Item(words("ending.title"), lambda: box.push(Reader(box, words("ending.title"), said))))
    current = box.table.referee
    if not story.over and not (current and current.path == str(past.path)):
        items.append(Item(words("past.continue"), lambda: box.continue_match(past)))
    return Menu(box, past.date, " – ".join(story.names), items)


def setup_menu(box: Box) -> Menu:
    """The box's own affairs."""
    items = [Item(box.texts("setup.status"), lambda: box.push(box.status()))]
    for game in engines.GAMES:
        label = box.texts("setup.rules", game=box.game_texts[game]("title"))
        items.append(Item(label, _rules(box, game)))
    return Menu(box, box.texts("home.setup"), "", items)


def _rules(box: Box, game: str) -> Act:
    def read(clause: Any) -> Act:
        return lambda: box.push(Reader(box, clause.id, clause.text))

    def act() -> None:
        items = [Item(f"{clause.id} {clause.text}"[:ROW], read(clause)) for clause in load(game)]
        box.push(Menu(box, box.game_texts[game]("title"), "", items))

    return act


def status_text(box: Box, lines: Sequence[str]) -> str:
    """What is wrong since the start, then how each part is."""
    table = box.table
    parts = [*table.problems, *lines]
    if table.simulated:
        parts.insert(0, box.texts("setup.simulated"))
    return "\n".join(parts) or box.texts("setup.fine")


def power_menu(box: Box) -> Menu:
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


class Lost(Menu):
    """Entries that did not reach the disk: try again, or leave them out."""

    def __init__(self, box: Box, referee: Referee) -> None:
        """``referee.lost`` says what and why."""
        lost = referee.lost
        assert lost
        t = box.texts
        why = "lost.other"
        if isinstance(lost.why, JournalFull):
            why = "lost.full"
        elif isinstance(lost.why, JournalReadOnly):
            why = "lost.read_only"
        self.referee = referee
        drafts = [draft for group in lost.drafts for draft in group]
        texts = [draft.payload if draft.visibility == "public" else t("play.sealed") for draft in drafts]
        detail = "\n".join([t("lost.detail"), *texts, str(lost.why)])
        items = [
            Item(t("lost.retry"), self._retry),
            Item(t("lost.what"), lambda: box.push(Reader(box, t("lost.title"), detail))),
            Item(t("lost.drop"), self._drop),
        ]
        super().__init__(box, t("lost.title"), t(why), items)

    def back(self) -> None:
        """Nothing goes on before this is settled."""

    def _retry(self) -> None:
        self.box.pop()
        self.referee.retry()

    def _drop(self) -> None:
        self.box.pop()
        self.referee.forget_lost()
