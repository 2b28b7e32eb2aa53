"""The page's routes: show any box, press the keys of a simulated one."""

from __future__ import annotations

import asyncio
import io
import ipaddress
import logging
import re
import socket
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit

import msgspec
from PIL import Image
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from device.copy_file import FactsError
from device.keys import Gesture, Key, OvertakenError
from device.match import Closed, JournalError, NotYours, PairingError, tell_unread
from device.panel.feed import Cookies, Feed
from device.screen.pixels import ScreenWorker
from device.simulate import SimulatedHardware
from device.texts import Said, Texts, Why, cause_of, in_words, said
from engines.errors import EngineError, Stale
from engines.texts import plain

PAGE = Path(__file__).parent / "page"
log = logging.getLogger(__name__)
_MEDIA = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}

LET_GO_S = 5.0
"""The time after which the box releases a key that a page holds down: the page may be gone."""

MAX_SCALE = 16
_WHOLE = re.compile(r"-?[0-9]{1,9}")

_STATUS: Mapping[type[Exception], int] = {
    NotYours: 403,
    Closed: 409,
    Stale: 409,
    PairingError: 409,
    EngineError: 400,
    FactsError: 400,
    JournalError: 503,
    OSError: 503,
}
"""The HTTP status for exceptions of a route other than :class:`HTTPException`."""

_HEADERS = {
    b"content-security-policy": b"default-src 'self'; img-src 'self' data:; frame-ancestors 'none'",
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
}

_Act = Callable[[Request], Gesture | None]
Answering = Callable[[Request], Awaitable[object]]
Speaking = Callable[[Cookies], Texts]


class RequestError(HTTPException):
    """A refused request, with a text in the language that its page chose."""

    def __init__(self, status: int, why: Why, headers: Mapping[str, str] | None = None) -> None:
        """Take the HTTP status and ``why``, the text."""
        super().__init__(status, str(why), headers)
        self.args = (why,)


class Json(Response):
    """An answer with a value as JSON."""

    media_type = "application/json"

    def render(self, content: object) -> bytes:
        """Return the value's bytes."""
        return msgspec.json.encode(content)


def answer_json(way: Answering) -> Callable[[Request], Awaitable[Response]]:
    """Return an endpoint that answers with the value of ``way`` as JSON."""

    async def endpoint(request: Request) -> Response:
        return Json(await way(request))

    return endpoint


READ_ONLY = said("stopped.read_only")
LOOK_ONLY = said("stopped.look_only", setting='panel.act = "play"')


def make_app(
    hardware: SimulatedHardware | None,
    screen: ScreenWorker,
    status: Callable[[Cookies], Mapping[str, object]],
    names: Iterable[str] = (),
    *,
    texts: Speaking = lambda _: Texts.load(),
    match: Callable[[Cookies], str] = lambda _: "null",
    own: Callable[[Cookies], str] = lambda _: "null",
    more: Sequence[BaseRoute] = (),
    act: bool = True,
) -> Starlette:
    """Make the page for the box of ``screen``.

    With ``hardware`` the page has keys, which work if it may ``act``, and is marked SIMULATED; with None it
    only shows. ``status(cookies)`` is called in the event loop, twice a second while a page is open, and must
    be quick. The page reads from it, each optional: ``keys`` (True if they are there), ``lines`` (of ``url``,
    ``online``, ``node``, ``why``), ``sensors`` (of ``sensor``, ``name``, ``online``, ``says``), ``asked`` (by
    one of them, with its ``crop`` in base64), ``language``, ``unsaved`` (why entries did not reach the disk),
    ``asking`` (what people at the box are asked),
    ``turn`` and ``score`` (the player to move, and :func:`device.match.describe_score`), ``head`` and
    ``recorded`` (the last record, and the last on the disk), ``problems`` (texts). ``/status`` returns all of
    it.

    ``texts(cookies)`` are the texts for refusals. ``match(cookies)``, as quick, returns
    :class:`device.panel.table.Tables`' JSON, ``own(cookies)`` the JSON for one page alone
    (:meth:`device.panel.phones.Phones.write_rights`). The page answers to addresses, this machine's own name,
    and ``names``. ``more`` routes are guarded like the page's own and come before the refusals of keys.
    ``app.state.feed.close()`` ends all streams.
    """
    feed = Feed(hardware, screen, status, match)
    app = Starlette(
        routes=[
            Route("/", partial(_send_page, simulated=hardware is not None)),
            *(
                Route(f"/{file.name}", partial(_send_file, file=file, media_type=_MEDIA[file.suffix]))
                for file in PAGE.iterdir()
                if file.suffix in _MEDIA
            ),
            Route("/events", partial(_send_events, feed, own)),
            Route("/screen.png", partial(_send_screen, feed)),
            Route("/status", partial(_send_status, feed)),
            *more,
            *(
                _Fingers(hardware).list_routes()
                if hardware and act
                else _list_refusals(LOOK_ONLY if hardware else READ_ONLY)
            ),
        ],
        middleware=[
            Middleware(_Headers),
            Middleware(_Doorman, names=names, texts=texts),
        ],
        exception_handlers=dict.fromkeys((HTTPException, *_STATUS), partial(_refuse, texts)),
    )
    app.state.feed = feed
    return app


