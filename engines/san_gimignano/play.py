"""What a choice does: each question's answer leads to the module that knows its rules.

Every function here trusts that its choice is legal.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from engines.contract import Choice
from engines.san_gimignano import building, counting, deals, drawing, nobles
from engines.san_gimignano import questions as q
from engines.san_gimignano.cards import NOBLES
from engines.san_gimignano.drawing import draw_up_to, settle
from engines.san_gimignano.state import BOTH_DECKS, DOUBLE_PASS, Frame, State


def apply(state: State, choice: Choice) -> State:
    """The state after ``choice``."""
    return _PLAY[choice.question](state, choice.token)


def _action(state: State, token: str) -> State:
    if token == q.PASS:
        if state.passes:
            return deals.finish(replace(state, passes=2), DOUBLE_PASS)
        return replace(state, passes=1, seat=1 - state.seat)
    if token == q.PURCHASE:
        n = 1 if state.deck == 1 else 2  # SG-3.3
        return draw_up_to(state, n, opened=True, sources=_sources(state))
    if token == q.CLOSE:
        return settle(replace(state, ending=True, closer=state.seat))
    if token in NOBLES:
        return nobles.play_noble(state, token)
    return replace(state, frames=(_FIRST[token],))


_FIRST = {
    q.EXCHANGE: Frame("put"),
    q.BUILD: Frame("build"),
    q.EXTEND: Frame("extend"),
    q.COMPLETE: Frame("complete"),
}


def _sources(state: State) -> str:
    """What a Purchase and an Exchange draw from (SG-9.2)."""
    return BOTH_DECKS if state.nobles else ""


def _put(state: State, token: str) -> State:
    return drawing.put(state, token, _sources(state))


_PLAY: dict[str, Callable[[State, str], State]] = {
    "action": _action,
    "draw": drawing.draw,
    "put": _put,
    "build": building.build,
    "height": building.height,
    "stones": building.stones,
    "donazione": building.donazione,
    "target": building.target,
    "guard": building.guard,
    "traded": building.traded,
    "returned": building.returned,
    "extend": building.extend,
    "storeys": building.storeys,
    "complete": building.complete,
    "giostra": nobles.giostra,
    "cancel": nobles.cancel,
    "remains": nobles.remains,
    "palazzo": nobles.palazzo,
    "market": drawing.market,
    "deal": deals.next_deal,
    "final": counting.final,
    "final_height": counting.final_height,
    "final_stones": counting.final_stones,
    "final_state": counting.final_state,
    "final_marker": counting.holder,
    "final_monumento": counting.holder,
    "final_cappella": counting.holder,
    "final_closer": counting.holder,
}
