"""What every kind of sensor has: a section of the settings that is its own."""

from typing import get_args, get_type_hints

import pytest

from device.sensors import kinds
from device.settings import Config


@pytest.mark.parametrize("sensor", kinds())
def test_its_section_of_the_settings_is_its_own(sensor):
    assert get_args(get_type_hints(Config)[sensor.name])[0] is sensor.settings


@pytest.mark.parametrize("sensor", kinds())
def test_sections_of_a_kind_are_told_apart(sensor):
    assert sensor.named in sensor.settings.__struct_fields__
