"""The desk at the broker: what boxes tell is taken in and answered, and what judges say is told to them.

::

    await attend(live, credential)     # away and back as the broker is
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

import msgspec

from device.event.broker import Credential, meet, until_first
from device.event.desk.live import Live, Told
from device.event.messages import Kind, Presence

if TYPE_CHECKING:
    from aiomqtt import Client, Will

log = logging.getLogger(__name__)

RETRY_S: Final = (1.0, 15.0)
"""First and longest wait before a broker that could not be had is tried again."""
BATCH: Final = 500
"""Messages that are kept together at most."""
LOOK_S: Final = 1.0
"""Seconds between two looks for what boxes are to be told."""


async def attend(live: Live, credential: Credential) -> None:
    """Hear what boxes tell and answer, whenever the broker is there; while another desk rules, only look."""
    desk = _Attendance(live)
    await meet(
        credential, desk.will, desk.serve, lambda why: log.warning("%s: %s", credential.url, why), RETRY_S
    )


class _Attendance:
    """The desk while it is at the broker, under one name of the event and one desk that rules."""

    def __init__(self, live: Live) -> None:
        self._live, self._topics, self._rules = live, live.topics, live.rules
        self._turns = asyncio.Lock()  # one thread at a time may be in ``live``

    def will(self) -> Will | None:
        """Begin anew; return what the broker says once the desk is gone, nothing for one that only looks."""
        from aiomqtt import Will  # noqa: PLC0415 – an extra; a desk without a broker starts without

        self._topics, self._rules = self._live.topics, self._live.rules
        self._live.forget()  # another desk may have ruled meanwhile
        return Will(self._topics.desk, self._here(online=False), qos=1, retain=True) if self._rules else None

    def _here(self, *, online: bool) -> bytes:
        return msgspec.json.encode(Presence(online=online, name=self._live.name))

    async def serve(self, client: Client) -> None:
        """Take in and tell until the broker is gone, the event is named anew, or another desk rules."""
        for kind in Kind if self._rules else (Kind.STATE, Kind.VIEW):
            await client.subscribe(self._topics.at("+", kind), qos=1)
        if self._rules:
            await client.subscribe(self._topics.desk, qos=1)
            await self._say(client, online=True)
        await until_first(self._hear(client), self._tell(client))

    async def _say(self, client: Client, *, online: bool) -> None:
        await client.publish(self._topics.desk, self._here(online=online), qos=1, retain=True)

    async def _hear(self, client: Client) -> None:
        async for message in client.messages:
            if str(message.topic) == self._topics.desk:  # the last will of the desk before comes late
                if not msgspec.json.decode(_bytes(message.payload), type=Presence).online:
                    await self._say(client, online=True)
                continue
            batch = [message]
            while len(client.messages) and len(batch) < BATCH:
                batch.append(await anext(client.messages))
            told = [(str(one.topic), _bytes(one.payload)) for one in batch]
            async with self._turns:
                answers = await asyncio.to_thread(self._live.take, told)
            await _publish(client, answers)
            async with self._turns:
                await asyncio.to_thread(self._live.settle)

    async def _tell(self, client: Client) -> None:
        while self._live.topics == self._topics and self._live.rules is self._rules:
            async with self._turns:
                due = await asyncio.to_thread(self._live.due)
            await _publish(client, due)
            await asyncio.sleep(LOOK_S)


async def _publish(client: Client, told: list[Told]) -> None:
    for topic, payload in told:
        await client.publish(topic, payload, qos=1)


def _bytes(payload: object) -> bytes:
    return bytes(payload) if isinstance(payload, bytes | bytearray) else b""
