"""The menu of a match (long Back): things to look at, entries, and actions beside playing.

Phones act for seats: a page shows the code for one, and a list ends pairings.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from msgspec.structs import replace

from device.match import (
    KEYS,
    Abandon,
    Line,
    Pause,
    Replay,
    find_gains,
    name_origin,
    tell_line,
    tell_odometer,
)
from device.menus import consent
from device.menus.care import make_status_page
from device.menus.copies import list_match_items
from device.menus.correcting import Correcting, make_lines_menu
from device.menus.rules import make_rules_menu
from device.menus.scores import make_score_table, make_why_menu
from device.menus.standstill import ClockPage
from device.menus.ui import Ui, View
from device.menus.undoing import ask_adjustment, ask_rollback, list_giving_items
from device.menus.views import (
    Item,
    LiveMenu,
    Menu,
    TextReader,
    ask,
    ask_sure,
    attempt,
    close,
    leave,
    read,
    show,
)
from device.screen import NoticePage, Page
from engines.words import Words


def make_match_menu(box: Ui, last: str = "") -> Menu:
    """Return the menu of a long Back during a match; its first line is the ``last`` news, in full."""
    words, replay = box.words, box.referee.replay
    items = [
        *([Item(last, read(box, words("play.told"), last))] if last else []),
        Item(words("play.scores"), show(box, make_score_table, replay, words)),
        Item(words("play.on_table"), show(box, make_table_page, replay, words)),
        Item(words("why.title"), show(box, make_why_menu, replay, words)),
        *list_odometer_items(box, replay, words),
        Item(words("rules.title"), show(box, make_rules_menu, words.game.id)),
        Item(words("play.steps"), show(box, make_steps_menu, replay, words)),
        Item(words("clock.title"), show(box, ClockPage)),
        Item(words("correct.title"), lambda: Correcting(box).choose()),
        Item(words("rollback.title"), partial(ask_rollback, box)),
        Item(words("adjust.title"), partial(ask_adjustment, box)),
        *list_giving_items(box),
        Item(
            words("standstill.pause"), leave(box, attempt, box, lambda: box.door.rule(Pause(), source=KEYS))
        ),
        *list_match_items(box, replay),
        *list_phone_items(box),
        Item(words("setup.status"), show(box, make_status_page)),
        Item(words("play.abandon"), partial(_abandon, box)),
        Item(words("home.home"), box.go_home),
    ]
    return LiveMenu(box, words("play.menu"), lambda: (box.tell_round(), items))


def _abandon(box: Ui) -> None:
    title = box.words("play.abandon")

    def act(_: str = "") -> None:
        box.door.rule(Abandon(), source=KEYS)
        box.go_home()

    refereed = box.referee.replay.header.refereed
    agreed = leave(box, consent.ask, box, title, act) if refereed else act
    box.push(ask_sure(box, title, box.words("play.sure"), title, agreed))


def make_table_page(box: Ui, replay: Replay, words: Words) -> TextReader:
    """Return what lies openly beside the boards: in front of each player, then in front of all."""
    zones = replay.game.telling.zones(replay.match.state)
    lines: list[str] = []
    for seat in (*range(len(replay.names)), None):
        if ours := [zone for zone in zones if zone.seat == seat]:
            lines += [f"{words.name(seat)}:", *words.lies(ours)]
    return TextReader(box, words("play.on_table"), "\n".join(lines) or words("play.no_zones"))


def list_odometer_items(box: Ui, replay: Replay, words: Words) -> list[Item]:
    """Return the item of the tower's work, in a game with a tower."""

    if not tell_odometer([replay.match]):
        return []
    title = words("odometer.title")

    def make_page(box: Ui) -> TextReader:
        return TextReader(box, title, "\n".join(words.labels(tell_odometer([replay.match]))))

    return [Item(title, show(box, make_page))]


def make_steps_menu(box: Ui, replay: Replay, words: Words) -> View:
    """List the entries that count, the latest first; OK on one tells all about it."""

    def tell(line: Line) -> None:
        ask(box, make_line_menu(box, replay, words, line))

    return make_lines_menu(box, replay, words, words("play.steps"), tell, every=True)


def make_line_menu(box: Ui, replay: Replay, words: Words, line: Line) -> View:
    """Tell all about one entry; in the open match also offer the ways to put it right."""
    record = line.record
    moment, origin = box.write_time(record.utc_ms // 1000), name_origin(words, record.channel)
    about = [tell_line(replay, words, line), moment, origin]
    if line.ruled:
        about.append(words("play.corrected", number=line.ruled))
    about += [words("play.simulated")] * record.simulated
    about += [words.gain(one) for one in find_gains(replay, line)]
    reader = TextReader(box, words("correct.number", number=record.seq), "\n".join(about))
    referee = box.library.referee
    if referee is None or referee.replay is not replay or not line.play:
        return reader
    items = [
        Item(words("correct.this"), lambda: Correcting(box).correct(line)),
        Item(words("rollback.this"), partial(ask_rollback, box, line)),
        Item(words("play.about"), partial(box.push, reader)),
    ]
    return Menu(box, reader.title, about[0], items)


class CodePage(View):
    """The code for a phone that asks for a seat, until it is typed there or expires.

    Only people at the display see it; viewers elsewhere see its cover. OK takes it away.
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
        """Return the time until the code is checked again."""
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


def list_phone_items(box: Ui) -> list[Item]:
    """Return the item of the match's phones; none if no phone is paired."""
    box.pairings.follow(Path(box.referee.path).name)
    title = box.texts("pair.phones")
    return [Item(title, show(box, _make_phones_menu, box.referee.replay))] if box.pairings.phones else []


def _make_phones_menu(box: Ui, replay: Replay) -> Menu:
    """Return the phones with the players that each acts for; OK on one asks whether to end it."""
    items = []
    for phone in box.pairings.phones:
        names = box.texts.by_commas(replay.names[seat] for seat in phone.seats if seat < len(replay.names))
        called = box.texts("pair.phone", n=phone.name.rpartition("-")[2])
        items.append(Item(f"{called}: {names}", show(box, _make_end_menu, phone.name, called)))
    return Menu(box, box.texts("pair.phones"), "", items)


def _make_end_menu(box: Ui, name: str, called: str) -> Menu:
    def end() -> None:
        box.pairings.end(name)
        close(box, *box.stack[-2:])
        box.toast(box.texts("pair.ended", phone=called))

    return ask_sure(box, called, box.texts("play.sure"), box.texts("pair.end"), end)
