"""Handlers of the forms on the desk's pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Sequence
from typing import Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from device.event.desk import rows, sheets
from device.event.desk.front import (
    COOKIE,
    LONG_TEXT,
    RULING_TEXTS,
    Front,
    SubmittedForm,
    make_address,
    write_row_id,
    write_seats,
)
from device.event.desk.gate import Visitor
from device.event.desk.grounds import find_last_hashes
from device.event.desk.intake import Arrival, Intake
from device.event.desk.rounds import (
    draw_round,
    list_earlier_rounds,
    parse_people,
    parse_rules,
    reseat_table,
    seat_latecomer,
    take_out_player,
)
from device.event.desk.standings import parse_tie_breaks
from device.event.desk.store import StoreError
from device.event.provision import ProvisionError, revoke
from device.match import MOST_BY_HAND
from engines.contract import SEATS

WISHES: Final = ("sizes", "apart", "fixed", "teachers")
"""The settings of a draw, kept for the next one."""


class DeskForms:
    """The handlers of forms about results, accounts and tables; routes check the sender's rank."""

    def __init__(self, front: Front) -> None:
        self.front, self.store, self.gate = front, front.store, front.gate

    # Sessions and accounts

    def leave(self, _request: Request, me: Visitor, _form: SubmittedForm) -> Response:
        """End a session."""
        self.store.leave(me.digest, me.name)
        answer = RedirectResponse("/login", 303)
        answer.delete_cookie(COOKIE)
        return answer

    def password(self, _request: Request, me: Visitor, form: SubmittedForm) -> str:
        """Change one's own password."""
        self.gate.change(me, form.typed("old"), form.typed("new"))
        return "/login"

    def renew(self, _request: Request, me: Visitor, form: SubmittedForm) -> Response:
        """Make an account, or a new password for an account."""
        name, role = form.name("name"), rows.Role(form.text("role"))
        if name == me.name:
            raise ValueError("change your own password with the link on your name")
        return self.front.page("accounts", me, new_password=(name, self.gate.renew(name, role, me.name)))

    def close(self, _request: Request, me: Visitor, form: SubmittedForm) -> str:
        """Close an account."""
        self.gate.close(form.text("name"), me.name)
        return "/accounts"

    # Tables

    def rule(self, request: Request, me: Visitor, form: SubmittedForm) -> str:
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

    def give_points(self, request: Request, me: Visitor, form: SubmittedForm) -> str:
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

    def type(self, request: Request, me: Visitor, form: SubmittedForm) -> str:
        """Keep a result that was typed from paper."""
        one, (scored, said) = self.front.table(request), form.points()
        if not 2 <= len(scored["names"]) <= len(SEATS):
            raise ValueError(f"{one.table}: points of 2 to {len(SEATS)} people make a result")
        if write_row_id(one.result) != form.text("result"):
            raise StoreError(f"{one.table}: another result came in meanwhile; look again and repeat it")
        row = rows.TableResult(round=one.round, table=one.table, source="typed", **scored)
        self.store.add(row, me.name, after=one.result)
        return self._note_act(one, "result", f"typed: {said}", me)

    def call(self, request: Request, me: Visitor, form: SubmittedForm) -> str:
        """Call a judge to a table."""
        one, said = self.front.table(request), form.text("said", sheets.LONGEST)
        if any((call.round, call.table) == (one.round, one.table) for call in self.store.calls()):
            raise StoreError(f"{one.table} waits for a judge already: see Tables")
        self.store.add(rows.JudgeCall(round=one.round, table=one.table, said=said), me.name)
        return self._note_act(one, "call", said or "a judge, please", me)

    def answer(self, request: Request, me: Visitor, form: SubmittedForm) -> str:
        """Answer a call in the judge's name."""
        said = form.text("said", LONG_TEXT) or "seen to"
        call = next((one for one in self.store.calls() if one.id == request.path_params["row"]), None)
        if call is None:
            raise StoreError("another judge has answered that call: see the table's page")
        answered = msgspec.structs.replace(call, said=said, answered=True)
        self.store.add(answered, me.name, after=call)
        self.store.audit("call", f"{call.table}, round {call.round}: answered by {me.name}: {said}", me.name)
        return "/"

    def revoke(self, request: Request, me: Visitor, form: SubmittedForm) -> str:
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

    def take_charge(self, _request: Request, me: Visitor, _form: SubmittedForm) -> str:
        """Put this desk in charge: it answers boxes and takes forms; every other desk only looks."""
        self.store.set(me.name, desk=self.front.setup.name)
        self.store.audit("desk", f"{self.front.setup.name} rules", me.name)
        return "/"

    def seen(self, request: Request, me: Visitor, _form: SubmittedForm) -> str:
        """Take a refused upload off the list; it stays in the audit log."""
        row = next(iter(self.store.every(rows.AuditRow, id=request.path_params["row"], kind="refused")), None)
        if row is None:
            raise HTTPException(404, "there is no such refused upload")
        self.store.audit("seen", row.what, me.name, about=row.id)
        return "/"

    # Taking in

    def upload(self, _request: Request, me: Visitor, form: SubmittedForm) -> Response:
        """Take in uploaded files."""
        intake = self._make_intake(me, form)
        arrived = [one for name, data in form.files() for one in intake.take(name, data)]
        return self._show_arrivals(arrived, me)

    def folder(self, _request: Request, me: Visitor, form: SubmittedForm) -> Response:
        """Take in the files of a folder that an option at the start named."""
        number = form.text("folder")
        if not (number.isdecimal() and int(number) < len(self.front.setup.folders)):
            raise ValueError("no such folder: --folder names the folders")
        path = self.front.setup.folders[int(number)]
        if not path.is_dir():
            raise ValueError(f"{path}: there is no such folder now; is the stick mounted?")
        return self._show_arrivals(self._make_intake(me, form).take_folder(path.name, path), me)

    def _make_intake(self, me: Visitor, form: SubmittedForm) -> Intake:
        wanted, keys = form.text("round"), self.front.keys()
        number = int(wanted) if wanted.isdecimal() else None
        return Intake(self.store, keys, me.name, number, bool(form.text("spare")))

    def _show_arrivals(self, arrived: Sequence[Arrival], me: Visitor) -> Response:
        return self.front.page("arrivals", me, arrived=sorted(arrived, key=lambda one: one.refused is None))


