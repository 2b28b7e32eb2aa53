"""A Torres board through a camera: its field, and the rules' verdict on its picture, at the table and over a
folder.

============ =============================================================================
module       what it holds
============ =============================================================================
``reader``   the board of a match, by one camera or two: found, read, judged, and reported
``bench``    readings of a folder's pictures beside the truth
============ =============================================================================

Vision's readings and weights meet :mod:`device.sensors.readers.judging`, with the boards that stacks hide
(:func:`find_hidden_boards`) and the seats of colours. People choose their colours when they sit down and tell
nobody; but as soon as one of their knights stands where the match has it, its colour is seen there.

Behind a high stack a block may have come, or a knight gone or come, and no picture shows it. A camera that
takes hidden spaces for unchanged is silently wrong as often as people build there: in rendered pictures on
about one in five boards with a hidden space where the rules had allowed it. So these boards are weighed too;
the picture cannot tell them apart, and people are asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, product
from typing import Any, Final

from msgspec.structs import replace

from device.sensors.readers import FIELDS, judging
from device.sensors.readers.judging import Verdict
from engines.contract import Game
from engines.torres.cells import NOWHERE, NUMBERS, SIDE, cells
from engines.torres.ground import TALLEST
from engines.torres.layouts import Layout, differences
from engines.torres.reading_turns import TurnReader
from engines.torres.state import State
from vision.field import Field
from vision.torres import COLOURS, LEVELS, Colour, Coloured
from vision.torres.reading import MARGIN_STEEP, TEMPER, BoardReading, BoardScene, weigh

Seats = Mapping[Colour, int]
"""The seat of a colour, from 0; only known colours are in it."""

MATCHES = 0.75
"""The share of a seat's knights that must show a colour to make it the seat's: some may have moved since."""


class NobodysColour(ValueError):
    """Error raised when a piece has a colour of no known seat; the argument is the colour."""


def field_of(cell_mm: float) -> Field:
    """Return a board with spaces of this width, by the standard of the printed marker sheets."""
    side = SIDE * cell_mm
    return Field(side, side, *FIELDS["torres"])


def learn_seats(expected: Layout, seen: Coloured, known: Seats) -> dict[Colour, int]:
    """Return the seats of colours beside those ``known``, by where each seat's knights should stand.

    Seats whose knights show no colour clearly are left out.
    """
    colours = {cell: colour for cell, colour in seen.pieces if colour != "king" and colour not in known}
    found: dict[Colour, int] = {}
    twice: set[Colour] = set()
    for seat, own in enumerate(expected.knights):
        if seat in known.values():
            continue
        there = Counter(colours[cell] for cell in cells(own) if cell in colours)
        if not there:
            continue
        colour, number = there.most_common(1)[0]
        if number >= MATCHES * own.bit_count():
            if colour in found:
                twice.add(colour)
            found[colour] = seat
    return {colour: seat for colour, seat in found.items() if colour not in twice}


def add_newcomer(seats: Seats, seen: Coloured, seat: int, count: int) -> Seats:
    """Give a new colour on the board to ``seat``, or to the only seat without one.

    ``count`` is the number of seats. With two new colours nothing can be said.
    """
    new = {colour for _, colour in seen.pieces if colour != "king"} - set(seats)
    without = [one for one in range(count) if one not in seats.values()]
    if len(new) == 1 and (seat in without or len(without) == 1):
        return {**seats, new.pop(): seat if seat in without else without[0]}
    return seats


def layout_of(seen: Coloured, seats: Seats) -> Layout:
    """Return a seen board as the match's layout; raises :class:`NobodysColour`."""
    knights, king = [0, 0, 0, 0], NOWHERE
    for cell, colour in seen.pieces:
        if colour == "king":
            king = cell
        elif colour in seats:
            knights[seats[colour]] |= 1 << cell
        else:
            raise NobodysColour(colour)
    a, b, c, d = knights
    return Layout(seen.heights, (a, b, c, d), king)


def colour_layout(layout: Layout, seats: Seats) -> Coloured:
    """Return the look of a layout, with stacks up to :data:`LEVELS`.

    A seat of unknown colour is painted in one that nobody has: its knights must show, whatever their colour.
    """
    free = (colour for colour in COLOURS if colour != "king" and colour not in seats)
    colours = {seat: colour for colour, seat in seats.items()}
    pieces: list[tuple[int, Colour]] = [(layout.king, "king")] if layout.king != NOWHERE else []
    for seat, own in enumerate(layout.knights):
        colour = colours[seat] if seat in colours else next(free)
        pieces += [(cell, colour) for cell in cells(own)]
    heights = bytes(min(height, LEVELS) for height in layout.heights)
    return Coloured(heights, tuple(sorted(pieces)))


