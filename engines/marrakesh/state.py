"""The referee's knowledge of a game of Marrakesh.

Nearly everything lies open. The keshis behind a screen follow from those revealed: twelve a season, three of
them a round (MK-3.1). Provision tiles that lie face down stay unknown until they are turned up. People name a
tile when they take it, not when they lay it out.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from engines import bags
from engines.bags import Bag
from engines.contract import SEATS, Level, Option
from engines.kit import note
from engines.marrakesh.facts import OASES, Printing, look_up
from engines.marrakesh.frames import IN_TURN, AnyFrame, Effect, Frame
from engines.marrakesh.pieces import AREAS, BEIGE, RED, name_scroll_fact

EARLIER, RULES = (1,), 2
"""The earlier versions of the rules, and the current one."""

NOBODY = -1
SEASONS, ROUNDS = 3, 4  # MK-2.1
PLACES = 8
"""Places for keshis of its colour in an area, entertainers on the square, and gates (MK-5.2, MK-13.5)."""
START_POINTS = 10  # MK-1.4
FINISHED = "finished"
"""The termination: season 3 is scored."""

RESOURCES = ("water", "date", "dinar")
"""Kinds of the bag :attr:`Side.resources`."""
WATER, DATE, DINAR = range(3)

FRESH_STALL = 1 << len(AREAS)
"""The souk's vendor among the :attr:`Side.fresh` ones."""

START_OASIS, LEFT, RIGHT = range(3)
PATHS = ("start", "left", "right")
ON_PATH = (2, 3, 3)
"""Places for caravans: two at the start oasis, three on each path (MK-14.1, MK-14.2)."""
ON_TRACK = len(OASES)
WORKSHOPS = 4

F = TypeVar("F", bound=Frame)

OPTIONS = (
    Option("river_shared_space", ("no", "yes"), "MK-7.2"),
    Option("oasis_exchange_goods", ("yes", "no"), "MK-14.5"),
)


class Variant(msgspec.Struct, frozen=True):
    """The number of seats; then, in the order of :data:`OPTIONS`, True for each option with its second value;
    and the names of the match's expansions (:mod:`.book`).
    """

    seats: int = 2
    shared: bool = False  # MK-7.2
    goods_apart: bool = False  # MK-14.5
    expansions: frozenset[str] = frozenset()


class Gain(msgspec.Struct, frozen=True):
    """VP gained or lost in a season; ``source`` is the tile, place or colour that gives them."""

    season: int
    category: str
    points: int
    source: str = ""


