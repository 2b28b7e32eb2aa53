"""The surface of picamera2 that the box uses, with a sensor that takes its time and can be pulled out.

Simulated: it knows nothing of libcamera. Controls act after some pictures, as on the real one.
"""

import copy
from types import SimpleNamespace

import numpy as np

TUNING = {
    "version": 2.0,
    "target": "bcm2835",
    "algorithms": [
        {"rpi.black_level": {"black_level": 4096}},
        {"rpi.alsc": {"omega": 1.3, "n_iter": 100, "luminance_strength": 0.8}},
        {"rpi.contrast": {"ce_enable": 1, "gamma_curve": [0, 0, 65535, 65535]}},
    ],
}
LAG = 4
"""Pictures between a control and its effect; the Pi's own cameras take 2 to 5."""


class Request:
    def __init__(self, camera):
        self.camera = camera
        camera.held += 1

    def make_array(self, name):
        self.camera.broken("make_array")
        self.camera.broken(name)
        if name == "main":
            width, height = self.camera.config["main"]["size"]
            return np.full((height, width, 3), 90, np.uint8)
        width, height = self.camera.config["lores"]["size"]
        # libcamera pads its lines; and of YUV 4:2:0 half as many rows again follow.
        return np.full((height * 3 // 2, width + 64), 90, np.uint8)

    def get_metadata(self):
        self.camera.broken("get_metadata")
        return dict(self.camera.now)

    def release(self):
        self.camera.held -= 1


class Camera:
    """One camera; ``stubborn`` controls are ignored, ``drifts`` are those that move by themselves."""

    def __init__(self, stubborn=(), drifts=None, gone_after=None):
        self.stubborn, self.drifts, self.gone_after = stubborn, drifts or {}, gone_after
        self.now = {
            "ExposureTime": 23_456,
            "AnalogueGain": 2.0,
            "ColourGains": (2.1, 1.6),
            "ColourCorrectionMatrix": (1.8, -0.6, -0.2, -0.4, 1.7, -0.3, 0.0, -0.7, 1.7),
            "LensPosition": 1.0,
        }
        self.asked, self.taken, self.held, self.closed = [], 0, 0, False
        self.automatic = True
        self.breaks, self.tuning = "", None

    def broken(self, part):
        if part == self.breaks:
            raise RuntimeError("Failed to map the buffer")

    def create_video_configuration(self, **config):
        return config

    def configure(self, config):
        self.config = config
        self.set_controls(config["controls"])

    def start(self):
        pass

    def set_controls(self, controls):
        if "AeEnable" in controls:
            self.automatic = controls["AeEnable"]
        self.asked.append((self.taken + LAG, dict(controls)))

    def capture_request(self):
        self.taken += 1
        if self.gone_after is not None and self.taken > self.gone_after:
            raise RuntimeError("Camera frontend has timed out!")
        assert self.held == 0, "a request was not released"
        if self.automatic:
            self.now["AnalogueGain"] = 2.0 + 0.01 * self.taken
        for due, controls in self.asked:
            if due == self.taken:
                self.now |= {k: v for k, v in controls.items() if k in self.now and k not in self.stubborn}
        for name, (after, value) in self.drifts.items():
            if self.taken > after:
                self.now[name] = value
        return Request(self)

    def stop(self):
        pass

    def close(self):
        self.closed = True


def module(camera=None, tuning=TUNING):
    """A picamera2 with one camera, or none, and its tuning file, or none."""

    class Picamera2:
        def __new__(cls, number, tuning=None):
            if camera is None or number:
                raise IndexError("list index out of range")
            camera.tuning = tuning
            return camera

        @staticmethod
        def global_camera_info():
            return [{"Model": "imx708_wide", "Num": 0}] if camera else []

        @staticmethod
        def load_tuning_file(name):
            if tuning is None:
                raise RuntimeError("Tuning file not found")
            assert name == "imx708_wide.json"
            return copy.deepcopy(tuning)

        @staticmethod
        def find_tuning_algo(found, name):
            return next(algo for algo in found["algorithms"] if name in algo)[name]

    return SimpleNamespace(Picamera2=Picamera2)
