"""The referee's knowledge of a game of The Castles of Tuscany.

Region cards are hidden until they are paid, and then lie in the discards. So hands are numbers, and a hand
may hold any cards outside the discards (CT-2.2, CT-3.8). When the discards are shuffled, that knowledge is
forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache, partial
from typing import Any

import msgspec
from msgspec.structs import replace

from engines import bags
from engines.bags import Bag
from engines.castles_of_tuscany import kinds, regions
from engines.castles_of_tuscany.facts import Printing
from engines.castles_of_tuscany.kinds import KINDS, NUMBERS, WILD, kind_of
from engines.castles_of_tuscany.regions import Region
from engines.contract import SEATS, Level, Option
from engines.kit import note, of_variant, variant

EARLIER, RULES = (1,), 2
"""The earlier versions of the rules that are still played, and the current one."""

NOBODY = -1
ROUNDS = 3  # CT-6.1
HAND = 5  # CT-2.2
FINISHED, COUNTED = "finished", "counted"
"""Terminations: the last round is over, a final table was counted."""

OPTIONS = (
    Option("round_end", ("go_around", "at_once"), "CT-6.2"),
    Option("inn_may_discard", ("no", "yes"), "CT-5.3"),
    Option("extra_on_cards", ("yes", "no"), "CT-5.5"),
    Option("all_green", ("no", "yes"), "CT-7.1"),
)


class Variant(msgspec.Struct, frozen=True):
    """The number of seats, and for each of :data:`OPTIONS`, in their order, True for its second value."""

    seats: int = 2
    at_once: bool = False  # CT-6.2
    inn_discards: bool = False  # CT-5.3
    plain_cards: bool = False  # CT-5.5: "extra marble" and "extra worker" do not count for yield cards
    all_green: bool = False  # CT-7.1


variant_of = partial(variant, Variant, OPTIONS)
"""Return the variant of a number of seats and the options' values by name."""
options = partial(of_variant, OPTIONS)
"""Return the options' values of a variant by name."""

EFFECT = "effect"
"""The name of a frame that is no question: the coming effect of a placed tile."""


class Frame(msgspec.Struct, frozen=True):
    """A question in progress, or an effect to come (:data:`EFFECT`).

    ``n`` is the number of things left to turn up or to pay, ``space`` the space in question (-1 for none),
    ``tile`` the tile or kind; ``paid`` are the cards paid so far, and ``workers`` the workers.
    """

    question: str
    n: int = 0
    space: int = -1
    tile: str = ""
    paid: Bag = 0
    workers: int = 0
    open: bool = True


class Gain(msgspec.Struct, frozen=True):
    """VP gained in a round, on the green track or at once on the ``orange`` one.

    ``what`` is their source, as in the notation: a space, a kind of completed spaces, a square tile or a
    reward.
    """

    round: int
    category: str
    points: int
    what: str
    orange: bool = False


class Side(msgspec.Struct, frozen=True):
    """The pieces of a seat.

    ``boards`` are the names of its three boards from the top, ``seams`` their shifts; ``filled`` is the set
    of occupied spaces, ``wild`` that of spaces with a wild hex, ``shown`` the farm kinds by space. ``stored``
    are the tiles in storage, sorted, ``hand`` is a number of cards, ``squares`` are the square tiles by kind,
    ``piles`` sizes, and ``turned`` the own tiles that came out of them, by kind.
    ``counted`` are the figures of a final table (:mod:`.final`).
    """

    boards: tuple[str, ...] = ()
    seams: tuple[int, ...] = ()
    filled: int = 0
    wild: int = 0
    shown: tuple[tuple[int, str], ...] = ()
    stored: tuple[str, ...] = ()
    hand: int = HAND
    marble: int = 0
    workers: int = 0
    squares: Bag = 0
    piles: tuple[int, ...] = (kinds.IN_PILE,) * kinds.PILES
    turned: Bag = 0
    gains: tuple[Gain, ...] = ()
    counted: tuple[int, ...] = ()

    def held(self, what: str) -> int:
        """Return the number of a thing in :data:`.kinds.SUPPLY` that the seat has, on its region, too."""
        if what == "wilds":
            return self.stored.count(WILD) + self.wild.bit_count()
        return self.marble if what == "marble" else self.workers

    def places(self) -> int:
        """Return the number of places of the storage (CT-2.2, CT-5.9)."""
        return 1 + bags.count(self.squares, kinds.EXTRA_STORAGE)


