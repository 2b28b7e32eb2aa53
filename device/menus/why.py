"""Why these points: whose, of which category, and every entry that changed them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from device.match import Line, Replay, made_of, numbered, scores
from device.menus.ui import Host, View
from device.menus.views import Item, Menu, TextReader
from engines.gains import Change
from engines.words import Words, headings


def why_menu(box: Host, replay: Replay, words: Words) -> View:
    """Whose points: each player with the score; then which, and what made them."""

    def ask(seat: int) -> Callable[[], None]:
        return lambda: box.push(_which(box, replay, words, seat))

    points = scores(replay)
    items = [Item(f"{name} {points[seat]}", ask(seat)) for seat, name in enumerate(replay.names)]
    return Menu(box, words("why.head"), words("why.whose"), items)


def _which(box: Host, replay: Replay, words: Words, seat: int) -> View:
    """Return the groups in which a seat's points changed, with what is booked there now; first all."""
    changed = made_of(replay, seat)
    if not changed:
        return TextReader(box, words.name(seat), words("why.nothing"))
    now: dict[str, int] = {}
    for _, one in changed:
        now[one.category] = now.get(one.category, 0) + one.points
    counted = dict.fromkeys((*replay.game.scoring.counted(replay.match.state), *now))
    there = [category for category in counted if category in now]

    def tell(title: str, category: str | None) -> Callable[[], None]:
        kept = made_of(replay, seat, category)
        return lambda: box.push(TextReader(box, title, "\n".join(_told(replay, words, kept))))

    def open_(categories: Sequence[str], *, short: bool) -> list[Item]:
        return [row(*each) for each in headings(replay.game, categories, short=short)]

    def row(heading: str, categories: Sequence[str]) -> Item:
        label = words(heading)
        text = f"{label} {sum(now[each] for each in categories)}"
        if len(categories) == 1:
            return Item(text, tell(label, categories[0]))
        return Item(
            text, lambda: box.push(Menu(box, words("why.head"), text, open_(categories, short=False)))
        )

    items = [Item(f"{words('why.all')} {sum(now.values())}", tell(words.name(seat), None))]
    items += open_(there, short=True)
    return Menu(box, words("why.head"), words("why.which", name=words.name(seat)), items)


def _told(replay: Replay, words: Words, changed: Iterable[tuple[Line | None, Change]]) -> list[str]:
    """Gains under the entries they came with."""
    told: dict[str, list[str]] = {}
    for line, one in changed:
        head = numbered(replay, words, line) if line else words("why.start")
        told.setdefault(head, []).append(words.gain(one))
    return [text for head, gains in told.items() for text in (head, *gains)]
