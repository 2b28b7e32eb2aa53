"""Entries by hand: a last board with the points before it (level score), and master cards (TO-6.3).

``Hd3`` is a column that differs from the start, ``+4`` its height; ``.`` ends a list.
"""

from __future__ import annotations

from msgspec.structs import replace

from engines.contract import Domain, Figures, Number, Picker
from engines.kit import Objection, within
from engines.torres.book import BOOK, check_occupied, is_free, read_cell, squares
from engines.torres.cells import CELLS, NAMES
from engines.torres.ground import BLOCKS, TALLEST, survey
from engines.torres.knights import level_of
from engines.torres.scoring import gain, score_phase
from engines.torres.state import COUNTED, KNIGHTS, SETTLED, Frame, State
from engines.torres.turns import CROWN

ENOUGH = "."
MOST_POINTS = 499
"""The most points of a seat that people can enter."""
_PHASES = ("3", "2", "1")
BOOK.asks(Domain("phase", _PHASES), "final_phase", report=True)
BOOK.asks(Domain("column", (ENOUGH, *squares("H")), Picker.GRID), "final", report=True)
BOOK.asks(
    Domain("height", tuple(f"+{n}" for n in range(TALLEST + 1)), Picker.WHEEL),
    "final_height",
    report=True,
    figures=lambda state: (("cell", NAMES[state.frames[-1].cell]),),
    fits=within(cell=range(CELLS)),
)
BOOK.asks(CROWN, "final_king", report=True)
BOOK.asks(Domain("standing", (ENOUGH, *squares("E")), Picker.GRID), "final_knight", report=True)
BOOK.asks(Number("points", 0, MOST_POINTS), "track", "master", report=True)


@BOOK.figures("final_phase", "final", "final_king", "final_knight", "track", "master")
def figures_final_phase(state: State) -> Figures:
    return (("seat", max(state.frames[-1].cell, 0)),)


@BOOK.fits("final_knight", "track", "master")
def fits_final_knight(state: State) -> bool:
    return 0 <= state.frames[-1].cell < state.variant.seats


# Checks


@BOOK.check("final.blocks", "TO-1.1", "final_height", pieces=True)
def check_final_blocks(state: State, token: str) -> Objection | None:
    total_blocks = state.ground.blocks - level_of(state) + int(token[1:])
    return Objection({"blocks": total_blocks, "all": BLOCKS}) if total_blocks > BLOCKS else None


@BOOK.check("final.king", "TO-5.4", "final_king")
def check_final_king(state: State, token: str) -> Objection | None:
    if state.height_of(read_cell(token)) or not any(state.ground.heights):
        return None
    return Objection({"cell": token[1:]})


@BOOK.check("final.knight", "TO-1.5", "final_knight")
def check_final_knight(state: State, token: str) -> Objection | None:
    seat = state.frames[-1].cell
    return Objection({"seat": seat}) if token == ENOUGH and not state.knights[seat] else None


@BOOK.check("final.knights", "TO-1.1", "final_knight", pieces=True)
def check_final_knights(state: State, token: str) -> Objection | None:
    standing = state.knights[state.frames[-1].cell].bit_count()
    if token == ENOUGH or standing < KNIGHTS:
        return None
    return Objection({"knights": standing})


@BOOK.check("final.free", "TO-1.8", "final_knight", pieces=True)
def check_final_free(state: State, token: str) -> Objection | None:
    return None if token == ENOUGH else check_occupied(state, token)


@BOOK.check("track.taken", "TO-3.11", "track")
def check_track_taken(state: State, token: str) -> Objection | None:
    """Refuse the points of an earlier seat, except 0."""
    points = int(token)
    same = [seat for seat in range(state.frames[-1].cell) if points and state.total(seat) == points]
    return Objection({"points": points, "seat": same[0]}) if same else None


# Effects: the board


@BOOK.effect("final_phase")
def effect_final_phase(state: State, token: str) -> State:
    return replace(state, phase=int(token), frames=(Frame("final", open=False),))


@BOOK.effect("final")
def effect_final(state: State, token: str) -> State:
    if token == ENOUGH:
        return replace(state, frames=(Frame("final_king", open=False),))
    return replace(state, frames=(Frame("final_height", read_cell(token)),))


@BOOK.effect("final_height")
def effect_final_height(state: State, token: str) -> State:
    cell, heights = state.frames[-1].cell, bytearray(state.ground.heights)
    heights[cell] = int(token[1:])
    return replace(state, ground=survey(bytes(heights)), frames=(Frame("final"),))


@BOOK.effect("final_king")
def effect_final_king(state: State, token: str) -> State:
    return replace(state, king=read_cell(token), frames=(Frame("final_knight", 0, open=False),))


@BOOK.effect("final_knight")
def effect_final_knight(state: State, token: str) -> State:
    """Place a knight of the seat in question, or go on to the next seat, and then to the points."""
    seat = state.frames[-1].cell
    if token != ENOUGH:
        knights = list(state.knights)
        knights[seat] |= 1 << read_cell(token)
        return replace(state, knights=tuple(knights), frames=(Frame("final_knight", seat),))
    if seat + 1 < state.variant.seats:
        return replace(state, frames=(Frame("final_knight", seat + 1, open=False),))
    return replace(state, frames=(Frame("track", 0, open=False),))


# Effects: points


@BOOK.effect("track")
def effect_track(state: State, token: str) -> State:
    """Enter a seat's points; after the last seat, count the board."""
    seat = state.frames[-1].cell
    before = (*state.before[:seat], int(token), *state.before[seat + 1 :])
    state = replace(state, before=before)
    if seat + 1 < state.variant.seats:
        return replace(state, frames=(Frame("track", seat + 1, open=False),))
    return count_board(state)


def count_board(state: State) -> State:
    """Return a reported last board, scored."""
    return replace(score_phase(replace(state, frames=())), termination=COUNTED)


@BOOK.effect("master")
def effect_master(state: State, token: str) -> State:
    """Enter a seat's points of a master card, clockwise from the start player."""
    seat = state.frames[-1].cell
    state = gain(state, seat, state.phase, cards=int(token))
    after = (seat + 1) % state.variant.seats
    if after != state.start:
        return replace(state, frames=(Frame("master", after, open=False),))
    return replace(state, frames=(), termination=SETTLED)


# What the pieces allow


BOOK.possible("final_king")(is_free)
