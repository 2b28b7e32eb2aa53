"""What can refuse in the set-up, between phases, and in what the table reports (TO-1.5, TO-5.4, TO-6.1)."""

from __future__ import annotations

from engines.kit.checks import Objection
from engines.torres import questions as q
from engines.torres.cells import NAMES, cells, distance
from engines.torres.ground import BLOCKS, castle_at
from engines.torres.spec import check, height_of, level_of, occupied
from engines.torres.state import KNIGHTS, State, taken, total

# Set-up, and between phases


@check("found.distance", "TO-6.1", "found")
def _(state: State, token: str) -> Objection | None:
    cell = q.read_cell(token)
    near = [other for other in cells(state.ground.above[0]) if distance(other, cell) < 3]
    if not near:
        return None
    nearest = min(near, key=lambda other: distance(other, cell))
    return Objection({"cell": token[1:], "castle": NAMES[nearest], "distance": distance(nearest, cell)})


@check("enter.castle", "TO-1.5", "enter", "crown")
def _(state: State, token: str) -> Objection | None:
    return None if height_of(state, q.read_cell(token)) else Objection({"cell": token[1:]})


@check("enter.empty", "TO-1.5", "enter", "crown")
def _(state: State, token: str) -> Objection | None:
    castle = castle_at(state.ground, q.read_cell(token))
    return Objection({"cell": token[1:]}) if castle & taken(state) else None


@check("king.castle", "TO-5.4", "king")
def _(state: State, token: str) -> Objection | None:
    if token == q.STAY or height_of(state, q.read_cell(token)):
        return None
    return Objection({"cell": token[1:]})


@check("king.free", "TO-5.4", "king")
def _(state: State, token: str) -> Objection | None:
    return None if token == q.STAY else occupied(state, token)


# Reports


@check("final.blocks", "TO-1.1", "final_height")
def _(state: State, token: str) -> Objection | None:
    total_blocks = state.ground.blocks - level_of(state) + int(token[1:])
    return Objection({"blocks": total_blocks, "all": BLOCKS}) if total_blocks > BLOCKS else None


@check("final.king", "TO-5.4", "final_king")
def _(state: State, token: str) -> Objection | None:
    if height_of(state, q.read_cell(token)) or not any(state.ground.heights):
        return None
    return Objection({"cell": token[1:]})


@check("final.knight", "TO-1.5", "final_knight")
def _(state: State, token: str) -> Objection | None:
    seat = state.frames[-1].cell
    return Objection({"seat": seat}) if token == q.ENOUGH and not state.knights[seat] else None


@check("final.knights", "TO-1.1", "final_knight")
def _(state: State, token: str) -> Objection | None:
    standing = state.knights[state.frames[-1].cell].bit_count()
    if token == q.ENOUGH or standing < KNIGHTS:
        return None
    return Objection({"knights": standing})


@check("final.free", "TO-1.8", "final_knight")
def _(state: State, token: str) -> Objection | None:
    return None if token == q.ENOUGH else occupied(state, token)


@check("track.taken", "TO-3.11", "track_ones")
def _(state: State, token: str) -> Objection | None:
    frame = state.frames[-1]
    points = 10 * frame.n + int(token[1:])
    same = [seat for seat in range(frame.cell) if points and total(state, seat) == points]
    return Objection({"points": points, "seat": same[0]}) if same else None
