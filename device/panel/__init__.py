"""The box's page in the browser: the referee's table and score, and the box itself.

================ =========================================================================
module           what it holds
================ =========================================================================
``app``          the routes, and the requests they refuse
``feed``         the stream of events to an open page
``table``        the page's view of a match
``phones``       phones that act for seats; faults of a simulated box, which a phone only proposes
``acting``       steps, refusals and undo, if the page may act; ``asking`` the next question
``looking``      answers to a page's requests: rules, history, players, its own texts
``copies``       facts of copies, and teaching cameras their pieces: to read, and to enter if the page may act
``parts``        the routes of all of these
``server``       uvicorn beside everything else
``page/``        the browser's program: ``main.js`` hears the stream and mounts the tabs, a module each
================ =========================================================================

::

    app = make_app(hardware, screen, status)               # with hardware None (a real box) it has no keys
    await serve(app, config.panel.host, config.panel.port)  # until cancelled
"""

from __future__ import annotations

from device.panel.app import make_app
from device.panel.looking import Looking
from device.panel.parts import routes_of_parts
from device.panel.phones import Phones
from device.panel.server import serve
from device.panel.table import TableJson, Tables
