"""An illegal choice that people let stand."""

from __future__ import annotations

from msgspec.structs import replace

from engines.contract import Choice, Refusal
from engines.errors import Impossible
from engines.pools import Zone
from engines.san_gimignano import play
from engines.san_gimignano.checks import CHECKS
from engines.san_gimignano.moves import legal
from engines.san_gimignano.possible import leads_on
from engines.san_gimignano.problems import broken
from engines.san_gimignano.state import HIDDEN, State


def overrule(state: State, choice: Choice, clause: str) -> State:
    """The state after ``choice``, ``clause`` waived with all else that it breaks.

    First with all that is known; where that is in the way, with nothing known of the hands; then not of the
    deck's bottom either. What lies open stays: raises Impossible where it contradicts the manifest, or a
    hand or a deck would hold less than nothing.
    """
    state = _waive(state, {clause})
    for known in (state, _without_hands(state), _without_bottom(_without_hands(state))):
        after = leads_on(known, choice)
        if after is not None:
            return _waive(after, broken(after))
    raise Impossible(CHECKS.why_not(state, choice) or Refusal("", clause))


def apply(state: State, choice: Choice) -> State:
    """The state after a choice where clauses were overruled: one that only stands in breaks more of them."""
    after = play.apply(state, choice)
    return after if legal(state) else _waive(after, broken(after))


def _waive(state: State, clauses: set[str]) -> State:
    return replace(state, waived=tuple(sorted(clauses | set(state.waived))))


def _without_hands(state: State) -> State:
    first, second = (Zone(0, hand.size) for hand in state.hands)
    nobles = state.nobles
    if nobles:
        hidden = (Zone(0, nobles.hands[0].size), Zone(0, nobles.hands[1].size))
        nobles = replace(nobles, hands=hidden, shared=0)
    return replace(state, hands=(first, second), shared=0, nobles=nobles)


def _without_bottom(state: State) -> State:
    return replace(state, bottom=(HIDDEN,) * len(state.bottom))
