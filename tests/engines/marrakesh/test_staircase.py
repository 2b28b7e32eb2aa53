"""Staircase tiles (MK-17.1): what lines pass, which tiles lie there and what their faces give."""

from __future__ import annotations

import pytest

from engines.contract import Choice
from engines.marrakesh import GAME
from engines.marrakesh.book import BOOK
from engines.marrakesh.expanding import keeping
from engines.marrakesh.facts import LINES, LINKS, known
from engines.marrakesh.overlays import Staircase, covering
from engines.marrakesh.tiles import SPACES, STAIR_TILES
from tests.engines.marrakesh.lines import turn
from tests.engines.marrakesh.sitting import (
    COPY,
    after,
    agreed,
    asked,
    gains,
    keshis,
    play,
    playing,
    resources,
    seated,
    tokens,
    told,
    unknown,
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


def test_mk_17_1_a_line_gives_what_its_tiles_show_and_what_stays_printed():
    faces = [("07a", "dinar4"), ("20b", "deploy_t")]
    state = crossed("vp5 s3 s12", {3: "07a", 12: "20b"}, faces=faces)
    assert (asked(state), resources(state), tokens(state)) == ("link", "1n", ["dinar4", "deploy_t", "vp5"])
    assert agreed(state)
    assert resources(play(state, "dinar4")) == "5n"
    assert keshis(play(state, "deploy_t")) == "1t"
    assert gains(play(state, "vp5")) == [("connections", 5, "line21")]


def test_mk_17_1_which_tile_lies_on_a_space_is_asked_once():
    state = crossed("s3 s5", faces=[("07b", "date"), ("01a", "water")])
    assert (asked(state), state.frames[-1].n, resources(state)) == ("stair_tile", 3, "1n")
    figures = dict(BOOK.pending(state).figures)
    assert (figures["n"], figures["more.07b"], figures["more.01a"]) == (3, "date", "water")
    assert (tokens(state), agreed(state)) == (list(STAIR_TILES), True)
    state = play(state, "07b")
    assert (asked(state), state.frames[-1].n, agreed(state)) == ("stair_tile", 5, True)
    state = play(state, "01a")
    assert (asked(state), tokens(state)) == ("link", ["date", "water"])
    assert covering(state) == ("", "", "07b", "", "01a", *[""] * 7)
    assert tokens(after(play(state, "date"), "all_links")) == ["date", "water"]


def test_a_tile_that_was_told_is_known_after_going_back():
    """Of the same space, whatever line passes it."""
    first, other = crossed("s3 s5"), crossed("vp1 s3", {1: "01a"})
    assert BOOK.seen(first) == BOOK.seen(other) != BOOK.seen(play(first, "07b"))


@pytest.mark.parametrize("line", LINES)
def test_mk_1_8_what_a_line_passes_is_asked_for_when_it_is_first_crossed(line):
    start = {"mosque": 3 * int(line[0]) - 3, "palace": 3 * int(line[1]) - 3}
    state = playing(seated(copy=unknown(), **start), "staircase_tiles")
    state = after(state, "all_links")
    assert (asked(state), state.frames[-1].what) == ("print", f"line_spaces.{line}")
    state = play(state, "s12,vp1")
    assert (asked(state), state.frames[-1].n) == ("stair_tile", 12)


@pytest.mark.parametrize("face", STAIR_TILES)
def test_mk_17_1_each_face_of_each_tile_gives_what_the_owner_tells_of_it(face):
    word = LINKS[5 * STAIR_TILES.index(face) % len(LINKS)]
    state = crossed("s9", copy=unknown())
    state = play(state, face)
    assert (asked(state), state.frames[-1].what) == ("print", f"stair_tile.{face}")
    state = play(state, word)
    assert known(state.copy, f"stair_tile.{face}") == word
    assert state == crossed("s9", {9: face}, copy=unknown(), faces=[(face, word)])
    assert (state.frames, state.own) != ((), crossed("").own)


def test_scroll_59_gives_a_bonus_as_often_as_the_line_shows_it_and_scroll_63_two_that_differ():
    lies = {"tiles": {1: "02b", 2: "03a"}, "faces": [("02b", "date"), ("03a", "date")]}
    state = after(passing("s1 s2 vp5", **lies, mosque=3), "all_links")
    assert tokens(state) == ["date", "vp5"]
    assert resources(play(state, "vp5")) == "2d"
    state = play(state, "date")
    assert (asked(state), resources(state), tokens(state)) == ("link", "1d", ["date", "vp5"])
    assert agreed(state)
    state = play(state, "date")
    assert (asked(state), resources(state), gains(state)) == ("", "2d", [("scrolls", 5, "1")])
    state = after(passing("s1 s2", **lies, mosque=3), "all_links")
    assert (asked(state), resources(state)) == ("", "2d")
    state = play(crossed("s1 s2 vp5", **lies, scrolls=(63,)), "date")
    assert (asked(state), resources(state), gains(state)) == ("", "1d1n", [("connections", 5, "line21")])


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


def test_the_tiles_that_are_told_lie_there_for_all_to_see():
    state = passing("s3", {3: "07a", 12: "20b"}, faces=[("07a", "vp5"), ("20b", "date")])
    (zone,) = (zone for zone in GAME.telling.zones(state) if zone.name == "stair_tiles")
    lies = [dict(piece.label.figures) for piece in zone.pieces]
    assert (zone.seat, lies) == (None, [{"n": 3, "reward": "vp5"}, {"n": 12, "reward": "date"}])


def test_a_step_says_which_tile_lies_where_and_what_it_shows():
    state = crossed("s3", faces=[("07b", "vp5")])
    (said,) = GAME.telling.said(state, [Choice("stair_tile", "07b")])
    assert (said.key, dict(said.figures)) == (
        "said.stair_tile_shows",
        {"n": 3, "face": "07b", "reward": "vp5"},
    )
    (said,) = GAME.telling.said(crossed("s3", copy=unknown()), [Choice("stair_tile", "07b")])
    assert said.key == "said.stair_tile"
