"""The broker where an event's boxes and desk meet: a credential for each, and the broker's own files.

::

    credentials, files = broker_files("Friday cup", ["table-01", …], "mqtts://cup.example:8883", ca)
    credentials["table-01"]           # goes into the box's file, the files beside the broker

Any MQTT 5 broker serves; the files are for Eclipse Mosquitto. A box may write only its own topics, and read
only the desk's messages.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import os
import re
import secrets
import ssl
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from device.errors import DeviceError
from device.event.messages import DESK, LOOK, TopicKind, Topics, name_lamp_topic
from device.files import read_file
from device.supervise import Backoff
from device.texts import Said, cause_of

if TYPE_CHECKING:
    from aiomqtt import Client, Will

PATTERN: Final = r"\Amqtts?://[A-Za-z0-9.-]+(:[0-9]{1,5})?/?\Z"
PORTS: Final = {"mqtt": 1883, "mqtts": 8883}
ROUNDS: Final = 101
"""Mosquitto's own number of hashing rounds; few suffice, as a password is 192 random bits."""


class BrokerError(DeviceError):
    """An unreadable credential; the message is one line naming the file."""


class Credential(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The account of a box or desk at a broker. ``ca`` are the certificates, in PEM, that the broker's must
    chain to; if it is empty, those of this machine apply.
    """

    url: Annotated[str, Meta(pattern=PATTERN)]
    user: str
    password: str
    ca: str = ""

    @property
    def at(self) -> tuple[str, int]:
        """The broker's host and port."""
        where = urlsplit(self.url)
        return where.hostname or "", where.port or PORTS[where.scheme]

    def client(self, will: Will | None) -> Client:
        """Return a client for the broker, with TLS if the address is mqtts; raises ssl.SSLError."""
        from aiomqtt import Client, ProtocolVersion  # noqa: PLC0415 – an extra; a box starts without

        host, port = self.at
        tls = ssl.create_default_context(cadata=self.ca or None) if self.url.startswith("mqtts:") else None
        return Client(
            host,
            port,
            username=self.user,
            password=self.password,
            tls_context=tls,
            protocol=ProtocolVersion.V5,
            will=will,
            keepalive=20,
        )


async def stay_connected(
    credential: Credential,
    will: Callable[[], Will | None],
    serve: Callable[[Client], Awaitable[None]],
    lost: Callable[[Said], None],
    retry_s: tuple[float, float],
) -> None:
    """Serve a client whenever the broker is there; when cancelled, publish the will's message first.

    ``will`` returns the will for each try, ``lost`` gets the reason for a missing broker, ``retry_s`` is the
    shortest and the longest wait in seconds between tries.
    """
    from aiomqtt import MqttError  # noqa: PLC0415 – as above

    backoff = Backoff(*retry_s)
    while True:
        _end_if_cancelled()  # the farewell below may have failed
        last = will()
        try:
            async with credential.client(last) as client:
                backoff.reset()
                try:
                    _end_if_cancelled()  # connecting waits by Python 3.11's wait_for
                    await serve(client)
                except asyncio.CancelledError:
                    if last:
                        await client.publish(last.topic, last.payload, qos=1, retain=True)
                    raise
        except (MqttError, OSError) as error:
            lost(cause_of(error))
        await asyncio.sleep(backoff.wait())


def _end_if_cancelled() -> None:
    """Raise this task's CancelledError if something swallowed it, as Python 3.11's wait_for may."""
    task = asyncio.current_task()
    if task and task.cancelling():
        raise asyncio.CancelledError


async def run_until_first(*parts: Coroutine[Any, Any, None]) -> None:
    """Run ``parts`` together until one of them ends or fails, then end the others."""
    tasks = [asyncio.create_task(part) for part in parts]
    try:
        _end_if_cancelled()
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        while left := [task for task in tasks if not task.done()]:
            for task in left:
                task.cancel()
            await asyncio.wait(left, timeout=1.0)  # Python 3.11's wait_for may swallow a cancellation
        await asyncio.gather(*tasks, return_exceptions=True)  # two that fail at once are no surprise


def make_broker_files(
    event: str, boxes: Sequence[str], url: str, ca: str = ""
) -> tuple[dict[str, Credential], dict[str, str]]:
    """Make an event's credentials (one for each box, the desk, and viewers) and the broker's files by name;
    raises ValueError for an invalid ``url``.
    """
    if not re.fullmatch(PATTERN, url):
        raise ValueError(f"{url}: a broker is mqtt://HOST:PORT or mqtts://HOST:PORT")
    topics = Topics.of(event)
    users = {box: f"{topics.slug}.{box}" for box in (DESK, LOOK, *boxes)}
    made = {box: Credential(url, user, secrets.token_urlsafe(24), ca) for box, user in users.items()}
    files = {
        "passwords": "".join(_write_password(one) for one in made.values()),
        "acl": _write_access_list(topics, users),
        "mosquitto.conf": _CONF.format(port=made[DESK].at[1]) + (_TLS if url.startswith("mqtts:") else ""),
        **{f"{user}.json": msgspec.json.encode(made[user]).decode() for user in (DESK, LOOK)},
    }
    return made, files


_CONF: Final = """# Into /etc/mosquitto/conf.d; passwords and acl beside it, for mosquitto alone to read.
per_listener_settings false
allow_anonymous false
password_file /etc/mosquitto/conf.d/passwords
acl_file /etc/mosquitto/conf.d/acl
listener {port}
"""
_TLS: Final = "certfile /etc/mosquitto/certs/broker.pem\nkeyfile /etc/mosquitto/certs/broker.key\n"


def _write_access_list(topics: Topics, users: Mapping[str, str]) -> str:
    """Return Mosquitto's access list for ``users``, keyed by box; :data:`device.event.messages.DESK` is the
    desk, :data:`device.event.messages.LOOK` the account of Home Assistant and other viewers.
    """
    seen = (topics.at("+", TopicKind.STATE), topics.at("+", TopicKind.VIEW), name_lamp_topic(topics, "+"))
    rights = {DESK: [f"readwrite {topics.base}/#"], LOOK: [f"read {topic}" for topic in seen]}
    sections = []
    for box, user in users.items():
        own = [f"write {topics.at(box, kind)}" for kind in TopicKind]
        own += [f"write {name_lamp_topic(topics, box)}", f"read {topics.to(box)}", f"read {topics.desk}"]
        sections.append("\n".join((f"user {user}", *(f"topic {one}" for one in rights.get(box, own)))))
    return "\n\n".join(sections) + "\n"


def _write_password(one: Credential) -> str:
    """Return a line of Mosquitto's password file (PBKDF2 with SHA-512)."""
    salt = os.urandom(12)
    digest = hashlib.pbkdf2_hmac("sha512", one.password.encode(), salt, ROUNDS)
    salted, hashed = (base64.b64encode(raw).decode() for raw in (salt, digest))
    return f"{one.user}:$7${ROUNDS}${salted}${hashed}\n"


def read_credential(file: Path, url: str = "", ca: Path | None = None) -> Credential | None:
    """Return the credential in a file, or None without one. ``url`` and ``ca`` replace its broker's.

    Raises :class:`BrokerError`.
    """
    try:
        kept = msgspec.json.decode(read_file(file), type=Credential)
        pem = read_file(ca).decode("ascii") if ca else kept.ca
    except FileNotFoundError as error:
        if error.filename in (file, str(file)):
            return None
        raise BrokerError(f"{error.filename}: no such file; see the section event of the settings") from error
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BrokerError(f"{file}: {error}; take the box's file once more") from error
    return msgspec.structs.replace(kept, url=url or kept.url, ca=pem)
