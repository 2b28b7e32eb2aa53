"""Texts of the box beside the games'."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import ClassVar

from engines import texts


class Texts(texts.Texts):
    """The texts of the box and of games, by key; its own are ``device/texts/en.toml``, with a folder for each
    language beside it.
    """

    folders: ClassVar[tuple[Path, ...]] = (*texts.Texts.folders, Path(str(files("device") / "texts")))
    catalogues: ClassVar[Path | None] = Path(str(files("device") / "texts"))
