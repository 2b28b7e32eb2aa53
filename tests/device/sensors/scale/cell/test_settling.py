"""Runs under MicroPython too: see test_micropython.py."""

import math

from device.sensors.scale.cell.settling import Settling, mg_per_count

SCALE = 0.25
"""Milligrams a count."""

TRAY_MG = 150_000


class Cell:
    """A cell that feeds ``settling``: 80 samples a second, noise of one sample ``noise`` mg."""

    def __init__(self, settling, *, rate=80, noise=8.0, sign=1, ms=0):
        self.settling = settling
        self.rate = rate
        self.noise = noise
        self.sign = sign
        self.ms = ms
        self.rested = []  # (ms, mg) of each rest
        self._state = 12345
        self._count = 0

    def white(self):
        """Noise of standard deviation 1, the same everywhere: twelve uniform numbers, Irwin and Hall."""
        total = 0.0
        for _ in range(12):
            self._state = (self._state * 1103515245 + 12345) % 2147483648
            total += self._state / 2147483648
        return total - 6

    def raw(self, mg):
        return self.sign * round((TRAY_MG + mg + self.noise * self.white()) / SCALE)

    def sample(self, mg):
        """One sample of a load of ``mg``."""
        self.feed(self.raw(mg))

    def feed(self, raw):
        self._count += 1
        self.ms += 1000 // self.rate if self.rate != 80 else 12 + self._count % 2
        before = self.settling.rests
        self.settling.feed(raw, self.ms)
        if self.settling.rests > before:
            self.rested.append((self.ms, self.settling.mg))

    def hold(self, mg, seconds):
        """A load for a while, a number or a function of the seconds since it began."""
        begin = self.ms
        while self.ms < begin + seconds * 1000:
            self.sample(mg((self.ms - begin) / 1000) if callable(mg) else mg)
        return self


def empty(rate=80, noise=8.0):
    """A cell whose empty tray has come to rest."""
    cell = Cell(Settling(SCALE), rate=rate, noise=noise).hold(0, 1.5)
    assert cell.settling.state == "rest"
    return cell


def near(mg, wanted, within=15):
    return abs(mg - wanted) <= within


def test_a_count_weighs_what_the_data_sheets_say():
    # 500 g, 1 mV/V: at gain 128 the capacity is 1/1000 of U, the end of the scale 1/256 of U.
    assert abs(mg_per_count(500, 1.0) * 0.256 * 8388608 - 500_000) < 1
    assert abs(mg_per_count(500, 2.0) * 2 - mg_per_count(500, 1.0)) < 1e-9
    assert abs(mg_per_count(500, 1.0, 64) - mg_per_count(500, 1.0) * 2) < 1e-9


def test_a_load_comes_to_rest_within_a_second_at_every_rate():
    for rate in (10, 20, 40, 80):
        cell = empty(rate)
        begin = cell.ms
        cell.hold(9_300, 1.5)
        assert len(cell.rested) == 2, rate
        at, mg = cell.rested[1]
        assert near(mg, 9_300, 25), (rate, mg)
        assert at - begin <= 1000, (rate, at - begin)


def test_the_standard_deviation_is_that_of_the_mean():
    cell = empty(noise=20.0)
    errors = []
    for number in range(1, 25):
        cell.hold(1_000 * number, 1.2)
        errors.append(cell.settling.mg - 1_000 * number)
        assert 1 <= cell.settling.sd_mg <= 25
    off = (sum([error * error for error in errors]) / len(errors)) ** 0.5
    assert off <= 2 * cell.settling.sd_mg + 3


def test_a_slow_swing_is_doubt():
    cell = empty().hold(5_000, 1.5)
    doubts = []
    begin = cell.ms
    while cell.ms < begin + 3000:
        cell.sample(5_000 + 18 * math.sin(6.3 * (cell.ms - begin) / 1000))
        doubts.append(cell.settling.sd_mg)
    assert max(doubts) >= 6
    assert cell.settling.state == "rest"


def test_a_bump_is_ignored():
    cell = empty().hold(5_000, 1.5)
    cell.hold(lambda s: 5_000 + 4_000 * math.exp(-6 * s) * math.sin(90 * s), 1.5)
    assert cell.settling.state == "rest"
    assert near(cell.settling.mg, 5_000)
    assert len(cell.rested) == 2


