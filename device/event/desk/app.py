"""The desk's routes: who may look at what, what each form does."""

from __future__ import annotations

import re
import secrets
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import jinja2
import msgspec
import segno
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from device.event.bundle import LARGEST
from device.event.desk import sheets
from device.event.desk.gate import SESSION_S, Doorkeeper, LoginError, Me
from device.event.desk.grounds import Vet
from device.event.desk.intake import Arrival, retold, take_in, type_in
from device.event.desk.rounds import DONE, drawn, people_of, rules_of, standing_rows
from device.event.desk.rows import (
    Attendee,
    AuditRow,
    DeskAccount,
    DeskRuling,
    Role,
    SeatRow,
    State,
    TableResult,
    TableState,
    Ways,
    places_of,
)
from device.event.desk.standings import ORDER
from device.event.desk.store import DeskStore, StoreError
from device.event.signing import Trusted

PAGES = Path(__file__).parent / "page"
SMALL: Final = 1 << 20
"""Bytes of a form, or of a table that is imported, at most."""
COOKIE: Final = "podesta_desk"
FORM_COOKIE: Final = "podesta_desk_form"
"""Keeps the token of the form that logs in, before there is a session to keep one."""

_HEADERS = {
    b"content-security-policy": b"default-src 'self'; script-src 'none'; form-action 'self'; "
    b"base-uri 'none'; frame-ancestors 'none'",
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cache-control": b"no-store",
}
_WAYS = {
    Ways.STANDS: "the result stands",
    Ways.VOID: "void: it counts for nobody",
    Ways.SCORES: "by the judge, with these points",
}

_Page = Callable[[Request, Me], Response]
_Act = Callable[[Request, Me, FormData], Response]


class DeskSetup(msgspec.Struct, frozen=True):
    """What a desk works with: its store, who lets people in, how journals are verified, by which keys (read
    anew for each upload, so that a revoked one counts no more), which folders results come from.
    """

    store: DeskStore
    gate: Doorkeeper
    vet: Vet
    keys: Callable[[], Mapping[str, Trusted]]
    folders: tuple[Path, ...] = ()
    largest: int = LARGEST


def make_app(setup: DeskSetup) -> Starlette:
    """Make the desk's pages."""
    desk = _Desk(setup)
    viewer, judge, organiser = (partial(desk.route, least) for least in _RANKS)
    return Starlette(
        routes=[
            Route("/desk.css", _css),
            Route("/public", desk.public),
            Route("/public/standings", desk.public_standings),
            Route("/login", desk.login, methods=["GET", "POST"]),
            viewer("/logout", act=desk.leave),
            viewer("/", desk.tables),
            viewer("/results.csv", desk.results_csv),
            viewer("/round/{number:int}/table/{table}", desk.table),
            judge("/round/{number:int}/table/{table}/rule", act=desk.rule),
            judge("/round/{number:int}/table/{table}/type", act=desk.type),
            viewer("/journal/{result:int}", desk.journal),
            judge("/upload", desk.upload_page, desk.upload, limit=setup.largest + SMALL),
            judge("/folder", act=desk.folder),
            judge("/seen/{row:int}", act=desk.seen),
            viewer("/people", desk.people),
            organiser("/people", act=desk.add_person),
            organiser("/people/{row:int}", act=desk.turn_person),
            viewer("/people.csv", desk.people_csv),
            organiser("/people.csv", act=desk.import_people),
            viewer("/rounds", desk.rounds),
            organiser("/rounds", act=desk.type_seats),
            viewer("/rounds.csv", desk.seats_csv),
            organiser("/rounds.csv", act=desk.import_seats),
            organiser("/rounds/{number:int}/draw", act=desk.draw),
            viewer("/standings", desk.standings),
            viewer("/standings.csv", desk.standings_csv),
            organiser("/event", act=desk.name_event),
            viewer("/paper/{what}/{number:int}", desk.paper),
            viewer("/audit", desk.audit),
            organiser("/accounts", desk.accounts, desk.renew),
            organiser("/accounts/close", act=desk.close),
            viewer("/password", desk.password_page, desk.password),
        ],
        middleware=[Middleware(_DeskHeaders)],
        exception_handlers={HTTPException: desk.not_done},
    )


