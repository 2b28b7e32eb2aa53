"""Things learnt on this box and kept: a small file each, whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec

from device.errors import DeviceError
from device.files import read_file, replace_file
from device.texts import Filling, cause_of, of_system, said

T = TypeVar("T")


class LearntError(DeviceError):
    """Something cannot be done: ``key`` is the text that says why, with its ``values``."""

    def __init__(self, key: str, **values: Filling) -> None:
        super().__init__(said(key, **values))


def put(file: Path, found: msgspec.Struct) -> Path:
    """Keep what was found in place of what was known; return its file. Raises OSError."""
    file.parent.mkdir(parents=True, exist_ok=True)
    replace_file(file, msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n")
    return file


def get(file: Path, kind: type[T], key: str) -> T | None:
    """Return what is kept in a file, None where there is none; raises :class:`LearntError` with the text
    ``key`` for one that cannot be read.
    """
    try:
        return msgspec.json.decode(read_file(file), type=kind)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        why = of_system(error) if isinstance(error, OSError) else cause_of(error)
        raise LearntError(key, file=file.name, why=why) from error
