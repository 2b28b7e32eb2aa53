"""What the referee knows of a game of San Gimignano (SG-1, SG-11), and the questions it can ask."""

from __future__ import annotations

import msgspec

from engines import bags
from engines.bags import Bag
from engines.contract import Level
from engines.pools import Reach, Zone
from engines.san_gimignano.cards import CARDS, MANIFEST, Tower

HAND_LIMIT = 7  # SG-1.4
DEALT = 5  # SG-1.2
MARKET = 4  # SG-1.2, SG-3.4
COMPLETED_TO_CLOSE = 4  # SG-3.12
NOBODY = -1
DOUBLE_PASS = "double_pass"
COUNTED = "counted"


class Frame(msgspec.Struct, frozen=True):
    """A question that has been begun and what it remembers.

    ``n`` counts what is left to draw or turn up, or the storeys of a tower; ``put`` are cards laid out of the
    hand so far; ``tower`` is the tower in question and ``seat`` its owner.
    """

    question: str
    n: int = 0
    put: Bag = 0
    tower: Tower | None = None
    seat: int = NOBODY
    open: bool = True


class State(msgspec.Struct, frozen=True):
    """What is known, seat by seat (0 and 1). Bags hold cards by rank, lane 0 for rank 5."""

    level: Level = Level.FULL
    must_donate: bool = False  # option `donazione` (SG-5.1)
    seat: int = 0
    hands: tuple[Zone, Zone] = (Zone(0, DEALT), Zone(0, DEALT))
    shared: Bag = 0  # known to be in one of the two hands (SG-11.1)
    market: Bag = 0
    top: tuple[int, ...] = ()  # ranks known from the deck's top downwards (SG-5.8)
    middle: int = CARDS - 2 * DEALT
    bottom: tuple[int, ...] = ()  # ranks known at the deck's bottom, the lowest card last
    towers: tuple[tuple[Tower, ...], tuple[Tower, ...]] = ((), ())
    marker: int = NOBODY
    ending: bool = False
    closer: int = NOBODY
    passes: int = 0
    frames: tuple[Frame, ...] = ()
    termination: str = ""

    @property
    def deck(self) -> int:
        """How many cards the deck holds."""
        return len(self.top) + self.middle + len(self.bottom)


def unseen(state: State) -> Bag:
    """The cards that are known to be nowhere: the manifest less every known copy."""
    known = state.hands[0].known + state.hands[1].known + state.shared + state.market
    for side in state.towers:
        for tower in side:
            known += tower.bag
    for rank in state.top:
        known += bags.one(rank - 5)
    for rank in state.bottom:
        known += bags.one(rank - 5)
    return MANIFEST - known


def reach(state: State, seat: int) -> Reach:
    """What ``seat``'s hand may hold."""
    first, second = state.hands
    free = first.unknown + second.unknown - bags.total(state.shared)
    return Reach(state.hands[seat], state.shared, unseen(state), free)


def tallest_rival(state: State, seat: int, but: Tower) -> int:
    """The height of the highest standing tower other than ``but``, one of ``seat``'s; 0 if there is none."""
    highest = 0
    passed_over = False
    for owner, side in enumerate(state.towers):
        for tower in side:
            if owner == seat and not passed_over and tower == but:
                passed_over = True
            elif tower.height > highest:
                highest = tower.height
    return highest


def conspiracy_targets(state: State, built: Tower) -> list[tuple[int, Tower]]:
    """The towers a 10 effect may destroy: (owner, tower), owner 0's first (SG-5.7)."""
    found: list[tuple[int, Tower]] = []
    highest = 0
    passed_over = False
    for owner, side in enumerate(state.towers):
        for tower in side:
            if owner == state.seat and not passed_over and tower == built:
                passed_over = True
                continue
            contract = tower.low == 6 and tower.plain  # SG-5.3
            if tower.complete or contract or not highest <= tower.height <= built.height:
                continue
            if tower.height > highest:
                highest, found = tower.height, []
            if (owner, tower) not in found:
                found.append((owner, tower))
    return found
