"""A camera's sights: the region before each seat, and the display.

The layout of a region has the spaces with a tile, with ``*`` behind those with a wild hex. The layout of the
display has its tiles by kind; a camera cannot read farm kinds::

    d3,e4*,f2        t,f,f,v,v,m,r,r

``-`` is an empty layout.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from engines.board import Board, Cell
from engines.castles_of_tuscany.book import BOOK
from engines.castles_of_tuscany.effects import NONE
from engines.castles_of_tuscany.kinds import FARM, KINDS, TOO_MANY, WILD, kind_of
from engines.castles_of_tuscany.placing import PLACE
from engines.castles_of_tuscany.regions import cells
from engines.castles_of_tuscany.state import State, sight
from engines.castles_of_tuscany.taking import TAKE
from engines.contract import (
    SEATS,
    Choice,
    Domain,
    Exact,
    Interpretation,
    OutOfStep,
    Over,
    Report,
    Several,
    Sight,
)
from engines.errors import Malformed
from engines.kit import OpenRow, listed, question, words

_SPACE = re.compile(r"([a-i][1-9])(\*?)")
_MET = 400
"""The most states that are looked at for payments and reports between two placements."""


class Spaces(msgspec.Struct, frozen=True):
    """The names of the spaces with a tile, and of those with a wild hex."""

    tiles: frozenset[str] = frozenset()
    wild: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return listed(name + "*" * (name in self.wild) for name in _sort_by_row(self.tiles | self.wild))


def _sort_by_row(names: Iterable[str]) -> list[str]:
    return sorted(names, key=lambda name: (name[1], name[0]))


class RegionSight(Sight[State]):
    """The tiles on a seat's region; a tile has the colour of its space."""

    def __init__(self, seat: int) -> None:
        """Read the region before ``seat``."""
        self._seat = seat

    @property
    def NAME(self) -> str:  # noqa: N802
        """``region.a``."""
        return sight(self._seat)

    @property
    def SEAT(self) -> int:  # noqa: N802
        """Its owner."""
        return self._seat

    def of(self, state: State, /) -> Spaces:
        """Return the tiles on the region, with the one that is being paid for."""
        side, land = state.sides[self._seat], state.known_region(self._seat)
        if land is None:
            return Spaces()
        filled, wild = side.filled, side.wild
        if question(state) == "pay" and state.seat == self._seat:
            filled |= 1 << state.frames[-1].space
            wild |= (state.frames[-1].tile == WILD) << state.frames[-1].space
        tiles, wilds = ((land.names[space] for space in cells(each)) for each in (filled & ~wild, wild))
        return Spaces(frozenset(tiles), frozenset(wilds))

    def read(self, text: str, /) -> Spaces:
        """Return the layout of a text; raises Malformed."""
        found: dict[str, str] = {}
        for word in words(text):
            space = _SPACE.fullmatch(word)
            if not space or space[1] in found:
                raise Malformed(f"{word!r} in {text!r} is not a space like d3 or e4*, or there twice")
            found[space[1]] = space[2]
        return Spaces(
            frozenset(name for name in found if not found[name]),
            frozenset(name for name in found if found[name]),
        )

    def differences(self, seen: Spaces, expected: Spaces, /) -> tuple[str, ...]:
        """Write ``+Pd3`` if a tile lies on d3 and should not; ``-wPe4`` if a wild hex should lie on e4."""
        found = []
        for sign, one, other in (("+", seen, expected), ("-", expected, seen)):
            found += [f"{sign}{PLACE}{name}" for name in _sort_by_row(one.tiles - other.tiles)]
            found += [f"{sign}{WILD}{PLACE}{name}" for name in _sort_by_row(one.wild - other.wild)]
        return tuple(found)

    def visible(self, choice: Choice, /) -> bool:
        """Return True for choices that place a tile; payments and effects do not show."""
        if choice.question == "action":
            return choice.token[0] == PLACE
        return choice.question in ("first_castle", "tile", "pick", "pick_tile") and choice.token != NONE

    def board(self, state: State, seen: Spaces | None = None, /) -> Board | None:
        """Return the region with its tiles, or with those that were ``seen``; None if a board is unknown."""
        layout, land = seen or self.of(state), state.known_region(self._seat)
        if land is None:
            return None
        shown: list[Cell | None] = [None] * (land.columns * land.rows)
        for name, kind, place in zip(land.names, land.kinds, land.places, strict=True):
            piece = WILD if name in layout.wild else kind if name in layout.tiles else ""
            shown[place] = Cell(piece=piece, ground=kind)
        return Board(land.columns, land.rows, tuple(shown), land.shape)

    def explain(self, state: State, seen: Spaces, /) -> Interpretation | None:
        """Return the first of several placements of a turn; a later look shows the next.

        Payments and reports in between do not matter. Only the seat to move places tiles.
        """
        differences = self.differences(seen, self.of(state))
        if state.seat != self._seat:
            return OutOfStep((), differences, None)
        if len(differences) == 1:
            return None
        ways = tuple(dict.fromkeys(self._find_ways(state, seen, (), set())))
        return (Several(ways) if len(ways) > 1 else Exact(*ways)) if ways else None

    def _find_ways(
        self, state: State, seen: Spaces, way: tuple[Choice, ...], met: set[State]
    ) -> Iterator[tuple[Choice, ...]]:
        """Yield the choices of each way to ``seen``, up to the first that does not show."""
        left = len(self.differences(seen, self.of(state)))
        if not left:
            yield way
        elif state.seat == self._seat and state not in met and len(met) < _MET:
            met.add(state)
            legal = [] if isinstance(BOOK.pending(state), Over) else BOOK.legal(state)
            for choice in filter(self.visible, legal):
                after = BOOK.apply(state, choice)
                if len(self.differences(seen, self.of(after))) < left:
                    yield from self._find_ways(after, seen, (*way, choice), met)
            if way and question(state) != "action":
                hidden = (BOOK.apply(state, choice) for choice in legal if not self.visible(choice))
                if any(True for after in hidden for _ in self._find_ways(after, seen, way, met)):
                    yield way


