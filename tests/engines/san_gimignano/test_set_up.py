"""What a match may be set up with, and how its options show."""

import pytest

from engines.contract import Level, Setup
from engines.errors import BadSetup
from tests.engines.san_gimignano.table import GAME


@pytest.mark.parametrize(
    ("setup", "message"),
    [
        (Setup(seats=3), "is for 2 players"),
        (Setup(options=(("target", "119"),)), r"SG-10.1"),
        (
            Setup(position="market=5 nobles=?10", options=(("nobles", "yes"), ("pietra_guard", "yes"))),
            "has pietra_guard no, the match yes",
        ),
        (
            Setup(position="market=5 deals=2", options=(("deals", "2"), ("closer_penalty", "no"))),
            "has closer_penalty yes, the match no",
        ),
        (Setup(position="market=5", level=Level.TABLE), "has level full, the match table"),
    ],
)
def test_a_set_up_that_cannot_be(setup, message):
    with pytest.raises(BadSetup, match=message):
        GAME.rules.start(setup)


@pytest.mark.parametrize(
    ("options", "fields"),
    [
        ((("nobles", "yes"), ("pietra_guard", "yes")), {"nobles": "?10", "pietra_guard": "yes"}),
        ((("deals", "target"), ("target", "80")), {"deals": "target", "target": "80", "dealer": "b"}),
        ((("deals", "target"),), {"deals": "target", "target": "120", "dealer": "b"}),
        ((("deals", "2"), ("closer_penalty", "no")), {"deals": "2", "closer_penalty": "no", "dealer": "b"}),
        ((("closer_penalty", "no"), ("target", "80"), ("pietra_guard", "yes")), {}),
    ],
)
def test_options_show_in_the_position_and_the_basic_game_shows_none(options, fields):
    position = GAME.position.write(GAME.rules.start(Setup(options=options)))
    basic = GAME.position.write(GAME.rules.start(Setup()))
    assert position == " ".join([basic, *(f"{name}={value}" for name, value in fields.items())])
    assert GAME.rules.start(Setup(position=position, options=options)) == GAME.rules.start(
        Setup(options=options)
    )
