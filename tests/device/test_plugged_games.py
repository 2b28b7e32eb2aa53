"""Games of other packages: found by their entry points, tried, and named where they cannot be played."""

import importlib
import shutil
import sys
from pathlib import Path

import pytest

import engines
from device.commands.checks import check_plug_ins
from device.match.door import MatchDoor
from device.match.library import Library
from device.menus import Box
from device.screen.pixels import pages_of
from engines import matchfile, packages
from engines.errors import BadMatchFile, UnknownGame
from engines.plugged import games, plugged
from tests.engines import grid_toy
from tests.engines.newcomers import on_the_path, told

TOY = Path(grid_toy.__file__).parent


@pytest.fixture
def shelf(tmp_path):
    """A folder on the path for packages; what is imported from it is forgotten."""
    with on_the_path(tmp_path):
        yield tmp_path
        for name in [name for name in sys.modules if name.partition(".")[0] == "stones"]:
            del sys.modules[name]


def put(shelf, value="stones:GAME", name="grid_toy", code=None, **files):
    """The toy game as a package there, with some files in another form; None leaves one out."""
    shutil.copytree(TOY, shelf / "stones", ignore=shutil.ignore_patterns("__pycache__"))
    if code is not None:
        (shelf / "stones" / "__init__.py").write_text(code, "utf-8")
    for file, text in files.items():
        path = shelf / "stones" / f"{file.replace('_', '.')}.toml"
        path.unlink() if text is None else path.write_text(text, "utf-8")
    told(shelf, name, value)
    importlib.invalidate_caches()
    packages.points.cache_clear()


GAME = "from tests.engines.grid_toy import GAME\n"
LATE = f"{GAME}from msgspec.structs import replace\nGAME = replace(GAME, rules=None)\n"


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (
            {"code": "import nowhere"},
            "of grid_toy 1.0: ModuleNotFoundError: No module named 'nowhere'",
        ),
        ({"code": "raise SystemExit(3)"}, "game grid_toy of grid_toy 1.0: SystemExit: 3"),
        ({"code": "GAME = 7"}, "game grid_toy of grid_toy 1.0: stones:GAME is a int, no Game"),
        ({"value": "stones:WRONG"}, "grid_toy 1.0: AttributeError: module 'stones' has no attribute 'WRONG'"),
        ({"name": "other"}, "game other of other 1.0: stones:GAME has the id 'grid_toy'"),
        ({"name": "torres"}, "game torres comes with the box"),
        ({"rules": None}, "no rules for a game 'grid_toy'"),
        ({"texts_en": None}, "FileNotFoundError: "),
        ({"texts_en": "title = 3"}, "texts.en.toml: text title must be a string, not 3"),
        ({"texts_en": "part = 'three'"}, "texts.en.toml has no title"),
        (
            {"texts_en": "title = 'x'\n[question]\nlay = '{0}'"},
            "texts.en.toml: text question.lay: {0} is not a plain name",
        ),
        ({"code": LATE}, "AttributeError: 'NoneType' object has no attribute 'start'"),
    ],
)
def test_one_that_cannot_be_played_is_named_and_stops_nothing(shelf, tmp_path, broken, said):
    put(shelf, **broken)
    (one,) = plugged()
    assert said in one.problem
    assert games() == engines.GAMES
    (finding,) = check_plug_ins()
    assert (finding.verdict, finding.name, finding.detail) == (
        "fail",
        f"game {one.name}",
        one.problem,
    )
    library = Library(tmp_path / "state")
    Box(MatchDoor(library), pages=pages_of, strict=True)
    library.leave()


def test_of_two_packages_with_one_game_none_is_taken(shelf):
    put(shelf)
    told(shelf / "second", "grid_toy", "stones:GAME", package="pebbles")
    with on_the_path(shelf / "second"):
        assert {one.problem for one in plugged()} == {"game grid_toy is in grid_toy 1.0 and in pebbles 1.0"}
        assert games() == engines.GAMES


def test_they_can_be_left_out(shelf, monkeypatch):
    put(shelf)
    told(shelf, "torres_2", "stones:GAME")
    monkeypatch.setattr(packages, "_left_out", [])
    packages.points.cache_clear()
    packages.leave_out()
    assert (games(), plugged()) == (engines.GAMES, ())
    with pytest.raises(UnknownGame, match="game grid_toy: its package is not installed, or was left"):
        engines.game("grid_toy")
    with pytest.raises(UnknownGame, match="game torres_2: its package is not installed, or was left"):
        engines.game("torres_2")


@pytest.mark.parametrize("name", ["nines", "stones", "my_game"])
def test_a_match_of_a_game_that_is_gone_names_it(name):
    with pytest.raises(BadMatchFile) as error:
        matchfile.read(f"podesta match 1\ngame: {name}\n", "evening.match")
    gone = f"game {name}: its package is not installed, or was left out by --safe"
    assert str(error.value).startswith(f"evening.match:2: {gone}; there are san_gimignano, ")
