"""Read when still, expected when two of three agree, not twice, and not at any cost."""

import signal
import time

import msgspec
import numpy as np
import pytest

from device.sensors.camera.eye import APART_MS, HELD_MS, TooMuchToSee, Watcher, limit_cpu_time
from device.sensors.sources.pictures import SMALL, PictureFrame
from vision.gate import STILL_MS, Calm, WatchedRegion

EVERY_MS = 100.0
FIELD = np.array([(80, 60), (240, 60), (240, 180), (80, 180)], float)
AROUND = np.array([(40, 30), (280, 30), (280, 210), (40, 210)], float)
REGION = WatchedRegion.of(SMALL, FIELD, AROUND)


class Found(msgspec.Struct, frozen=True):
    key: str
    as_expected: bool = False


class Table:
    """A watcher over a table, and a reader that says what it is told to; a picture ``every`` so many ms."""

    every = EVERY_MS

    def __init__(self, says=()):
        self.says, self.reads, self.ms, self.small = list(says), [], 0.0, self.picture()
        self.watcher = Watcher(self._read, REGION)

    @staticmethod
    def picture(*pieces, hand=False):
        small = np.full((SMALL[1], SMALL[0]), 120, np.uint8)
        for x, y in pieces:
            small[y : y + 14, x : x + 14] = 200
        if hand:
            small[120:, 150:170] = 40
        return small

    def _read(self, frame, touched):
        self.reads.append((frame.ms, None if touched is None else int(touched.sum())))
        return self.says.pop(0) if len(self.says) > 1 else self.says[0]

    def run(self, ms, small=None):
        """Return what was seen in the next ``ms``."""
        self.small = self.small if small is None else small
        seen = []
        for _ in range(int(ms / self.every)):
            self.ms += self.every
            frame = PictureFrame(np.zeros((1, 1, 3), np.uint8), self.small, self.ms)
            if (one := self.watcher.see(frame)) is not None:
                seen.append(one)
        return seen


def test_two_pictures_that_agree_are_enough_and_nothing_is_read_twice():
    table = Table([Found("same")])
    (seen,) = table.run(10_000)
    assert seen.agreed
    assert seen.finding.key == "same"
    assert len(table.reads) == 2
    first, second = (ms for ms, _ in table.reads)
    assert first >= STILL_MS
    assert second - first >= APART_MS
    assert seen.frame.ms == second


@pytest.mark.parametrize("odd", [0, 1])
def test_two_of_three_carry_it(odd):
    says = [Found("right")] * 3
    says[odd] = Found("wrong")
    (seen,) = Table(says).run(5_000)
    assert seen.agreed
    assert seen.finding.key == "right"


def test_until_the_table_is_as_the_match_has_it_nobody_knows_what_was_touched():
    table = Table([Found("new")])
    table.run(2_000)
    table.run(2_000, table.picture((120, 100)))
    assert [touched for _, touched in table.reads] == [None] * 4


def test_what_was_touched_before_people_said_what_stands_there_is_no_news():
    table = Table([Found("as it was", as_expected=True)])
    table.run(2_000)
    one, two = (120, 100), (180, 140)
    table.says = [Found("new")]
    table.run(2_000, table.picture(one))
    assert table.reads[-1][1] > 0
    table.watcher.expect_anew()
    table.run(1_000)
    assert table.reads[-1][1] == 0
    table.run(2_000, table.picture(one, two))
    assert 0 < table.reads[-1][1] < 600
    table.says = [Found("as it was", as_expected=True)]
    table.watcher.expect_anew()
    table.run(1_000)
    table.run(2_000, table.picture(two))
    assert 0 < table.reads[-1][1] < 600


def test_people_know_a_table_that_was_never_seen_right():
    table = Table([Found("new")])
    table.run(2_000)
    table.watcher.expect_anew()
    table.run(1_000)
    assert [touched for _, touched in table.reads] == [None, None, 0, 0]


def test_a_hand_that_rests_is_told_after_a_while_and_what_is_read_there_is_not():
    table = Table([Found("as it was", as_expected=True)])
    table.every = 200.0
    table.run(2_000)
    hand = table.picture(hand=True)
    assert table.run(HELD_MS, hand) == []
    assert table.watcher.calm is Calm.HAND
    table.run(1_000)
    assert table.watcher.hand_rests
    assert len(table.reads) == 3
    table.says = [Found("a hand")]
    assert table.run(HELD_MS, hand) == []
    assert len(table.reads) == 4
    assert table.run(2_000, table.picture())
    assert not table.watcher.hand_rests


def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_what_costs_too_much_cpu_time_ends():
    begin = time.process_time()
    with pytest.raises(TooMuchToSee), limit_cpu_time(0.1):
        burn(60.0)
    assert time.process_time() - begin < 5.0


def test_time_that_others_use_does_not_count_and_afterwards_nothing_ticks():
    begin = time.monotonic()
    with limit_cpu_time(0.1):
        time.sleep(0.2)
    assert time.monotonic() - begin >= 0.2  # slept to its end
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)