# The verdict

EFFORT: Final = 20_000
"""The number of situations that are searched for all the boards that stacks hide."""
MOST: Final = 16
"""The most of these that are returned."""


def judge_board(
    game: Game[State, Any],
    state: State,
    scene: BoardScene,
    reading: BoardReading,
    known: Seats,
    hidden: Iterable[int],
) -> Verdict:
    """Return the meaning of ``reading``, made of ``scene``, in a state: a proposal, a doubt, or out of step.

    ``known`` are the seats of colours, ``hidden`` those hidden spaces where something may have changed.
    Raises :class:`.NobodysColour` if the best reading has a piece of another colour.
    """
    margin = MARGIN_STEEP / TEMPER if reading.steep else judging.MARGIN
    # Another board can be right only if all its pieces have known colours, and untouched hidden spaces are
    # unchanged.
    ours, alone = {*known, "king"}, reading.hidden.difference(hidden)
    others = [
        (one, odds)
        for one, odds in reading.alternatives
        if {colour for _, colour in one.pieces} <= ours and not one.differences(reading.best) & alone
    ]
    # Hidden changes look alike, so they must not crowd out visible ones; find_hidden_boards() covers them.
    others.sort(key=lambda one: one[0].differences(reading.best) <= reading.hidden)
    read = [layout_of(one, known) for one in judging.select_worth_judging(reading.best, others, margin)]

    def weigh_layouts(layouts: Sequence[Layout]) -> list[float]:
        painted = [colour_layout(one, known) for one in layouts]
        return [found / TEMPER for found in weigh(scene, painted)]

    return judging.judge(
        game,
        state,
        read,
        weigh_layouts,
        also=find_hidden_boards(state, read[: judging.MOST], hidden),
        unsure=reading.unknown,
        margin=margin,
    )


def find_hidden_boards(state: State, read: Sequence[Layout], hidden: Iterable[int]) -> tuple[Layout, ...]:
    """Return the boards that a turn leads to and that differ from one of ``read`` in one ``hidden`` space.

    One more block may lie there. A knight of the seat to move may stand there, new or gone elsewhere, or
    stand there no more if one has come elsewhere. After another action it may have gone from one hidden space
    to another. ``read`` has the likeliest first; the others count only if they differ from it in plain sight.
    """
    if state.frames or state.termination:
        return ()
    places = frozenset(hidden)
    reader = TurnReader(state, EFFORT)
    knights = state.knights[state.seat].bit_count()
    found: dict[Layout, None] = {}
    for layout in read:
        if layout != read[0] and find_different_cells(layout, read[0]) <= places:
            continue
        others = _change_once(layout, state.seat, knights, places)
        for other in chain(
            others, _walk_knight(layout, state.seat, places) if layout != reader.before else ()
        ):
            if other not in read and other not in found and reader.plainest(other):
                found[other] = None
                if len(found) == MOST:
                    return tuple(found)
    return tuple(found)


def find_different_cells(one: Layout, other: Layout) -> frozenset[int]:
    """Return the spaces in which two layouts differ."""
    return frozenset(NUMBERS[word[-2:]] for word in differences(one, other))


def _change_once(layout: Layout, seat: int, knights: int, hidden: Iterable[int]) -> Iterator[Layout]:
    """Yield the layout with one more block in a hidden space, or with one knight there more or less.

    The seat then has its ``knights``, or more.
    """
    own, held = layout.knights[seat], _find_occupied(layout)
    for cell in sorted(hidden):
        if layout.heights[cell] < TALLEST:
            heights = bytearray(layout.heights)
            heights[cell] += 1
            yield replace(layout, heights=bytes(heights))
        there = own ^ 1 << cell
        if (own >> cell & 1 or not held >> cell & 1) and there.bit_count() >= knights:
            yield _put_knights(layout, seat, there)


def _walk_knight(layout: Layout, seat: int, hidden: Iterable[int]) -> Iterator[Layout]:
    """Yield the layout with a knight of the seat moved from one hidden space to another."""
    own, held = layout.knights[seat], _find_occupied(layout)
    for gone, come in product(sorted(hidden), repeat=2):
        if own >> gone & 1 and not held >> come & 1:
            yield _put_knights(layout, seat, own ^ 1 << gone ^ 1 << come)


def _find_occupied(layout: Layout) -> int:
    """Return the spaces with a piece, a bit each."""
    a, b, c, d = layout.knights
    return a | b | c | d | (1 << layout.king if layout.king >= 0 else 0)


def _put_knights(layout: Layout, seat: int, own: int) -> Layout:
    a, b, c, d = (own if at == seat else there for at, there in enumerate(layout.knights))
    return replace(layout, knights=(a, b, c, d))
