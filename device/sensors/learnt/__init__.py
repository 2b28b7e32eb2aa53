"""Things learnt on this box and kept, each in a small file, whole or not at all; calibrations of lenses.

A lens has a file for each camera, size of picture and focus, written by `podesta camera calibrate` under the
state directory. A calibration holds for nothing else: a lens with a new focus is another lens.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import msgspec

from device.errors import DeviceError
from device.files import read_file, replace_file
from device.settings import CameraSettings
from device.texts import Filling, cause_of, of_system, said
from vision.lens import Lens

if TYPE_CHECKING:
    from device.sensors.sources import PictureFrame, PictureSource


class LearntError(DeviceError):
    """Error raised when something cannot be done; ``key`` is the text that says why, with its ``values``."""

    def __init__(self, key: str, **values: Filling) -> None:
        super().__init__(said(key, **values))


class Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something learnt, in a file of its own; ``broken`` is the text for a file that holds no such thing."""

    broken: ClassVar[str]

    def keep(self, file: Path) -> Path:
        """Replace what the file holds; return the file. Raises OSError."""
        file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(file, msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n")
        return file

    @classmethod
    def read(cls, file: Path) -> Self | None:
        """Return the content of a file, None if it is missing; raises :class:`LearntError` if it cannot be
        read.
        """
        try:
            return msgspec.json.decode(read_file(file), type=cls)
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            why = of_system(error) if isinstance(error, OSError) else cause_of(error)
            raise LearntError(cls.broken, file=file.name, why=why) from error


# Lenses

FOLDER = "lenses"
"""The folder of lenses in the state directory."""

FOCUS_OFF = 0.05
"""The tolerance of the focus in dioptres, between a picture and the calibration: cameras set it no finer."""

Focus = float | Literal["fixed"]
"""In dioptres, or ``fixed`` if the lens cannot move."""


class Mount(msgspec.Struct, frozen=True):
    """A camera in its place: its settings, the state directory with its calibrations, the ``field`` to read.

    ``simulated`` is the file of the simulated table, None on a real box. ``second`` is another camera that
    looks at this field. A simulated second one stands ``turned_deg`` round the table from the place in the
    file.
    """

    camera: CameraSettings
    state_dir: Path
    simulated: Path | None = None
    field: str = ""
    second: Any = None
    turned_deg: float = 0.0


class Calibrated(Kept, frozen=True):
    """A lens as it was calibrated: its ``camera`` (the source in the settings) and focus.

    ``views`` is the number of pictures used, ``rms_px`` the root mean square error in px; ``made`` is the
    day, such as 2025-03-09.
    """

    broken = "lens.unreadable"
    camera: str
    focus: Focus
    lens: Lens
    rms_px: float
    views: int
    made: str

    def check(self, size: tuple[int, int], focus: float | None = None) -> None:
        """Raise :class:`LearntError` unless it holds for pictures of this ``size`` taken at this ``focus``.

        ``focus`` is what the camera reports about a picture, None without a report.
        """
        _check_alike("lens", size, focus, self.lens.size, self.focus)


def lens_file(state_dir: Path, camera: CameraSettings) -> Path:
    """Return the file for a camera with its settings."""
    name = re.sub(r"[^a-z0-9]+", "-", camera.source.lower()).strip("-")
    focus = camera.focus if camera.focus == "fixed" else f"{camera.focus:g}"
    return state_dir / FOLDER / f"{name}_{camera.width}x{camera.height}_{focus}.json"


def save_lens(state_dir: Path, camera: CameraSettings, found: Calibrated) -> Path:
    """Replace a camera's calibration; return its file.

    Raises :class:`LearntError` if it does not fit the camera's settings, OSError for a full disk.
    """
    _check(camera, found)
    return found.keep(lens_file(state_dir, camera))


def load_lens(state_dir: Path, camera: CameraSettings) -> Calibrated:
    """Load the calibration for a camera's settings; raises :class:`LearntError` if none holds."""
    file = lens_file(state_dir, camera)
    found = Calibrated.read(file)
    if found is None:
        raise LearntError(_find_missing_key(file))
    _check(camera, found)
    return found


def lens_of(mount: Mount, source: PictureSource, frame: PictureFrame) -> Lens:
    """Return a camera's lens; a simulated camera knows its own. Raises :class:`.LearntError` if none is
    known.
    """
    known: Lens | None = getattr(source, "lens", None)
    if known is not None:
        return known
    found = load_lens(mount.state_dir, mount.camera)
    height, width = frame.picture.shape[:2]
    found.check((width, height), frame.facts.get("focus"))
    return found.lens


def _check(camera: CameraSettings, found: Calibrated) -> None:
    if found.camera != camera.source:
        raise LearntError("lens.camera", camera=camera.source, lens=found.camera)
    found.check((camera.width, camera.height))
    if found.focus != camera.focus:
        raise LearntError("lens.focus", picture=_write_focus(camera.focus), lens=_write_focus(found.focus))


def check_picture(camera: CameraSettings, size: tuple[int, int], focus: float | None = None) -> None:
    """Raise :class:`LearntError` unless a camera's picture has the ``size`` and the ``focus`` of the
    settings.

    ``focus`` is what the camera reports, None without a report.
    """
    _check_alike("set", size, focus, (camera.width, camera.height), camera.focus)


def _check_alike(
    of: str, size: tuple[int, int], focus: float | None, wanted: tuple[int, int], wanted_focus: Focus
) -> None:
    """Raise :class:`LearntError` unless a picture is as the lens (``of`` is "lens") or the
    settings want it.
    """
    begin = "set_" if of == "set" else ""
    if size != wanted:
        raise LearntError(f"lens.{begin}size", picture=_write_size(size), **{of: _write_size(wanted)})
    if focus is not None and wanted_focus != "fixed" and abs(focus - wanted_focus) > FOCUS_OFF:
        raise LearntError(
            f"lens.{begin}focus", picture=_write_focus(focus), **{of: _write_focus(wanted_focus)}
        )


def _find_missing_key(file: Path) -> str:
    """Return the text for a missing file; a camera may be calibrated at another size or focus."""
    begins = file.name.split("_")[0] + "_"
    return "lens.other" if any(file.parent.glob(f"{begins}*.json")) else "lens.missing"


def _write_size(size: tuple[int, int]) -> str:
    return f"{size[0]}x{size[1]}"


def _write_focus(focus: Focus) -> str:
    return focus if isinstance(focus, str) else f"{focus:g}"
