"""The score: its tables, and its reasons, entry by entry."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from msgspec.structs import replace

from device.match import Line, Replay, made_of, numbered, scores
from device.menus.ui import Ui, View
from device.menus.views import FigureSheet, Item, Menu, TextReader, close, read, show
from engines.contract import Booking, totals
from engines.gains import Change
from engines.words import Words, headings

Row = Sequence[str]


def score_table(box: Ui, replay: Replay, words: Words) -> FigureSheet:
    """Show the breakdown of the whole match, totals first; for a match in parts then the sum of each part.

    At the end the places and the deciding tie-breaks come after the totals. If a game groups its categories,
    OK leads from the groups to all of them.
    """
    game, state = replay.game, replay.match.state
    rows, every = (_rows(replay, words, short=short) for short in (True, False))
    title, note = words("play.standing"), ""
    if state.termination:
        places = game.scoring.ranking(state)
        key = "play.won" if len(places[0].seats) == 1 else "play.shared"
        title = words(key, (), name=words.texts("list.plus").join(map(words.name, places[0].seats)))
        note = "\n".join(words.ranking(places))
    elif replay.abandoned:
        title = words("play.abandoned")
    all_ = partial(FigureSheet, box, words("play.categories"), replay.names, every)
    more = all_ if len(every) > len(rows) else None
    return FigureSheet(box, title, replay.names, rows, tuple(map(str, scores(replay))), note, more)


def _rows(replay: Replay, words: Words, *, short: bool) -> list[Row]:
    """Return figures by category or group, then by part, then the tracks beside the score."""
    game, state, seats = replay.game, replay.match.state, len(replay.names)
    bookings = game.scoring.bookings(state)
    counted = dict.fromkeys((*game.scoring.counted(state), *(booking.category for booking in bookings)))
    rows = _by_category(replay, words, bookings, counted, short=short)
    if parts := {booking.part for booking in bookings} - {0}:
        rows += [_of_part(words, bookings, part, seats) for part in range(min(parts), max(parts) + 1)]
    for tally in game.scoring.tallies(state):
        rows.append((words(f"tally.{tally.name}"), *map(str, tally.figures)))
    return rows


def _by_category(
    replay: Replay, words: Words, bookings: Sequence[Booking], counted: Iterable[str], *, short: bool = True
) -> list[Row]:
    """Return a row for each category, or for each group if it is ``short``."""
    rows: list[Row] = []
    for heading, categories in headings(replay.game, counted, short=short):
        booked = [booking for booking in bookings if booking.category in categories]
        rows.append((words(heading), *map(str, totals(booked, len(replay.names)))))
    return rows


def _of_part(words: Words, bookings: Sequence[Booking], part: int, seats: int) -> Row:
    """Return each seat's points in one part."""
    booked = [booking for booking in bookings if booking.part == part]
    return (words("part", n=part), *map(str, totals(booked, seats)))


class PartTable(FigureSheet):
    """The result of a deal, a phase or a round, shown at its end: the standing first, then its news.

    Turning goes through all of it and on to the match; OK leads there once the news has been in sight.
    """

    def __init__(self, box: Ui, replay: Replay, words: Words, part: int) -> None:
        """Show ``part``, the number in the bookings."""
        self._replay, self._at = replay, replay.match.points[-1]
        bookings = [one for one in replay.game.scoring.bookings(replay.match.state) if one.part == part]
        total = _of_part(words, bookings, part, len(replay.names))
        booked = {booking.category for booking in bookings}
        categories = [name for name in replay.game.scoring.CATEGORIES if name in booked]
        rows = [total, *_by_category(replay, words, bookings, categories)]
        super().__init__(box, total[0], replay.names, rows, tuple(map(str, scores(replay))))

    def turn(self, steps: int) -> None:
        """Turn pages, and on to the match."""
        here = self.at
        super().turn(steps)
        if steps > 0 and self.at == here:
            self.box.pop()

    def ok(self) -> None:
        """Go on to the match."""
        page = self.page()
        if self.at < self.box.pages(page) - self.box.pages(replace(page, note="")):
            self.at += 1
        else:
            self.box.pop()

    def changed(self) -> None:
        """Close once the match has moved on."""
        if self._replay.match.points[-1] is not self._at:
            close(self.box, self)


# The reasons of points


def why_menu(box: Ui, replay: Replay, words: Words) -> View:
    """Return the menu of players with their scores; each leads to the points and their reasons."""
    points = scores(replay)
    items = [
        Item(f"{name} {points[seat]}", show(box, _groups_menu, replay, words, seat))
        for seat, name in enumerate(replay.names)
    ]
    return Menu(box, words("why.head"), words("why.whose"), items)


def _groups_menu(box: Ui, replay: Replay, words: Words, seat: int) -> View:
    """Return the groups in which a seat's points changed, with the points booked there now; first all."""
    changed = made_of(replay, seat)
    if not changed:
        return TextReader(box, words.name(seat), words("why.nothing"))
    now: dict[str, int] = {}
    for _, one in changed:
        now[one.category] = now.get(one.category, 0) + one.points
    counted = dict.fromkeys((*replay.game.scoring.counted(replay.match.state), *now))

    def open_(categories: Sequence[str], *, short: bool) -> list[Item]:
        return [row(*each) for each in headings(replay.game, categories, short=short)]

    def row(heading: str, categories: Sequence[str]) -> Item:
        label = words(heading)
        text = f"{label} {sum(now[each] for each in categories)}"
        if len(categories) == 1:
            told = _told(replay, words, made_of(replay, seat, categories[0]))
            return Item(text, read(box, label, told))
        return Item(text, show(box, Menu, words("why.head"), text, open_(categories, short=False)))

    every = read(box, words.name(seat), _told(replay, words, changed))
    items = [Item(f"{words('why.all')} {sum(now.values())}", every)]
    items += open_([category for category in counted if category in now], short=True)
    return Menu(box, words("why.head"), words("why.which", name=words.name(seat)), items)


def _told(replay: Replay, words: Words, changed: Iterable[tuple[Line | None, Change]]) -> str:
    """Tell gains under the entries that brought them."""
    told: dict[str, list[str]] = {}
    for line, one in changed:
        head = numbered(replay, words, line) if line else words("why.start")
        told.setdefault(head, []).append(words.gain(one))
    return "\n".join(text for head, gains in told.items() for text in (head, *gains))