_RANKS = (Role.VIEWER, Role.JUDGE, Role.ORGANISER)


class _Desk:
    """The pages and what their forms do."""

    def __init__(self, setup: DeskSetup) -> None:
        self.setup, self.store, self.gate = setup, setup.store, setup.gate
        self._pages = jinja2.Environment(
            loader=jinja2.FileSystemLoader(PAGES), autoescape=True, undefined=jinja2.StrictUndefined
        )
        self._pages.filters |= {"when": _when, "at": _at, "how": _how}

    def route(
        self, least: Role, path: str, page: _Page | None = None, act: _Act | None = None, limit: int = SMALL
    ) -> Route:
        """Make a route for accounts of this rank at least: a page to look at, what its form does."""

        async def serve(request: Request) -> Response:
            me = await run_in_threadpool(self._allowed, request, least)
            if isinstance(me, Response):
                return me
            if request.method != "POST":
                assert page is not None
                return await run_in_threadpool(page, request, me)
            assert act is not None
            try:
                async with _bounded(request, limit).form(max_files=1000, max_part_size=SMALL) as form:
                    _same_form(form, me.csrf)
                    return await run_in_threadpool(act, request, me, form)
            except HTTPException as error:
                await run_in_threadpool(self._note, request, me, error.status_code, error.detail)
                raise
            except (ValueError, sheets.SheetError) as error:
                raise HTTPException(400, str(error)) from error
            except StoreError as error:
                raise HTTPException(409, str(error)) from error

        methods = [method for method, there in (("GET", page), ("POST", act)) if there]
        return Route(path, serve, methods=methods)

    def _allowed(self, request: Request, least: Role) -> Me | Response:
        """Return who asks, or the way to log in; raise for somebody who may not."""
        me = self.gate.who(request.cookies.get(COOKIE, ""))
        if me is None:
            if request.method == "GET":
                return RedirectResponse("/login", 303)
            raise HTTPException(403, "log in first: your session has ended")
        if _RANKS.index(me.role) < _RANKS.index(least):
            why = f"{me.name} is {me.role}: this is for the {least}; ask the organiser"
            self._note(request, me, 403, why)
            raise HTTPException(403, why)
        return me

    def _note(self, request: Request, me: Me, status: int, why: str) -> None:
        if status in (403, 413):
            kind = "refused" if status == 413 else "forbidden"
            self.store.audit(kind, f"{request.method} {request.url.path}: {why}", me.name)

    def page(self, name: str, me: Me | None = None, status: int = 200, /, **data: Any) -> Response:
        """Return a page by its template."""
        fixed = {"event": self.store.event, "me": me, "ways": _WAYS, "again_s": 0}
        html = self._pages.get_template(f"{name}.html").render(fixed | data)
        return Response(html, status, media_type="text/html")

    async def not_done(self, request: Request, error: Exception) -> Response:
        """Say on a page what could not be done."""
        assert isinstance(error, HTTPException)
        me = await run_in_threadpool(self.gate.who, request.cookies.get(COOKIE, ""))
        path = request.url.path
        back = re.sub(r"/(rule|type|close)$|\.csv$", "", path) if request.method == "POST" else "/"
        back = {"/folder": "/upload", "/event": "/rounds"}.get(back, back)
        answer = self.page("said", me, error.status_code, said=error.detail, back=back)
        answer.headers.update(error.headers or {})
        return answer

    # Coming and going

    async def login(self, request: Request) -> Response:
        """Let somebody in, or ask who it is."""
        said, status, headers = "", 200, dict[str, str]()
        token = request.cookies.get(FORM_COOKIE) or secrets.token_urlsafe(32)
        secure = request.url.scheme == "https"
        if request.method == "POST":
            async with _bounded(request, SMALL).form() as form:
                _same_form(form, token)
                name, password = _text(form, "name"), str(form.get("password", ""))
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

    def leave(self, _request: Request, me: Me, _form: FormData) -> Response:
        """End a session."""
        self.store.leave(me.digest, me.name)
        answer = RedirectResponse("/login", 303)
        answer.delete_cookie(COOKIE)
        return answer

    def password_page(self, _request: Request, me: Me) -> Response:
        """Ask for a new password."""
        return self.page("password", me)

    def password(self, _request: Request, me: Me, form: FormData) -> Response:
        """Change one's own password."""
        self.gate.change(me, str(form.get("old", "")), str(form.get("new", "")))
        return RedirectResponse("/login", 303)

    def accounts(self, _request: Request, me: Me, told: tuple[str, str] | None = None) -> Response:
        """Show who may log in."""
        there = [one for one in self.store.counting(DeskAccount) if one.role is not Role.CLOSED]
        return self.page("accounts", me, accounts=sorted(there, key=lambda one: one.name), told=told)

    def renew(self, request: Request, me: Me, form: FormData) -> Response:
        """Make an account, or a new password for one."""
        name, role = _name(form, "name"), Role(_text(form, "role"))
        if name == me.name:
            raise ValueError("change your own password by the link with your name")
        return self.accounts(request, me, (name, self.gate.renew(name, role, me.name)))

    def close(self, _request: Request, me: Me, form: FormData) -> Response:
        """Close an account."""
        self.gate.close(_text(form, "name"), me.name)
        return RedirectResponse("/accounts", 303)

    # Tables

    def _of_round(self, request: Request) -> tuple[list[int], int]:
        """Return the rounds, and the one that is asked for, by default the last."""
        rounds = self.store.rounds()
        asked = request.query_params.get("round", "")
        number = int(asked) if re.fullmatch("[0-9]{1,2}", asked, re.ASCII) else 0
        return rounds, number or (rounds[-1] if rounds else 1)

    def tables(self, request: Request, me: Me) -> Response:
        """Show what waits for somebody, then what is in."""
        rounds, number = self._of_round(request)
        tables, refused = self.store.tables(number), self.store.refusals()
        waiting, look, done = (
            [one for one in tables if one.state in states]
            for states in (
                (State.OUTSTANDING, State.UNFINISHED),
                (State.DISPUTED, State.DOUBTFUL),
                (State.IN, State.RULED),
            )
        )
        counts = (
            ("outstanding", len(waiting), "waiting"),
            ("to look at", len(look), "alarm"),
            ("refused uploads", len(refused), "alarm"),
            (f"in, of {len(tables)}", len(done), "good"),
        )
        lists = {"waiting": waiting, "look": look, "done": done, "refused": refused, "counts": counts}
        return self.page("tables", me, rounds=rounds, number=number, again_s=30, **lists)

    def results_csv(self, _request: Request, _me: Me) -> Response:
        """Give all results as CSV."""
        return _csv("results", sheets.written(sheets.RESULTS, sheets.result_rows(self.store.tables())))

    def _table(self, request: Request) -> TableState:
        """Return the table that a request is about; raise HTTPException for one that no round has."""
        number, table = request.path_params["number"], request.path_params["table"]
        found = next((one for one in self.store.tables(number) if one.table == table), None)
        if found is None:
            raise HTTPException(404, f"round {number} has no {table}: seat people there first")
        return found

    def table(self, request: Request, me: Me) -> Response:
        """Show a table: what counts, its match, every result and ruling."""
        one = self._table(request)
        where = {"round": one.round, "table": one.table}
        entries = [*self.store.every(TableResult, **where), *self.store.every(DeskRuling, **where)]
        told = retold(self.store.journal(one.result.id)) if one.result else None
        names = one.counts.names if one.counts else tuple(seat.person for seat in one.seats)
        data = {"names": names, "record": told, "entries": sorted(entries, key=lambda row: row.at)}
        return self.page("table", me, one=one, **data)

    def journal(self, request: Request, _me: Me) -> Response:
        """Give the journal of a result, as it came."""
        result = request.path_params["result"]
        if not (data := self.store.journal(result)):
            raise HTTPException(404, f"there is no journal of result {result}")
        return _file(data, f"result-{result}.podesta", "application/octet-stream")

    def rule(self, request: Request, me: Me, form: FormData) -> Response:
        """Keep a judge's ruling on what the judge saw."""
        one, reason = self._table(request), _text(form, "reason")
        if not reason:
            raise ValueError("a ruling needs its reason")
        ruled = Ways(_text(form, "ruled"))
        points = _points(form) if ruled is Ways.SCORES else {}
        if ruled is Ways.SCORES and len(points) < 2:
            raise ValueError("give the points of everybody at the table")
        with self.store.together():
            now = self._table(request)
            result, before = now.result, now.ruling
            if (_id(result), _id(before)) != (_text(form, "result"), _text(form, "ruling")):
                raise StoreError(f"{one.table}: something came in since you looked; look again and rule then")
            if ruled is Ways.STANDS and result is None:
                raise ValueError("there is no result that could stand")
            row = DeskRuling(
                round=one.round,
                table=one.table,
                result=result.id if result else None,
                ruled=ruled,
                reason=reason[:400],
                names=tuple(points),
                scores=tuple(points.values()),
                places=places_of(tuple(points.values())),
                replaces=before.id if before else None,
            )
            self.store.add(row, me.name)
            said = ", ".join(f"{name} {number}" for name, number in points.items())
            what = f"{one.table}, round {one.round}: {_WAYS[ruled]}{said and f': {said}'}; {reason[:400]}"
            self.store.audit("ruling", what, me.name)
        return RedirectResponse(_at(one), 303)

    def type(self, request: Request, me: Me, form: FormData) -> Response:
        """Keep a result that was typed from paper."""
        one, after = self._table(request), _text(form, "result")
        seen = int(after) if after.isdecimal() else None
        type_in(self.store, one.round, one.table, _points(form), me.name, after=seen)
        return RedirectResponse(_at(one), 303)

    def seen(self, request: Request, me: Me, _form: FormData) -> Response:
        """Take a refused upload off the list; it stays in the audit log."""
        row = next(iter(self.store.every(AuditRow, id=request.path_params["row"], kind="refused")), None)
        if row is None:
            raise HTTPException(404, "there is no such refused upload")
        self.store.audit("seen", row.what, me.name, about=row.id)
        return RedirectResponse("/", 303)

    # Taking in

    def upload_page(self, _request: Request, me: Me) -> Response:
        """Ask for files."""
        lacking = "" if self.store.event else "Name the event first, under Rounds: boxes say its name."
        try:
            lacking = lacking or ("" if self._keys() else "There is no key in the file of keys.")
        except ValueError as error:
            lacking = str(error)
        return self.page(
            "upload", me, lacking=lacking, folders=self.setup.folders, rounds=self.store.rounds()
        )

    def _keys(self) -> Mapping[str, Trusted]:
        """Return the event's keys as they are now; raises ValueError where they cannot be read."""
        try:
            return self.setup.keys()
        except (OSError, msgspec.MsgspecError) as error:
            raise ValueError(f"the event's keys cannot be read: {error}; see --keys") from error

    def upload(self, _request: Request, me: Me, form: FormData) -> Response:
        """Take uploaded files in."""
        keys, arrived = self._keys(), list[Arrival]()
        with tempfile.TemporaryDirectory() as folder:
            for number, one in enumerate(form.getlist("files")):
                if isinstance(one, UploadFile) and one.filename:
                    path = Path(folder) / str(number)
                    with path.open("wb") as file:
                        while chunk := one.file.read(SMALL):
                            file.write(chunk)
                    arrived += self._take(keys, path, one.filename[-120:], me, form)
        return self._arrived(arrived, me)

    def folder(self, _request: Request, me: Me, form: FormData) -> Response:
        """Take what lies in a folder in that was named at the start."""
        number = _text(form, "folder")
        if not (number.isdecimal() and int(number) < len(self.setup.folders)):
            raise ValueError("no such folder: --folder names those that there are")
        path = self.setup.folders[int(number)]
        if not path.is_dir():
            raise ValueError(f"{path}: there is no such folder now; is the stick mounted?")
        return self._arrived(self._take(self._keys(), path, path.name, me, form), me)

    def _take(
        self, keys: Mapping[str, Trusted], path: Path, name: str, me: Me, form: FormData
    ) -> list[Arrival]:
        wanted = _text(form, "round")
        number = int(wanted) if wanted.isdecimal() else None
        spare = bool(form.get("spare"))
        return take_in(self.store, keys, self.setup.vet, path, name, me.name, number=number, spare=spare)

    def _arrived(self, arrived: Sequence[Arrival], me: Me) -> Response:
        return self.page("arrivals", me, arrived=sorted(arrived, key=lambda one: one.refused is None))

    # People and rounds

    def people(self, _request: Request, me: Me) -> Response:
        """Show who plays."""
        return self.page("people", me, people=self.store.people())

    def people_csv(self, _request: Request, _me: Me) -> Response:
        """Give who plays as CSV."""
        rows = [(one.name, one.club) for one in self.store.people() if not one.gone]
        return _csv("people", sheets.written(sheets.PEOPLE, rows))

    def add_person(self, _request: Request, me: Me, form: FormData) -> Response:
        """Add somebody."""
        self._add_people([Attendee(name=_name(form, "name"), club=_text(form, "club")[: sheets.LONGEST])], me)
        return RedirectResponse("/people", 303)

    def import_people(self, _request: Request, me: Me, form: FormData) -> Response:
        """Add who is in a table, and change the clubs of those who are there already."""
        self._add_people(sheets.people_of(_upload(form)), me)
        return RedirectResponse("/people", 303)

    def _add_people(self, people: Sequence[Attendee], me: Me) -> None:
        with self.store.together():
            there = {one.name.casefold(): one for one in self.store.people()}
            for one in people:
                before = there.get(one.name.casefold())
                if before is None or (before.club, before.gone) != (one.club, False):
                    self.store.add(
                        msgspec.structs.replace(one, replaces=before.id if before else None), me.name
                    )
            self.store.audit("people", f"added or changed: {', '.join(one.name for one in people)}", me.name)

    def turn_person(self, request: Request, me: Me, _form: FormData) -> Response:
        """Let somebody play no more, or again."""
        one = next((one for one in self.store.people() if one.id == request.path_params["row"]), None)
        if one is None:
            raise StoreError("somebody has changed that just now; look again and repeat it")
        self.store.add(msgspec.structs.replace(one, gone=not one.gone, replaces=one.id), me.name)
        said = "plays again" if one.gone else "plays no more"
        self.store.audit("people", f"{one.name} {said}", me.name)
        return RedirectResponse("/people", 303)

    def rounds(self, request: Request, me: Me) -> Response:
        """Show who sits where in a round."""
        rounds, number = self._of_round(request)
        plan = self.store.seats(number)
        lines = _seat_lines(plan) if plan else f"{','.join(sheets.SEATING)}\n{number},table-01,a,"
        after = [rounds[-1] + 1] if rounds and rounds[-1] < sheets.MOST_ROUNDS else []
        return self.page("rounds", me, rounds=[*rounds, *after], number=number, plan=plan, lines=lines)

    def seats_csv(self, request: Request, _me: Me) -> Response:
        """Give who sits where as CSV, of one round or of all."""
        _, number = self._of_round(request)
        one = number if request.query_params.get("round") else None
        return _csv("seats", _seat_lines(self.store.seats(one)))

    def type_seats(self, _request: Request, me: Me, form: FormData) -> Response:
        """Keep the seats that were typed."""
        return self._plan(str(form.get("lines", "")).encode(), me)

    def import_seats(self, _request: Request, me: Me, form: FormData) -> Response:
        """Keep the seats of a table, for each round that is in it."""
        return self._plan(_upload(form), me)

    def _plan(self, data: bytes, me: Me) -> Response:
        found = sheets.seats_of(data, self.store.people())
        if not found:
            raise ValueError("no seat is in it: nothing was changed")
        with self.store.together():
            for number, seats in found.items():
                self.store.plan(number, seats, me.name)
                tables = len({seat.table for seat in seats})
                self.store.audit("plan", f"round {number}: {len(seats)} people at {tables} tables", me.name)
        return RedirectResponse(f"/rounds?round={min(found)}", 303)

    def draw(self, request: Request, me: Me, form: FormData) -> Response:
        """Draw a round and show it with all that is wrong with it; nothing is kept until it is published."""
        number = int(request.path_params["number"])
        if not 1 <= number <= sheets.MOST_ROUNDS:
            raise ValueError(f"rounds are numbered from 1 to {sheets.MOST_ROUNDS}")
        waiting = [one for one in self.store.tables() if one.round < number and one.state not in DONE]
        if waiting:
            tables = ", ".join(f"{one.table} of round {one.round}" for one in waiting)
            raise StoreError(f"not in yet: {tables}; take them in or rule them first")
        seed = _text(form, "seed")
        if not seed.isdecimal():
            raise ValueError(f'the seed is a whole number, not "{seed}"')
        people = people_of(self.store.people(), str(form.get("fixed", "")), str(form.get("teachers", "")))
        rules = rules_of(_text(form, "sizes"), str(form.get("apart", "")))
        plan, byes, wrong = drawn(people, rules, self.store.seats(), number, int(seed))
        self.store.audit("draw", f"round {number} with the seed {seed}", me.name)
        data = {"plan": plan, "byes": byes, "wrong": wrong, "lines": _seat_lines(plan)}
        return self.page("drawn", me, number=number, **data)

    def standings(self, _request: Request, me: Me | None) -> Response:
        """Show the standings by all results that are in."""
        tables = self.store.tables()
        waiting = [f"{one.table} of round {one.round}" for one in tables if one.state not in DONE]
        data = {"waiting": waiting, "order": [name for name, _ in ORDER], "again_s": 0 if me else 60}
        return self.page("standings", me, rows=standing_rows(tables), rounds=self.store.rounds(), **data)

    def standings_csv(self, _request: Request, _me: Me) -> Response:
        """Give the standings as CSV."""
        head = ("place", "name", "played", "place_points", "wins", "share")
        rows = [
            (str(one.place), one.name, str(one.played), *figures)
            for one, *figures in standing_rows(self.store.tables())
        ]
        return _csv("standings", sheets.written(head, rows))

    async def public_standings(self, request: Request) -> Response:
        """Show everybody the standings."""
        return await run_in_threadpool(self.standings, request, None)

    def name_event(self, _request: Request, me: Me, form: FormData) -> Response:
        """Name the event."""
        name = _name(form, "name")
        self.store.name_event(name, me.name)
        self.store.audit("event", f"named {name}", me.name)
        return RedirectResponse("/", 303)

    def paper(self, request: Request, me: Me) -> Response:
        """Show what is printed: who sits where, or a slip for each table."""
        what, number = request.path_params["what"], request.path_params["number"]
        if what not in ("pairings", "slips"):
            raise HTTPException(404, f"there is no paper called {what}: pairings, slips")
        address = str(request.base_url).rstrip("/")

        def qr(table: str) -> Markup:
            code = segno.make(f"{address}/round/{number}/table/{table}", error="m")
            return Markup(code.svg_inline(scale=2, border=2))

        return self.page(what, me, number=number, plan=self.store.seats(number), qr=qr)

    def audit(self, _request: Request, me: Me) -> Response:
        """Show what was done and refused, the newest first."""
        return self.page("audit", me, rows=self.store.every(AuditRow)[::-1])

    async def public(self, request: Request) -> Response:
        """Show everybody who sits where, and the results that count."""
        return await run_in_threadpool(self._public, request)

    def _public(self, request: Request) -> Response:
        rounds, number = self._of_round(request)
        tables = self.store.tables(number)
        return self.page("public", rounds=rounds, number=number, tables=tables, again_s=60)


