"""The final score: each seat, asked by name, may confirm it or claim another."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from device.match import KEYS, Agree, Dispute, Replay, phrase, scores
from device.menus.ui import Ui, View
from device.menus.views import CodeSheet, Item, LiveMenu, attempt, close, show
from device.screen import ListPage, Page, WheelPage
from engines.texts import breadth
from engines.words import Words, score_line

HIGHEST = 9999
"""The highest figure that can be claimed; the lowest is its negative."""

PROMPT_ROOM = 32
"""The characters for names and points in a prompt of two lines."""

LIST_ROOM = 84
"""The characters of a line of a list that takes the whole screen."""

AROUND = 5
"""The figures listed on each side of the one under the cursor."""


def open_seats(replay: Replay) -> list[int]:
    """Return the seats that have neither confirmed nor disputed the final score yet."""
    said = {view.seat for view in replay.affairs.views}
    return [seat for seat in range(len(replay.names)) if seat not in said]


def _said(words: Words, view: Agree | Dispute) -> str:
    name = words.name(view.seat)
    if isinstance(view, Agree):
        return words("ending.agrees", name=name)
    return words("ending.counts", name=name, points=_points(words, view.points))


def _points(words: Words, points: Sequence[int]) -> str:
    """Write everybody's points in two lines: by name if there is room, else in the order of the seats."""
    named = score_line(words.names, points)
    return named if breadth(named) <= PROMPT_ROOM else ":".join(map(str, points))


def confirmed_line(replay: Replay, words: Words) -> str:
    """Tell the final score's state: confirmed, or disputed by whom and how; and the seats yet to answer."""
    left = open_seats(replay)
    disputes = [view for view in replay.affairs.views if isinstance(view, Dispute)]
    said = words.texts.by_commas(_said(words, view) for view in disputes)
    parts = [words("ending.disputed", said=said)] * bool(disputes)
    parts += [words("ending.open", names=words.texts.by_commas(map(words.name, left)))] * bool(left)
    if breadth(" ".join(parts)) > LIST_ROOM and disputes:  # the question to each seat shows its own count
        parts[0] = words(
            "ending.disputed_by", names=words.texts.by_commas(words.name(view.seat) for view in disputes)
        )
    return " ".join(parts) or words("ending.confirmed")


def confirming(box: Ui) -> None:
    """Ask the seats that have not answered yet; if all have, show their answers."""
    box.push((ConfirmingScore if open_seats(box.referee.replay) else Said)(box))


class TheEnd(LiveMenu):
    """The menu after the end: first the score's confirmation, then ``others``."""

    def __init__(self, box: Ui, others: Sequence[Item]) -> None:
        self.box, self._others = box, others
        super().__init__(box, box.words("play.over"), self._lines)

    def _lines(self) -> tuple[str, list[Item]]:
        """List the seats yet to confirm, the phrase to note if the box signs, and the other actions."""
        box, words, replay = self.box, self.box.words, self.box.referee.replay
        items = [Item(confirmed_line(replay, words), partial(confirming, box))]
        if noted := phrase(replay.log):
            label = words("ending.phrase", phrase=noted)
            items.append(Item(label, show(box, CodeSheet, box.texts("ending.noted"), noted)))
        return words("play.what_now"), [*items, *self._others]

    def changed(self) -> None:
        """Close if the match goes on."""
        if not self.box.referee.replay.match.state.termination:
            close(self.box, self)


class Said(LiveMenu):
    """A list of each seat's answer; OK on one asks it again."""

    def __init__(self, box: Ui) -> None:
        """Start with the cursor on the line that leaves."""
        self.box = box
        super().__init__(box, box.words("ending.title"), self._lines)
        self.index = len(self.items) - 1

    def _lines(self) -> tuple[str, list[Item]]:
        box, words, replay = self.box, self.box.words, self.box.referee.replay
        items = [
            Item(_said(words, view), show(box, ConfirmingScore, view.seat)) for view in replay.affairs.views
        ]
        return _points(words, scores(replay)), [*items, Item(words("ending.leave"), box.pop)]


class ConfirmingScore(View):
    """The question to one seat after the other if this is the score, and if not, which is."""

    asks_others = True

    def __init__(self, box: Ui, seat: int | None = None) -> None:
        """Begin with ``seat``, by default the first that has not answered; the others follow."""
        super().__init__(box)
        self._words, self._replay = box.words, box.referee.replay
        self._seat = open_seats(self._replay)[0] if seat is None else seat
        self._begin()

    def _begin(self) -> None:
        self._index = 0  # an extra press is ignored: OK counts only after a moment
        self._points = scores(self._replay)
        self._claimed: list[int] | None = None
        self._at = 0  # the seat whose points are being claimed
        self.asked = self._words("ending.ask", points=_points(self._words, self._points))
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
            self._next_figure()
        elif self._index == 0:
            self._record(Agree(self._seat))
        elif self._index == 1:
            self._claimed = list(self._points)
            self.appear()
        else:
            close(self.box, self)

    def _next_figure(self) -> None:
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
        if left := open_seats(self._replay):
            self._seat = left[0]
            self._begin()
        else:
            close(self.box, self)
            self.box.toast(confirmed_line(self._replay, self._words))

    def back(self) -> None:
        """Go back to the previous figure or the question; from the question leave it for later."""
        if self._claimed is None:
            close(self.box, self)
        elif self._at:
            self._at -= 1
        else:
            self._begin()

    def changed(self) -> None:
        """Ask again if the score has changed; close if the match goes on."""
        if not self._replay.match.state.termination:
            close(self.box, self)
            self.box.toast(self._words("ending.not_over"))
        elif scores(self._replay) != self._points:
            self._begin()
            self.box.toast(self._words("ending.changed"))
