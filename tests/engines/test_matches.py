"""Every recorded match, of whatever game, replays to its result."""

from functools import cache
from itertools import chain
from pathlib import Path

import pytest

import engines
from engines import matchfile
from engines.errors import EngineError

FILES = sorted((Path(__file__).parents[1] / "matches").glob("*.match"))


@cache
def load(path):
    """A file and its match."""
    file = matchfile.read(path.read_text("utf-8"), path.name)
    return file, matchfile.play(file, path.name)


def files(game_id):
    """The files of one game; none is played for that."""
    return [path for path in FILES if f"game: {game_id}\n" in path.read_text("utf-8")]


every = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


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
