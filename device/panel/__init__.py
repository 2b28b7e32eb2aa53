"""The box's page in the browser: the table and the score as the referee has them, and the box itself.

================ =========================================================================
module           what it holds
================ =========================================================================
``app``          the routes, and whom they refuse
``feed``         the stream of events that an open page hears
``table``        what a page is told of a match
``phones``       who may act there, and for whom; faults of a simulated box, which a phone only proposes
``acting``       steps, refusals and undo, where the page may act; ``asking`` what is asked next
``looking``      what a page may ask for: rules, history, players, its own texts
``copies``       what is printed on the copies, and what cameras can be taught of them: looked at, and entered
                 or learnt where the page may act
``server``       uvicorn beside everything else
``page/``        what the browser runs: ``main.js`` hears the stream and mounts the tabs, a module each
================ =========================================================================

::

    app = make_app(hardware, screen, status)               # hardware None: a real box, the page only shows it
    await serve(app, config.panel.host, config.panel.port)  # until cancelled
"""

from __future__ import annotations

from device.panel.acting import Acting
from device.panel.app import make_app
from device.panel.copies import Copies, Lessons
from device.panel.looking import Looking
from device.panel.phones import Faults, Phones
from device.panel.server import serve
from device.panel.table import TableTold
