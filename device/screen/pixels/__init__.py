"""Pages in, pixels out: the 128×64 display.

:func:`draw` turns a page into a picture, a pure function; :func:`open_display` gives a display by
configuration, :func:`open_plugged` one whose :class:`Driver` comes in a package of its own;
:class:`ScreenWorker` brings the two together beside the event loop.
"""

from device.screen.pixels.canvas import title_room
from device.screen.pixels.displays import (
    Display,
    DisplayError,
    Driver,
    Offscreen,
    look_at,
    open_display,
    open_plugged,
    trial,
    wrong,
)
from device.screen.pixels.fit import wrap
from device.screen.pixels.fonts import LARGE, SMALL, font
from device.screen.pixels.layout import draw, pages_of
from device.screen.pixels.worker import ScreenWorker
