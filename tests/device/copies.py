"""Copies to enter facts of: Torres, and a game with tables of dozens of them."""

import pytest

from device import copy_file
from device.texts import Texts
from engines.facts import schema
from tests.engines.fact_strategies import BAZAAR

MARKED = "d1 c3 f3 h4 a5 c6 f6 e8"
OTHERS = "a1 c1 e1 g1 a8 c8 e8 g8"

ABOUT = ("river", "rapids", "oasis", "cost", "gain", "disc", "tray", "fines")
COST = {"dates": "Dates", "dinars": "Dinars", "water": "Water"}
BAZAAR_TEXTS = {
    "title": "Bazaar",
    "fact": {
        "river": "River",
        "rapids": "Rapids",
        "oasis": "Oasis {key}",
        "cost": "Cost {key}",
        "gain": "Gain {key}",
        "disc": "Disc",
        "tray": "Tray",
        "fines": "Fines",
    },
    "fact_table": {"oasis": "Oases", "cost": "Costs", "gain": "Gains"},
    "fact_about": {name: f"About {name}." for name in ABOUT},
    "fact_field": {
        "oasis": {"points": "Points", "colours": "Colours"},
        "cost": COST,
        "fines": COST,
    },
    "facts.wrong.rapids_fit": "rapid {rapid} is beyond the river's end",
    "unit.spaces": "steps",
}


def bazaar_texts(*, strict=True):
    """The words of a game with tables of dozens of facts."""
    texts = Texts.load("en", strict=strict)
    texts._texts = texts._texts | Texts(BAZAAR_TEXTS)._texts
    return texts


@pytest.fixture
def bazaar(monkeypatch):
    """That game's facts, as if it were one of the house's; its id."""
    monkeypatch.setattr(copy_file, "schema", lambda game: BAZAAR if game == "bazaar" else schema(game))
    return "bazaar"
