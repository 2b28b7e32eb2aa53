"""The answer that a cursor comes to first: by habit and by what everybody sees, whatever it is worth."""

from __future__ import annotations

from engines import bags
from engines.castles_of_tuscany.book import BOOK
from engines.castles_of_tuscany.effects import NONE
from engines.castles_of_tuscany.kinds import NUMBERS, WILD, kind_of
from engines.castles_of_tuscany.paying import WORKER, priced
from engines.castles_of_tuscany.state import State
from engines.castles_of_tuscany.turns import MARBLE
from engines.contract import Choice

_COPIES = 4
"""No kind has more tiles among a seat's own, or among the neutral ones (CT-1.3)."""


@BOOK.method
def likely(state: State, choice: Choice) -> int:
    """Rank answers by habit.

    Of a price both own cards come first, then one, workers last; a marble, a wild hex and no pick come after
    all others; of the tiles that may come up the kind of which most are hidden is first. All choices of
    another question are alike.
    """
    asked, token = choice.question, choice.token
    if asked == "pay":
        return 3 if token == WORKER else (1, 0 if token == 2 * priced(state) else 2)[len(token) - 1]
    if asked in ("refill", "display", "neutral"):
        return _rarity(state.own_hidden(state.seat) if asked == "refill" else state.neutral, token)
    return int(
        (asked == "action" and token == MARBLE)
        or (asked == "pick" and token == NONE)
        or (asked in ("tile", "discard", "wild") and token == WILD)
    )


def _rarity(hidden: bags.Bag, tile: str) -> int:
    """Return how many fewer of its kind are hidden than there may be."""
    return max(_COPIES - bags.count(hidden, NUMBERS[kind_of(tile)]), 0)
