"""A new game comes by its entry point and touches nothing; taken out, it leaves nothing."""

import pytest

import engines
from device.bench.presses import Pilot
from device.match.door import MatchDoor
from device.match.library import Library
from device.menus import Box
from device.screen.pixels import pages_of
from device.texts import Texts
from engines.errors import EngineError, UnknownGame
from engines.plugged import games
from engines.rules import load
from tests.device.conftest import Ticks
from tests.device.games import FULL, game_steps
from tests.device.player import Player
from tests.engines import grid_toy
from tests.engines.newcomers import installed


def played(game_id, title, state):
    """Return how a match ends that is begun at the form and played by the keys alone."""
    library = Library(state)
    player = Player(Box(MatchDoor(library), pages=pages_of, strict=True, now_ms=Ticks()), Ticks())
    player.choose("New match")
    while player.page.prompt != title:
        player.choose("another game")
    player.choose("START")
    pilot = Pilot(player.box)
    for step in game_steps(1, FULL, game_id):
        pilot.enter(step)
    player.written()
    replay = library.referee.replay
    library.leave()
    return replay.header.game, replay.match.state.termination, len(replay.match.steps)


def test_taken_out_it_leaves_nothing(box, ticks, tmp_path):
    before = games()
    with installed(grid_toy) as game_id:
        assert games() == (*engines.GAMES, game_id)
        assert played(game_id, "Stones", tmp_path) == ("grid_toy", "counted", 8)
        assert load(game_id).clause("G-1").text
    assert games() == before
    with pytest.raises(UnknownGame):
        engines.game(game_id)
    with pytest.raises(EngineError):
        load(game_id)
    assert set(Texts.load("en", game_id)) == set(Texts.load("en"))
    player = Player(Box(box.door, pages=box.pages, strict=True, now_ms=ticks), ticks)
    player.choose("New match")
    offered = {player.choose("another game").prompt for _ in range(len(before) + 1)}
    assert len(offered) == len(before)
