"""A reading ends when it has cost enough, and gives signs of life until then."""

from __future__ import annotations

import contextlib
import queue
import signal
import threading
import time

import pytest

from device.sensors.process.bounds import TooMuchToSee, cpu_time, signs_of_life


def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_what_costs_too_much_cpu_time_ends():
    begin = time.process_time()
    with pytest.raises(TooMuchToSee), cpu_time(0.1):
        burn(60.0)
    assert time.process_time() - begin < 5.0


def test_time_that_others_use_does_not_count():
    with cpu_time(0.2):
        time.sleep(0.4)


def test_raised_again_where_the_first_time_was_swallowed():
    def deaf():
        with contextlib.suppress(TooMuchToSee):
            burn(60.0)
        burn(60.0)

    with pytest.raises(TooMuchToSee), cpu_time(0.05):
        deaf()


def test_afterwards_nothing_ticks():
    with cpu_time(0.2):
        pass
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)
    burn(0.3)


def test_signs_of_life_while_it_lasts_and_no_more_than_so_many():
    said = queue.SimpleQueue()
    with signs_of_life(lambda: said.put(1), 0.01, most=3):
        assert [said.get(timeout=10) for _ in range(3)] == [1, 1, 1]
        time.sleep(0.05)
    assert said.empty()
    assert "signs of life" not in {thread.name for thread in threading.enumerate()}


def test_nobody_listens_any_more():
    def gone():
        raise BrokenPipeError

    with signs_of_life(gone, 0.001, most=3):
        time.sleep(0.02)
