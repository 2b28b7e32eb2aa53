"""A package with a sensor or a game, to begin with: a template's files under a name."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import engines.kit
from device.config import Settings
from device.sensors import kinds

NAME = re.compile(r"[a-z][a-z0-9_]{0,31}")
SENSOR: Final = Path(__file__).parent / "template"
GAME: Final = Path(engines.kit.__file__).parent / "template"
"""The game of ``engines/README.md``."""


class MakingError(ValueError):
    """Why no package can be made."""


def make(name: str, folder: Path, *, game: bool = False) -> list[Path]:
    """Write the package of a sensor or a ``game`` into ``folder``, which is made; returns its files.

    :raises MakingError: for a name that is none or is taken, and for a folder that exists.
    """
    if not NAME.fullmatch(name):
        raise MakingError(f"{name!r} is not up to 32 of a-z, 0-9 and _, beginning with a letter")
    if game and name in engines.GAMES:
        raise MakingError(f"game {name} comes with the box")
    if not game and (name in Settings.__struct_fields__ or name in {kind.name for kind in kinds()}):
        raise MakingError(f"{name} is a section of the box's own settings")
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise MakingError(f"{folder}: exists") from None
    made, template = [], GAME if game else SENSOR
    for file in template.rglob("*.txt"):
        path = folder / named(str(file.relative_to(template)).removesuffix(".txt"), name)
        path.parent.mkdir(exist_ok=True)
        path.write_text(named(file.read_text("utf-8"), name), "utf-8")
        made.append(path)
    return sorted(made)


def named(text: str, name: str) -> str:
    """Return a template's text under a name: ``nines``, ``Nines`` where people read it."""
    return text.replace("MINE", name).replace("TITLE", name.replace("_", " ").capitalize())
