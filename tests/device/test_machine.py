"""The machine that this is: whether its clock can be right."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from device import machine
from device.machine import clock_is_off

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
    assert clock_is_off(now, tmp_path) is off


def test_the_last_match_counts_where_it_is_later(tmp_path):
    match = tmp_path / "a.podesta"
    match.touch()
    os.utime(match, (MADE + 9 * YEAR, MADE + 9 * YEAR))
    assert not clock_is_off(MADE + 10 * YEAR, tmp_path)
    assert clock_is_off(MADE + 8 * YEAR, tmp_path)
    assert clock_is_off(MADE + 15 * YEAR, tmp_path)
