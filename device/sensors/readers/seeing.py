"""The parts that readers share: the lens, what is watched of a field, troubles as texts, coded pictures."""

from __future__ import annotations

from typing import Any, Final

import cv2
import numpy as np

from device.sensors import lenses
from device.sensors.messages import Troubles
from device.sensors.reader import Mount
from device.sensors.sources import Picture, PictureFrame, PictureSource
from device.texts import Said, said
from vision.field import Field, FieldSight, Pose
from vision.flaws import flaw
from vision.gate import WatchedRegion
from vision.lens import Lens

AROUND_MM: Final = 70.0
"""How far around a field movement is watched."""
JPEG: Final = 85
CROP_PX: Final = 160
"""Width and height at most of a crop: enough for a browser, and the display needs less."""


def lens_of(mount: Mount, source: PictureSource, frame: PictureFrame) -> Lens:
    """Return the lens of a camera: a simulated one knows its own. Raises :class:`.LearntError` if none is
    known.
    """
    known: Lens | None = getattr(source, "lens", None)
    if known is not None:
        return known
    found = lenses.load(mount.state_dir, mount.camera)
    height, width = frame.picture.shape[:2]
    found.check((width, height), frame.facts.get("focus"))
    return found.lens


def small(frame: PictureFrame, places: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Convert places of the picture, (N, 2) px, to its small one."""
    height, width = frame.picture.shape[:2]
    return np.asarray(places * (frame.small.shape[1] / width, frame.small.shape[0] / height))


def region(lens: Lens, pose: Pose, field: Field, frame: PictureFrame) -> WatchedRegion:
    """Return a field and what lies around it, in the small pictures."""

    def outline(more: float) -> np.ndarray[Any, Any]:
        west, east, north = -more, field.width_mm + more, field.height_mm + more
        corners = np.array([(west, west, 0), (east, west, 0), (east, north, 0), (west, north, 0)], float)
        return small(frame, pose.project(lens, corners))

    return WatchedRegion.of((frame.small.shape[1], frame.small.shape[0]), outline(0.0), outline(AROUND_MM))


def troubles(picture: Picture, sight: FieldSight) -> Troubles:
    """Return the troubles of a picture in which a field was looked for: its flaw, or the markers'."""
    wrong = flaw(picture) if sight.pose is None else None
    if wrong:
        return (said(f"camera.{wrong.value}"),)
    return tuple(
        said(
            f"sight.{trouble.kind.value}",
            ids=tuple(map(str, trouble.ids)),
            px=f"{trouble.px:.1f}",
            width=round(trouble.mm[0]),
            height=round(trouble.mm[1]),
            degrees=round(trouble.degrees),
        )
        for trouble in sight.troubles
    )


def coded(picture: Picture, kind: str) -> bytes:
    """Write a picture as a file of that ``kind``, ``.jpg`` or ``.png``."""
    done, data = cv2.imencode(kind, picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG] if kind == ".jpg" else [])
    return bytes(data) if done else b""


def decoded(name: str, data: bytes) -> Picture:
    """Read the picture in a file's bytes; raises ValueError, with its ``name``, if they are none."""
    found = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    if found is None:
        raise ValueError(f"{name} is no picture")
    return np.asarray(found, dtype=np.uint8)


def too_far(kind: str, lens: Lens, pose: Pose, field: Field, over_mm: float, least: float) -> Said | None:
    """Return why too little of a field is seen, in words: it is cut off, or has fewer px a mm than ``least``;
    None where it is well. It reaches so many mm ``over`` its north and south edges.
    """
    east, north = field.width_mm, field.height_mm + 2 * over_mm
    corners = np.array([[x, y - over_mm, 0.0] for x, y in ((0, 0), (east, 0), (east, north), (0, north))])
    seen = pose.project(lens, corners)
    if ((seen < 0) | (seen >= lens.size)).any():
        return said(f"{kind}.clipped")
    sides = np.linalg.norm(seen - np.roll(seen, 1, axis=0), axis=1) / (north, east, north, east)
    if sides.min() < least:
        return said(f"{kind}.small", px=f"{sides.min():.1f}", least=f"{least:.1f}")
    return None


def crop(picture: Picture) -> bytes:
    """Return what people are shown beside a question as a PNG; nothing where there is nothing to show."""
    if not picture.size:
        return b""
    scale = min(1.0, CROP_PX / max(picture.shape[:2]))
    fitted = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return coded(np.asarray(fitted, dtype=np.uint8), ".png")
