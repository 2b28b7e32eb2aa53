"""The teachings of a copy, learnt from pictures: a small file for each camera, stale in another light or
lens.

An older file does not say how it was taken, so it is never stale.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar, Final, NamedTuple, Self, TypeVar

import msgspec
import numpy as np
from msgspec.structs import replace

from device.sensors import learnt, readers, sources
from device.sensors.learnt import LearntError, Mount
from device.sensors.messages import Taught, Teach, Troubles
from device.sensors.readers import ENROLMENTS, Size, Sizes
from device.sensors.sources import PictureFrame, PictureSource
from device.settings import CameraSettings
from device.texts import Said, Why, cause_of, said
from vision.field import Field, FieldSight, Pose, whites
from vision.lens import Lens, Picture
from vision.sheets import DrawnSheet
from vision.tray.paint import find_white

ANOTHER_LIGHT: Final = 4.0
"""The factor by which the light that paper reflects in a colour must change to be another light: two stops.
Of 24 columns of 8 painted decks 23 are read exactly at 4.6 times less of all colours, 8 at 11 and one
wrongly.
"""

S = TypeVar("S")
K = TypeVar("K")

Pictures = Iterable[tuple[str, Picture]]
"""Pictures to learn from, each with its name."""


class TeachingSeen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The way a teaching was seen: through which ``lens``, and how ``white`` paper looked there: blue, green
    and red, linear, 1 for the brightest that a picture can be.
    """

    lens: Lens
    white: tuple[float, float, float]

    @classmethod
    def of(cls, lens: Lens, picture: Picture, sight: FieldSight) -> TeachingSeen:
        """Return how a picture is seen, by the paper of its field's markers."""
        blue, green, red = find_white(whites(picture, sight.markers)).tolist()
        return cls(lens, (blue, green, red))

    def find_stale(self, now: TeachingSeen) -> Troubles:
        """Return why such a teaching may hold no more, empty if it holds."""
        if now.lens != self.lens:
            return (said("teach.other_lens"),)
        light = np.log(np.maximum(now.white, 1e-4)) - np.log(np.maximum(self.white, 1e-4))
        return (said("teach.other_light"),) if np.abs(light).max() > np.log(ANOTHER_LIGHT) else ()


class Teaching(learnt.Kept, frozen=True, kw_only=True):
    """The pieces of a ``game``'s copy, taught by pictures: by which ``camera`` (its source in the settings),
    the day it was ``made``, such as 2025-03-09, and how they were ``taken``. Raises ValueError for one that
    is not whole.
    """

    game: ClassVar[str]
    camera: str = ""
    made: str = ""
    taken: TeachingSeen | None = None

    @property
    def sizes(self) -> Sizes:
        """The given sizes, by name."""
        raise NotImplementedError

    @classmethod
    def path(cls, state_dir: Path, camera: CameraSettings) -> Path:
        """Return the file for a camera; its name is that of the lens's calibration."""
        return state_dir / ENROLMENTS[cls.game].folder / learnt.lens_file(state_dir, camera).name

    @classmethod
    def load(cls, state_dir: Path, camera: CameraSettings) -> Self | None:
        """Return a camera's teaching, None without one; raises LearntError."""
        return cls.read(cls.path(state_dir, camera))

    def save(self, state_dir: Path, camera: CameraSettings) -> Path:
        """Replace the camera's teaching; return its file. Raises OSError."""
        return self.keep(self.path(state_dir, camera))


class Learnt(NamedTuple):
    """The result of learning: the teaching ``found``, a text about it (``said``), and what is ``missing``."""

    found: Teaching
    said: Said
    missing: Said | None = None


