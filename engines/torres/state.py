"""The referee's knowledge of a game of Torres."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import msgspec

from engines.contract import SEATS, Level, Option
from engines.kit import of_variant, variant
from engines.torres import stacks as piles
from engines.torres.cells import NOWHERE, cells
from engines.torres.ground import BLOCKS, EMPTY, Ground
from engines.torres.stacks import PHASES, Stacks

CARDS = ("jump", "under", "block", "doors", "diagonal", "ap6", "ap7", "move", "reposition", "leap")
"""The ten action cards of a player (TO-1.4) by their names in steps; sets of them are bitmasks."""
JUMP, UNDER, BLOCK, DOORS, DIAGONAL, AP6, AP7, MOVE, REPOSITION, LEAP = range(10)
CARD_CLAUSES = tuple(f"TO-4.{number}" for number in (1, 2, 3, 4, 5, 6, 6, 7, 8, 9))
ALL_CARDS = (1 << len(CARDS)) - 1
MORE_POINTS = {AP6: 1, AP7: 2}
"""The action points that a card adds to the usual five (TO-4.6)."""
TWO_PLACES = frozenset({"jump", "doors", "diagonal", "move", "reposition", "leap"})
"""Cards that move something from one space to another."""

KNIGHTS = 6  # TO-1.1
POINTS = 5  # TO-3
SETTLED = "settled"
COUNTED = "counted"
TAKES = 2  # TO-3.8
DECK = 10  # TO-1.4
SET_UP = frozenset({"found", "enter", "crown"})
FINAL = frozenset({"final", "final_height", "final_king", "final_knight", "final_phase", "track"})
"""The questions of a match of level score."""


OPTIONS = (
    Option("doors", ("castle", "descend"), "TO-3.3"),
    Option("scoring_order", ("start_player", "leader_first"), "TO-5.1"),
    Option("next_start", ("last", "last_chooses"), "TO-5.4"),
    Option("master", ("no", "yes"), "TO-6.2"),
    Option("master_cards", ("no", "yes"), "TO-6.3", needs=("master", ("yes",))),
)


class Variant(msgspec.Struct, frozen=True):
    """The number of seats, and for each of :data:`OPTIONS`, in their order, True for its second value."""

    seats: int = 2
    descend: bool = False  # TO-3.3
    leader_first: bool = False  # TO-5.1
    last_chooses: bool = False  # TO-5.4
    master: bool = False  # TO-6
    master_cards: bool = False  # TO-6.3


variant_of = partial(variant, Variant, OPTIONS)
"""Return the variant of a number of seats and the options' values by name."""
options = partial(of_variant, OPTIONS)
"""Return the options' values of a variant by name."""


class Frame(msgspec.Struct, frozen=True):
    """A question in progress, and its subject: the space chosen before, or a seat."""

    question: str
    cell: int = NOWHERE
    open: bool = True


class PhaseGains(msgspec.Struct, frozen=True):
    """A seat's gains in a phase: score steps, castles as (area, level), the king, spaces taken by others
    (TO-3.11), and master cards.
    """

    steps: int = 0
    castles: tuple[tuple[int, int], ...] = ()
    king: int = 0
    bumps: int = 0
    cards: int = 0

    @property
    def total(self) -> int:
        """The sum of the gains."""
        points = self.steps + self.king + self.bumps + self.cards
        for area, level in self.castles:
            points += area * level
        return points


NO_LINES = (PhaseGains(),) * PHASES


