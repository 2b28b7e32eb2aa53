"""Hands the match of a table whose box is lost to a spare box of the event, which asks by its own key.

A journal holds what is hidden at its table; no other box gets it before the lost one's key is revoked.
"""

from __future__ import annotations

import hmac
import secrets
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from device.event.desk.front import SMALL, Front, SubmittedForm, limit_size, send_file
from device.event.desk.grounds import make_journal
from device.event.desk.rows import LiveRecord, TableResult
from device.event.fetching import CONTEXT, write_request
from device.event.signing import check, is_lost
from device.match import decode

VALID_S: Final = 60
"""The time for signing a number, in seconds."""


class Spares:
    """The routes that give journals to boxes."""

    def __init__(self, front: Front) -> None:
        self.front, self.store = front, front.store
        self._secret = secrets.token_bytes(32)

    def routes(self) -> list[Route]:
        """Return the routes for spare boxes."""
        return [Route("/spare", self.number), Route("/spare/{table}", self.give, methods=["POST"])]

    def number(self, _request: Request) -> Response:
        """Give a number to sign: the desk's time, sealed. The desk keeps nothing of it, so no outsider can
        use up numbers; somebody who sees a box's signature also sees the answer to it.
        """
        return PlainTextResponse(self._seal_number(int(self.store.now())))

    def _seal_number(self, made: int) -> str:
        return f"{made}-{hmac.digest(self._secret, str(made).encode(), 'sha256').hex()}"

    def _is_fresh(self, number: str) -> bool:
        """Return True for a recent number of this desk."""
        made = number.partition("-")[0]
        if not made.isdecimal() or abs(self.store.now() - int(made)) > VALID_S:
            return False
        return hmac.compare_digest(number.encode(), self._seal_number(int(made)).encode())

    async def give(self, request: Request) -> Response:
        """Give a table's match to a box of the event that may have it."""
        async with limit_size(request, SMALL).form() as sent:
            number, key, signature = map(SubmittedForm(sent).text, ("number", "key", "signature"))
        table = request.path_params["table"]
        return await run_in_threadpool(self._give_journal, table, number, key, signature)

    def _give_journal(self, table: str, number: str, key: str, signature: str) -> Response:
        try:
            box = self._find_box(table, number, key, signature)
            data = self._find_journal(table)
        except HTTPException as why:
            self.store.audit("forbidden", f"a spare box for {table}: {why.detail}", "")
            return PlainTextResponse(why.detail, why.status_code)
        self.store.audit("spare", f"the match of {table} went to {box}", box)
        return send_file(data, f"{table}.podesta", "application/octet-stream")

    def _find_box(self, table: str, number: str, key: str, signature: str) -> str:
        """Return the name of the box that asks; raise HTTPException if it may not."""
        try:
            keys = self.front.keys()
        except ValueError as error:
            raise HTTPException(503, str(error)) from error
        if not self._is_fresh(number):
            raise HTTPException(403, "that number is not from this desk, or too old; ask again")
        shown = self.front.setup.fingerprint.replace(":", "").lower()
        signed = (check(key, write_request(number, table, seen), signature, CONTEXT) for seen in {"", shown})
        by = keys.get(key)
        if by is None or not any(signed):
            raise HTTPException(
                403, "no key of this event signed that; take the box's file of podesta provision"
            )
        if by.counts_to is not None:
            raise HTTPException(403, f"the key of {by.name} was revoked")
        if by.name != table and not is_lost(table, keys):
            raise HTTPException(403, f"first confirm on the table's page that the box of {table} is lost")
        return by.name

    def _find_journal(self, table: str) -> bytes:
        """Return the latest unfinished match of a table; raise HTTPException without one to go on with."""
        rows = self.store.every(LiveRecord, who=table)
        live = make_journal(one for one in rows if one.match == rows[-1].match)
        results = [row for row in self.store.current(TableResult, table=table) if not row.finished]
        kept = self.store.journal(results[-1].id) if results else b""
        if not kept and not live:
            raise HTTPException(404, f"the desk has no unfinished match of {table}")
        read = [(data, decode(data)) for data in (kept, live) if data]
        found = {reading.records[-1].utc_ms: data for data, reading in read if reading.whole}
        if not found:
            why = f"the match of {table} came without its hidden part: take its journal from a stick"
            raise HTTPException(409, why)
        return found[max(found)]
