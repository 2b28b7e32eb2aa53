"""Nobles played: as a turn, against one, and what is left of what they cancel (SG-9)."""

from __future__ import annotations

from msgspec.structs import replace

from engines import bags
from engines.san_gimignano import questions as q
from engines.san_gimignano.building import (
    ask_giostra,
    before,
    change_towers,
    laid_down,
    unguarded,
    without_stone,
)
from engines.san_gimignano.cards import GIOSTRA, PALAZZO, PIETRA, VIA, kind_of, read_stones
from engines.san_gimignano.drawing import draw_up_to, settle
from engines.san_gimignano.moves import overtopped, returns
from engines.san_gimignano.state import DECKS_ONLY, Frame, State, hand_limit, hand_size
from engines.san_gimignano.zones import bury, gain, remove, unuse, use


def play_noble(state: State, name: str) -> State:
    """A noble instead of an action (SG-9.3)."""
    noble = bags.one(kind_of(name))
    state = use(state, state.seat, noble)
    return ask_giostra(state, state.seat, Frame("", put=noble)) or _effect(state, noble, opened=True)


def _effect(state: State, noble: bags.Bag, *, opened: bool) -> State:
    if noble == bags.one(VIA):
        n = hand_limit(state, state.seat) - hand_size(state, state.seat)
        return draw_up_to(state, n, opened=opened, sources=DECKS_ONLY)
    if noble == bags.one(PALAZZO):
        tokens = returns(state) or [q.KEEP]
        if len(tokens) == 1:
            return palazzo(state, tokens[0])
        return replace(state, frames=(Frame("palazzo", open=opened),))
    return settle(state)


def palazzo(state: State, token: str) -> State:
    """Two cards go under their decks, or none where it is removed (SG-9.10)."""
    if overtopped(state, state.seat):
        state = remove(state, state.seat, bags.one(PALAZZO))
    towers, nobles = q.RETURNS.get(token, (0, 0))
    return settle(bury(replace(state, frames=()), state.seat, towers, nobles))


def giostra(state: State, token: str) -> State:
    """The answer to a noble: it goes ahead, or is removed and its player's turn spent (SG-9.8)."""
    frame, below = state.frames[-1], state.frames[:-1]
    player = 1 - frame.seat
    state = replace(state, frames=below)
    if token == q.ALLOW:
        if below:  # a stone as a Guard
            return settle(replace(state, frames=()))
        if frame.tower:
            return laid_down(state, frame.tower, frame.n, opened=False)
        return _effect(state, frame.put, opened=False)
    state = use(state, frame.seat, bags.one(GIOSTRA))
    if below:
        return unguarded(remove(state, player, bags.one(PIETRA)))
    if frame.tower is None:
        return settle(remove(state, player, frame.put))
    laid = q.laid_stones(frame)
    if len(laid) > 1 and not frame.tower.plain:
        return replace(state, frames=(replace(frame, question="cancel", open=True),))
    return _cancelled(state, frame, laid[0])


def cancel(state: State, token: str) -> State:
    """The stone that a Giostra cancels, where it matters which."""
    return _cancelled(state, state.frames[-1], read_stones(token)[0])


def _cancelled(state: State, frame: Frame, rank: int) -> State:
    state = remove(replace(state, frames=()), state.seat, bags.one(PIETRA))
    rest = without_stone(frame, rank)
    if rest:
        state = change_towers(state, state.seat, frame.tower, rest.tower)
        return replace(state, frames=(rest,))
    state = change_towers(state, state.seat, frame.tower, before(frame))
    return _taken_back(state, frame.put - bags.one(PIETRA))


def remains(state: State, token: str) -> State:
    """The Build or Extend goes on with the other cards, or all of them go back to the hand (SG-9.5)."""
    frame = state.frames[-1]
    assert frame.tower
    state = replace(state, frames=())
    if token == q.GO:
        return laid_down(state, frame.tower, frame.n, opened=True)
    return _taken_back(change_towers(state, state.seat, frame.tower, before(frame)), frame.put)


def _taken_back(state: State, laid: bags.Bag) -> State:
    pietre = bags.one(PIETRA, bags.count(laid, PIETRA))
    return settle(gain(unuse(state, state.seat, pietre), state.seat, laid))
