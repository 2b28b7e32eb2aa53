"""Staircase tiles (MK-17.1): after going back, in positions, and in words."""

from engines.marrakesh import GAME
from engines.marrakesh.book import BOOK
from engines.marrakesh.expanding import keeping
from engines.marrakesh.overlays import Staircase
from engines.marrakesh.tiles import SPACES
from tests.engines.marrakesh.lines import turn
from tests.engines.marrakesh.sitting import (
    COPY,
    after,
    play,
    playing,
    seated,
    told,
)

LINE = "line_spaces.21"
"""What the pawn before the mosque's first line passes."""


def passing(words, tiles=(), copy=COPY, faces=(), **side):
    """Line 21 passes these words; ``{3: "07a"}`` are tiles that are told, ``faces`` what faces show."""
    copy = told(copy, **{LINE: tuple(words.split())}, **{f"stair_tile.{face}": word for face, word in faces})
    lie = dict(tiles)
    covered = Staircase(tuple(lie.get(space, "") for space in range(1, len(SPACES) + 1)))
    side = {"mosque": 2} | side
    return keeping(playing(seated(copy=copy, **side), "staircase_tiles"), covered)


def crossed(*lies, **more):
    """The state after that line was crossed."""
    return after(passing(*lies, **more), "mosque")


def test_a_tile_that_was_told_is_known_after_going_back():
    """Of the same space, whatever line passes it."""
    first, other = crossed("s3 s5"), crossed("vp1 s3", {1: "01a"})
    assert BOOK.seen(first) == BOOK.seen(other) != BOOK.seen(play(first, "07b"))


# Positions, words


def problems(**fields):
    """What is wrong with a position in which seat a is asked for an action."""
    return [(one.where, one.check, one.clause) for one in GAME.position.status(turn(**fields))]


def test_a_position_tells_the_tiles_by_space():
    state = crossed("s3 s5", {2: "07a"})
    assert GAME.position.parse(GAME.position.write(state)) == state
    tiles = "stair_tiles=-,07a" + ",-" * 10
    assert tiles in GAME.position.write(state).split()


def test_a_tile_on_two_spaces_is_a_problem():
    twice = {"staircase_tiles": "yes", "stair_tiles": "07a,07b" + ",-" * 10}
    assert problems(**twice) == [("stair_tiles", "position.stair_tile", "MK-17.1")]
    assert problems(**twice, waived="MK-17.1") == []


def test_a_question_of_an_expansion_that_is_not_played_fits_no_position():
    asks = {"doing": "effect:link_23::connections/stair_tile::3", "known": "line_spaces.23:s3"}
    assert problems(**asks, staircase_tiles="yes") == []
    assert problems(**asks) == [("doing", "position.frames", "MK-2.1")]
