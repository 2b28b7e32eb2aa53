"""What can refuse an action of the turn: blocks, knights, cards taken, score steps, the end (TO-3)."""

from __future__ import annotations

from engines.kit.checks import Objection
from engines.torres import questions as q
from engines.torres import stacks as piles
from engines.torres.cells import CELLS, NUMBERS
from engines.torres.spec import (
    block_checks,
    check,
    height_of,
    knights_of,
    level_of,
    may_stand_beside,
    may_step,
    occupied,
    piece_on,
    placing_checks,
    points_to,
)
from engines.torres.state import (
    KNIGHTS,
    TAKES,
    State,
    may_place_block,
)

# A block (TO-3.4 to TO-3.7)


@check("block.points", "TO-3.4", "action")
def _(state: State, token: str) -> Objection | None:
    return Objection({"left": 0}) if token[0] == "B" and not state.left else None


@check("block.stack", "TO-3.4", "action")
def _(state: State, token: str) -> Objection | None:
    if token[0] != "B" or may_place_block(state):
        return None
    return Objection({"placed": state.placed, "stacks": piles.text(state.stacks[state.seat])})


block_checks("block", "action", "B")


# A knight moves (TO-3.2, TO-3.3)


@check("move.points", "TO-3.2", "action")
def _(state: State, token: str) -> Objection | None:
    return Objection({"left": 0}) if token[0] == "M" and not state.left else None


@check("move.stuck", "TO-3.2", "action")
def _(state: State, token: str) -> Objection | None:
    if token[0] != "M" or may_step(state, q.read_cell(token)):
        return None
    return Objection({"cell": token[1:]})


@check("to.free", "TO-3.2", "to")
def _(state: State, token: str) -> Objection | None:
    return occupied(state, token)


@check("to.way", "TO-3.2", "to")
def _(state: State, token: str) -> Objection | None:
    if points_to(state, state.frames[-1].cell, NUMBERS[token]):
        return None
    return Objection({"cell": token, "level": height_of(state, NUMBERS[token]), "from": level_of(state)})


@check("to.points", "TO-3.2", "to")
def _(state: State, token: str) -> Objection | None:
    points = points_to(state, state.frames[-1].cell, NUMBERS[token])
    return Objection({"cell": token, "points": points, "left": state.left}) if points > state.left else None


# A new knight (TO-3.1)


@check("place.points", "TO-3.1", "action")
def _(state: State, token: str) -> Objection | None:
    return Objection({"left": state.left}) if token == q.NEW and state.left < 2 else None


@check("place.knights", "TO-3.1", "action")
def _(state: State, token: str) -> Objection | None:
    return Objection({"knights": KNIGHTS}) if token == q.NEW and len(knights_of(state)) >= KNIGHTS else None


@check("place.room", "TO-3.1", "action")
def _(state: State, token: str) -> Objection | None:
    if token != q.NEW:
        return None
    free = (cell for cell in range(CELLS) if not piece_on(state, cell))
    own = knights_of(state)
    return None if any(may_stand_beside(state, cell, own) for cell in free) else Objection()


placing_checks("place", "place", "TO-3.1", knights_of)


# Taking a card, score steps (TO-3.8, TO-3.10)


def _takes(token: str) -> bool:
    return token in (q.TOP, q.BOTTOM)


@check("take.master", "TO-6.2", "action")
def _(state: State, token: str) -> Objection | None:
    return Objection() if _takes(token) and state.variant.master else None


@check("take.points", "TO-3.8", "action")
def _(state: State, token: str) -> Objection | None:
    return Objection({"left": 0}) if _takes(token) and not state.left else None


@check("take.twice", "TO-3.8", "action")
def _(state: State, token: str) -> Objection | None:
    return Objection({"taken": state.fresh}) if _takes(token) and state.fresh >= TAKES else None


@check("take.deck", "TO-3.8", "action")
def _(state: State, token: str) -> Objection | None:
    return Objection() if _takes(token) and not state.decks[state.seat] else None


@check("take.rest", "TO-3.8", "action")
def _(state: State, token: str) -> Objection | None:
    return Objection() if token == q.BOTTOM and state.decks[state.seat] == 1 else None


@check("steps.points", "TO-3.10", "action")
def _(state: State, token: str) -> Objection | None:
    if token[0] != "S" or int(token[1:]) <= state.left:
        return None
    return Objection({"steps": int(token[1:]), "left": state.left})


# The end of a turn (TO-3.13)


def _results(state: State) -> tuple[piles.Stacks, ...]:
    return piles.results(state.stacks[state.seat], state.placed, state.under)


@check("stacks.choice", "TO-3.13", "action")
def _(state: State, token: str) -> Objection | None:
    if token != q.STACKS or len(_results(state)) > 1:
        return None
    return Objection({"stacks": piles.text(_results(state)[0])})


@check("leave.result", "TO-3.13", "leave")
def _(state: State, token: str) -> Objection | None:
    if token in map(piles.text, _results(state)):
        return None
    used = state.placed + state.under
    return Objection({"stacks": piles.text(state.stacks[state.seat]), "used": used, "asked": token})
