"""The watch: still only when nothing moves, nobody reaches in and the light has settled."""

import cv2
import numpy as np
import pytest

from vision.gate import LIGHT_MS, STILL_MS, Calm, Gate, WatchedRegion

SIZE = (320, 240)
FIELD = np.array([(80, 60), (240, 60), (240, 180), (80, 180)], float)
AROUND = np.array([(40, 30), (280, 30), (280, 210), (40, 210)], float)
EVERY_MS = 100


def table(seed=1, noise=2.0, pieces=(), gain=1.0, hand=None, slope=0.0):
    """A grey picture of a table with square pieces of 14 px."""
    picture = np.full((SIZE[1], SIZE[0]), 110.0)
    cv2.rectangle(picture, (80, 60), (240, 180), 150, -1)
    for x in range(80, 241, 20):
        cv2.line(picture, (x, 60), (x, 180), 90, 1)
    for x, y in pieces:
        cv2.rectangle(picture, (x, y), (x + 13, y + 13), 215, -1)
    if hand:
        cv2.line(picture, *hand, 60, 22)
    picture *= gain + slope * np.linspace(-1, 1, SIZE[0])
    picture += np.random.default_rng(seed).normal(0, noise, picture.shape)
    return np.clip(picture, 0, 255).astype(np.uint8)


class Watch:
    """A gate and a clock, and a table that can be changed."""

    def __init__(self, around=AROUND):
        self.gate, self.ms, self.seed = Gate(WatchedRegion.of(SIZE, FIELD, around)), 0, 0
        self.look = None
        self.wait(STILL_MS + 2 * EVERY_MS)

    def see(self, **seen):
        self.ms += EVERY_MS
        self.seed += 1
        self.look = self.gate.see(self.ms, table(self.seed, **seen))
        return self.look.calm

    def wait(self, ms, **seen):
        calm = [self.see(**seen) for _ in range(0, ms, EVERY_MS)]
        return calm[-1]


@pytest.fixture
def watch():
    watch = Watch()
    assert watch.look.calm is Calm.STILL
    watch.gate.accept()
    return watch


def test_a_new_piece_moves_settles_and_is_still_and_only_its_place_was_touched(watch):
    pieces = [(120, 100)]
    assert watch.see(pieces=pieces) is Calm.MOVING
    assert watch.see(pieces=pieces) is Calm.SETTLING
    assert watch.wait(STILL_MS, pieces=pieces) is Calm.STILL
    rows, columns = np.nonzero(watch.look.touched)
    assert 98 <= rows.min() < rows.max() <= 116
    assert 118 <= columns.min() < columns.max() <= 136


def test_still_comes_no_sooner_than_it_may(watch):
    watch.see(pieces=[(120, 100)])
    settled = [watch.see(pieces=[(120, 100)]) for _ in range(STILL_MS // EVERY_MS)]
    assert set(settled) == {Calm.SETTLING}
    assert watch.see(pieces=[(120, 100)]) is Calm.STILL


@pytest.mark.parametrize("around", [AROUND, 2 * AROUND - (160, 120)], ids=["within", "beyond the picture"])
def test_a_hand_that_rests_is_never_still(around):
    hand, watch = ((160, 239), (160, 120)), Watch(around)
    watch.gate.accept()
    watch.see(hand=hand)
    assert watch.wait(4_000, hand=hand) is Calm.HAND


def test_when_the_hand_is_gone_what_it_passed_over_was_touched(watch):
    hand = ((160, 239), (160, 120))
    watch.wait(500, hand=hand)
    assert watch.wait(2_000) is Calm.STILL
    assert watch.look.touched[150, 160]
    assert not watch.look.touched[100, 100]
    watch.gate.accept()
    watch.see()
    assert not watch.look.touched.any()


@pytest.mark.parametrize(("gain", "slope"), [(0.7, 0.0), (1.3, 0.0), (0.8, 0.3)])
def test_a_change_of_light_is_one_and_touches_nothing(watch, gain, slope):
    assert watch.see(gain=gain, slope=slope) is Calm.LIGHT
    assert watch.wait(LIGHT_MS - 2 * EVERY_MS, gain=gain, slope=slope) is Calm.LIGHT
    assert watch.wait(STILL_MS, gain=gain, slope=slope) is Calm.STILL
    assert watch.look.touched.sum() == 0


def test_a_piece_laid_down_in_other_light_is_a_piece(watch):
    watch.wait(3_000, gain=0.7)
    watch.see(gain=0.7, pieces=[(120, 100)])
    assert watch.wait(2_000, gain=0.7, pieces=[(120, 100)]) is Calm.STILL
    assert watch.look.touched[106, 126]
    assert watch.look.touched.sum() < 600


def test_a_cloth_over_everything_is_no_change_of_light(watch):
    checks = np.kron(np.indices((24, 32)).sum(0) % 2, np.ones((10, 10))).astype(np.uint8) * 200
    watch.ms += EVERY_MS
    assert watch.gate.see(watch.ms, checks).calm is Calm.MOVING


def test_noise_of_a_dark_room_is_not_movement(watch):
    calm = [watch.see(noise=9.0) for _ in range(20)]
    assert set(calm[1:]) == {Calm.STILL}


@pytest.mark.parametrize(("side", "calm"), [(6, Calm.STILL), (7, Calm.MOVING)])
def test_what_blinks_is_no_movement_while_it_is_small(side, calm):
    gate = Gate(WatchedRegion.of(SIZE, FIELD, AROUND))
    for ms in range(0, 2_000, EVERY_MS):
        picture = table(noise=0.0)
        picture[100:, 100:][:side, :side] += 20 * (ms // EVERY_MS % 2)
        found = gate.see(ms, picture).calm
    assert found is calm
