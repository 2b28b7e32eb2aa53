"""Waits between tries."""

from device.backoff import Backoff


def test_each_wait_is_twice_as_long_up_to_the_longest():
    backoff = Backoff(1, 5)
    assert [backoff.wait() for _ in range(5)] == [1, 2, 4, 5, 5]
