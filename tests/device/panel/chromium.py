"""Headless Chromium on a pipe: as much of the DevTools protocol as it takes to look at a page and click."""

import asyncio
import base64
import fcntl
import itertools
import json
import os
import shutil
import signal
import tempfile
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first has no windows, and so takes a third of the time of the others."""
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
PATIENCE_S = 20  # only ever spent by a test that fails
_IDS = itertools.count(1)


def run(coroutine, patience_s=240):
    """Run a coroutine and return its result; a test that fails for good does not hang."""

    async def bounded():
        async with asyncio.timeout(patience_s):
            return await coroutine

    return asyncio.run(bounded())


class Page:
    """One tab. https://chromedevtools.github.io/devtools-protocol/ has what :meth:`call` can do."""

    def __init__(self, reader, to_browser):
        self._reader = reader
        self._to_browser = to_browser
        self._context = self._session = None
        self.errors = []

    async def call(self, method, **params):
        number = next(_IDS)
        message = {"id": number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to_browser, json.dumps(message).encode() + b"\0")
        while True:
            try:
                answer = json.loads((await self._reader.readuntil(b"\0"))[:-1])
            except ValueError:
                continue  # the rest of what the page of another test did not read to its end
            if answer.get("sessionId") == self._session:
                self._note(answer)
            if answer.get("id") == number:
                assert "error" not in answer, answer
                return answer["result"]

    def _note(self, answer):
        match answer.get("method"):
            case "Runtime.exceptionThrown":
                self.errors.append(answer["params"]["exceptionDetails"])
            case "Log.entryAdded" if answer["params"]["entry"]["level"] == "error":
                self.errors.append(answer["params"]["entry"])

    async def begin(self):
        self._context = (await self.call("Target.createBrowserContext"))["browserContextId"]

    async def end(self):
        self._session = None
        await self.call("Target.disposeBrowserContext", browserContextId=self._context)

    async def open(self, url, width=1200, height=900, scale=1, touch=False, motion=False):
        """Open a page; without ``motion`` nothing moves on it, which spares a sixth of the browser's time."""
        if self._session is None:
            target = (
                await self.call("Target.createTarget", url="about:blank", browserContextId=self._context)
            )["targetId"]
            attached = await self.call("Target.attachToTarget", targetId=target, flatten=True)
            self._session = attached["sessionId"]
            for domain in ("Runtime", "Log", "Page"):
                await self.call(f"{domain}.enable")
        await self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=scale,
            mobile=touch,
        )
        await self.call("Emulation.setTouchEmulationEnabled", enabled=touch)
        still = {"name": "prefers-reduced-motion", "value": "no-preference" if motion else "reduce"}
        await self.call("Emulation.setEmulatedMedia", features=[still])
        await self.call("Page.navigate", url=url)

    async def eval(self, script):
        result = await self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    async def until(self, script):
        """Wait until ``script`` is true on the page."""
        async with asyncio.timeout(PATIENCE_S):
            while not await self.eval(script):
                await asyncio.sleep(0.01)

    async def middle(self, selector):
        return await self.eval(
            f"(() => {{ const r = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
            " return [r.left + r.width / 2, r.top + r.height / 2]; })()"
        )

    async def mouse(self, kind, selector, dx=0, dy=0, **more):
        x, y = await self.middle(selector)
        await self.call("Input.dispatchMouseEvent", type=kind, x=x + dx, y=y + dy, **more)

    async def still(self, selector):
        """Wait until it stays where it is: a page that is still being laid out would be missed."""
        async with asyncio.timeout(PATIENCE_S):
            before = None
            while (now := await self.middle(selector)) != before:
                before = now
                await asyncio.sleep(0.05)

    async def click(self, selector, seconds=0.0):
        await self.still(selector)
        await self.mouse("mousePressed", selector, button="left", clickCount=1)
        await asyncio.sleep(seconds)
        await self.mouse("mouseReleased", selector, button="left", clickCount=1)

    async def tap(self, selector):
        x, y = await self.middle(selector)
        await self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        await self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    async def wheel(self, selector, delta):
        await self.mouse("mouseWheel", selector, deltaX=0, deltaY=delta)

    async def key(self, key, kind="both", text=""):
        """Press a key and let it go; ``text`` is what it types."""
        codes = {"Tab": 9, "Enter": 13, "Escape": 27}
        codes |= {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
        how = {"key": key, "code": key, "windowsVirtualKeyCode": codes.get(key) or ord(key.upper())}
        if kind != "keyUp":
            typing = {"type": "keyDown", "text": text} if text else {"type": "rawKeyDown"}
            await self.call("Input.dispatchKeyEvent", **typing, **how)
        if kind != "rawKeyDown":
            await self.call("Input.dispatchKeyEvent", type="keyUp", **how)

    async def screenshot(self, path, full=True):
        shot = await self.call("Page.captureScreenshot", captureBeyondViewport=full)
        Path(path).write_bytes(base64.b64decode(shot["data"]))


class _Browser:
    """A running Chromium; a test has a page in a context of its own, as a browser takes a second to start."""

    def __init__(self):
        assert CHROMIUM
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        (in_read, self.to_browser), (self.from_browser, out_write) = os.pipe(), os.pipe()
        # Chromium reads from descriptor 3 and writes to 4; our own ends may have these numbers.
        ends = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 10) for fd in (in_read, out_write)]
        os.close(in_read)
        os.close(out_write)
        options = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")
        data = f"--user-data-dir={self._profile.name}"
        self._process = os.posix_spawn(
            CHROMIUM,
            [CHROMIUM, *options, "--remote-debugging-pipe", data, "about:blank"],
            os.environ,
            file_actions=[
                *((os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in range(3)),
                (os.POSIX_SPAWN_DUP2, ends[0], 3),
                (os.POSIX_SPAWN_DUP2, ends[1], 4),
            ],
            setpgroup=0,
        )
        for end in ends:
            os.close(end)

    def quit(self):
        for end in (self.to_browser, self.from_browser):
            os.close(end)
        os.killpg(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)
        self._profile.cleanup()


@cache
def _browser():
    return _Browser()


def quit_browser():
    """End the browser, if there is one."""
    if _browser.cache_info().currsize:
        _browser().quit()
        _browser.cache_clear()


@asynccontextmanager
async def chromium():
    """A page to open things in, in a context of its own: nothing is kept from one test to the next."""
    browser = _browser()
    reader = asyncio.StreamReader(limit=1 << 26)
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(os.dup(browser.from_browser), "rb")
    )
    page = Page(reader, browser.to_browser)
    try:
        await page.begin()
        yield page
    finally:
        try:
            async with asyncio.timeout(PATIENCE_S):
                await page.end()
        except (TimeoutError, OSError, AssertionError, asyncio.IncompleteReadError):
            quit_browser()  # the next test has one that answers
        transport.close()
