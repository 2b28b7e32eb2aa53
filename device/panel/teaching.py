"""Teaching a camera a copy's pieces from the page.

::

    GET   /lessons                     what the cameras of this box can be taught: Known
    GET   /lessons/N                   what the camera of one sees now, a JPEG in base64
    POST  /lessons/N?keshi=11&keshi=7  the same, and have it learn by that; sizes are width and height in mm

What is asked and told is the same as at the box's keys. Both answers say what was learnt, or why nothing was.
"""

from __future__ import annotations

import msgspec
from starlette.requests import Request
from starlette.routing import BaseRoute, Route

from device.panel.acting import answered
from device.panel.app import LOOK_ONLY, Refused
from device.sensors.host import Lesson, Sizes, Taught, Teaching, told
from device.texts import said
from device.voices import Voices


class Offered(msgspec.Struct, frozen=True):
    """A lesson: what it is called, what to lay out, and the sizes that may be told: of each its name, what it
    is in words, and the usual width and height in mm, if there are.
    """

    title: str
    lay: str
    sizes: tuple[tuple[str, str, tuple[float, float] | None], ...]


class Curriculum(msgspec.Struct, frozen=True):
    """The lessons; whether the page may teach; and why there are none, empty where there are."""

    act: bool
    lessons: tuple[Offered, ...]
    none: str


class Lessons:
    """The lessons of the box's cameras, for whoever reads the page; with ``act`` also to teach."""

    def __init__(self, teaching: Teaching, voices: Voices, *, act: bool) -> None:
        """Serve the lessons; each answer is in the language that its page chose of ``voices``."""
        self._teaching, self._voices, self._act = teaching, voices, act

    def routes(self) -> list[BaseRoute]:
        """Return the routes, for :func:`device.panel.make_app`, which guards them."""
        return [
            Route("/lessons", answered(self._known)),
            Route("/lessons/{number:int}", answered(self._show), methods=["GET"]),
            Route("/lessons/{number:int}", answered(self._teach), methods=["POST"]),
        ]

    async def _known(self, request: Request) -> object:
        voice, lessons = self._voices.asked(request.cookies), self._teaching.lessons
        t = voice.texts
        offered = (
            Offered(
                one.title(t, voice.game(one.game)),
                one.lay(t),
                tuple((name, *size) for name, size in one.sizes.items()),
            )
            for one in lessons
        )
        return Curriculum(self._act, tuple(offered), "" if lessons else t("teach.none"))

    async def _show(self, request: Request) -> object:
        return self._answer(request, await self._teaching.show(self._lesson(request)))

    async def _teach(self, request: Request) -> object:
        lesson = self._lesson(request)
        return self._answer(request, await self._teaching.teach(lesson, _sizes(lesson, request)))

    def _lesson(self, request: Request) -> Lesson:
        if not self._act:
            raise Refused(403, LOOK_ONLY)
        lessons = self._teaching.lessons[request.path_params["number"] :]
        if not lessons:
            raise Refused(404, said("teach.none"))
        return lessons[0]

    def _answer(self, request: Request, taught: Taught) -> object:
        says = told(taught, self._voices.asked(request.cookies).texts)
        return {"says": says, "learnt": taught.learnt, "picture": taught.picture}


def _sizes(lesson: Lesson, request: Request) -> Sizes:
    """Read the sizes that are told; refuse if one that is needed is not told."""
    found: dict[str, tuple[float, float]] = {}
    for name, (what, usual) in lesson.sizes.items():
        told = [text for text in request.query_params.getlist(name) if text]
        try:
            if told or usual is None:
                width, height = map(float, told)
                found[name] = (width, height)
        except ValueError:
            raise Refused(400, said("stopped.sizes", size=what)) from None
    return found