# What a request gives


def _bounded(request: Request, limit: int) -> Request:
    """Return a request whose body may be that long; reading more raises HTTPException."""
    said = f"this is more than {limit >> 20} MiB, the largest that the desk takes; split it"
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


def _same_form(form: FormData, token: str) -> None:
    """Raise HTTPException for a form that another page made."""
    if not secrets.compare_digest(str(form.get("csrf", "")).encode(), token.encode()):
        raise HTTPException(403, "this form is not one of the desk's, or an old one: load the page anew")


def _text(form: FormData, name: str) -> str:
    return " ".join(str(form.get(name, "")).split())


def _name(form: FormData, name: str) -> str:
    """Return a name that is one; raises ValueError."""
    text = _text(form, name)
    if why := sheets.unfit(text):
        raise ValueError(why)
    return text


def _points(form: FormData) -> dict[str, int]:
    """Return the points by name that a form gives; raises ValueError naming whose are none."""
    found = dict[str, int]()
    for number in range(8):
        name, points = _text(form, f"name.{number}"), _text(form, f"points.{number}")
        if not name and not points:
            continue
        if not re.fullmatch(r"-?[0-9]{1,4}", points, re.ASCII):
            raise ValueError(f'{name or "somebody"}: the points are a whole number, not "{points}"')
        if why := sheets.unfit(name):
            raise ValueError(f"{points} points: {why}")
        if name in found:
            raise ValueError(f"{name} is there twice; tell the two apart")
        found[name] = int(points)
    return found