def enrol(
    game: str,
    where: tuple[Path, CameraSettings],
    lens: Lens,
    pictures: Pictures,
    given: Mapping[str, Size],
) -> tuple[Path, Said, Said | None]:
    """Keep the look of a copy's pieces from a camera's pictures; return the file, a text about it, and one
    about what is missing.

    ``where`` is the state directory and the camera. Sizes that are not ``given`` are those of the last
    teaching, or the usual ones. Raises :class:`.LearntError` if nothing can be learnt, ValueError for unknown
    or impossible sizes, OSError if the disk refuses the file.
    """
    module, (_, camera) = readers.load_part(game, "teaching"), where
    try:
        before = module.Taught.load(*where)
    except LearntError:  # everything is learnt again
        before = None
    kept = before.sizes if before else {}
    usual = ENROLMENTS[game].sizes
    sizes = {name: given.get(name) or kept.get(name) or size for name, size in usual.items()}
    if unknown := next((name for name, size in sizes.items() if not size), ""):
        raise ValueError(f"--{unknown} WIDTH HEIGHT is needed")
    new: Learnt = module.learn(lens, pictures, sizes, before)
    today = datetime.now(UTC).date().isoformat()
    file = replace(new.found, camera=camera.source, made=today).save(*where)
    return file, new.said, new.missing


def learn(lesson: Teach, mount: Mount, source: PictureSource, frame: PictureFrame) -> Taught:
    """Answer a lesson with a camera's picture, which :func:`enrol` learns from if asked."""
    shown = Taught(lesson.number, picture=sources.encode_picture(frame.picture, ".jpg"))
    if not lesson.learn:
        return shown
    try:
        lens = learnt.lens_of(mount, source, frame)
        where = mount.state_dir, mount.camera
        _, what, missing = enrol(lesson.game, where, lens, [("1", frame.picture)], lesson.sizes)
    except (LearntError, OSError, ValueError) as error:
        return replace(shown, says=(cause_of(error),))
    says = [said("teach.learnt", what=what)]
    says += [missing] if missing else []
    says += [said("teach.simulated")] * frame.simulated
    return replace(shown, says=tuple(says), learnt=True)


class Sheet(NamedTuple):
    """The sheet for pieces to be taught: its drawing function, and the names of its slots."""

    draw: Callable[..., DrawnSheet]
    names: tuple[Why, ...]


def say_impossible(name: str, width: float, height: float) -> Said:
    """Say that no piece has this size, in mm."""
    return said(
        "teach.impossible", what=said(f"teach.piece.{name}"), width=f"{width:g}", height=f"{height:g}"
    )


def check_near(kind: str, lens: Lens, pose: Pose, field: Field, over_mm: float, least: float) -> None:
    """Raise :class:`.LearntError` if too little of a field is seen: it is cut off, or has fewer px a mm than
    ``least``. It extends ``over_mm`` beyond its north and south edges.
    """
    east, north = field.width_mm, field.height_mm + 2 * over_mm
    seen = pose.project(lens, field.outline(0.0, over_mm))
    if ((seen < 0) | (seen >= lens.size)).any():
        raise LearntError(f"{kind}.clipped")
    sides = np.linalg.norm(seen - np.roll(seen, 1, axis=0), axis=1) / (north, east, north, east)
    if sides.min() < least:
        raise LearntError(f"{kind}.small", px=f"{sides.min():.1f}", least=f"{least:.1f}")


def check_teaching(game: str, file: Path) -> None:
    """Raise :class:`.LearntError` if a file holds no teaching of a game."""
    readers.load_part(game, "teaching").Taught.read(file)


def find_first_shown(pictures: Pictures, show: Callable[[Picture], S], wrong: LearntError) -> S:
    """Return the result of ``show`` for the first picture that it accepts; raises the last refusal, or
    ``wrong`` without pictures.
    """
    for _, picture in pictures:
        try:
            return show(picture)
        except LearntError as error:
            wrong = error
    raise wrong


def encode_pictures(pictures: Mapping[K, Picture], name: Callable[[K], str]) -> dict[str, bytes]:
    """Return pictures as PNG files by name."""
    return {name(one): sources.encode_picture(picture, ".png") for one, picture in pictures.items()}


def decode_pictures(what: str, files: Mapping[str, bytes]) -> dict[str, Picture]:
    """Return the pictures in PNG files of ``what``; raises ValueError if one is none."""
    return {name: sources.decode_picture(f"{what}: {name}", data) for name, data in files.items()}
