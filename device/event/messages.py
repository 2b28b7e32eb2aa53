"""Messages between boxes and desk over a broker: topics, and a value for each message.

A box sends its presence, its public view, and records. The desk answers each message of records with the
number that it has, and the box goes on from there. The numbers are the journal's own, so a message may get
lost, come twice or out of order; nobody relies on broker or desk to keep anything.
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
FROM_DESK: Final = "desk:"
"""The prefix of the channel of a judge's ruling from the desk; the ruling's id follows."""
CHUNK: Final = 64
"""The most records of one message, unless a group is longer."""


class TopicKind(StrEnum):
    """A box's messages: ``state`` and ``view`` are retained."""

    STATE = "state"
    VIEW = "view"
    RECORDS = "records"


class Presence(msgspec.Struct, frozen=True):
    """The presence of a box or desk; its last will reports the absence. ``name`` is that of the desk in
    charge, ``start`` as in a box's :class:`TableView`.
    """

    online: bool
    name: str = ""
    start: str = ""


class TableView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table as everybody may see it: its match (the hash of the first record), the number of its records,
    the players, the score if it ended now, and what waits for somebody.

    ``call`` is the record of a call to a judge, 0 for none, ``said`` its reason. ``troubles`` are missing
    parts of the box and faults that its sensors report. ``start`` differs at each start of a box.
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

    ``total`` is the number of records at the box; everybody may read ``open`` of them. A message without
    records asks how many the desk has.
    """

    match: str
    total: int
    open: int
    records: tuple[Record, ...] = ()
    header: dict[str, str] = {}


class DeskShare(msgspec.Struct, frozen=True, omit_defaults=True, tag="heard"):
    """The desk's answer about a match: it has the first ``have`` records, and cannot read those in
    ``sealed``. If it is ``refused``, with this reason, the box sends no more of the match.
    """

    match: str
    have: int
    sealed: tuple[int, ...] = ()
    refused: str = ""


class JudgesRuling(msgspec.Struct, frozen=True, omit_defaults=True, tag="word"):
    """A judge's ruling at the desk on a match, or the answer to its call, as a line of rulings.

    People at the table agree to it or not; either way the box keeps a record with the channel ``desk:ID``.
    """

    match: str
    id: str
    judge: str
    ruling: str


class Seated(msgspec.Struct, frozen=True, omit_defaults=True, tag="seated"):
    """The desk's plan for a box's table in the current round: the names in the order of seats, none for an
    empty table. ``left_s`` are the seconds left of the round, as clocks may be years apart; None while its
    clock does not run.
    """

    round: int
    table: str
    names: tuple[str, ...] = ()
    left_s: int | None = None


def make_slug(event: str) -> str:
    """Return an event's name for files and topics. A name that is not ASCII, or has no letter or digit in it,
    ends with 8 hex digits of its SHA-256.
    """
    dashed = re.sub(r"[^a-z0-9]+", "-", event.lower()).strip("-")
    if dashed and event.isascii():
        return dashed
    return f"{dashed or 'event'}-{hashlib.sha256(event.encode()).hexdigest()[:8]}"


class Topics(msgspec.Struct, frozen=True):
    """The topics of an event, by its ``slug``."""

    slug: str

    @classmethod
    def of(cls, event: str) -> Topics:
        """Return the topics of an event."""
        return cls(make_slug(event))

    @property
    def base(self) -> str:
        """The beginning of each topic."""
        return f"podesta/{self.slug}"

    @property
    def desk(self) -> str:
        """The desk's presence."""
        return f"{self.base}/{DESK}"

    def at(self, box: str, kind: TopicKind) -> str:
        """Return the topic of a kind of message from a box."""
        return f"{self.base}/box/{box}/{kind}"

    def to(self, box: str) -> str:
        """Return the topic of the desk's messages to a box."""
        return f"{self.base}/to/{box}"

    def whose(self, topic: str) -> tuple[str, TopicKind] | None:
        """Return the box and the kind of its message for a topic, None for any other topic."""
        found = re.fullmatch(rf"{re.escape(self.base)}/box/([^/]+)/({'|'.join(TopicKind)})", topic)
        return (found[1], TopicKind(found[2])) if found else None


def name_lamp_topic(topics: Topics, box: str) -> str:
    """Return Home Assistant's discovery topic of a lamp for a box's call to a judge."""
    return f"homeassistant/binary_sensor/podesta_{topics.slug}/{box}/config"


def write_lamp_message(topics: Topics, box: str) -> bytes:
    """Return the retained message on that topic: a lamp that lights while a judge is called."""
    discovery: dict[str, Any] = {
        "name": f"{box}: a judge is called",
        "unique_id": f"podesta_{topics.slug}_{box}_call",
        "state_topic": topics.at(box, TopicKind.VIEW),
        "value_template": "{{ 'ON' if value_json.call | default(0) else 'OFF' }}",
        "availability_topic": topics.at(box, TopicKind.STATE),
        "availability_template": "{{ 'online' if value_json.online else 'offline' }}",
    }
    return msgspec.json.encode(discovery)
