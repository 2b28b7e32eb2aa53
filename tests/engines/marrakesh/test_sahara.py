"""The Sahara (MK-14.3 to MK-14.6): claims, the track's places, and the exchange of keshis.

The made-up copy's track: a keshi, the exchange, a keshi, the scroll, a keshi for two players, the exchange.
"""

import pytest
from msgspec.structs import replace

from engines.errors import Impossible
from engines.marrakesh import madrasa, river, sahara  # noqa: F401, what the track gives
from engines.marrakesh.book import BOOK
from engines.marrakesh.state import OASES
from tests.engines.marrakesh.sitting import (
    after,
    agreed,
    asked,
    fits,
    overruled,
    play,
    refused,
    seated,
    tokens,
    told,
    under_1,
)

PRINTED = told(price={"left3": (0, 0, 1), "right3": (1, 1, 0)})
"""The two costs that are seen in the rule book."""


def there(left=0, right=0, claimed=""):
    """The fields of a side with so many caravans on its paths, and with these oases claimed."""
    bits = sum(1 << OASES.index(place) for place in claimed.split())
    return {"caravans": (0, left, right), "claimed": bits}


def claiming(*others, **fields):
    """The state that asks for an oasis."""
    return BOOK.settled(sahara.act(seated(*others, **fields)))


# Claims


# The track


def test_what_scroll_68_had_told_of_an_oasis_is_its_number_when_it_is_claimed():
    copy = told(oasis={"27": "oases"})
    fields = {**there(0, 0), "resources": "9w9d9n", "board": "1n", "scrolls": (68,), "copy": copy}
    state = play(after(seated(**fields), "deploy_n"), "left 27")
    assert state.sides[0].found == (27, 0, 0, 0, 0, 0)
    elsewhere = play(after(state, "deploy_n"), "right")
    assert refused(elsewhere, "27") == (
        "oasis_number.claimed", "MK-1.2", {"number": "27", "seat": 0, "variant": "oasis_number.lies"}
    )  # fmt: skip
    assert "27" not in tokens(elsewhere)
    assert agreed(elsewhere)
    asks = replace(state, frames=(sahara.Frame("oasis_number", n=1),))
    assert tokens(asks) == ["27"]
    assert refused(asks, "12") == ("oasis_number.told", "MK-14.1", {"number": "27"})
    assert agreed(asks)
    claimed = play(BOOK.settled(sahara.act(state)), "left1")
    assert (asked(claimed), claimed.sides[0].oases, claimed.sides[0].found) == ("", (27,), (0,) * 6)


# Overruled


def test_whatever_is_overruled_an_oasis_is_claimed_once():
    fields = {"copy": PRINTED, "resources": "9w9d9n"}
    with pytest.raises(Impossible):
        overruled(claiming(**there(3, 3, "left2"), **fields), "left2")
    state = overruled(under_1(claiming(**there(3), **fields)), "done")
    assert (asked(state), state.sides[0].claimed) == ("resource", 0)


# Positions


@pytest.mark.parametrize(("frame", "board", "possible"), [
    (("oasis", "", 0), "", True), (("oasis", "", 1), "", True), (("oasis", "", 2), "", False),
    (("oasis", "free", 2), "", True), (("oasis", "free", 0), "", False), (("oasis", "paid", 1), "", False),
    (("oasis_number", ""), "", True), (("oasis_number", "spare"), "", True),
    (("oasis_number", "x"), "", False),
    (("give_back",), "1t", True),
    (("back_from", "r"), "2r", True), (("back_from", "r"), "1r", False), (("back_from", "t"), "2t", False),
])  # fmt: skip
def test_what_a_position_may_ask(frame, board, possible):
    vendors = {"1r": 0b1, "2r": 0b11}
    assert fits(seated(board=board, vendors=vendors.get(board, 0)), sahara.Frame(*frame)) is possible
