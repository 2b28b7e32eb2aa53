"""The square (MK-10): which places may be chosen, and what each gives."""

from engines.marrakesh import square
from engines.marrakesh.book import BOOK
from engines.marrakesh.facts import SQUARE
from tests.engines.marrakesh.sitting import (
    COPY,
    agreed,
    refused,
    seated,
    tokens,
)


def on(*places):
    """The set of these places."""
    return sum(1 << SQUARE.index(place) for place in places)


def performing(*places, disc=0, copy=COPY, **fields):
    """Entertainers on these places; the disc's section of this number faces the first place."""
    return seated(square=on(*places), board=f"{len(places)}p", disc=disc, copy=copy, **fields)


def acted(*places, **fields):
    """The square's action with entertainers on these places."""
    return BOOK.settled(square.act(performing(*places, **fields)))


# The action


def test_mk_10_1_a_place_with_an_own_entertainer_is_chosen():
    state = acted("mosque", "dinar")
    assert tokens(state) == ["mosque", "dinar"]
    assert refused(state, "water") == ("spectators.own", "MK-10.1", {"reward": "water"})
    assert agreed(state)
    words = "more.water 3w more.mosque 1s more.river 1r more.dinar 3n more.vp2 2v more.palace 1s more.date 3d"
    assert [word for figure in BOOK.pending(state).figures for word in figure] == words.split()
