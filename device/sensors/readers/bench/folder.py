"""Pictures with their truth: a folder of NAME.json beside the picture that it names.

What a truth holds is its game's. Pictures of other things are counted and passed over. A file that is not
right is told in one line; the others still count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Generic, TypeVar

import msgspec

Positive = Annotated[float, msgspec.Meta(gt=0)]


class LensTruth(msgspec.Struct, frozen=True):
    """The lens as a calibration gives it, in px; ``dist`` is k1 k2 p1 p2 k3."""

    fx: Positive
    fy: Positive
    cx: float
    cy: float
    dist: tuple[float, float, float, float, float]


class Named(msgspec.Struct, frozen=True, kw_only=True):
    """Of which file something is known: ``picture``, of the truth's name where it is empty."""

    picture: str = ""


class FieldTruth(Named, frozen=True, kw_only=True):
    """The field that a picture shows: its size in mm and its markers."""

    field_mm: tuple[Positive, Positive]
    first_marker: Annotated[int, msgspec.Meta(ge=0)]
    marker_gap_mm: Annotated[float, msgspec.Meta(ge=0)]
    camera: LensTruth


P = TypeVar("P", bound=Named)


class PictureWithTruth(msgspec.Struct, Generic[P], frozen=True):
    """One picture and its truth."""

    picture: Path
    truth: P


class FolderFound(msgspec.Struct, frozen=True):
    """What a folder holds: ``scenes`` by game and by the names of the files without their ends.

    ``skipped`` counts pictures of other games, ``wrong`` are the files that are not right, a line each.
    """

    scenes: Mapping[str, Mapping[str, PictureWithTruth[Any]]]
    skipped: Mapping[str, int]
    wrong: tuple[str, ...]


class Unreadable(Exception):
    """A file that should hold a picture and does not; the message says how so."""


class _Game(msgspec.Struct, frozen=True):
    game: str


def look(folder: Path, truths: Mapping[str, type[Named]]) -> FolderFound:
    """Return everything in a folder, by what the truth of each game holds; raises OSError where that cannot
    be looked into.
    """
    scenes: dict[str, dict[str, PictureWithTruth[Any]]] = {game: {} for game in truths}
    skipped: Counter[str] = Counter()
    wrong = []
    for path in sorted(one for one in folder.iterdir() if one.suffix == ".json"):
        try:
            text = path.read_bytes()
            game = msgspec.json.decode(text, type=_Game).game
            if game in truths:
                truth = msgspec.json.decode(text, type=truths[game])
                scenes[game][path.stem] = PictureWithTruth(_picture(path, truth.picture), truth)
            else:
                skipped[game] += 1
        except (msgspec.MsgspecError, UnicodeDecodeError, ValueError) as error:
            wrong.append(f"{path}: {' '.join(str(error).split())}")
        except OSError as error:
            wrong.append(f"{error.filename or path}: {error.strerror or error}")
    return FolderFound(scenes, dict(skipped), tuple(wrong))


def _picture(path: Path, named: str) -> Path:
    """The picture that a file names, beside it; raises OSError where it is missing."""
    picture = path.with_name(named or f"{path.stem}.jpg")
    picture.stat()
    return picture
