"""A USB camera: one that is not there for real, and one that only exists here."""

import cv2
import numpy as np
import pytest

from device.sensors.sources import pictures as opencv
from device.sensors.sources.pictures import SMALL, CameraError, Usb

SIZE = (1280, 960)


class Capture:
    """Simulated: cv2.VideoCapture's surface over a camera that can be pulled out."""

    def __init__(self, device, backend):
        self.settings = {cv2.CAP_PROP_EXPOSURE: 156.0, cv2.CAP_PROP_AUTOFOCUS: 1.0}
        self.there = True

    def isOpened(self):  # noqa: N802 – OpenCV's name
        return True

    def set(self, what, value):
        self.settings[what] = value
        return True

    def get(self, what):
        return self.settings.get(what, -1.0)

    def read(self):
        return (True, np.full((960, 1280, 3), 7, np.uint8)) if self.there else (False, None)

    def release(self):
        self.there = False


@pytest.fixture
def camera(monkeypatch):
    monkeypatch.setattr(opencv.cv2, "VideoCapture", Capture)
    return Usb("/dev/video0", SIZE)


def test_no_such_camera_is_named(tmp_path):
    with pytest.raises(CameraError, match="video9: not there"):
        Usb(str(tmp_path / "video9"), SIZE)


def test_after_the_first_picture_nothing_adapts_any_more(camera):
    frame = camera.grab()
    settings = camera._capture.settings
    assert settings[cv2.CAP_PROP_AUTO_EXPOSURE] == opencv.MANUAL_EXPOSURE
    assert settings[cv2.CAP_PROP_AUTO_WB] == settings[cv2.CAP_PROP_AUTOFOCUS] == 0
    assert frame.facts["exposure"] == 156.0
    assert frame.picture.shape == (960, 1280, 3)
    assert frame.small.shape == (SMALL[1], SMALL[0])


def test_pulled_out(camera):
    camera.grab()
    camera._capture.there = False
    with pytest.raises(CameraError, match="/dev/video0: unplugged"):
        camera.grab()
