"""The referee's knowledge of a game of Marrakesh.

Nearly everything lies open. What stands behind a screen follows from what was revealed: twelve keshis a
season, three of them a round (MK-3.1). Provision tiles that lie face down stay unknown until they are turned
up. Tiles are named when they are taken, not when they are laid out.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar, TypeVar

import msgspec
from msgspec.structs import replace

from engines import bags
from engines.bags import Bag
from engines.contract import SEATS, Level, Option
from engines.kit import note
from engines.marrakesh.facts import Printing, known
from engines.marrakesh.keshis import AREAS, BEIGE, RED
from engines.marrakesh.tiles import scroll_fact

EARLIER, RULES = (1,), 2
"""The versions of the rules that a match may have been made under, and today's."""

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
OASES = ("left1", "left2", "left3", "right1", "right2", "right3")
"""The places of oases in a Sahara; bits of :attr:`Side.claimed` in this order."""
ON_TRACK = len(OASES)
WORKSHOPS = 4
ASSISTANT = "assistant"

OPTIONS = (
    Option("river_shared_space", ("no", "yes"), "MK-7.2"),
    Option("oasis_exchange_goods", ("yes", "no"), "MK-14.5"),
)


class Variant(msgspec.Struct, frozen=True):
    """The number of seats; then, in the order of :data:`OPTIONS`, a flag for each option that has its second
    value; and the names of the expansions that are played (:mod:`.book`).
    """

    seats: int = 2
    shared: bool = False  # MK-7.2
    goods_apart: bool = False  # MK-14.5
    expansions: frozenset[str] = frozenset()


class Frame(msgspec.Struct, frozen=True):
    """A question that has been asked.

    ``what`` is the question's own detail; ``n`` counts what is left or was done so far. ``why`` is the
    category that VP of it are booked in, ``source`` the tile they are of.
    """

    question: str
    what: str = ""
    n: int = 0
    why: str = ""
    source: str = ""
    open: bool = False


EFFECT = "effect"
"""Stands for a question where none is asked."""
ONCE = -1
"""The number of an effect that is named without one."""


class Effect(msgspec.Struct, frozen=True):
    """A frame that asks nothing: what happens once the frames above it are answered (:mod:`.book`).

    ``what`` is what it is about, a seat, a colour, a place; ``n`` how often or how many. ``why`` and
    ``source`` are those of a :class:`Frame`.
    """

    question: ClassVar[str] = EFFECT
    open: ClassVar[bool] = False
    name: str
    what: str = ""
    n: int = ONCE
    why: str = ""
    source: str = ""

    @property
    def times(self) -> int:
        """Its number, 1 where none is named."""
        return 1 if self.n == ONCE else self.n


AnyFrame = Frame | Effect
IN_TURN = Effect(ASSISTANT)
"""Below all that an assistant does in its owner's turn waits the next assistant (MK-6.1)."""


class Gain(msgspec.Struct, frozen=True):
    """VP gained or lost in a season; ``source`` is the tile, place or colour that gave them."""

    season: int
    category: str
    points: int
    source: str = ""


