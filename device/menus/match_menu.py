"""The menu of a match (long Back): scores, entries, and what can be done beside playing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from msgspec.structs import replace

from device.match import (
    KEYS,
    Abandon,
    Line,
    Pause,
    Referee,
    Replay,
    gained,
    has_odometer,
    numbered,
    odometer,
    scores,
    told,
)
from device.menus import consent
from device.menus.adjustment import adjusting, giving_items
from device.menus.correcting import Correcting
from device.menus.facts import match_items
from device.menus.phones import phone_items
from device.menus.rules import rules_menu
from device.menus.ui import Host, View
from device.menus.undoing import rolling_back
from device.menus.views import FigureSheet, Item, Menu, TextReader, ask, close
from device.menus.why import why_menu
from device.texts import reason
from engines.contract import Booking, totals
from engines.errors import EngineError
from engines.words import Words, headings


def match_menu(box: Host, referee: Referee, words: Words) -> Menu:
    """Return the menu of a long Back during a match; its first line is what was told last, whole."""
    told = box.told_last
    again = [Item(told, lambda: box.push(TextReader(box, words("play.told"), told)))] if told else []
    items = [
        *again,
        Item(words("play.scores"), lambda: box.push(score_table(box, referee.replay, words))),
        Item(words("play.on_table"), lambda: box.push(on_table(box, referee.replay, words))),
        Item(words("why.title"), lambda: box.push(why_menu(box, referee.replay, words))),
        *odometer_items(box, referee.replay, words),
        Item(words("rules.title"), lambda: box.push(rules_menu(box, words.game.id))),
        Item(words("play.steps"), lambda: box.push(steps_menu(box, referee.replay, words))),
        Item(words("clock.title"), lambda: box.push(box.clock_page(referee, words))),
        Item(words("correct.title"), lambda: Correcting(box, referee, words).choose()),
        Item(words("rollback.title"), lambda: rolling_back(box, referee, words)),
        Item(words("adjust.title"), lambda: adjusting(box, referee, words)),
        *giving_items(box, referee, words),
        Item(words("standstill.pause"), lambda: _pause(box, referee)),
        *match_items(box, referee.replay),
        *phone_items(box, referee),
        Item(words("setup.status"), lambda: box.push(box.status())),
        Item(words("play.abandon"), lambda: _abandon(box, referee, words)),
        Item(words("home.home"), box.home),
    ]
    return Menu(box, words("play.menu"), "", items)


def _pause(box: Host, referee: Referee) -> None:
    box.pop()
    try:
        box.desk.rule(Pause(), source=KEYS)
    except EngineError as error:
        box.toast(reason(error, box.texts), urgent=True)


def _abandon(box: Host, referee: Referee, words: Words) -> None:
    def act() -> None:
        box.desk.rule(Abandon(), source=KEYS)
        box.home()

    def agreed() -> None:
        box.pop()
        consent.ask(box, referee, words, words("play.abandon"), lambda _: act())

    yes = agreed if referee.replay.header.refereed else act
    items = [Item(words("undo.keep"), box.pop), Item(words("play.abandon"), yes)]
    box.push(Menu(box, words("play.abandon"), words("play.sure"), items))


def score_table(box: Host, replay: Replay, words: Words) -> FigureSheet:
    """The breakdown of the whole match, totals first; of a match in parts then each part's sum.

    At the end the places, and what decided between level ones, are read after the totals. Where a game groups
    its categories OK leads from the groups to all of them.
    """
    game, state = replay.game, replay.match.state
    rows = _rows(replay, words)
    grouped = len(_rows(replay, words, short=False)) > len(rows)
    title, note = words("play.standing"), ""
    if state.termination:
        places = game.scoring.ranking(state)
        key = "play.won" if len(places[0].seats) == 1 else "play.shared"
        title = words(key, (), name=words.texts("list.plus").join(map(words.name, places[0].seats)))
        note = "\n".join(words.ranking(places))
    elif replay.abandoned:
        title = words("play.abandoned")
    more = partial(_all_categories, box, replay, words) if grouped else None
    return FigureSheet(box, title, replay.names, rows, tuple(map(str, scores(replay))), note, more)


def _all_categories(box: Host, replay: Replay, words: Words) -> FigureSheet:
    return FigureSheet(box, words("play.categories"), replay.names, _rows(replay, words, short=False))


def _rows(replay: Replay, words: Words, *, short: bool = True) -> list[Sequence[str]]:
    """Figures by category or group, then by part, then what the table counts."""
    game, state, seats = replay.game, replay.match.state, len(replay.names)
    bookings = game.scoring.bookings(state)
    counted = dict.fromkeys((*game.scoring.counted(state), *(booking.category for booking in bookings)))
    rows = _by_category(replay, words, bookings, counted, short=short)
    if parts := {booking.part for booking in bookings} - {0}:
        every = range(min(parts), max(parts) + 1)
        rows += [(words("part", n=part), *_sums(bookings, part, seats)) for part in every]
    for tally in game.scoring.tallies(state):
        rows.append((words(f"tally.{tally.name}"), *map(str, tally.figures)))
    return rows


def _by_category(
    replay: Replay, words: Words, bookings: Sequence[Booking], counted: Iterable[str], *, short: bool = True
) -> list[Sequence[str]]:
    """A row a category, or a group of them where it is ``short``."""
    rows: list[Sequence[str]] = []
    for heading, categories in headings(replay.game, counted, short=short):
        booked = [booking for booking in bookings if booking.category in categories]
        rows.append((words(heading), *map(str, totals(booked, len(replay.names)))))
    return rows


def on_table(box: Host, replay: Replay, words: Words) -> TextReader:
    """Return what lies openly beside the boards: before each player, then before all."""
    zones = replay.game.telling.zones(replay.match.state)
    lines: list[str] = []
    for seat in (*range(len(replay.names)), None):
        if ours := [zone for zone in zones if zone.seat == seat]:
            lines += [f"{words.name(seat)}:", *words.lies(ours)]
    return TextReader(box, words("play.on_table"), "\n".join(lines) or words("play.no_zones"))


def odometer_items(box: Host, replay: Replay, words: Words) -> list[Item]:
    """Return the items of what the tower did, in a game with one."""

    def show() -> None:
        text = "\n".join(words.told(odometer([replay.match])))
        box.push(TextReader(box, words("odometer.title"), text))

    return [Item(words("odometer.title"), show)] if has_odometer(replay.game) else []


class PartTable(FigureSheet):
    """What a deal, a phase or a round brought, shown once it is over: the standing first, then its news.

    Turning goes through all of it and on to the match; OK leads there once the news were in sight.
    """

    def __init__(self, box: Host, replay: Replay, words: Words, part: int) -> None:
        """``part`` is the number that the bookings have."""
        self._replay, self._at = replay, replay.match.points[-1]
        bookings = [one for one in replay.game.scoring.bookings(replay.match.state) if one.part == part]
        title, seats = words("part", n=part), len(replay.names)
        rows: list[Sequence[str]] = [(title, *_sums(bookings, part, seats))]
        booked = {booking.category for booking in bookings}
        categories = [name for name in replay.game.scoring.CATEGORIES if name in booked]
        rows += _by_category(replay, words, bookings, categories)
        super().__init__(box, title, replay.names, rows, tuple(map(str, scores(replay))))

    def turn(self, steps: int) -> None:
        """Turn pages, and on to the match."""
        here = self.at
        super().turn(steps)
        if steps > 0 and self.at == here:
            self.box.pop()

    def ok(self) -> None:
        """On to the match."""
        page = self.page()
        if self.at < self.box.pages(page) - self.box.pages(replace(page, note="")):
            self.at += 1
        else:
            self.box.pop()

    def changed(self) -> None:
        """Close once the match has moved on."""
        if self._replay.match.points[-1] is not self._at:
            close(self.box, self)


def _sums(bookings: Sequence[Booking], part: int, seats: int) -> list[str]:
    """Each seat's points in one part."""
    return [str(sum(b.points for b in bookings if (b.part, b.seat) == (part, seat))) for seat in range(seats)]


