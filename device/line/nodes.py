"""The box's memory of each node, whichever line it is on and however often that is unplugged."""

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
"""Nothing was done and the same frame may do better later, so it is tried again, not answered from memory."""

PRIVATE = frozenset({"tell"})
"""What was said so is remembered only on its own line: elsewhere an answer would say that it was guessed."""


class Sender(msgspec.Struct, frozen=True):
    """The sender of a line: the ``node`` and its line, the letter of its seat (None for none), the line's
    ``number`` and what it ``said``, of which a record keeps a digest.

    ``voices`` are the seats that other nodes speak for, and which nodes: nothing may be done for one of them.
    """

    node: str = ""
    line: str = ""
    seat: str | None = None
    number: int = 0
    said: bytes = b""
    voices: Mapping[str, str] = {}

    @property
    def channel(self) -> str:
        """Return the source as a record has it: ``line:keypad-1#17``."""
        return f"line:{self.node}#{self.number}"

    @property
    def name(self) -> str:
        """Return the node with its line: any line may say that it is of any seat, and what one told serves
        that one alone.
        """
        return f"{self.node} on {self.line}" if self.node else ""


_Key = tuple[int, str, str, str]


class Nodes:
    """The nodes by their ids: whose seat, on which line, and what was answered to them.

    A seat has one voice: the node that the settings bind to it, present or not; else the node that is there
    and said it is of that seat.
    """

    def __init__(self, lines: Sequence[LineSettings] = ()) -> None:
        """Start from the settings: ``lines`` say which node acts for which seat and which may use the box's
        keys, each on that line alone.
        """
        self._home = {node: line.url for line in lines for node in (*line.bind, *line.keys)}
        self._bound = {node: seat for line in lines for node, seat in line.bind.items()}
        self._with_keys = frozenset(node for line in lines for node in line.keys)
        self._last: dict[str, int] = {}
        self._replies: defaultdict[str, OrderedDict[_Key, Ack | Err]] = defaultdict(OrderedDict)
        self._line: dict[str, str] = {}
        self._claimed: dict[str, str] = {}
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    def arrive(self, hello: Hello, line: str) -> str | None:
        """Note that a node is on a line, and return the seat it acts for; None is whoever is asked.

        :raises MessageError: ``seat`` when it wishes another seat than the settings give it, or one that has
            another voice; ``hello`` when its name is in use or at home on another line, or when it wants the
            box's keys and the settings do not give them to it.
        """
        node, wished = hello.id, hello.seat
        home = self._home.get(node, line)
        if home != line:
            raise MessageError("hello", said("status.at_home", node=node, home=home))
        seat = self._bound.get(node, wished)
        if wished not in (None, seat):
            raise MessageError("seat", said("status.bound", node=node, seat=seat, wished=wished))
        if seat is not None and (voice := self.voices(node).get(seat)):
            raise MessageError("seat", said("status.voice", node=voice, seat=seat))
        if "key" in hello.caps and node not in self._with_keys:
            raise MessageError("hello", said("status.no_keys", node=node))
        if self._line.setdefault(node, line) != line:
            raise MessageError("hello", said("status.already", node=node, line=self._line[node]))
        if seat is not None:
            self._claimed[node] = seat
        return seat

    def leave(self, node: str, line: str) -> None:
        """Note that a node left a line, which frees its name for other lines, and a seat it only claimed."""
        if self._line.get(node) == line:
            del self._line[node]
            self._claimed.pop(node, None)

    def voices(self, node: str) -> dict[str, str]:
        """Return the seats that other nodes speak for, and which: ``node`` must not act for these."""
        voices = {seat: other for other, seat in {**self._claimed, **self._bound}.items() if other != node}
        return dict(sorted(voices.items()))

    def last(self, node: str) -> int | None:
        """Return the highest number of the node's frames that were done since the box was started."""
        return self._last.get(node)

    def turn(self, node: str) -> asyncio.Lock:
        """Return the lock to hold from :meth:`known_reply` to :meth:`remember`."""
        return self._turns[node]

    def known_reply(self, node: str, line: str, frame: LineFrame) -> Ack | Err | None:
        """Return what was answered to this frame since the box was started, None when it is a new one.

        A frame is repeated when number, kind and text are the same.
        """
        return self._replies[node].get(_key(line, frame))

    def remember(self, node: str, line: str, frame: LineFrame, reply: Ack | Err) -> None:
        """Keep a reply for when the frame is sent again."""
        if isinstance(reply, Err) and reply.code in _PASSING:
            return
        if isinstance(reply, Ack) or reply.code == "held":  # which becomes a record once people say yes
            self._last[node] = max(frame.seq, self._last.get(node, 0))
        replies = self._replies[node]
        replies[_key(line, frame)] = reply
        while len(replies) > REPLIES_KEPT:
            replies.popitem(last=False)


def _key(line: str, frame: LineFrame) -> _Key:
    return frame.seq, frame.kind, frame.args, line if frame.kind in PRIVATE else ""
