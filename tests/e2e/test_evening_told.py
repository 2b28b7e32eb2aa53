"""Presses of turns that show, where every reading is as the match has it: nothing is painted, no box runs."""

from itertools import groupby
from statistics import median
from typing import Any, NamedTuple

import pytest

import engines
from device.bench.presses import Pilot
from device.keys import Key, Press, Turn
from device.match.door import MatchDoor, Proposal
from device.match.library import Library
from device.match.replay import Header
from device.menus import Box
from device.screen.pixels import pages_of
from engines.contract import Exact, Several
from engines.match import Match, Step
from engines.search import explain, whole_steps
from tests.device.sensors.tables import areas, board, regions
from tests.recorded import MATCHES, load

PLAYED = {
    "table_level": (areas, (1, 1)),
    "castles_of_tuscany_two": (regions, (2, 2)),
    "torres_two": (board, (3.5, 1)),
}
"""What lies on the table of a match, and presses in the median over turns on which something shows, and of
these those for what shows.
"""


class Moment(NamedTuple):
    """A step of the match with the states around it, and whether a camera sees it."""

    step: Step
    before: Any
    after: Any
    shows: bool


class Told:
    """A box that is told what a camera with no doubts would read."""

    def __init__(self, folder, file):
        self.game = engines.game(file.game)
        self.box = Box(MatchDoor(Library(folder)), pages=pages_of)
        self.box.open(Header(file.game, file.names, file.setup))
        self.pilot = Pilot(self.box)

    def show(self, run):
        """Accept what is seen of some steps, and enter by the keys what it leaves; the presses it took."""
        first, last = run[0].before, run[-1].after
        sight = next(one for one in self.game.sights if one.of(first) != one.of(last))
        meaning = explain(self.game, sight, first, sight.of(last))
        at, done = place(self.game, meaning, run)
        took = 0
        if done:
            self.box.door.propose(Proposal(meaning, 1.0, "camera:it", what=sight.NAME))
            if self.box.stack[-1].of_sensor:
                for event in (*(Turn(1),) * at, Press(Key.OK)):
                    self.box.key(event)
                took = 1
            if self.pilot.match.state != run[done - 1].after:
                took += self.enter(run[done - 1 : done])
        return took + self.enter(run[done:])

    def enter(self, run):
        """Enter steps by the keys; the presses it took."""
        return sum(self.pilot.enter(moment.step).presses for moment in run)


def turns(file, table):
    """The turns of the match: all steps of one seat until another's; before the first nobody plays."""
    match, turn, seat = Match(engines.game(file.game), file.setup), list[Moment](), None
    for step in file.steps:
        if step.seat not in (None, seat):
            yield turn
            turn, seat = [], step.seat
        before = match.state
        match.play(step.text, step.seat)
        old, new = table(before), table(match.state)
        # Boards that are only laid out are no step to a camera.
        shows = old != new and old.hexes.keys() == new.hexes.keys()
        turn.append(Moment(step, before, match.state, shows))
    yield turn


def place(game, meaning, rest):
    """Return which explanation is meant, and how many steps it does or begins; 0 of them where none is."""
    ways = [meaning.choices] if isinstance(meaning, Exact) else []
    ways = meaning.explanations if isinstance(meaning, Several) else ways
    for at, choices in enumerate(ways):  # the whole of it, in whatever order it was done
        state = rest[0].before
        for choice in choices:
            state = game.rules.apply(state, choice)
        if state == rest[-1].after:
            return at, len(rest)
    texts = [moment.step.text for moment in rest]
    for at, choices in enumerate(ways):
        steps, begun = whole_steps(game, rest[0].before, choices)
        start = f"{game.notation.text(begun)} " if begun else ""
        whole = steps == texts[: len(steps)] and len(steps) + bool(begun) <= len(rest)
        if choices and whole and (not begun or f"{texts[len(steps)]} ".startswith(start)):
            return at, len(steps) + bool(begun)
    return 0, 0


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.soak] * (name == "torres_two")) for name in PLAYED]
)
def test_presses_of_what_is_seen(tmp_path, name):
    """A whole match takes a second or three."""
    (table, bars), rows = PLAYED[name], []
    file, _ = load(next(path for path in MATCHES if path.stem == name))
    box = Told(tmp_path, file)
    for turn in turns(file, table):
        runs = [(shows, list(run)) for shows, run in groupby(turn, key=lambda moment: moment.shows)]
        took = [(shows, box.show(run) if shows else box.enter(run)) for shows, run in runs]
        if any(moment.shows for moment in turn):
            rows.append((sum(n for _, n in took), sum(n for shows, n in took if shows)))
    box.box.library.leave()
    assert tuple(median(column) for column in zip(*rows, strict=True)) == bars
