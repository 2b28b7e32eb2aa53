"""Clocks: the system's, and one moved by hand."""

from pathlib import Path

from device.match import clock
from device.match.clock import SystemClock


def test_system_clock_goes_forward_within_one_boot():
    system = SystemClock()
    first, second = system.stamp(), system.stamp()
    assert second.mono_ms >= first.mono_ms
    assert first.utc_ms > 1_600_000_000_000
    assert first.boot_id == second.boot_id == SystemClock().stamp().boot_id


def test_without_a_boot_id_each_process_makes_one_up(monkeypatch):
    monkeypatch.setattr(clock, "_BOOT_ID", Path("/nonexistent"))
    system = SystemClock()
    assert len(system.boot_id) == 36
    assert system.stamp().boot_id == system.boot_id != SystemClock().boot_id
