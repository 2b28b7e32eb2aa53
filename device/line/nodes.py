"""The box's memory of each node, on any line and across unplugging."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, defaultdict
from collections.abc import Mapping, Sequence

import msgspec

from device.line.frames import LineFrame
from device.line.messages import Ack, Err, Hello, MessageError
from device.settings import LineSettings
from device.texts import said

REPLIES_KEPT = 64

_PASSING = frozenset({"busy", "disk", "noseat"})
"""Codes after which the same frame may succeed later, so that it is tried again, not answered from memory."""

PRIVATE = frozenset({"tell"})
"""Kinds that are remembered only on their own line: on another one an answer would betray a right guess."""


class Sender(msgspec.Struct, frozen=True):
    """The sender of a line: the ``node`` and its line, the letter of its seat (None for none), the line's
    ``number`` and its text (``said``), of which a record keeps a digest.

    ``voices`` are the seats that other nodes speak for, and their nodes: the sender may not act for these.
    """

    node: str = ""
    line: str = ""
    seat: str | None = None
    number: int = 0
    said: bytes = b""
    voices: Mapping[str, str] = {}

    @property
    def channel(self) -> str:
        """The source in a record: ``line:keypad-1#17``."""
        return f"line:{self.node}#{self.number}"

    @property
    def name(self) -> str:
        """The node with its line. Any line may claim any seat, so a told hand serves only its own sender."""
        return f"{self.node} on {self.line}" if self.node else ""


_Key = tuple[int, str, str, str]


class Nodes:
    """The nodes by their ids: their seats, their lines, and the answers to them.

    A seat has one voice: the node that the settings bind to it, present or not, else a present node that
    claims the seat.
    """

    def __init__(self, lines: Sequence[LineSettings] = ()) -> None:
        """Start from the settings: ``lines`` tell the seats of nodes, and which may use the box's keys, each
        only on that line.
        """
        self._home = {node: line.url for line in lines for node in (*line.bind, *line.keys)}
        self._bound = {node: seat for line in lines for node, seat in line.bind.items()}
        self._with_keys = frozenset(node for line in lines for node in line.keys)
        self._last: dict[str, int] = {}
        self._replies: defaultdict[str, OrderedDict[_Key, Ack | Err]] = defaultdict(OrderedDict)
        self._line: dict[str, str] = {}
        self._claimed: dict[str, str] = {}
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    def arrive(self, hello: Hello, line: str) -> str | None:
        """Note that a node is on a line; return the seat that it acts for, None for the seat that is asked.

        :raises MessageError: ``seat`` if it wishes another seat than the settings give it, or one with
        another voice; ``hello`` if its name is in use or at home on another line, or if it wants the box's
        keys without the settings' permission.
        """
        node, wished = hello.id, hello.seat
        home = self._home.get(node, line)
        if home != line:
            raise MessageError("hello", said("status.at_home", node=node, home=home))
        seat = self._bound.get(node, wished)
        if wished not in (None, seat):
            raise MessageError("seat", said("status.bound", node=node, seat=seat, wished=wished))
        if seat is not None and (voice := self.find_voices(node).get(seat)):
            raise MessageError("seat", said("status.voice", node=voice, seat=seat))
        if "key" in hello.caps and node not in self._with_keys:
            raise MessageError("hello", said("status.no_keys", node=node))
        if self._line.setdefault(node, line) != line:
            raise MessageError("hello", said("status.already", node=node, line=self._line[node]))
        if seat is not None:
            self._claimed[node] = seat
        return seat

    def leave(self, node: str, line: str) -> None:
        """Note that a node left a line; that frees its name, and a seat that it only claimed."""
        if self._line.get(node) == line:
            del self._line[node]
            self._claimed.pop(node, None)

    def find_voices(self, node: str) -> dict[str, str]:
        """Return the seats that other nodes speak for, and their nodes: ``node`` must not act for these."""
        voices = {seat: other for other, seat in {**self._claimed, **self._bound}.items() if other != node}
        return dict(sorted(voices.items()))

    def find_last(self, node: str) -> int | None:
        """Return the highest number of the node's frames done since the box started."""
        return self._last.get(node)

    def get_lock(self, node: str) -> asyncio.Lock:
        """Return the node's lock, for the time from :meth:`find_reply` to :meth:`remember`."""
        return self._locks[node]

    def find_reply(self, node: str, line: str, frame: LineFrame) -> Ack | Err | None:
        """Return the answer to this frame since the box started, None for a new frame.

        A repeated frame has the same number, kind and text.
        """
        return self._replies[node].get(_make_key(line, frame))

    def remember(self, node: str, line: str, frame: LineFrame, reply: Ack | Err) -> None:
        """Keep a reply in case the frame is sent again."""
        if isinstance(reply, Err) and reply.code in _PASSING:
            return
        if isinstance(reply, Ack) or reply.code == "held":  # it becomes a record once people say yes
            self._last[node] = max(frame.seq, self._last.get(node, 0))
        replies = self._replies[node]
        replies[_make_key(line, frame)] = reply
        while len(replies) > REPLIES_KEPT:
            replies.popitem(last=False)


def _make_key(line: str, frame: LineFrame) -> _Key:
    return frame.seq, frame.kind, frame.args, line if frame.kind in PRIVATE else ""
