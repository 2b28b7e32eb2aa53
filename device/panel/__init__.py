"""The box's page in the browser: the OLED's pixels and, where the hardware is simulated, keys to press.

::

    app = make_app(hardware, screen, status)               # hardware None: a real box, the page only shows it
    await serve(app, config.panel.host, config.panel.port)  # until cancelled
"""

from __future__ import annotations

from device.panel.acting import Acting
from device.panel.app import make_app
from device.panel.looking import Looking
from device.panel.server import serve

__all__ = ["Acting", "Looking", "make_app", "serve"]
