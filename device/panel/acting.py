"""Entering steps from the page by tapping: the routes, and the requests they refuse.

::

    GET  /match/question?t=TOKEN&t=…     the next question, or the whole step: asking.Asked
    GET  /match/why?t=TOKEN&t=…          why the last token is not legal: asking.WhyIllegal, or null
    GET  /match/why?t=TOKEN&verb=NAME    why no answer of a verb is legal after the tokens
    GET  /match/undo                     the entries that an undo may take back, or why there are none
    POST /match/step?t=…&head=N          record the whole step, unless an entry came after record N
    POST /match/undo?group=N             take that entry back
    POST /match/stand?t=…&head=N         ask the table to let the last token stand although it is not legal
    GET  /match/landed?n=KEY             the answer to the POST with that key, null if none arrived
    POST /box/type?text=…                give the box a text that it asks for, such as a name

A POST may have a key of its own, ``n``; after sleeping, a page asks by it whether the POST arrived.
:mod:`device.panel.phones` decides who may act. A page holds no state of the match, and the box no half-made
step of a page: each request brings all tokens chosen so far.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from functools import partial
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.routing import BaseRoute, Route

from device.match import (
    CannotUndo,
    Held,
    MatchDoor,
    Replay,
    Undoable,
    list_undoable,
    tell_no_undo,
    tell_offer,
    wait_written,
)
from device.panel.app import Answering, RequestError, answer_json, read_number
from device.panel.asking import Asked, ask_next, begin_step, explain_illegal, find_last_change
from device.panel.phones import PHONE, Phones
from device.texts import reason, said
from device.voices import Voices
from engines.contract import Choice, Report
from engines.errors import Stale
from engines.words import Words

ENTRIES_KEPT = 64
"""The number of entries that the box remembers by their pages' keys."""

SAME_AT_BOX = frozenset({"undo.nothing", "undo.abandoned", "undo.not_yours"})
"""The reasons against an undo for which the box's keys can do no more than a page."""

MOST_TOKENS = 200
"""The most tokens of a step."""

LONGEST_TEXT = 400
"""The most letters of a typed text; no fact or name has as many."""


class Offer(msgspec.Struct, frozen=True):
    """An entry that an undo would take back: its group and its words."""

    group: int
    says: str


class Offers(msgspec.Struct, frozen=True):
    """The entries that the page may take back, or the reason ``why`` there are none."""

    offers: tuple[Offer, ...]
    why: str = ""


class Recorded(msgspec.Struct, frozen=True):
    """A recorded entry in words, or, if ``held``, the news that people at the box are asked about it
    first.
    """

    says: str
    held: bool = False


