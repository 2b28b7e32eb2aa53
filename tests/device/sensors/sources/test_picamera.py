"""The Pi's camera, on a stand-in for picamera2: locked, verified, and gone with words."""

import sys

import pytest

from device.sensors.sources import open_source
from device.sensors.sources.picamera import SETTLING, TAKING, Picamera
from device.sensors.sources.pictures import CameraError
from device.settings import CameraSettings
from tests.device.sensors.sources.picamera_stand_in import Camera, module

SIZE = (64, 36)


def opened(camera, focus=None):
    return Picamera(0, SIZE, focus, module=module(camera))


def watched(camera, pictures=80):
    source = opened(camera, focus=1.0)
    for _ in range(pictures):
        source.grab()


def test_the_large_picture_is_made_only_where_it_is_asked_for():
    camera = Camera()
    source = opened(camera)
    camera.breaks = "main"
    frame = source.grab()
    with pytest.raises(CameraError, match="camera 0: unplugged"):
        _ = frame.picture
    assert camera.held == 0


def test_what_adapts_by_itself_is_off_in_the_tuning():
    camera = Camera()
    opened(camera)
    algorithms = {name: each for one in camera.tuning["algorithms"] for name, each in one.items()}
    assert algorithms["rpi.contrast"] == {"ce_enable": 0, "gamma_curve": [0, 0, 65535, 65535]}
    assert algorithms["rpi.alsc"] == {"omega": 1.3, "n_iter": 0, "luminance_strength": 0.8}
    assert algorithms["rpi.black_level"] == {"black_level": 4096}


@pytest.mark.parametrize("tuning", [None, {"algorithms": []}, {"version": 2.0}])
def test_without_a_tuning_the_camera_is_taken_as_it_is_and_that_is_logged(tuning, caplog):
    camera = Camera()
    Picamera(0, SIZE, module=module(camera, tuning))
    assert camera.tuning is None
    assert "contrast and shading adapt" in caplog.text


@pytest.mark.parametrize(("mains", "period", "exposure"), [(50, 10_000, 20_000), (60, 8_333, 16_666)])
def test_the_exposure_goes_with_the_mains(mains, period, exposure):
    camera = Camera()
    frame = Picamera(0, SIZE, mains_hz=mains, module=module(camera)).grab()
    assert camera.config["controls"] == {"AeFlickerMode": 1, "AeFlickerPeriod": period}
    assert (frame.facts["exposure_us"], frame.facts["red_gain"], frame.facts["blue_gain"]) == (
        exposure,
        2.1,
        1.6,
    )
    (slow,) = [asked["FrameDurationLimits"] for _, asked in camera.asked if "FrameDurationLimits" in asked]
    assert slow == (200_000, 200_000)  # five pictures a second


def test_the_focus_is_in_the_configuration_and_in_the_lock():
    camera = Camera()
    frame = opened(camera, focus=2.5).grab()
    assert camera.config["controls"].items() >= {"AfMode": 0, "LensPosition": 2.5}.items()
    assert frame.facts["focus"] == 2.5


@pytest.mark.parametrize(("focus", "locked"), [(2.5, 2.5), ("fixed", None)])
def test_what_the_settings_say_reaches_it(monkeypatch, focus, locked):
    monkeypatch.setattr("device.sensors.sources.picamera.Picamera", lambda *told: told)
    settings = CameraSettings("picamera1", width=1280, height=960, focus=focus, mains_hz=60)
    assert open_source(settings) == (1, (1280, 960), locked, 60)


@pytest.mark.parametrize("control", ["ExposureTime", "AnalogueGain"])
def test_what_cannot_be_locked_is_named_and_the_camera_given_back(control):
    camera = Camera(stubborn=[control])
    if control == "AnalogueGain":
        camera.drifts = {control: (SETTLING, 7.0)}
    with pytest.raises(CameraError, match=f"camera 0: {control} cannot be locked"):
        opened(camera)
    assert camera.taken == SETTLING + TAKING
    assert camera.closed


@pytest.mark.parametrize(
    ("control", "value"),
    [
        ("ExposureTime", 30_000),
        ("ColourGains", (2.1, 1.9)),
        ("LensPosition", 3.0),
        ("ColourCorrectionMatrix", (1.5, -0.6, -0.2, -0.4, 1.7, -0.3, 0.0, -0.7, 1.7)),
    ],
)
def test_what_changes_by_itself_is_named(control, value):
    camera = Camera(drifts={control: (60, value)})
    with pytest.raises(CameraError, match=f"{control} changed by itself"):
        watched(camera)
    assert camera.held == 0


def test_no_camera_there():
    with pytest.raises(CameraError, match="camera 0: not there"):
        Picamera(0, SIZE, module=module())


@pytest.mark.parametrize("after", [3, 60])
def test_pulled_out_at_any_time(after):
    camera = Camera(gone_after=after)
    with pytest.raises(CameraError, match="camera 0: unplugged"):
        watched(camera)
    assert camera.held == 0


def test_a_picamera2_that_does_not_fit_what_is_installed_is_told_with_its_cause(tmp_path, monkeypatch):
    (tmp_path / "picamera2.py").write_text("raise ValueError('numpy.dtype size changed')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "picamera2", raising=False)
    with pytest.raises(CameraError, match=r"cannot be used here \(ValueError: numpy.dtype size changed\)"):
        Picamera(0, SIZE)
