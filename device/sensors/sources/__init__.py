"""Sources of pictures.

============ =============================================================================
module       what it holds
============ =============================================================================
``pictures`` pictures with their time; a folder or a video, played as a camera; a USB camera
``picamera`` a Raspberry Pi's camera, with all automatic adjustments locked
``simulated`` a camera that paints a simulated table
============ =============================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from device.sensors.sources.pictures import (
    PICTURES,
    CameraError,
    FieldPainting,
    Folder,
    Picture,
    PictureFrame,
    PicturesEnded,
    PictureSource,
    Usb,
    Video,
    Work,
    decode_picture,
    encode_picture,
    read_picture,
    small_of,
)
from device.settings import SIMULATED, CameraSettings

FOLDER = "folder:"
PICAMERA = "picamera"


def load(source: str) -> None:
    """Import what a source of the settings needs, and open nothing; raises CameraError."""
    if source.startswith(PICAMERA):
        from device.sensors.sources.picamera import picamera2  # noqa: PLC0415 – only where it exists

        picamera2()


def open_source(
    config: CameraSettings,
    *,
    simulated: Path | None = None,
    paintings: Sequence[FieldPainting] = (),
    busy: Work = nullcontext,
    turned_deg: float = 0.0,
) -> PictureSource:
    """Open the source of a ``[[camera]]`` section.

    ``simulated`` is the file of the simulated table, each of ``paintings`` a field of it. A simulated camera
    needs both, paints while ``busy``, and stands ``turned_deg`` round the table.

    :raises CameraError: if the camera is missing, or something about it is wrong.
    """
    size = config.width, config.height
    if config.source == SIMULATED:
        from device.sensors.sources.simulated import SimulatedSource  # noqa: PLC0415 – paints, which real ones never need

        if simulated is None or not paintings:
            raise CameraError("a simulated camera needs a simulated table: start with --simulate")
        return SimulatedSource(simulated, size, paintings, busy, turned_deg)
    if config.source.startswith(FOLDER):
        path = Path(config.source.removeprefix(FOLDER)).expanduser()
        return Video(path) if path.is_file() else Folder(path)
    if config.source.startswith(PICAMERA):
        from device.sensors.sources.picamera import Picamera  # noqa: PLC0415 – only where it exists

        focus = None if config.focus == "fixed" else config.focus
        return Picamera(int(config.source.removeprefix(PICAMERA) or 0), size, focus, config.mains_hz)
    return Usb(config.source, size)
