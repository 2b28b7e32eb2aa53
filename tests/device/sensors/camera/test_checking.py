"""The cameras' self-check: nothing is opened."""

from importlib.util import find_spec

import pytest

from device.sensors.camera import check
from device.settings import CameraSettings


def found(camera, state):
    return [(one.verdict, one.detail) for one in check(camera, state / "sensors" / "camera")]


def test_a_simulated_camera_needs_no_lens(tmp_path):
    told = found(CameraSettings("simulated"), tmp_path)
    assert told == [("ok", "no file here, not tried"), ("ok", "needs no lens")]


def test_a_folder_that_is_missing_and_a_lens_that_is_not_calibrated(tmp_path):
    told = found(CameraSettings(f"folder:{tmp_path}/none"), tmp_path)
    assert told[0] == ("fail", "is not there; the box waits for it")
    assert told[1] == ("warn", "This camera's lens is not calibrated: podesta camera calibrate")


@pytest.mark.skipif(find_spec("picamera2") is not None, reason="picamera2 is installed here")
def test_a_camera_of_the_pi_where_there_is_none(tmp_path):
    told = found(CameraSettings("picamera"), tmp_path)
    assert told[-1][0] == "fail"
    assert "picamera2 is not installed here" in told[-1][1]
