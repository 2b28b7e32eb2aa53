"""uvicorn in one event loop with everything else: it takes no signals and never ends the process."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol

log = logging.getLogger(__name__)

RETRY_S = 5.0
"""The time after which a taken port is tried again."""


CONNECTIONS = 64
"""The most connections at once; each open page has one for its events, and a browser up to five more."""

OF_A_GUEST = 16
"""The most of them for one address elsewhere."""
OF_THE_BOX = 8
"""The number kept for the box itself, however many guests there are."""

IDLE_S = 10.0
"""A connection without traffic for this time, or up to twice as long, ends."""


BUSY = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n"
"""The answer to one connection too many."""


class PanelError(Exception):
    """A page that cannot be served at its address; one line naming host and port."""


async def serve(
    app: Starlette,
    host: str,
    port: int,
    *,
    on_url: Callable[[str], None] | None = None,
    on_wait: Callable[[str], None] = log.error,
) -> None:
    """Serve a panel until cancelled, on this host's address only; port 0 takes any free one.

    ``on_url`` gets the URL once the page is there; the log has it, too. If the address is not available,
    ``on_wait`` gets the reason once, and the box tries again every :data:`RETRY_S`: it plays on without
    its page.
    """
    listener = await _bind_patiently(host, port, on_wait)
    url = _write_url(host, listener)
    server = _Server(
        uvicorn.Config(
            app,
            http=_Connection,
            backlog=CONNECTIONS,
            proxy_headers=False,
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=1,
        )
    )
    serving = asyncio.ensure_future(server.serve(sockets=[listener]))
    log.info("panel: %s", url)
    if on_url is not None:
        on_url(url)
    try:
        await asyncio.shield(serving)
    finally:
        # Pages hold their streams open for ever; the server ends only after these.
        app.state.feed.close()
        server.should_exit = True
        await serving


def bind(host: str, port: int) -> socket.socket:
    """Bind to the address of ``host`` (a name or an address) and ``port``.

    :raises PanelError: if it is taken, or not ours.
    """
    where = f"{host} port {port}"
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise PanelError(f"panel: no address {where}: {_tell_reason(error)}") from error
    # "localhost" is two addresses; every browser tries both, but an old one may only know the first.
    family, kind, protocol, _, address = min(found, key=lambda info: info[0] != socket.AF_INET)
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setblocking(False)
        listener.bind(address)
        listener.listen()
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise PanelError(
                f"panel: another program has port {port} of {host}; choose another with --port, or with port "
                "under [panel] in the configuration"
            ) from error
        raise PanelError(f"panel: cannot serve on {where}: {_tell_reason(error)}") from error
    return listener


async def _bind_patiently(host: str, port: int, on_wait: Callable[[str], None]) -> socket.socket:
    said = ""
    while True:
        try:
            return await asyncio.to_thread(bind, host, port)  # resolving a name may take time
        except PanelError as error:
            if str(error) != said:
                on_wait(f"{error} (tried again every {RETRY_S:g} s)")
                said = str(error)
        await asyncio.sleep(RETRY_S)


def _write_url(host: str, listener: socket.socket) -> str:
    address, port = listener.getsockname()[:2]
    if address in ("0.0.0.0", "::"):
        host = socket.gethostname()
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _tell_reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


class _Connection(H11Protocol):
    """uvicorn's connection, which by itself waits for ever for a request, its rest, or a slow reader.

    With these limits no guest can shut out the others, and all guests together cannot shut out a browser on
    the box.
    """

    guest = ""
    """The address of a guest, empty for this machine's own."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        here, there = transport.get_extra_info("sockname"), transport.get_extra_info("peername")
        self.guest = there[0] if there and there[0] != here[0] else ""
        guests = [one.guest for one in self.connections if isinstance(one, _Connection) and one.guest]
        many = len(guests) > CONNECTIONS - OF_THE_BOX or guests.count(self.guest) > OF_A_GUEST
        if len(self.connections) > CONNECTIONS or (self.guest and many):
            transport.write(BUSY)
            transport.close()
        else:
            self.loop.call_later(IDLE_S, self._look, None, 0)

    def _look(self, cycle: object, unsent: int) -> None:
        """End a connection without traffic since the last look."""
        if self not in self.connections:
            return
        idle = self.cycle is None or self.cycle.response_complete
        still_unsent = self.transport.get_write_buffer_size()
        if (idle and self.cycle is cycle) or (unsent and still_unsent):
            self.transport.abort()
        else:
            self.loop.call_later(IDLE_S, self._look, self.cycle, still_unsent)


class _Server(uvicorn.Server):
    """A uvicorn server that leaves SIGINT and SIGTERM to the daemon."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
