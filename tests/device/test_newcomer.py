"""A new game comes by its entry point and touches nothing; taken out, it leaves nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import engines
from device.menus import Box
from device.texts import Texts
from engines.errors import EngineError, UnknownGame
from engines.plugged import games
from engines.rules import load
from tests.device.newcomer import played
from tests.device.player import Player
from tests.engines import grid_toy
from tests.engines.newcomers import installed, told

ROOT = Path(__file__).parents[2]
TOY = ROOT / "tests" / "engines" / "grid_toy"
ENDS = "grid_toy counted 8"


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A folder with the toy game as a package of its own."""
    house = tmp_path_factory.mktemp("house")
    shutil.copytree(TOY, house / "stones", ignore=shutil.ignore_patterns("__pycache__"))
    told(house, "grid_toy", "stones:GAME")
    return house


def run(house: Path, *module: str) -> str:
    """What a module says where that folder is on the path."""
    environment = {**os.environ, "PYTHONPATH": f"{house}{os.pathsep}{ROOT}", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-m", *module],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_played_at_the_box_and_known_to_the_commands(house, tmp_path):
    assert run(house, "tests.device.newcomer", "grid_toy", "Stones", str(tmp_path)).strip() == ENDS
    assert "three blocks" in run(house, "device.cli", "rules", "grid_toy", "G-2")
    assert run(house, "device.cli", "perft", "--depth", "1", "grid_toy") == "12\n"


def test_taken_out_it_leaves_nothing(box, ticks, tmp_path):
    before = games()
    with installed(grid_toy) as game_id:
        assert games() == (*engines.GAMES, game_id)
        assert played(game_id, "Stones", tmp_path) == ENDS
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
