"""What the forms of the desk's pages do."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from device.event.desk import sheets
from device.event.desk.front import (
    COOKIE,
    SMALL,
    WAYS,
    Front,
    address_of,
    id_of,
    name_of,
    points_of,
    seat_lines,
    text_of,
    upload_of,
)
from device.event.desk.gate import Me
from device.event.desk.intake import Arrival, take_in, type_in
from device.event.desk.looking import Looking
from device.event.desk.rounds import DONE, drawn, people_of, rules_of
from device.event.desk.rows import Attendee, AuditRow, DeskRuling, Role, Ways, places_of
from device.event.desk.store import StoreError
from device.event.signing import Trusted


class Acting:
    """The forms, for whoever may send them."""

    def __init__(self, front: Front, look: Looking) -> None:
        self.front, self.look, self.store, self.gate = front, look, front.store, front.gate

    # Coming and going

    def leave(self, _request: Request, me: Me, _form: FormData) -> Response:
        """End a session."""
        self.store.leave(me.digest, me.name)
        answer = RedirectResponse("/login", 303)
        answer.delete_cookie(COOKIE)
        return answer

    def password(self, _request: Request, me: Me, form: FormData) -> Response:
        """Change one's own password."""
        self.gate.change(me, str(form.get("old", "")), str(form.get("new", "")))
        return RedirectResponse("/login", 303)

    def renew(self, request: Request, me: Me, form: FormData) -> Response:
        """Make an account, or a new password for one."""
        name, role = name_of(form, "name"), Role(text_of(form, "role"))
        if name == me.name:
            raise ValueError("change your own password by the link with your name")
        return self.look.accounts(request, me, (name, self.gate.renew(name, role, me.name)))

    def close(self, _request: Request, me: Me, form: FormData) -> Response:
        """Close an account."""
        self.gate.close(text_of(form, "name"), me.name)
        return RedirectResponse("/accounts", 303)

    # Tables

    def rule(self, request: Request, me: Me, form: FormData) -> Response:
        """Keep a judge's ruling on what the judge saw."""
        one, reason = self.front.table(request), text_of(form, "reason")
        if not reason:
            raise ValueError("a ruling needs its reason")
        ruled = Ways(text_of(form, "ruled"))
        points = points_of(form) if ruled is Ways.SCORES else {}
        if ruled is Ways.SCORES and len(points) < 2:
            raise ValueError("give the points of everybody at the table")
        with self.store.together():
            now = self.front.table(request)
            result, before = now.result, now.ruling
            if (id_of(result), id_of(before)) != (text_of(form, "result"), text_of(form, "ruling")):
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
            what = f"{one.table}, round {one.round}: {WAYS[ruled]}{said and f': {said}'}; {reason[:400]}"
            self.store.audit("ruling", what, me.name)
        return RedirectResponse(address_of(one), 303)

    def type(self, request: Request, me: Me, form: FormData) -> Response:
        """Keep a result that was typed from paper."""
        one, after = self.front.table(request), text_of(form, "result")
        seen = int(after) if after.isdecimal() else None
        type_in(self.store, one.round, one.table, points_of(form), me.name, after=seen)
        return RedirectResponse(address_of(one), 303)

    def seen(self, request: Request, me: Me, _form: FormData) -> Response:
        """Take a refused upload off the list; it stays in the audit log."""
        row = next(iter(self.store.every(AuditRow, id=request.path_params["row"], kind="refused")), None)
        if row is None:
            raise HTTPException(404, "there is no such refused upload")
        self.store.audit("seen", row.what, me.name, about=row.id)
        return RedirectResponse("/", 303)

    # Taking in

    def upload(self, _request: Request, me: Me, form: FormData) -> Response:
        """Take uploaded files in."""
        keys, arrived = self.front.keys(), list[Arrival]()
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
        number = text_of(form, "folder")
        if not (number.isdecimal() and int(number) < len(self.front.setup.folders)):
            raise ValueError("no such folder: --folder names those that there are")
        path = self.front.setup.folders[int(number)]
        if not path.is_dir():
            raise ValueError(f"{path}: there is no such folder now; is the stick mounted?")
        return self._arrived(self._take(self.front.keys(), path, path.name, me, form), me)

    def _take(
        self, keys: Mapping[str, Trusted], path: Path, name: str, me: Me, form: FormData
    ) -> list[Arrival]:
        wanted = text_of(form, "round")
        number = int(wanted) if wanted.isdecimal() else None
        spare = bool(form.get("spare"))
        return take_in(
            self.store, keys, self.front.setup.vet, path, name, me.name, number=number, spare=spare
        )

    def _arrived(self, arrived: Sequence[Arrival], me: Me) -> Response:
        return self.front.page("arrivals", me, arrived=sorted(arrived, key=lambda one: one.refused is None))

    # People and rounds

    def add_person(self, _request: Request, me: Me, form: FormData) -> Response:
        """Add somebody."""
        self._add_people(
            [Attendee(name=name_of(form, "name"), club=text_of(form, "club")[: sheets.LONGEST])], me
        )
        return RedirectResponse("/people", 303)

    def import_people(self, _request: Request, me: Me, form: FormData) -> Response:
        """Add who is in a table, and change the clubs of those who are there already."""
        self._add_people(sheets.people_of(upload_of(form)), me)
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

    def type_seats(self, _request: Request, me: Me, form: FormData) -> Response:
        """Keep the seats that were typed."""
        return self._plan(str(form.get("lines", "")).encode(), me)

    def import_seats(self, _request: Request, me: Me, form: FormData) -> Response:
        """Keep the seats of a table, for each round that is in it."""
        return self._plan(upload_of(form), me)

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
        seed = text_of(form, "seed")
        if not seed.isdecimal():
            raise ValueError(f'the seed is a whole number, not "{seed}"')
        people = people_of(self.store.people(), str(form.get("fixed", "")), str(form.get("teachers", "")))
        rules = rules_of(text_of(form, "sizes"), str(form.get("apart", "")))
        plan, byes, wrong = drawn(people, rules, self.store.seats(), number, int(seed))
        self.store.audit("draw", f"round {number} with the seed {seed}", me.name)
        data = {"plan": plan, "byes": byes, "wrong": wrong, "lines": seat_lines(plan)}
        return self.front.page("drawn", me, number=number, **data)

    def name_event(self, _request: Request, me: Me, form: FormData) -> Response:
        """Name the event."""
        name = name_of(form, "name")
        self.store.name_event(name, me.name)
        self.store.audit("event", f"named {name}", me.name)
        return RedirectResponse("/", 303)
