"""A small box to look at and press: simulated hardware, real controls and cues, and a list to choose from."""

import asyncio
import os
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path

import httpx

from device.keys import Cue, Cues, Hold, Key, Press, Turn
from device.keys.pins import Controls
from device.match import MatchDoor, Pairings
from device.panel import Looking, Phones, Tables, list_part_routes, make_app, serve
from device.screen import HeaderMark, ListPage, NoticePage, PageHeader
from device.screen.pixels import ScreenWorker
from device.sensors.host import Taught
from device.sensors.host import list_lessons as taught
from device.settings import Keys
from device.simulate import SimulatedHardware
from device.voices import Voices

HERE = "http://127.0.0.1:8080"
ITEMS = ("Build a tower here", "Take the 3 of clay", "Swap two cards", "Pass", "not listed…")


def ask(app, method, path, *, origin=HERE, host=None, cookies=None, content=None, **params):
    """Ask an app without a wire; ``cookies`` are kept as a browser keeps them."""

    async def main():
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url=HERE, cookies=cookies) as http:
            headers = {"origin": origin} | ({"host": host} if host else {})
            answer = await http.request(method, path, params=params, headers=headers, content=content)
            if cookies is not None:
                cookies.update(http.cookies)
            return answer

    return asyncio.run(main())


class Box:
    def __init__(self, line=None, library=None, act=True, cameras=()):
        self.hardware = SimulatedHardware(Keys(), lines=[line] if line else [])
        self.screen = ScreenWorker(self.hardware.open_display)
        self.events = []
        self.index = 0
        self.recorded = 41
        self.problems = []
        self.unsaved = self.asking = ""
        self.line = {"url": "/run/line", "online": False, "node": None, "why": "not plugged in"}
        self.keypads = []
        self.library, self.cameras = library, cameras
        self.lessons, self.answers = [], []
        self.pairings = Pairings(library.state_dir) if library else None
        self.asked = None
        self.typing = False
        self.typed = []
        self.phones = None
        more = self.more(act)
        self.app = make_app(
            self.hardware,
            self.screen,
            self.status,
            texts=lambda cookies: self.voices.asked(cookies).texts,
            match=self.match,
            own=self.own,
            more=more,
        )
        self.url = ""

    def status(self, cookies):
        return {
            "language": self.voices.asked(cookies).language,
            "unsaved": self.unsaved,
            "asking": self.asking,
            "keys": True,
            "lines": [self.line],
            "keypads": self.keypads,
            "asked": self.asked,
            "typing": self.typing,
            "head": 42,
            "recorded": self.recorded,
            "problems": self.problems,
        }

    def more(self, act):
        state = self.library.state_dir if self.library else Path(os.devnull)
        self.voices = voices = Voices(state, strict=True)
        self.tables = Tables(voices)
        door = MatchDoor(self.library)
        if self.library is None:
            return [route for route in Looking(door, voices).list_routes() if route.path == "/texts"]
        may = act if isinstance(act, str) else "play" if act else "none"
        self.phones = Phones(door, voices, may, self.pairings)
        lessons, typed = taught(self.cameras), self.typed.append
        return list_part_routes(door, voices, self.phones, typed=typed, lessons=lessons, teach=self.teach)

    def own(self, cookies):
        return self.phones.write_rights(cookies) if self.phones else "null"

    async def teach(self, lesson, sizes):
        """Give the next of the answers that a test prepared."""
        self.lessons.append((lesson.game, sizes))
        return Taught(1, *self.answers.pop(0))

    def match(self, cookies):
        referee = self.library.referee if self.library else None
        if referee is None:
            return "null"
        return self.tables(cookies, referee.replay, asked=self.asked is not None)

    def show(self, mark=HeaderMark.RECORDED):
        header = PageHeader("Adso", "12:9", mark, simulated=True)
        self.screen.show(ListPage(header, "Your action", ITEMS, self.index))

    def take(self, event):
        self.events.append(event)
        match event:
            case Turn(steps):
                self.index = min(max(self.index + steps, 0), len(ITEMS) - 1)
                self.show()
            case Press(Key.OK):
                self.recorded += 1
                self.cues.play(Cue.RECORDED)
                notice = f"Recorded {self.recorded}: {ITEMS[self.index]}"
                self.screen.show(
                    NoticePage(PageHeader("Adso", "15:9", HeaderMark.RECORDED, simulated=True), notice)
                )
            case Press(Key.BACK):
                self.show(HeaderMark.NONE)
            case Press(Key.UNDO) | Hold():
                self.screen.show(NoticePage(PageHeader("Adso", simulated=True), str(event), urgent=True))

    @asynccontextmanager
    async def running(self, port=0):
        urls = asyncio.Queue()
        self.hardware.start()
        serving = asyncio.create_task(serve(self.app, "127.0.0.1", port, on_url=urls.put_nowait))
        try:
            with (
                closing(Controls(self.hardware.keys, self.take, factory=self.hardware.factory)),
                closing(
                    Cues(self.hardware.led, self.hardware.buzzer, factory=self.hardware.factory)
                ) as self.cues,
            ):
                self.show()
                self.url = await urls.get()
                yield self
        finally:
            serving.cancel()
            with suppress(asyncio.CancelledError):
                await serving
            self.hardware.close()
            await asyncio.to_thread(self.screen.close)
