"""All lines of the box: a port and a session for each in the config."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial

import msgspec

from device.keys import KeyEvent
from device.line.door import LineDoor
from device.line.nodes import Nodes
from device.line.port import Port
from device.line.session import Session
from device.settings import LineSettings
from device.telemetry import ReceivedMessage
from device.texts import Texts, Why, in_words
from engines.contract import SEATS

log = logging.getLogger(__name__)

GREETS_S = 30.0
"""The time after which a present node has said hello: it does so each second."""


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
