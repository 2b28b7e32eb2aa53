"""Real processes, of which those that will not end are not waited for as long as on a Pi."""

import pytest

from device.sensors.host import child


@pytest.fixture(autouse=True)
def _grace(monkeypatch):
    monkeypatch.setattr(child, "GRACE_S", 0.1)
