"""What a choice does: turns here, set-up, phases and reports in :mod:`engines.torres.phases`.

Every function trusts that its choice is legal; one that was overruled (:mod:`engines.torres.overrule`) takes
the action points and blocks that there are.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from engines.contract import Choice
from engines.torres import cards as c
from engines.torres import phases, ways
from engines.torres import questions as q
from engines.torres import stacks as piles
from engines.torres.cells import NUMBERS
from engines.torres.ground import with_block, without_block
from engines.torres.moves import may_end_itself
from engines.torres.scoring import score_steps
from engines.torres.state import Frame, State, hand_size, own_blocks, taken


def apply(state: State, choice: Choice) -> State:
    """The state after ``choice``."""
    if choice.question == "action":
        return _action(state, choice.token)
    return _PLAY[choice.question](state, choice.token)


def _spent(state: State, points: int) -> int:
    return max(state.left - points, 0)


def _settle(state: State) -> State:
    """A turn in which nothing is left to decide ends."""
    return end(state) if not state.left and may_end_itself(state) else state


def end(state: State, left: piles.Stacks | None = None) -> State:
    """The turn is over; ``left`` is what the other stacks hold, by default the likeliest."""
    own = state.stacks[state.seat]
    if left is None:
        left = piles.results(own, state.placed, state.under)[0]
    stacks = (*state.stacks[: state.seat], left, *state.stacks[state.seat + 1 :])
    return phases.next_turn(replace(state, stacks=stacks, placed=0, under=0))


def _action(state: State, token: str) -> State:
    cell = _CELLS.get(token)
    if cell is not None:
        if token[0] == "M":
            return replace(state, frames=(Frame("to", cell),))
        left = state.left - 1 if state.left else 0
        own = not state.waived or own_blocks(state) > 0
        placed = state.placed + own
        ground = with_block(state.ground, cell)
        state = replace(state, ground=ground, placed=placed, left=left)
        return state if left else _settle(state)
    if token in (q.TOP, q.BOTTOM):
        decks = list(state.decks)
        decks[state.seat] -= 1
        return _settle(replace(state, decks=tuple(decks), fresh=state.fresh + 1, left=_spent(state, 1)))
    if token[0] == "S":
        steps = int(token[1:])
        return _settle(replace(score_steps(state, steps), left=_spent(state, steps)))
    if token == q.END:
        return end(state)
    return replace(state, frames=(_BEGUN[token],))


_CELLS = {letter + name: cell for name, cell in NUMBERS.items() for letter in "BM"}
_BEGUN = {
    q.NEW: Frame("place"),
    q.CARD: Frame("card"),
    q.STACKS: Frame("leave"),
}


def move_knight(state: State, cell: int, target: int) -> tuple[int, ...]:
    """All seats' knights after one of the seat to move went from ``cell`` to ``target``."""
    own = state.knights[state.seat] & ~(1 << cell) | 1 << target
    return (*state.knights[: state.seat], own, *state.knights[state.seat + 1 :])


def _to(state: State, token: str) -> State:
    cell, target = state.frames[-1].cell, NUMBERS[token]
    ground, pieces, descend = state.ground, taken(state), state.variant.descend
    points = ways.cost(ground, pieces, cell, target, state.left, descend)
    if not points:  # overruled: all that is left, or one where no way leads there at all
        points = ways.cost(ground, pieces, cell, target, descend=descend) or 1
    knights = move_knight(state, cell, target)
    return _settle(replace(state, knights=knights, left=_spent(state, points), frames=()))


def _place(state: State, token: str) -> State:
    target = NUMBERS[token]
    knights = list(state.knights)
    knights[state.seat] |= 1 << target
    return _settle(replace(state, knights=tuple(knights), left=_spent(state, 2), frames=()))


def _leave(state: State, token: str) -> State:
    return end(replace(state, frames=()), tuple(int(stack) for stack in token.split("-") if stack))


# Action cards


def _played(state: State, kind: int, **changes: object) -> State:
    """A card has had its effect and leaves the game (TO-3.9)."""
    seat = state.seat
    played = (*state.played[:seat], state.played[seat] | 1 << kind, *state.played[seat + 1 :])
    fresh, decks = state.fresh, list(state.decks)
    if hand_size(state, seat) <= fresh:  # overruled: one taken this turn, or one that nobody saw taken
        decks[seat] -= not fresh
        fresh = max(fresh - 1, 0)
    state = replace(state, played=played, carded=True, decks=tuple(decks), fresh=fresh, frames=(), **changes)
    return state if state.left else _settle(state)


def _card(state: State, token: str) -> State:
    kind = c.CARDS.index(token)
    if kind in c.MORE_POINTS:
        return _played(state, kind, left=state.left + c.MORE_POINTS[kind])
    return replace(state, frames=(Frame(token),))


def _from(state: State, token: str) -> State:
    asked = state.frames[-1].question
    return replace(state, frames=(Frame(f"{asked}_to", NUMBERS[token]),))


def _under(state: State, token: str) -> State:
    cell = NUMBERS[token]
    ground, own = with_block(state.ground, cell), own_blocks(state) > 0
    return _played(state, c.UNDER, ground=ground, under=state.under + own)


def _block(state: State, token: str) -> State:
    cell = NUMBERS[token]
    return _played(state, c.BLOCK, ground=with_block(state.ground, cell))


def _move_to(state: State, token: str) -> State:
    cell = NUMBERS[token]
    lifted = without_block(state.ground, state.frames[-1].cell)
    return _played(state, c.MOVE, ground=with_block(lifted, cell))


def _knight_to(kind: int) -> Callable[[State, str], State]:
    def go(state: State, token: str) -> State:
        target = NUMBERS[token]
        knights = move_knight(state, state.frames[-1].cell, target)
        return _played(state, kind, knights=knights)

    return go


_PLAY: dict[str, Callable[[State, str], State]] = {
    "to": _to,
    "place": _place,
    "leave": _leave,
    "card": _card,
    "under": _under,
    "block": _block,
    **dict.fromkeys(c.TWO_PLACES, _from),
    "jump_to": _knight_to(c.JUMP),
    "doors_to": _knight_to(c.DOORS),
    "diagonal_to": _knight_to(c.DIAGONAL),
    "move_to": _move_to,
    "reposition_to": _knight_to(c.REPOSITION),
    "leap_to": _knight_to(c.LEAP),
    "found": phases.found,
    "enter": phases.enter,
    "crown": phases.crown,
    "king": phases.king,
    "starter": phases.starter,
    "final": phases.final,
    "final_height": phases.final_height,
    "final_king": phases.final_king,
    "final_knight": phases.final_knight,
    "final_phase": phases.final_phase,
    "track": phases.tens,
    "track_ones": phases.track_ones,
    "master": phases.tens,
    "master_ones": phases.master_ones,
}
