"""Hidden cards, counted: the cards that a hand may hold, given all that was seen.

The cards of one back have a fixed manifest. A hand holds known copies by kind and a number of unknown ones.
Cards whose place nobody knows are *unseen*; they fill the unknown places. Cards that changed hands unseen are
*shared*: they are in one of the two hands, nobody knows which.

All knowledge is lower bounds. A rule that moves known cards out of sight must weaken the knowledge of them,
so that no step that is true at the table is ever refused (SG-11.1).
"""

from __future__ import annotations

from typing import Self

import msgspec
from msgspec.structs import replace

from engines import bags
from engines.bags import Bag
from engines.san_gimignano.cards import TOWER_CARDS


class HeldPool(msgspec.Struct, frozen=True):
    """The cards of one back in a hand: ``known`` copies by kind and ``unknown`` more of any kind."""

    known: Bag = 0
    unknown: int = 0

    @property
    def size(self) -> int:
        """The number of cards."""
        return self.unknown + bags.total(self.known)


class Reach(msgspec.Struct, frozen=True):
    """The most cards of one back that one hand may hold.

    ``zone`` are its known and unknown cards, ``shared`` the cards that are in it or in the other hand,
    ``unseen`` the cards whose place nobody knows, ``free`` the unknown places of both hands that no shared
    card needs.
    """

    zone: HeldPool
    shared: Bag
    unseen: Bag
    free: int

    def most(self, kind: int) -> int:
        """Return the most copies of ``kind`` that the hand may hold."""
        shift, zone, free = bags.LANE * kind, self.zone, self.free
        fresh, unknown = self.unseen >> shift & bags.FULL, zone.unknown
        hidden = (self.shared >> shift & bags.FULL) + (fresh if fresh < free else free)
        return (zone.known >> shift & bags.FULL) + (hidden if hidden < unknown else unknown)

    def mosts(self, kinds: range) -> list[int]:
        """Return :meth:`most` of each of ``kinds``, in one pass."""
        known, shared, unseen = self.zone.known, self.shared, self.unseen
        unknown, free = self.zone.unknown, self.free
        found = []
        for kind in kinds:
            shift = bags.LANE * kind
            fresh = unseen >> shift & bags.FULL
            hidden = (shared >> shift & bags.FULL) + (fresh if fresh < free else free)
            found.append((known >> shift & bags.FULL) + (hidden if hidden < unknown else unknown))
        return found

    def may_hold(self, need: Bag) -> bool:
        """Return True if the hand may hold all of ``need`` at once.

        This is exact: some way to fill every unknown place has ``need`` in the hand.
        """
        known, shared, unseen = self.zone.known, self.shared, self.unseen
        places, free = self.zone.unknown, self.free
        while need:
            hidden = (need & bags.FULL) - (known & bags.FULL)
            if hidden > 0:
                fresh = hidden - (shared & bags.FULL)
                if fresh > 0:
                    if fresh > (unseen & bags.FULL):
                        return False
                    free -= fresh
                places -= hidden
                if places < 0 or free < 0:
                    return False
            need >>= bags.LANE
            known >>= bags.LANE
            shared >>= bags.LANE
            unseen >>= bags.LANE
        return True

    def besides(self, put: Bag, kinds: range) -> list[int]:
        """Return the ``kinds`` of which the hand may hold one more besides ``put``, which it may hold.

        It agrees with :meth:`may_hold` of each, in one pass.
        """
        known, shared, unseen = self.zone.known, self.shared, self.unseen
        places, free = self.zone.unknown, self.free
        for kind, copies in bags.items(put):
            hidden = copies - bags.count(known, kind)
            if hidden > 0:
                places -= hidden
                free -= max(hidden - bags.count(shared, kind), 0)
        found = []
        for kind in kinds:
            shift = bags.LANE * kind
            hidden = (put >> shift & bags.FULL) + 1 - (known >> shift & bags.FULL)
            if hidden > 0:
                fresh = hidden - (shared >> shift & bags.FULL)
                if places < 1 or (fresh > 0 and (free < 1 or fresh > (unseen >> shift & bags.FULL))):
                    continue
            found.append(kind)
        return found