class DisplaySight(OpenRow[State]):
    """The tiles of the display by kind, in the order of kinds."""

    NAME, PIECES, CALLED = "display", tuple(KINDS), "kind"

    def of(self, state: State, /) -> tuple[str, ...]:
        """Return the tiles on display, without one that waits for another to leave the storage."""
        shown = [kind_of(tile) for tile in state.display]
        if question(state) == "discard":
            shown.remove(kind_of(state.frames[-1].tile))
        return tuple(shown)

    def visible(self, choice: Choice, /) -> bool:
        """Return True for choices that add or take a tile."""
        if choice.question == "action":
            return choice.token[0] == TAKE
        return choice.question in _SHOWN and choice.token != NONE

    def explain(self, state: State, seen: tuple[str, ...], /) -> Interpretation:
        """Explain tiles by a step and the reports around it.

        The explanation ends before a farm comes up, whose farm kinds nobody read.
        """
        found = sorted(self._find_ways(state, seen, ()), key=len)
        ways = dict.fromkeys(
            cut for way in found if len(way) == len(found[0]) for cut in _cut_readable(state, way)
        )
        if ways:
            return Several(tuple(ways)) if len(ways) > 1 else Exact(*ways)
        return self._find_nearest(state, seen)

    def _find_nearest(self, state: State, seen: tuple[str, ...]) -> OutOfStep:
        """Return the single change that comes nearest, and the refusal of the first other one."""
        nearest: tuple[Choice, ...] = ()
        left, there = self.differences(seen, self.of(state)), state
        for choice in filter(self.visible, BOOK.legal(state)):
            after = BOOK.apply(state, choice)
            differences = self.differences(seen, self.of(after))
            if len(differences) < len(left):
                nearest, left, there = (choice,), differences, after
        asked = BOOK.pending(there)
        if isinstance(asked, Over) or not isinstance(asked.domain, Domain):
            return OutOfStep(nearest, left, None)
        gone = {f"{TAKE}{kind}" for kind in self.more(self.of(there), seen)}
        every = (*asked.domain.tokens, *asked.domain.written)
        tried = [Choice(asked.question, token) for token in every if token[:2] in gone]
        if isinstance(asked, Report):
            tried = self._list_coming(there, seen, asked.domain.tokens)
        refusals = (BOOK.why_not(there, choice) for choice in tried)
        return OutOfStep(nearest, left, next(filter(None, refusals), None))

    def _find_ways(
        self, state: State, seen: tuple[str, ...], way: tuple[Choice, ...]
    ) -> Iterator[tuple[Choice, ...]]:
        """Yield the choices of one step and of the reports around it that lead to ``seen``."""
        if way and self.of(state) == seen:
            yield way
            return
        asked = BOOK.pending(state)
        if isinstance(asked, Report) and self.visible(Choice(asked.question, "")):
            tokens = [choice.token for choice in BOOK.legal(state)]
            choices = self._list_coming(state, seen, tokens)
        elif isinstance(asked, Over | Report) or (way and not asked.open):
            return
        else:
            choices = [choice for choice in BOOK.legal(state) if self.visible(choice)]
        for choice in choices:
            yield from self._find_ways(BOOK.apply(state, choice), seen, (*way, choice))

    def _list_coming(self, state: State, seen: tuple[str, ...], tokens: Sequence[str]) -> list[Choice]:
        """Return a tile of the first kind that is to come, and of each kind that makes too many alike."""
        shown = self.of(state)
        kinds = [*self.more(seen, shown)[:1], *(kind for kind in KINDS if shown.count(kind) + 1 == TOO_MANY)]
        firsts = (next((token for token in tokens if kind_of(token) == kind), "") for kind in kinds)
        return [Choice(question(state), token) for token in dict.fromkeys(firsts) if token]


_TURNED_UP = ("display", "refill", "neutral")
_SHOWN = (*_TURNED_UP, "discard", "pick", "pick_tile")


def _cut_readable(state: State, way: tuple[Choice, ...]) -> list[tuple[Choice, ...]]:
    """Cut a way before the farm that comes up; if that is its first choice, return all possible farms."""
    farms = [at for at, each in enumerate(way) if each.question in _TURNED_UP and kind_of(each.token) == FARM]
    if not farms or state.copy.farms == 1:
        return [way]
    if farms[0]:
        return [way[: farms[0]]]
    return [(choice,) for choice in BOOK.legal(state) if kind_of(choice.token) == FARM]


SIGHTS: tuple[Sight[State], ...] = (*(RegionSight(seat) for seat in range(len(SEATS))), DisplaySight())
