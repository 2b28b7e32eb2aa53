"""A daemon in this process: somebody at its line, and eyes on its screen."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from device import config as configs
from device.daemon import Daemon
from device.keys import Key, Press
from device.line.frames import encode
from device.menus.care import make_status_page
from device.menus.ui import MOMENT_MS
from device.screen.pixels import draw
from device.screen.pixels.worker import WALK
from tests.device.conftest import until
from tests.device.line.fakes import FarEnd

GAME = "san_gimignano"
OFFSCREEN = '[display]\ndriver = "offscreen"\n'


class Here:
    """A daemon in this process, somebody at its line, and eyes on its screen."""

    until = staticmethod(until)

    def __init__(self, daemon: Daemon, far: FarEnd | None) -> None:
        self.daemon = daemon
        self.far = far
        self.seq = 0

    async def say(self, said: str | bytes) -> str:
        """Send a line (text gets a number) and return what is answered next, without the box's number."""
        assert self.far
        if isinstance(said, str):
            self.seq += 1
            said = encode(self.seq, *said.split(" ", 1))
        self.far.write(said)
        while True:
            answer = (await self.far.line()).split(" ", 1)[1]
            greeting = answer.startswith("hello ") and " re=" not in answer
            if not greeting and not answer.startswith("event "):
                return answer

    async def open(self) -> None:
        """A match whose market has been reported: the record is at 2, b is to act.

        At an event people say first that it is their table, and the node says its line once more.
        """
        await self.say("hello laptop 1 step,open,watch,reading")
        said = await self.say(f"open {GAME} Adso,William start=b")
        if said.startswith(f"err {self.seq} held"):
            box = self.daemon.box
            assert "Is this your table?" in box.page().prompt
            await asyncio.sleep(2 * MOMENT_MS / 1000)
            box.key(Press(Key.OK))
            await until(lambda: self.daemon.library.referee and self.recorded == 1)
            self.seq -= 1
            said = await self.say(f"open {GAME} Adso,William start=b")
        assert said == f"ack {self.seq} 1"
        assert await self.say("step 6 8 8 10") == f"ack {self.seq} 2"

    @property
    def recorded(self) -> int:
        status = self.daemon.status()
        return int(status["recorded"])

    async def sees(self, words: str) -> None:
        """Wait until these words are on the page, and that page on the screen.

        The page may go on changing meanwhile: a part that comes online changes its header.
        """
        box, screen = self.daemon.box, self.daemon.screen
        page, due = None, set()

        def shown() -> bool:
            nonlocal page, due
            if words not in repr(now := box.page()) or screen.last_image is None:
                return False
            if now != page:
                page, due = now, {draw(now, shift).tobytes() for shift in WALK}
            return screen.last_image.tobytes() in due

        await until(shown)

    async def sees_status(self, words: str) -> None:
        """Open the status page, and wait until it says these words."""
        self.daemon.box.push(make_status_page(self.daemon.box))
        self.daemon.box.on_page()
        await self.sees(words)


@asynccontextmanager
async def running(daemon: Daemon, line: Path | None = None) -> AsyncIterator[Here]:
    """The daemon from its start to its end; ``line`` is where somebody sits at its (simulated) line."""
    task = asyncio.create_task(daemon.run())
    await until(
        lambda: task.done() or (hasattr(daemon, "_published") and (daemon.controls or daemon.controls_why))
    )
    if task.done():
        await task
    far = FarEnd(line) if line else None
    here = Here(daemon, far)
    try:
        if far:
            await until(lambda: daemon.lines.states[-1].online)
        yield here
    finally:
        daemon.stop()
        await task
        if far:
            far.close()


def simulated(state: Path, config: str = "") -> Daemon:
    """A daemon on simulated hardware, started as the command would."""
    state.mkdir(parents=True, exist_ok=True)
    file = state.parent / "podesta.toml"
    file.write_text(OFFSCREEN + config)
    return Daemon(configs.load_or_last_good(file, state), state, simulate=True, port=0)


@asynccontextmanager
async def at_the_line(state: Path, config: str = "") -> AsyncIterator[Here]:
    """Run a simulated daemon, with somebody at its line."""
    async with running(simulated(state, config), state / "line-node") as here:
        yield here