def _upload(form: FormData) -> bytes:
    """Return the file of a form; raises ValueError."""
    one = form.get("file")
    if not (isinstance(one, UploadFile) and one.filename):
        raise ValueError("choose a file first")
    return one.file.read()


# What an answer is made of


def _id(row: TableResult | DeskRuling | None) -> str:
    return str(row.id) if row else ""


def _when(ms: int) -> str:
    """Return a time of day as the desk's machine has it."""
    return time.strftime("%d.%m. %H:%M", time.localtime(ms / 1000))


def _at(one: TableState) -> str:
    """Return the address of a table's page."""
    return f"/round/{one.round}/table/{one.table}"


def _how(one: TableState) -> str:
    """Return how a table's result came about."""
    if one.ruling:
        return f"{_WAYS[one.ruling.ruled]}, says {one.ruling.who}: {one.ruling.reason}"
    if one.result is None:
        return ""
    if one.result.source == "typed":
        return f"typed by {one.result.who}"
    return f"signed by {one.result.signer}, {one.result.phrase}"


def _seat_lines(seats: Sequence[SeatRow]) -> str:
    return sheets.written(sheets.SEATING, [(one.round, one.table, one.seat, one.person) for one in seats])


def _csv(name: str, text: str) -> Response:
    return _file(text.encode("utf-8-sig"), f"{name}.csv", "text/csv")


def _file(data: bytes, name: str, media_type: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type=media_type, headers=headers)


async def _css(_request: Request) -> Response:
    return PlainTextResponse((PAGES / "desk.css").read_text("utf-8"), media_type="text/css")


class _DeskHeaders:
    """Has every answer tell the browser to run nothing, frame it nowhere and keep no copy."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_more(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_HEADERS.items()]
            await send(message)

        await self._app(scope, receive, send_more)
