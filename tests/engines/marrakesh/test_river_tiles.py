"""Faces of river tiles (MK-15.2): asked for where nobody told of them, and let stand in another season."""

import pytest
from msgspec.structs import replace

from engines.marrakesh import tiles
from engines.marrakesh.book import BOOK
from engines.marrakesh.facts import SCHEMA
from tests.engines.marrakesh.sitting import (
    COPY,
    after,
    asked,
    before,
    play,
    seated,
    unknown,
)


def won(face, *others, season=None, **own):
    """The state after the first seat won a face; in season 3 another of three seats comes second."""
    if season is None:
        season = next(n for n, faces in enumerate(tiles.SEASON_FACES, 1) if face in faces)
    last = before(fisherman=0)
    others = (*others, last) if others or season < 3 else (before(fisherman=2), last)
    state = replace(seated(*others, fisherman=5, **own), season=season)
    return after(state, "won", why="river_tile", source=face)


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
