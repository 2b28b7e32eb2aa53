"""A camera that paints a simulated table, and says so on every picture."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import nullcontext
from itertools import accumulate
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from msgspec.structs import replace

from device.sensors.simulated_table import CameraFault, SimulatedTable, TableError, load
from device.sensors.sources.pictures import (
    EVERY_S,
    CameraError,
    FieldPainting,
    Picture,
    PictureFrame,
    Work,
    small_of,
)
from device.texts import said
from vision import painter
from vision.lens import Lens

NOISE: Final = 2.0
"""In grey levels; a tenth of it in the small picture, which averages many pixels."""
FOREIGN_MARKER: Final = 32
BESIDE_MM: Final = 80.0
"""The gap between fields that one camera sees: room for the markers of both."""


class SimulatedSource:
    """A camera that looks at a :class:`SimulatedTable` in a file."""

    def __init__(
        self,
        table: Path,
        size: tuple[int, int],
        paintings: Sequence[FieldPainting],
        busy: Work = nullcontext,
        turned_deg: float = 0.0,
    ) -> None:
        """Paint the camera's fields while ``busy``, one by each of ``paintings``.

        With ``turned_deg`` it is the table's second camera, at that angle round it, with faults of its own.

        :raises CameraError: if the table's file says that it is unplugged.
        """
        self.name = "SIMULATED camera"
        self.lens = lens_of(size)
        self._path, self._paintings, self._busy, self._turned = table, paintings, busy, turned_deg
        self._turn = 0
        self._painted: tuple[SimulatedTable, Picture, Picture] | None = None
        self._load_table()

    def grab(self) -> PictureFrame:
        """Return the next picture, with noise of its own; raises CameraError once unplugged."""
        time.sleep(EVERY_S)
        table = self._load_table()
        while CameraFault.FROZEN in table.faults:
            time.sleep(EVERY_S)
            table = self._load_table()
        if self._painted is None or self._painted[0] != table:
            with self._busy():
                painted = paint(table, self.lens, self._paintings)
            self._painted = table, painted, small_of(painted)
        self._turn += 1
        seed, (_, picture, small) = self._turn, self._painted
        return PictureFrame(
            lambda: painter.noisy(picture, seed, NOISE),
            painter.noisy(small, seed, NOISE / 10),
            time.monotonic() * 1000,
            simulated=True,
        )

    def close(self) -> None:
        """Do nothing: nothing is open."""

    def _load_table(self) -> SimulatedTable:
        try:
            table = load(self._path)
        except (OSError, TableError) as error:
            raise CameraError(f"{self.name}: {self._path.name}: {error}") from error
        if self._turned:
            azimuth = table.azimuth_deg + self._turned
            table = replace(table, azimuth_deg=azimuth, faults=table.second_faults)
        if CameraFault.UNPLUGGED in table.faults:
            raise CameraError(said("camera.gone", camera=said("camera.simulated")))
        return table


def lens_of(size: tuple[int, int]) -> Lens:
    """Return the lens through which a table is painted."""
    width, height = size
    focal = 0.83 * max(width, height * 4 / 3)
    return Lens(size, focal, focal, width / 2, height / 2, (-0.045, 0.012, 0.0004, -0.0003, 0.0))


def paint(table: SimulatedTable, lens: Lens, paintings: Sequence[FieldPainting]) -> Picture:
    """Paint a table without noise, with all its faults; those of a field go to the first one."""
    faults = table.faults
    if CameraFault.PICTURE in faults:
        return _paint_print(replace(table, faults=faults - {CameraFault.PICTURE}), lens, paintings)
    paintings = [painting for painting in paintings if painting.field(table)]
    if not paintings:
        width, height = lens.size
        return _expose(_mark(np.full((height, width, 3), painter.TABLE, np.uint8)), table)
    view, *others = views_of(table, lens, paintings)
    if CameraFault.FOREIGN in faults:
        view = replace(view, field=replace(view.field, first_marker=FOREIGN_MARKER))
    picture = paintings[0].painted(table, view)
    for painting, other in zip(paintings[1:], others, strict=True):
        _put_in(picture, painting.painted(table, other), other)
    if CameraFault.TWICE in faults:
        painter.marker(picture, view, view.field.first_marker, view.field.middle[0], -60.0)
    if CameraFault.NO_MARKERS in faults:
        _hide_markers(picture, view)
    if CameraFault.COVERED in faults:
        _cover(picture, view)
    if CameraFault.HAND in faults:
        _paint_hand(picture, view)
    return _expose(_mark(picture), table)


def views_of(
    table: SimulatedTable, lens: Lens, paintings: Sequence[FieldPainting]
) -> list[painter.PaintedView]:
    """Return the views of a table's fields, which lie side by side from west to east."""
    fields = [field for painting in paintings if (field := painting.field(table))]
    *wests, end = accumulate((field.width_mm + BESIDE_MM for field in fields), initial=0.0)
    azimuth = table.azimuth_deg + (9.0 if CameraFault.MOVED in table.faults else 0.0)
    height = max(field.height_mm for field in fields)
    whole = replace(fields[0], width_mm=end - BESIDE_MM, height_mm=height)
    pose = painter.looking(whole, table.elevation_deg, azimuth, table.distance_mm)
    return [
        painter.PaintedView(lens, pose.beside(west, 0.0), field)
        for west, field in zip(wests, fields, strict=True)
    ]