class Side(msgspec.Struct, frozen=True):
    """The pieces in front of a seat.

    ``behind`` are the keshis behind the screen, ``chosen`` those revealed for the next throw. ``assistants``
    are the areas with an assistant, sorted, the souk once for each there. ``board`` counts deployed keshis by
    colour, guards at gates and vendors among them. ``vendors`` is the set of areas with a vendor, ``fresh``
    the set of those placed in the current turn (MK-6.2); ``stall`` is True if one stands in the souk (scroll
    57). ``square`` is the set of places with an entertainer in the order of :data:`.facts.SQUARE`; ``disc``
    is the section, from 0, that faces the copy's first place, -1 while unknown. ``caravans`` are numbers by
    :data:`PATHS`. ``claimed`` is the set of claimed :data:`OASES`, ``found`` the numbers that scroll 68 told
    of them before, 0 for none; ``oases`` are the numbers of claimed oases in the order of the track;
    ``stock`` has by place of the track the keshi that waits there or ``-``, ``gates`` by gate place a
    colour's letter or ``-``. ``fisherman`` counts steps from the start; the jetty is one behind the last
    space. ``spot`` is the place at the jetty, 1 the best, 0 for none, or on a shared space the number of
    fishermen that came earlier. ``demands`` are the face-up provision tiles.
    """

    behind: Bag = 0
    chosen: Bag = 0
    assistants: str = ""
    board: Bag = 0
    vendors: int = 0
    fresh: int = 0
    stall: bool = False
    square: int = 0
    disc: int = -1
    caravans: tuple[int, ...] = (0, 0, 0)
    claimed: int = 0
    found: tuple[int, ...] = (0,) * ON_TRACK
    oases: tuple[int, ...] = ()
    stock: str = "-" * ON_TRACK
    gates: str = "-" * PLACES
    fisherman: int = 0
    spot: int = 0
    mosque: int = 0
    palace: int = 0
    lines: int = 0
    resources: Bag = sum(bags.one(kind) for kind in range(len(RESOURCES)))
    scrolls: tuple[int, ...] = ()
    refreshed: bool = False
    goods: tuple[str, ...] = ()
    demands: tuple[int, ...] = ()
    gains: tuple[Gain, ...] = ()

    def resource(self, kind: int) -> int:
        """Return the number of a resource."""
        return bags.count(self.resources, kind)

    def deployed(self, kind: int) -> int:
        """Return the number of deployed keshis of a colour."""
        return bags.count(self.board, kind)

    def room(self, kind: int) -> int:
        """Return the number of free places for a colour (MK-5.2, MK-5.4, MK-13.5); goods always have some."""
        return PLACES - bags.count(self.board, kind) if kind <= RED else PLACES

    def has_room(self, kind: int) -> bool:
        """Return True if there is a free place for a colour."""
        return kind > RED or bags.count(self.board, kind) < PLACES

    @property
    def standing(self) -> int:
        """The number of bought gates."""
        return PLACES - self.gates.count("-")

    @property
    def on_tower(self) -> int:
        """The number of guards on the watchtower: all except those at gates (MK-13.1)."""
        return self.deployed(BEIGE) - self.standing

    @property
    def reached(self) -> int:
        """The set of discovered oases, claimed or not: caravans stand beside them (MK-14.1)."""
        _, left, right = self.caravans
        left, right = min(left, ON_PATH[LEFT]), min(right, ON_PATH[RIGHT])
        return (1 << left) - 1 | (1 << right) - 1 << ON_PATH[LEFT]

    @property
    def discovered(self) -> int:
        """The set of discovered oases that are not claimed yet."""
        return self.reached & ~self.claimed


