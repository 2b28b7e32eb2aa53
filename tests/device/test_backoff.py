"""Waits between tries."""

from device.backoff import Backoff


def test_each_wait_is_twice_as_long_up_to_the_longest():
    backoff = Backoff(1, 5)
    assert [backoff.wait() for _ in range(5)] == [1, 2, 4, 5, 5]


def test_what_came_back_begins_with_the_first_again():
    backoff = Backoff(1, 5)
    backoff.wait()
    backoff.reset()
    assert [backoff.wait(), backoff.wait()] == [1, 2]


def test_so_does_what_lasted_for_the_longest():
    backoff = Backoff(1, 5)
    assert [backoff.wait(), backoff.wait(4.9), backoff.wait(5), backoff.wait()] == [1, 2, 1, 2]
