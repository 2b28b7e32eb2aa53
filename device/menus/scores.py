"""The score: its tables; its reasons, entry by entry; the final one, which each seat confirms or disputes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from msgspec.structs import replace

from device.match import (
    KEYS,
    Agree,
    Dispute,
    Line,
    Replay,
    find_changes,
    list_scores,
    tell_numbered,
    write_phrase,
)
from device.menus.ui import Ui, View
from device.menus.views import (
    CodeSheet,
    FigureSheet,
    Item,
    LiveMenu,
    Menu,
    TextReader,
    attempt,
    close,
    read,
    show,
)
from device.screen import ListPage, Page, WheelPage
from engines.contract import Booking, totals
from engines.match import Change
from engines.texts import breadth
from engines.words import Words, headings, score_line

Row = Sequence[str]


def make_score_table(box: Ui, replay: Replay, words: Words) -> FigureSheet:
    """Show the breakdown of the whole match, totals first; for a match in parts then the sum of each part.

    At the end the places and the deciding tie-breaks come after the totals. If a game groups its categories,
    OK leads from the groups to all of them.
    """
    game, state = replay.game, replay.match.state
    rows, every = (_list_rows(replay, words, short=short) for short in (True, False))
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
    return FigureSheet(box, title, replay.names, rows, tuple(map(str, list_scores(replay))), note, more)


def _list_rows(replay: Replay, words: Words, *, short: bool) -> list[Row]:
    """Return figures by category or group, then by part, then the tracks beside the score."""
    game, state, seats = replay.game, replay.match.state, len(replay.names)
    bookings = game.scoring.bookings(state)
    counted = dict.fromkeys((*game.scoring.counted(state), *(booking.category for booking in bookings)))
    rows = _list_rows_by_category(replay, words, bookings, counted, short=short)
    if parts := {booking.part for booking in bookings} - {0}:
        rows += [_make_row(words, bookings, part, seats) for part in range(min(parts), max(parts) + 1)]
    for tally in game.scoring.tallies(state):
        rows.append((words(f"tally.{tally.name}"), *map(str, tally.figures)))
    return rows


def _list_rows_by_category(
    replay: Replay, words: Words, bookings: Sequence[Booking], counted: Iterable[str], *, short: bool = True
) -> list[Row]:
    """Return a row for each category, or for each group if it is ``short``."""
    rows: list[Row] = []
    for heading, categories in headings(replay.game, counted, short=short):
        booked = [booking for booking in bookings if booking.category in categories]
        rows.append((words(heading), *map(str, totals(booked, len(replay.names)))))
    return rows


def _make_row(words: Words, bookings: Sequence[Booking], part: int, seats: int) -> Row:
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
        total = _make_row(words, bookings, part, len(replay.names))
        booked = {booking.category for booking in bookings}
        categories = [name for name in replay.game.scoring.CATEGORIES if name in booked]
        rows = [total, *_list_rows_by_category(replay, words, bookings, categories)]
        super().__init__(box, total[0], replay.names, rows, tuple(map(str, list_scores(replay))))

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

    def follow(self) -> None:
        """Close once the match has moved on."""
        if self._replay.match.points[-1] is not self._at:
            close(self.box, self)


# The reasons of points


def make_why_menu(box: Ui, replay: Replay, words: Words) -> View:
    """Return the menu of players with their scores; each leads to the points and their reasons."""
    points = list_scores(replay)
    items = [
        Item(f"{name} {points[seat]}", show(box, _make_groups_menu, replay, words, seat))
        for seat, name in enumerate(replay.names)
    ]
    return Menu(box, words("why.head"), words("why.whose"), items)


def _make_groups_menu(box: Ui, replay: Replay, words: Words, seat: int) -> View:
    """Return the groups in which a seat's points changed, with the points booked there now; first all."""
    changed = find_changes(replay, seat)
    if not changed:
        return TextReader(box, words.name(seat), words("why.nothing"))
    now: dict[str, int] = {}
    for _, one in changed:
        now[one.category] = now.get(one.category, 0) + one.points
    counted = dict.fromkeys((*replay.game.scoring.counted(replay.match.state), *now))

    def list_rows(categories: Sequence[str], *, short: bool) -> list[Item]:
        return [make_row(*each) for each in headings(replay.game, categories, short=short)]

    def make_row(heading: str, categories: Sequence[str]) -> Item:
        label = words(heading)
        text = f"{label} {sum(now[each] for each in categories)}"
        if len(categories) == 1:
            told = _tell_gains(replay, words, find_changes(replay, seat, categories[0]))
            return Item(text, read(box, label, told))
        return Item(text, show(box, Menu, words("why.head"), text, list_rows(categories, short=False)))

    every = read(box, words.name(seat), _tell_gains(replay, words, changed))
    items = [Item(f"{words('why.all')} {sum(now.values())}", every)]
    items += list_rows([category for category in counted if category in now], short=True)
    return Menu(box, words("why.head"), words("why.which", name=words.name(seat)), items)


