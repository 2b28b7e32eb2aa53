"""The drawing of the table: the pieces in front of either player, between them market and decks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engines import bags
from engines.contract import SEATS, Label, Level, Mark, Panel, Scene
from engines.kit.drawing import disc, figure, icon, line, path, pile, rect, said, spread, title
from engines.san_gimignano.cards import KINDS, PIETRA, Tower, kind_of
from engines.san_gimignano.state import State

STEP, LEAST = 66, 34
"""The visible part of a card under the next one, in pixels: usually, and in the highest tower."""
COLUMN = 318
"""The height of a column of cards; towers of more than eight storeys are higher."""
WIDE, HIGH = 148, 184
"""The size of a card in a tower if there are few towers."""
MARKET_WIDE, MARKET_HIGH = 126, 172
STOREY = 12


def scene(state: State) -> Scene:
    """Return the table: the market and decks, and both players' sides."""
    return Scene(
        (
            Panel("between", 712, 0, 464, 836, tuple(_draw_between(state))),
            Panel("side", 0, 0, 700, 836, tuple(_draw_side(state, 0)), 0),
            Panel("side", 1188, 0, 700, 836, tuple(_draw_side(state, 1)), 1),
        ),
        (728, 640, 432, 180),
        Label("scene.deal", (("n", state.deals.number),)) if state.deals else None,
    )


# In front of a player


def _draw_side(state: State, seat: int) -> Iterator[Mark]:
    yield from title(seat)
    if state.marker == seat:
        yield disc(554, 36, 272, 52, "gold", edge="ink", key="marker")
        yield icon("crown", 446, 36, 34, "onseat")
        yield figure(470, 36, Label("scene.highest"), 26, align="start", ink="onseat")
    towers = state.towers[seat]
    wide = min(WIDE, 672 / max(1, len(towers)) - 10)
    for at, x in enumerate(spread(len(towers), 350, wide + 14)):
        alike = towers[:at].count(towers[at])
        yield from _draw_column(
            towers[at], x, wide, f"{SEATS[seat]}:{alike}", _list_answers(seat, towers[at])
        )
    yield line(20, 508, 660)
    if state.level is not Level.SCORE:
        yield from _draw_hand(state, seat)
    if state.nobles:
        yield line(20, 668, 660)
        yield said(20, 698, Label("scene.used"))
        used = list(bags.elements(state.nobles.used[seat]))
        step = 664 / max(4, len(used))
        for at, kind in enumerate(used):
            x = 18 + step * (at + 0.5)
            yield rect(x, 768, step - 8, 94, "chip", edge="line", key=f"used:{seat}:{at}:{KINDS[kind]}")
            yield icon(KINDS[kind], x, 750, 44)
            yield said(
                x, 798, Label(f"scene.noble.{KINDS[kind]}"), min(24, step / 5.6), "ink", align="middle"
            )


def _list_answers(seat: int, tower: Tower) -> tuple[str, ...]:
    """Return the answers of a tap on a tower: it is extended, completed, or the target of a 10."""
    text = str(tower)
    return (f"extend {text}", f"complete {text}", f"target {SEATS[seat]}{text}")


def _draw_column(tower: Tower, x: float, wide: float, key: str, answers: tuple[str, ...]) -> Iterator[Mark]:
    """Yield the cards of a tower: the top storey far away, each next one on the one before."""
    high = min(HIGH, wide * 1.26)
    step = max(LEAST, min(STEP, (COLUMN - high) / max(1, tower.height - 1)))
    top, tall = 96, high + step * (tower.height - 1)
    where: Any = {"key": f"tower:{key}:{tower!s}", "answers": answers}
    yield rect(x, top + tall / 2, wide + 8, tall + 8, **where)
    stones = list(tower.stones)
    for storey in range(tower.height):
        y = top + step * storey + high / 2
        rank = tower.low if tower.plain else tower.low + storey
        stone = rank in stones
        if tower.plain and stone:
            stones.remove(rank)
        last = storey == tower.height - 1
        if tower.complete:
            yield rect(x, y, wide, high, "back", edge="ink", icon="tower" if last else "", ink="faint")
        else:
            yield from _draw_card(
                PIETRA if stone else kind_of(str(rank)), x, y, wide, high, 0 if last else step
            )
    if tower.complete:
        shape = tower.shape.replace("x", " × ")
        yield rect(x, top + 34, wide - 14, 40, "face", edge="ink", text=shape, size=28, bold=True)
    if tower.complete and tower.stones:
        yield disc(x + wide / 2 - 8, top + 4, 40, 0, "face", edge="ink", icon="pietra")
    says = Label("scene.complete") if tower.complete else Label("scene.high", (("n", tower.height),))
    yield said(x, top + tall + 30, says, 26, "quiet" if tower.complete else "ink", align="middle")


