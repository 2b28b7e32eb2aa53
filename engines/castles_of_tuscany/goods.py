"""Things that people give or take by hand where no rule names it: cards, marble, workers, wild hexes."""

from __future__ import annotations

from msgspec.structs import replace

from engines import bags
from engines.castles_of_tuscany.book import BOOK
from engines.castles_of_tuscany.kinds import WILD
from engines.castles_of_tuscany.state import (
    State,
    drawn,
    marble_left,
    places,
    wilds_left,
    with_side,
    workers_left,
)
from engines.contract import Good, Level


@BOOK.method
def goods(state: State, seat: int) -> tuple[Good, ...]:
    """Return cards, marble, workers and stored wild hexes of a seat; none before the display.

    Cards come from the deck and go back to it.
    """
    if state.level is not Level.FULL or state.termination or not state.display:
        return ()
    side = state.sides[seat]
    room = places(side) - len(side.stored)
    return (
        Good("card", side.hand, state.deck + bags.total(state.discards)),
        Good("marble", side.marble, marble_left(state)),
        Good("worker", side.workers, workers_left(state)),
        Good("wild", side.stored.count(WILD), max(0, min(room, wilds_left(state)))),
    )


@BOOK.method
def given(state: State, seat: int, good: str, n: int) -> State:
    """Give goods as in play, or put them back where they came from."""
    side = state.sides[seat]
    if good == "card" and n > 0:
        return replace(drawn(replace(state, seat=seat), n), seat=state.seat)
    if good == "card":
        return with_side(replace(state, deck=state.deck - n), seat, hand=side.hand + n)
    if good == "wild":
        others = tuple(tile for tile in side.stored if tile != WILD)
        return with_side(state, seat, stored=(*others, *[WILD] * (side.stored.count(WILD) + n)))
    if good == "marble":
        return with_side(state, seat, marble=side.marble + n)
    return with_side(state, seat, workers=side.workers + n)
