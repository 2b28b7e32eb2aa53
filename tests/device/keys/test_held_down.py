"""A key that is held at power-up is seen before anything else has its pin."""

import pytest

from device.keys import Key, held_down, pins
from device.settings import Keys


@pytest.mark.parametrize("down", [True, False])
def test_a_key_is_looked_at_once_its_pull_up_has_settled(monkeypatch, down):
    """Mock pins jump up where a pull-up is switched on; a real key that is held draws them down again."""
    factory = pins.pin_factory("mock")
    settle = factory.pin(Keys().back).drive_low if down else lambda: None
    monkeypatch.setattr(pins, "pin_factory", lambda name: factory)
    monkeypatch.setattr(pins.time, "sleep", lambda seconds: settle())
    assert held_down(Keys(), Key.BACK) is down


def test_where_there_are_no_pins_nothing_is_held(monkeypatch):
    def none(name):
        raise pins.ControlsError("no GPIO: this is not a Raspberry Pi")

    monkeypatch.setattr(pins, "pin_factory", none)
    assert held_down(Keys(), Key.BACK) is False
