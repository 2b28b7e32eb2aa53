"""Hidden pieces, counted: what a zone may still hold, given all that was seen.

A *pool* is one card back or one bag, its manifest fixed. Each *zone* (a hand, a deck) holds known copies by
kind and a number of unknown ones; what is in no zone by name is *unseen* and fills the unknown places. Cards
that changed hands unseen are *shared*: known to be in one of two zones, not in which.

All of it is lower bounds. A rule that moves known pieces out of sight must weaken the knowledge with them, so
that no step true at the table is ever refused.
"""

from __future__ import annotations

import msgspec

from engines import bags
from engines.bags import Bag


class HeldPool(msgspec.Struct, frozen=True):
    """One holder's pieces: ``known`` copies by kind and ``unknown`` more of any kind."""

    known: Bag = 0
    unknown: int = 0

    @property
    def size(self) -> int:
        """The number of pieces in the zone."""
        return self.unknown + bags.total(self.known)


class Reach(msgspec.Struct, frozen=True):
    """The most that one zone may hold.

    ``zone`` is the zone asked about, ``shared`` the pieces known to be in it or in its partner, ``unseen``
    the pieces known nowhere, ``free`` the unknown places of both zones that no shared piece needs.
    """

    zone: HeldPool
    shared: Bag
    unseen: Bag
    free: int

    def most(self, kind: int) -> int:
        """Return how many copies of ``kind`` the zone may hold."""
        shift = bags.LANE * kind
        seen_with_partner = self.shared >> shift & bags.FULL
        unseen = self.unseen >> shift & bags.FULL
        hidden = seen_with_partner + (unseen if unseen < self.free else self.free)
        unknown = self.zone.unknown
        return (self.zone.known >> shift & bags.FULL) + (hidden if hidden < unknown else unknown)

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
        """Return True if the zone may hold all of ``need`` at once.

        Exact for this knowledge: some way of filling every unknown place has ``need`` in the zone.
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
        """Return those of ``kinds`` of which the zone may hold one more besides ``put``, which it may hold.

        The same as asking :meth:`may_hold` for each, in one pass.
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


def take(zone: HeldPool, shared: Bag, taken: Bag) -> tuple[HeldPool, Bag]:
    """Return the zone and the shared pieces after ``taken`` left the zone in the open.

    Known copies go first: the zone certainly held those. What remains lowers the shared bound by kind, and
    is otherwise one of the unknown pieces.
    """
    from_known = sum(
        bags.one(kind, min(copies, bags.count(zone.known, kind))) for kind, copies in bags.items(taken)
    )
    hidden = taken - from_known
    return HeldPool(zone.known - from_known, zone.unknown - bags.total(hidden)), bags.without(shared, hidden)