# Showing


async def _send_page(_request: Request, *, simulated: bool) -> Response:
    page = (PAGE / "index.html").read_text(encoding="utf-8")
    return Response(page.replace("{hardware}", "simulated" if simulated else "real"), media_type="text/html")


async def _send_file(_request: Request, *, file: Path, media_type: str) -> Response:
    return Response(file.read_bytes(), media_type=media_type)


async def _send_events(feed: Feed, own: Callable[[Cookies], str], request: Request) -> Response:
    return StreamingResponse(feed.stream(request.cookies, own), media_type="text/event-stream")


async def _send_screen(feed: Feed, request: Request) -> Response:
    scale = _parse_number(request.query_params.get("scale", "1"), "scale", 1, MAX_SCALE)
    image = feed.image
    image = image.resize((image.width * scale, image.height * scale), Image.Resampling.NEAREST)
    png = io.BytesIO()
    image.save(png, "PNG")
    return Response(png.getvalue(), media_type="image/png")


async def _send_status(feed: Feed, request: Request) -> Response:
    return Json(feed.describe(request.cookies))


# Acting


class _Fingers:
    """The keys and faults of simulated hardware, for a page; no key is held for ever."""

    def __init__(self, hardware: SimulatedHardware) -> None:
        self._hardware, self._hand = hardware, hardware.hand
        self._timers: dict[Key, asyncio.TimerHandle] = {}

    def list_routes(self) -> list[Route]:
        acts: tuple[_Act, ...] = (self.press, self.down, self.up, self.turn, self.set_fault)
        ways = zip(_ACTING_PATHS, acts, strict=True)
        return [Route(path, partial(_act, act), methods=["POST"]) for path, act in ways]

    def press(self, request: Request) -> Gesture:
        ms = _parse_number(request.query_params.get("ms", "60"), "ms", 0, 1_000_000)
        return self._hand.press(_read_key(request), ms)

    def down(self, request: Request) -> Gesture:
        key = _read_key(request)
        self._forget(key)
        self._timers[key] = asyncio.get_running_loop().call_later(LET_GO_S, self._let_go, key)
        return self._hand.down(key)

    def up(self, request: Request) -> Gesture:
        return self._let_go(_read_key(request))

    def turn(self, request: Request) -> Gesture:
        return self._hand.turn(_parse_number(request.path_params["steps"], "steps", -1_000_000, 1_000_000))

    def set_fault(self, request: Request) -> None:
        self._hardware.set_fault(*read_fault(request, self._hardware))

    def _let_go(self, key: Key) -> Gesture:
        self._forget(key)
        return self._hand.up(key)

    def _forget(self, key: Key) -> None:
        if (timer := self._timers.pop(key, None)) is not None:
            timer.cancel()


_ACTING_PATHS = ("/key/{key}", "/down/{key}", "/up/{key}", "/turn/{steps}", "/fault/{name}/{switch}")


def _list_refusals(why: Said) -> list[Route]:
    async def refuse(_request: Request) -> NoReturn:
        raise RequestError(405, why, headers={"Allow": ""})

    return [Route(path, refuse, methods=["GET", "POST"]) for path in _ACTING_PATHS]


