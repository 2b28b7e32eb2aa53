"""Bytes to and from a serial port that may be unplugged at any moment.

Reading and writing block, so each has a thread. This serves device paths, ``socket://``, ``loop://`` and all
else that pyserial opens; only device paths have a file that a loop could watch.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import queue
import termios
import threading
from collections.abc import Callable

import serial

from device.supervise import Backoff, wake
from device.texts import Why, of_device, said

log = logging.getLogger(__name__)

OUTBOX = 256
"""The most writes that wait for a slow far end; further ones are dropped, and the node asks again."""

_READ_TIMEOUT = 0.5  # the longest time of close() if a read cannot be cancelled
_WRITE_TIMEOUT = 5.0  # a far end that takes nothing for so long counts as unplugged
_GRACE = 0.5  # for the last words when the port is closed
_CHUNK = 4096
_STUCK = said("status.stuck")
_FAILURES = (OSError, ValueError, termios.error)  # pyserial lets the last two through


class Port:
    """A serial port that comes back by itself; ``why`` is a short text while it is away."""

    def __init__(
        self,
        url: str,
        baud: int,
        on_bytes: Callable[[bytes], None],
        on_state: Callable[[bool, Why], None],
        *,
        retry: tuple[float, float] = (0.2, 5.0),
    ) -> None:
        """Prepare the port; :meth:`start` opens it.

        ``url`` is for :func:`serial.serial_for_url`: a device path, ``socket://host:port``, ``loop://``.
        ``baud`` is in bits per second. ``on_bytes(data)`` and ``on_state(online, why)`` are called on the
        event loop, in order. ``retry`` is the shortest and the longest wait between tries, in s.

        :raises ValueError: for a url of unknown kind.
        """
        try:
            serial.serial_for_url(url, do_not_open=True)
        except ValueError as error:
            raise ValueError(f"line port {url}: {error}") from None
        self.url = url
        self.baud = baud
        self.why: Why = ""
        self._on_bytes = on_bytes
        self._on_state = on_state
        self._backoff = Backoff(*retry)
        self._stop = threading.Event()
        self._heard = False
        self._stuck = False
        self._outbox: queue.SimpleQueue[bytes | None] | None = None
        self._opened: serial.SerialBase | None = None
        self._opened_lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=self._keep_open, name=f"line {url}", daemon=True)

    @property
    def online(self) -> bool:
        """True if the port is open now."""
        return self._outbox is not None

    def start(self) -> None:
        """Begin to open the port; needs a running event loop."""
        self._loop = asyncio.get_running_loop()
        self._thread.start()

    def write(self, data: bytes) -> None:
        """Send bytes without waiting; they are lost if the port is away or its far end takes nothing."""
        outbox = self._outbox
        if outbox is None:
            return
        if outbox.qsize() >= OUTBOX:
            # The length stays out of the log: it could betray a seat's secret.
            log.debug("line port %s: the far end is too slow, a line dropped", self.url)
            return
        outbox.put(data)

    async def close(self) -> None:
        """Close the port for good, and wait until it is closed."""
        self._stop.set()
        self._cancel("read")
        if self._thread.ident is not None:
            await asyncio.to_thread(self._thread.join)

    def _keep_open(self) -> None:
        while not self._stop.is_set():
            try:
                opened = self._open()
            except Exception as error:  # any error: only this thread can try again
                self._report(False, of_device(error, "dialout"))
            else:
                self._report(False, self._converse(opened))
                if self._heard:
                    self._backoff.reset()
            self._stop.wait(self._backoff.wait())

    def _open(self) -> serial.SerialBase:
        return serial.serial_for_url(
            self.url, self.baud, timeout=_READ_TIMEOUT, write_timeout=_WRITE_TIMEOUT, exclusive=True
        )

    def _converse(self, opened: serial.SerialBase) -> Why:
        """Read and write until the port is closed or unplugged; return why."""
        outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        writer = threading.Thread(
            target=self._write, args=(opened, outbox), name=f"to {self.url}", daemon=True
        )
        writer.start()
        with self._opened_lock:
            self._opened = opened
        self._heard = self._stuck = False
        self._outbox = outbox
        self._report(True, "")
        why: Why = ""
        try:
            while writer.is_alive() and not self._stop.is_set():
                self._read(opened)
        except _FAILURES as error:
            log.info("line port %s: %s", self.url, error)
            why = said("status.unplugged")
        else:
            if not self._stop.is_set():
                why = _STUCK if self._stuck else said("status.unplugged")
        self._outbox = None
        outbox.put(None)
        writer.join(_GRACE)
        if writer.is_alive():
            with contextlib.suppress(queue.Empty):
                while True:
                    outbox.get_nowait()
            outbox.put(None)
            self._cancel("write")
            writer.join()
        with self._opened_lock:
            self._opened = None
        if why == _STUCK:
            # Closing a serial device waits up to 30 s for unsent bytes.
            with contextlib.suppress(*_FAILURES):
                opened.reset_output_buffer()
        with contextlib.suppress(*_FAILURES):
            opened.close()
        return why

    def _read(self, opened: serial.SerialBase) -> None:
        data: bytes = opened.read(1)
        try:
            while data and len(data) < _CHUNK and (waiting := opened.in_waiting):
                data += opened.read(min(waiting, _CHUNK))
        finally:
            # Bytes from before the unplugging still count.
            if data:
                self._heard = True
                self._call_on_loop(self._on_bytes, data)

    def _write(self, opened: serial.SerialBase, outbox: queue.SimpleQueue[bytes | None]) -> None:
        try:
            while (data := outbox.get()) is not None:
                opened.write(data)
        except _FAILURES as error:
            log.info("line port %s: %s", self.url, error)
            self._stuck = isinstance(error, serial.SerialTimeoutException)
            self._cancel("read")

    def _cancel(self, what: str) -> None:
        """Wake a thread from a blocked read or write, if the port can."""
        with self._opened_lock:
            cancel = getattr(self._opened, f"cancel_{what}", None)
            if cancel is not None:
                cancel()

    def _report(self, online: bool, why: Why) -> None:
        if why != self.why or online:
            self.why = why
            self._call_on_loop(self._on_state, online, why)

    def _call_on_loop(self, callback: Callable[..., None], *args: object) -> None:
        assert self._loop is not None
        wake(self._loop, callback, *args)