def steps_menu(box: Host, replay: Replay, words: Words) -> View:
    """The entries that count, the latest first; OK on one tells all about it."""
    if not replay.history:
        return TextReader(box, words("play.steps"), words("play.no_steps"))

    # Keep the line, not its place: an undo elsewhere may shorten the history under the list.
    def tell(line: Line) -> Callable[[], None]:
        return lambda: ask(box, line_menu(box, replay, words, line))

    items = [Item(numbered(replay, words, line), tell(line)) for line in reversed(replay.history)]
    return Menu(box, words("play.steps"), "", items)


def line_menu(box: Host, replay: Replay, words: Words, line: Line) -> View:
    """All about one entry; in the open match also the ways to put it right."""
    record = line.record
    about = [told(replay, words, line), box.time(record.utc_ms // 1000), record.channel]
    if line.ruled:
        about.append(words("play.corrected", number=line.ruled))
    about += [words("play.simulated")] * record.simulated
    about += [words.gain(one) for one in gained(replay, line)]
    reader = TextReader(box, f"{words('play.record')} {record.seq}", "\n".join(about))
    referee: Referee | None = box.library.referee
    if referee is None or referee.replay is not replay or not line.play:
        return reader
    items = [
        Item(words("correct.this"), lambda: Correcting(box, referee, words).entry(line)),
        Item(words("rollback.this"), lambda: rolling_back(box, referee, words, line)),
        Item(words("play.about"), lambda: box.push(reader)),
    ]
    return Menu(box, reader.title, about[0], items)
