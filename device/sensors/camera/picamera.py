"""A Raspberry Pi's camera, through picamera2, with everything locked that would adapt by itself.

The camera first finds exposure and white balance for the table as it is; then both, the focus and the colour
matrix are fixed. Controls take a few pictures to act, and some are only asked for: what counts is what each
picture's metadata says, so every picture is compared with what was locked, and a camera that drifts is told
so (sources: the Picamera2 manual, "Camera controls and properties"; libcamera's control list).
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from device.sensors.camera.frames import SMALL, CameraError, Frame, Picture

SETTLING: Final = 20
"""Pictures in which the camera finds its exposure and white balance."""
TAKING: Final = 12
"""Pictures after which a control that was set must show in the metadata."""
FLICKER_US: Final = 10_000
"""Exposures are multiples of half a period of 50 Hz mains where they are as long: lamps flicker."""
TOLERANCE: Final = 0.02
"""How far, relatively, what the metadata says may lie from what was locked."""

_PLAIN = {"ExposureTime": "exposure_us", "AnalogueGain": "gain", "LensPosition": "focus"}


class Picamera:
    """A camera on the Pi's own connector; ``number`` counts from 0 where there are two."""

    def __init__(
        self, number: int, size: tuple[int, int], focus: float | None = None, module: Any = None
    ) -> None:
        """``size`` is the main picture's width and height; ``focus`` is in dioptres, None for a fixed lens.

        ``module`` stands in for picamera2 where that does not exist.

        :raises CameraError: where picamera2 or the camera is missing, or the camera cannot be locked.
        """
        self.name = f"camera {number}"
        module = module or picamera2()
        self._size = size
        try:
            self._camera = module.Picamera2(number)
        except (IndexError, RuntimeError) as error:
            raise CameraError(f"{self.name}: not there, or another program uses it ({error})") from error
        try:
            controls: dict[str, Any] = {} if focus is None else {"AfMode": 0, "LensPosition": focus}
            small = {"size": SMALL, "format": "YUV420"}
            self._camera.configure(
                self._camera.create_video_configuration(
                    main={"size": size, "format": "RGB888"},  # which is B, G, R in memory
                    lores=small,
                    controls=controls,
                    buffer_count=3,
                )
            )
            self._camera.start()
            self._locked = self._lock(controls)
        except CameraError:
            self.close()
            raise
        except (RuntimeError, OSError, ValueError, KeyError) as error:
            self.close()
            raise CameraError(f"{self.name}: {error}") from error

    def grab(self) -> Frame:
        """The next picture, with what it was locked to as its facts.

        :raises CameraError: when the camera is gone, or no longer does what was locked.
        """
        picture, small, metadata = self._take()
        if moved := _moved(self._locked, metadata):
            raise CameraError(f"{self.name}: {moved} changed by itself")
        return Frame(picture, small, time.monotonic() * 1000, _facts(metadata))

    def close(self) -> None:
        """Stop it and give it back."""
        for act in (self._camera.stop, self._camera.close):
            try:
                act()
            except (RuntimeError, OSError):
                continue

    def _lock(self, controls: Mapping[str, Any]) -> dict[str, Any]:
        """Fix what the camera found; what the metadata must say from now on."""
        for _ in range(SETTLING):
            _, _, found = self._take()
        exposure = int(found["ExposureTime"])
        if exposure > FLICKER_US:
            exposure -= exposure % FLICKER_US
        wanted = {
            "ExposureTime": exposure,
            "AnalogueGain": found["AnalogueGain"],
            "ColourGains": tuple(found["ColourGains"]),
            **{name: value for name, value in controls.items() if name == "LensPosition"},
        }
        self._camera.set_controls({"AeEnable": False, "AwbEnable": False, **wanted})
        moved = ""
        for _ in range(TAKING):
            _, _, metadata = self._take()
            moved = _moved(wanted, metadata)
            if not moved:
                # With fixed gains the matrix stands still too; from here on that is held against it.
                return wanted | {"ColourCorrectionMatrix": tuple(metadata["ColourCorrectionMatrix"])}
        raise CameraError(f"{self.name}: {moved} cannot be locked")

    def _take(self) -> tuple[Picture, Picture, dict[str, Any]]:
        try:
            request = self._camera.capture_request()
            try:
                main = np.ascontiguousarray(request.make_array("main")[:, :, :3])
                # Of YUV 4:2:0 the first rows are Y, in lines that may be longer than the picture.
                small = np.ascontiguousarray(request.make_array("lores")[: SMALL[1], : SMALL[0]])
                metadata = dict(request.get_metadata())
            finally:
                request.release()
        except (RuntimeError, OSError, TimeoutError) as error:
            raise CameraError(f"{self.name}: gone ({error})") from error
        return main, small, metadata


def picamera2() -> Any:
    """The module picamera2; raises CameraError where it is missing, or does not fit what is installed."""
    try:
        return importlib.import_module("picamera2")
    except ModuleNotFoundError as error:
        raise CameraError(f"picamera2 is not installed here ({error})") from error
    except Exception as error:  # what its parts raise: ValueError where they were built for another numpy
        raise CameraError(f"picamera2 cannot be used here ({type(error).__name__}: {error})") from error


def _moved(wanted: Mapping[str, Any], metadata: Mapping[str, Any]) -> str:
    """The name of the first control that is not as wanted; empty where all are."""
    return next((name for name, value in wanted.items() if not _near(value, metadata.get(name))), "")


def _near(wanted: Any, got: Any) -> bool:
    if got is None:
        return False
    there, here = np.ravel(wanted).astype(float), np.ravel(got).astype(float)
    return there.size == here.size and bool(
        np.all(np.abs(here - there) <= TOLERANCE * np.maximum(np.abs(there), 0.05))
    )


def _facts(metadata: Mapping[str, Any]) -> dict[str, float]:
    facts = {ours: float(metadata[theirs]) for theirs, ours in _PLAIN.items() if theirs in metadata}
    red, blue = metadata["ColourGains"]
    return facts | {"red_gain": float(red), "blue_gain": float(blue)}
