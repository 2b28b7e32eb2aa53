"""Every recorded match, of whatever game, replays to its result, and shows what its note says."""

from importlib import import_module
from itertools import chain

import pytest

import engines
from engines import matchfile
from engines.contract import totals
from engines.errors import EngineError
from engines.gains import along
from tests.recorded import MATCHES, load


def files(game_id):
    """The files of one game; none is played for that."""
    return [path for path in MATCHES if f"game: {game_id}\n" in path.read_text("utf-8")]


every = pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.stem)


@every
def test_it_replays_to_its_result(path):
    file, match = load(path)
    assert match.state.termination
    assert file.result == matchfile.result(match)


@every
def test_it_is_written_as_we_write_them(path):
    assert matchfile.write(load(path)[0]) == path.read_text("utf-8")


@every
def test_a_damaged_one_is_noticed(path):
    """Leaving out any one step of the play is refused, or gives another end: no step is idle."""
    file, match = load(path)
    for left_out in range(0, len(file.steps), 8):
        other = match.branch(left_out)
        try:
            for step in file.steps[left_out + 1 :]:
                other.make(step)
        except EngineError:
            continue
        assert other.points[-1] != match.points[-1]


@pytest.mark.parametrize("game_id", engines.GAMES)
def test_every_number_of_seats_level_and_option_of_a_game_was_played(game_id):
    """Else nothing but random play would ever have tried it; the closer's penalty alone is never off."""
    setups = [load(path)[0].setup for path in files(game_id)]
    game = engines.game(game_id)
    assert {setup.seats for setup in setups} == set(game.seats)
    assert {setup.level for setup in setups} == set(game.levels)
    chosen = {name for name, _ in chain.from_iterable(setup.options for setup in setups)}
    assert chosen | {"closer_penalty"} >= {option.name for option in game.options}


# What their players and notes say

NOTED = ("torres", "castles_of_tuscany", "marrakesh")
"""Games whose notes are made by what is looked for in a match; that of San Gimignano are by hand."""
RULED = {"an overruled step", "points by hand"}
"""What no recorded match shows."""
noted = pytest.mark.parametrize(
    ("game_id", "path"),
    [pytest.param(game_id, path, id=path.stem) for game_id in NOTED for path in files(game_id)],
)


def shows(game_id):
    return import_module(f"tests.engines.{game_id}.shows")


def recorded(game_id):
    """The recordings of a game's players, by the names of their files."""
    return {
        f"{game_id}_{one.name}": one for one in import_module(f"tests.engines.{game_id}.players").RECORDINGS
    }


@noted
def test_it_shows_what_its_note_says(game_id, path):
    file, match = load(path)
    assert file.note == "; ".join(shows(game_id).shown(match))


@pytest.mark.parametrize("game_id", NOTED)
def test_together_they_show_everything(game_id):
    notes = {what.partition(":")[0] for path in files(game_id) for what in load(path)[0].note.split("; ")}
    assert notes == set(shows(game_id).SHOWS) - RULED


@pytest.mark.parametrize("game_id", NOTED)
def test_every_recording_is_there(game_id):
    assert {path.stem for path in files(game_id)} == recorded(game_id).keys()


@pytest.mark.parametrize(
    "path", [*files("castles_of_tuscany"), *files("marrakesh")], ids=lambda path: path.stem
)
def test_it_is_the_match_that_was_played(path):
    """Played anew by the same people it is the same, step by step; those of Torres think for too long."""
    file = load(path)[0]
    assert recorded(file.game)[path.stem].file().steps == file.steps


@every
def test_no_position_of_it_is_wrong(path):
    match = load(path)[1]
    for point in match.points[::10]:
        assert match.game.position.status(match.game.position.write(point.state), match.setup.facts) == []


@every
def test_what_each_step_gained_adds_up_to_the_result(path):
    _, match = load(path)
    seats = range(match.setup.seats)
    gained = [sum(gain.points for step in along(match) for gain in step if gain.seat == n) for n in seats]
    assert gained == totals(match.game.scoring.bookings(match.state), match.setup.seats)
