"""The stream to a page: the picture and everything around it, again whenever one of them changes."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress

import msgspec
from PIL import Image

from device.screen import text_lines
from device.screen.pixels import ScreenWorker
from device.simulate import SimulatedHardware
from device.supervise import wake

LOOK_S = 0.5
"""The interval of looks at the status, which nobody announces; new pictures and lights are sent at once."""

ALIVE_S = 2.0
"""The interval of signs of life; a page that hears nothing for much longer is no longer connected."""

BLANK = Image.new("1", (128, 64))

Cookies = Mapping[str, str]
"""A page's cookies: its phone and its language."""

STRANGER: Cookies = {}


class Feed:
    """The state of the box, for any number of pages.

    Everything is sent whole, so that a page that missed some is right again after the next.
    """

    def __init__(
        self,
        hardware: SimulatedHardware | None,
        screen: ScreenWorker,
        status: Callable[[Cookies], Mapping[str, object]],
        match: Callable[[Cookies], str],
    ) -> None:
        """Begin to watch screen and hardware; the arguments are those of :func:`device.panel.make_app`."""
        self._hardware = hardware
        self._screen = screen
        self._status = status
        self._match = match
        self._loop: asyncio.AbstractEventLoop | None = None
        self._news = asyncio.Event()
        self._closed = False
        self._unsubscribe = [screen.subscribe(lambda _image: self._wake())]
        if hardware is not None:
            self._unsubscribe.append(hardware.watch(self._wake))

    @property
    def image(self) -> Image.Image:
        """The latest picture."""
        return self._screen.last_image or BLANK

    def describe(self, cookies: Cookies = STRANGER) -> dict[str, object]:
        """Return everything but the picture and the match, fit for JSON; ``text`` is the screen's, line by
        line.
        """
        hardware = self._hardware
        state: dict[str, object] = {
            "simulated": hardware is not None,
            "display": self._screen.online,
            "text": text_lines(self._screen.public(self._screen.page)) if self._screen.page else (),
            "status": dict(self._status(cookies)),
        }
        if hardware is not None:
            state |= {
                "brightness": round(hardware.brightness, 2),
                "lights": hardware.lights,
                "faults": hardware.faults,
            }
        return state

    async def stream(
        self, cookies: Cookies = STRANGER, own: Callable[[Cookies], str] = lambda _: "null"
    ) -> AsyncIterator[str]:
        """Yield server-sent events until :meth:`close`; ``own`` returns JSON for this page alone.

        ``picture`` is 8192 bits from the top left corner, row by row, in base64. ``match`` is the JSON of
        :func:`device.panel.table.describe_table`, null without a match. ``state`` is :meth:`describe` as
        JSON, repeated as a sign of life.
        """
        self._loop = asyncio.get_running_loop()
        told: dict[str, str] = {}
        alive = 0.0
        yield "retry: 1000\n\n"
        while not self._closed:
            news = self._news
            picture = base64.b64encode(self.image.tobytes()).decode()
            if self._loop.time() >= alive:
                told.pop("state", None)
            for name, data in (
                ("picture", picture),
                ("own", own(cookies)),
                ("match", self._match(cookies)),
                ("state", msgspec.json.encode(self.describe(cookies)).decode()),
            ):
                if told.get(name) == data:
                    continue
                told[name] = data
                yield f"event: {name}\ndata: {data}\n\n"
                if name == "state":
                    alive = self._loop.time() + ALIVE_S
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await news.wait()

    def close(self) -> None:
        """End every stream of events, for good."""
        self._closed = True
        for unsubscribe in self._unsubscribe:
            unsubscribe()
        self._tell()

    def _wake(self) -> None:
        # Called by the screen's thread, or the pins'.
        if self._loop is not None:
            wake(self._loop, self._tell)

    def _tell(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()