def _put_in(picture: Picture, other: Picture, view: painter.PaintedView) -> None:
    """Copy another picture's field and its surroundings into the first picture."""
    outline = view.pose.project(view.lens, view.field.outline(BESIDE_MM / 2)).round().astype(np.int32)
    there = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(there, outline, 1)
    cv2.copyTo(other, there, picture)


def _expose(picture: Picture, table: SimulatedTable) -> Picture:
    light = table.light
    if CameraFault.BLACK in table.faults:
        light = 0.0
    if CameraFault.SATURATED in table.faults:
        light = 12.0
    lit = np.asarray(np.clip(picture * light, 0, 255), np.uint8)
    if CameraFault.BLURRED in table.faults:
        lit = np.asarray(cv2.GaussianBlur(lit, (0, 0), lit.shape[1] / 100), np.uint8)
    if CameraFault.UPSIDE_DOWN in table.faults:
        lit = np.ascontiguousarray(lit[::-1, ::-1])
    return lit


def _mark(picture: Picture) -> Picture:
    cv2.putText(
        picture, "SIMULATED", (8, picture.shape[0] - 12), cv2.FONT_HERSHEY_SIMPLEX, 0.7, painter.WHITE, 2
    )
    return picture


def _hide_markers(picture: Picture, view: painter.PaintedView) -> None:
    """Hide all markers but one."""
    for corners in list(view.field.places().values())[1:]:
        x, y, _ = corners[3]
        painter.patch(picture, view, x - 5, y - 5, view.field.marker_mm + 10, painter.TABLE)


def _cover(picture: Picture, view: painter.PaintedView) -> None:
    """Lay a card on the board."""
    east, north = view.field.middle
    painter.patch(picture, view, 0.8 * east, 0.8 * north, 0.6 * east, (90, 60, 150))


def _paint_hand(picture: Picture, view: painter.PaintedView) -> None:
    """Paint an arm from the south up to the middle."""
    x, y = view.field.middle
    ends = view.pose.project(view.lens, np.array([(1.1 * x, -6.0 * y, 60.0), (x, y, 30.0)]))
    (x0, y0), (x1, y1) = ends.round().astype(int).tolist()
    cv2.line(picture, (x0, y0), (x1, y1), (120, 150, 200), picture.shape[1] // 14, cv2.LINE_AA)


def _paint_print(table: SimulatedTable, lens: Lens, paintings: Sequence[FieldPainting]) -> Picture:
    """Paint a print of the table, held askew before the camera."""
    flat = paint(table, lens, paintings)
    height, width = flat.shape[:2]
    size, whole = (
        np.array((width, height), np.float32),
        np.array(((0, 0), (1, 0), (1, 1), (0, 1)), np.float32),
    )
    bent = whole * 0.7 + np.array([(0.05, 0.2), (0.28, 0.02), (0.2, 0.3), (0.1, 0.05)], np.float32)
    turned = cv2.getPerspectiveTransform(whole * size, bent.astype(np.float32) * size)
    return np.asarray(cv2.warpPerspective(flat, turned, (width, height)), np.uint8)
