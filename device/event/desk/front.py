"""Checks that every page and form of the desk passes (account, token, length), and the building of
answers.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import jinja2
import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import Message

from device.event.bundle import LARGEST
from device.event.desk import rows, sheets
from device.event.desk.gate import SESSION_S, Doorkeeper, LoginError, Visitor
from device.event.desk.live import Live
from device.event.desk.store import DeskStore, StoreError
from device.event.messages import TableView
from device.event.signing import Trusted, read_keys
from device.exports import write_csv
from engines.texts import DEFAULT_LANGUAGE

PAGES = Path(__file__).parent / "page"
SMALL: Final = 1 << 20
"""The largest size of a form, or of an imported table, in bytes."""
LONG_TEXT: Final = 400
"""The most letters of a reason or an answer."""
COOKIE: Final = "podesta_desk"
FORM_COOKIE: Final = "podesta_desk_form"
"""The cookie with the token of the login form, which has no session yet to keep one."""
FREE: Final = ("/desk", "/accounts", "/accounts/close")
"""The forms that a desk takes even while another is in charge."""
LONG: Final = ("/upload", "/folder", "/accounts", "/password")
"""The forms that verify, hash or write for so long that nobody else's should wait."""
RANKS: Final = (rows.Role.VIEWER, rows.Role.JUDGE, rows.Role.ORGANISER)

RULING_TEXTS = {
    rows.RulingKind.STANDS: "the result stands",
    rows.RulingKind.VOID: "void: it counts for nobody",
    rows.RulingKind.SCORES: "by the judge, with these points",
}


_Page = Callable[[Request, Visitor], Response]
_Act = Callable[[Request, Visitor, "SubmittedForm"], Response | str]
"""A handler of a form; returns a page, or the address of the next one."""


class DeskSetup(msgspec.Struct, frozen=True):
    """A desk's parts: its store, its gate, the file of keys (read anew for each upload, so that a revoked key
    stops counting), the folders of results, the largest upload (bytes), its version, the fingerprint of its
    certificate, empty without one, its name among the event's desks, and its live tables, None without a
    broker.
    """

    store: DeskStore
    gate: Doorkeeper
    keys_file: Path
    folders: tuple[Path, ...] = ()
    largest: int = LARGEST
    version: str = ""
    fingerprint: str = ""
    name: str = ""
    live: Live | None = None


