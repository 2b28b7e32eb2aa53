"""All lines of the box: for each in the config a session, over a serial port that may be unplugged any time.

A port reads and writes in threads, as both block. It serves device paths, ``socket://``, ``loop://`` and all
else that pyserial opens; only device paths have a file that a loop could watch.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import queue
import termios
import threading
from collections.abc import Callable, Sequence
from functools import partial

import msgspec
import serial

from device.keys import KeyEvent
from device.line.door import LineDoor
from device.line.nodes import Nodes
from device.line.session import Session
from device.settings import LineSettings
from device.supervise import Backoff, wake
from device.telemetry import ReceivedMessage
from device.texts import Texts, Why, in_words, of_device, said
from engines.contract import SEATS

log = logging.getLogger(__name__)

GREETS_S = 30.0
"""The time after which a present node has said hello: it does so each second."""

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


class LineState(msgspec.Struct, frozen=True):
    """A line's state: ``why`` it is away or its node was refused, or the ``node`` on it and its ``seat``.

    ``health`` is the node's latest state of health (:data:`device.telemetry.HEALTH`), or empty.
    """

    url: str
    online: bool
    why: Why = ""
    node: str | None = None
    seat: str | None = None
    health: str = ""

    def says(self, t: Texts) -> str:
        """Return the line's state for the status page."""
        if self.why or not self.online:
            return in_words(self.why, t) or t("status.away")
        if self.node is None:
            return t("status.nobody")
        if self.health in ("", "ok"):
            return t("status.ok")
        return t("status.part", part=self.node or "", how=self.health)


class LineService:
    """The service that keeps the lines open and lets their nodes talk to the door."""

    def __init__(
        self,
        lines: Sequence[LineSettings],
        door: LineDoor,
        *,
        on_key: Callable[[KeyEvent], None] = lambda _: None,
        on_telemetry: Callable[[ReceivedMessage], None] = lambda _: None,
        on_state: Callable[[LineState], None] | None = None,
        retry: tuple[float, float] = (0.2, 5.0),
        hurried: bool = False,
    ) -> None:
        """Prepare the lines; :meth:`run` opens them.

        ``retry`` is as in :class:`Port`, ``hurried`` as in
        :class:`~device.line.session.Session`. On the event loop, ``on_key(event)`` is called if a node uses
        the box's keys, ``on_telemetry(received)`` with a scale's message about itself, ``on_state(state)``
        when a line comes or goes, or a node is refused or accepted.

        :raises ValueError: if two lines have one url, or a url is of unknown kind.
        """
        self._on_state = on_state
        self._nodes = nodes = Nodes(lines)
        self._lines: dict[str, _Line] = {}
        for config in lines:
            if config.url in self._lines:
                raise ValueError(f"two lines on {config.url}")
            line = self._lines[config.url] = _Line(self._note_change)
            line.session = Session(
                config.url,
                door,
                line.send,
                nodes,
                on_key=on_key,
                on_telemetry=on_telemetry,
                on_taken=partial(self._note_change, line),
                checked=config.checked,
                hurried=hurried,
            )
            line.port = Port(config.url, config.baud, line.session.receive, line.on_port_change, retry=retry)

    @property
    def states(self) -> tuple[LineState, ...]:
        """The state of each line, in the order of the config."""
        return tuple(line.state for line in self._lines.values())

    @property
    def voices(self) -> dict[int, str]:
        """The seats that nodes speak for, and their nodes."""
        return {SEATS.index(one): node for one, node in self._nodes.find_voices("").items() if one in SEATS}

    def publish(self, number: int, text: str) -> None:
        """Tell every watching node of record ``number``; ``text`` must be fit for everybody's eyes."""
        for line in self._lines.values():
            line.session.send_event(number, text)

    async def run(self) -> None:
        """Serve until cancelled; then close the ports."""
        try:
            async with asyncio.TaskGroup() as tasks:
                for line in self._lines.values():
                    tasks.create_task(line.session.run(), name=f"line {line.session.name}")
                    line.port.start()
                    asyncio.get_running_loop().call_later(GREETS_S, line.check_greeting)
                await asyncio.get_running_loop().create_future()
        finally:
            await asyncio.gather(*(line.port.close() for line in self._lines.values()))

    def _note_change(self, line: _Line) -> None:
        state = line.state
        level = logging.WARNING if state.why else logging.INFO
        log.log(level, "line %s: %s", state.url, state.why or "online")
        if self._on_state is not None:
            self._on_state(state)


class _Line:
    """A session and the port under it."""

    session: Session
    port: Port

    def __init__(self, note_change: Callable[[_Line], None]) -> None:
        self._note_change = note_change

    @property
    def state(self) -> LineState:
        node = self.session.node
        return LineState(
            self.session.name,
            self.port.online,
            self.port.why or self.session.refused,
            node.id if node is not None else None,
            self.session.seat,
            self.session.health,
        )

    def send(self, data: bytes) -> None:
        """Write to the port."""
        self.port.write(data)

    def on_port_change(self, online: bool, _why: Why) -> None:
        """Tell the session that its port came or went."""
        (self.session.on_open if online else self.session.on_close)()
        self._note_change(self)

    def check_greeting(self) -> None:
        """Log that nobody is on the line, unless its state says why; opening a port may hang."""
        if self.session.node is None and not self.state.why:
            how = "open" if self.port.online else "not open yet"
            log.warning("line %s: %s after %g s, and nobody has said hello", self.port.url, how, GREETS_S)
