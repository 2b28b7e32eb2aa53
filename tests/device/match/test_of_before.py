"""Journals written under version 1 of the rules, one open and one over of a game: they go on and verify."""

import shutil
from pathlib import Path

import pytest

from device.match import Replay
from device.match.journal import read
from engines import matchfile
from tests.device.games import enter

HERE = Path(__file__).parent / "of_before"
MATCHES = Path(__file__).parents[2] / "matches"
GAMES = ("castles_of_tuscany", "marrakesh")


def recorded(game):
    return matchfile.read((MATCHES / f"{game}_three_rules_1.match").read_text())


def replay(name):
    reading = read(HERE / f"{name}.podesta")
    assert reading.damage is None
    return Replay(reading.header, reading.records)


@pytest.mark.parametrize("game", GAMES)
def test_a_match_that_is_over_verifies_under_version_1(game):
    again = replay(f"{game}_over")
    assert (again.match.state.rules, again.over, again.drift) == (1, True, 0)
    assert all(line.record.state_digest for line in again.history)
    played = matchfile.play(recorded(game))
    assert again.match.points == played.points


@pytest.mark.parametrize("game", GAMES)
def test_an_open_match_goes_on_under_version_1(game, table):
    path = table.matches / "before.podesta"
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(HERE / f"{game}_open.podesta", path)
    (table.state_dir / "current").write_text(path.name)
    referee = table.resume()
    begun = len(referee.replay.history)
    assert (referee.replay.match.state.rules, referee.replay.drift) == (1, 0)
    enter(referee, recorded(game).steps[begun:])
    assert referee.replay.over
    assert referee.replay.match.points == replay(f"{game}_over").match.points
