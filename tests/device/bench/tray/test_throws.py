"""What a bench of throws makes of what it saw; the throws themselves: tests/e2e/test_throws.py."""

from device.bench.tray import LatencyMs, ThrowTally, _compute_latency, _count_throws


def test_each_stage_has_its_median_and_worst_and_the_total_is_of_throws():
    stages = [(100.0, 1.0, 20.0, 7.0), (300.0, 2.0, 10.0, 5.0), (200.0, 9.0, 30.04, 6.0)]
    assert _compute_latency(stages) == LatencyMs(
        settles=(200.0, 300.0), line=(2.0, 9.0), records=(20.0, 30.0), screen=(6.0, 7.0), total=(245.0, 317.0)
    )


def test_a_doubt_is_neither_exact_nor_silently_wrong():
    doubted, right, wrong = (True, True), (False, True), (False, False)
    read = [doubted, right, right, right, wrong, wrong, (True, False)]
    assert _count_throws(read) == ThrowTally(throws=7, exact=3, doubted=2, silent_wrong=2)
