"""The desk as a server, on this machine or over HTTPS: its routes, and the rank that each needs; its stay at
the broker, where it hears and answers boxes; its own certificate.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import ipaddress
import logging
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
import uvicorn
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Lifespan

from device.errors import DeviceError, Exit
from device.event.broker import Credential, read_credential, run_until_first, stay_connected
from device.event.bundle import LARGEST, read_bundle
from device.event.desk.acting import DeskForms, Planning
from device.event.desk.front import PAGES, RANKS, SMALL, DeskSetup, Front, read_trusted_keys
from device.event.desk.gate import Doorkeeper
from device.event.desk.live import Live, TopicMessage
from device.event.desk.looking import DeskPages
from device.event.desk.spare import Spares
from device.event.desk.store import DeskStore, StoreError, prepare_sqlite
from device.event.desk.whole import rebuild_store
from device.event.messages import Presence, TopicKind
from device.files import hold_folder, replace_file
from device.machine import is_loopback
from device.supervise import keep

if TYPE_CHECKING:
    from aiomqtt import Client, Will


log = logging.getLogger(__name__)

_HEADERS = [
    (
        "content-security-policy",
        "default-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "same-origin"),
    ("cache-control", "no-store"),
]
"""These headers let no browser run scripts of others, frame a page or keep a copy."""


def make_app(setup: DeskSetup, lifespan: Lifespan[Starlette] | None = None) -> Starlette:
    """Make the app of the desk; its ``lifespan`` runs beside the pages."""
    front = Front(setup)
    look = DeskPages(front)
    act = DeskForms(front)
    plan = Planning(front)
    viewer, judge, organiser = (partial(front.route, least) for least in RANKS)
    return Starlette(
        routes=[
            Mount("/static", StaticFiles(directory=PAGES / "static")),
            Route("/public", look.public),
            Route("/public/standings", partial(look.standings, me=None)),
            Route("/login", front.login, methods=["GET", "POST"]),
            *Spares(front).routes(),
            organiser("/desk", act=act.take_charge),
            viewer("/logout", act=act.leave),
            viewer("/", look.tables),
            viewer("/changes", look.changes),
            viewer("/round/{number:int}/table/{table}", look.table),
            judge("/round/{number:int}/table/{table}/rule", act=act.rule),
            judge("/round/{number:int}/table/{table}/points", act=act.give_points),
            judge("/round/{number:int}/table/{table}/type", act=act.type),
            judge("/round/{number:int}/table/{table}/call", act=act.call),
            judge("/call/{row:int}", act=act.answer),
            organiser("/round/{number:int}/table/{table}/revoke", act=act.revoke),
            viewer("/journal/{result:int}", look.journal),
            judge("/upload", look.upload_page, act.upload, limit=setup.largest + SMALL),
            judge("/folder", act=act.folder),
            judge("/seen/{row:int}", act=act.seen),
            viewer("/{what}.csv", look.csv),
            viewer("/people", front.template_page("people")),
            organiser("/people", act=plan.add_person),
            organiser("/people/{row:int}", act=plan.turn_person),
            organiser("/people.csv", act=plan.import_people),
            viewer("/rounds", look.rounds),
            organiser("/rounds", act=plan.type_seats),
            organiser("/rounds.csv", act=plan.import_seats),
            organiser("/rounds/{number:int}/draw", act=plan.draw),
            judge("/rounds/{number:int}/clock", act=plan.set_clock),
            judge("/rollcall", look.rollcall),
            judge("/rollcall/{number:int}", act=plan.call_roll),
            judge("/rollcall/{number:int}/join", act=plan.join),
            judge("/rollcall/{number:int}/out", act=plan.take_out),
            judge("/round/{number:int}/table/{table}/seats", act=plan.reseat),
            viewer("/standings", look.standings),
            organiser("/event", act=plan.name_event),
            organiser("/event/delay", act=plan.set_delay),
            organiser("/event/order", act=plan.set_order),
            viewer("/paper/{what}/{number:int}", look.paper),
            viewer("/audit", front.template_page("audit")),
            organiser("/bundle", look.bundle),
            organiser("/accounts", front.template_page("accounts"), act.renew),
            organiser("/accounts/close", act=act.close),
            viewer("/password", front.template_page("password"), act.password),
        ],
        exception_handlers=dict.fromkeys((HTTPException, StoreError, ValueError), front.not_done),
        lifespan=lifespan,
    )


class ListenError(DeviceError):
    """An address that the desk cannot serve at; the message is one line with the remedy."""

    code = Exit.USAGE


def parse_address(listen: str, certificate: Path | None, key: Path | None) -> tuple[str, int]:
    """Return host and port of ``ADDR:PORT``; raise :class:`ListenError` for an invalid one."""
    host, _, port = listen.rpartition(":")
    host = host.strip("[]")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise ListenError(f"{listen}: give an address and a port, such as 127.0.0.1:8180")
    if (certificate is None) != (key is None):
        raise ListenError("--certificate and --key go together: give both")
    return host, int(port)


# The broker

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
        for kind in TopicKind if self._leads else (TopicKind.STATE, TopicKind.VIEW):
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


@asynccontextmanager
async def _stay_at_broker(live: Live, at: Credential, _app: object) -> AsyncIterator[None]:
    """Keep the desk at the broker while the server runs."""
    task = asyncio.create_task(keep("broker", partial(attend, live, at), lambda _part, _why: None))
    yield
    task.cancel()
    await asyncio.wait([task], timeout=5.0)


# The desk's own certificate

_DAY = datetime.timedelta(days=1)
_VALID = 397 * _DAY
"""Browsers take no certificate that is valid for longer."""

CERTIFICATE, KEY = "desk.crt", "desk.key"


def keep_own_certificate(state: Path, host: str) -> tuple[Path, Path]:
    """Return the certificate and the key kept in ``state``; make new ones if they are missing or expired, so
    that phones reach the desk over HTTPS at once.

    No authority vouches for it. Its fingerprint is printed on the seating list; a browser shows the same one.

    The certificate names this machine, its addresses, and ``host`` if that is an address of its own. Raises
    OSError.
    """
    certificate, key = state / CERTIFICATE, state / KEY
    if not (key.exists() and _is_valid(certificate)):
        pem, secret = _make_certificate(host)
        replace_file(key, secret)
        replace_file(certificate, pem, 0o644)
    return certificate, key


def read_fingerprint(certificate: Path) -> str:
    """Return the SHA-256 of a certificate as browsers show it: ``AB:CD:…``; raises OSError, ValueError."""
    found = x509.load_pem_x509_certificate(certificate.read_bytes())
    return found.fingerprint(hashes.SHA256()).hex(":").upper()


def _is_valid(certificate: Path) -> bool:
    """Return True if a certificate can be read and stays valid for at least another day."""
    try:
        found = x509.load_pem_x509_certificate(certificate.read_bytes())
    except (FileNotFoundError, ValueError):
        return False
    return found.not_valid_after_utc > _read_clock() + _DAY


def _read_clock() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


def _make_certificate(host: str) -> tuple[bytes, bytes]:
    """Return a new certificate and its key, in PEM."""
    key, own_name = ec.generate_private_key(ec.SECP256R1()), socket.gethostname()
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Podestà desk {own_name}"[:64])])
    hosts = [x509.DNSName(one) for one in ("localhost", own_name, f"{own_name}.local")]
    names = [*hosts, *map(x509.IPAddress, _find_addresses(host))]
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(_read_clock() - _DAY)  # a desk's clock may be behind a phone's
        .not_valid_after(_read_clock() + _VALID)
        .add_extension(x509.SubjectAlternativeName(names), False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return made.public_bytes(serialization.Encoding.PEM), secret


def _find_addresses(host: str) -> list[ipaddress.IPv4Address | ipaddress.IPv6Address]:
    """Return the addresses of the desk that this machine knows."""
    found = {"127.0.0.1", "::1"}
    for name in (host, socket.gethostname()):
        with contextlib.suppress(OSError):
            found |= {str(info[4][0]).partition("%")[0] for info in socket.getaddrinfo(name, None)}
    addresses = map(ipaddress.ip_address, sorted(found))
    return [address for address in addresses if not address.is_unspecified]


def run_desk(
    state: Path,
    at: tuple[str, int],
    *,
    keys: Path | None = None,
    database: str | None = None,
    folders: Sequence[Path] = (),
    tls: tuple[Path, Path] | None = None,
    broker: Path | None = None,
    rebuilt: Path | None = None,
    version: str = "",
    say: Callable[[str], None] = print,
) -> None:
    """Serve the desk of the folder ``state`` until it is stopped.

    On a network it serves HTTPS, with the certificate and key ``tls`` or with its own. With the credential in
    the file ``broker`` it hears boxes there. ``rebuilt`` is the bundle of another desk to begin with.

    Raises :class:`ListenError`, :class:`device.event.broker.BrokerError`, OSError,
    :class:`device.event.desk.store.StoreError`, :class:`device.files.FolderBusy`.
    """
    address = database or prepare_sqlite(state)
    state.mkdir(0o700, parents=True, exist_ok=True)
    with hold_folder(state):
        store = DeskStore(address)
        file = keys or state / "keys.toml"
        if rebuilt:
            try:
                rows = rebuild_store(store, read_bundle(rebuilt), read_trusted_keys(file))
            except ValueError as error:
                raise StoreError(f"{rebuilt}: {error}; nothing was rebuilt") from error
            say(f"rebuilt: {rows} rows from {rebuilt}")
        gate = Doorkeeper(store)
        if password := gate.first():
            say(f"account: organiser, password: {password} (shown only this once: change it on the page)")
        shown, mine = "", tls is None and not is_loopback(at[0])
        if tls := keep_own_certificate(state, at[0]) if mine else tls:
            try:
                shown = read_fingerprint(tls[0])
            except ValueError as error:
                raise ListenError(f"{tls[0]}: not a certificate in PEM: {error}") from error
        if mine:
            say(f"certificate, SHA-256: {shown}")
        meeting = read_credential(broker) if broker else None
        if broker and not meeting:
            raise ListenError(f"{broker}: no such file; podesta provision --broker makes it")
        try:
            family = socket.AF_INET6 if ":" in at[0] else socket.AF_INET
            listener = socket.create_server(at, family=family, backlog=64)
        except OSError as error:
            why = error.strerror or error
            raise ListenError(f"{at[0]}:{at[1]}: {why}; --listen names another") from error
        port = listener.getsockname()[1]
        name = f"{socket.gethostname()}:{port}"
        if not (database and store.in_charge()):  # no other desk uses the database of the folder
            store.set("podesta desk", desk=name)
        live = Live(store, partial(read_trusted_keys, file), name) if meeting else None
        setup = DeskSetup(store, gate, file, tuple(folders), LARGEST, version, shown, name, live)
        certificate, key = tls or (None, None)
        served = uvicorn.Config(
            make_app(setup, partial(_stay_at_broker, live, meeting) if live and meeting else None),
            ws="none",
            log_level="warning",
            access_log=False,
            server_header=False,
            headers=_HEADERS,
            timeout_graceful_shutdown=2,
            ssl_certfile=certificate,
            ssl_keyfile=key,
        )
        host = f"[{at[0]}]" if ":" in at[0] else at[0]
        say(f"{'https' if tls else 'http'}://{host}:{port}/")
        try:
            uvicorn.Server(served).run(sockets=[listener])
        finally:
            store.close()
