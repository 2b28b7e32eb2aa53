"""The pages outside the match: home, past matches, set-up, switching off."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial

from device.match import Damaged, JournalError, MatchResult, PastMatch, read_heading, tell_unread
from device.menus.care import list_care_items, make_status_page, make_stick_menu
from device.menus.copies import list_match_items, list_setup_items, make_teaching_menu
from device.menus.match_menu import list_odometer_items, make_steps_menu
from device.menus.new_match import resume_form
from device.menus.rules import make_rules_menu
from device.menus.scores import ask_confirmations, make_score_table, make_why_menu, tell_confirmation
from device.menus.ui import Ui, View
from device.menus.views import CodeSheet, Item, LiveMenu, Menu, TextReader, ask_sure, show
from device.texts import in_words, reason
from engines.errors import EngineError
from engines.plugged import games
from engines.texts import breadth
from engines.words import score_line

log = logging.getLogger(__name__)

LIST_ROOM = 72
"""The characters of a line of a list on the whole screen, less some for further words."""


class Home(LiveMenu):
    """The home screen; its first line is the open match."""

    def __init__(self, box: Ui) -> None:
        """Show the lines of home; nothing stands below it."""
        super().__init__(box, box.texts("home.title"), self._list_lines)

    def back(self) -> None:
        """Do nothing: there is nothing above home."""

    def _list_lines(self) -> tuple[str, list[Item]]:
        box, t, referee = self.box, self.box.texts, self.box.library.referee
        items = []
        if referee and not referee.replay.over:
            title = _name_game(box, referee.replay.header.game)
            label = t("home.continue", game=title, name=" – ".join(referee.replay.names))
            items.append(Item(label, partial(box.play, referee)))
        items += [
            Item(t("home.new"), show(box, resume_form)),
            Item(t("home.past"), show(box, make_past_menu)),
            Item(t("home.setup"), show(box, make_setup_menu)),
            Item(t("home.power_off"), show(box, make_power_menu)),
        ]
        return box.tell_round() or t("home.prompt"), items


def make_past_menu(box: Ui) -> View:
    """List the matches on the disk, the latest first."""
    past = box.library.list_past()
    return PastMatches(box, past) if past else TextReader(box, box.texts("home.past"), box.texts("past.none"))


class PastMatches(Menu):
    """Matches by start, game and players; once a match is read, its winners stand first."""

    def __init__(self, box: Ui, past: Sequence[PastMatch]) -> None:
        """List the matches; read them aside, which may take a while."""
        self.box, self._past = box, past
        items = [Item(self._name_match(one), show(box, _make_past_match, one)) for one in past]
        super().__init__(box, box.texts("home.past"), "", items)
        box.aside(lambda: box.door.archive.list_results(past), self._read)

    def _name_match(self, one: PastMatch) -> str:
        """Name the players from the match's first line, otherwise from the file's name."""
        names = [text for field, text in read_heading(one.path).items() if field.startswith("seat.")]
        players = self.box.texts.by_commas(names) or one.players.replace("-", " ").title()
        return f"{self._tell_start(one)} {players}"

    def _tell_start(self, one: PastMatch) -> str:
        return f"{self.box.write_moment(one.began)} {_name_game(self.box, one.game)}"

    def _read(self, results: object) -> None:
        assert isinstance(results, list)
        self.items = [
            Item(self._tell_match(one, result), item.act)
            for one, result, item in zip(self._past, results, self.items, strict=True)
        ]
        self.box.on_page()

    def _tell_match(self, one: PastMatch, result: MatchResult | Damaged) -> str:
        if isinstance(result, Damaged):
            return self._name_match(one)
        seats = sorted(range(len(result.names)), key=lambda seat: seat not in result.winners)
        names, points = [result.names[seat] for seat in seats], [result.points[seat] for seat in seats]
        named = self.box.texts.by_commas(
            f"{name} {figure}" for name, figure in zip(names, points, strict=True)
        )
        short = (named, score_line(names, points), ":".join(map(str, result.points)))
        labels = [f"{self._tell_start(one)} {text}" for text in short]
        label = next((text for text in labels if breadth(text) <= LIST_ROOM), labels[-1])
        if result.over:
            return label
        return self.box.texts("past.abandoned" if result.abandoned else "past.open", match=label)


def _name_game(box: Ui, game: str) -> str:
    return box.game_texts[game]("title") if game in box.game_texts else game


def _make_past_match(box: Ui, past: PastMatch) -> View:
    try:
        replay = box.library.look_at(past)
    except (JournalError, EngineError, ValueError) as error:
        log.error("%s: %s", past.path.name, error)
        return TextReader(box, box.write_moment(past.began), in_words(tell_unread(error), box.texts))
    words = box.words_of(replay)
    items = [
        Item(words("play.scores"), show(box, make_score_table, replay, words)),
        Item(words("why.title"), show(box, make_why_menu, replay, words)),
        *list_odometer_items(box, replay, words),
        Item(words("play.steps"), show(box, make_steps_menu, replay, words)),
        *list_match_items(box, replay),
    ]
    current, here = box.library.referee, box.library.find_open(past)
    if replay.match.state.termination:
        busy = words("past.busy") if current and not here and not current.replay.over else ""
        items.append(Item(tell_confirmation(replay, words), partial(_confirm, box, past), busy))
    elif not replay.over and not here:
        items.append(Item(words("past.continue"), partial(box.continue_match, past)))
    menu = Menu(box, box.write_moment(past.began), f"{words('title')}: {' – '.join(replay.names)}", items)
    menu.sample = replay.header.sample
    return menu


def _confirm(box: Ui, past: PastMatch) -> None:
    """Open the match at its end, and ask whether that is the score."""
    box.continue_match(past)
    if box.library.find_open(past):
        ask_confirmations(box)


def make_setup_menu(box: Ui) -> Menu:
    """List the box's own affairs."""
    t = box.texts
    items = [Item(t("setup.status"), show(box, make_status_page))]
    if box.address:  # the address alone lets nobody act
        items.append(Item(t("setup.address"), show(box, CodeSheet, t("setup.address"), box.address)))
    for game in games():
        label = t("setup.rules", game=box.game_texts[game]("title"))
        items.append(Item(label, show(box, make_rules_menu, game)))
    items += list_setup_items(box)
    if stick := box.stick:
        items.append(Item(t("stick.title"), show(box, make_stick_menu, stick)))
    items.append(Item(box.voices.title, show(box, make_language_menu)))
    items += list_care_items(box)
    items.append(Item(t("teach.title"), show(box, make_teaching_menu)))
    return Menu(box, t("home.setup"), "", items)


def make_language_menu(box: Ui) -> Menu:
    """List the languages by their own names; OK changes everything at once."""
    voices = box.voices
    items = [Item(name, partial(_speak, box, code)) for code, name in voices.languages.items()]
    at = list(voices.languages).index(voices.box.language)
    return Menu(box, box.texts("language.title"), "", items, at)


def _speak(box: Ui, code: str) -> None:
    why = ""
    try:
        box.voices.speak(code)
    except OSError as error:
        log.error("language: %s", error)
        why = reason(error, box.texts)
    box.renew_pages()
    if why:
        box.toast(box.texts("facts.not_saved", why=why), urgent=True)


def make_power_menu(box: Ui) -> Menu:
    """Ask before switching off."""

    def act() -> None:
        box.pop()
        power = box.power or (lambda: box.texts("setup.no_power"))
        box.aside(power, lambda said: box.toast(str(said), urgent=True))

    title = box.texts("home.power_off")
    return ask_sure(box, title, box.texts("play.sure"), title, act)
