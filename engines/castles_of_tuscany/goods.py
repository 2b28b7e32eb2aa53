"""Things that people give or take by hand where no rule names it: cards, marble, workers, wild hexes."""

from __future__ import annotations

from msgspec.structs import replace

from engines import bags
from engines.castles_of_tuscany.book import BOOK
from engines.castles_of_tuscany.kinds import WILD
from engines.castles_of_tuscany.state import State
from engines.contract import Good, Level


@BOOK.method
def goods(state: State, seat: int) -> tuple[Good, ...]:
    """Return cards, marble, workers and stored wild hexes of a seat; none before the display.

    Cards come from the deck and go back to it.
    """
    if state.level is not Level.FULL or state.termination or not state.display:
        return ()
    side = state.sides[seat]
    room = side.places() - len(side.stored)
    return (
        Good("card", side.hand, state.deck + bags.total(state.discards)),
        Good("marble", side.marble, state.marble_left()),
        Good("worker", side.workers, state.workers_left()),
        Good("wild", side.stored.count(WILD), max(0, min(room, state.wilds_left()))),
    )


@BOOK.method
def given(state: State, seat: int, good: str, n: int) -> State:
    """Give goods as in play, or put them back where they came from."""
    side = state.sides[seat]
    if good == "card" and n > 0:
        return replace(replace(state, seat=seat).drawn(n), seat=state.seat)
    if good == "card":
        return replace(state, deck=state.deck - n).with_side(seat, hand=side.hand + n)
    if good == "wild":
        others = tuple(tile for tile in side.stored if tile != WILD)
        return state.with_side(seat, stored=(*others, *[WILD] * (side.stored.count(WILD) + n)))
    if good == "marble":
        return state.with_side(seat, marble=side.marble + n)
    return state.with_side(seat, workers=side.workers + n)
