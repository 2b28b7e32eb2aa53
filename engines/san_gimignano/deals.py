"""From the set-up through one deal or several to the end of the match (SG-1.2, SG-2.2, SG-10)."""

from __future__ import annotations

from msgspec.structs import replace

from engines.contract import Level
from engines.pools import Zone
from engines.san_gimignano.cards import CARDS
from engines.san_gimignano.drawing import settle
from engines.san_gimignano.scoring import table, totals
from engines.san_gimignano.state import (
    DEALS_PLAYED,
    TARGET_REACHED,
    Deals,
    Frame,
    Nobles,
    State,
)


def deal(level: Level, must_donate: bool, dealer: int, nobles: Nobles | None, deals: Deals | None) -> State:
    """A deal with its first market still to be reported, or a final layout to be set (SG-1.2, SG-1.3)."""
    if level is Level.SCORE:
        frames = (Frame("final", seat=0, open=False),)
        hands = (Zone(), Zone())
        seat = 1 - dealer
        return State(level, must_donate, seat, hands, middle=CARDS, frames=frames, nobles=nobles, deals=deals)
    return settle(State(level, must_donate, dealer, nobles=nobles, deals=deals))


def finish(state: State, how: str) -> State:
    """A deal has ended: the match is over, or the table is asked for the next deal (SG-10.1)."""
    deals = state.deals
    if deals is None:
        return replace(state, termination=how)
    if deals.count:
        over = DEALS_PLAYED if deals.number >= deals.count else ""
    else:
        over = TARGET_REACHED if max(totals(state)) >= deals.target else ""
    if over:
        return replace(state, termination=over)
    return replace(state, frames=(Frame("deal", open=False),))


def next_deal(state: State, _: str) -> State:
    """The other player deals; what the last deal brought is kept (SG-10.2)."""
    assert state.deals
    dealer = 1 - state.deals.dealer
    deals = replace(state.deals, dealer=dealer, past=(*state.deals.past, table(state)))
    nobles = Nobles(pietra_guard=state.nobles.pietra_guard) if state.nobles else None
    fresh = deal(state.level, state.must_donate, dealer, nobles, deals)
    return replace(fresh, adjusted=state.adjusted, waived=state.waived)
