"""The desk at the broker: what boxes tell is taken in and answered, and what judges say is told to them.

::

    with attending(live, credential):     # in a thread of its own, away and back as the broker is
        …
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

import msgspec

from device.backoff import Backoff
from device.event.broker import Credential
from device.event.desk.live import Live
from device.event.messages import Kind, Presence, Topics
from device.supervise import keep

if TYPE_CHECKING:
    from aiomqtt import Client

log = logging.getLogger(__name__)

RETRY_S: Final = (1.0, 15.0)
"""First and longest wait before a broker that could not be had is tried again."""
BATCH: Final = 500
"""Messages that are kept together at most."""
LOOK_S: Final = 1.0
"""Seconds between two looks for what boxes are to be told."""


async def attend(live: Live, credential: Credential) -> None:
    """Hear what boxes tell and answer, whenever the broker is there; while another desk rules, only look."""
    from aiomqtt import MqttError, Will  # noqa: PLC0415 – an extra; a desk without a broker starts without

    backoff = Backoff(*RETRY_S)
    while True:
        topics, rules = live.topics, live.rules
        live.forget()  # another desk may have ruled meanwhile
        gone = msgspec.json.encode(Presence(online=False, name=live.name))
        will = Will(topics.desk, gone, qos=1, retain=True) if rules else None
        try:
            async with credential.client(will) as client:
                for kind in Kind if rules else (Kind.STATE, Kind.VIEW):
                    await client.subscribe(topics.at("+", kind), qos=1)
                if rules:
                    await client.subscribe(topics.desk, qos=1)
                    await _say_here(live, client, topics)
                backoff.reset()
                try:
                    await _serve(live, client, topics, rules=rules)
                except asyncio.CancelledError:
                    if rules:
                        await client.publish(topics.desk, gone, qos=1, retain=True)
                    raise
        except (MqttError, OSError) as error:
            log.warning("%s: %s", credential.url, error)
        await asyncio.sleep(backoff.wait())


async def _say_here(live: Live, client: Client, topics: Topics) -> None:
    here = msgspec.json.encode(Presence(online=True, name=live.name))
    await client.publish(topics.desk, here, qos=1, retain=True)


async def _serve(live: Live, client: Client, topics: Topics, *, rules: bool) -> None:
    """Take in and tell until the broker is gone, the event is named anew, or another desk rules."""
    turns = asyncio.Lock()  # one thread at a time may be in ``live``
    both = _hear(live, client, topics, turns), _tell(live, client, topics, turns, rules=rules)
    tasks = [asyncio.create_task(one) for one in both]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _hear(live: Live, client: Client, topics: Topics, turns: asyncio.Lock) -> None:
    async for message in client.messages:
        if str(message.topic) == topics.desk:  # the last will of the desk that ruled before comes late
            if not msgspec.json.decode(_bytes(message.payload), type=Presence).online:
                await _say_here(live, client, topics)
            continue
        batch = [message]
        while len(client.messages) and len(batch) < BATCH:
            batch.append(await anext(client.messages))
        told = [(str(one.topic), _bytes(one.payload)) for one in batch]
        async with turns:
            answers = await asyncio.to_thread(live.take, told)
        for topic, answer in answers:
            await client.publish(topic, answer, qos=1)
        async with turns:
            await asyncio.to_thread(live.settle)


async def _tell(live: Live, client: Client, topics: Topics, turns: asyncio.Lock, *, rules: bool) -> None:
    while live.topics == topics and live.rules is rules:
        async with turns:
            due = await asyncio.to_thread(live.due)
        for topic, told in due:
            await client.publish(topic, told, qos=1)
        await asyncio.sleep(LOOK_S)


def _bytes(payload: object) -> bytes:
    return bytes(payload) if isinstance(payload, bytes | bytearray) else b""


@contextlib.contextmanager
def attending(live: Live, credential: Credential) -> Iterator[None]:
    """Be at the broker meanwhile, in a thread of its own."""
    loop = asyncio.new_event_loop()
    task = loop.create_task(keep("broker", partial(attend, live, credential), lambda _part, _why: None))

    def run() -> None:
        with contextlib.suppress(asyncio.CancelledError):
            loop.run_until_complete(task)

    thread = threading.Thread(target=run, name="broker", daemon=True)
    thread.start()
    try:
        yield
    finally:
        loop.call_soon_threadsafe(task.cancel)
        thread.join(5)
