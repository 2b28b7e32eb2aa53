"""A game of the tests as a package brings it: by an entry point of the group ``podesta.games``."""

import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from engines import packages, plugged
from engines.facts import schema


def told(folder: Path, name: str, value: str, group: str = packages.GROUP, package: str = "") -> None:
    """Put into ``folder`` what an installer leaves of a package with one entry point."""
    package = package or name
    info = folder / f"{package}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text(f"[{group}]\n{name} = {value}\n", "utf-8")


def put(project: Path, folder: Path) -> None:
    """Put into ``folder`` what an installer leaves of a game's package, as its ``pyproject.toml`` has it."""
    about = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))
    ((name, value),) = about["project"]["entry-points"][packages.GROUP].items()
    told(folder, name, value, package=about["project"]["name"].replace("-", "_"))
    packed = about["tool"]["setuptools"]
    for package in packed["packages"]:
        (folder / package).mkdir()
        for pattern in ("*.py", *packed["package-data"][package]):
            for file in (project / package).glob(pattern):
                shutil.copy(file, folder / package)


def look_again() -> None:
    """See what is on the path now."""
    packages.points.cache_clear()
    plugged.tried.cache_clear()
    schema.cache_clear()


@contextmanager
def on_the_path(folder: Path) -> Iterator[None]:
    """As long as the block runs, packages are looked for in ``folder`` too."""
    sys.path.insert(0, str(folder))
    look_again()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        look_again()


@contextmanager
def installed(package: ModuleType) -> Iterator[str]:
    """As long as the block runs; gives its id. ``package`` has its ``GAME``, rules and texts beside it."""
    game_id: str = package.GAME.id
    with tempfile.TemporaryDirectory() as folder:
        told(Path(folder), game_id, f"{package.__name__}:GAME")
        with on_the_path(Path(folder)):
            yield game_id
