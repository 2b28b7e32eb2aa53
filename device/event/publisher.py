"""A box tells the desk of an event, over a broker, everything public about its matches.

::

    publisher = Publisher(credential, place, library, troubles)
    await publisher.run()                # as a part of the box: away and back as the broker is
    publisher.changed()                  # something at the table has changed

The box plays whether anybody hears it or not. Once both are there, after a second or after a day, it sends
what the desk lacks, from the journals on the disk; there is no other queue. Hidden things leave the box only
when they are revealed at the table.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from device.event import messages
from device.event.broker import Credential, run_until_first, stay_connected
from device.event.provision import BoxPlace
from device.machine import has_undervoltage
from device.match import (
    SUFFIX,
    Adjust,
    Answered,
    Call,
    JournalError,
    Judged,
    Library,
    Log,
    Record,
    Replay,
    Ruling,
    Source,
    find_hidden,
    list_scores,
    parse_ruling,
    read,
    read_heading,
    redact,
)
from device.supervise import Backoff
from device.texts import Texts, Why, in_words, said
from engines.errors import EngineError

if TYPE_CHECKING:
    from aiomqtt import Client

log = logging.getLogger(__name__)

RETRY_S: Final = (1.0, 30.0)
"""First and longest wait before the box tries a missing broker again."""
PATIENCE_S: Final = (5.0, 60.0)
"""First and longest wait for the desk's answer before the box asks again."""


class Outgoing(msgspec.Struct, frozen=True):
    """A match as it may leave the box: its header, its records, and the numbers of its hidden records."""

    header: Mapping[str, str]
    records: Sequence[Record]
    hidden: frozenset[int]

    @classmethod
    def of(cls, header: Mapping[str, str], records: Sequence[Record], replay: Replay | None) -> Outgoing:
        """Return a match for sending; ``replay`` is None if its log cannot be followed."""
        return cls(header, records, find_hidden(Log(records), "public", replay))

    @property
    def match(self) -> str:
        """The hash of the first record, which identifies the match; empty without records."""
        return self.records[0].hash if self.records else ""

    def count_public(self, to: int) -> int:
        """Return how many of the first ``to`` records everybody may read."""
        return min(to, len(self.records)) - sum(seq <= to for seq in self.hidden)

    def sent(self, numbers: Sequence[int]) -> messages.Sent:
        """Return a message with the first of the records ``numbers``, in whole groups, so that each can be
        checked.
        """
        end = messages.CHUNK
        chosen = [self.records[number - 1] for number in numbers]
        while end < len(chosen) and chosen[end].group == chosen[end - 1].group:
            end += 1
        return self.message(tuple(redact(one) if one.seq in self.hidden else one for one in chosen[:end]))

    def message(self, records: tuple[Record, ...] = ()) -> messages.Sent:
        """Return a message with ``records``; without them it asks how many the desk has."""
        header = dict(self.header) if records and records[0].seq == 1 else {}
        total = len(self.records)
        return messages.Sent(self.match, total, self.count_public(total), records, header)


class Outbox:
    """The desk's share of each match, and the next messages to the desk, which answers each with its new
    share. The class knows no clock, disk or broker.
    """

    def __init__(self) -> None:
        self.heard: dict[str, messages.DeskShare] = {}
        self._unanswered = set[str]()

    def forget(self, *, refusals: bool = True) -> None:
        """Begin anew: the desk may be another one, or have lost its records. Unless ``refusals``, remember
        which matches it refuses.
        """
        kept = {} if refusals else {key: heard for key, heard in self.heard.items() if heard.refused}
        self.heard = kept
        self._unanswered.clear()

    def owes(self, whole: messages.Sent) -> bool:
        """Return True for a match that the desk has neither confirmed as whole nor refused."""
        if (heard := self.heard.get(whole.match)) is None:
            return True
        lacks = heard.have < whole.total or heard.have - len(heard.sealed) < whole.open
        return lacks and not heard.refused

    def ask(self, sent: messages.Sent) -> list[messages.Sent]:
        """Return the message for sending, or nothing while the match's last one is unanswered."""
        asked = sent.match in self._unanswered
        self._unanswered.add(sent.match)
        return [] if asked else [sent]

    def hear(self, heard: messages.DeskShare) -> None:
        """Note the desk's share of a match."""
        self.heard[heard.match] = heard
        self._unanswered.discard(heard.match)

    def due(self, match: Outgoing) -> list[messages.Sent]:
        """Return the messages to send now about a match, once the desk has told its share."""
        heard = self.heard.get(match.match)
        if heard is None or heard.refused or match.match in self._unanswered:
            return []
        revealed = sorted({*heard.sealed} - match.hidden)
        lacking = [*revealed, *range(heard.have + 1, len(match.records) + 1)]
        return self.ask(match.sent(lacking)) if lacking else []


