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
``server``       uvicorn beside everything else
``page/``        the browser's program: ``main.js`` hears the stream and mounts the tabs, a module each
================ =========================================================================

::

    app = make_app(hardware, screen, status)               # with hardware None (a real box) it has no keys
    await serve(app, config.panel.host, config.panel.port)  # until cancelled
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from starlette.routing import BaseRoute

from device.match import MatchDoor
from device.panel.acting import Acting
from device.panel.app import make_app
from device.panel.copies import Copies, Lessons
from device.panel.looking import Looking
from device.panel.phones import Phones
from device.panel.server import serve
from device.panel.table import Tables
from device.sensors.host import Lesson, Sizes, Taught
from device.voices import Voices


def list_part_routes(
    door: MatchDoor,
    voices: Voices,
    phones: Phones,
    *,
    typed: Callable[[str], None],
    lessons: Sequence[Lesson],
    teach: Callable[[Lesson, Sizes | None], Awaitable[Taught]],
) -> list[BaseRoute]:
    """Return the routes of all parts that know the match or the box's copies, for :func:`make_app`.

    ``typed`` gives the box a text; ``teach`` asks the camera of one of the ``lessons``.
    """
    parts = (
        phones,
        Acting(door, voices, phones, typed=typed),
        Looking(door, voices),
        Copies(door, voices, phones),
        Lessons(lessons, teach, voices, act=phones.act == "play"),
    )
    return [route for part in parts for route in part.list_routes()]