class Moved(msgspec.Struct, frozen=True):
    """A note that the seat to move gets ``n`` things; ``due`` are more if there are not enough.

    A thing is a ``card``, ``marble``, ``worker``, ``wild``, ``square``, a castle's ``pick`` or a new kind on
    a ``farm``; ``shuffle`` notes a shuffle.
    """

    what: str
    n: int = 0
    due: int = 0


class State(msgspec.Struct, frozen=True):
    """The table, and the turn so far.

    ``display`` are the open tiles, sorted; ``neutral`` those face down, by kind; ``deck`` and ``yields`` are
    sizes; ``taken`` counts how often each colour's bonus was taken. ``left`` are actions of the turn;
    ``marbled`` is True if a marble was returned for one. ``trigger`` is the seat that triggered the round's
    end, or -1; ``last`` the number of last turns to come, 0 before them. ``reshuffled`` is True if the yield
    cards were shuffled again (not kept under version 1); ``rules`` is the version of the rules. ``holds`` are
    the region cards of the seat to move, by colour, for an observer who sees its hand.
    """

    variant: Variant
    copy: Printing = Printing()
    level: Level = Level.FULL
    sides: tuple[Side, ...] = (Side(), Side())
    display: tuple[str, ...] = ()
    neutral: Bag = kinds.NEUTRAL
    deck: int = kinds.CARDS - 2 * HAND
    discards: Bag = 0
    yields: int = kinds.YIELDS
    reshuffled: bool = False
    taken: tuple[int, ...] = (0,) * len(KINDS)
    seat: int = 0
    start: int = 0
    round: int = 1
    left: int = 1
    marbled: bool = False
    trigger: int = NOBODY
    last: int = 0
    frames: tuple[Frame, ...] = ()
    adjusted: tuple[int, ...] = (0, 0)
    termination: str = ""
    waived: tuple[str, ...] = ()
    rules: int = RULES
    holds: Bag | None = None

    @property
    def own(self) -> Side:
        """The side of the seat to move."""
        return self.sides[self.seat]

    def region(self, seat: int) -> Region:
        """Return the region of a seat; its boards must be named and known."""
        side = self.sides[seat]
        return _join_region(side.boards, side.seams, self.copy)

    def known_region(self, seat: int) -> Region | None:
        """Return the region of a seat; None while its boards are not all named and known."""
        side, known = self.sides[seat], dict(self.copy.boards)
        return (
            self.region(seat)
            if side.boards and all(regions.board(name) in known for name in side.boards)
            else None
        )

    def blank_region(self, seat: int) -> Region | None:
        """Return the region of a seat with a made up print; None while its boards are not named."""
        side, nothing = self.sides[seat], dict.fromkeys(regions.NAMES, KINDS[0] * regions.HEXES)
        if len(side.boards) < regions.BOARDS:
            return None
        return regions.put_together(side.boards, side.seams, nothing, self.copy.outline)

    def seams_below(self, above: str) -> tuple[int, ...]:
        """Return the legal seams below a board."""
        outline = self.copy.outline
        return regions.interlocking(outline) if self.rules == 1 else regions.seams(outline, above)

    def clockwise(self, seat: int | None = None) -> int:
        """Return the seat after the one to move, or after ``seat``."""
        return ((self.seat if seat is None else seat) + 1) % self.variant.seats

    @property
    def order(self) -> tuple[int, ...]:
        """All seats clockwise from the start player."""
        return tuple((self.start + n) % self.variant.seats for n in range(self.variant.seats))

    def unseen(self) -> Bag | None:
        """Return the region cards in hands and in the deck by colour; None if their numbers are unknown."""
        return bags.without(self.copy.cards, self.discards) if self.copy.cards else None

    def own_hidden(self, seat: int) -> Bag:
        """Return the own tiles of a seat that are face down, by kind (CT-1.3)."""
        return bags.without(kinds.OWN, self.sides[seat].turned)

    def in_supply(self, what: str) -> int:
        """Return the number of a thing in :data:`.kinds.SUPPLY` that no seat has."""
        return kinds.SUPPLY[what] - sum(side.held(what) for side in self.sides)

    def squares_left(self, kind: int) -> int:
        """Return the square tiles of a kind in the supply."""
        return kinds.OF_EACH_SQUARE - sum(bags.count(side.squares, kind) for side in self.sides)

    def square_kinds(self) -> list[str]:
        """Return the kinds of square tiles that are left."""
        return [name for kind, name in enumerate(kinds.SQUARES) if self.squares_left(kind)]

    def with_side(self, seat: int, **fields: Any) -> State:
        """Return the state with other ``fields`` of a seat's side."""
        side = replace(self.sides[seat], **fields)
        return replace(self, sides=(*self.sides[:seat], side, *self.sides[seat + 1 :]))

    def asking(self, *frames: Frame) -> State:
        """Return the state with more ``frames`` on top; the last one is the pending one."""
        return replace(self, frames=(*self.frames, *frames))

    def answered(self, *frames: Frame) -> State:
        """Return the state with ``frames`` in place of the top one."""
        return replace(self, frames=(*self.frames[:-1], *frames))

    def gained(self, category: str, points: int, what: str, *, orange: bool = False) -> State:
        """Return the state after the seat to move gained ``points``, unless 0.

        With the option ``all_green``, points for the orange track are green ones, too (CT-7.1).
        """
        if not points:
            return self
        gain = Gain(self.round, category, points, what, orange and not self.variant.all_green)
        return self.with_side(self.seat, gains=(*self.own.gains, gain))

    def drawn(self, number: int) -> State:
        """Return the state after the seat to move drew region cards, as many as there are (CT-3.3).

        When the deck is empty, shuffle the discards and draw the rest.
        """
        deck, discards = self.deck, self.discards
        got = min(number, deck)
        deck -= got
        if got < number and discards:
            deck, discards = bags.total(discards), 0
            note(Moved("shuffle"))
            more = min(number - got, deck)
            deck, got = deck - more, got + more
        note(Moved("card", got, number))
        state = replace(self, deck=deck, discards=discards, holds=None)
        return state.with_side(state.seat, hand=state.own.hand + got)

    @property
    def land(self) -> Region:
        """The region of the seat to move."""
        return self.region(self.seat)

    def reachable(self) -> int:
        """Return the empty spaces of the own region beside occupied ones (CT-3.7)."""
        filled = self.own.filled
        return self.land.next_to(filled) & ~filled

    def spaces_for(self, tiles: Iterable[str]) -> int:
        """Return the spaces with the colour of one of ``tiles``; a wild hex has all colours."""
        of_kind, found = self.land.of_kind, 0
        for kind in {kind_of(tile) for tile in tiles}:
            if kind == WILD:
                return -1
            found |= of_kind[NUMBERS[kind]]
        return found

    def fitting(self, tiles: Iterable[str], space: int) -> list[str]:
        """Return the different ``tiles`` that a space takes, in order."""
        kind = self.land.kinds[space]
        return list(dict.fromkeys(tile for tile in tiles if kind_of(tile) in (kind, WILD)))

    def is_empty(self, space: int) -> bool:
        """Return True if a number is that of an empty space of the own region."""
        return 0 <= space < len(self.land.kinds) and not self.own.filled >> space & 1


@lru_cache(2048)
def _join_region(names: tuple[str, ...], seams: tuple[int, ...], copy: Printing) -> Region:
    return regions.put_together(names, seams, dict(copy.boards), copy.outline)


def sight(seat: int) -> str:
    """Return the name of the sight of a seat's region."""
    return f"region.{SEATS[seat]}"
