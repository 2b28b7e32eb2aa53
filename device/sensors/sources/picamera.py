"""A Raspberry Pi's camera, through picamera2, with all automatic adjustments locked.

The camera first finds exposure and white balance for the table; then both, the focus and the colour matrix
are fixed. Controls take a few pictures to act, and some are only requests. So each picture's metadata is
compared with the locked values, and a camera that drifts is reported (sources: the Picamera2 manual, "Camera
controls and properties"; libcamera's control list).

Two algorithms adapt picture by picture and have neither control nor metadata: contrast and lens shading. The
tuning that the camera is opened with switches them off (source: libcamera's ``rpi/contrast.cpp``,
``ce_enable``, and ``rpi/alsc.cpp``, ``n_iter``). This, the flicker period and the frame duration were tried
only on a stand-in, not on a Raspberry Pi.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import time
from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from device.sensors.sources.pictures import EVERY_S, SMALL, CameraError, Picture, PictureFrame
from device.texts import cause_of, quoted, said
from engines import packages

log = logging.getLogger(__name__)

FLICKER_MANUAL: Final = 1
"""libcamera's ``AeFlickerMode`` for a given period."""
SETTLING: Final = 20
"""The number of pictures in which the camera finds its exposure and white balance."""
TAKING: Final = 12
"""The number of pictures after which the metadata must show a control that was set."""
STEADY: Final = {"rpi.contrast": {"ce_enable": 0}, "rpi.alsc": {"n_iter": 0}}
"""The settings of a tuning that stop adaptation: of the contrast curve, and of the lens shading table, which
then is the calibrated one for the light's colour and not bent to the view.
"""
TOLERANCE: Final = 0.02
"""The largest relative difference between the metadata and the locked values."""

_PLAIN = {"ExposureTime": "exposure_us", "AnalogueGain": "gain", "LensPosition": "focus"}