def _tell_gains(replay: Replay, words: Words, changed: Iterable[tuple[Line | None, Change]]) -> str:
    """Tell gains under the entries that brought them."""
    told: dict[str, list[str]] = {}
    for line, one in changed:
        head = tell_numbered(replay, words, line) if line else words("why.start")
        told.setdefault(head, []).append(words.gain(one))
    return "\n".join(text for head, gains in told.items() for text in (head, *gains))


# The final score: each seat, asked by name, may confirm it or claim another

HIGHEST = 9999
"""The highest figure that can be claimed; the lowest is its negative."""

PROMPT_ROOM = 32
"""The characters for names and points in a prompt of two lines."""

LIST_ROOM = 84
"""The characters of a line of a list that takes the whole screen."""

AROUND = 5
"""The figures listed on each side of the one under the cursor."""


def list_open_seats(replay: Replay) -> list[int]:
    """Return the seats that have neither confirmed nor disputed the final score yet."""
    said = {view.seat for view in replay.affairs.views}
    return [seat for seat in range(len(replay.names)) if seat not in said]


def _tell_view(words: Words, view: Agree | Dispute) -> str:
    name = words.name(view.seat)
    if isinstance(view, Agree):
        return words("ending.agrees", name=name)
    return words("ending.counts", name=name, points=_write_points(words, view.points))


def _write_points(words: Words, points: Sequence[int]) -> str:
    """Write everybody's points in two lines: by name if there is room, else in the order of the seats."""
    named = score_line(words.names, points)
    return named if breadth(named) <= PROMPT_ROOM else ":".join(map(str, points))


def tell_confirmation(replay: Replay, words: Words) -> str:
    """Tell the final score's state: confirmed, or disputed by whom and how; and the seats yet to answer."""
    left = list_open_seats(replay)
    disputes = [view for view in replay.affairs.views if isinstance(view, Dispute)]
    said = words.texts.by_commas(_tell_view(words, view) for view in disputes)
    parts = [words("ending.disputed", said=said)] * bool(disputes)
    parts += [words("ending.open", names=words.texts.by_commas(map(words.name, left)))] * bool(left)
    if breadth(" ".join(parts)) > LIST_ROOM and disputes:  # the question to each seat shows its own count
        parts[0] = words(
            "ending.disputed_by", names=words.texts.by_commas(words.name(view.seat) for view in disputes)
        )
    return " ".join(parts) or words("ending.confirmed")


def ask_confirmations(box: Ui) -> None:
    """Ask the seats that have not answered yet; if all have, show their answers."""
    box.push((ConfirmingScore if list_open_seats(box.referee.replay) else ScoreAnswers)(box))


class TheEnd(LiveMenu):
    """The menu after the end: first the score's confirmation, then ``others``."""

    def __init__(self, box: Ui, others: Sequence[Item]) -> None:
        self.box, self._others = box, others
        super().__init__(box, box.words("play.over"), self._list_lines)

    def _list_lines(self) -> tuple[str, list[Item]]:
        """List the seats yet to confirm, the phrase to note if the box signs, and the other actions."""
        box, words, replay = self.box, self.box.words, self.box.referee.replay
        items = [Item(tell_confirmation(replay, words), partial(ask_confirmations, box))]
        if noted := write_phrase(replay.log):
            label = words("ending.phrase", phrase=noted)
            items.append(Item(label, show(box, CodeSheet, box.texts("ending.noted"), noted)))
        return words("play.what_now"), [*items, *self._others]

    def follow(self) -> None:
        """Close if the match goes on."""
        if not self.box.referee.replay.match.state.termination:
            close(self.box, self)


