"""Points and goods by hand: the player, the number, the reason; then the effect, and people's agreement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from device.match import KEYS, MOST_BY_HAND, Adjust, Give, scores
from device.menus import consent
from device.menus.correcting import change
from device.menus.ui import Ui, View
from device.menus.views import FigureWheel, Item, Menu, attempt, reason_menu, show
from engines.contract import ADJUSTMENT, Good
from engines.words import scores_of

POINTS = tuple(points for points in range(-MOST_BY_HAND, MOST_BY_HAND + 1) if points)

MakeRuling = Callable[[int, str], Adjust | Give]
"""A function from a number and a reason to the ruling that gives so many."""


def adjusting(box: Ui) -> None:
    """Ask whose points change."""
    title = box.words(f"category.{ADJUSTMENT}")

    def wheel(box: Ui, seat: int) -> View:
        prompt = box.words("adjust.points", name=box.words.name(seat))
        return _amount(box, (title, prompt), POINTS, partial(Adjust, seat))

    box.push(_whose(box, title, box.words("adjust.whose"), wheel))


def giving_items(box: Ui) -> list[Item]:
    """Return the menu's line to give or take goods; none if the game has no goods now."""
    words, match = box.words, box.referee.replay.match
    goods = partial(match.game.rules.goods, match.state)
    title = words("give.head")

    def which(box: Ui, seat: int) -> View:
        found = [good for good in goods(seat) if good.there or good.left]
        items = [Item(words(f"given.{good.name}"), show(box, number, seat, good)) for good in found]
        return Menu(box, title, words("give.which", name=words.name(seat)), items)

    def number(box: Ui, seat: int, good: Good) -> View:
        prompt = words.texts("give.number", good=words(f"given.{good.name}"))
        least, most = -min(good.there, MOST_BY_HAND), min(good.left, MOST_BY_HAND)
        amounts = [n for n in range(least, most + 1) if n]

        def made(n: int, reason: str) -> Give:
            return Give(seat, n, good.name, reason)

        return _amount(box, (title, prompt), amounts, made, "give")

    whose = show(box, _whose, title, words("give.whose"), which)
    return [Item(words("give.title"), whose)] if goods(0) else []


def _whose(box: Ui, title: str, prompt: str, of: Callable[[Ui, int], View]) -> Menu:
    """Ask which player it is about; ``of`` makes the next view for that player."""
    items = [Item(name, show(box, of, seat)) for seat, name in enumerate(box.words.names)]
    return Menu(box, title, prompt, items)


def _amount(
    box: Ui,
    asked: tuple[str, str],
    amounts: Sequence[int],
    made: MakeRuling,
    why: str = "adjust",
) -> View:
    """Return the wheel of amounts, below 0 to take; then ask why, and for consent. ``asked`` are title and
    prompt; ``why`` names the list of reasons.
    """

    def given(number: str, reason: str) -> None:
        ruling, said = made(int(number), reason), box.words("give.cannot") if why == "give" else ""
        if what := attempt(box, lambda: summary(box, ruling), said):
            consent.ask(box, what, partial(agreed, ruling))

    def agreed(ruling: Adjust | Give, by: str) -> None:
        if attempt(box, lambda: box.door.rule(ruling, source=KEYS, by=by)):
            box.show_match()

    def take(number: str, _: View) -> None:
        box.push(reason_menu(box, why, partial(given, number)))

    at = amounts.index(1) if 1 in amounts else len(amounts) - 1
    return FigureWheel(box, *asked, [f"{number:+d}" for number in amounts], at, take)


def summary(box: Ui, ruling: Adjust | Give) -> str:
    """Tell the score before and after, or the number of a good; raises EngineError if it cannot be given."""
    words, replay = box.words, box.referee.replay
    tried = replay.tried([ruling])
    if tried.error:
        raise tried.error
    name, reason = words.name(ruling.seat), words.texts.recall("reason", ruling.reason)
    why = [words("adjust.why", reason=reason)] * bool(reason)
    if isinstance(ruling, Give):
        goods = replay.game.rules.goods(replay.match.state, ruling.seat)
        had = next(good.there for good in goods if good.name == ruling.good)
        good = words(f"given.{ruling.good}")
        what = words.texts("give.what", name=name, good=good, n=f"{ruling.number:+d}")
        return "\n".join([what, *why, f"{had} → {had + ruling.number}"])
    before = scores(replay)
    after = scores_of(replay.game, tried.match.state, len(before))
    what = words("adjust.what", name=name, points=f"{ruling.points:+d}")
    return "\n".join([what, *why, change(box, before, after)])
