from __future__ import annotations

import pytest

from tests.device.panel.chromium import quit_browser


@pytest.fixture(scope="session", autouse=True)
def _browser_ends():
    yield
    quit_browser()
