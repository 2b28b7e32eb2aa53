"""Acts of the forms on the desk's pages."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from device.event.desk import rows
from device.event.desk.front import (
    COOKIE,
    WAYS,
    Front,
    address_of,
    id_of,
    name_of,
    points_of,
    text_of,
)
from device.event.desk.gate import Me
from device.event.desk.intake import Arrival, Intake, type_in
from device.event.desk.live import tips
from device.event.desk.looking import Looking
from device.event.desk.sheets import LONGEST
from device.event.desk.store import StoreError
from device.event.provision import ProvisionError, revoke
from device.match import MOST_BY_HAND


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

    def password(self, _request: Request, me: Me, form: FormData) -> str:
        """Change one's own password."""
        self.gate.change(me, str(form.get("old", "")), str(form.get("new", "")))
        return "/login"

    def renew(self, request: Request, me: Me, form: FormData) -> Response:
        """Make an account, or a new password for one."""
        name, role = name_of(form, "name"), rows.Role(text_of(form, "role"))
        if name == me.name:
            raise ValueError("change your own password by the link with your name")
        return self.look.accounts(request, me, (name, self.gate.renew(name, role, me.name)))

    def close(self, _request: Request, me: Me, form: FormData) -> str:
        """Close an account."""
        self.gate.close(text_of(form, "name"), me.name)
        return "/accounts"

    # Tables

    def rule(self, request: Request, me: Me, form: FormData) -> str:
        """Keep a judge's ruling on what the judge saw."""
        one, reason = self.front.table(request), text_of(form, "reason")
        if not reason:
            raise ValueError("a ruling needs its reason")
        ruled = rows.Ways(text_of(form, "ruled"))
        points, places = points_of(form) if ruled is rows.Ways.SCORES else ({}, ())
        if ruled is rows.Ways.SCORES and len(points) < 2:
            raise ValueError("give the points of everybody at the table")
        result, before = one.result, one.ruling
        if (id_of(result), id_of(before)) != (text_of(form, "result"), text_of(form, "ruling")):
            raise StoreError(f"{one.table}: something came in since you looked; look again and rule then")
        if ruled is rows.Ways.STANDS and result is None:
            raise ValueError("there is no result that could stand")
        row = rows.DeskRuling(
            round=one.round,
            table=one.table,
            result=result.id if result else None,
            ruled=ruled,
            reason=reason[:400],
            names=tuple(points),
            scores=tuple(points.values()),
            places=places,
            match=result.match if result else self.front.played(one).match,
        )
        self.store.add(row, me.name, after=before)
        said = ", ".join(f"{name} {number}" for name, number in points.items())
        what = f"{one.table}, round {one.round}: {WAYS[ruled]}{said and f': {said}'}; {reason[:400]}"
        self.store.audit("ruling", what, me.name)
        return address_of(one)

    def give_points(self, request: Request, me: Me, form: FormData) -> str:
        """Give somebody points by hand in the match that is being played, or take some; the table agrees."""
        one, reason = self.front.table(request), text_of(form, "reason")[:400]
        name, typed, played = text_of(form, "name"), text_of(form, "points"), self.front.played(one)
        if not played.match or played.over:
            raise StoreError(f"{one.table}: no match is played there now, as far as its box has told")
        if name not in played.names:
            raise ValueError(f"{name or 'nobody'} does not play at {one.table}: {', '.join(played.names)}")
        points = int(typed) if re.fullmatch("[+-]?[0-9]{1,3}", typed, re.ASCII) else 0
        if not 0 < abs(points) <= MOST_BY_HAND:
            most = f"from -{MOST_BY_HAND} to {MOST_BY_HAND}"
            raise ValueError(f'the points are a whole number {most}, not 0, not "{typed}"')
        if not reason:
            raise ValueError("points by hand need their reason")
        row = rows.PointsByHand(
            round=one.round, table=one.table, match=played.match, name=name, points=points, reason=reason
        )
        self.store.add(row, me.name)
        said = f"{one.table}, round {one.round}: {name} {points:+d} by hand; {reason}"
        self.store.audit("ruling", said, me.name)
        return address_of(one)

    def type(self, request: Request, me: Me, form: FormData) -> str:
        """Keep a result that was typed from paper."""
        one, after = self.front.table(request), text_of(form, "result")
        seen = int(after) if after.isdecimal() else None
        points, places = points_of(form)
        type_in(self.store, one.round, one.table, points, me.name, after=seen, places=places)
        return address_of(one)

    def call(self, request: Request, me: Me, form: FormData) -> str:
        """Call a judge to a table."""
        one, said = self.front.table(request), text_of(form, "said")[:LONGEST]
        if any((call.round, call.table) == (one.round, one.table) for call in self.store.calls()):
            raise StoreError(f"{one.table} waits for a judge already: see Tables")
        self.store.add(rows.Call(round=one.round, table=one.table, said=said), me.name)
        self.store.audit("call", f"{one.table}, round {one.round}: {said or 'a judge, please'}", me.name)
        return address_of(one)

    def answer(self, request: Request, me: Me, form: FormData) -> str:
        """Answer a call, in the judge's name."""
        said = text_of(form, "said")[:400] or "seen to"
        call = next((one for one in self.store.calls() if one.id == request.path_params["row"]), None)
        if call is None:
            raise StoreError("another judge has answered that call: see the table's page")
        answered = msgspec.structs.replace(call, said=said, answered=True)
        self.store.add(answered, me.name, after=call)
        self.store.audit("call", f"{call.table}, round {call.round}: answered by {me.name}: {said}", me.name)
        return "/"

    def revoke(self, request: Request, me: Me, form: FormData) -> str:
        """Revoke a lost box's key: what is here already counts, later records do not; and note it."""
        one, noted = self.front.table(request), "".join(text_of(form, "phrase").split()).lower()
        if not form.get("sure"):
            raise ValueError(f"say that the box of {one.table} is lost: its key counts no more after that")
        if noted and not re.fullmatch("[0-9a-f]{16,64}", noted):
            raise ValueError(f'a phrase is 16 digits, 0 to 9 and a to f, not "{text_of(form, "phrase")}"')
        self.front.keys()
        here = [row.tip for row in self.store.every(rows.TableResult, signer=one.table)]
        here += [tip for tip in tips(self.store.every(rows.LiveRecord, who=one.table)) if tip not in here]
        try:
            revoke(self.front.setup.keys_file, one.table, [*here, *filter(None, [noted])])
        except (ProvisionError, OSError) as error:
            raise ValueError(str(error)) from error
        self.store.audit(
            "key", f"the key of {one.table} counts up to {len(here)} checkpoints, no further", me.name
        )
        return address_of(one)

    def rule_here(self, _request: Request, me: Me, _form: FormData) -> str:
        """Let this desk rule the event: it answers boxes, and takes forms; every other one only looks."""
        self.store.set(me.name, desk=self.front.setup.name)
        self.store.audit("desk", f"{self.front.setup.name} rules", me.name)
        return "/"

    def seen(self, request: Request, me: Me, _form: FormData) -> str:
        """Take a refused upload off the list; it stays in the audit log."""
        row = next(iter(self.store.every(rows.AuditRow, id=request.path_params["row"], kind="refused")), None)
        if row is None:
            raise HTTPException(404, "there is no such refused upload")
        self.store.audit("seen", row.what, me.name, about=row.id)
        return "/"

    # Taking in

    def upload(self, _request: Request, me: Me, form: FormData) -> Response:
        """Take uploaded files in."""
        intake, arrived = self._intake(me, form), list[Arrival]()
        for one in form.getlist("files"):
            if isinstance(one, UploadFile) and one.filename:
                arrived += intake.take(one.filename[-120:], one.file.read())
        return self._arrived(arrived, me)

    def folder(self, _request: Request, me: Me, form: FormData) -> Response:
        """Take what lies in a folder in that was named at the start."""
        number = text_of(form, "folder")
        if not (number.isdecimal() and int(number) < len(self.front.setup.folders)):
            raise ValueError("no such folder: --folder names those that there are")
        path = self.front.setup.folders[int(number)]
        if not path.is_dir():
            raise ValueError(f"{path}: there is no such folder now; is the stick mounted?")
        return self._arrived(self._intake(me, form).take_folder(path.name, path), me)

    def _intake(self, me: Me, form: FormData) -> Intake:
        wanted, keys = text_of(form, "round"), self.front.keys()
        number = int(wanted) if wanted.isdecimal() else None
        return Intake(self.store, keys, self.front.setup.vet, me.name, number, bool(form.get("spare")))

    def _arrived(self, arrived: Sequence[Arrival], me: Me) -> Response:
        return self.front.page("arrivals", me, arrived=sorted(arrived, key=lambda one: one.refused is None))