class State(msgspec.Struct, frozen=True):
    """The table seat by seat, and the turn so far.

    ``left`` are action points, ``placed`` blocks of this turn from own stacks and ``under`` those slid under
    a knight (``stacks`` contain both until the turn ends), ``fresh`` cards taken this turn; ``carded`` is
    True if one was played. Hands are hidden: ten cards are in the hand, in the deck or played. ``before`` are
    the points entered for a match of level score. ``holds`` are the playable cards of the seat to move, for
    an observer who sees its hand.
    """

    variant: Variant
    level: Level = Level.FULL
    ground: Ground = EMPTY
    knights: tuple[int, ...] = (0, 0)
    king: int = NOWHERE
    seat: int = 0
    start: int = 0
    phase: int = 1
    round: int = 1
    left: int = POINTS
    placed: int = 0
    under: int = 0
    fresh: int = 0
    carded: bool = False
    stacks: tuple[Stacks, ...] = ((), ())
    decks: tuple[int, ...] = (DECK, DECK)
    played: tuple[int, ...] = (0, 0)
    lines: tuple[tuple[PhaseGains, ...], ...] = (NO_LINES, NO_LINES)
    before: tuple[int, ...] = (0, 0)
    adjusted: tuple[int, ...] = (0, 0)
    frames: tuple[Frame, ...] = ()
    termination: str = ""
    waived: tuple[str, ...] = ()
    holds: int | None = None

    def order(self, start: int | None = None) -> tuple[int, ...]:
        """Return all seats clockwise, from ``start`` or the round's start player on."""
        first, seats = self.start if start is None else start, self.variant.seats
        return tuple((first + n) % seats for n in range(seats))

    def clockwise(self) -> int:
        """Return the seat after the one to move."""
        return (self.seat + 1) % self.variant.seats

    def is_last(self) -> bool:
        """Return True if the seat to move is the last of its round."""
        return self.clockwise() == self.start

    def height_of(self, cell: int) -> int:
        """Return the number of blocks on a space."""
        return self.ground.heights[cell]

    def knights_of(self) -> list[int]:
        """Return the spaces of the knights of the seat to move."""
        return list(cells(self.knights[self.seat]))

    def piece_on(self, cell: int) -> str:
        """Return the piece on a space: a seat's letter, ``K`` for the king, empty for nothing."""
        if self.king == cell:
            return "K"
        return next((SEATS[seat] for seat, own in enumerate(self.knights) if own >> cell & 1), "")

    def taken(self) -> int:
        """Return the spaces that hold a knight or the king."""
        mask = 1 << self.king if self.king >= 0 else 0
        for knights in self.knights:
            mask |= knights
        return mask

    def supply(self) -> int:
        """Return the number of blocks neither on the board nor in front of a player."""
        held = sum(map(sum, self.stacks)) - self.placed - self.under
        return BLOCKS - self.ground.blocks - held

    def total(self, seat: int) -> int:
        """Return a seat's points on the track."""
        first, second, third = self.lines[seat]
        return first.total + second.total + third.total + self.before[seat] + self.adjusted[seat]

    def totals(self) -> list[int]:
        """Return all seats' points on the track."""
        return [self.total(seat) for seat in range(self.variant.seats)]

    def own_blocks(self) -> int:
        """Return the number of blocks in front of the seat to move."""
        return sum(self.stacks[self.seat]) - self.placed - self.under

    def hand_size(self, seat: int) -> int:
        """Return the number of action cards in a hand."""
        return DECK - self.decks[seat] - self.played[seat].bit_count()

    def old_cards(self) -> int:
        """Return the number of cards that the seat to move holds from earlier turns (TO-3.9)."""
        return self.hand_size(self.seat) - self.fresh

    def possible_cards(self) -> int:
        """Return the cards that the seat to move may hold and play, going by what everybody saw.

        A player may have kept any unplayed card, so only numbers rule cards out.
        """
        if self.holds is not None:
            return self.holds
        return ALL_CARDS & ~self.played[self.seat] if self.old_cards() > 0 else 0

    def more_points(self, points: int) -> dict[str, int | str]:
        """Return the figures of a refusal for too few action points, and cards that may help (TO-4.6)."""
        cards = 0 if self.carded else self.possible_cards()
        gain = [kind for kind in MORE_POINTS if cards >> kind & 1 and self.left + MORE_POINTS[kind] >= points]
        if not gain:
            return {"left": self.left}
        one = "more.ap6" if AP6 in gain else "more.ap7"
        return {"left": self.left, "remedy": "more.either" if len(gain) > 1 else one}

    def rounds(self) -> int:
        """Return the number of rounds of the phase."""
        return piles.rounds(self.variant.seats, self.phase)

    def new_turn(self, seat: int) -> dict[str, object]:
        """Return the fields of a new turn."""
        return {
            "seat": seat,
            "left": POINTS,
            "placed": 0,
            "under": 0,
            "fresh": 0,
            "carded": False,
            "frames": (),
            "holds": None,
        }


def blank(variant: Variant, level: Level = Level.FULL, start: int = 0) -> State:
    """Return a state with an empty board."""
    seats = variant.seats
    return State(
        variant=variant,
        level=level,
        knights=(0,) * seats,
        seat=start,
        start=start,
        stacks=((),) * seats,
        decks=(0 if variant.master else DECK,) * seats,
        played=(0,) * seats,
        lines=(NO_LINES,) * seats,
        before=(0,) * seats,
        adjusted=(0,) * seats,
    )


def write_cards(cards: int) -> str:
    """Write a set of cards: ``jump,ap7``; ``-`` for none."""
    return ",".join(name for kind, name in enumerate(CARDS) if cards >> kind & 1) or "-"


def read_cards(words: Iterable[str]) -> int:
    """Return the set of the cards with these names."""
    return sum(1 << CARDS.index(word) for word in set(words))
