"""Every recorded match, of whatever game, replays to its result."""

from itertools import chain

import pytest

import engines
from engines import matchfile
from engines.contract import totals
from engines.match import gains_by_step
from tests.recorded import MATCHES, load


def files(game_id):
    """The files of one game; none is played for that."""
    return [path for path in MATCHES if f"game: {game_id}\n" in path.read_text("utf-8")]


every = pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.stem)


@every
def test_it_replays_to_its_result_and_is_written_as_we_write_them(path):
    file, match = load(path)
    assert match.state.termination
    assert file.result == matchfile.result(match)
    assert match.steps == list(file.steps)
    assert matchfile.write(file) == path.read_text("utf-8")


@pytest.mark.parametrize("game_id", engines.GAMES)
def test_every_number_of_seats_level_and_option_of_a_game_was_played(game_id):
    """Else nothing but random play would ever have tried it; the closer's penalty alone is never off."""
    setups = [load(path)[0].setup for path in files(game_id)]
    game = engines.game(game_id)
    assert {setup.seats for setup in setups} == set(game.seats)
    assert {setup.level for setup in setups} == set(game.levels)
    chosen = {name for name, _ in chain.from_iterable(setup.options for setup in setups)}
    assert chosen | {"closer_penalty"} >= {option.name for option in game.options}


@every
def test_no_position_of_it_is_wrong_and_what_each_step_gained_adds_up(path):
    _, match = load(path)
    for point in match.points[::10]:
        assert match.game.position.status(match.game.position.write(point.state), match.setup.facts) == []
    seats = range(match.setup.seats)
    gained = [
        sum(gain.points for step in gains_by_step(match) for gain in step if gain.seat == n) for n in seats
    ]
    assert gained == totals(match.game.scoring.bookings(match.state), match.setup.seats)
