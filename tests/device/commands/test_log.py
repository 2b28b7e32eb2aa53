"""What is said over and over is logged a few times, and what would act on a terminal is made plain."""

import io
import logging

import pytest

from device.commands.run import PlainFormatter, RepeatFilter


class Log:
    """A logger of its own, on a clock that is set."""

    def __init__(self):
        self.now = 0.0
        self.stream = io.StringIO()
        handler = logging.StreamHandler(self.stream)
        handler.addFilter(RepeatFilter(most=3, while_s=60, now=lambda: self.now))
        handler.setFormatter(PlainFormatter("%(levelname)s %(message)s"))
        self.logger = logging.Logger("test")
        self.logger.addHandler(handler)

    @property
    def lines(self):
        return self.stream.getvalue().splitlines()


@pytest.fixture
def log():
    return Log()


def test_one_place_is_heard_a_few_times_in_a_while(log):
    for number in range(1000):
        log.logger.error("failed %d", number)
        log.now += 0.01
    assert log.lines == [
        "ERROR failed 0",
        "ERROR failed 1",
        "ERROR failed 2 (more like this are left out for 60 s)",
    ]


def test_the_next_record_tells_how_many_were_left_out(log):
    def say():
        log.logger.error("failed")

    for _ in range(10):
        say()
    log.now = 60.0
    say()
    say()
    assert log.lines[3:] == ["ERROR failed (7 more like this were left out)", "ERROR failed"]


def test_nothing_acts_on_the_terminal(log):
    log.logger.warning("the node says: %s", "a\x1b[2J\u202eb\rc\nd")
    assert log.lines == ["WARNING the node says: a�[2J�b�c", "d"]