class Picamera:
    """A camera on the Pi's own connector; ``number`` counts from 0 if there are two."""

    def __init__(
        self,
        number: int,
        size: tuple[int, int],
        focus: float | None = None,
        mains_hz: int = 50,
        module: Any = None,
    ) -> None:
        """Open and lock the camera; ``size`` is the main picture's width and height.

        ``focus`` is in dioptres, None for a fixed lens. Lamps flicker twice in a period of the mains, so
        longer exposures are multiples of that. ``module`` stands in for picamera2 where that does not exist.

        :raises CameraError: if picamera2 or the camera is missing, or the camera cannot be locked.
        """
        self.name, self._called = f"camera {number}", said("camera.number", number=number)
        module = module or picamera2()
        self._size = size
        self._flicker_us = round(500_000 / mains_hz)
        self._request: Any = None
        try:
            self._camera = module.Picamera2(number, tuning=_load_steady_tuning(module.Picamera2, number))
        except (IndexError, RuntimeError) as error:
            raise CameraError(said("camera.absent", camera=self._called)) from error
        try:
            controls: dict[str, Any] = {"AeFlickerMode": FLICKER_MANUAL, "AeFlickerPeriod": self._flicker_us}
            if focus is not None:
                controls |= {"AfMode": 0, "LensPosition": focus}
            small = {"size": SMALL, "format": "YUV420"}
            self._camera.configure(
                self._camera.create_video_configuration(
                    main={"size": size, "format": "RGB888"},  # this is B, G, R in memory
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
            raise CameraError(said("system.at", file=self._called, why=cause_of(error))) from error

    def grab(self) -> PictureFrame:
        """Return the next picture; its facts come from its metadata.

        :raises CameraError: if the camera is gone, or departs from the locked values.
        """
        small, metadata = self._take()
        if moved := _find_moved(self._locked, metadata):
            self._give_back()
            raise CameraError(said("camera.unsteady_lens", camera=self._called, what=moved))
        return PictureFrame(self._take_large, small, time.monotonic() * 1000, _read_facts(metadata))

    def close(self) -> None:
        """Stop the camera and give it back."""
        self._give_back()
        for act in (self._camera.stop, self._camera.close):
            try:
                act()
            except (RuntimeError, OSError):
                continue

    def _lock(self, controls: Mapping[str, Any]) -> dict[str, Any]:
        """Lock what the camera adapted; return what the metadata must say from now on."""
        for _ in range(SETTLING):
            _, found = self._take()
        exposure = int(found["ExposureTime"])
        if exposure > self._flicker_us:
            exposure -= exposure % self._flicker_us
        wanted = {
            "ExposureTime": exposure,
            "AnalogueGain": found["AnalogueGain"],
            "ColourGains": tuple(found["ColourGains"]),
            **{name: value for name, value in controls.items() if name == "LensPosition"},
        }
        slowly = round(EVERY_S * 1_000_000)
        self._camera.set_controls(
            {"AeEnable": False, "AwbEnable": False, "FrameDurationLimits": (slowly, slowly), **wanted}
        )
        moved = ""
        for _ in range(TAKING):
            _, metadata = self._take()
            moved = _find_moved(wanted, metadata)
            if not moved:
                # With fixed gains the matrix stands still too, so it is compared from now on.
                return wanted | {"ColourCorrectionMatrix": tuple(metadata["ColourCorrectionMatrix"])}
        raise CameraError(said("camera.unlocked", camera=self._called, what=moved))

    def _take(self) -> tuple[Picture, dict[str, Any]]:
        """Return the next small picture and its metadata; the large one waits."""
        self._give_back()
        with self._losing():
            self._request = self._camera.capture_request()
            # The first rows of YUV 4:2:0 are Y, in lines that may be longer than the picture.
            small = np.ascontiguousarray(self._request.make_array("lores")[: SMALL[1], : SMALL[0]])
            return small, dict(self._request.get_metadata())

    def _take_large(self) -> Picture:
        with self._losing():
            return np.ascontiguousarray(self._request.make_array("main")[:, :, :3])

    @contextlib.contextmanager
    def _losing(self) -> Iterator[None]:
        """Ask something of a camera that may be gone; raises :class:`CameraError` then."""
        try:
            yield
        except (RuntimeError, OSError, TimeoutError, AttributeError) as error:
            self._give_back()
            raise CameraError(said("camera.gone", camera=self._called)) from error

    def _give_back(self) -> None:
        """Give the last request's buffers back to the camera."""
        request, self._request = self._request, None
        if request is not None:
            with contextlib.suppress(RuntimeError, OSError):
                request.release()


def picamera2() -> Any:
    """Import picamera2; raises CameraError if it is missing, or does not fit the installed packages."""
    try:
        return importlib.import_module("picamera2")
    except ModuleNotFoundError as error:
        raise CameraError(said("camera.library", why=quoted(error))) from error
    except Exception as error:  # errors of its parts: ValueError if they were built for another numpy
        raise CameraError(said("camera.unfit", why=quoted(packages.why(error)))) from error


def _load_steady_tuning(camera: Any, number: int) -> dict[str, Any] | None:
    """Return a camera's tuning with its adaptation off, or None, for libcamera's own, if it has no tuning.

    ``camera`` is picamera2's class.
    """
    try:
        model = camera.global_camera_info()[number]["Model"]
        tuning: dict[str, Any] = camera.load_tuning_file(f"{model}.json")
        for name, settings in STEADY.items():
            camera.find_tuning_algo(tuning, name).update(settings)
    except (RuntimeError, OSError, ValueError, LookupError, StopIteration, AttributeError) as error:
        log.warning("camera %d: no tuning, so contrast and shading adapt by themselves: %s", number, error)
        return None
    return tuning


def _find_moved(wanted: Mapping[str, Any], metadata: Mapping[str, Any]) -> str:
    """Return the name of the first control that is not as wanted, "" if all are."""
    return next((name for name, value in wanted.items() if not _is_near(value, metadata.get(name))), "")


def _is_near(wanted: Any, got: Any) -> bool:
    if got is None:
        return False
    there, here = np.ravel(wanted).astype(float), np.ravel(got).astype(float)
    return there.size == here.size and bool(
        np.all(np.abs(here - there) <= TOLERANCE * np.maximum(np.abs(there), 0.05))
    )


def _read_facts(metadata: Mapping[str, Any]) -> dict[str, float]:
    facts = {ours: float(metadata[theirs]) for theirs, ours in _PLAIN.items() if theirs in metadata}
    red, blue = metadata["ColourGains"]
    return facts | {"red_gain": float(red), "blue_gain": float(blue)}
