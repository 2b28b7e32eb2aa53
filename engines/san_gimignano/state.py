"""The referee's knowledge of a game of San Gimignano (SG-1, SG-9, SG-10, SG-11)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from engines import bags
from engines.bags import Bag
from engines.contract import Label, Level
from engines.kit import note
from engines.san_gimignano import cards as c
from engines.san_gimignano.cards import Tower
from engines.san_gimignano.hands import NOTHING, Back, Hand, HeldPool, Reach

HAND_LIMIT = 7  # SG-1.4
WALLED_LIMIT = 9  # SG-9.11
DEALT = 5  # SG-1.2
MARKET = 4  # SG-1.2, SG-3.4
COMPLETED_TO_CLOSE = 4  # SG-3.12
NOBODY = -1
UNCAPPED = 99
HIDDEN = 0
"""Where the deck's known ranks stand: a card that only its player knows (SG-9.10)."""
DOUBLE_PASS = "double_pass"
COUNTED = "counted"
DEALS_PLAYED = "deals_played"
TARGET_REACHED = "target_reached"
BOTH_DECKS, DECKS_ONLY = "both", "via"
"""What may be drawn from besides the tower deck and the market, or instead of them."""


class Frame(msgspec.Struct, frozen=True):
    """A question that has been begun and what it remembers.

    ``n`` counts what is left to draw or turn up, or storeys; ``put`` are cards laid out of the hand so far;
    ``tower`` is the tower in question and ``seat`` who is asked or whose it is; ``sources`` widens or
    narrows what is drawn from.
    """

    question: str
    n: int = 0
    put: Bag = 0
    tower: Tower | None = None
    seat: int = NOBODY
    open: bool = True
    sources: str = ""


class Nobles(Back, frozen=True):
    """The advanced game's own pieces (SG-9). Bags hold nobles by kind; those in the market lie in its bag."""

    deck: int = c.NOBLE_CARDS
    used: tuple[Bag, Bag] = (0, 0)
    removed: Bag = 0
    pietra_guard: bool = False  # option `pietra_guard` (SG-9.5)


class ScoredTable(msgspec.Struct, frozen=True):
    """The part of a deal that is scored: towers and nobles used by seat, who holds the marker, who closed."""

    towers: tuple[tuple[Tower, ...], tuple[Tower, ...]] = ((), ())
    marker: int = NOBODY
    closer: int = NOBODY
    used: tuple[Bag, Bag] = (0, 0)


