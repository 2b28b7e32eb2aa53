"""What is printed on a copy of the toy with a tower: no match begins without the number of turns."""

from typing import Annotated

from engines.fact_kinds import number, one_of
from engines.facts import UNKNOWN, Copy, Fact, Schema

COLOURS = ("r", "g")
Worth = Annotated[int, number(0, 9, "points")]


class TowerCopy(Copy, frozen=True, kw_only=True):
    """The facts."""

    turns: Annotated[int, number(1, 9), Fact("P-1", may_wait=False)] = UNKNOWN
    worth: Annotated[dict[Annotated[str, one_of(COLOURS)], Worth], Fact("P-4")] = UNKNOWN


SCHEMA = Schema("tower_toy", TowerCopy, made_up={"turns": 4, "worth.r": 1, "worth.g": 2})