class Front:
    """The desk's door: lets accounts in, checks each form's token, makes pages from templates."""

    def __init__(self, setup: DeskSetup) -> None:
        self.setup, self.store, self.gate = setup, setup.store, setup.gate

    def route(
        self,
        least: rows.Role,
        path: str,
        page: _Page | None = None,
        act: _Act | None = None,
        limit: int = SMALL,
    ) -> Route:
        """Make a route for accounts of at least the rank ``least``: ``page`` shows it, ``act`` handles its
        form.

        ``limit`` is the largest size of the form in bytes.
        """

        async def serve(request: Request) -> Response:
            me = await run_in_threadpool(self._check_visitor, request, least)
            if page and request.method == "GET":
                return await run_in_threadpool(page, request, me)
            assert act is not None
            most = {"max_files": 1000, "max_fields": 10_000, "max_part_size": SMALL}
            async with limit_size(request, limit).form(**most) as sent:
                return await run_in_threadpool(self._do_act, act, request, me, SubmittedForm(sent))

        methods = [method for method, there in (("GET", page), ("POST", act)) if there]
        return Route(path, serve, methods=methods)

    def _do_act(self, act: _Act, request: Request, me: Visitor, form: SubmittedForm) -> Response:
        """Do everything that a form says, or nothing; a long act commits step by step."""
        form.check_token(me.csrf)
        with nullcontext() if request.url.path in LONG else self.store.transaction():
            answer = act(request, me, form)
        return RedirectResponse(answer, 303) if isinstance(answer, str) else answer

    def _check_visitor(self, request: Request, least: rows.Role) -> Visitor:
        """Return the visitor; raise HTTPException for one who may not, or who must log in first."""
        me, acts = self._find_visitor(request), request.method == "POST"
        if me is None:
            where = {} if acts else {"location": "/login"}
            raise HTTPException(403 if acts else 303, "log in first: your session has ended", where)
        if RANKS.index(me.role) < RANKS.index(least):
            raise HTTPException(403, f"{me.name} is {me.role}: this is for the {least}; ask the organiser")
        other = acts and least is not rows.Role.VIEWER and self.other_in_charge()
        if other and request.url.path not in FREE:
            raise HTTPException(409, f"{other} rules: do it there, or let this desk rule first")
        return me

    def _find_visitor(self, request: Request) -> Visitor | None:
        return self.gate.who(request.cookies.get(COOKIE, ""))

    def other_in_charge(self) -> str:
        """Return the name of the desk in charge if it is another than this one, otherwise an empty text."""
        other = self.store.in_charge()
        return other if other != self.setup.name else ""

    def page(self, name: str, me: Visitor | None = None, status: int = 200, /, **data: Any) -> Response:
        """Return the page of a template."""
        fixed = {
            "language": DEFAULT_LANGUAGE,
            "event": self.store.event,
            "store": self.store,
            "live": self.setup.live,
            "me": me,
            "ways": RULING_TEXTS,
            "again_s": 0,
            "mark": "",
            "now": self.store.now_ms,
            "desk": self.setup.name,
            "in_charge": self.other_in_charge(),
        }
        html = _load_templates().get_template(f"{name}.html").render(fixed | data)
        return Response(html, status, media_type="text/html")

    def template_page(self, name: str) -> _Page:
        """Return a page whose template takes everything from the store."""
        return lambda _, me: self.page(name, me)

    def mark(self, number: int) -> str:
        """Return a text that changes with each change of a round's page of tables, and with its minutes."""
        clock, now = self.store.clock(number), self.store.now_ms
        minutes = clock.left(now) // 60 if clock else 0
        ages = "-".join(str((now - one.at) // 60_000) for one in self.store.calls())
        live = self.setup.live.mark() if self.setup.live else ""
        return f"{self.store.mark()} {minutes} {ages} {live}"

    def shown_ms(self) -> int:
        """Return the time until which the public page knows results, ms since 1970."""
        return self.store.now_ms - int(self.store.setting("delay", "0")) * 60_000

    def not_done(self, request: Request, error: Exception) -> Response:
        """Tell on a page why a request failed; note forbidden ones and those that were too large."""
        if not isinstance(error, HTTPException):
            error = HTTPException(409 if isinstance(error, StoreError) else 400, str(error))
        me, status = self._find_visitor(request), error.status_code
        if me and status in (403, 413):
            kind = "refused" if status == 413 else "forbidden"
            self.store.audit(kind, f"{request.method} {request.url.path}: {error.detail}", me.name)
        came = urlsplit(request.headers.get("referer", ""))
        back = f"/{came.path.lstrip('/')}{came.query and f'?{came.query}'}"
        answer = self.page("said", me, status, said=error.detail, back=back)
        answer.headers.update(error.headers or {})
        return answer

    async def login(self, request: Request) -> Response:
        """Log somebody in, or show the form for it."""
        said, status, headers = "", 200, dict[str, str]()
        token = request.cookies.get(FORM_COOKIE) or secrets.token_urlsafe(32)
        secure = request.url.scheme == "https"
        if request.method == "POST":
            async with limit_size(request, SMALL).form() as sent:
                form = SubmittedForm(sent)
                form.check_token(token)
                name, password = form.text("name"), form.typed("password")
            address = request.client.host if request.client else ""
            try:
                cookie = await run_in_threadpool(self.gate.enter, name, password, address)
            except LoginError as error:
                said, status = str(error), 429 if error.wait_s else 403
                headers = {"Retry-After": str(error.wait_s)} if error.wait_s else {}
            else:
                answer: Response = RedirectResponse("/", 303)
                answer.set_cookie(COOKIE, cookie, SESSION_S, httponly=True, samesite="strict", secure=secure)
                return answer
        answer = await run_in_threadpool(self.page, "login", None, status, said=said, csrf=token)
        answer.set_cookie(FORM_COOKIE, token, httponly=True, samesite="strict", secure=secure)
        answer.headers.update(headers)
        return answer

    def asked_round(self, request: Request) -> tuple[list[int], int]:
        """Return the rounds, and the requested one, by default the last."""
        rounds = self.store.rounds()
        asked = request.query_params.get("round", "")
        number = int(asked) if re.fullmatch("[0-9]{1,2}", asked, re.ASCII) else 0
        return rounds, number or (rounds[-1] if rounds else 1)

    def table(self, request: Request) -> rows.TableState:
        """Return the table that a request is about; raise HTTPException for one that is in no round."""
        number, table = request.path_params["number"], request.path_params["table"]
        found = next((one for one in self.store.tables(number) if one.table == table), None)
        if found is None:
            raise HTTPException(404, f"round {number} has no {table}: seat people there first")
        return found

    def played(self, one: rows.TableState) -> TableView:
        """Return the match that a table's people play now; an empty view if nobody knows it."""
        return self.setup.live.played(one) if self.setup.live else TableView(one.table)

    def keys(self) -> Mapping[str, Trusted]:
        """Return the event's current keys; raises ValueError if they cannot be read."""
        return read_trusted_keys(self.setup.keys_file)


def read_trusted_keys(file: Path) -> Mapping[str, Trusted]:
    """Return the current keys in an event's file; raises ValueError if they cannot be read."""
    try:
        return read_keys(file)
    except (OSError, ValueError, msgspec.MsgspecError) as error:
        raise ValueError(f"the event's keys cannot be read: {error}; see --keys") from error


# The contents of a request


def limit_size(request: Request, limit: int) -> Request:
    """Return a request whose body has at most ``limit`` bytes; reading more raises HTTPException."""
    said = f"this is more than {limit >> 20} MiB, the desk's limit; split it"
    length = request.headers.get("content-length", "0")
    if length.isdecimal() and int(length) > limit:
        raise HTTPException(413, said)
    so_far = 0

    async def receive() -> Message:
        nonlocal so_far
        message = await request.receive()
        so_far += len(message.get("body", b""))
        if so_far > limit:
            raise HTTPException(413, said)
        return message

    return Request(request.scope, receive)


class SubmittedForm:
    """A form's fields. Every method raises ValueError with the fault of its field."""

    def __init__(self, sent: FormData) -> None:
        self._sent = sent

    def check_token(self, token: str) -> None:
        """Raise HTTPException for a form from another page."""
        if not secrets.compare_digest(self.typed("csrf").encode(), token.encode()):
            raise HTTPException(403, "this form is not from this desk, or too old: reload the page")

    def typed(self, name: str) -> str:
        """Return a field as it was typed."""
        return str(self._sent.get(name, ""))

    def text(self, name: str, most: int | None = None) -> str:
        """Return a field as one line, cut to ``most`` letters."""
        return " ".join(self.typed(name).split())[:most]

    def name(self, name: str) -> str:
        """Return a field that holds a valid name."""
        return sheets.check_name(self.text(name))

    def reason(self) -> str:
        """Return the reason that a judge gives."""
        if not (reason := self.text("reason", LONG_TEXT)):
            raise ValueError("the reason is missing: the record keeps it")
        return reason

    def number(self, name: str, what: str, least: int, most: int) -> int:
        """Return a whole number from ``least`` to ``most``; errors call it ``what``."""
        typed = self.text(name)
        number = int(typed) if re.fullmatch("[+-]?[0-9]{1,9}", typed, re.ASCII) else None
        if number is None or not least <= number <= most:
            raise ValueError(f'{what}: a whole number from {least} to {most}, not "{typed}"')
        return number

    def points(self) -> tuple[dict[str, Any], str]:
        """Return names, scores and places as :class:`device.event.desk.rows.Scored` has them, and the points
        in words. People with equal points share a place unless the form gives their places.
        """
        found, places = dict[str, int](), list[int]()
        for at in range(8):
            name = self.text(f"name.{at}")
            if not name and not self.text(f"points.{at}"):
                continue
            points = self.number(f"points.{at}", f"the points of {name or 'somebody'}", -9999, 9999)
            if sheets.check_name(name) in found:
                raise ValueError(f"{name} is there twice: tell the two apart")
            found[name] = points
            place = f"place.{at}"
            places.append(self.number(place, f"the place of {name}", 1, 8) if self.text(place) else 0)
        scores = tuple(found.values())
        said = ", ".join(f"{name} {points}" for name, points in found.items())
        return {"names": tuple(found), "scores": scores, "places": rows.rank_scores(scores, places)}, said

    def file(self) -> bytes:
        """Return the bytes of the one file."""
        one = self._sent.get("file")
        if not (isinstance(one, UploadFile) and one.filename):
            raise ValueError("choose a file first")
        return one.file.read()

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield the files, each with its name."""
        for one in self._sent.getlist("files"):
            if isinstance(one, UploadFile) and one.filename:
                yield one.filename[-120:], one.file.read()


# The building of an answer


@cache
def _load_templates() -> jinja2.Environment:
    """Return the pages' templates, each compiled once; in them ``now`` is the time of the page in ms."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(PAGES), autoescape=True, undefined=jinja2.StrictUndefined
    )
    made.filters |= {"when": _format_time, "age": _format_age, "clock": _format_clock}
    made.filters |= {"at": make_address, "how": _describe_origin}
    return made


@jinja2.pass_context
def _format_age(page: jinja2.runtime.Context, ms: int) -> str:
    """Return the time since ``ms`` in minutes."""
    return f"{max(0, page['now'] - ms) // 60_000} min"


@jinja2.pass_context
def _format_clock(page: jinja2.runtime.Context, clock: rows.RoundClock) -> str:
    """Return the text of a clock, in whole minutes."""
    left = clock.left(page["now"])
    if left <= 0:
        return f"Time has been up for {-left // 60} min"
    shown = f"{-(-left // 60)} min left"
    if not clock.running:
        return f"{shown}, the clock is paused"
    return f"{shown}, until {time.strftime('%H:%M', time.localtime(page['now'] // 1000 + left))}"


def write_row_id(row: rows.DeskRow | None) -> str:
    """Return the number of a row as a form carries it, empty for none."""
    return str(row.id) if row else ""


def _format_time(ms: int) -> str:
    """Return date and time of day on the desk's machine."""
    return time.strftime("%d.%m. %H:%M", time.localtime(ms / 1000))


def make_address(one: rows.TableState) -> str:
    """Return the address of a table's page."""
    return f"/round/{one.round}/table/{one.table}"


def _describe_origin(one: rows.TableState) -> str:
    """Return the origin of a table's result."""
    if one.ruling:
        return f"{RULING_TEXTS[one.ruling.ruled]}, says {one.ruling.who}: {one.ruling.reason}"
    if one.result is None:
        return ""
    if one.result.source == "typed":
        return f"typed by {one.result.who}"
    return f"signed by {one.result.signer}, {one.result.phrase}"


def write_seats(seats: Sequence[rows.SeatRow]) -> str:
    """Return a plan as CSV."""
    return write_csv(sheets.SEATING, [(one.round, one.table, one.seat, one.person) for one in seats])


def send_file(data: bytes, name: str, media_type: str) -> Response:
    """Return a file for the browser to save."""
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type=media_type, headers=headers)
