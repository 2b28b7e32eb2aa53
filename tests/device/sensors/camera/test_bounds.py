"""A reading ends when it has cost enough."""

import signal
import time

import pytest

from device.sensors.camera.eye import TooMuchToSee, cpu_time


def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_what_costs_too_much_cpu_time_ends():
    begin = time.process_time()
    with pytest.raises(TooMuchToSee), cpu_time(0.1):
        burn(60.0)
    assert time.process_time() - begin < 5.0


def test_time_that_others_use_does_not_count_and_afterwards_nothing_ticks():
    begin = time.monotonic()
    with cpu_time(0.1):
        time.sleep(0.2)
    assert time.monotonic() - begin >= 0.2  # slept to its end
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)
