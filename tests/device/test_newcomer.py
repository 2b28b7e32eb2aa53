"""A new game touches its package and one line in ``engines.GAMES``; taken out, it leaves nothing."""

from __future__ import annotations

import difflib
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
from engines.rules import load
from tests.device.newcomer import played
from tests.device.player import Player
from tests.engines import grid_toy
from tests.engines.newcomers import installed

ROOT = Path(__file__).parents[2]
FLOORS = ("engines", "vision", "device")
TOY = ROOT / "tests" / "engines" / "grid_toy"
ENDS = "grid_toy counted 8"


def sources(root: Path) -> dict[str, str]:
    """Every file of the house by its path."""
    files = (file for floor in FLOORS for file in (root / floor).rglob("*"))
    return {
        file.relative_to(root).as_posix(): file.read_text("utf-8", "surrogateescape")
        for file in files
        if file.is_file() and "__pycache__" not in file.parts
    }


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """The source with the toy game put in."""
    house = tmp_path_factory.mktemp("house")
    for floor in FLOORS:
        shutil.copytree(ROOT / floor, house / floor, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(TOY, house / "engines" / "grid_toy", ignore=shutil.ignore_patterns("__pycache__"))
    file = house / "engines" / "__init__.py"
    known, line = file.read_text("utf-8"), f"GAMES = {engines.GAMES!r}".replace("'", '"')
    assert line in known
    file.write_text(known.replace(line, line.replace(")", ', "grid_toy")')), "utf-8")
    return house


def run(house: Path, *module: str) -> str:
    """What a module says, run in that house."""
    environment = {**os.environ, "PYTHONPATH": f"{house}{os.pathsep}{ROOT}", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-m", *module],
        cwd=house,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_touches_its_package_and_one_line(house):
    before, after = sources(ROOT), sources(house)
    touched = {name for name in before | after if before.get(name) != after.get(name)}
    package = {f"engines/grid_toy/{file.name}" for file in TOY.iterdir() if file.is_file()}
    assert touched == package | {"engines/__init__.py"}
    lines = [after["engines/__init__.py"].splitlines(), before["engines/__init__.py"].splitlines()]
    assert sum(line[:2] == "- " for line in difflib.ndiff(*lines)) == 1


def test_it_is_played_at_the_box_and_known_to_the_commands(house, tmp_path):
    assert run(house, "tests.device.newcomer", "grid_toy", "Stones", str(tmp_path)).strip() == ENDS
    assert "three blocks" in run(house, "device.cli", "rules", "grid_toy", "G-2")
    assert run(house, "device.cli", "perft", "--depth", "1", "grid_toy") == "12\n"


def test_taken_out_it_leaves_nothing(box, ticks, tmp_path):
    games = engines.GAMES
    with installed(grid_toy) as game_id:
        assert played(game_id, "Stones", tmp_path) == ENDS
        assert load(game_id).clause("G-1").text
    assert games == engines.GAMES
    assert not [name for name in sys.modules if name.startswith(f"engines.{game_id}")]
    with pytest.raises(UnknownGame):
        engines.game(game_id)
    with pytest.raises(EngineError):
        load(game_id)
    assert set(Texts.load("en", game_id)) == set(Texts.load("en"))
    player = Player(Box(box.desk, pages=box.pages, strict=True, now_ms=ticks), ticks)
    player.choose("New match")
    offered = {player.choose("another game").prompt for _ in range(len(games) + 1)}
    assert len(offered) == len(games)
