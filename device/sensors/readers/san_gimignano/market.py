"""The open market through one camera, as the match sees it: found, read, judged, and told.

Cards lie side by side anywhere in the field, upright or upside down, none over another. Of the nobles the
deck that was taught has the Buona Pietra: any other is a doubt.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from device.sensors.readers import judging, told
from device.sensors.readers.san_gimignano import towers
from device.sensors.readers.san_gimignano.cards import SURE, CardReader
from device.sensors.sources import PictureFrame
from engines.contract import Sight
from engines.san_gimignano.cards import KINDS
from engines.san_gimignano.market import Cards, MarketSight
from engines.san_gimignano.state import State
from vision.cards.deck import BACK
from vision.cards.lone import alike, apart
from vision.gate import Mask

DIM: Final = 0.5
"""So much clearer must be what a card is, for each part that it is less than wholly alike to that: glare and
what nobody taught look a little like everything.
"""


class Card(msgspec.Struct, frozen=True):
    """A card read: by each kind how much less alike it is than to its likeliest; ``sure`` is whether nobody
    need be asked about it.
    """

    costs: Mapping[str, float]
    sure: bool

    @property
    def name(self) -> str:
        """The likeliest kind."""
        return min(self.costs, key=self.costs.__getitem__)


def read(alike: Mapping[str, float]) -> Card:
    """Read a card by how ``alike`` it is to what was taught; what was not is as likely as it is strange."""
    best = max(alike.values())
    costs = {name: best - alike.get(name, min(best, towers.STRANGE)) for name in (*KINDS, BACK)}
    (first, name), (second, _), *_ = sorted((cost, name) for name, cost in costs.items())
    clear = second - first > towers.CLEAR + DIM * (1 - best)
    sure = clear and name != BACK and best > towers.STRANGE
    return Card({kind: costs[kind] for kind in KINDS}, sure)


class MarketReader(CardReader):
    """Reads the market through one camera."""

    @property
    def _sight(self) -> Sight[State]:
        assert self._game is not None
        return self._game.in_sight(self._state)[MarketSight.NAME]

    def read(self, frame: PictureFrame, _touched: Mask | None) -> told.ToldFinding:
        """Read one picture, whatever was touched."""
        pose = self._find(frame.picture)
        if pose is None:
            return told.ToldFinding(None, self.troubles)
        assert self._game is not None
        assert self._state is not None
        laid = [apart(heap, self._deck.card_mm) for heap in self._laid(frame.picture, pose)]
        if not all(laid):
            self._doubts = (("cards.apart", {}),)
            return told.ToldFinding(None, self.troubles)
        heaps = [heap for some in laid for heap in some]
        cards = [read(alike(heap, self._deck)) for heap in heaps]

        def weigh(layouts: Sequence[Cards]) -> list[float]:
            return [-SURE * unlike(cards, layout) for layout in layouts]

        unsure = [number for number, card in enumerate(cards) if not card.sure]
        layouts = list(dict.fromkeys(_layouts(cards)))
        found = judging.judge(self._game, self._state, layouts, weigh, unsure=unsure, sight=self._sight)
        if unsure:
            self._doubts = (("cards.unsure", {"cards": ", ".join(cards[number].name for number in unsure)}),)
        return told.ToldFinding(found, self.troubles, heaps[unsure[0]].pixels if unsure else None)


def _layouts(cards: Sequence[Card]) -> Iterator[Cards]:
    """Return what may lie there, the likeliest first; of all cards one at most is not what it looks like."""
    names = [card.name for card in cards]
    others = ((cost, at, name) for at, card in enumerate(cards) for name, cost in card.costs.items())
    for _, at, name in [(0.0, 0, names[0]), *sorted(others)] if cards else []:
        yield tuple(sorted((*names[:at], name, *names[at + 1 :]), key=KINDS.index))
    if not cards:
        yield ()


def unlike(cards: Sequence[Card], layout: Cards) -> float:
    """Return how much less alike cards are to that market than to what they look like most, at best."""
    missing = dict.fromkeys(layout, towers.ASTRAY)
    return towers.paired([card.costs for card in cards], [towers.ASTRAY] * len(cards), missing, layout)