class Acting:
    """The open match, for pages that ask about it and act in it."""

    def __init__(
        self,
        door: MatchDoor,
        voices: Voices,
        phones: Phones,
        *,
        typed: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Take steps through ``door``. ``phones`` decides who acts for whom; ``typed`` gives the box a
        text.
        """
        self._door = door
        self._voices = voices
        self._phones = phones
        self._typed = typed
        self._landed: dict[str, asyncio.Future[object]] = {}

    def list_routes(self) -> list[BaseRoute]:
        """Return the routes, for :func:`device.panel.make_app`, which guards them."""
        ways: dict[tuple[str, str], Answering] = {
            ("GET", "/match/question"): self._send_question,
            ("GET", "/match/why"): self._send_why,
            ("GET", "/match/undo"): self._send_offers,
            ("GET", "/match/landed"): self._send_landed,
            ("POST", "/match/step"): self._enter_once(self._step),
            ("POST", "/match/undo"): self._enter_once(self._undo),
            ("POST", "/match/stand"): self._enter_once(self._stand),
            ("POST", "/box/type"): self._type,
        }
        return [Route(path, answer_json(way), methods=[method]) for (method, path), way in ways.items()]

    # Looking

    async def _send_question(self, request: Request) -> object:
        referee = self._door.referee
        replay = referee.replay
        shown = "shown" in request.query_params
        words = self._voices.words(request.cookies, replay)
        now = ask_next(replay, words, _read_tokens(request), shown=shown, **self._find_rights(request))
        return msgspec.structs.replace(
            now,
            act=self._phones.may_act(request, now.seat),
            gives_up=self._find_miscount(words, now) or now.gives_up,
        )

    def _find_miscount(self, words: Words, now: Asked) -> str:
        """Return the objection of a sure scale to the counts entered, empty without one."""
        pending = self._door.referee.replay.match.pending
        if not (now.whole and isinstance(pending, Report)):
            return ""
        found = self._door.find_miscount(Choice(pending.question, now.tokens[0]))
        return words("reading.otherwise", number=found[0], entered=found[1]) if found else ""

    async def _send_why(self, request: Request) -> object:
        replay = self._door.referee.replay
        verb = request.query_params.get("verb", "")
        words = self._voices.words(request.cookies, replay)
        return explain_illegal(replay, words, _read_tokens(request), verb, **self._find_rights(request))

    def _find_rights(self, request: Request) -> dict[str, Any]:
        """Return the seats that this page acts for, and their hands as it alone knows them."""
        cookies = request.cookies
        return {"seats": self._phones.find_seats(cookies), "held": partial(self._phones.find_held, cookies)}

    async def _send_offers(self, request: Request) -> object:
        replay = self._door.referee.replay
        words = self._voices.words(request.cookies, replay)
        try:
            offers = self._list_undoable(replay, self._phones.find_seats(request.cookies))
        except CannotUndo as error:
            told = tell_no_undo(replay, words, error)
            return Offers((), told if error.key in SAME_AT_BOX else words("undo.at_box", why=told))
        return Offers(tuple(Offer(offer.group, tell_offer(replay, words, offer)) for offer in offers))

    def _list_undoable(self, replay: Replay, seats: Collection[int | None]) -> list[Undoable]:
        """Return the entries to undo that need no yes seat by seat, as withdrawing a ruling does; a phone
        takes back only entries of its own seats.
        """
        offers: list[Undoable] = []
        why: CannotUndo | None = None
        for seat in seats or (None,):
            try:
                offers += (offer for offer in list_undoable(replay, seat) if not offer.rulings)
            except CannotUndo as error:
                why = error
        if why and not offers:
            raise why
        return offers

    # Acting

    def _enter_once(self, way: Answering) -> Answering:
        """Return ``way`` wrapped so that it makes an entry once, however often a page sends it with the same
        key.

        If people at the box are asked first, its answer says that the entry waits.
        """

        async def enter(request: Request) -> object:
            try:
                return await way(request)
            except Held as held:
                return Recorded(reason(held, self._voices.asked(request.cookies).texts), held=True)

        async def endpoint(request: Request) -> object:
            if not (key := _read_entry_key(request)):
                return await enter(request)
            if key not in self._landed:
                self._landed[key] = asyncio.ensure_future(enter(request))
                for oldest in list(self._landed)[:-ENTRIES_KEPT]:
                    del self._landed[oldest]
            return await asyncio.shield(self._landed[key])

        return endpoint

    async def _send_landed(self, request: Request) -> object:
        came = self._landed.get(_read_entry_key(request))
        return await asyncio.shield(came) if came else None

    async def _step(self, request: Request) -> object:
        referee = self._door.referee
        replay = referee.replay
        self._phones.check(request)
        _check_head(request, replay)
        step = begin_step(replay.match, _read_tokens(request), self._phones.find_seats(request.cookies))
        if not step.whole:
            raise RequestError(400, said("stopped.not_whole"))
        text = replay.game.notation.text(step.choices)
        source = self._phones.make_source(request, step.seat)
        await wait_written(self._door.step(text, source=source, seat=step.seat))
        words = self._voices.words(request.cookies, referee.replay)
        return Recorded(words.by(step.seat, "" if step.sealed else words.said(step.before, step.choices)))

    async def _undo(self, request: Request) -> object:
        replay = self._door.referee.replay
        group = read_number(request, "group")
        try:
            offers = self._list_undoable(replay, self._phones.check(request))
            offer = next((one for one in offers if one.group == group), None)
        except CannotUndo:
            offer = None
        if offer is None:
            raise Stale(said("stopped.stale"))
        words = self._voices.words(request.cookies, replay)
        says, asks = tell_offer(replay, words, offer, past=True), self._voices.box.words(replay)
        source = self._phones.make_source(request, offer.seat)
        await wait_written(self._door.undo(offer, source=source, says=tell_offer(replay, asks, offer)))
        return Recorded(says)

    async def _stand(self, request: Request) -> object:
        """Ask people at the box to let a refused step stand; a page makes no ruling."""
        replay = self._door.referee.replay
        self._phones.check(request)
        _check_head(request, replay)
        tokens = _read_tokens(request)
        words = self._voices.box.words(replay)
        found, seats = explain_illegal(replay, words, tokens), self._phones.find_seats(request.cookies)
        if found is None or not found.may_stand:
            raise RequestError(400, said("stopped.no_ruling" if found is None else "stopped.impossible"))
        step = begin_step(replay.match, tokens[:-1], seats)
        seat, choices = step.seat, (*step.choices, step.read(tokens[-1]))
        text = replay.game.notation.text(choices)
        would = words.would(replay.match, seat, text, (found.clause,))
        says = words("confirm.stands", step=would, why=found.reason, clause=found.clause)
        self._door.ask_to_overrule(
            *tokens, clause=found.clause, says=says, source=self._phones.make_source(request, seat)
        )

    async def _type(self, request: Request) -> object:
        if None not in self._phones.check(request):
            raise RequestError(403, said("stopped.typed"))
        text = request.query_params.get("text", "")
        if len(text) > LONGEST_TEXT:
            raise RequestError(400, said("stopped.too_long", letters=LONGEST_TEXT))
        self._typed(text)
        return None


def _check_head(request: Request, replay: Replay) -> None:
    """Raise Stale if an entry came after the last record that the page knows."""
    if read_number(request, "head") != find_last_change(replay):
        raise Stale(said("stopped.stale"))


def _read_entry_key(request: Request) -> str:
    """Return the key of an entry, which belongs to one phone; empty for none."""
    key = request.query_params.get("n", "")[:64]
    return key and f"{request.cookies.get(PHONE, '')} {key}"


def _read_tokens(request: Request) -> list[str]:
    tokens = request.query_params.getlist("t")
    if len(tokens) > MOST_TOKENS:
        raise RequestError(400, said("stopped.too_many", most=MOST_TOKENS))
    return tokens
