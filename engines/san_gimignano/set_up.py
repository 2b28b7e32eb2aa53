"""The set-up and its options, or a position to start from (SG-1.1 to SG-1.3)."""

from __future__ import annotations

from engines.contract import Option, Setup
from engines.kit import opening
from engines.san_gimignano import position
from engines.san_gimignano.book import BOOK
from engines.san_gimignano.state import Deals, Nobles, State
from engines.san_gimignano.turns import deal

SEVERAL = ("2", "3", "4", "5", "6", "target")
"""The values of the option ``deals`` for a match of several."""


OPTIONS = (
    Option("donazione", ("may", "must"), "SG-5.1"),
    Option("nobles", ("no", "yes"), "SG-9.1"),
    Option("pietra_guard", ("no", "yes"), "SG-9.5", needs=("nobles", ("yes",))),
    Option("deals", ("1", *SEVERAL), "SG-10.1"),
    Option("target", ("120", "60", "80", "100", "150", "200"), "SG-10.1", needs=("deals", ("target",))),
    Option("closer_penalty", ("yes", "no"), "SG-10.2", needs=("deals", SEVERAL)),
)


@BOOK.method
def start(setup: Setup) -> State:
    """Return the deal of SG-1.2 with the first market still to be reported, or the setup's position."""
    chosen, state = opening(
        "San Gimignano", "SG-1.1", setup, position.read, seats=(2,), options=OPTIONS, there=position.options
    )
    if state:
        return state
    nobles, deals_chosen = None, chosen["deals"]
    if chosen["nobles"] == "yes":
        nobles = Nobles(pietra_guard=chosen["pietra_guard"] == "yes")
    several = None
    if deals_chosen != "1":
        up_to = deals_chosen == "target"
        count, target = (0, int(chosen["target"])) if up_to else (int(deals_chosen), 0)
        several = Deals(count, target, chosen["closer_penalty"] == "yes", 1 - setup.start)
    return deal(setup.level, chosen["donazione"] == "must", 1 - setup.start, nobles, several)
