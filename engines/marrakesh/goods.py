"""What people may give or take by hand where no rule names it: resources, and goods keshis in the souk."""

from __future__ import annotations

from msgspec.structs import replace

from engines import bags
from engines.contract import Good, Level
from engines.marrakesh.book import BOOK
from engines.marrakesh.keshis import GOODS, LETTERS
from engines.marrakesh.state import RESOURCES, State, deployed, got, own, resource, with_own

MOST = 99
"""So many may come at once: there are enough of all."""
KESHIS = {"yellow": GOODS[0], "purple": GOODS[1], "orange": GOODS[2]}


@BOOK.method
def goods(state: State, seat: int) -> tuple[Good, ...]:
    """Resources and goods keshis of a seat."""
    if state.level is not Level.FULL or state.termination:
        return ()
    side = state.sides[seat]
    return (
        *(Good(name, resource(side, kind), MOST) for kind, name in enumerate(RESOURCES)),
        *(Good(name, deployed(side, LETTERS.index(kind)), MOST) for name, kind in KESHIS.items()),
    )


@BOOK.method
def given(state: State, seat: int, good: str, n: int) -> State:
    """They come from the supply and go back to it."""
    whose = replace(state, seat=seat)
    if good in RESOURCES:
        after = got(whose, RESOURCES.index(good), n)
    else:
        after = with_own(whose, board=own(whose).board + bags.one(LETTERS.index(KESHIS[good]), n))
    return replace(after, seat=state.seat)