NOTHING = Reach(HeldPool(), 0, 0, 0)


class Hand(msgspec.Struct, frozen=True):
    """The cards that one hand may hold, by the two backs.

    ``size`` is the number of its cards, ``noble_cards`` that of its nobles, ``stones`` the most Buona Pietra
    that it may lay down now.
    """

    towers: Reach
    nobles: Reach
    size: int
    noble_cards: int = 0
    stones: int = 0

    def may_hold(self, need: Bag) -> bool:
        """Return True if it may hold all of ``need`` at once; the backs do not depend on each other."""
        towers = need & TOWER_CARDS
        if need != towers and not self.nobles.may_hold(need - towers):
            return False
        return self.towers.may_hold(towers)


class Back(msgspec.Struct, frozen=True, kw_only=True):
    """The cards of one back in both hands, and those shared between them."""

    hands: tuple[HeldPool, HeldPool] = (HeldPool(), HeldPool())
    shared: Bag = 0

    def within_reach(self, seat: int, unseen: Bag) -> Reach:
        """Return the most that a hand may hold; nobody knows the place of the ``unseen`` cards."""
        first, second = self.hands
        free = first.unknown + second.unknown - bags.total(self.shared)
        return Reach(self.hands[seat], self.shared, unseen, free)

    def with_hand(self, seat: int, known: Bag, unknown: int, shared: Bag | None = None) -> Self:
        """Replace one of the hands, and the shared cards unless they are None."""
        hand, (first, second) = HeldPool(known, unknown), self.hands
        hands = (first, hand) if seat else (hand, second)
        return replace(self, hands=hands, shared=self.shared if shared is None else shared)

    def pinned(self, seat: int, held: Bag) -> Self:
        """Return the knowledge of somebody who knows that a hand holds ``held``."""
        hand = self.hands[seat]
        hidden = bags.without(held, hand.known)
        unknown, shared = hand.unknown - bags.total(hidden), bags.without(self.shared, hidden)
        return self.with_hand(seat, hand.known + hidden, unknown, shared)

    def shown(self, seat: int, shown: Bag) -> Self:
        """Take cards out of a hand in the open."""
        hand, shared = take(self.hands[seat], self.shared, shown)
        return self.with_hand(seat, hand.known, hand.unknown, shared)

    def gained(self, seat: int, known: Bag) -> Self:
        """Put cards that everybody saw into a hand."""
        hand = self.hands[seat]
        return self.with_hand(seat, hand.known + known, hand.unknown)

    def passed(self, giver: int, cards: int) -> Self:
        """Pass a number of cards to the other hand: every known one may be among them."""
        gives, takes = self.hands[giver], self.hands[1 - giver]
        left = self.with_hand(giver, 0, gives.size - cards, self.shared + gives.known)
        return left.with_hand(1 - giver, takes.known, takes.unknown + cards)

    def buried(self, seat: int, cards: int) -> Self:
        """Take a number of cards out of a hand; only their player sees which.

        As many copies of each kind become unknown; known copies above that number are still there.
        """
        size, known = self.hands[seat].size - cards, _find_fewer(self.hands[seat].known, cards)
        return self.with_hand(seat, known, size - bags.total(known), _find_fewer(self.shared, cards))

    def forgotten(self) -> Self:
        """Return both hands with nothing known but their sizes."""
        first, second = (HeldPool(0, hand.size) for hand in self.hands)
        return replace(self, hands=(first, second), shared=0)


def _find_fewer(held: Bag, cards: int) -> Bag:
    return sum(bags.one(kind, copies - cards) for kind, copies in bags.items(held) if copies > cards)


def take(zone: HeldPool, shared: Bag, taken: Bag) -> tuple[HeldPool, Bag]:
    """Return the hand and the shared cards after ``taken`` left the hand in the open.

    Known copies go first: the hand certainly held those. The others were unknown cards, shared ones if there
    are shared ones of their kind.
    """
    from_known = sum(
        bags.one(kind, min(copies, bags.count(zone.known, kind))) for kind, copies in bags.items(taken)
    )
    hidden = taken - from_known
    return HeldPool(zone.known - from_known, zone.unknown - bags.total(hidden)), bags.without(shared, hidden)