class State(msgspec.Struct, frozen=True):
    """The table, and the progress of the match.

    ``inside`` are the keshis that all throws so far left in the tower; ``fallen`` are the throws that people
    went back before. ``tray`` are the keshis on the tray, ``out`` the set of seats that take no more of them.
    ``start`` has the round tracker, ``holder`` the season's. ``lines`` are the gains that the season's
    exchange office gives for each of the goods, empty while unknown; ``tiles`` are the faces of the river
    tiles won so far. ``ahead`` is the seat whose fisherman starts the next season on the crocodile space
    (river tile 09). ``bought`` counts the gates bought from each workshop; ``began`` has the numbers of
    scrolls and luxury goods that the seat had at the beginning of its turn of assistants (MK-12.3); version 1
    keeps neither. ``beside`` are the expansions' own pieces (:mod:`.book`), ``rules`` is the match's version
    of the rules.
    """

    variant: Variant
    copy: Printing = Printing()
    level: Level = Level.FULL
    sides: tuple[Side, ...] = (Side(), Side())
    inside: Bag = 0
    fallen: tuple[str, ...] = ()
    tray: Bag = 0
    out: int = 0
    lines: tuple[str, ...] = ("", "", "")
    tiles: tuple[str, ...] = ()
    ahead: int = NOBODY
    bought: tuple[int, ...] = (0,) * WORKSHOPS
    began: tuple[int, int] = (0, 0)
    beside: tuple[msgspec.Struct, ...] = ()
    seat: int = 0
    start: int = 0
    holder: int = 0
    season: int = 1
    round: int = 1
    frames: tuple[AnyFrame, ...] = ()
    adjusted: tuple[int, ...] = (0, 0)
    termination: str = ""
    waived: tuple[str, ...] = ()
    rules: int = RULES

    # Reading

    @property
    def own(self) -> Side:
        """The side of the asked seat."""
        return self.sides[self.seat]

    def asked(self, kind: type[F]) -> F:
        """Return the pending question, which is of this kind."""
        frame = self.frames[-1]
        assert isinstance(frame, kind), f"{frame.question} is no {kind.__name__}"
        return frame

    def clockwise(self, seat: int) -> int:
        """Return the seat to the left of ``seat``."""
        return (seat + 1) % self.variant.seats

    @property
    def order(self) -> tuple[int, ...]:
        """All seats clockwise from the start player."""
        return tuple((self.start + n) % self.variant.seats for n in range(self.variant.seats))

    def by_seat(self, *names: str) -> list[Effect]:
        """Return the effects of these names, each for all seats clockwise from the start player."""
        return [Effect(name, SEATS[seat]) for name in names for seat in self.order]

    @property
    def thrown(self) -> Bag:
        """The keshis of all seats revealed for the next throw (MK-3.4)."""
        return sum(side.chosen for side in self.sides)

    @property
    def compelled(self) -> bool:
        """True under version 1, where a seat must buy if it can; MK-6.5 came later."""
        return self.rules == 1

    def owns(self, word: str) -> bool:
        """Return True if the asked seat has the scroll with this effect (MK-12.4)."""
        scrolls = self.sides[self.seat].scrolls
        return bool(scrolls) and word in _find_words(self.copy, scrolls)

    @property
    def in_turn(self) -> bool:
        """True while the asked seat uses its assistants."""
        return IN_TURN in self.frames

    @property
    def won_in_turn(self) -> tuple[tuple[int, ...], tuple[str, ...]]:
        """The scrolls and luxury goods won in the current turn of assistants; no new ones are turned up
        before it ends (MK-12.3, MK-9.4). There are none outside such a turn, and under version 1.
        """
        if self.compelled or not self.in_turn:
            return (), ()
        scrolls, goods = self.began
        return self.own.scrolls[scrolls:], self.own.goods[goods:]

    @property
    def keshi_places(self) -> tuple[int, ...]:
        """The places of the oasis track with a keshi at set-up: three with two players, otherwise two
        (MK-1.5).
        """
        two = self.variant.seats == 2
        icons = ("keshi", "keshi_of_two") if two else ("keshi",)
        return tuple(at for at, icon in enumerate(self.copy.track) if icon in icons)[: 3 if two else 2]

    # Changing

    def with_own(self, **fields: Any) -> State:
        """Return the state with other ``fields`` on the asked seat's side; note the change as a move."""
        sides, seat = self.sides, self.seat
        side = replace(sides[seat], **fields)
        note((seat, sides[seat], side))
        return replace(self, sides=(*sides[:seat], side, *sides[seat + 1 :]))

    def asking(self, *frames: AnyFrame) -> State:
        """Return the state with ``frames`` on top of the stack; the last is asked first."""
        return replace(self, frames=self.frames + frames)

    def answered(self, *frames: AnyFrame) -> State:
        """Return the state with ``frames`` in place of the top frame."""
        return replace(self, frames=self.frames[:-1] + frames)

    def doing(self, *effects: Effect) -> State:
        """Return the state in which these effects come next, in this order."""
        return replace(self, frames=self.frames + effects[::-1])

    def gained(self, category: str, points: int, source: str = "") -> State:
        """Return the state after the asked seat gained ``points``, or lost them if below 0."""
        if not points:
            return self
        gain = Gain(self.season, category, points, source)
        return self.with_own(gains=(*self.own.gains, gain))

    def got(self, kind: int, number: int = 1) -> State:
        """Return the state after the asked seat got ``number`` of a resource."""
        return self.with_own(resources=self.own.resources + bags.one(kind, number)) if number else self


T = TypeVar("T")


def list_members(bits: int, names: Sequence[T]) -> list[T]:
    """Return the members of a set: the ``names`` whose bits are in it, in order."""
    return [name for at, name in enumerate(names) if bits >> at & 1]


@lru_cache(4096)
def _find_words(copy: Printing, scrolls: tuple[int, ...]) -> frozenset[str]:
    return frozenset(look_up(copy, name_scroll_fact(number)) for number in scrolls)
