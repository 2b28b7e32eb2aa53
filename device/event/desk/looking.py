"""The desk's pages that only show something."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Final

import segno
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from device.event.bundle import pack_bundle
from device.event.desk import rows, sheets
from device.event.desk.front import COOKIE, Front, send_file, write_row_id, write_seats
from device.event.desk.gate import Visitor
from device.event.desk.intake import make_public_match
from device.event.desk.rounds import find_mismatches, split_lines
from device.event.desk.standings import TIE_BREAKS, tabulate_standings
from device.event.desk.whole import collect_journals, collect_papers
from device.event.messages import make_slug
from device.exports import write_csv
from device.texts import Texts, choose_language

AGAIN_S: Final = 30
"""Seconds until a page of tables reloads if no event tells it of changes."""
LOOK_S: Final = 1.0
"""Seconds between two looks for changes, and so the longest delay of an event."""
LISTENERS: Final = 100
"""The most pages that get events; further ones reload by themselves."""


class DeskPages:
    """The pages; routes check the visitor's rank."""

    def __init__(self, front: Front) -> None:
        self.front, self.store, self.page = front, front.store, front.page
        self._listeners = 0

    # Tables

    def tables(self, request: Request, me: Visitor) -> Response:
        """Show the tables that wait for somebody, then the finished ones."""
        rounds, number = self.front.asked_round(request)
        mark = self.front.mark(number)  # read first: a change during the rest is sent once more
        tables = self.store.tables(number)
        wrong = find_mismatches(tables, self.store.roll(number)) if self.store.called(number) else ()
        data = {"rounds": rounds, "number": number, "tables": tables, "wrong": wrong}
        return self.page("tables", me, again_s=AGAIN_S, mark=mark, **data)

    def changes(self, request: Request, me: Visitor) -> Response:
        """Send a page of tables each change, as server-sent events."""
        if self._listeners >= LISTENERS:
            raise HTTPException(
                503, f"{LISTENERS} pages already get changes at once; this one reloads by itself"
            )
        _, number = self.front.asked_round(request)
        cookie = request.cookies.get(COOKIE, "")
        changes, unbuffered = self._stream_changes(number, cookie), {"x-accel-buffering": "no"}
        return StreamingResponse(changes, media_type="text/event-stream", headers=unbuffered)

    async def _stream_changes(self, number: int, cookie: str) -> AsyncIterator[str]:
        """Yield an event for each change until the session ends."""
        self._listeners += 1
        before = ""
        try:
            while await run_in_threadpool(self.front.gate.who, cookie):
                mark = await run_in_threadpool(self.front.mark, number)
                yield f"data: {mark}\n\n" if mark != before else ": there\n\n"
                before = mark
                await asyncio.sleep(LOOK_S)
        finally:
            self._listeners -= 1

    def csv(self, request: Request, _me: Visitor) -> Response:
        """Send a table as CSV; seats of one round or of all."""
        what, tables = request.path_params["what"], self.store.tables()
        match what:
            case "results":
                text = write_csv(sheets.RESULTS, sheets.list_result_rows(tables))
            case "standings":
                text = write_csv(*tabulate_standings(tables, self.store.order))
            case "people":
                there = [(one.name, one.club) for one in self.store.people() if not one.gone]
                text = write_csv(sheets.PEOPLE, there)
            case "rounds":
                _, number = self.front.asked_round(request)
                text = write_seats(self.store.seats(number if "round" in request.query_params else None))
            case _:
                raise HTTPException(404, f"there is no table called {what}")
        return send_file(text.encode("utf-8-sig"), f"{what}.csv", "text/csv")

    def table(self, request: Request, me: Visitor) -> Response:
        """Show a table: the result that counts, its match, every result and ruling."""
        one = self.front.table(request)
        where = {"round": one.round, "table": one.table}
        kinds = (rows.TableResult, rows.DeskRuling, rows.JudgeCall, rows.PointsByHand)
        entries = [row for kind in kinds for row in self.store.every(kind, **where)]
        seated = {seat.person for seat in self.store.seats(one.round)}
        roll = self.store.roll(one.round).items()
        free = [name for name, how in roll if name not in seated and how is not rows.Roll.GONE]
        try:
            boxes = [box for box in self.front.keys().values() if box.name == one.table]
        except ValueError:
            boxes = []
        seats = [seat.person for seat in one.seats]
        data = {
            "names": one.counts.names if one.counts else seats,
            "record": make_public_match(self.store.journal(one.result.id)) if one.result else None,
            "playing": self.front.played(one),
            "entries": sorted(entries, key=lambda row: row.at),
            "revoked": boxes[0].counts_to is not None if boxes else None,
            "choices": seats + free,
            "plan": write_row_id(self.store.plans().get(one.round)),
        }
        return self.page("table", me, one=one, **data)

    def bundle(self, request: Request, me: Visitor) -> Response:
        """Send everything of the event in one bundle, complete before its first byte goes out; without the
        names to strike, one a line.
        """
        struck = list(split_lines(request.query_params.get("strike", "")))
        known = {one.name for one in self.store.every(rows.Attendee)}
        if unknown := [name for name in struck if name not in known]:
            raise ValueError(f"{unknown[0]} is none of the people: see People")
        journals, papers = collect_journals(self.store, struck), collect_papers(self.store, struck)
        data, _ = pack_bundle(journals, self.front.keys(), self.front.setup.version, papers)
        said = f"{len(journals)} matches and {len(papers)} tables, to a browser"
        self.store.audit("bundle", f"{said}, {len(struck)} names struck" if struck else said, me.name)
        return send_file(data, f"{make_slug(self.store.event)}.podesta.zip", "application/zip")

    def journal(self, request: Request, _me: Visitor) -> Response:
        """Send the journal of a result, unchanged and under its own name: a spare box goes on by it."""
        number = request.path_params["result"]
        if not (data := self.store.journal(number)):
            raise HTTPException(404, f"there is no journal of result {number}")
        name = self.store.every(rows.TableResult, id=number)[0].file.rpartition("/")[2]
        fit = re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}\.podesta", name)
        return send_file(data, name if fit else f"result-{number}.podesta", "application/octet-stream")

    def upload_page(self, _request: Request, me: Visitor) -> Response:
        """Ask for files."""
        lacking = "" if self.store.event else "Name the event first, under Rounds: boxes say its name."
        try:
            lacking = lacking or ("" if self.front.keys() else "There is no key in the file of keys.")
        except ValueError as error:
            lacking = str(error)
        return self.page("upload", me, lacking=lacking, folders=self.front.setup.folders)

    # People and rounds

    def rounds(self, request: Request, me: Visitor) -> Response:
        """Show the seats of a round."""
        rounds, number = self.front.asked_round(request)
        plan = self.store.seats(number)
        lines = write_seats(plan) if plan else f"{','.join(sheets.SEATING)}\n{number},table-01,a,"
        after = [rounds[-1] + 1] if rounds and rounds[-1] < sheets.MOST_ROUNDS else []
        data = {"number": number, "plan": plan, "lines": lines, "tie_breaks": TIE_BREAKS}
        return self.page("rounds", me, rounds=[*rounds, *after], **data)

    def rollcall(self, request: Request, me: Visitor) -> Response:
        """Show the roll call of a round, and its differences from the plan."""
        rounds, number = self.front.asked_round(request)
        after = rounds[-1] + 1 if rounds and rounds[-1] < sheets.MOST_ROUNDS else 0
        tables = self.store.tables(number)
        if after and "round" not in request.query_params and all(one.done for one in tables):
            number, tables = after, ()
        data = {
            "seats": {seat.person: seat for one in tables for seat in one.seats},
            "wrong": find_mismatches(tables, self.store.roll(number)) if tables else (),
        }
        return self.page("rollcall", me, rounds=[*rounds, *([after] if after else [])], number=number, **data)

    def standings(self, _request: Request, me: Visitor | None) -> Response:
        """Show the standings by all results so far; without an account, by those of a while ago."""
        tables = self.store.tables(until=None if me else self.front.shown_ms())
        waiting = [f"{one.table} of round {one.round}" for one in tables if not one.done]
        columns, lines = tabulate_standings(tables, self.store.order)
        parted = [TIE_BREAKS[by] for by in self.store.order]
        data = {"columns": columns, "rows": lines, "order": parted, "again_s": 0 if me else 60}
        return self.page("standings", me, waiting=waiting, rounds=self.store.rounds(), **data)

    def paper(self, request: Request, me: Visitor) -> Response:
        """Show a paper for the players, in the browser's language: the seats, or a slip for each table."""
        what, number = request.path_params["what"], request.path_params["number"]
        if what not in ("pairings", "slips"):
            raise HTTPException(404, f"there is no paper called {what}: pairings, slips")
        address = str(request.base_url).rstrip("/")

        def draw_qr(table: str) -> Markup:
            code = segno.make(f"{address}/round/{number}/table/{table}", error="m")
            return Markup(code.svg_inline(scale=2, border=2))

        shown = self.front.setup.fingerprint
        t = Texts.load(choose_language(request.headers.get("accept-language", "")))
        data = {"address": address, "fingerprint": shown, "t": t, "language": t.language}
        return self.page(what, me, number=number, plan=self.store.seats(number), qr=draw_qr, **data)

    def public(self, request: Request) -> Response:
        """Show everybody the seats, and the results that count."""
        rounds, number = self.front.asked_round(request)
        tables = self.store.tables(number, self.front.shown_ms())
        clock = self.store.clock(number)
        again_s = 20 if clock and clock.running else 60
        data = {"rounds": rounds, "number": number, "tables": tables, "clock": clock}
        return self.page("public", again_s=again_s, **data)
