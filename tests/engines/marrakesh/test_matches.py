"""Every recorded match of Marrakesh shows what its note says, and is the match its players play."""

import pytest

from engines import matchfile
from engines.contract import totals
from engines.gains import along
from tests.engines.marrakesh.players import RECORDINGS
from tests.engines.marrakesh.shows import SHOWS, shown
from tests.engines.test_matches import files, load

FILES = files("marrakesh")
PREFIX = "marrakesh_"
every = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def test_every_recording_is_there():
    assert {path.stem for path in FILES} == {PREFIX + one.name for one in RECORDINGS}


@every
def test_a_recorded_match_shows_what_its_note_says(path):
    file, match = load(path)
    assert file.note == "; ".join(shown(match))


def test_together_they_show_everything():
    notes = {what.partition(":")[0] for path in FILES for what in load(path)[0].note.split("; ")}
    assert notes == set(SHOWS)


@pytest.mark.parametrize(
    ("name", "chain"),
    [
        ("two", "y.act, scroll 55, stair mosque, link river, sail 5"),
        ("four", "y.act, scroll 67, keshi g"),
    ],
)
def test_a_chain_is_named_by_its_steps_and_tiles(name, chain):
    (path,) = [path for path in FILES if path.stem == PREFIX + name]
    assert f"bonuses nest four deep: {chain}" in load(path)[0].note.split("; ")


@every
def test_it_is_the_match_that_was_played(path):
    """Played anew by the same people it is the same, step by step and point by point."""
    (recording,) = [one for one in RECORDINGS if PREFIX + one.name == path.stem]
    file = recording.file()
    assert file.steps == load(path)[0].steps
    assert matchfile.play(file).points == load(path)[1].points


@every
def test_no_position_of_it_is_wrong(path):
    game, match = load(path)[1].game, load(path)[1]
    for point in match.points[::10]:
        assert game.position.status(game.position.write(point.state), match.setup.facts) == []


@every
def test_what_each_step_gained_adds_up_to_the_result(path):
    _, match = load(path)
    seats = range(match.setup.seats)
    gained = [sum(gain.points for step in along(match) for gain in step if gain.seat == n) for n in seats]
    assert gained == totals(match.game.scoring.bookings(match.state), match.setup.seats)