def test_drift_is_followed_while_empty_and_not_while_loaded():
    cell = empty()
    cell.hold(lambda s: 3 * s, 60)
    assert near(cell.settling.mg, 0, 45)
    assert cell.settling.state == "rest"
    cell.hold(5_180, 1.5)
    assert near(cell.settling.mg, 5_000, 50)
    cell.hold(5_300, 60)
    assert near(cell.settling.mg, 5_120, 50)


def test_a_zero_that_cannot_be_followed_is_doubted_more_by_the_minute():
    cell = empty(rate=20).hold(5_000, 2)
    fresh = cell.settling.sd_mg
    cell.hold(5_000, 600)
    assert fresh + 5 <= cell.settling.sd_mg <= fresh + 12


def test_a_zero_from_before_is_kept_though_pieces_lie_there():
    cell = Cell(Settling(SCALE, zero=TRAY_MG / SCALE, zero_sd_mg=20)).hold(5_000, 1.5)
    assert near(cell.settling.mg, 5_000)
    assert 20 <= cell.settling.sd_mg <= 25
    cell.hold(0, 1.5)
    assert cell.settling.sd_mg < 10


def test_tare_takes_what_lies_there_as_nothing():
    cell = empty().hold(5_000, 1.5)
    cell.settling.tare()
    assert cell.settling.state == "moving"
    cell.hold(5_000, 0.1)
    assert near(cell.settling.mg, 0)
    cell.hold(6_200, 1.5)
    assert near(cell.settling.mg, 1_200)


def test_noise_and_rate_and_unique_values():
    cell = empty(noise=20.0)
    assert 13 < cell.settling.noise_mg < 28
    assert 78 < cell.settling.rate < 82
    assert cell.settling.unique > 50
    cell.hold(9_000, 0.4)  # a step is no noise
    assert 13 < cell.settling.noise_mg < 28


def test_no_samples_for_a_second_and_their_return():
    cell = empty().hold(5_000, 1.5)
    settling = cell.settling
    settling.feed(None, cell.ms + 900)
    assert (settling.health, settling.state) == ("ok", "rest")
    settling.feed(None, cell.ms + 1000)
    assert (settling.health, settling.state) == ("cell-gone", "moving")
    assert settling.rate == settling.unique == settling.noise_mg == 0
    cell.ms += 5000
    cell.hold(5_000, 0.5)
    assert settling.state == "moving"
    cell.hold(5_000, 0.5)
    assert (settling.health, settling.state) == ("ok", "rest")
    assert near(settling.mg, 5_000)


def test_a_converter_that_hangs_is_gone():
    cell = empty()
    for _ in range(120):
        cell.feed(640_000)
    assert (cell.settling.health, cell.settling.unique, len(cell.rested)) == ("cell-gone", 1, 1)


def test_saturated_at_both_ends():
    for raw in (8388607, -8388608):
        cell = empty()
        for _ in range(120):
            cell.feed(raw)
        assert cell.settling.health == "saturated"
        cell.hold(0, 1.5)
        assert cell.settling.health == "ok"
        assert len(cell.rested) == 2


def test_a_reversed_cell_is_known_by_the_weight_of_its_tray():
    cell = Cell(Settling(SCALE), sign=-1).hold(0, 1.5)
    assert cell.settling.health == "reversed"


def test_half_the_trays_weight_tells_a_lifted_tray_from_a_reversed_cell():
    for share, health in ((0.45, "reversed"), (0.55, "lifted")):
        cell = empty().hold(-share * TRAY_MG, 1.5)
        assert cell.settling.health == health, share


def test_a_hand_that_rests_on_the_tray():
    cell = empty().hold(250_000, 1.5)
    assert cell.settling.health == "hand"
    cell.hold(5_000, 1.5)
    assert cell.settling.health == "ok"


def test_a_hand_that_trembles():
    cell = empty().hold(lambda s: 9_000 + 4_000 * math.sin(5 * s) + 1_000 * math.sin(50 * s), 3)
    assert cell.settling.health == "ok"  # it may be a throw yet
    cell.hold(lambda s: 9_000 + 4_000 * math.sin(5 * s) + 1_000 * math.sin(50 * s), 2.5)
    assert (cell.settling.health, cell.settling.state) == ("hand", "moving")
    cell.hold(5_000, 0.5)
    assert cell.settling.health == "hand"
    cell.hold(5_000, 1.0)
    assert (cell.settling.health, cell.settling.state) == ("ok", "rest")
