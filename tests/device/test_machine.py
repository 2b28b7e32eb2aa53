"""The machine that this is: whether its clock can be right, and its supply is enough."""

import os
from pathlib import Path

import pytest

from device import machine
from device.machine import has_undervoltage, is_clock_off

MADE = Path(machine.__file__).stat().st_mtime
DAY, YEAR = 86400, 365 * 86400


@pytest.mark.parametrize(
    ("now", "off"),
    [
        (MADE - 2 * DAY, True),
        (MADE - 60, False),
        (MADE + 4 * YEAR, False),
        (MADE + 6 * YEAR, True),
        (0, True),
    ],
)
def test_a_clock_before_this_was_made_or_long_after_is_off(tmp_path, now, off):
    assert is_clock_off(now, tmp_path) is off


def test_the_last_match_counts_where_it_is_later(tmp_path):
    match = tmp_path / "a.podesta"
    match.touch()
    os.utime(match, (MADE + 9 * YEAR, MADE + 9 * YEAR))
    assert not is_clock_off(MADE + 10 * YEAR, tmp_path)
    assert is_clock_off(MADE + 8 * YEAR, tmp_path)
    assert is_clock_off(MADE + 15 * YEAR, tmp_path)


def test_too_little_voltage_is_what_the_driver_of_a_pi_alarms(tmp_path):
    """Other chips have alarms of the same name, and a machine that is no Pi has no such driver."""
    assert not has_undervoltage(tmp_path / "none")
    for chip, name, alarm in (("hwmon0", "cpu_thermal", "1"), ("hwmon1", "rpi_volt", "0")):
        (tmp_path / chip).mkdir()
        (tmp_path / chip / "name").write_text(f"{name}\n")
        (tmp_path / chip / "in0_lcrit_alarm").write_text(f"{alarm}\n")
    (tmp_path / "hwmon2").mkdir()
    assert not has_undervoltage(tmp_path)
    (tmp_path / "hwmon1" / "in0_lcrit_alarm").write_text("1\n")
    assert has_undervoltage(tmp_path)
