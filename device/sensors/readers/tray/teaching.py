"""The colours of a copy's keshis, as the tray's camera sees them: one small file for each camera.

They are written by `podesta camera enrol`, under the state directory, from one piece of each colour on the
printed strip. Without them the shipped looks are used.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from device.sensors.learnt import LearntError
from device.sensors.readers.shelf import (
    Learnt,
    Pictures,
    Sheet,
    Sizes,
    Teaching,
    TeachingSeen,
    say_impossible,
)
from device.texts import Said, said
from engines.marrakesh.pieces import COLOURS, LETTERS
from vision import sheets
from vision.field import find
from vision.lens import Lens
from vision.sheets import STRIP
from vision.tray.paint import Paint
from vision.tray.palette import KeshiPalette, enrol, find_chances
from vision.tray.plan import Keshi
from vision.tray.reading import read_strip


class Taught(Teaching, frozen=True, kw_only=True):
    """The looks of a copy's pieces, and the size of its ``keshi``."""

    game, broken = "marrakesh", "enrol.unreadable"
    keshi: Keshi
    palette: KeshiPalette

    def __post_init__(self) -> None:
        palette, kinds, figures = self.palette, len(COLOURS), {len(row) for row in KeshiPalette().means}
        if (
            {len(palette.means), len(palette.pieces)} != {kinds}
            or {len(row) for row in palette.means} != figures
            or min(palette.pieces) < 0
        ):
            raise ValueError("palette: not twelve colours of nine figures")

    @property
    def sizes(self) -> Sizes:
        """The given sizes, by name."""
        return {"keshi": (self.keshi.across_mm, self.keshi.height_mm)}


def _name_colour(colour: str) -> Said:
    return said(f"colour.{LETTERS[COLOURS.index(colour)]}")


SHEET: Final = Sheet(sheets.strip, tuple(map(_name_colour, COLOURS)))


def learn(lens: Lens, pictures: Pictures, sizes: Sizes, before: Taught | None) -> Learnt:
    """Learn the colours in pictures of the strip.

    If colours are known, one keshi that still reads as its own colour confirms them all: they are shares of
    the white of the markers' paper, so they hold in any light.

    ``sizes`` has the ``keshi``'s. Raises :class:`LearntError` if nothing was learnt, ValueError for a keshi
    of an impossible size.
    """
    across, height = sizes["keshi"]
    if not (4 <= across <= 30 and 2 <= height <= 30):
        raise ValueError(say_impossible("keshi", across, height))
    keshi = Keshi(across, height)
    samples, taken = find_samples(pictures, lens, keshi)
    if before and len(samples) == 1:
        ((colour, paints),) = samples.items()
        if COLOURS[int(find_chances(paints, before.palette)[0].argmax())] != colour:
            raise LearntError("enrol.anew", colour=_name_colour(colour))
        return Learnt(replace(before, taken=taken), said("enrol.again", colour=_name_colour(colour)))
    palette, missing = make_palette(samples)
    lacking = said("enrol.missing", colours=tuple(map(_name_colour, missing))) if missing else None
    found = Taught(keshi=keshi, palette=palette, taken=taken)
    return Learnt(found, said("teach.colours", n=sum(count > 0 for count in palette.pieces)), lacking)


def make_palette(samples: Mapping[str, list[Paint]]) -> tuple[KeshiPalette, tuple[str, ...]]:
    """Return the palette by pieces of known colours, and the colours without a piece, which
    stay as shipped.
    """
    return enrol(samples), tuple(colour for colour in COLOURS if colour not in samples)


def find_samples(pictures: Pictures, lens: Lens, keshi: Keshi) -> tuple[dict[str, list[Paint]], TeachingSeen]:
    """Return the paints of pieces in the slots of the strip by colour, and how the last picture of it was
    taken.

    Raises :class:`LearntError` if no picture shows the strip, or none a piece on it; ValueError for a picture
    that is not the lens's.
    """
    samples: dict[str, list[Paint]] = {}
    taken: TeachingSeen | None = None
    for _, picture in pictures:
        sight = find(picture, lens, STRIP)
        if sight.pose is None:
            continue
        taken = TeachingSeen.of(lens, picture, sight)
        for colour, paint in read_strip(picture, lens, STRIP, sight, keshi, STRIP.slots).items():
            samples.setdefault(colour, []).append(paint)
    if taken is None:
        raise LearntError("enrol.no_strip")
    if not samples:
        raise LearntError("enrol.no_piece")
    return samples, taken
