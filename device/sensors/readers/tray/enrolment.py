"""The colours of a copy's keshis, as the tray's camera sees them: one small file for each camera.

They are written by `podesta camera enrol`, under the state directory, from one piece of each colour on the
printed strip. Without them the shipped looks are used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from device.config import Camera
from device.sensors import lenses
from device.texts import Texts
from engines.marrakesh.keshis import COLOURS
from vision import sheets
from vision.field import find
from vision.lens import Lens, Picture
from vision.sheets import STRIP, slots
from vision.tray.enrol import on_strip
from vision.tray.paint import Paint
from vision.tray.palette import Palette, enrolled
from vision.tray.prism import Keshi

FOLDER = "palettes"
"""Where they are, under the state directory."""


class EnrolError(lenses.TextError):
    """Nothing was enrolled, or what was is broken."""


class Enrolled(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The looks of a copy's pieces: by which ``camera`` (its source in the settings), which ``keshi``, and
    the day it was ``made``, such as 2025-03-09.
    """

    camera: str
    keshi: Keshi
    palette: Palette
    made: str


def path(state_dir: Path, camera: Camera) -> Path:
    """The file that belongs to a camera; its name is that of the lens's calibration."""
    return state_dir / FOLDER / lenses.path(state_dir, camera).name


def save(state_dir: Path, camera: Camera, found: Enrolled) -> Path:
    """Keep what was enrolled in place of what was known; returns its file. Raises OSError."""
    return lenses.put(path(state_dir, camera), found)


def load(state_dir: Path, camera: Camera) -> Enrolled | None:
    """What was enrolled with a camera, None if nothing was; raises :class:`EnrolError` for a broken file."""
    file = path(state_dir, camera)
    found = lenses.get(file, Enrolled, EnrolError, "enrol.unreadable")
    if found and not _whole(found.palette):
        raise EnrolError("enrol.unreadable", file=file.name, why="")
    return found


def _whole(palette: Palette) -> bool:
    kinds, figures = len(COLOURS), {len(row) for row in Palette().means}
    return (
        len(palette.means) == len(palette.pieces) == kinds
        and {len(row) for row in palette.means} == figures
        and min(palette.pieces) >= 0
    )


def sheet(words: sheets.Words, paper: sheets.Paper) -> sheets.Sheet:
    """The strip to print."""
    return sheets.strip(COLOURS, words, paper)


def enrol_copy(
    state_dir: Path,
    camera: Camera,
    lens: Lens,
    pictures: Iterable[tuple[str, Picture]],
    sizes: Mapping[str, tuple[float, float]],
    made: str,
) -> tuple[Path, str, str]:
    """Keep the colours that pictures of the strip show; return the file, what was learnt, what is missing.

    ``sizes`` has the ``keshi``'s. Raises :class:`EnrolError` where nothing was learnt, ValueError for a keshi
    of an impossible size.
    """
    across, height = sizes["keshi"]
    if not (4 <= across <= 30 and 2 <= height <= 30):
        raise ValueError(f"a keshi of {across:g} by {height:g} mm")
    keshi = Keshi(across, height)
    palette, missing = enrol(pictures, lens, keshi)
    file = save(state_dir, camera, Enrolled(camera.source, keshi, palette, made))
    told = Texts.load()("enrol.missing", colours=", ".join(missing)) if missing else ""
    return file, f"{sum(count > 0 for count in palette.pieces)} colours", told


def enrol(
    pictures: Iterable[tuple[str, Picture]], lens: Lens, keshi: Keshi
) -> tuple[Palette, tuple[str, ...]]:
    """The palette by pictures of the strip, and the colours that none of them shows.

    A colour that is missing stays as it is shipped. Raises :class:`EnrolError` where no picture shows the
    strip, or none a piece on it; ValueError for a picture that is not the lens's.
    """
    samples: dict[str, list[Paint]] = {}
    strips = 0
    for _, picture in pictures:
        sight = find(picture, lens, STRIP)
        if sight.pose is None:
            continue
        strips += 1
        for colour, paint in on_strip(picture, lens, STRIP, sight, keshi, slots()).items():
            samples.setdefault(colour, []).append(paint)
    if not strips:
        raise EnrolError("enrol.no_strip")
    if not samples:
        raise EnrolError("enrol.no_piece")
    return enrolled(samples), tuple(colour for colour in COLOURS if colour not in samples)
