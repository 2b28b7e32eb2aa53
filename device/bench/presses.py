"""How many presses and detents a turn costs, measured on recorded matches with the real menus.

A :class:`Pilot` plays a match's steps through a :class:`~device.menus.Box` exactly as a person would who
knows what they want: the shortest way round each list, or through the legal cells of a board, then OK. The
budget (design: at most 4 presses and 20 detents a turn in the median) counts everything a player's turn
asks of the keys.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from device.keys import Key, KeyEvent, Press, Turn
from device.match import KEYS, Adjust, Desk, Header, Library, Override
from device.menus import Box, PartTable, Play
from device.screen.pixels import pages_of
from engines import matchfile
from engines.match import Adjustment, Fallen, Made, Step

PRESSES, DETENTS = 4, 20


class Pilot:
    """Turns steps into key events for the match that a box shows."""

    def __init__(self, box: Box) -> None:
        """``box`` must show a match."""
        self.box = box

    @property
    def _play(self) -> Play:
        view = self.box.stack[-1]
        assert isinstance(view, Play), f"the box shows {type(view).__name__}, not the match"
        return view

    def events(self, step: Step) -> Iterator[KeyEvent]:
        """The events that enter ``step``; each must have reached the box before the next is asked for."""
        while isinstance(self.box.stack[-1], PartTable):
            yield Press(Key.BACK)
        play = self._play
        choices = play.referee.replay.match.read(step.text, step.seat).choices
        base = play.base
        while play.base is base:
            steps = play.toward(choices[len(play.drafts[-1].choices) :])
            for _ in range(abs(steps)):
                yield Turn(1 if steps > 0 else -1)
            yield Press(Key.OK)

    def enter(self, step: Step) -> tuple[int, int]:
        """Enter a step; how many presses and detents it took."""
        presses = detents = 0
        for event in self.events(step):
            self.box.key(event)
            presses += isinstance(event, Press)
            detents += isinstance(event, Turn)
        return presses, detents


class Cost(msgspec.Struct, frozen=True):
    """What the turns of one match cost: medians and worst, and how many turns there were."""

    match: str
    game: str
    turns: int
    presses: float
    detents: float
    worst_presses: int
    worst_detents: int


def cost(path: Path) -> Cost:
    """Play a match file through the menus; a turn is all steps of one seat until another's."""
    file = matchfile.read(path.read_text("utf-8"), path.name)
    with TemporaryDirectory() as folder:
        desk = Desk(Library(Path(folder)))
        box = Box(desk, pages=pages_of)
        box.open(Header(file.game, file.names, file.setup))
        pilot = Pilot(box)
        turns: list[list[int]] = []
        seat: Any = None
        for step in file.steps:
            if not isinstance(step, Step) or step.waived:
                _rule(desk, step)
                continue
            if step.seat is not None and step.seat != seat:
                turns.append([0, 0])
                seat = step.seat
            presses, detents = pilot.enter(step)
            if turns:
                turns[-1][0] += presses
                turns[-1][1] += detents
        desk.library.leave()
    pressed, turned = [turn[0] for turn in turns] or [0], [turn[1] for turn in turns] or [0]
    return Cost(
        path.name,
        file.game,
        len(turns),
        statistics.median(pressed),
        statistics.median(turned),
        max(pressed),
        max(turned),
    )


def _rule(desk: Desk, made: Made) -> None:
    """Enter what people ruled; it is no turn that a budget could be held against."""
    match made:
        case Adjustment(seat, points, reason):
            desk.rule(Adjust(seat, points, reason), source=KEYS)
        case Step(seat, text, waived):
            desk.step(text, seat=seat, source=KEYS, override=Override(waived))
        case Fallen():
            raise ValueError("people went back in this match: what they pressed is not in its file")


def measure(paths: Sequence[Path]) -> dict[str, Any]:
    """The costs of all matches; of each game and of all the medians over their turns' medians.

    The budget is met where every game meets it: many matches of an easy one must not hide another.
    """
    costs = [cost(path) for path in paths]
    games = {game: _medians([one for one in costs if one.game == game]) for game in _games(costs)}
    presses, detents = _medians(costs)
    return {
        "matches": [msgspec.structs.asdict(one) for one in costs],
        "games": {game: {"presses": medians[0], "detents": medians[1]} for game, medians in games.items()},
        "presses_median": presses,
        "detents_median": detents,
        "budget": {"presses": PRESSES, "detents": DETENTS},
        "within_budget": all(p <= PRESSES and d <= DETENTS for p, d in games.values()),
    }


def _games(costs: Sequence[Cost]) -> list[str]:
    return sorted({one.game for one in costs if one.turns})


def _medians(costs: Sequence[Cost]) -> tuple[float, float]:
    """Presses and detents; a match that is only counted at the end has no turns."""
    played = [one for one in costs if one.turns]
    if not played:
        return 0, 0
    return statistics.median(one.presses for one in played), statistics.median(one.detents for one in played)