class Side(msgspec.Struct, frozen=True):
    """All that lies before a seat.

    ``behind`` are the keshis behind the screen, ``chosen`` those revealed for the next throw. ``assistants``
    are the areas in which one stands, sorted, the souk as often as it holds one. ``board`` counts deployed
    keshis by colour: guards wherever they stand, reds as vendors. ``vendors`` is the set of areas with one,
    ``fresh`` those of them placed in the turn that goes on (MK-6.2), ``stall`` whether one stands in the souk
    (scroll 57). ``square`` is the set of places with an entertainer in the order of :data:`.facts.SQUARE`,
    ``disc`` the section, from 0, that faces the copy's first place, -1 until somebody tells. ``caravans`` by
    :data:`PATHS`. ``claimed`` is the set of :data:`OASES` that were claimed, ``found`` the numbers that
    scroll 68 had told of them before, 0 for none, ``oases`` the numbers of those claimed in the order of
    the track, ``stock`` by place of the track the keshi that waits there, ``-`` for none. ``gates`` by gate
    place a colour's letter or ``-``. ``fisherman`` counts steps from the start, the jetty one behind the
    last space; ``spot`` is the place at the jetty, 1 the best, 0 for none, and on a space that fishermen
    share the place behind who came first. ``demands`` are the face-up provision tiles.
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
        """Return how many of a resource lie there."""
        return bags.count(self.resources, kind)

    def deployed(self, kind: int) -> int:
        """Return how many keshis of a colour are deployed."""
        return bags.count(self.board, kind)

    def room(self, kind: int) -> int:
        """Return how many keshis of this colour find a place (MK-5.2, MK-5.4, MK-13.5); goods always do."""
        if kind == RED:
            return len(AREAS) - self.vendors.bit_count()
        return PLACES - self.deployed(kind) if kind < RED else PLACES

    def has_room(self, kind: int) -> bool:
        """Return True if a keshi of this colour finds a place."""
        return self.room(kind) > 0

    @property
    def standing(self) -> int:
        """The gates that were bought."""
        return PLACES - self.gates.count("-")

    @property
    def on_tower(self) -> int:
        """The guards on the watchtower: all but those at gates (MK-13.1)."""
        return self.deployed(BEIGE) - self.standing

    @property
    def reached(self) -> int:
        """The set of oases that were ever discovered: caravans stand beside them (MK-14.1)."""
        _, left, right = self.caravans
        left, right = min(left, ON_PATH[LEFT]), min(right, ON_PATH[RIGHT])
        return (1 << left) - 1 | (1 << right) - 1 << ON_PATH[LEFT]

    @property
    def discovered(self) -> int:
        """The set of discovered oases that are not claimed."""
        return self.reached & ~self.claimed


class State(msgspec.Struct, frozen=True):
    """The table, and how far the round has come.

    ``inside`` is what all throws ever made left in the tower; ``fallen`` those that people went back before.
    ``tray`` is what lies on it now. ``out`` is the set of seats that take no more from it. ``start`` holds
    the round tracker, ``holder`` the season's. ``lines`` are what the season's exchange office gives for each
    of the goods, empty until somebody tells; ``tiles`` the faces of river tiles that were won.
    ``ahead`` is the seat whose fisherman starts the next season on the crocodile space (river tile 09).
    ``bought`` are the gates that left each workshop, ``began`` the scrolls and luxury goods that the seat
    whose assistants are used had when its turn began (MK-12.3); neither is kept under version 1. ``beside``
    is what expansions keep (:mod:`.book`), ``rules`` the version of the rules that is played.
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

    # Looking

    @property
    def own(self) -> Side:
        """The side of the seat that is asked."""
        return self.sides[self.seat]

    @property
    def asked(self) -> Frame:
        """The question that is asked."""
        frame = self.frames[-1]
        assert isinstance(frame, Frame), "a question is asked"
        return frame

    def clockwise(self, seat: int) -> int:
        """Return the seat to the left of another."""
        return (seat + 1) % self.variant.seats

    @property
    def order(self) -> tuple[int, ...]:
        """All seats clockwise from the start player."""
        return tuple((self.start + n) % self.variant.seats for n in range(self.variant.seats))

    def by_seat(self, *names: str) -> list[Effect]:
        """Return effects of these names, each for all seats clockwise from the start player."""
        return [Effect(name, SEATS[seat]) for name in names for seat in self.order]

    @property
    def thrown(self) -> Bag:
        """All keshis revealed for the next throw (MK-3.4)."""
        return sum(side.chosen for side in self.sides)

    @property
    def compelled(self) -> bool:
        """True if what can be bought must be: so it was before MK-6.5, under version 1."""
        return self.rules == 1

    def owns(self, word: str) -> bool:
        """Return True if the seat that is asked has the scroll that does this (MK-12.4)."""
        scrolls = self.sides[self.seat].scrolls
        return bool(scrolls) and word in _words(self.copy, scrolls)

    @property
    def in_turn(self) -> bool:
        """True while the seat that is asked uses its assistants."""
        return IN_TURN in self.frames

    @property
    def won_in_turn(self) -> tuple[tuple[int, ...], tuple[str, ...]]:
        """The scrolls and luxury goods that came in the turn of assistants that goes on: no new ones are
        turned up before it ends (MK-12.3, MK-9.4). Outside such a turn, and under version 1, there are none.
        """
        if self.compelled or not self.in_turn:
            return (), ()
        scrolls, goods = self.began
        return self.own.scrolls[scrolls:], self.own.goods[goods:]

    @property
    def keshi_places(self) -> tuple[int, ...]:
        """The places of the oasis track that take a keshi at first: three with two players, else two
        (MK-1.5).
        """
        two = self.variant.seats == 2
        icons = ("keshi", "keshi_of_two") if two else ("keshi",)
        return tuple(at for at, icon in enumerate(self.copy.track) if icon in icons)[: 3 if two else 2]

    # Changing

    def with_own(self, **fields: Any) -> State:
        """Return the state with these ``fields`` on the asked seat's side; it is noted as a move."""
        sides, seat = self.sides, self.seat
        side = replace(sides[seat], **fields)
        note((seat, sides[seat], side))
        return replace(self, sides=(*sides[:seat], side, *sides[seat + 1 :]))

    def asking(self, *frames: AnyFrame) -> State:
        """Return the state with ``frames`` on top of those that there are, the last asked first."""
        return replace(self, frames=self.frames + frames)

    def answered(self, *frames: AnyFrame) -> State:
        """Return the state without the frame on top, and with ``frames`` in its place."""
        return replace(self, frames=self.frames[:-1] + frames)

    def doing(self, *effects: Effect) -> State:
        """Return the state in which these effects happen next, the first first."""
        return replace(self, frames=self.frames + effects[::-1])

    def gained(self, category: str, points: int, source: str = "") -> State:
        """Return the state after the seat that is asked gained ``points``, or lost them; 0 leave no trace."""
        if not points:
            return self
        gain = Gain(self.season, category, points, source)
        return self.with_own(gains=(*self.own.gains, gain))

    def got(self, kind: int, number: int = 1) -> State:
        """Return the state after the seat that is asked got so many of a resource."""
        return self.with_own(resources=self.own.resources + bags.one(kind, number)) if number else self


T = TypeVar("T")


def members(bits: int, names: Sequence[T]) -> list[T]:
    """Return the members of a set: those of all ``names`` whose bits are in it, in their order."""
    return [name for at, name in enumerate(names) if bits >> at & 1]


@lru_cache(4096)
def _words(copy: Printing, scrolls: tuple[int, ...]) -> frozenset[str]:
    return frozenset(known(copy, scroll_fact(number)) for number in scrolls)
