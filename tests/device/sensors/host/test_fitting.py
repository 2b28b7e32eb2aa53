"""The sensors that the settings name."""

from device.sensors.host import fitted
from device.settings import CameraSettings, Config
from engines.facts import Use


def test_each_section_is_one_with_what_it_needs():
    config = Config(
        camera=(CameraSettings("simulated", keep=7), CameraSettings("/dev/video0", ("tray", "area1")))
    )
    board, tray = fitted(config)
    assert (board.title, board.section.values["source"], board.keep, board.uses) == (
        "camera",
        "simulated",
        7,
        {Use.SIGHT},
    )
    assert (tray.title, tray.uses) == ("camera tray area1", set())


def test_what_is_read_by_its_size_asks_for_the_sizes():
    (region,) = fitted(Config(camera=(CameraSettings("simulated", "region2"),)))
    assert (region.title, region.uses) == ("camera region2", {Use.SIGHT})
