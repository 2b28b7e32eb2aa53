"""What the pages that people decide on share: no double click answers one, and each leaves only itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from device.match.history import RulingError
from device.menus.views import View
from device.screen.pages import Page
from engines.errors import EngineError

MOMENT_MS = 500
"""How long such a page must have been in sight before OK on it counts."""


def close(box: Any, *views: View) -> None:
    """Take views off the stack, wherever on it they stand."""
    box.stack[:] = [view for view in box.stack if view not in views]


def attempt(box: Any, act: Callable[[], object]) -> bool:
    """Do what the referee may refuse, and say so if it does; whether it was done."""
    try:
        act()
    except (EngineError, RulingError) as error:
        box.refused()
        box.toast(str(error), urgent=True)
        return False
    return True


class Deliberate(View):
    """A page whose OK counts once people have had it in sight for a moment."""

    def __init__(self, box: Any) -> None:
        """Nobody has seen it yet."""
        super().__init__(box)
        self._now: Callable[[], float] = box.now_ms
        self._seen_ms: float | None = None

    def appear(self) -> None:
        """What is shown from now on has not been seen yet."""
        self._seen_ms = None

    def in_sight(self, page: Page) -> Page:
        """The page, which is seen from now on if it was not before."""
        if self._seen_ms is None:
            self._seen_ms = self._now()
        return page

    @property
    def considered(self) -> bool:
        """Whether OK counts."""
        return self._seen_ms is not None and self._now() - self._seen_ms >= MOMENT_MS
