"""Faces of river tiles (MK-15.2): asked for where nobody told of them, and let stand in another season."""

import pytest
from msgspec.structs import replace

from engines.marrakesh import tiles
from engines.marrakesh.book import BOOK
from tests.engines.marrakesh.sitting import (
    after,
    asked,
    before,
    seated,
)


def won(face, *others, season=None, **own):
    """The state after the first seat won a face; in season 3 another of three seats comes second."""
    if season is None:
        season = next(n for n, faces in enumerate(tiles.SEASON_FACES, 1) if face in faces)
    last = before(fisherman=0)
    others = (*others, last) if others or season < 3 else (before(fisherman=2), last)
    state = replace(seated(*others, fisherman=5, **own), season=season)
    return after(state, "won", why="river_tile", source=face)


@pytest.mark.parametrize("season", [1, 2, 3])
@pytest.mark.parametrize("face", tiles.RIVER)
def test_a_face_that_people_let_stand_in_another_season_gives_what_it_shows(face, season):
    state = won(face, season=season, board="2g3p2r", gates="t-------")
    assert not state.frames or asked(state) in BOOK.questions
