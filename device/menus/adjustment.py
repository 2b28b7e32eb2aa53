"""Points and goods by hand: whose, how many and why; then what comes of it, and whether people agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from device.match import KEYS, Adjust, Give, Referee, RulingError, scores
from device.menus import consent
from device.menus.correcting import change
from device.menus.ui import Ui, View
from device.menus.views import Item, Menu, attempt, close, reason_menu
from device.screen import Page, WheelPage
from engines.contract import ADJUSTMENT, Good
from engines.errors import EngineError
from engines.words import Words, scores_of

MOST = 50
"""How many points or pieces can be given or taken at once."""

POINTS = tuple(points for points in range(-MOST, MOST + 1) if points)

Made = Callable[[int, str], Adjust | Give]
"""The ruling about so many, for a reason."""


def adjusting(box: Ui, referee: Referee, words: Words) -> None:
    """Ask whose points change."""
    title = words(f"category.{ADJUSTMENT}")

    def chosen(seat: int) -> None:
        prompt = words("adjust.points", name=words.name(seat))
        box.push(Amount(box, referee, words, (title, prompt), POINTS, partial(Adjust, seat), box.stack[-1:]))

    items = [Item(words.name(seat), partial(chosen, seat)) for seat in range(len(words.names))]
    box.push(Menu(box, title, words("adjust.whose"), items))


def giving_items(box: Ui, referee: Referee, words: Words) -> list[Item]:
    """The entry that gives goods or takes them, in a game that has any now."""
    goods = partial(referee.replay.game.rules.goods, referee.replay.match.state)
    title = words("give.head")

    def whose() -> None:
        items = [Item(words.name(seat), partial(which, seat)) for seat in range(len(words.names))]
        box.push(Menu(box, title, words("give.whose"), items))

    def which(seat: int) -> None:
        found = [good for good in goods(seat) if good.there or good.left]
        items = [Item(words(f"given.{good.name}"), partial(number, seat, good)) for good in found]
        box.push(Menu(box, title, words("give.which", name=words.name(seat)), items))

    def number(seat: int, good: Good) -> None:
        prompt = words("give.number", good=words(f"given.{good.name}"))
        amounts = [n for n in range(-min(good.there, MOST), min(good.left, MOST) + 1) if n]

        def made(n: int, reason: str) -> Give:
            return Give(seat, n, good.name, reason)

        box.push(Amount(box, referee, words, (title, prompt), amounts, made, box.stack[-2:], "give"))

    return [Item(words("give.title"), whose)] if goods(0) else []


class Amount(View):
    """How many, negative ones being taken; then why, and whether people agree."""

    def __init__(
        self,
        box: Ui,
        referee: Referee,
        words: Words,
        asked: tuple[str, str],
        amounts: Sequence[int],
        made: Made,
        over: Sequence[View],
        why: str = "adjust",
    ) -> None:
        """``asked`` are title and prompt; ``over`` the pages below, which close as well once it is booked;
        ``why`` says which reasons there are.
        """
        super().__init__(box)
        self._referee = referee
        self._words = words
        self._asked = asked
        self._amounts = amounts
        self._made = made
        self._why = why
        self._over = tuple(over)
        self._index = amounts.index(1) if 1 in amounts else len(amounts) - 1

    def page(self) -> Page:
        """The wheel of numbers."""
        title, prompt = self._asked
        items = tuple(f"{number:+d}" for number in self._amounts)
        return WheelPage(self.box.header(title), prompt, items, self._index)

    def turn(self, steps: int) -> None:
        """More or fewer; the wheel stops at its ends."""
        self._index = max(0, min(self._index + steps, len(self._amounts) - 1))

    def ok(self) -> None:
        """Ask why."""
        self.box.push(reason_menu(self.box, self._words, self._why, self._given))

    def _given(self, reason: str) -> None:
        ruling = self._made(self._amounts[self._index], reason)
        try:
            what = summary(self._referee, self._words, ruling)
        except (EngineError, RulingError) as error:
            self.box.refused()
            cannot = self._words("give.cannot") if isinstance(ruling, Give) else str(error)
            self.box.toast(cannot, urgent=True)
            return

        def agreed(by: str) -> None:
            close(self.box, self, *self._over)
            if attempt(self.box, lambda: self.box.desk.rule(ruling, source=KEYS, by=by)):
                self.box.show_match()

        consent.ask(self.box, self._referee, self._words, what, agreed)


def summary(referee: Referee, words: Words, ruling: Adjust | Give) -> str:
    """The score before and after, or how many of a good there are; raises EngineError where it cannot be."""
    tried = referee.replay.tried([ruling])
    if tried.error:
        raise tried.error
    game, state = referee.replay.game, referee.replay.match.state
    name, why = (
        words.name(ruling.seat),
        [words("adjust.why", reason=words.texts.recall("reason", ruling.reason))] * bool(ruling.reason),
    )
    if isinstance(ruling, Give):
        had = next(good.there for good in game.rules.goods(state, ruling.seat) if good.name == ruling.good)
        good = words(f"given.{ruling.good}")
        what = words("give.what", name=name, good=good, n=f"{ruling.number:+d}")
        return "\n".join([what, *why, f"{had} → {had + ruling.number}"])
    before = scores(referee.replay)
    after = scores_of(game, tried.match.state, len(before))
    what = words("adjust.what", name=name, points=f"{ruling.points:+d}")
    return "\n".join([what, *why, change(words, before, after)])
