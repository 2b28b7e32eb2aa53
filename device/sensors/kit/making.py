"""A package with a sensor, to begin with: the template's files under a name."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

from device.config import Settings
from device.sensors import kinds

NAME = re.compile(r"[a-z][a-z0-9_]{0,31}")


class MakingError(ValueError):
    """Why no package can be made."""


def make(name: str, folder: Path) -> list[Path]:
    """Write the package of a sensor ``name`` into ``folder``, which is made; returns its files.

    :raises MakingError: for a name that is none or is taken, and for a folder that exists.
    """
    if not NAME.fullmatch(name):
        raise MakingError(f"{name!r} is not up to 32 of a-z, 0-9 and _, beginning with a letter")
    if name in Settings.__struct_fields__ or name in {kind.name for kind in kinds()}:
        raise MakingError(f"{name} is a section of the box's own settings")
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise MakingError(f"{folder}: exists") from None
    made = []
    for file in files("device.sensors.kit").joinpath("template").iterdir():
        path = folder / file.name.removesuffix(".txt").replace("NAME", name)
        path.write_text(file.read_text("utf-8").replace("NAME", name), "utf-8")
        made.append(path)
    return sorted(made)
