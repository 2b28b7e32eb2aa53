"""Pages in, pixels out: the 128×64 display.

:func:`draw` is a pure function from a page to a picture. :func:`open_display` opens the display of the
settings, :func:`open_plugged` one with a :class:`Driver` from another package. :class:`ScreenWorker` draws
and sends pictures beside the event loop.
"""

from device.screen.pixels.canvas import measure_title_room
from device.screen.pixels.displays import (
    Display,
    DisplayError,
    Driver,
    Offscreen,
    find_driver_fault,
    look_at,
    open_display,
    open_plugged,
    try_display,
)
from device.screen.pixels.fit import wrap
from device.screen.pixels.fonts import LARGE, SMALL, load_font
from device.screen.pixels.layout import draw, pages_of
from device.screen.pixels.worker import ScreenWorker
