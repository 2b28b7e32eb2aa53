"""The board as a camera sees it, its text, and its faults.

A layout's text has the heights row by row from the top, one character a space: ``.`` for none, ``1`` to
``9``, ``A`` for 10 to ``Z`` for 35, ``a`` for 36 and on; it leaves out spaces without a block at the end of a
row. The pieces follow::

    ...1//..1..1/.......1/1/..1..1//....1 a=c3,d4 b=f6 king=h4

A seat without knights is left out or has ``-``; ``king=-`` is a board without a king.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from engines.board import KING, Board, Cell
from engines.contract import SEATS, Problem
from engines.errors import Malformed
from engines.kit import impossible, wrong
from engines.torres.cells import CELLS, NAMES, NOWHERE, NUMBERS, SIDE, cells, names
from engines.torres.ground import BLOCKS, LEAST_CASTLES, TALLEST, castle_at, survey
from engines.torres.state import KNIGHTS, State

NAME = "board"
_HEIGHTS = ".123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghi"


class Layout(msgspec.Struct, frozen=True):
    """64 heights, the set of spaces of each seat's knights, and the king's space (-1 for none).

    There are always four sets of knights, whatever the number of players, so that layouts compare.
    """

    heights: bytes = bytes(CELLS)
    knights: tuple[int, int, int, int] = (0, 0, 0, 0)
    king: int = NOWHERE

    def __str__(self) -> str:
        return write(self)


def of(state: State) -> Layout:
    """Return the layout of a state."""
    a, b, c, d = (*state.knights, 0, 0)[:4]
    return Layout(state.ground.heights, (a, b, c, d), state.king)


def board(state: State, seen: Layout | None = None) -> Board:
    """Return the board of a state, or with a layout that was ``seen``."""
    layout = seen or of(state)
    held = {cell: SEATS[seat] for seat, own in enumerate(layout.knights) for cell in cells(own)}
    held[layout.king] = KING
    shown = (Cell(height, held.get(cell, "")) for cell, height in enumerate(layout.heights))
    return Board(SIDE, SIDE, tuple(shown))


def write_heights(heights: bytes) -> str:
    """Write heights as in a layout's text."""
    rows = ("".join(_HEIGHTS[h] for h in heights[at : at + SIDE]) for at in range(0, CELLS, SIDE))
    return "/".join(row.rstrip(".") for row in rows)


def write(layout: Layout) -> str:
    """Return the layout's text."""
    seats = [f"{SEATS[seat]}={names(own)}" for seat, own in enumerate(layout.knights) if own]
    king = NAMES[layout.king] if layout.king >= 0 else "-"
    return " ".join([write_heights(layout.heights), *seats, f"king={king}"])


def read_heights(text: str) -> bytes:
    """Return the heights of a layout's text; raises Malformed."""
    rows = text.split("/")
    if len(rows) != SIDE or any(len(row) > SIDE or set(row) - set(_HEIGHTS) for row in rows):
        raise Malformed("{text!r} is not 8 rows like ..1..2 with a / between them", text)
    return bytes(_HEIGHTS.index(mark) for row in rows for mark in row.ljust(SIDE, "."))


def read_cells(text: str) -> int:
    """Return the set of spaces of ``c4,d5``; raises Malformed for an unknown space or one named twice."""
    words = [] if text == "-" else text.split(",")
    for at, word in enumerate(words):
        if word not in NUMBERS or word in words[:at]:
            raise Malformed("{word!r} in {text!r} is not a space from a1 to h8, or there twice", word, text)
    return sum(1 << NUMBERS[word] for word in words)


def read_king(text: str) -> int:
    """Return the king's space, -1 for ``-``; raises Malformed."""
    spaces = list(cells(read_cells(text)))
    if len(spaces) > 1:
        raise Malformed("{text!r}: there is one king", text)
    return spaces[0] if spaces else NOWHERE


def read(text: str) -> Layout:
    """Return the layout of a text; raises Malformed."""
    heights, *words = text.split() or [""]
    pieces: dict[str, str] = {}
    for word in words:
        name, equals, where = word.partition("=")
        if not equals or name in pieces or name not in (*SEATS, "king"):
            raise Malformed(f"{word!r} is not pieces like a=c4,d5 or king=h4, or there twice")
        pieces[name] = where
    a, b, c, d = (read_cells(pieces.get(seat, "-")) for seat in SEATS)
    return Layout(read_heights(heights), (a, b, c, d), read_king(pieces.get("king", "-")))


def status(layout: Layout) -> Iterator[Problem]:
    """Yield the faults of a layout, space by space; ``where`` names the space, or ``board``.

    If castles grew together there are too few; a layout alone does not tell which.
    """
    ground = survey(layout.heights)
    for cell in cells(ground.above[0]):
        height, area = layout.heights[cell], castle_at(ground, cell).bit_count()
        if height > area:
            yield wrong(NAMES[cell], "layout.height", "TO-3.7", cell=NAMES[cell], height=height, area=area)
    if ground.blocks > BLOCKS:
        yield impossible("board", "layout.blocks", "TO-1.1", blocks=ground.blocks, all=BLOCKS)
    castles = len(ground.castles)
    if castles < LEAST_CASTLES:
        yield wrong("board", "layout.castles", "TO-4.7", castles=castles, least=LEAST_CASTLES)
    elif castles > _MOST_CASTLES:
        yield wrong("board", "layout.founded", "TO-3.5", castles=castles, most=_MOST_CASTLES)
    for seat, own in enumerate(layout.knights):
        if own.bit_count() > KNIGHTS:
            yield impossible("board", "layout.knights", "TO-1.1", seat=seat, knights=own.bit_count())
    for cell in range(CELLS):
        pieces = [SEATS[seat] for seat, own in enumerate(layout.knights) if own >> cell & 1]
        pieces += ["K"] * (layout.king == cell)
        if len(pieces) > 1:
            yield impossible(NAMES[cell], "layout.two", "TO-1.8", cell=NAMES[cell], pieces=" ".join(pieces))
    if layout.king < 0:
        yield wrong("board", "layout.no_king", "TO-1.5")
    elif not layout.heights[layout.king]:
        yield wrong(NAMES[layout.king], "layout.king", "TO-5.4", cell=NAMES[layout.king])


_MOST_CASTLES = 8 + 2 * 4
"""Eight at the start; each player may found two more by action cards (TO-4.2, TO-4.7)."""
assert len(_HEIGHTS) == TALLEST + 1


def differences(seen: Layout, expected: Layout) -> tuple[str, ...]:
    """Return the differences of two layouts: two blocks too many on d3 are ``+2Bd3``, a missing knight of
    seat a on c4 is ``-ac4``, an unexpected king ``+Kh4``.
    """
    found = []
    for cell in range(CELLS):
        more = seen.heights[cell] - expected.heights[cell]
        if more:
            number = abs(more) if abs(more) > 1 else ""
            found.append(f"{'+' if more > 0 else '-'}{number}B{NAMES[cell]}")
    for seat, (there, wanted) in enumerate(zip(seen.knights, expected.knights, strict=True)):
        found += [f"+{SEATS[seat]}{NAMES[cell]}" for cell in cells(there & ~wanted)]
        found += [f"-{SEATS[seat]}{NAMES[cell]}" for cell in cells(wanted & ~there)]
    if seen.king != expected.king:
        found += [f"+K{NAMES[seen.king]}"] * (seen.king >= 0)
        found += [f"-K{NAMES[expected.king]}"] * (expected.king >= 0)
    return tuple(found)
