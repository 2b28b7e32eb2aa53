"""What readers share: the lens, what is watched of a field, troubles as texts, coded pictures."""

from __future__ import annotations

from typing import Any, Final

import cv2
import numpy as np

from device.sensors import lenses
from device.sensors.messages import Troubles
from device.sensors.reader import Mount
from device.sensors.sources import Frame, Picture, Source
from vision.field import Field, Pose, Sight
from vision.flaws import flaw
from vision.gate import Region
from vision.lens import Lens

AROUND_MM: Final = 70.0
"""How far around a field movement is watched."""
JPEG: Final = 85
CROP_PX: Final = 160
"""Width and height at most of a crop: enough for a browser, and the display needs less."""


def lens_of(mount: Mount, source: Source, frame: Frame) -> Lens:
    """The lens of a camera: a simulated one knows its own. Raises :class:`.LensError` where none is known."""
    known: Lens | None = getattr(source, "lens", None)
    if known is not None:
        return known
    found = lenses.load(mount.state_dir, mount.camera)
    height, width = frame.picture.shape[:2]
    found.check((width, height), frame.facts.get("focus"))
    return found.lens


def small(frame: Frame, places: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Places of the picture, (N, 2) px, in its small one."""
    height, width = frame.picture.shape[:2]
    return np.asarray(places * (frame.small.shape[1] / width, frame.small.shape[0] / height))


def region(lens: Lens, pose: Pose, field: Field, frame: Frame) -> Region:
    """A field and what lies around it, in the small pictures."""

    def outline(more: float) -> np.ndarray[Any, Any]:
        west, east, north = -more, field.width_mm + more, field.height_mm + more
        corners = np.array([(west, west, 0), (east, west, 0), (east, north, 0), (west, north, 0)], float)
        return small(frame, pose.project(lens, corners))

    return Region.of((frame.small.shape[1], frame.small.shape[0]), outline(0.0), outline(AROUND_MM))


def troubles(picture: Picture, sight: Sight) -> Troubles:
    """What is wrong with a picture in which a field was looked for: its flaw, or the markers' troubles."""
    wrong = flaw(picture) if sight.pose is None else None
    if wrong:
        return ((f"camera.{wrong.value}", {}),)
    return tuple(
        (
            f"sight.{trouble.kind.value}",
            {
                "ids": ", ".join(map(str, trouble.ids)),
                "px": f"{trouble.px:.1f}",
                "width": round(trouble.mm[0]),
                "height": round(trouble.mm[1]),
                "degrees": round(trouble.degrees),
            },
        )
        for trouble in sight.troubles
    )


def coded(picture: Picture, kind: str) -> bytes:
    """A picture as a file of that ``kind``, ``.jpg`` or ``.png``."""
    done, data = cv2.imencode(kind, picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG] if kind == ".jpg" else [])
    return bytes(data) if done else b""


def crop(picture: Picture) -> bytes:
    """Return what people are shown beside a question as a PNG; nothing where there is nothing to show."""
    if not picture.size:
        return b""
    scale = min(1.0, CROP_PX / max(picture.shape[:2]))
    fitted = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return coded(np.asarray(fitted, dtype=np.uint8), ".png")
