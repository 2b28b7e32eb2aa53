"""The colours of a copy's keshis, as the tray's camera sees them: one small file for each camera.

They are written by `podesta camera enrol`, under the state directory, from one piece of each colour on the
printed strip. Without them the shipped looks are used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from device.sensors.learnt import LearntError
from device.sensors.readers import ENROLMENTS
from device.sensors.readers.shelf import Sheet, Shelf, TeachingSeen, impossible
from device.settings import CameraSettings
from device.texts import Said, said
from engines.marrakesh.keshis import COLOURS, LETTERS
from vision import sheets
from vision.field import find
from vision.lens import Lens, Picture
from vision.sheets import STRIP, slots
from vision.tray.enrol import on_strip
from vision.tray.paint import Paint
from vision.tray.palette import KeshiPalette, chances, enrolled
from vision.tray.prism import Keshi


class Enrolled(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The looks of a copy's pieces: by which ``camera`` (its source in the settings), which ``keshi``, and
    the day it was ``made``, such as 2025-03-09, and how it was ``taken``.
    """

    camera: str
    keshi: Keshi
    palette: KeshiPalette
    made: str
    taken: TeachingSeen | None = None

    @property
    def sizes(self) -> dict[str, tuple[float, float]]:
        """The sizes that were told, by name."""
        return {"keshi": (self.keshi.across_mm, self.keshi.height_mm)}


def _whole(found: Enrolled) -> None:
    palette, kinds, figures = found.palette, len(COLOURS), {len(row) for row in KeshiPalette().means}
    if (
        {len(palette.means), len(palette.pieces)} != {kinds}
        or {len(row) for row in palette.means} != figures
        or min(palette.pieces) < 0
    ):
        raise ValueError("palette: not twelve colours of nine figures")


def _called(colour: str) -> Said:
    return said(f"colour.{LETTERS[COLOURS.index(colour)]}")


SHEET: Final = Sheet(sheets.strip, tuple(map(_called, COLOURS)))
SHELF: Final = Shelf(ENROLMENTS["marrakesh"].folder, Enrolled, "enrol.unreadable", _whole)
path, save, load = SHELF.path, SHELF.save, SHELF.load


def enrol_copy(
    state_dir: Path,
    camera: CameraSettings,
    lens: Lens,
    pictures: Iterable[tuple[str, Picture]],
    sizes: Mapping[str, tuple[float, float]],
    made: str,
) -> tuple[Path, Said, Said | None]:
    """Keep the colours that pictures of the strip show; return the file, what was learnt, what is missing.
    Where colours are known, one keshi that is still taken for its own confirms them all: they are shares of
    the white of the markers' paper, so of any light.

    ``sizes`` has the ``keshi``'s. Raises :class:`LearntError` where nothing was learnt, ValueError for a
    keshi of an impossible size.
    """
    across, height = sizes["keshi"]
    if not (4 <= across <= 30 and 2 <= height <= 30):
        raise ValueError(impossible("keshi", across, height))
    keshi = Keshi(across, height)
    samples, taken = seen_in(pictures, lens, keshi)
    before = SHELF.before(state_dir, camera)
    if before and len(samples) == 1:
        ((colour, paints),) = samples.items()
        if COLOURS[int(chances(paints, before.palette)[0].argmax())] != colour:
            raise LearntError("enrol.anew", colour=_called(colour))
        file = save(state_dir, camera, replace(before, made=made, taken=taken))
        return file, said("enrol.again", colour=_called(colour)), None
    palette, missing = learnt(samples)
    file = save(state_dir, camera, Enrolled(camera.source, keshi, palette, made, taken))
    lacking = said("enrol.missing", colours=tuple(map(_called, missing))) if missing else None
    return file, said("teach.colours", n=sum(count > 0 for count in palette.pieces)), lacking


def learnt(samples: Mapping[str, list[Paint]]) -> tuple[KeshiPalette, tuple[str, ...]]:
    """Return the palette by pieces whose colours are known, and the colours without one, as shipped."""
    return enrolled(samples), tuple(colour for colour in COLOURS if colour not in samples)


def seen_in(
    pictures: Iterable[tuple[str, Picture]], lens: Lens, keshi: Keshi
) -> tuple[dict[str, list[Paint]], TeachingSeen]:
    """Return the paints of pieces in the slots of the strip by colour, and how its last picture was taken.

    Raises :class:`LearntError` where no picture shows the strip, or none a piece on it; ValueError for a
    picture that is not the lens's.
    """
    samples: dict[str, list[Paint]] = {}
    taken: TeachingSeen | None = None
    for _, picture in pictures:
        sight = find(picture, lens, STRIP)
        if sight.pose is None:
            continue
        taken = TeachingSeen.of(lens, picture, sight)
        for colour, paint in on_strip(picture, lens, STRIP, sight, keshi, slots()).items():
            samples.setdefault(colour, []).append(paint)
    if taken is None:
        raise LearntError("enrol.no_strip")
    if not samples:
        raise LearntError("enrol.no_piece")
    return samples, taken