def _draw_card(kind: int, x: float, y: float, w: float, h: float, free: float = 0) -> Iterator[Mark]:
    """Yield an open card: its rank as figure, as colour and as storeys of a tower, or its noble.

    ``free`` is the height of the part that the next card leaves visible, 0 for the whole card.
    """
    name = KINDS[kind]
    yield rect(x, y, w, h, "face", edge="ink")
    if kind >= PIETRA:
        yield icon(name, x, y - h / 2 + free / 2 if free else y, min(36, free) if free else w * 0.5)
        return
    tint = f"rank{name}"
    size = min(40, w * 0.3, free or 40)
    yield figure(x - w / 2 + 10, y - h / 2 + 6 + size / 2, name, size, align="start", ink=tint)
    if not free:
        storeys, foot = int(name), y + h / 2 - 14
        step = min(STOREY, (h - 78) / storeys)
        wall = "".join(f"M{-w * 0.16:g} {-step * (n + 0.5):g}h{w * 0.32:g}" for n in range(storeys))
        yield path(x + w * 0.12, foot, wall, edge=tint, line=step * 0.6)
        merlons = f"h{-w * 0.1:g}".join(("v-12", "v5", "v-5", "v5", "v-5", "z"))
        crown = f"M{-w * 0.25:g} {-step * storeys:g}h{w / 2:g}{merlons}"
        yield path(x + w * 0.12, foot, crown, fill=tint)


def _draw_hand(state: State, seat: int) -> Iterator[Mark]:
    """Yield a hand as everybody knows it: known cards are open in the fan."""
    yield figure(20, 548, Label("scene.hand", (("n", state.hand_size(seat)),)), 36, align="start")
    yield said(20, 596, Label("scene.of", (("n", state.hand_limit(seat)),)))
    nobles = state.nobles.hands[seat] if state.nobles else None
    seen = list(bags.elements(state.hands[seat].known + (nobles.known if nobles else 0)))
    unseen = ["noble"] * (nobles.unknown if nobles else 0) + ["tower"] * state.hands[seat].unknown
    size = len(seen) + len(unseen)
    step = min(64, 440 / max(1, size))
    for at, x in enumerate(spread(size, 440, step)):
        bend = at - (size - 1) / 2
        y, turn, key = 588 + bend * bend * 1.4, 3.4 * bend, f"hand:{seat}:{at}"
        if at >= len(seen):
            back = unseen[at - len(seen)]
            yield rect(x, y, 84, 112, "back", edge="ink", icon=back, ink="faint", turn=turn, key=key)
        else:
            name = KINDS[seen[at]]
            rank = seen[at] < PIETRA
            look: Any = {"text": name, "ink": f"rank{name}"} if rank else {"icon": name, "ink": "ink"}
            yield rect(x, y, 84, 112, "face", edge="ink", size=40, bold=True, turn=turn, key=key, **look)


# Between them


def _draw_between(state: State) -> Iterator[Mark]:
    if state.level is Level.SCORE:
        return
    market = list(bags.elements(state.market))
    yield figure(20, 38, Label("scene.market"), 36, align="start")
    yield said(444, 38, Label("scene.open", (("n", len(market)),)), align="end")
    rows = [market[at : at + 3] for at in range(0, len(market), 3)]
    small = min(1.0, 2.2 / max(1, len(rows)))
    for row, kinds in enumerate(rows):
        for column, x in enumerate(spread(len(kinds), 232, 150)):
            name, nth = KINDS[kinds[column]], market[: 3 * row + column].count(kinds[column])
            y = 76 + small * (MARKET_HIGH / 2 + 190 * row)
            where: Any = {"key": f"market:{name}:{nth}", "answers": (f"draw m{name}",)}
            yield rect(x, y, MARKET_WIDE * small + 8, MARKET_HIGH * small + 8, **where)
            yield from _draw_card(kinds[column], x, y, MARKET_WIDE * small, MARKET_HIGH * small)
    yield line(20, 470, 424)
    yield figure(20, 510, Label("scene.deck"), 32, align="start")
    yield from pile(210, 556, 104, 140, state.deck, "back", key="deck", answers=("draw d",), ink="onback")
    if state.top:
        text = Label("scene.top", (("cards", ",".join(map(str, state.top))),))
        yield disc(210, 612, 150, 38, "face", edge="ink", text=text, size=24)
    if state.nobles:
        yield from pile(
            370, 556, 104, 140, state.nobles.deck, "back", key="nobles", answers=("draw n",), ink="onback"
        )
        yield icon("noble", 370, 510, 34, "faint" if state.nobles.deck else "quiet")
