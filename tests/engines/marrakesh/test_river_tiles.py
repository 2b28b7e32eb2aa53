"""What every face of a river tile gives its winner and, in season 3, the second (MK-15.2)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engines.marrakesh import tiles
from engines.marrakesh.book import BOOK
from engines.marrakesh.facts import SCHEMA
from engines.marrakesh.keshis import LETTERS
from tests.engines.marrakesh.sitting import (
    COPY,
    after,
    asked,
    before,
    gains,
    keshis,
    play,
    resources,
    seated,
    tokens,
    told,
    unknown,
)

SCENES = {}
LAST = tiles.SEASON_FACES[2]
QUIET = told(link={f"{mosque}{palace}": ("vp1",) for mosque in range(1, 6) for palace in range(1, 6)})


def scene(face):
    """Register what a face is seen to do."""

    def register(played):
        SCENES[face] = played
        return played

    return register


def won(face, *others, season=None, **own):
    """The state after the first seat won a face; in season 3 another of three seats comes second."""
    if season is None:
        season = next(n for n, faces in enumerate(tiles.SEASON_FACES, 1) if face in faces)
    last = before(fisherman=0)
    others = (*others, last) if others or season < 3 else (before(fisherman=2), last)
    state = replace(seated(*others, fisherman=5, **own), season=season)
    return after(state, "won", why="river_tile", source=face)


@pytest.mark.parametrize("face", tiles.RIVER)
def test_every_face_gives_what_lists_say(face):
    SCENES[face]()


@scene("01")
def scene_01():
    state = won("01", board="2g")
    assert (asked(state), resources(play(state, "g.act"))) == ("sector", "2d")


@scene("02")
def scene_02():
    state = won("02", oases=(1, 2, 3, 4, 5, 6), claimed=0b111111)
    assert (asked(state), "none" in tokens(state)) == ("oasis_number", True)
    assert play(state, "09").sides[0].oases == (1, 2, 3, 4, 5, 6, 9)
    assert play(state, "none").sides[0].oases == (1, 2, 3, 4, 5, 6)


@scene("07")
def scene_07():
    state = play(won("07"), "g")
    assert (keshis(state), state.sides[0].vendors) == ("1r", 0b10)


@scene("08")
def scene_08():
    assert gains(won("08")) == [("river_tile", 3, "08")]


@scene("13")
def scene_13():
    state = won("13")
    assert set(tokens(state)) == set("pnb")
    assert keshis(play(state, "b")) == "1b"


@scene("14")
def scene_14():
    assert resources(won("14")) == "1w1d1n"


@scene("03")
def scene_03():
    state = won("03")
    assert tokens(state) == list(LETTERS)
    assert keshis(play(state, "t k")) == "1t1k"


@scene("04")
def scene_04():
    assert gains(won("04")) == [("river_tile", 5, "04")]


@scene("09")
def scene_09():
    state = won("09")
    assert state.ahead == 0
    last = after(replace(state, holder=1), "season_over")
    assert [side.fisherman for side in last.sides] == [2, 0]
    state = won("09", copy=unknown(COPY, "crocodile"))
    assert (asked(state), play(state, "4").ahead) == ("print", 0)


@scene("10")
def scene_10():
    assert keshis(won("10")) == "1l1u1o"


@scene("15")
def scene_15():
    state = play(won("15", caravans=(0, 2, 1)), "left1 09 right1 22")
    assert (state.sides[0].oases, asked(state)) == ((9, 22), "")


@scene("16")
def scene_16():
    """Section by section, 3 and then 1 face the water."""
    state = won("16", square=1, disc=3)
    assert (resources(state), state.sides[0].disc) == ("4w", 1)


@scene("05")
def scene_05():
    state = won("05")
    assert (gains(state), gains(state, 1)) == ([("river_tile", 7, "05")], [("river_tile", 3, "05")])


@scene("06")
def scene_06():
    state = play(won("06"), "water water date date dinar dinar")
    assert (resources(state), state.seat) == ("2w2d2n", 1)
    state = play(state, "water water water")
    assert (resources(state, 1), asked(state)) == ("3w", "")


@scene("11")
def scene_11():
    state = play(won("11", copy=QUIET), "palace")
    assert (state.sides[0].palace, resources(state), state.seat) == (3, "1n", 1)
    state = play(state, "mosque")
    assert (state.sides[1].mosque, asked(state)) == (1, "")


def halves(face, own, other):
    """The state after the winner took the first and the second half; the other goes to the second."""
    state = won(face, before(fisherman=2, **other), **own)
    assert (asked(state), tokens(state)) == ("river_choice", ["first", "second"])
    return play(state, "first"), play(state, "second")


@scene("12")
def scene_12():
    first, second = halves("12", {"gates": "tg-p----", "board": "2g"}, {"gates": "k-------", "board": "5g"})
    assert (gains(first), gains(first, 1)) == ([("river_tile", 3, "12")], [("river_tile", 5, "12")])
    assert (gains(second), gains(second, 1)) == ([("river_tile", 2, "12")], [("river_tile", 1, "12")])


@scene("17")
def scene_17():
    first, second = halves("17", {"board": "2p1r"}, {"board": "3p4r"})
    assert (resources(first), resources(first, 1)) == ("2d2n", "4w4d")
    assert (resources(second), resources(second, 1)) == ("1w1d", "3d3n")


@scene("18")
def scene_18():
    own = {"board": "3t4g2l", "goods": ("lamp1",)}
    first, second = halves("18", own, {"board": "8t", "goods": ("lamp2", "slipper1")})
    assert (gains(first), gains(first, 1)) == ([("river_tile", 2, "18")], [("river_tile", 4, "18")])
    assert (gains(second), gains(second, 1)) == ([("river_tile", 2, "18")], [("river_tile", 2, "18")])


@pytest.mark.parametrize("face", LAST)
def test_of_two_players_none_is_second(face):
    state = replace(seated(before(fisherman=2), fisherman=5, copy=QUIET), season=3)
    state = after(state, "won", why="river_tile", source=face)
    while asked(state):
        assert state.seat == 0
        state = play(state, tokens(state)[0])
    assert state.sides[1] == before(fisherman=2)


def test_who_did_not_leave_the_start_is_never_second():
    state = won("05", before(), season=3)
    assert (gains(state), gains(state, 1)) == ([("river_tile", 7, "05")], [])


@pytest.mark.parametrize("face", tiles.RIVER)
def test_a_face_that_nobody_told_of_is_asked_for_and_begins_with_what_is_likely(face):
    name = f"river_tile.{face}"
    state = won(face, copy=unknown(COPY, name))
    domain = BOOK.pending(state).domain
    assert (asked(state), domain.name, domain.begun) == ("print", name, SCHEMA.fact(name).default.value)
    assert replace(play(state, domain.begun), copy=COPY) == won(face)


@pytest.mark.parametrize("season", [1, 2, 3])
@pytest.mark.parametrize("face", tiles.RIVER)
def test_a_face_that_people_let_stand_in_another_season_gives_what_it_shows(face, season):
    state = won(face, season=season, board="2g3p2r", gates="t-------")
    assert not state.frames or asked(state) in BOOK.questions
