"""The measurements that `podesta bench` prints beside the bars they must clear."""

from __future__ import annotations

from device.bench.engines import measure as measure_engines
from device.bench.engines import measure_reading
from device.bench.latency import measure as measure_latency
from device.bench.latency import measure_calls, measure_journal
from device.bench.presses import measure as measure_presses
from device.bench.presses import play_match