class Planning:
    """The handlers of forms about people and rounds; routes check the sender's rank."""

    def __init__(self, front: Front) -> None:
        self.front, self.store = front, front.store

    def add_person(self, _request: Request, me: Visitor, form: SubmittedForm) -> str:
        """Add a player."""
        self._add_people([rows.Attendee(name=form.name("name"), club=form.text("club", sheets.LONGEST))], me)
        return "/people"

    def import_people(self, _request: Request, me: Visitor, form: SubmittedForm) -> str:
        """Add the players of a table, and change the clubs of known ones."""
        self._add_people(sheets.read_people(form.file()), me)
        return "/people"

    def _add_people(self, people: Sequence[rows.Attendee], me: Visitor) -> None:
        there = {one.name.casefold(): one for one in self.store.people()}
        for one in people:
            before = there.get(one.name.casefold())
            if before is None or (before.club, before.gone) != (one.club, False):
                self.store.add(one, me.name, after=before)
        self.store.audit("people", f"added or changed: {', '.join(one.name for one in people)}", me.name)

    def turn_person(self, request: Request, me: Visitor, _form: SubmittedForm) -> str:
        """Take a player out of the event, or let them play again."""
        one = next((one for one in self.store.people() if one.id == request.path_params["row"]), None)
        if one is None:
            raise StoreError("somebody has changed that just now; look again and repeat it")
        self.store.add(msgspec.structs.replace(one, gone=not one.gone), me.name, after=one)
        said = "plays again" if one.gone else "no longer plays"
        self.store.audit("people", f"{one.name} {said}", me.name)
        return "/people"

    def type_seats(self, _request: Request, me: Visitor, form: SubmittedForm) -> str:
        """Keep typed seats."""
        return self._plan_rounds(form.typed("lines").encode(), me)

    def import_seats(self, _request: Request, me: Visitor, form: SubmittedForm) -> str:
        """Keep the seats of a table, for each round in it; it may plan several rounds at once."""
        return self._plan_rounds(form.file(), me)

    def _plan_rounds(self, data: bytes, me: Visitor) -> str:
        found = sheets.read_seats(data, self.store.people())
        if not found:
            raise ValueError("no seat is in it: nothing was changed")
        if new := found.keys() - {*self.store.rounds()}:
            self._check_closed(max(new), found)
        for number, seats in found.items():
            tables = len({seat.table for seat in seats})
            self._keep_plan(number, seats, me, f"{len(seats)} people at {tables} tables")
        return f"/rounds?round={min(found)}"

    def _keep_plan(self, number: int, seats: Sequence[rows.SeatRow], me: Visitor, said: str) -> None:
        self.store.plan(number, seats, me.name)
        self.store.audit("plan", f"round {number}: {said}", me.name)

    def _check_closed(self, number: int, planned: Container[int] = ()) -> None:
        """Raise StoreError while tables of earlier rounds wait, except rounds ``planned`` with this one."""
        before = [one for one in self.store.tables() if one.round < number and one.round not in planned]
        if waiting := [f"{one.table} of round {one.round}" for one in before if not one.done]:
            raise StoreError(f"not in yet: {', '.join(waiting)}; take them in or rule them first")

    def draw(self, request: Request, me: Visitor, form: SubmittedForm) -> Response:
        """Draw a round and show it with all its faults; the desk keeps it only when somebody publishes it."""
        number = self._read_round_number(request)
        self._check_closed(number)
        seed = form.number("seed", "the seed", 0, 999_999_999)
        wishes = {name: form.typed(name).strip() for name in WISHES}
        roll, rules = self.store.roll(number), parse_rules(wishes["sizes"], wishes["apart"])
        there = parse_people(roll, wishes["fixed"], wishes["teachers"], rules.apart)
        keys = self.front.keys() if self.front.setup.keys_file.exists() else {}  # all results may be typed
        boxes = [box.name for box in keys.values()]
        before = list_earlier_rounds(self.store, number)
        plan, byes, wrong = draw_round(there, rules, before, number, seed, boxes)
        self.store.set(me.name, **wishes)
        self.store.audit("draw", f"round {number} with the seed {seed}", me.name)
        away = [f"{name} ({how})" for name, how in roll.items() if how is not rows.Roll.HERE]
        said = {"byes": byes, "wrong": wrong, "away": away, "called": self.store.called(number)}
        return self.front.page("drawn", me, number=number, plan=plan, lines=write_seats(plan), **said)

    def name_event(self, _request: Request, me: Visitor, form: SubmittedForm) -> str:
        """Name the event."""
        name = form.name("name")
        self.store.set(me.name, event=name)
        self.store.audit("event", f"named {name}", me.name)
        return "/"

    def set_delay(self, _request: Request, me: Visitor, form: SubmittedForm) -> str:
        """Let everybody see results only some minutes after they came in."""
        minutes = form.number("delay", "the minutes of the delay", 0, 999)
        self.store.set(me.name, delay=str(minutes))
        self.store.audit("event", f"the public page shows results after {minutes} min", me.name)
        return "/rounds"

    def set_order(self, _request: Request, me: Visitor, form: SubmittedForm) -> str:
        """Set the tie-breaks of the standings."""
        order = ", ".join(parse_tie_breaks(form.text("order")))
        self.store.set(me.name, order=order)
        self.store.audit("event", f"the standings go by {order}", me.name)
        return "/standings"

    def set_clock(self, request: Request, me: Visitor, form: SubmittedForm) -> str:
        """Start, pause or resume a round's clock, or give it more minutes."""
        number, do = self._read_round_number(request), form.text("do")
        minutes = form.number("minutes", "the minutes", 1, 999) if do in ("start", "more") else 0
        before = self.store.clock(number)
        left, runs = (before.left(self.store.now_ms), before.running) if before else (0, False)
        ways = {
            "start": (minutes * 60, True, f"started, {minutes} minutes"),
            "more": (max(left, 0) + minutes * 60, runs, f"{minutes} minutes more"),
            "pause": (left, False, "paused"),
            "go": (left, True, "running"),
        }
        if do not in ways:
            raise ValueError("the clock can start, pause, go on or get more minutes")
        if do != "start" and before is None:
            raise ValueError("the clock was not started yet")
        left, now_runs, said = ways[do]
        if do in ("pause", "go") and now_runs is runs:
            raise ValueError(f"the clock is {said} already")
        if do == "start":
            self.store.set(me.name, minutes=str(minutes))
        self.store.add(rows.RoundClock(round=number, left_s=left, running=now_runs), me.name, after=before)
        self.store.audit("clock", f"round {number}: {said}", me.name)
        return f"/?round={number}"

    # The roll call

    def _read_round_number(self, request: Request) -> int:
        number = int(request.path_params["number"])
        if not 1 <= number <= sheets.MOST_ROUNDS:
            raise ValueError(f"rounds are numbered from 1 to {sheets.MOST_ROUNDS}")
        return number

    def call_roll(self, request: Request, me: Visitor, form: SubmittedForm) -> str:
        """Keep the roll call of a round: everybody the first time, afterwards those who changed."""
        number, changed = self._read_round_number(request), Counter[rows.Roll]()
        before = {row.person: row for row in self.store.current(rows.RollAnswer, round=number)}
        for one in self.store.people():
            how, was = form.text(f"roll.{one.id}"), form.text(f"was.{one.id}")
            if how and (one.name not in before or how != was):
                row = rows.RollAnswer(round=number, person=one.name, roll=rows.Roll(how))
                self.store.add(row, me.name, after=before.get(one.name))
                changed[rows.Roll(how)] += 1
        changes = ", ".join(f"{n} {how}" for how, n in changed.items()) or "nobody changed"
        self.store.audit("roll call", f"round {number}: {changes}", me.name)
        return f"/rollcall?round={number}"

    def _note_present(self, number: int, name: str, me: Visitor) -> None:
        """Note a player as present in a round; raise ValueError for a name that does not play."""
        if (how := self.store.roll(number).get(name)) is None:
            raise ValueError(f"{name or 'nobody'} does not play: see People")
        if how is not rows.Roll.HERE:
            before = next(iter(self.store.current(rows.RollAnswer, round=number, person=name)), None)
            self.store.add(
                rows.RollAnswer(round=number, person=name, roll=rows.Roll.HERE), me.name, after=before
            )

    def join(self, request: Request, me: Visitor, form: SubmittedForm) -> str:
        """Seat a latecomer at a table that is not full."""
        number, name = self._read_round_number(request), form.text("person")
        self._note_present(number, name, me)
        rules = parse_rules(self.store.setting("sizes", "4,3"), self.store.setting("apart"))
        seat = seat_latecomer(self.store.tables(number), name, rules, list_earlier_rounds(self.store, number))
        self._keep_plan(
            number,
            [*self.store.seats(number), seat],
            me,
            f"{name} came late, to seat {seat.seat} of {seat.table}",
        )
        return f"/rollcall?round={number}"

    def take_out(self, request: Request, me: Visitor, form: SubmittedForm) -> str:
        """Take a player who did not come out of a round, or give the seat to somebody who stands by."""
        number, name, instead = self._read_round_number(request), form.text("person"), form.text("instead")
        seats = self.store.seats(number)
        if instead:
            self._note_present(number, instead, me)
            if any(one.person == instead for one in seats):
                raise StoreError(f"{instead} has a seat by now; look again")
        left, said = take_out_player(seats, name, instead)
        at = next(seat.table for seat in seats if seat.person == name)
        if any(
            one.table == at and one.state is not rows.Stage.OUTSTANDING for one in self.store.tables(number)
        ):
            raise StoreError(f"{at} has a result: correct who sat there on its page")
        how = f"{instead} sits in for {name}" if instead else f"{name} did not come"
        self._keep_plan(number, left, me, "; ".join(filter(None, (how, said))))
        return f"/rollcall?round={number}"

    def reseat(self, request: Request, me: Visitor, form: SubmittedForm) -> str:
        """Correct the seats of one table, even during its match."""
        one = self.front.table(request)
        if form.text("plan") != write_row_id(self.store.plans().get(one.round)):
            why = "the plan has changed since you looked; look again and repeat it"
            raise StoreError(f"{one.table}: {why}")
        people = {seat: form.text(f"seat.{seat}") for seat in SEATS}
        known = {person.name for person in self.store.people() if not person.gone}
        seats = reseat_table(self.store.seats(one.round), one.round, one.table, people, known)
        now = ", ".join(f"{seat} {name}" for seat, name in people.items() if name)
        self._keep_plan(one.round, seats, me, f"seats of {one.table} corrected: {now}")
        return make_address(one)
