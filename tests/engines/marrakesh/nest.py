"""The deepest nesting of bonuses that random play found, with all that does not matter taken away.

``nesting`` counts causes that wait for one another: what one bonus brings is one deep however much it is. A
gray scholar's one scroll deploys an entertainer; with scroll 54 that is a step at the palace for a neighbour,
which scrolls 26 and 48 make longer; a line is crossed, and with scroll 63 its second bonus deploys another
entertainer, who goes the same way; scroll 16 moves the fisherman before each connection.
"""

from __future__ import annotations

from msgspec import Struct

from engines.contract import Setup
from engines.facts import with_facts
from engines.marrakesh.problems import current
from engines.marrakesh.state import Effect
from engines.match import Step, replay
from engines.matchfile import MatchFile, result
from tests.engines.marrakesh.lines import ALL_KNOWN, EVERYTHING, GAME, SAMPLE, turn

TILES = "01b,08b,15a,13b,04b,19b,07a,06b,17b,11b,16b,03a"
POSITION = turn(
    seats=4,
    assistants_a="yn",
    board_a="1y",
    fisherman_a=8,
    mosque_a=3,
    palace_a=2,
    resources_a="2w4d",
    scrolls_a="16,26,48,54,63",
    stair_tiles=TILES,
    known=ALL_KNOWN,
    **EVERYTHING,
)
SETUP = with_facts(SAMPLE, Setup(4, position=POSITION))
DOWN = (
    *(
        "y.act",
        "scroll 8",
        "spot palace",
        "climb date",
        "climb date",
        "climb date",
        "climb go",
        "first river",
    ),
    *("sail 10", "link alike2", "keshi y", "link date", "first river", "sail 11", "link alike2", "keshi p"),
    *("spot date", "goods o", "climb date", "climb date", "climb date", "first river", "sail 12"),
)
"""The way to it, by steps of seat a."""
UP = (
    *("sail 13", "spot mosque", "spectators mosque", "sail 14", "link date", "first river", "sail jetty"),
    *("link dinar1", "scroll 18", "caravan right"),
)
"""What waited is done, the innermost first, and some of the action goes on."""
DEPTH = 7


def steps():
    """Down and up."""
    return [Step(0, text) for text in (*DOWN, *UP)]


def file():
    """As a match file; it is not finished."""
    match = replay(GAME, SETUP, steps())
    names = ("Amira", "Basim", "Chadia", "Driss")
    return MatchFile(GAME.id, GAME.rules_version, names, SETUP, tuple(steps()), result=result(match))


class Nest(Struct, frozen=True):
    """Causes of what waits, by frame: 0 for what waits at first, 1 for what that brought, and so on."""

    frames: tuple = ()
    causes: tuple[int, ...] = ()

    def then(self, frames):
        """After a choice: what is new was brought by what is gone from below it."""
        same = 0
        while same < min(len(frames), len(self.frames)) and frames[same] == self.frames[same]:
            same += 1
        cause = self.causes[min(same, len(self.causes) - 1)] if self.causes else -1
        new = [cause + 1] * (len(frames) - same)
        if same < min(len(frames), len(self.frames)) and _goes_on(self.frames[same], frames[same]):
            new[0] = cause
        return Nest(frames, (*self.causes[:same], *new))


def _goes_on(before, after):
    """Whether a question is asked once more of the same."""
    told = [(frame.question, frame.what.split("+")[0]) for frame in (before, after)]
    return told[0] == told[1] and before.question != "effect"


def nesting(states):
    """How many causes wait at the last of these states, which follow one another within a turn."""
    nest = Nest()
    for state in states:
        nest = nest.then(state.frames)
    coming = len(current(states[-1]).coming)
    waits = zip(nest.frames[coming:], nest.causes[coming:], strict=True)
    return len({cause for frame, cause in waits if frame != Effect("again")})
