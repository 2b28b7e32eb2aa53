"""From the last piece on the tray to the weight on the line, in simulated time."""

from __future__ import annotations

import pytest

from device.sensors.scale.cell import Settling, mg_per_count
from device.sensors.scale.cell.settling import REST_MS
from device.sensors.scale.latency import latency, line_ms
from vision.scale.simulated import Cell, Table


def falling(seed: int, rate: int) -> tuple[Settling, list[tuple[int, int | None]], int]:
    """A throw of eight onto an empty tray: the settled tray, the samples, when the last piece landed."""
    table = Table(seed, cell=Cell(rate=rate))
    settling = Settling(mg_per_count(500, 1.0))
    for sample in table.run(2000):
        settling.feed(sample.raw, sample.ms)
    table.throw(range(8))
    lying, landed, samples = 0.0, 0, []
    for sample in table.run(6000):
        if table.mg != lying:
            lying, landed = table.mg, sample.ms
        samples.append((sample.ms, sample.raw))
    return settling, samples, landed


@pytest.mark.parametrize("rate", [80, 20])
def test_a_weight_is_on_the_line_within_a_second_of_the_last_piece(rate):
    for seed in range(5):
        settling, samples, landed = falling(seed, rate)
        found = latency(settling, samples, landed)
        assert found
        assert found.total_ms < 1100  # of 2 s for the whole chain
        assert found.filter_ms >= 0
        assert found.rest_ms >= REST_MS - 300  # while the filter settles the rest begins
        assert found.line_ms == line_ms() < 20


def test_samples_that_end_too_soon_have_no_latency():
    settling, samples, landed = falling(1, 80)
    assert latency(settling, [one for one in samples if one[0] < landed + 300], landed) is None
