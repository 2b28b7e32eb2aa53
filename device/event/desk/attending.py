"""The desk at the broker: it takes in and answers messages of boxes, and sends them judges' rulings.

::

    await attend(live, credential)     # away and back as the broker is
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

import msgspec

from device.event.broker import Credential, run_until_first, stay_connected
from device.event.desk.live import Live, TopicMessage
from device.event.messages import Kind, Presence

if TYPE_CHECKING:
    from aiomqtt import Client, Will

log = logging.getLogger(__name__)

RETRY_S: Final = (1.0, 15.0)
"""First and longest wait before the desk tries a missing broker again."""
BATCH: Final = 500
"""The most messages kept in one transaction."""
LOOK_S: Final = 1.0
"""Seconds between two looks for new messages to boxes."""


async def attend(live: Live, credential: Credential) -> None:
    """Hear and answer boxes whenever the broker is there; while another desk is in charge, only look."""
    desk = _Attendance(live)
    await stay_connected(
        credential, desk.will, desk.serve, lambda why: log.warning("%s: %s", credential.url, why), RETRY_S
    )


class _Attendance:
    """The desk's stay at the broker, during which neither the event's name nor the desk in charge changes."""

    def __init__(self, live: Live) -> None:
        self._live, self._topics, self._leads = live, live.topics, live.leads
        self._turns = asyncio.Lock()  # only one thread at a time may use ``live``

    def will(self) -> Will | None:
        """Begin anew; return the will for the broker to publish once the desk is gone, None for one that only
        looks.
        """
        from aiomqtt import Will  # noqa: PLC0415 – an extra; a desk without a broker starts without

        self._topics, self._leads = self._live.topics, self._live.leads
        self._live.forget()  # another desk may have been in charge in between
        gone = self._write_presence(online=False)
        return Will(self._topics.desk, gone, qos=1, retain=True) if self._leads else None

    def _write_presence(self, *, online: bool) -> bytes:
        return msgspec.json.encode(Presence(online=online, name=self._live.name))

    async def serve(self, client: Client) -> None:
        """Take in and send until the broker is gone, the event has a new name, or another desk takes over."""
        for kind in Kind if self._leads else (Kind.STATE, Kind.VIEW):
            await client.subscribe(self._topics.at("+", kind), qos=1)
        if self._leads:
            await client.subscribe(self._topics.desk, qos=1)
            await self._say(client, online=True)
        await run_until_first(self._hear(client), self._tell(client))

    async def _say(self, client: Client, *, online: bool) -> None:
        await client.publish(self._topics.desk, self._write_presence(online=online), qos=1, retain=True)

    async def _hear(self, client: Client) -> None:
        async for message in client.messages:
            if str(message.topic) == self._topics.desk:  # the last will of an earlier desk comes late
                if not msgspec.json.decode(_as_bytes(message.payload), type=Presence).online:
                    await self._say(client, online=True)
                continue
            batch = [message]
            while len(client.messages) and len(batch) < BATCH:
                batch.append(await anext(client.messages))
            received = [(str(one.topic), _as_bytes(one.payload)) for one in batch]
            async with self._turns:
                answers = await asyncio.to_thread(self._live.take, received)
            await _publish(client, answers)
            async with self._turns:
                await asyncio.to_thread(self._live.settle)

    async def _tell(self, client: Client) -> None:
        while self._live.topics == self._topics and self._live.leads is self._leads:
            async with self._turns:
                due = await asyncio.to_thread(self._live.due)
            await _publish(client, due)
            await asyncio.sleep(LOOK_S)


async def _publish(client: Client, messages: list[TopicMessage]) -> None:
    for topic, payload in messages:
        await client.publish(topic, payload, qos=1)


def _as_bytes(payload: object) -> bytes:
    return bytes(payload) if isinstance(payload, bytes | bytearray) else b""
