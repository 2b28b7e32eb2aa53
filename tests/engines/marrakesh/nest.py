"""The deepest nesting of bonuses that random play found, with all that does not matter taken away.

Seven causes wait for one another, where what one bonus brings is one deep however much it is. A gray
scholar's one scroll deploys an entertainer; with scroll 54 that is a step at the palace for a neighbour,
which scrolls 26 and 48 make longer; a line is crossed, and with scroll 63 its second bonus deploys another
entertainer, who goes the same way; scroll 16 moves the fisherman before each connection.
"""

from engines.contract import Setup
from engines.facts import with_facts
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


def steps():
    """Down and up."""
    return [Step(0, text) for text in (*DOWN, *UP)]


def file():
    """As a match file; it is not finished."""
    match = replay(GAME, SETUP, steps())
    names = ("Amira", "Basim", "Chadia", "Driss")
    return MatchFile(GAME.id, GAME.rules_version, names, SETUP, tuple(steps()), result=result(match))
