"""The routes of all parts of the page that know the match or the box's copies."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from starlette.routing import BaseRoute

from device.match import MatchDoor
from device.panel.acting import Acting
from device.panel.copies import Copies, Lessons
from device.panel.looking import Looking
from device.panel.phones import Phones
from device.sensors.host import Lesson, Sizes, Taught
from device.voices import Voices


def routes_of_parts(
    door: MatchDoor,
    voices: Voices,
    phones: Phones,
    *,
    typed: Callable[[str], None],
    lessons: Sequence[Lesson],
    teach: Callable[[Lesson, Sizes | None], Awaitable[Taught]],
) -> list[BaseRoute]:
    """Return the routes for :func:`device.panel.make_app`.

    ``typed`` gives the box a text; ``teach`` asks the camera of one of the ``lessons``.
    """
    parts = (
        phones,
        Acting(door, voices, phones, typed=typed),
        Looking(door, voices),
        Copies(door, voices, phones),
        Lessons(lessons, teach, voices, act=phones.act == "play"),
    )
    return [route for part in parts for route in part.routes()]
