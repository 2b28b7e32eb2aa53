"""Points by hand: whose, how many and why; then the new score, and whether people agree."""

from __future__ import annotations

from collections.abc import Callable

from device.match import KEYS, Adjust, Referee, RulingError, Words, scores, scores_of
from device.menus import consent
from device.menus.correcting import change
from device.menus.ui import Ui, View
from device.menus.views import Item, Menu, attempt, close, reason_menu
from device.screen import Page, WheelPage
from engines.contract import ADJUSTMENT
from engines.errors import EngineError

MOST = 50
"""How many points can be given or taken at once."""

POINTS = tuple(points for points in range(-MOST, MOST + 1) if points)


def adjusting(box: Ui, referee: Referee, words: Words) -> None:
    """Ask whose points change."""
    items = [Item(words.name(seat), _choose(box, referee, words, seat)) for seat in range(len(words.names))]
    title = words(f"category.{ADJUSTMENT}")
    box.push(Menu(box, title, words("adjust.whose"), items))


def _choose(box: Ui, referee: Referee, words: Words, seat: int) -> Callable[[], None]:
    return lambda: box.push(Points(box, referee, words, seat, box.stack[-1]))


class Points(View):
    """How many points, negative ones being taken; then why, and whether people agree."""

    def __init__(self, box: Ui, referee: Referee, words: Words, seat: int, over: View) -> None:
        """``over`` is the page below, which closes as well once the points are booked."""
        super().__init__(box)
        self._referee = referee
        self._words = words
        self._seat = seat
        self._over = over
        self._index = POINTS.index(1)

    def page(self) -> Page:
        """The wheel of points."""
        prompt = self._words("adjust.points", name=self._words.name(self._seat))
        items = tuple(f"{points:+d}" for points in POINTS)
        return WheelPage(self.box.header(self._words(f"category.{ADJUSTMENT}")), prompt, items, self._index)

    def turn(self, steps: int) -> None:
        """More or fewer points; the wheel stops at its ends."""
        self._index = max(0, min(self._index + steps, len(POINTS) - 1))

    def ok(self) -> None:
        """Ask why."""
        self.box.push(reason_menu(self.box, self._words, "adjust", self._given))

    def _given(self, reason: str) -> None:
        ruling = Adjust(self._seat, POINTS[self._index], reason)
        try:
            what = summary(self._referee, self._words, ruling)
        except (EngineError, RulingError) as error:
            self.box.refused()
            self.box.toast(str(error), urgent=True)
            return

        def agreed(by: str) -> None:
            close(self.box, self, self._over)
            if attempt(self.box, lambda: self.box.desk.rule(ruling, source=KEYS, by=by)):
                self.box.show_match()

        consent.ask(self.box, self._referee, self._words, what, agreed)


def summary(referee: Referee, words: Words, ruling: Adjust) -> str:
    """The score before and after the points; raises EngineError where they cannot be booked."""
    tried = referee.replay.tried([ruling])
    if tried.error:
        raise tried.error
    before = scores(referee.replay)
    after = scores_of(referee.replay.game, tried.match.state, len(before))
    parts = [words("adjust.what", name=words.name(ruling.seat), points=f"{ruling.points:+d}")]
    parts += [words("adjust.why", reason=ruling.reason)] * bool(ruling.reason)
    parts.append(change(words, before, after))
    return "\n".join(parts)
