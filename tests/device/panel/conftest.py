import pytest

from tests.device.panel.chromium import quit_browser


@pytest.fixture(scope="session", autouse=True)
def _browser_ends():
    yield
    quit_browser()


@pytest.fixture(autouse=True)
def _looks_often(monkeypatch):
    """Nobody waits for half a second at a page until it shows what was entered."""
    monkeypatch.setattr("device.panel.feed.LOOK_S", 0.03)