class ScoreAnswers(LiveMenu):
    """A list of each seat's answer; OK on one asks it again."""

    def __init__(self, box: Ui) -> None:
        """Start with the cursor on the line that leaves."""
        self.box = box
        super().__init__(box, box.words("ending.title"), self._list_lines)
        self.index = len(self.items) - 1

    def _list_lines(self) -> tuple[str, list[Item]]:
        box, words, replay = self.box, self.box.words, self.box.referee.replay
        items = [
            Item(_tell_view(words, view), show(box, ConfirmingScore, view.seat))
            for view in replay.affairs.views
        ]
        return _write_points(words, list_scores(replay)), [*items, Item(words("ending.leave"), box.pop)]


class ConfirmingScore(View):
    """The question to one seat after the other if this is the score, and if not, which is."""

    asks_others = True

    def __init__(self, box: Ui, seat: int | None = None) -> None:
        """Begin with ``seat``, by default the first that has not answered; the others follow."""
        super().__init__(box)
        self._words, self._replay = box.words, box.referee.replay
        self._seat = list_open_seats(self._replay)[0] if seat is None else seat
        self._begin()

    def _begin(self) -> None:
        self._index = 0  # an extra press is ignored: OK counts only after a moment
        self._points = list_scores(self._replay)
        self._claimed: list[int] | None = None
        self._at = 0  # the seat whose points are being claimed
        self.asked = self._words("ending.ask", points=_write_points(self._words, self._points))
        self.appear()

    def page(self) -> Page:
        """Show the question, or the figure being claimed."""
        words = self._words
        if self._claimed is not None:
            value = self._claimed[self._at]
            low, high = max(-HIGHEST, value - AROUND), min(HIGHEST, value + AROUND)
            items = tuple(map(str, range(low, high + 1)))
            header = self.box.header(words("ending.counting", name=words.name(self._seat)))
            prompt = words("ending.claim", name=words.name(self._at))
            return WheelPage(header, prompt, items, value - low)
        items = words("ending.yes"), words("ending.no"), words("ending.later")
        header = self.box.header(words.name(self._seat))
        return ListPage(header, self.asked, items, self._index)

    def turn(self, steps: int) -> None:
        """Move the cursor, or change the figure."""
        if self._claimed is None:
            self._index = (self._index + steps) % 3
        else:
            self._claimed[self._at] = max(-HIGHEST, min(self._claimed[self._at] + steps, HIGHEST))

    def ok(self) -> None:
        """Answer, or go on to the next figure; after the last record the claim."""
        if not self.considered:
            return
        if self._claimed is not None:
            self._take_figure()
        elif self._index == 0:
            self._record(Agree(self._seat))
        elif self._index == 1:
            self._claimed = list(self._points)
            self.appear()
        else:
            close(self.box, self)

    def _take_figure(self) -> None:
        claimed = self._claimed or []
        if self._at + 1 < len(claimed):
            self._at += 1
            self.appear()
        elif claimed == self._points:
            self._begin()
            self.box.toast(self._words("ending.same"))
        else:
            self._record(Dispute(self._seat, tuple(claimed)))

    def _record(self, view: Agree | Dispute) -> None:
        """Record the seat's answer, and ask the next seat."""
        if not attempt(self.box, lambda: self.box.door.rule(view, source=KEYS)):
            return
        if left := list_open_seats(self._replay):
            self._seat = left[0]
            self._begin()
        else:
            close(self.box, self)
            self.box.toast(tell_confirmation(self._replay, self._words))

    def back(self) -> None:
        """Go back to the previous figure or the question; from the question leave it for later."""
        if self._claimed is None:
            close(self.box, self)
        elif self._at:
            self._at -= 1
        else:
            self._begin()

    def follow(self) -> None:
        """Ask again if the score has changed; close if the match goes on."""
        if not self._replay.match.state.termination:
            close(self.box, self)
            self.box.toast(self._words("ending.not_over"))
        elif list_scores(self._replay) != self._points:
            self._begin()
            self.box.toast(self._words("ending.changed"))
