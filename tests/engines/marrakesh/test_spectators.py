"""Spectators (MK-17.4): what is no purple side of the disc, and positions."""

import pytest

from engines.contract import Choice
from engines.errors import BadPosition, Impossible
from engines.marrakesh import GAME, square
from engines.marrakesh.book import BOOK
from engines.marrakesh.facts import SQUARE
from engines.marrakesh.state import Frame
from tests.engines.marrakesh.lines import turn
from tests.engines.marrakesh.sitting import (
    fits,
    playing,
    refused,
    seated,
    told,
    unknown,
)

PURPLE = (0, 4, 3, 1, 2, 1, 1, 3)
"""From the section that faces water on: then mosque, river, dinar, 2 VP, palace, date and goods."""
SIDE = told(purple_disc=PURPLE)


def performing(*places, disc=0, copy=SIDE, **fields):
    """Entertainers on these places; the disc's section of this number faces the first place."""
    on = sum(1 << SQUARE.index(place) for place in places)
    state = seated(square=on, board=f"{len(places)}p", disc=disc, copy=copy, **fields)
    return playing(state, "spectators")


def acted(*places, **fields):
    """The square's action; the disc, turned by it, lies as in PURPLE."""
    return BOOK.settled(square.act(performing(*places, **({"disc": 1} | fields))))


@pytest.mark.parametrize("sections", ["1,4,3,1,2,1,1,3", "0,4,3,1,2,1,1,0", "0,4,3,1,2,1,4,3"])
def test_mk_17_4_a_side_without_one_0_and_one_4_is_none(sections):
    state = acted("water", disc=-1, copy=unknown())
    none, four = sections.count("0"), sections.count("4")
    assert refused(state, sections) == ("print.purple_disc", "MK-17.4", {"none": none, "four": four})
    with pytest.raises(Impossible):
        BOOK.overrule(state, Choice("print", sections), "MK-17.4")
    with pytest.raises(BadPosition, match="purple_disc: purple_disc"):
        GAME.position.parse(turn(spectators="purple", known=f"purple_disc:{sections}"))


# Positions


@pytest.mark.parametrize("waived", ["-", "MK-17.4"])
def test_how_a_disc_lies_is_not_known_before_its_purple_side(waived):
    lies = {"disc_b": 3, "spectators": "purple", "waived": waived, "known": "-"}
    assert [one.check for one in GAME.position.status(turn(**lies))] == ["position.disc"]
    told_so = lies | {"known": "purple_disc:" + ",".join(map(str, PURPLE))}
    assert GAME.position.status(turn(**told_so)) == []


def test_how_a_disc_lies_is_not_asked_before_its_purple_side():
    assert fits(performing(disc=-1), Frame("disc"))
    assert not fits(performing(disc=-1, copy=unknown()), Frame("disc"))
    doing = {"doing": "effect:disc_turned/disc", "spectators": "purple", "known": "-"}
    assert [one.check for one in GAME.position.status(turn(**doing))] == ["position.frames"]
