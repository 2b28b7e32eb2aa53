"""The referee's knowledge of a game of San Gimignano (SG-1, SG-9, SG-10, SG-11)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from engines import bags
from engines.bags import Bag
from engines.contract import Label, Level, Option
from engines.kit import note
from engines.san_gimignano import cards as c
from engines.san_gimignano.cards import Tower
from engines.san_gimignano.hands import NOTHING, Back, Hand, HeldPool

HAND_LIMIT = 7  # SG-1.4
WALLED_LIMIT = 9  # SG-9.11
DEALT = 5  # SG-1.2
MARKET = 4  # SG-1.2, SG-3.4
COMPLETED_TO_CLOSE = 4  # SG-3.12
NOBODY = -1
UNCAPPED = 99
HIDDEN = 0
"""The rank of a card in the deck that nobody knows, or only its player (SG-9.10)."""
DOUBLE_PASS = "double_pass"
COUNTED = "counted"
DEALS_PLAYED = "deals_played"
TARGET_REACHED = "target_reached"
BOTH_DECKS, DECKS_ONLY = "both", "via"
"""The sources of a draw: both decks and the market, or the decks alone; usually the tower deck and the
market.
"""

SEVERAL = ("2", "3", "4", "5", "6", "target")
"""The values of the option ``deals`` for a match of several."""
OPTIONS = (
    Option("donazione", ("may", "must"), "SG-5.1"),
    Option("nobles", ("no", "yes"), "SG-9.1"),
    Option("pietra_guard", ("no", "yes"), "SG-9.5", needs=("nobles", ("yes",))),
    Option("deals", ("1", *SEVERAL), "SG-10.1"),
    Option("target", ("120", "60", "80", "100", "150", "200"), "SG-10.1", needs=("deals", ("target",))),
    Option("closer_penalty", ("yes", "no"), "SG-10.2", needs=("deals", SEVERAL)),
)


class Frame(msgspec.Struct, frozen=True):
    """A question in progress and its memory.

    ``n`` counts the cards still to draw or turn up, or storeys; ``put`` are the cards laid out of the hand so
    far; ``tower`` is the tower in question; ``seat`` is the seat that is asked, or the tower's owner;
    ``sources`` are those of a draw.
    """

    question: str
    n: int = 0
    put: Bag = 0
    tower: Tower | None = None
    seat: int = NOBODY
    open: bool = True
    sources: str = ""


class Nobles(Back, frozen=True):
    """The pieces of the advanced game (SG-9), in bags by kind; those in the market are in its bag."""

    deck: int = c.NOBLE_CARDS
    used: tuple[Bag, Bag] = (0, 0)
    removed: Bag = 0
    pietra_guard: bool = False  # option `pietra_guard` (SG-9.5)


class ScoredTable(msgspec.Struct, frozen=True):
    """The part of a deal that is scored: by seat towers and used nobles; the seats that hold the marker and
    that closed.
    """

    towers: tuple[tuple[Tower, ...], tuple[Tower, ...]] = ((), ())
    marker: int = NOBODY
    closer: int = NOBODY
    used: tuple[Bag, Bag] = (0, 0)


class Deals(msgspec.Struct, frozen=True):
    """Several deals in one match (SG-10): their number, or, if ``count`` is 0, the points to reach."""

    count: int
    target: int
    penalty: bool  # option `closer_penalty` (SG-10.2)
    dealer: int
    past: tuple[ScoredTable, ...] = ()

    @property
    def number(self) -> int:
        """The deal being played, from 1."""
        return len(self.past) + 1


class State(Back, frozen=True):
    """The referee's knowledge, by seat (0 and 1); the inherited fields are about the tower cards.

    Bags hold cards by kind, lane 0 for rank 5.
    """

    level: Level = Level.FULL
    must_donate: bool = False  # option `donazione` (SG-5.1)
    seat: int = 0
    hands: tuple[HeldPool, HeldPool] = (HeldPool(0, DEALT), HeldPool(0, DEALT))
    market: Bag = 0
    top: tuple[int, ...] = ()  # known ranks from the deck's top downwards (SG-5.8)
    middle: int = c.CARDS - 2 * DEALT
    bottom: tuple[int, ...] = ()  # ranks at the deck's bottom, HIDDEN ones among them, the lowest card last
    towers: tuple[tuple[Tower, ...], tuple[Tower, ...]] = ((), ())
    marker: int = NOBODY
    ending: bool = False
    closer: int = NOBODY
    passes: int = 0
    frames: tuple[Frame, ...] = ()
    termination: str = ""
    nobles: Nobles | None = None  # None in the basic game
    deals: Deals | None = None  # None if one deal is the match
    adjusted: tuple[int, int] = (0, 0)
    waived: tuple[str, ...] = ()  # overruled clauses, in order

    @property
    def deck(self) -> int:
        """The number of cards in the tower deck."""
        return len(self.top) + self.middle + len(self.bottom)

    def unseen(self) -> Bag:
        """Return the tower cards whose place nobody knows: the manifest less every known copy."""
        known = self.hands[0].known + self.hands[1].known + self.shared + (self.market & c.TOWER_CARDS)
        for side in self.towers:
            for tower in side:
                known += tower.bag
        if self.top or self.bottom:
            known += c.cards(filter(None, self.top + self.bottom))
        return c.MANIFEST - known

    def unseen_nobles(self) -> Bag:
        """Return the nobles whose place nobody knows."""
        nobles = self.nobles
        if nobles is None:
            return 0
        known = nobles.hands[0].known + nobles.hands[1].known + nobles.shared + nobles.removed
        return c.NOBLE_MANIFEST - (known + nobles.used[0] + nobles.used[1] + (self.market & ~c.TOWER_CARDS))

    def hand_of(self, seat: int) -> Hand:
        """Return the cards that ``seat``'s hand may hold, going by what everybody saw."""
        towers, backs = self.within_reach(seat, self.unseen()), self.nobles
        if backs is None or not backs.hands[seat].size:
            return Hand(towers, NOTHING, towers.zone.size)
        nobles = backs.within_reach(seat, self.unseen_nobles())
        cards, noble_cards = towers.zone.size, nobles.zone.size
        stones = min(self.more_nobles(seat), nobles.most(c.PIETRA))
        return Hand(towers, nobles, cards + noble_cards, noble_cards, max(stones, 0))

    def seen_by(self, seat: int, held: Bag) -> State:
        """Return the state for somebody who knows that ``seat`` holds ``held``."""
        return self._move(Back.pinned, seat, held & c.TOWER_CARDS, held & ~c.TOWER_CARDS)

    def backs(self, seat: int) -> tuple[int, int]:
        """Return the numbers of tower cards and of nobles in ``seat``'s hand."""
        return self.hands[seat].size, self.nobles.hands[seat].size if self.nobles else 0

    def hand_size(self, seat: int) -> int:
        """Return the number of cards in ``seat``'s hand, of both backs."""
        return sum(self.backs(seat))

    def hand_limit(self, seat: int) -> int:
        """Return the most cards that a hand may hold (SG-1.4, SG-9.11)."""
        walled = self.nobles is not None and bags.count(self.nobles.used[seat], c.MURA)
        return WALLED_LIMIT if walled else HAND_LIMIT

    def more_nobles(self, seat: int) -> int:
        """Return the number of nobles that ``seat`` may use before the opponent uses another (SG-9.4)."""
        assert self.nobles
        used = self.nobles.used
        return bags.total(used[1 - seat]) + 1 - bags.total(used[seat])

    def highest(self, seat: int) -> int:
        """Return the height of ``seat``'s highest standing tower, 0 without one."""
        return max((tower.height for tower in self.towers[seat]), default=0)

    def cap(self, seat: int) -> int:
        """Return the greatest height that the opponent's Palazzo allows to ``seat`` (SG-9.10)."""
        if self.nobles is None or not bags.count(self.nobles.used[1 - seat], c.PALAZZO):
            return UNCAPPED
        return self.highest(1 - seat) or UNCAPPED

    def others(self, tower: Tower) -> list[tuple[int, Tower]]:
        """Return all standing towers, each behind its owner, without ``tower`` of the seat whose turn it is.

        Owner 0's towers come first.
        """
        found = [(owner, each) for owner, side in enumerate(self.towers) for each in side]
        if (self.seat, tower) in found:
            found.remove((self.seat, tower))
        return found

    def change_towers(self, owner: int, old: Tower | None, new: Tower | None) -> State:
        """Return the state after ``old`` was taken from the towers of a side and ``new`` was added."""
        side = list(self.towers[owner])
        if old:
            side.remove(old)
        if new:
            side.append(new)
            side.sort()
        towers = (tuple(side), self.towers[1]) if owner == 0 else (self.towers[0], tuple(side))
        return replace(self, towers=towers)

    def hidden_cards(self) -> int:
        """Return the number of cards in both decks that not everybody at the table knows."""
        nobles = self.nobles.deck if self.nobles else 0
        return self.middle + self.bottom.count(HIDDEN) + nobles

    @property
    def next_rank(self) -> int:
        """The rank of the deck's top card, or HIDDEN."""
        return self.top[0] if self.top else HIDDEN if self.middle else self.bottom[0]

    def off_deck(self) -> State:
        """Return the state without the deck's top card."""
        if self.top:
            return replace(self, top=self.top[1:])
        if self.middle:
            return replace(self, middle=self.middle - 1)
        return replace(self, bottom=self.bottom[1:])

    @property
    def tower(self) -> Tower:
        """The tower in question."""
        tower = self.frames[-1].tower
        assert tower
        return tower

    @property
    def advanced(self) -> Nobles:
        """The pieces of an advanced game."""
        assert self.nobles
        return self.nobles

    # Cards move between hands, decks and the table, and the knowledge of them too (SG-11.1). A note says what
    # moves: a word, the hand's seat, and the cards, or their numbers by back if only players see them.

    def _move(self, change: Callable[[Any, int, int], Any], seat: int, towers: int, nobles: int) -> State:
        """Return the state after a ``change`` of the knowledge about each back in a hand."""
        state: State = change(self, seat, towers) if towers else self
        return replace(state, nobles=change(state.advanced, seat, nobles)) if nobles else state

    def show(self, seat: int, shown: Bag) -> State:
        """Take cards out of a hand in the open."""
        note(("shown", seat, shown))
        return self._move(Back.shown, seat, shown & c.TOWER_CARDS, shown & ~c.TOWER_CARDS)

    def gain(self, seat: int, known: Bag) -> State:
        """Put cards that everybody saw into a hand."""
        note(("gained", seat, known))
        return self._move(Back.gained, seat, known & c.TOWER_CARDS, known & ~c.TOWER_CARDS)

    def use(self, seat: int, played: Bag) -> State:
        """Take nobles out of a hand; they count as used from now on (SG-9.3)."""
        return self.show(seat, played).using(seat, played)

    def using(self, seat: int, played: Bag) -> State:
        """Count more nobles as used by ``seat``; a negative bag counts them no longer."""
        first, second = self.advanced.used
        both = (first + played, second) if seat == 0 else (first, second + played)
        return replace(self, nobles=replace(self.advanced, used=both))

    def remove(self, seat: int, played: Bag) -> State:
        """Remove used nobles from the game; they do not count (SG-9.8, SG-9.10)."""
        note(Label("hands.removed", (("cards", c.figure(played)),)))
        nobles = self.using(seat, -played).advanced
        return replace(self, nobles=replace(nobles, removed=nobles.removed + played))

    def pass_unseen(self, giver: int, towers: int, nobles: int) -> State:
        """Pass ``towers`` tower cards and ``nobles`` nobles to the other hand (SG-5.6)."""
        note(("passed", giver, towers, nobles))
        return self._move(Back.passed, giver, towers, nobles)

    def bury(self, seat: int, towers: int, nobles: int) -> State:
        """Put cards of a hand under their decks; only their player sees which (SG-9.10)."""
        note(("buried", seat, towers, nobles))
        state = self._move(Back.buried, seat, towers, nobles)
        under = replace(state.advanced, deck=state.advanced.deck + nobles)
        return replace(state, bottom=(*state.bottom, *(HIDDEN,) * towers), nobles=under)