class Deals(msgspec.Struct, frozen=True):
    """Several deals in one match (SG-10): how many, or up to how many points where ``count`` is 0."""

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
    """The referee's knowledge, seat by seat (0 and 1); as a :class:`.Back` that of the tower cards.

    Bags hold cards by kind, lane 0 for rank 5.
    """

    level: Level = Level.FULL
    must_donate: bool = False  # option `donazione` (SG-5.1)
    seat: int = 0
    hands: tuple[HeldPool, HeldPool] = (HeldPool(0, DEALT), HeldPool(0, DEALT))
    market: Bag = 0
    top: tuple[int, ...] = ()  # ranks known from the deck's top downwards (SG-5.8)
    middle: int = c.CARDS - 2 * DEALT
    bottom: tuple[int, ...] = ()  # ranks known at the deck's bottom or HIDDEN, the lowest card last
    towers: tuple[tuple[Tower, ...], tuple[Tower, ...]] = ((), ())
    marker: int = NOBODY
    ending: bool = False
    closer: int = NOBODY
    passes: int = 0
    frames: tuple[Frame, ...] = ()
    termination: str = ""
    nobles: Nobles | None = None  # None in the basic game
    deals: Deals | None = None  # None where one deal is the match
    adjusted: tuple[int, int] = (0, 0)
    waived: tuple[str, ...] = ()  # clauses that were overruled, in order

    @property
    def deck(self) -> int:
        """The number of cards in the tower deck."""
        return len(self.top) + self.middle + len(self.bottom)

    def unseen(self) -> Bag:
        """Return the tower cards that are known to be nowhere: the manifest less every known copy."""
        known = self.hands[0].known + self.hands[1].known + self.shared + (self.market & c.TOWER_CARDS)
        for side in self.towers:
            for tower in side:
                known += tower.bag
        for rank in self.top:
            known += bags.one(rank - 5)
        for rank in self.bottom:
            if rank:
                known += bags.one(rank - 5)
        return c.MANIFEST - known

    def unseen_nobles(self) -> Bag:
        """Return the nobles that are known to be nowhere."""
        nobles = self.nobles
        if nobles is None:
            return 0
        known = nobles.hands[0].known + nobles.hands[1].known + nobles.shared + nobles.removed
        return c.NOBLE_MANIFEST - (known + nobles.used[0] + nobles.used[1] + (self.market & ~c.TOWER_CARDS))

    def reach(self, seat: int) -> Reach:
        """Return the tower cards that ``seat``'s hand may hold."""
        return self.within_reach(seat, self.unseen())

    def noble_reach(self, seat: int) -> Reach:
        """Return the nobles that ``seat``'s hand may hold."""
        return self.nobles.within_reach(seat, self.unseen_nobles()) if self.nobles else NOTHING

    def hand_of(self, seat: int) -> Hand:
        """Return the cards that ``seat``'s hand may hold, by all that was seen."""
        if self.nobles is None or not self.nobles.hands[seat].size:
            towers = self.within_reach(seat, self.unseen())
            return Hand(towers, NOTHING, self.hands[seat].size)
        towers, nobles = self.reach(seat), self.noble_reach(seat)
        cards, noble_cards = towers.zone.size, nobles.zone.size
        stones = min(self.more_nobles(seat), nobles.most(c.PIETRA)) if noble_cards else 0
        return Hand(towers, nobles, cards + noble_cards, noble_cards, max(stones, 0))

    def seen_by(self, seat: int, held: Bag) -> State:
        """Return the state as who knows that ``seat`` holds ``held`` sees it."""
        return self._moved(Back.pinned, seat, held & c.TOWER_CARDS, held & ~c.TOWER_CARDS)

    def may_be_hand(self, seat: int, held: Bag) -> bool:
        """Return True if ``held`` may be all that ``seat`` holds, by what everybody saw."""
        towers, nobles = bags.total(held & c.TOWER_CARDS), bags.total(held & ~c.TOWER_CARDS)
        sizes = (self.hands[seat].size, self.nobles.hands[seat].size if self.nobles else 0)
        return (towers, nobles) == sizes and self.hand_of(seat).may_hold(held)

    def hand_size(self, seat: int) -> int:
        """Return how many cards ``seat`` holds, of both backs."""
        size = self.hands[seat].size
        return size + self.nobles.hands[seat].size if self.nobles else size

    def hand_limit(self, seat: int) -> int:
        """Return the most cards that a hand may hold (SG-1.4, SG-9.11)."""
        walled = self.nobles is not None and bags.count(self.nobles.used[seat], c.MURA)
        return WALLED_LIMIT if walled else HAND_LIMIT

    def more_nobles(self, seat: int) -> int:
        """Return how many nobles ``seat`` may use before the opponent uses another (SG-9.4)."""
        assert self.nobles
        used = self.nobles.used
        return bags.total(used[1 - seat]) + 1 - bags.total(used[seat])

    def highest(self, seat: int) -> int:
        """Return the height of ``seat``'s highest standing tower, 0 without one."""
        return max((tower.height for tower in self.towers[seat]), default=0)

    def cap(self, seat: int) -> int:
        """Return how high ``seat`` may build against the opponent's Palazzo (SG-9.10)."""
        if self.nobles is None or not bags.count(self.nobles.used[1 - seat], c.PALAZZO):
            return UNCAPPED
        return self.highest(1 - seat) or UNCAPPED

    def tallest_rival(self, seat: int, but: Tower) -> int:
        """Return the height of the highest standing tower besides ``but``, one of ``seat``'s; 0 for none."""
        highest = 0
        passed_over = False
        for owner, side in enumerate(self.towers):
            for tower in side:
                if owner == seat and not passed_over and tower == but:
                    passed_over = True
                elif tower.height > highest:
                    highest = tower.height
        return highest

    def change_towers(self, owner: int, old: Tower | None, new: Tower | None) -> State:
        """Return a state in which ``old`` is taken down from the towers of a side and ``new`` stands."""
        side = list(self.towers[owner])
        if old:
            side.remove(old)
        if new:
            side.append(new)
            side.sort()
        towers = (tuple(side), self.towers[1]) if owner == 0 else (self.towers[0], tuple(side))
        return replace(self, towers=towers)

    def hidden_cards(self) -> int:
        """Return how many cards of both decks nobody at the table has seen lie there."""
        nobles = self.nobles.deck if self.nobles else 0
        return self.middle + self.bottom.count(HIDDEN) + nobles

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

    # Cards between hands, decks and the table, and what stays known of them (SG-11.1). What moves is noted: a
    # word, whose hand it is, and the cards, or how many of each back where only players see them.

    def _moved(self, change: Callable[[Any, int, int], Any], seat: int, towers: int, nobles: int) -> State:
        """Return the state after a ``change`` of what each back of a hand is known to hold."""
        state: State = change(self, seat, towers) if towers else self
        return replace(state, nobles=change(state.advanced, seat, nobles)) if nobles else state

    def show(self, seat: int, shown: Bag) -> State:
        """Take cards out of a hand in the open."""
        note(("shown", seat, shown))
        return self._moved(Back.shown, seat, shown & c.TOWER_CARDS, shown & ~c.TOWER_CARDS)

    def gain(self, seat: int, known: Bag) -> State:
        """Put cards that everybody saw into a hand."""
        note(("gained", seat, known))
        return self._moved(Back.gained, seat, known & c.TOWER_CARDS, known & ~c.TOWER_CARDS)

    def use(self, seat: int, played: Bag) -> State:
        """Take nobles out of a hand; they count as used from now on (SG-9.3)."""
        return self.show(seat, played)._using(seat, played)

    def unuse(self, seat: int, played: Bag) -> State:
        """Stop counting nobles laid down as used; where they go is for the caller to say."""
        return self._using(seat, -played)

    def _using(self, seat: int, played: Bag) -> State:
        first, second = self.advanced.used
        both = (first + played, second) if seat == 0 else (first, second + played)
        return replace(self, nobles=replace(self.advanced, used=both))

    def remove(self, seat: int, played: Bag) -> State:
        """Remove used nobles from the game; they do not count (SG-9.8, SG-9.10)."""
        note(Label("hands.removed", (("cards", c.figure(played)),)))
        nobles = self.unuse(seat, played).advanced
        return replace(self, nobles=replace(nobles, removed=nobles.removed + played))

    def pass_unseen(self, giver: int, towers: int, nobles: int) -> State:
        """Pass so many cards of each back to the other hand (SG-5.6)."""
        note(("passed", giver, towers, nobles))
        return self._moved(Back.passed, giver, towers, nobles)

    def bury(self, seat: int, towers: int, nobles: int) -> State:
        """Put so many cards of each back under their decks, seen by their player alone (SG-9.10)."""
        note(("buried", seat, towers, nobles))
        state = self._moved(Back.buried, seat, towers, nobles)
        under = replace(state.advanced, deck=state.advanced.deck + nobles)
        return replace(state, bottom=(*state.bottom, *(HIDDEN,) * towers), nobles=under)
