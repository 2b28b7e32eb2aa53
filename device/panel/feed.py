"""The stream to a page: the picture and everything around it, again whenever one of them changes."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any

import msgspec
from PIL import Image

from device.screen import cover, text_lines
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

    States are sent whole, so that a page that missed some is right again after the next. Within a stream,
    which never loses anything, only changes of a match are sent.
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

    def state(self, cookies: Cookies = STRANGER) -> dict[str, object]:
        """Return everything but the picture and the match, fit for JSON; ``text`` is the screen's, line by
        line.
        """
        hardware = self._hardware
        state: dict[str, object] = {
            "simulated": hardware is not None,
            "display": self._screen.online,
            "text": text_lines(cover(self._screen.page)) if self._screen.page else (),
            "status": dict(self._status(cookies)),
        }
        if hardware is not None:
            state |= {
                "brightness": round(hardware.brightness, 2),
                "lights": hardware.lights,
                "faults": hardware.faults,
            }
        return state

    async def events(
        self, cookies: Cookies = STRANGER, own: Callable[[Cookies], str] = lambda _: "null"
    ) -> AsyncIterator[str]:
        """Yield server-sent events until :meth:`close`; ``own`` returns JSON for this page alone.

        ``picture`` is 8192 bits from the top left corner, row by row, in base64. ``match`` is the JSON of
        :func:`device.panel.table.table_of`, null without a match, and ``change`` its changes since then
        (:func:`changes`). ``state`` is :meth:`state` as JSON, repeated as a sign of life.
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
                ("state", msgspec.json.encode(self.state(cookies)).decode()),
            ):
                known = told.get(name)
                if known == data:
                    continue
                told[name] = data
                if name == "match" and known is not None and "null" not in (known, data):
                    yield f"event: change\ndata: {changes(known, data)}\n\n"
                else:
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


@lru_cache(8)
def changes(old: str, new: str) -> str:
    """Return the change from ``old`` to ``new``, both JSON, as JSON; it is computed once for all pages.

    A change is ``[value]`` for a new value, ``{"key": change, …}`` for an object, ``[]`` for a key that goes,
    and ``[0, …]`` for a list. The list has a number for so many items that stay, a negative one for so many
    that go, ``[value]`` for a new one, or the change of the next item. ``page/changes.js`` applies a change.
    """
    return msgspec.json.encode(_change(msgspec.json.decode(old), msgspec.json.decode(new))).decode()


def _change(old: Any, new: Any) -> Any:
    match old, new:
        case dict(), dict() if 2 * len(old.keys() & new.keys()) >= len(new):
            found = {
                key: _change(old[key], value) if key in old else [value]
                for key, value in new.items()
                if key not in old or old[key] != value
            }
            return found | {key: [] for key in old if key not in new}
        case list(), list() if old and new:
            return [0, *_edits(old, new)]
        case _:
            return [new]


def _edits(old: Sequence[Any], new: Sequence[Any]) -> Iterator[Any]:
    """Yield the changes from one list to another; items common to both, in the same order, stay."""
    ours, theirs = ([msgspec.json.encode(each) for each in every] for every in (old, new))
    for _, a, b, x, y in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if ours[a:b] == theirs[x:y]:
            yield b - a
            continue
        for was, now in zip(old[a:b], new[x:y], strict=False):
            change = _change(was, now)
            yield from (-1, change) if change == [now] else (change,)
        if b - a > y - x:
            yield (y - x) - (b - a)
        yield from ([now] for now in new[x + b - a : y])
