"""What the games' parts of the bench share: pictures out of files, where their field lies, a stopwatch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

from device.sensors.readers.bench.figures import Stages
from device.sensors.readers.bench.folder import FieldTruth, LensTruth, Unreadable
from device.sensors.sources import CameraError, read_picture
from vision.field import Field, FieldSight, find
from vision.lens import Lens, Picture


class Stopwatch:
    """A stopwatch, stage by stage."""

    def __init__(self) -> None:
        self._found: list[tuple[str, float]] = []

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        """Take the time of what is done meanwhile."""
        begin = perf_counter()
        yield
        self._found.append((name, round(1000 * (perf_counter() - begin), 2)))

    @property
    def stages(self) -> Stages:
        """All stages so far."""
        return tuple(self._found)


def open_picture(path: Path) -> Picture:
    """The picture in a file; raises :class:`.Unreadable`."""
    try:
        return read_picture(path)
    except CameraError as error:
        raise Unreadable(str(error).removeprefix(f"{path}: ")) from error


def place_of(
    picture: Picture, place: FieldTruth, camera: LensTruth | None = None
) -> tuple[Lens, Field, FieldSight]:
    """Return the lens, the field, and where that lies in the picture, by its ``camera`` if not the first."""
    height, width = picture.shape[:2]
    camera = camera or place.camera
    lens = Lens((width, height), camera.fx, camera.fy, camera.cx, camera.cy, camera.dist)
    field = Field(*place.field_mm, place.first_marker, place.marker_gap_mm)
    return lens, field, find(picture, lens, field)


def troubles_of(sight: FieldSight) -> str:
    """Return what is wrong with the markers."""
    return ", ".join(trouble.kind.name.lower() for trouble in sight.troubles)
