"""Presses of turns that show, where every reading is as the match has it: nothing is painted, no box runs."""

from statistics import median

import pytest

from device.keys.events import Key, Press, Turn
from device.match.door import Proposal
from engines.search import explain
from tests.e2e.evening import Alone, Evening, Taken, runs
from tests.e2e.test_evening_seen import MATCHES, PLAYED

BARS = {"san_gimignano": (1, 1), "castles_of_tuscany": (2, 2), "torres": (4, 1)}
"""Presses in the median over turns on which something shows, and of these those for what shows."""


class Told(Alone):
    """A box that is told what a camera with no doubts would read."""

    def __init__(self, evening):
        super().__init__(evening)
        self.evening, self.game = evening, evening.game

    def show(self, run):
        """Accept what is seen of some steps, and enter by the keys what it leaves; what that took."""
        box, first, last = self._pilot.box, run[0].before, run[-1].after
        sight = next(one for one in self.game.sights if one.of(first) != one.of(last))
        meaning = explain(self.game, sight, first, sight.of(last))
        at, done = self.evening.place(meaning, run)
        took = Taken()
        if done:
            box.door.propose(Proposal(meaning, 1.0, "camera:it", what=sight.NAME))
            if box.stack[-1].of_sensor:
                for event in (*(Turn(1),) * at, Press(Key.OK)):
                    box.key(event)
                took = Taken(1, at)
            if self._pilot.match.state != run[done - 1].after:
                took += self.enter(run[done - 1].step)[0]
        for moment in run[done:]:
            took += self.enter(moment.step)[0]
        return took


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.soak] * (name == "torres")) for name in BARS]
)
def test_presses_of_what_is_seen(tmp_path, name):
    """A whole match takes a second or three."""
    one = PLAYED[name]
    evening = Evening(tmp_path, MATCHES / f"{one.match}.match", one.table, one.camera, one.facts, 1)
    box, rows = Told(evening), []
    for turn in evening.turns():
        whole = shown = Taken()
        for run in runs(turn):
            took = box.show(run) if run[0].shows else sum((box.enter(m.step)[0] for m in run), Taken())
            whole += took
            shown += took if run[0].shows else Taken()
        if any(moment.shows for moment in turn):
            rows.append((whole, shown))
    box.leave()
    assert (
        tuple(median(taken.presses for taken in column) for column in zip(*rows, strict=True)) == BARS[name]
    )
