"""Drawing beside the event loop: showing a page never waits for a wire.

The worker's thread owns the display. It draws the latest page, and opens a display that was away again.
Against burn-in it moves the picture by one pixel each minute, and dims it while nobody does anything.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from PIL import Image

from device.screen import HeaderMark, NoticePage, Page, PageHeader, cover
from device.screen.pixels.displays import Display, DisplayError
from device.screen.pixels.layout import draw
from device.screen.pixels.oled import BRIGHT
from device.supervise import Backoff, describe_error
from device.texts import Why, quoted

log = logging.getLogger(__name__)

SHIFT_MS = 60_000
HOLD_MS = 60
"""The time that a page not yet on the disk waits for the one that is: a quick disk then shows as one change,
not two, and the answer to a key still comes within 100 ms.
"""
BACKOFF_MS = (500, 30_000)  # first and longest wait before the display is tried again
DIMMED = 0x08

# A round through all 16 positions in steps of one pixel.
WALK = (
    *((0, 0), (1, 0), (2, 0), (3, 0), (3, 1), (2, 1), (1, 1), (1, 2)),
    *((2, 2), (3, 2), (3, 3), (2, 3), (1, 3), (0, 3), (0, 2), (0, 1)),
)


def _read_clock_ms() -> int:
    return time.monotonic_ns() // 1_000_000


def _say_undrawn(error: Exception) -> str:
    return f"This page cannot be drawn: {describe_error(error)}"


class Painter:
    """The worker without its thread: the thread that calls :meth:`tick` owns the display.

    It opens a new display at the start and after each failure, with pauses of 0.5 s doubling to 30 s.
    """

    def __init__(
        self,
        open_display: Callable[[], Display],
        now: Callable[[], int] = _read_clock_ms,
        *,
        idle_ms: int = 600_000,
        on_image: Callable[[Image.Image], None] = lambda _: None,
        public: Callable[[Page], Page] = cover,
        sorry: Callable[[Exception], str] = _say_undrawn,
    ) -> None:
        """Open nothing before the first :meth:`tick`.

        :param open_display: opens the display, and opens it again after it was away.
        :param now: a clock in ms that only goes forward.
        :param idle_ms: the time without a new page after which the display is dimmed; 0 is never.
        :param on_image: called with the picture of what is ``public`` of each new page.
        :param sorry: tells people that a page cannot be drawn, and why.
        """
        self.online: bool | None = None
        """True if there is a display and it answered last time; None before the first try."""
        self.why: Why = ""
        """The reason why there is none, in one line; empty if there is one."""
        self._open_display = open_display
        self._now = now
        self._idle_ms = idle_ms
        self._on_image = on_image
        self._public = public
        self._sorry = sorry
        self._display: Display | None = None
        self._retry_at = now()
        self._backoff = Backoff(*BACKOFF_MS)
        self._page: Page | None = None
        self._held: Page | None = None
        self._hold_until = 0
        self._image: Image.Image | None = None
        self._step = 0
        self._shift_at = now() + SHIFT_MS
        self._dim_at = self._find_dim_time(now())

    def show(self, page: Page) -> None:
        """Draw a page at the next :meth:`tick`, and wake a dimmed display.

        The first page that is not on the disk yet waits :data:`HOLD_MS` for a later one that is; until then
        the last one stays.
        """
        now = self._now()
        self._dim_at = self._find_dim_time(now)
        if not _is_saving(page) or _is_saving(self._page):
            self._held = None
            self._take(page)
            return
        if self._held is None:
            self._hold_until = now + HOLD_MS
        self._held = page

    def _take(self, page: Page) -> None:
        if page != self._page:
            self._page = page
            self._image = None

    def tick(self) -> int:
        """Do everything due; return the ms until the next call is due (earlier after a new page)."""
        now = self._now()
        if self._held is not None and now >= self._hold_until:
            self._take(self._held)
            self._held = None
        fresh = now >= self._shift_at
        if fresh:
            self._step = (self._step + 1) % len(WALK)
            self._shift_at = now + SHIFT_MS
        if self._page is not None and (fresh or self._image is None):
            self._draw(self._page)
        self._serve(now, fresh)
        due = [self._shift_at]
        if self._held is not None:
            due.append(self._hold_until)
        if self._display is None:
            due.append(self._retry_at)
        if self._dim_at is not None and now < self._dim_at:
            due.append(self._dim_at)
        return max(0, min(due) - now)

    def close(self) -> None:
        """Blank the display and release it."""
        if self._display is not None:
            self._display.close()
            self._display = None

    def _find_dim_time(self, now: int) -> int | None:
        return now + self._idle_ms if self._idle_ms else None

    def _draw(self, page: Page) -> None:
        try:
            image = draw(page, WALK[self._step])
        except Exception as error:
            # An undrawable page must not take the next one with it, nor leave the last one standing.
            log.exception("screen: cannot draw %s", type(page).__name__)
            self._page = None
            image = draw(NoticePage(PageHeader(), self._sorry(error), urgent=True))
        self._image = image
        public = self._public(page)
        self._on_image(image if public is page else draw(public, WALK[self._step]))

    def _serve(self, now: int, fresh: bool) -> None:
        try:
            if self._display is None:
                if now < self._retry_at:
                    return
                self._display = self._open_display()
            if fresh:
                # Once a minute everything is sent: a display that lost power for a moment comes back to life.
                self._display.refresh()
            if self._image is not None:
                self._display.show(self._image)
            dim = self._dim_at is not None and now >= self._dim_at
            self._display.contrast(DIMMED if dim else BRIGHT)
        except (
            BaseException
        ) as error:  # also the SystemExit of a display's plug-in, which would end the thread
            self._note_failure(now, error)
        else:
            self.why = ""
            self._backoff.reset()
            if self._display.online and not self.online:
                log.info("screen: on")
            self.online = self._display.online

    def _note_failure(self, now: int, error: BaseException) -> None:
        foreseen = isinstance(error, DisplayError)
        self.why = quoted(str(error).removeprefix("display ") if foreseen else describe_error(error))
        if self.online is not False:
            log.warning("screen: %s", error, exc_info=None if foreseen else error)
        try:
            self.close()
        except BaseException:
            log.exception("screen: cannot close the display")
        self._display = None
        self._retry_at = now + int(self._backoff.wait())
        self.online = False


def _is_saving(page: Page | None) -> bool:
    return page is not None and page.header.mark is HeaderMark.SAVING


class ScreenWorker:
    """A thread that shows pages; any other thread may call every method.

    It calls callbacks in its own thread: hand over with ``loop.call_soon_threadsafe``. A callback that raises
    is logged and stays subscribed.

    Example::

        worker = ScreenWorker(lambda: open_display(config))
        worker.show(NoticePage(PageHeader("Podestà"), "Welcome"))
        worker.close()
    """

    def __init__(
        self,
        open_display: Callable[[], Display],
        *,
        idle_ms: int = 600_000,
        public: Callable[[Page], Page] = cover,
        sorry: Callable[[Exception], str] = _say_undrawn,
    ) -> None:
        """Start the thread; the parameters are those of :class:`Painter`."""
        self._wake = threading.Condition()
        self.page: Page | None = None
        """The last page to show."""
        self.last_image: Image.Image | None = None
        """The last picture of what is public, even without a display. Do not draw on it."""
        self.public = public
        """Function that returns the public form of a page, by default the cover of a private one."""
        self._next: Page | None = None
        self._closing = False
        self._asking: list[Callable[[], None]] = []
        self._subscribers: list[Callable[[Image.Image], None]] = []
        self._painter = Painter(
            open_display, idle_ms=idle_ms, on_image=self._publish, public=public, sorry=sorry
        )
        self._thread = threading.Thread(target=self._run, name="screen", daemon=True)
        self._thread.start()

    @property
    def online(self) -> bool:
        """True if there is a display and it answered last time."""
        return bool(self._painter.online)

    @property
    def why(self) -> Why:
        """The reason why there is no display, in one line; empty if there is one."""
        return self._painter.why

    def show(self, page: Page) -> None:
        """Show a page as soon as possible; never blocks. A page not drawn yet is skipped for a newer one.

        The first page that is not on the disk yet waits :data:`HOLD_MS` for one that is.
        """
        with self._wake:
            self.page = self._next = page
            self._wake.notify()

    def ask(self, answer: Callable[[], None]) -> None:
        """Have the worker's thread call ``answer`` as soon as possible."""
        with self._wake:
            self._asking.append(answer)
            self._wake.notify()

    def subscribe(self, callback: Callable[[Image.Image], None]) -> Callable[[], None]:
        """Call ``callback`` with every new picture; return a function that ends this."""
        with self._wake:
            self._subscribers.append(callback)

        def unsubscribe() -> None:
            with self._wake:
                if callback in self._subscribers:
                    self._subscribers.remove(callback)

        return unsubscribe

    def close(self, timeout: float = 5.0) -> None:
        """Draw the page still waiting, blank the display and end the thread (within ``timeout`` s)."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        self._thread.join(timeout)

    def _run(self) -> None:
        pause_ms = 0
        while True:
            with self._wake:
                if self._next is None and not self._closing and not self._asking:
                    self._wake.wait(pause_ms / 1000)
                page, self._next = self._next, None
                asking, self._asking = self._asking, []
                closing = self._closing
            try:
                if page is not None:
                    self._painter.show(page)
                pause_ms = self._painter.tick()
            except Exception:
                log.exception("screen: a surprise; tried again")
                pause_ms = BACKOFF_MS[0]
            for answer in asking:
                answer()
            if closing:
                self._painter.close()
                return

    def _publish(self, image: Image.Image) -> None:
        self.last_image = image
        with self._wake:
            subscribers = tuple(self._subscribers)
        for subscriber in subscribers:
            try:
                subscriber(image)
            except Exception:
                log.exception("screen: a callback failed")
