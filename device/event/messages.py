"""Messages between boxes and desk over a broker: topics, and a value for each message.

A box writes its presence, its public view, and records; the desk answers each with how many it has, and the
box goes on from there. The numbers are the journal's own: a message that is lost, comes twice or in another
order changes nothing, and neither the broker nor the desk is trusted to keep anything.
"""

from __future__ import annotations

import hashlib
import re
from enum import StrEnum
from typing import Any, Final

import msgspec

from device.match import Record

DESK: Final = "desk"
LOOK: Final = "look"
WORD: Final = "desk:"
"""The channel of what a judge said at the desk begins so; then comes which word it is."""
CHUNK: Final = 64
"""Records of one message at most."""


class Kind(StrEnum):
    """A box's messages: ``state`` and ``view`` are retained."""

    STATE = "state"
    VIEW = "view"
    RECORDS = "records"


class Presence(msgspec.Struct, frozen=True):
    """Somebody is there, or with the last will is not; ``name`` is the desk's that rules, ``start`` as in a
    box's :class:`View`.
    """

    online: bool
    name: str = ""
    start: str = ""


class View(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table as everybody may see it: its match by the hash of the first record, how many records it has,
    who plays, the score if it ended now, and what waits for somebody.

    ``call`` is the record of a call to a judge, 0 for none, ``said`` its reason; ``troubles`` are parts of
    the box that are away, and what its sensors say is wrong; ``start`` is another at each start of a box.
    """

    table: str
    match: str = ""
    game: str = ""
    records: int = 0
    names: tuple[str, ...] = ()
    scores: tuple[int, ...] = ()
    over: bool = False
    paused: bool = False
    call: int = 0
    said: str = ""
    troubles: tuple[str, ...] = ()
    undervoltage: bool = False
    simulated: bool = False
    start: str = ""


class Sent(msgspec.Struct, frozen=True, omit_defaults=True):
    """Records of a match, each as everybody may read it; the match's header comes with the first.

    The box has ``total`` of them, of which everybody may read ``open``. Without records it asks what the desk
    has.
    """

    match: str
    total: int
    open: int
    records: tuple[Record, ...] = ()
    header: dict[str, str] = {}


class Heard(msgspec.Struct, frozen=True, omit_defaults=True, tag="heard"):
    """The desk's answer about a match: it has the first ``have`` records, and cannot read those that are
    ``sealed``. A match that is ``refused`` is told no more.
    """

    match: str
    have: int
    sealed: tuple[int, ...] = ()
    refused: str = ""


class Word(msgspec.Struct, frozen=True, omit_defaults=True, tag="word"):
    """A judge's word at the desk on a match: an answer to its call, or how it is ruled, as a line of rulings.

    People at the table agree to it or not; either way a record by the channel ``desk:ID`` says so.
    """

    match: str
    id: str
    judge: str
    ruling: str


class Seated(msgspec.Struct, frozen=True, omit_defaults=True, tag="seated"):
    """The desk's plan for a box's table in the round that runs: the names in the order of seats, none where
    nobody is planned there. ``left_s`` are the seconds left of the round, as clocks may be years apart; None
    while its clock does not run.
    """

    round: int
    table: str
    names: tuple[str, ...] = ()
    left_s: int | None = None


def slug(event: str) -> str:
    """Return an event's name as files and topics have it; one of other letters than a to z has the digest of
    its name in it.
    """
    told = re.sub(r"[^a-z0-9]+", "-", event.lower()).strip("-")
    if told and event.isascii():
        return told
    return f"{told or 'event'}-{hashlib.sha256(event.encode()).hexdigest()[:8]}"


class Topics(msgspec.Struct, frozen=True):
    """The topics of an event, by its ``slug``."""

    slug: str

    @classmethod
    def of(cls, event: str) -> Topics:
        """Return an event's."""
        return cls(slug(event))

    @property
    def base(self) -> str:
        """The beginning of each of them."""
        return f"podesta/{self.slug}"

    @property
    def desk(self) -> str:
        """The desk's presence."""
        return f"{self.base}/{DESK}"

    def at(self, box: str, kind: Kind) -> str:
        """Return where a box tells one of its messages."""
        return f"{self.base}/box/{box}/{kind}"

    def to(self, box: str) -> str:
        """Return where the desk tells a box what it has."""
        return f"{self.base}/to/{box}"

    def whose(self, topic: str) -> tuple[str, Kind] | None:
        """Return the box and the kind of its message, None for any other topic."""
        found = re.fullmatch(rf"{re.escape(self.base)}/box/([^/]+)/({'|'.join(Kind)})", topic)
        return (found[1], Kind(found[2])) if found else None


def lamp(topics: Topics, box: str) -> str:
    """Return the topic by which Home Assistant finds a box's call for a judge."""
    return f"homeassistant/binary_sensor/podesta_{topics.slug}/{box}/config"


def lamp_message(topics: Topics, box: str) -> bytes:
    """Return the message there: it is retained, and a lamp may light while a judge is called."""
    told: dict[str, Any] = {
        "name": f"{box}: a judge is called",
        "unique_id": f"podesta_{topics.slug}_{box}_call",
        "state_topic": topics.at(box, Kind.VIEW),
        "value_template": "{{ 'ON' if value_json.call | default(0) else 'OFF' }}",
        "availability_topic": topics.at(box, Kind.STATE),
        "availability_template": "{{ 'online' if value_json.online else 'offline' }}",
    }
    return msgspec.json.encode(told)
