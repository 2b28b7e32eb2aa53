"""The display: pages in, pixels out.

:func:`draw` and :func:`text_lines` turn a page into a picture or into lines, both pure; :func:`open_display`
gives a display by configuration; :class:`ScreenWorker` brings the two together beside the event loop.
"""

from __future__ import annotations

from device.screen.displays import Display, DisplayConfig, DisplayError, open_display
from device.screen.draw import draw, pages_of
from device.screen.text import text_lines
from device.screen.worker import ScreenWorker

__all__ = [
    "Display",
    "DisplayConfig",
    "DisplayError",
    "ScreenWorker",
    "draw",
    "open_display",
    "pages_of",
    "text_lines",
]
