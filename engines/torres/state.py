"""The referee's knowledge of a game of Torres."""

from __future__ import annotations

from functools import partial

import msgspec

from engines.contract import SEATS, Level, Option
from engines.kit import of_variant, variant
from engines.torres import stacks as piles
from engines.torres.cards import ALL, AP6, MORE_POINTS
from engines.torres.cells import NOWHERE, cells
from engines.torres.ground import BLOCKS, EMPTY, Ground
from engines.torres.stacks import PHASES, Stacks

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
    """The number of seats; then by :data:`OPTIONS`, in their order, True for each at its second value."""

    seats: int = 2
    descend: bool = False  # TO-3.3
    leader_first: bool = False  # TO-5.1
    last_chooses: bool = False  # TO-5.4
    master: bool = False  # TO-6
    master_cards: bool = False  # TO-6.3


variant_of = partial(variant, Variant, OPTIONS)
"""The variant of so many seats with these options, a value of each by name."""
options = partial(of_variant, OPTIONS)
"""The options of a variant, a value of each by name."""


class Frame(msgspec.Struct, frozen=True):
    """A question that has been begun, and the space it goes out from or the seat it is about."""

    question: str
    cell: int = NOWHERE
    open: bool = True


class PhaseGains(msgspec.Struct, frozen=True):
    """A seat's gains in a phase: by score steps, castles as (area, level), the king, spaces that others had
    taken (TO-3.11), and master cards.
    """

    steps: int = 0
    castles: tuple[tuple[int, int], ...] = ()
    king: int = 0
    bumps: int = 0
    cards: int = 0

    @property
    def total(self) -> int:
        """All of it."""
        points = self.steps + self.king + self.bumps + self.cards
        for area, level in self.castles:
            points += area * level
        return points


NO_LINES = (PhaseGains(),) * PHASES


class State(msgspec.Struct, frozen=True):
    """The table seat by seat, and how far the turn has come.

    ``left`` are action points, ``placed`` the blocks of this turn from own stacks and ``under`` those slid
    under a knight (both still counted in ``stacks`` until the turn ends), ``fresh`` the cards taken this
    turn, ``carded`` whether one was played. What a hand holds is not known: its size is what of ten cards is
    neither in the deck nor played. ``before`` are points that a match of level score was entered with.
    ``holds`` is for who sees the hand of the seat to move: the cards that it may play.
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
        """Return the blocks that are neither on the board nor in front of anybody."""
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
        """Return the blocks the seat to move still has in front of it."""
        return sum(self.stacks[self.seat]) - self.placed - self.under

    def may_place_block(self) -> bool:
        """Return True if a stack has another block for this turn (TO-3.4)."""
        return piles.can_place(self.stacks[self.seat], self.placed, self.under)

    def hand_size(self, seat: int) -> int:
        """Return how many action cards a seat holds."""
        return DECK - self.decks[seat] - self.played[seat].bit_count()

    def old_cards(self) -> int:
        """Return how many cards the seat to move holds that it did not take this turn (TO-3.9)."""
        return self.hand_size(self.seat) - self.fresh

    def possible_cards(self) -> int:
        """Return the cards that the seat to move may hold and play, by all that was seen.

        Any that was not played may have been kept when one was taken, so only numbers can rule cards out.
        """
        if self.holds is not None:
            return self.holds
        return ALL & ~self.played[self.seat] if self.old_cards() > 0 else 0

    def more_points(self, points: int) -> dict[str, int | str]:
        """Return the figures of a refusal for want of action points: which card might give them (TO-4.6)."""
        cards = 0 if self.carded else self.possible_cards()
        gain = [kind for kind in MORE_POINTS if cards >> kind & 1 and self.left + MORE_POINTS[kind] >= points]
        if not gain:
            return {"left": self.left}
        one = "more.ap6" if AP6 in gain else "more.ap7"
        return {"left": self.left, "remedy": "more.either" if len(gain) > 1 else one}

    def rounds(self) -> int:
        """Return how many rounds the phase has."""
        return piles.rounds(self.variant.seats, self.phase)

    def new_turn(self, seat: int) -> dict[str, object]:
        """Return the fields of a turn that begins."""
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
    """Return the state in which nothing lies on the board yet."""
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
