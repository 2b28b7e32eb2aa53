"""Figures, measured: what `podesta bench` prints beside the bars they must clear."""

from __future__ import annotations

from device.bench.engines import measure as measure_engines
from device.bench.engines import table as engines_table
from device.bench.journal import measure as measure_journal
from device.bench.latency import measure as measure_latency
from device.bench.presses import measure as measure_presses
from device.bench.presses import table as presses_table

__all__ = [
    "engines_table",
    "measure_engines",
    "measure_journal",
    "measure_latency",
    "measure_presses",
    "presses_table",
]
