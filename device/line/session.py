"""One node's conversation with the referee: bytes in, answers out, each frame done once.

A session lives as long as its line is in the config; nodes come and go on it. It keeps no truth: the door
records, and :class:`~device.line.nodes.Nodes` remembers the answers.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable

from msgspec.structs import replace

from device.keys import KeyEvent
from device.line import messages
from device.line.door import LineDoor
from device.line.frames import LIMIT, FrameReader, Garbled, LineFrame, encode, make_sendable
from device.line.messages import MessageError
from device.line.nodes import PRIVATE, Nodes, Sender
from device.supervise import describe_error
from device.telemetry import GatePassed, Health, ReceivedMessage, ScaleMessage, Weight
from device.texts import Why, said

log = logging.getLogger(__name__)

INBOX = 32
"""The most frames that wait while one is being done; further ones are answered ``busy``."""

TELEMETRY_A_SECOND = 20
"""The most words of a scale within a second; further ones are answered ``busy``."""

UNREAD = 3
"""The number of unreadable lines in a row that make the line unreadable; a single one may be cut off."""

SAY_HELLO = "say hello first, for example: 1 hello keypad-1 1 step"

_CHECKSUM_ROOM = len("*CCCC")


class Session:
    """The box's side of one line.

    Call :meth:`on_open`, :meth:`receive` and :meth:`on_close` as the port reports, and keep :meth:`run`
    running. Bytes for the node go to ``send``, which must not block.
    """

    def __init__(
        self,
        name: str,
        door: LineDoor,
        send: Callable[[bytes], None],
        nodes: Nodes,
        *,
        on_key: Callable[[KeyEvent], None] = lambda _: None,
        on_telemetry: Callable[[ReceivedMessage], None] = lambda _: None,
        on_taken: Callable[[], None] = lambda: None,
        checked: bool = False,
        hurried: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start a conversation without a node.

        ``on_key`` gets a node's use of the box's keys, ``on_telemetry`` a scale's messages about itself.
        ``on_taken`` is called when a refused node is accepted, and the reverse. ``checked`` requires
        checksums from the first line on; otherwise the box uses them if the node does. A ``hurried`` far end
        has shorter seconds, so its messages never come too fast.
        """
        self.name = name
        self.node: messages.Hello | None = None
        self.seat: str | None = None
        self.health = ""
        self.refused: Why = ""
        self._door = door
        self._send = send
        self._nodes = nodes
        self._on_key = on_key
        self._on_telemetry = on_telemetry
        self._on_taken = on_taken
        self._hurried = hurried
        self._clock = clock
        self._passed_on: deque[float] = deque(maxlen=TELEMETRY_A_SECOND)
        self._always_checked = checked
        self._reader = FrameReader(checked=checked)
        self._inbox: asyncio.Queue[LineFrame] = asyncio.Queue(INBOX)
        self._opening = 0
        self._seq = 0
        self._wrong = ""

    def on_open(self) -> None:
        """Begin anew on an opened port, and say hello: opening it may have reset the node."""
        self.on_close()
        self._say(messages.Greeting())

    def on_close(self) -> None:
        """Forget half a line, frames not yet begun and the node, as the port is gone."""
        self._reader = FrameReader(checked=self._always_checked)
        self._opening += 1
        self._seq = 0
        self.refused = ""
        self._dismiss()
        while not self._inbox.empty():
            self._inbox.get_nowait()
            self._inbox.task_done()

    def receive(self, data: bytes) -> None:
        """Take bytes from the port."""
        for item in self._reader.feed(data):
            if isinstance(item, Garbled):
                self._wrong = item.code
                self._say(messages.Err(None, item.code, item.text))
            elif self._inbox.full():
                self._say(messages.Err(item.seq, "busy", "too much at once; send this again later"))
            else:
                self._inbox.put_nowait(item)
        if self._reader.unread >= UNREAD and self.node is None:
            self._note_refusal(said("status.unchecked" if self._wrong == "checksum" else "status.unreadable"))

    def send_event(self, number: int, text: str) -> None:
        """Tell the node of record ``number``, if it watches."""
        if self.node is not None and "watch" in self.node.caps:
            self._say(messages.Event(number, text))

    async def run(self) -> None:
        """Do the frames one by one, forever."""
        while True:
            frame = await self._inbox.get()
            opening = self._opening
            try:
                reply = await self._make_reply(frame)
            except MessageError as error:
                reply = messages.Err(frame.seq, error.code, error.text)
                if frame.kind == "hello" and self.node is None and opening == self._opening:
                    self._note_refusal(error.why)
            except Exception as error:
                log.exception("line %s: a %s was not done", self.name, frame.kind)
                reply = messages.Err(frame.seq, "fault", f"a fault in the box: {describe_error(error)}")
            finally:
                self._inbox.task_done()
            if reply is not None and opening == self._opening:
                self._say(reply)

    async def wait_settled(self) -> None:
        """Wait until every frame received so far is done."""
        await self._inbox.join()

    async def _make_reply(self, frame: LineFrame) -> messages.Message | None:
        if frame.kind == "err":
            # No answer, whatever it says: complaints about complaints would never end.
            log.warning("line %s: the node says: err %s", self.name, self._redact(frame.args))
            return None
        match messages.parse(frame):
            case messages.Hello() as hello:
                self._dismiss()
                self.seat = self._nodes.arrive(hello, self.name)
                self.node = hello
                self._note_refusal("")
                return messages.Greeting(frame.seq, self.seat, self._find_last(hello.id))
            case (
                messages.Open()
                | messages.Step()
                | messages.Reading()
                | messages.Tell()
                | messages.Stroke() as entry
            ):
                sender = self._make_sender(frame, self._require_node(frame.kind))
                return await self._do_once(sender, frame, entry)
            case Weight() | GatePassed() | Health() as message:
                self._pass_on(self._require_node("scale"), message)
                return messages.Ack(frame.seq)
            case messages.Ask(what) as asked:
                sender = self._make_sender(frame, self.node.id if self.node else "")
                return messages.Answer(what, frame.seq, self._door.answer(asked, sender))
            case messages.Ping():
                return messages.Ack(frame.seq)
            case _:
                return None

    def _note_refusal(self, refused: Why) -> None:
        changed, self.refused = refused != self.refused, refused
        if changed:
            self._on_taken()

    def _pass_on(self, node: str, message: ScaleMessage) -> None:
        """Pass a scale's message on; it need not be remembered, as the next one replaces it."""
        now = self._clock()
        if not self._hurried and len(self._passed_on) == TELEMETRY_A_SECOND and now - self._passed_on[0] < 1:
            raise MessageError("busy", f"more than {TELEMETRY_A_SECOND} words of a scale within a second")
        self._passed_on.append(now)
        if isinstance(message, Health):
            self.health = message.state
        self._on_telemetry(ReceivedMessage(node, *messages.write(message), round(now * 1000)))

    async def _do_once(
        self, sender: Sender, frame: LineFrame, entry: messages.Entry | messages.Stroke
    ) -> messages.Ack | messages.Err:
        async with self._nodes.get_lock(sender.node):
            if record := self._door.find_done(sender):
                return messages.Ack(frame.seq, record)
            if reply := self._nodes.find_reply(sender.node, self.name, frame):
                return reply
            last = (self._nodes.find_last if frame.kind in PRIVATE else self._find_last)(sender.node)
            if last is not None and frame.seq <= last:
                raise MessageError("reused", f"you were at number {last}; go on from {last + 1}")
            try:
                reply = messages.Ack(frame.seq, await self._carry_out(entry, sender))
            except MessageError as error:
                reply = messages.Err(frame.seq, error.code, error.text)
            self._nodes.remember(sender.node, self.name, frame, reply)
            return reply

    def _find_last(self, node: str) -> int | None:
        """Return the highest number of a node's frames done in this match or since the box started."""
        numbers = (self._nodes.find_last(node), self._door.find_last(node))
        return max((number for number in numbers if number is not None), default=None)

    async def _carry_out(self, entry: messages.Entry | messages.Stroke, sender: Sender) -> int | None:
        """Carry out a frame; return the number of its record, None without one."""
        if isinstance(entry, messages.Stroke):
            self._on_key(entry.event)
            return None
        return await self._door.enter(entry, replace(sender, voices=self._nodes.find_voices(sender.node)))

    def _make_sender(self, frame: LineFrame, node: str) -> Sender:
        return Sender(node, self.name, self.seat, frame.seq, f"{frame.kind} {frame.args}".encode())

    def _redact(self, complaint: str) -> str:
        """Drop the text of a complaint if the line carries secrets: an end that echoes would repeat them."""
        if self.seat is None:
            return complaint
        seq, _, rest = complaint.partition(" ")
        code = rest.split(" ", 1)[0]
        return f"{seq if seq.isdecimal() else '-'} {code if code in messages.CODES else ''}".rstrip()

    def _require_node(self, cap: str) -> str:
        if self.node is None:
            raise MessageError("hello", SAY_HELLO)
        if cap not in self.node.caps:
            raise MessageError("kind", f"your hello did not offer {cap}; say hello again with it")
        return self.node.id

    def _dismiss(self) -> None:
        if self.node is not None:
            self._nodes.leave(self.node.id, self.name)
        self.node = self.seat = None
        self.health = ""

    def _say(self, message: messages.Message) -> None:
        self._seq += 1
        kind, args = messages.write(message)
        room = LIMIT - len(f"{self._seq} {kind} ") - _CHECKSUM_ROOM
        self._send(encode(self._seq, kind, make_sendable(args, room), checked=self._reader.checked))
