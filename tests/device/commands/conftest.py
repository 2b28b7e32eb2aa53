"""What the tests of commands share: a machine like any, with no settings but those that a test names."""

import pytest

from device import config as configs


@pytest.fixture(autouse=True)
def _a_machine_like_any(monkeypatch, tmp_path):
    monkeypatch.delenv("PODESTA_CONFIG", raising=False)
    monkeypatch.setattr(configs, "SYSTEM_FILE", tmp_path / "absent.toml")


@pytest.fixture
def state(tmp_path):
    """A state directory that is not there yet."""
    return tmp_path / "state"
