"""Handlers of the forms on the desk's pages."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from device.event.desk import rows
from device.event.desk.front import COOKIE, LONG_TEXT, RULING_TEXTS, Form, Front, make_address, write_row_id
from device.event.desk.gate import Visitor
from device.event.desk.grounds import find_last_hashes
from device.event.desk.intake import Arrival, Intake
from device.event.desk.sheets import LONGEST
from device.event.desk.store import StoreError
from device.event.provision import ProvisionError, revoke
from device.match import MOST_BY_HAND
from engines.contract import SEATS


class Acting:
    """The handlers of forms about results, accounts and tables; routes check the sender's rank."""

    def __init__(self, front: Front) -> None:
        self.front, self.store, self.gate = front, front.store, front.gate

    # Sessions and accounts

    def leave(self, _request: Request, me: Visitor, _form: Form) -> Response:
        """End a session."""
        self.store.leave(me.digest, me.name)
        answer = RedirectResponse("/login", 303)
        answer.delete_cookie(COOKIE)
        return answer

    def password(self, _request: Request, me: Visitor, form: Form) -> str:
        """Change one's own password."""
        self.gate.change(me, form.typed("old"), form.typed("new"))
        return "/login"

    def renew(self, _request: Request, me: Visitor, form: Form) -> Response:
        """Make an account, or a new password for an account."""
        name, role = form.name("name"), rows.Role(form.text("role"))
        if name == me.name:
            raise ValueError("change your own password with the link on your name")
        return self.front.page("accounts", me, new_password=(name, self.gate.renew(name, role, me.name)))

    def close(self, _request: Request, me: Visitor, form: Form) -> str:
        """Close an account."""
        self.gate.close(form.text("name"), me.name)
        return "/accounts"

    # Tables

    def rule(self, request: Request, me: Visitor, form: Form) -> str:
        """Keep a judge's ruling on the result that the judge's page showed."""
        one, reason = self.front.table(request), form.reason()
        ruled = rows.RulingKind(form.text("ruled"))
        scored, said = form.points() if ruled is rows.RulingKind.SCORES else ({}, "")
        if ruled is rows.RulingKind.SCORES and len(scored["names"]) < 2:
            raise ValueError("give the points of everybody at the table")
        result, before = one.result, one.ruling
        if (write_row_id(result), write_row_id(before)) != (form.text("result"), form.text("ruling")):
            raise StoreError(f"{one.table}: something came in since you looked; look again and rule then")
        if ruled is rows.RulingKind.STANDS and not (result and result.scores):
            raise ValueError("there is no score that could stand: give the points")
        row = rows.DeskRuling(
            round=one.round,
            table=one.table,
            result=result.id if result else None,
            ruled=ruled,
            reason=reason,
            match=result.match if result else self.front.played(one).match,
            **scored,
        )
        self.store.add(row, me.name, after=before)
        return self._note_act(one, "ruling", f"{RULING_TEXTS[ruled]}{said and f': {said}'}; {reason}", me)

    def _note_act(self, one: rows.TableState, kind: str, what: str, me: Visitor) -> str:
        """Note an act at a table; return the address of its page."""
        self.store.audit(kind, f"{one.table}, round {one.round}: {what}", me.name)
        return make_address(one)

    def give_points(self, request: Request, me: Visitor, form: Form) -> str:
        """Give somebody points by hand in the match being played, or take some; the table must agree."""
        one, reason = self.front.table(request), form.reason()
        name, played = form.text("name"), self.front.played(one)
        if not played.match or played.over:
            raise StoreError(f"{one.table}: its box reports no match in progress")
        if name not in played.names:
            raise ValueError(f"{name or 'nobody'} does not play at {one.table}: {', '.join(played.names)}")
        if not (points := form.number("points", "the points", -MOST_BY_HAND, MOST_BY_HAND)):
            raise ValueError("0 points change nothing: give some, or take some")
        row = rows.PointsByHand(
            round=one.round, table=one.table, match=played.match, name=name, points=points, reason=reason
        )
        self.store.add(row, me.name)
        return self._note_act(one, "ruling", f"{name} {points:+d} by hand; {reason}", me)

    def type(self, request: Request, me: Visitor, form: Form) -> str:
        """Keep a result that was typed from paper."""
        one, (scored, said) = self.front.table(request), form.points()
        if not 2 <= len(scored["names"]) <= len(SEATS):
            raise ValueError(f"{one.table}: points of 2 to {len(SEATS)} people make a result")
        if write_row_id(one.result) != form.text("result"):
            raise StoreError(f"{one.table}: another result came in meanwhile; look again and repeat it")
        row = rows.TableResult(round=one.round, table=one.table, source="typed", **scored)
        self.store.add(row, me.name, after=one.result)
        return self._note_act(one, "result", f"typed: {said}", me)

    def call(self, request: Request, me: Visitor, form: Form) -> str:
        """Call a judge to a table."""
        one, said = self.front.table(request), form.text("said", LONGEST)
        if any((call.round, call.table) == (one.round, one.table) for call in self.store.calls()):
            raise StoreError(f"{one.table} waits for a judge already: see Tables")
        self.store.add(rows.JudgeCall(round=one.round, table=one.table, said=said), me.name)
        return self._note_act(one, "call", said or "a judge, please", me)

    def answer(self, request: Request, me: Visitor, form: Form) -> str:
        """Answer a call in the judge's name."""
        said = form.text("said", LONG_TEXT) or "seen to"
        call = next((one for one in self.store.calls() if one.id == request.path_params["row"]), None)
        if call is None:
            raise StoreError("another judge has answered that call: see the table's page")
        answered = msgspec.structs.replace(call, said=said, answered=True)
        self.store.add(answered, me.name, after=call)
        self.store.audit("call", f"{call.table}, round {call.round}: answered by {me.name}: {said}", me.name)
        return "/"

    def revoke(self, request: Request, me: Visitor, form: Form) -> str:
        """Revoke a lost box's key and note it: records that the desk has still count, later ones do not."""
        one, noted = self.front.table(request), "".join(form.text("phrase").split()).lower()
        if not form.text("sure"):
            raise ValueError(
                f"confirm that the box of {one.table} is lost: its key no longer counts after that"
            )
        if noted and not re.fullmatch("[0-9a-f]{16,64}", noted):
            raise ValueError(f'a phrase is 16 digits, 0 to 9 and a to f, not "{form.text("phrase")}"')
        self.front.keys()
        here = [row.tip for row in self.store.every(rows.TableResult, signer=one.table)]
        here += find_last_hashes(self.store.every(rows.LiveRecord, who=one.table))
        counted = [*dict.fromkeys(here)]
        try:
            revoke(self.front.setup.keys_file, one.table, [*counted, *filter(None, [noted])])
        except (ProvisionError, OSError) as error:
            raise ValueError(str(error)) from error
        said = f"the key of {one.table} counts up to {len(counted)} checkpoints, no further"
        self.store.audit("key", said, me.name)
        return make_address(one)

    def take_charge(self, _request: Request, me: Visitor, _form: Form) -> str:
        """Put this desk in charge: it answers boxes and takes forms; every other desk only looks."""
        self.store.set(me.name, desk=self.front.setup.name)
        self.store.audit("desk", f"{self.front.setup.name} rules", me.name)
        return "/"

    def seen(self, request: Request, me: Visitor, _form: Form) -> str:
        """Take a refused upload off the list; it stays in the audit log."""
        row = next(iter(self.store.every(rows.AuditRow, id=request.path_params["row"], kind="refused")), None)
        if row is None:
            raise HTTPException(404, "there is no such refused upload")
        self.store.audit("seen", row.what, me.name, about=row.id)
        return "/"

    # Taking in

    def upload(self, _request: Request, me: Visitor, form: Form) -> Response:
        """Take in uploaded files."""
        intake = self._make_intake(me, form)
        arrived = [one for name, data in form.files() for one in intake.take(name, data)]
        return self._show_arrivals(arrived, me)

    def folder(self, _request: Request, me: Visitor, form: Form) -> Response:
        """Take in the files of a folder that an option at the start named."""
        number = form.text("folder")
        if not (number.isdecimal() and int(number) < len(self.front.setup.folders)):
            raise ValueError("no such folder: --folder names the folders")
        path = self.front.setup.folders[int(number)]
        if not path.is_dir():
            raise ValueError(f"{path}: there is no such folder now; is the stick mounted?")
        return self._show_arrivals(self._make_intake(me, form).take_folder(path.name, path), me)

    def _make_intake(self, me: Visitor, form: Form) -> Intake:
        wanted, keys = form.text("round"), self.front.keys()
        number = int(wanted) if wanted.isdecimal() else None
        return Intake(self.store, keys, me.name, number, bool(form.text("spare")))

    def _show_arrivals(self, arrived: Sequence[Arrival], me: Visitor) -> Response:
        return self.front.page("arrivals", me, arrived=sorted(arrived, key=lambda one: one.refused is None))
