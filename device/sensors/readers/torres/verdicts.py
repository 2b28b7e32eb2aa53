"""What the rules make of a board's picture: how each reading is judged, at the table and over a folder.

Vision's readings and weights meet :mod:`device.sensors.readers.judging`, with the boards that stacks hide
(:mod:`.hiding`) and with whose colour is whose (:mod:`.seats`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from device.sensors.readers import judging
from device.sensors.readers.judging import Verdict
from device.sensors.readers.torres import hiding, seats
from engines.contract import Game
from engines.torres.layout import Layout
from engines.torres.state import State
from vision.torres import limits
from vision.torres.reading import BoardReading, Scene, weigh


def verdict(
    game: Game[State, Any],
    state: State,
    scene: Scene,
    reading: BoardReading,
    known: seats.Seats,
    hidden: Iterable[int],
) -> Verdict:
    """Return what ``reading``, made of ``scene``, means in a state: a proposal, a doubt, or out of step.

    ``known`` are the colours that are somebody's, ``hidden`` those of the hidden spaces where something may
    have changed. Raises :class:`.NobodysColour` where the board as read has a piece of another colour.
    """
    margin = limits.MARGIN_STEEP / limits.TEMPER if reading.steep else judging.MARGIN
    # Of other boards only those can be right on which everybody's pieces are somebody's, and on which what is
    # hidden and was left alone is as it was.
    ours, alone = {*known, "king"}, reading.hidden.difference(hidden)
    others = [
        (one, odds)
        for one, odds in reading.alternatives
        if {colour for _, colour in one.pieces} <= ours and not one.differences(reading.best) & alone
    ]
    read = [seats.layout_of(one, known) for one in judging.worth_judging(reading.best, others, margin)]

    def weighed(layouts: Sequence[Layout]) -> list[float]:
        painted = [seats.coloured(one, known) for one in layouts]
        return [found / limits.TEMPER for found in weigh(scene, painted)]

    return judging.judge(
        game,
        state,
        read,
        weighed,
        also=hiding.behind(state, read[: judging.MOST], hidden),
        unsure=reading.unknown,
        margin=margin,
    )
