"""Outside the match: the home screen, past matches, set-up, switching off."""

from __future__ import annotations

from collections.abc import Sequence

from device.match import Damaged, JournalError, MatchResult, PastMatch, heading
from device.menus.care import care_items
from device.menus.ending import confirmed_line, confirming
from device.menus.facts import match_items, setup_items
from device.menus.language import language_menu
from device.menus.match_menu import odometer_items, score_table, steps_menu
from device.menus.new_match import new_match
from device.menus.phones import Address
from device.menus.rules import rules_menu
from device.menus.stick import stick_menu
from device.menus.teaching import teaching_menu
from device.menus.ui import Host, View
from device.menus.views import Act, Item, Menu, TextReader
from device.menus.why import why_menu
from device.screen import Page
from device.texts import reason
from engines.errors import EngineError
from engines.plugged import games
from engines.words import score_line

ROOM = 72
"""Characters of a line of a list that takes the whole screen, some words beside."""


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
            title = _title(box, referee.replay.header.game)
            label = t("home.continue", game=title, name=" – ".join(referee.replay.names))
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
    return PastMatches(box, past) if past else TextReader(box, box.texts("home.past"), box.texts("past.none"))


class PastMatches(Menu):
    """Matches by when they began, their game and players; once read how each ended, the winners first."""

    def __init__(self, box: Host, past: Sequence[PastMatch]) -> None:
        """Reading them may take a while, and is done aside."""
        self._host, self._past = box, past
        items = [Item(self._known(one), self._look(one)) for one in past]
        super().__init__(box, box.texts("home.past"), "", items)
        box.aside(lambda: box.archive.results(past), self._read)

    def _look(self, one: PastMatch) -> Act:
        return lambda: self.box.push(_past_match(self._host, one))

    def _known(self, one: PastMatch) -> str:
        """Who played, as the match's first line has it, else the file's name."""
        names = [text for field, text in heading(one.path).items() if field.startswith("seat.")]
        return f"{self._begun(one)} {self._host.texts.row(names) or one.players.replace('-', ' ').title()}"

    def _begun(self, one: PastMatch) -> str:
        return f"{self._host.evening(one.began)} {_title(self._host, one.game)}"

    def _read(self, results: object) -> None:
        assert isinstance(results, list)
        self.items = [
            Item(self._told(one, result), item.act)
            for one, result, item in zip(self._past, results, self.items, strict=True)
        ]
        self.box.on_page()

    def _told(self, one: PastMatch, result: MatchResult | Damaged) -> str:
        if isinstance(result, Damaged):
            return self._known(one)
        seats = sorted(range(len(result.names)), key=lambda seat: seat not in result.winners)
        names, points = [result.names[seat] for seat in seats], [result.points[seat] for seat in seats]
        named = self._host.texts.row(f"{name} {figure}" for name, figure in zip(names, points, strict=True))
        label = f"{self._begun(one)} {named}"
        if len(label) > ROOM:
            label = f"{self._begun(one)} {score_line(names, points)}"
        if len(label) > ROOM:
            label = f"{self._begun(one)} {':'.join(map(str, result.points))}"
        if result.over:
            return label
        return self.box.texts("past.abandoned" if result.abandoned else "past.open", match=label)


def _title(box: Host, game: str) -> str:
    return box.game_texts[game]("title") if game in box.game_texts else game


def _past_match(box: Host, past: PastMatch) -> View:
    try:
        replay = box.library.look_at(past)
    except (JournalError, EngineError, ValueError) as error:
        return TextReader(box, box.evening(past.began), reason(error, box.texts))
    words = box.words_of(replay)
    items = [
        Item(words("play.scores"), lambda: box.push(score_table(box, replay, words))),
        Item(words("why.title"), lambda: box.push(why_menu(box, replay, words))),
        *odometer_items(box, replay, words),
        Item(words("play.steps"), lambda: box.push(steps_menu(box, replay, words))),
        *match_items(box, replay),
    ]
    current = box.library.referee
    here = current is not None and current.path == str(past.path)
    if replay.match.state.termination:
        items.append(Item(confirmed_line(replay, words), lambda: _confirm(box, past), _busy(box, here)))
    elif not replay.over and not here:
        items.append(Item(words("past.continue"), lambda: box.continue_match(past)))
    menu = Menu(box, box.evening(past.began), f"{words('title')}: {' – '.join(replay.names)}", items)
    menu.sample = replay.header.sample
    return menu


def _busy(box: Host, here: bool) -> str:
    """Why another match's score cannot be confirmed now; empty where it can."""
    current = box.library.referee
    return box.texts("past.busy") if current and not current.replay.over and not here else ""


def _confirm(box: Host, past: PastMatch) -> None:
    """Open the match at its end, and ask whether that is the score."""
    box.continue_match(past)
    referee = box.library.referee
    if referee and referee.path == str(past.path):
        confirming(box, referee, box.words_of(referee.replay))


def setup_menu(box: Host) -> Menu:
    """The box's own affairs."""
    items = [Item(box.texts("setup.status"), lambda: box.push(box.status()))]
    if box.address:
        items.append(Item(box.texts("setup.address"), lambda: box.push(Address(box, box.address))))
    for game in games():
        label = box.texts("setup.rules", game=box.game_texts[game]("title"))
        items.append(Item(label, _rules(box, game)))
    items += setup_items(box)
    if stick := box.stick:
        items.append(Item(box.texts("stick.title"), lambda: box.push(stick_menu(box, stick))))
    items.append(Item(box.voices.title, lambda: box.push(language_menu(box))))
    items += care_items(box)
    items.append(Item(box.texts("teach.title"), lambda: box.push(teaching_menu(box))))
    return Menu(box, box.texts("home.setup"), "", items)


def _rules(box: Host, game: str) -> Act:
    return lambda: box.push(rules_menu(box, game))


def status_text(box: Host, lines: Sequence[str]) -> str:
    """Return what has gone wrong since the start, then the state of each part."""
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