def make_view(library: Library, bare: messages.TableView) -> messages.TableView:
    """Return the table as everybody may see it now: ``bare``, and the match being played there."""
    referee = library.referee
    if referee is None:
        return bare
    replay = referee.replay
    records = replay.log[: referee.recorded]
    call = replay.affairs.call
    asked = replay.log.read_ruling(call) if call else None
    return msgspec.structs.replace(
        bare,
        match=records[0].hash if records else "",
        game=replay.game.id,
        records=len(records),
        names=replay.names,
        scores=tuple(list_scores(replay)),
        over=replay.over,
        paused=replay.affairs.paused,
        call=call.seq if call else 0,
        said=asked.reason if isinstance(asked, Call) else "",
    )


class Publisher:
    """A box's connection to its event's broker."""

    def __init__(
        self,
        credential: Credential,
        place: BoxPlace,
        library: Library,
        troubles: Callable[[], Sequence[str]] = tuple,
        on_state: Callable[[], None] = lambda: None,
        on_ruling: Callable[[str, Ruling, Source], None] = lambda *_: None,
        on_seated: Callable[[messages.Seated], None] = lambda _: None,
    ) -> None:
        """Publish to the place; ``troubles`` returns faults for people elsewhere.

        ``on_state`` is called when :attr:`why` changes. ``on_ruling`` gets a judge's name and ruling on the
        match being played, until it has an answer; ``on_seated`` gets the players planned here.
        """
        self.credential, self.place, self.library = credential, place, library
        self.topics, self.box = messages.Topics.of(place.event), credential.user.rpartition(".")[2]
        self.why: Why = said("status.unconnected")
        """The reason for being away; empty while it is at the broker."""
        self.in_charge = ""
        """The name of the desk in charge, empty if there is none."""
        self.outbox = Outbox()
        self._start = os.urandom(8).hex()
        self._troubles, self._on_state, self._on_ruling = troubles, on_state, on_ruling
        self._on_seated = on_seated
        self._wake = asyncio.Event()
        self._past: dict[Path, messages.Sent] = {}
        self._seen = (0, "")
        self._desk = False

    @property
    def refused(self) -> list[str]:
        """The reasons why the desk refuses matches."""
        return sorted({heard.refused for heard in self.outbox.heard.values() if heard.refused})

    def changed(self) -> None:
        """Send changes soon."""
        self._wake.set()

    async def run(self) -> None:
        """Stay connected to the broker whenever it is there."""
        try:
            from aiomqtt import Will  # noqa: PLC0415 – an extra; a box starts without
        except ModuleNotFoundError as error:
            self._set_why(said("status.extra", module=error.name, extra="event"))
            return
        gone = msgspec.json.encode(messages.Presence(online=False, start=self._start))
        will = Will(self.topics.at(self.box, messages.TopicKind.STATE), gone, qos=1, retain=True)
        await stay_connected(self.credential, lambda: will, self._serve, self._set_why, RETRY_S)

    def says(self, t: Texts) -> str:
        """Return the state of the connection, and the desk in charge."""
        how = in_words(self.why, t) or t("status.ok")
        return t("status.rules", how=how, desk=self.in_charge) if self.in_charge else how

    def _set_why(self, why: Why) -> None:
        if why != self.why:
            log.warning("%s: %s", self.credential.url, why or "connected")
            self.why = why
            self._on_state()

    async def _serve(self, client: Client) -> None:
        """Send and receive until the broker is gone."""
        self._desk = False
        for topic in (self.topics.desk, self.topics.to(self.box)):
            await client.subscribe(topic, qos=1)
        put = partial(client.publish, qos=1, retain=True)
        here = msgspec.json.encode(messages.Presence(online=True, start=self._start))
        lamp = messages.write_lamp_message(self.topics, self.box)
        await put(messages.name_lamp_topic(self.topics, self.box), lamp)
        await put(self.topics.at(self.box, messages.TopicKind.STATE), here)
        self._set_why("")
        await run_until_first(self._hear(client), self._tell(client))

    async def _hear(self, client: Client) -> None:
        async for message in client.messages:
            try:
                self._handle(str(message.topic), bytes(message.payload))
            except (msgspec.DecodeError, TypeError, ValueError) as error:
                log.warning("%s: not understood: %s", message.topic, error)
            self._wake.set()

    def _handle(self, topic: str, payload: bytes) -> None:
        """Handle a message from the desk; raises msgspec.DecodeError, ValueError for an invalid one."""
        if topic == self.topics.desk:
            desk = msgspec.json.decode(payload, type=messages.Presence)
            self._desk, self.in_charge = desk.online, desk.name if desk.online else ""
            self._on_state()
            self.outbox.forget()
            return
        match msgspec.json.decode(payload, type=messages.DeskShare | messages.JudgesRuling | messages.Seated):
            case messages.Seated() as seated:
                self._on_seated(seated)
            case messages.DeskShare() as heard:
                if heard.refused and heard.refused not in self.refused:
                    log.error("the desk refuses match %s: %s", heard.match[:16], heard.refused)
                self.outbox.hear(heard)
            case messages.JudgesRuling() as judges:
                self._hear_ruling(judges)

    def _hear_ruling(self, judges: messages.JudgesRuling) -> None:
        """Pass a judge's ruling on, unless the log has the answer; raises ValueError for an invalid one."""
        ruling, source = parse_ruling(judges.ruling), Source(f"{messages.FROM_DESK}{judges.id}")
        if not isinstance(ruling, Answered | Judged | Adjust):
            raise ValueError(f"{judges.ruling}: no word of a judge")
        records = list(self.library.referee.replay.log) if self.library.referee else []
        here = bool(records) and records[0].hash == judges.match
        if here and not any(one.channel == source.channel for one in records):
            self._on_ruling(judges.judge, ruling, source)

    async def _tell(self, client: Client) -> None:
        """Send news of the table, and what the desk lacks of any match, until the broker is gone."""
        shown, last_sent_s, patience = None, time.monotonic(), Backoff(*PATIENCE_S)
        within_s, records = patience.wait(), self.topics.at(self.box, messages.TopicKind.RECORDS)
        while True:
            self._wake.clear()
            referee = self.library.referee
            if not (referee and referee.waiting):  # a step that is not on the disk yet may come to nothing
                shown = await self._show(client, shown)
                current = self._current()
                owed = await self._list_owed(current) if self._desk else []
                if not owed:
                    patience.reset()
                    last_sent_s, within_s = time.monotonic(), patience.wait()
                elif time.monotonic() - last_sent_s > within_s:
                    self.outbox.forget(refusals=False)
                    within_s = patience.wait()
                for path, whole in owed:
                    for sent in await self._list_due(path, whole, current):
                        last_sent_s = time.monotonic()
                        await client.publish(records, msgspec.json.encode(sent), qos=1)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), PATIENCE_S[0] / 2)

    async def _show(self, client: Client, shown: messages.TableView | None) -> messages.TableView:
        """Publish the view of the table if it differs from ``shown``; return it."""
        bare = messages.TableView(
            self.place.table,
            troubles=tuple(self._troubles()),
            undervoltage=has_undervoltage(),
            simulated=self.library.simulated,
            start=self._start,
        )
        if (now := make_view(self.library, bare)) != shown:
            topic = self.topics.at(self.box, messages.TopicKind.VIEW)
            await client.publish(topic, msgspec.json.encode(now), qos=1, retain=True)
        return now

    async def _list_owed(self, current: Outgoing | None) -> list[tuple[Path | None, messages.Sent]]:
        """Return the matches that the desk has not confirmed as whole, with their files; None for the one
        being played.
        """
        referee = self.library.referee
        seen = self.library.matches.stat().st_mtime_ns, referee.path if referee else ""
        if seen != self._seen:
            await asyncio.to_thread(self._look, Path(seen[1]))
            self._seen = seen
        matches: list[tuple[Path | None, messages.Sent]] = [*self._past.items()]
        if current:
            matches.append((None, current.message()))
        return [(path, sent) for path, sent in matches if sent.total and self.outbox.owes(sent)]

    async def _list_due(
        self, path: Path | None, whole: messages.Sent, current: Outgoing | None
    ) -> list[messages.Sent]:
        if whole.match not in self.outbox.heard:
            return self.outbox.ask(whole)
        match = await asyncio.to_thread(_read_outgoing, path) if path else current
        return self.outbox.due(match) if match else []

    def _current(self) -> Outgoing | None:
        """Return the match being played up to its last record on the disk, None if it is not of the event."""
        referee = self.library.referee
        if referee is None or not referee.recorded:
            return None
        replay = referee.replay
        if replay.log[0].event_id != self.place.event:
            return None
        return Outgoing.of(referee.header, replay.log[: referee.recorded], replay)

    def _look(self, here: Path) -> None:
        """Read each match of the event on the disk once, except the one being played ``here``."""
        for path in self.library.matches.glob(f"*{SUFFIX}"):
            if path == here:
                self._past.pop(path, None)
            elif path not in self._past:
                ours = read_heading(path).get("event_id") == self.place.event
                match = _read_outgoing(path) if ours else None
                self._past[path] = match.message() if match else messages.Sent("", 0, 0)


def _read_outgoing(path: Path) -> Outgoing | None:
    """Return a match that is not being played, up to its last good record; None if it cannot be told."""
    try:
        reading = read(path)
        if reading.view or not reading.records:
            return None
        replay = Replay(reading.header, reading.records)
    except (JournalError, EngineError, ValueError, OSError) as error:
        log.warning("%s is not told of: %s", path.name, error)
        return None
    return Outgoing.of(reading.header, reading.records, replay)