async def _act(act: _Act, request: Request) -> Response:
    """Act on a key and answer when it has begun. A fast sender waits, or hears that the key was given up."""
    try:
        if gesture := act(request):
            await gesture.begun()
    except ValueError as error:
        raise RequestError(400, cause_of(error)) from None
    except OvertakenError as error:
        raise RequestError(503, error.args[0], headers={"Retry-After": "1"}) from None
    return Response(status_code=204)


def _read_key(request: Request) -> Key:
    name = request.path_params["key"]
    try:
        return Key(name)
    except ValueError:
        raise RequestError(400, tell_unknown(name, Key)) from None


def tell_unknown(name: str, known: Iterable[str]) -> Said:
    """Return the refusal of a request that names an unknown thing."""
    return said("stopped.none_of", name=plain(name[:20]), known=tuple(known))


def read_fault(request: Request, hardware: SimulatedHardware) -> tuple[str, bool]:
    """Return the fault that a request names, and True to begin it; raises :class:`RequestError`."""
    name, switch = request.path_params["name"], request.path_params["switch"]
    for word, known in ((name, hardware.faults), (switch, ("on", "off"))):
        if word not in known:
            raise RequestError(400, tell_unknown(word, known))
    return name, switch == "on"


def _parse_number(text: str, name: str, least: int, most: int) -> int:
    if not (_WHOLE.fullmatch(text) and least <= int(text) <= most):
        raise RequestError(
            400, said("stopped.number", name=name, least=least, most=most, text=plain(text[:20]))
        )
    return int(text)


async def _refuse(texts: Speaking, request: Request, error: Exception) -> Response:
    """Tell why a request is refused: a text in the page's language, otherwise the exception's own."""
    if isinstance(error, HTTPException):
        why = cause_of(error) if isinstance(error, RequestError) else said("stopped.no_page")
        status, headers = error.status_code, error.headers
    else:
        if isinstance(error, OSError):
            log.error("page: %s: %s", request.url.path, error)
        why = tell_unread(error) if isinstance(error, JournalError) else cause_of(error)
        status, headers = next(code for kind, code in _STATUS.items() if isinstance(error, kind)), None
    return PlainTextResponse(f"{in_words(why, texts(request.cookies))}\n", status, headers=headers)


class _Doorman:
    """Refuses requests by foreign names, and those of foreign pages, such as presses of our keys.

    A foreign name can be made to point here while its page is open ("DNS rebinding"): the browser then takes
    that page for ours and lets it read and press. So only addresses, this machine's name and ``names`` are
    ours. A browser names the page's origin with every POST; other programs (curl, a script) name none.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str], texts: Speaking) -> None:
        self._app, self._texts = app, texts
        own = socket.gethostname()
        self._names = {name.lower() for name in ("localhost", own, f"{own}.local", *names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = self._app
        if found := self._find_refusal(Headers(scope=scope), scope["method"]):
            status, why = found
            told = in_words(why, self._texts(HTTPConnection(scope).cookies))
            app = PlainTextResponse(f"{told}\n", status)
        await app(scope, receive, send)

    def _find_refusal(self, headers: Headers, method: str) -> tuple[int, Said] | None:
        origin, host = headers.get("origin"), headers.get("host", "")
        name = _parse_host(host)
        if name not in self._names and not _is_address(name):
            key = "foreign.name" if name else "foreign.nameless"
            return 421, said(key, name=plain(name), setting="panel.names")
        if method not in ("GET", "HEAD") and origin is not None and urlsplit(origin).netloc != host:
            return 403, said("foreign.origin", origin=origin, host=host)
        return None


def _parse_host(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").removesuffix(".")
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class _Headers:
    """Adds headers to every answer: the browser runs only our scripts, frames the page nowhere, keeps no
    copy.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_more(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_HEADERS.items(), (b"cache-control", b"no-store")]
            await send(message)

        await self._app(scope, receive, send_more)


def read_number(request: Request, name: str) -> int:
    """Return the number of a record or seat in a request's parameter ``name``; raises RequestError."""
    return _parse_number(request.query_params.get(name, ""), name, 0, 999_999_999)
