"""Texts of the box beside the games'."""

from __future__ import annotations

import time
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

    def moment(self, key: str, seconds: float) -> str:
        """Say a moment, in seconds since 1970, as ``time.<key>`` has it: ``Sun 22 Nov 21:14``."""
        at = time.localtime(seconds)
        return self(
            f"time.{key}",
            weekday=self(f"time.weekday.{at.tm_wday}"),
            day=at.tm_mday,
            month=self(f"time.month.{at.tm_mon}"),
            year=at.tm_year,
            time=time.strftime("%H:%M", at),
        )
