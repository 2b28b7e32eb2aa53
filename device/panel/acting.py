"""Entering steps from the page by tapping: the routes, and what they refuse.

::

    GET  /match/question?t=TOKEN&t=…     the next question, or what the step would be: asking.Asked
    GET  /match/why?t=TOKEN&t=…          why the last of them is not legal: asking.Why, null where it is
    GET  /match/why?t=TOKEN&verb=NAME    why nothing of a verb is, after them
    GET  /match/undo                     what an undo would take back, or why nothing
    POST /match/step?t=…&head=N          record the whole step, unless something came after record N
    POST /match/undo?group=N             take that back
    POST /box/type?text=…                give the box a text that it asks for, a name say
    GET  /pair                           who may act here, and the seats that this phone acts for: Paired
    POST /pair?seat=N                    have the box show a code for a seat
    POST /pair?code=…                    type it: the phone acts for the seat from now on

A page holds no truth and the box no half-made step of a page: each asks with all the tokens chosen so far.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Collection, Mapping
from pathlib import Path

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from device.match import (
    PAGE,
    CannotUndo,
    Closed,
    Desk,
    Held,
    JournalError,
    NotYours,
    PairingError,
    Pairings,
    Referee,
    Replay,
    Source,
    Undoable,
    not_undone,
    offered,
    undoable,
    written,
)
from device.panel.app import LOOK_ONLY
from device.panel.asking import Asked, asked, begun, entered, why
from engines.contract import Choice, Report
from engines.errors import EngineError, Stale
from engines.words import Words

TOKENS = 200
"""A step of more words than this is none."""

ASKING, PHONE = "podesta_asking", "podesta_phone"
"""The cookies of a phone that asks for a seat, and of one that is paired."""
DAY_S = 24 * 3600

NOT_PAIRED = "this phone is paired with no seat: choose yours, and type the code that the box shows"

LONGEST = 400
"""Letters of a text that is typed; no fact or name has as many."""


class Offer(msgspec.Struct, frozen=True):
    """What an undo would take back: its group, and in words what it is."""

    group: int
    says: str


class Offers(msgspec.Struct, frozen=True):
    """What may be taken back from the page, or ``why`` nothing is."""

    offers: tuple[Offer, ...]
    why: str = ""


class Paired(msgspec.Struct, frozen=True):
    """Who may ``act`` at this page (:attr:`device.config.Panel.act`), and this phone's ``seats``."""

    act: str
    seats: tuple[int, ...] = ()


class Recorded(msgspec.Struct, frozen=True):
    """What was recorded, in words; of a step that people at the box are asked about first, that it waits."""

    says: str
    held: bool = False


Answering = Callable[[Request], Awaitable[object]]


class Acting:
    """The match that is open, as a page may ask about it and act in it."""

    def __init__(
        self,
        desk: Desk,
        words_of: Callable[[Replay], Words],
        *,
        act: str,
        pairings: Pairings | None = None,
        voices: Callable[[], Mapping[int, str]] = dict,
        typed: Callable[[str], None] = lambda _: None,
    ) -> None:
        """``act`` is who may: everybody with ``play``, with ``paired`` a phone for its seats by ``pairings``,
        with ``none`` nobody. ``voices`` are the seats that nodes speak for; ``typed`` gives the box a text.
        """
        self._desk = desk
        self._words_of = words_of
        self._act, self._pairings = act, pairings
        self._voices = voices
        self._typed = typed

    def routes(self) -> list[BaseRoute]:
        """The routes, for :func:`device.panel.make_app`, which guards them."""
        ways: dict[tuple[str, str], Answering] = {
            ("GET", "/match/question"): self._question,
            ("GET", "/match/why"): self._why,
            ("GET", "/match/undo"): self._offers,
            ("POST", "/match/step"): self._step,
            ("POST", "/match/undo"): self._undo,
            ("POST", "/box/type"): self._type,
            ("GET", "/pair"): self._paired,
        }
        plain = [Route(path, answered(way), methods=[method]) for (method, path), way in ways.items()]
        return [*plain, Route("/pair", self._pair, methods=["POST"])]

    # Looking

    async def _question(self, request: Request) -> object:
        referee = self._referee()
        replay = referee.replay
        shown = "shown" in request.query_params
        words = self._words_of(replay)
        now = asked(replay, words, _tokens(request), shown=shown)
        return msgspec.structs.replace(
            now, act=self._acts(request, now.seat), gives_up=self._miscounted(words, now) or now.gives_up
        )

    def _miscounted(self, words: Words, now: Asked) -> str:
        """Return what a sure scale says against the counts entered."""
        pending = self._referee().replay.match.pending
        if not (now.whole and isinstance(pending, Report)):
            return ""
        found = self._desk.miscounted(Choice(pending.question, now.tokens[0]))
        return words("reading.otherwise", number=found[0], entered=found[1]) if found else ""

    async def _why(self, request: Request) -> object:
        replay = self._referee().replay
        verb = request.query_params.get("verb", "")
        return why(replay, self._words_of(replay), _tokens(request), verb)

    async def _offers(self, request: Request) -> object:
        replay = self._referee().replay
        words = self._words_of(replay)
        try:
            offers = self._undoable(replay, self._seats(request))
        except CannotUndo as error:
            return Offers((), not_undone(replay, words, error))
        return Offers(tuple(Offer(offer.group, offered(replay, words, offer)) for offer in offers))

    def _undoable(self, replay: Replay, seats: Collection[int | None]) -> list[Undoable]:
        """Return what may be undone without asking seat by seat, as is asked before a ruling is withdrawn;
        a phone takes back what its own seats entered.
        """
        offers: list[Undoable] = []
        why: CannotUndo | None = None
        for seat in seats or (None,):
            try:
                offers += (offer for offer in undoable(replay, seat) if not offer.rulings)
            except CannotUndo as error:
                why = error
        if why and not offers:
            raise why
        return offers

    # Acting

    async def _step(self, request: Request) -> object:
        referee = self._referee()
        replay = referee.replay
        self._check(request)
        head = _number(request, "head")
        if head != entered(replay):
            raise Stale("something was entered since")
        step = begun(replay.match, _tokens(request))
        if not step.whole:
            raise HTTPException(400, "the step is not whole")
        text = replay.game.notation.text(step.choices)
        try:
            entry = self._desk.step(text, source=self._source(request, step.seat), seat=step.seat)
        except Held as held:
            return Recorded(str(held), held=True)
        await written(entry)
        words = self._words_of(referee.replay)
        return Recorded(words.by(step.seat, "" if step.sealed else words.said(step.before, step.choices)))

    async def _undo(self, request: Request) -> object:
        replay = self._referee().replay
        group = _number(request, "group")
        try:
            offers = self._undoable(replay, self._check(request))
            offer = next((one for one in offers if one.group == group), None)
        except CannotUndo:
            offer = None
        if offer is None:
            raise Stale("something was entered since")
        says = offered(replay, self._words_of(replay), offer, done=True)
        await written(self._desk.undo(offer, source=self._source(request, offer.seat)))
        return Recorded(says)

    async def _type(self, request: Request) -> object:
        if None not in self._check(request):
            raise HTTPException(403, "the box is typed for at its keys")
        text = request.query_params.get("text", "")
        if len(text) > LONGEST:
            raise HTTPException(400, f"a text has at most {LONGEST} letters")
        self._typed(text)
        return None

    # Phones

    async def _paired(self, request: Request) -> object:
        seats = self._seats(request)
        return Paired(self._act, tuple(seat for seat in seats if seat is not None))

    async def _pair(self, request: Request) -> Response:
        """Ask for a seat, or type the code; the phone's secrets are cookies, which no script reads."""
        pairings, asked = self._phones(), request.query_params
        if pairings is None:
            raise HTTPException(409, 'phones are not paired here: panel.act is not "paired"')
        answer = Response(status_code=204)
        try:
            if "code" in asked:
                secret, token = request.cookies.get(ASKING, ""), request.cookies.get(PHONE, "")
                token = pairings.enter(secret, "".join(asked["code"].split()), token)
                _keep(answer, PHONE, token, DAY_S)
            else:
                seat = _number(request, "seat")
                if seat >= len(self._referee().replay.names):
                    raise HTTPException(400, f"nobody sits at seat {seat}")
                secret = request.cookies.get(ASKING) or secrets.token_urlsafe(16)
                pairings.ask(secret, seat)
                _keep(answer, ASKING, secret, DAY_S)
        except PairingError as error:
            raise HTTPException(409, str(error)) from error
        return answer

    def _phones(self) -> Pairings | None:
        """Return the phones of the match that is open; None where phones are not paired."""
        if self._act != "paired" or self._pairings is None:
            return None
        self._pairings.follow(Path(self._referee().path).name)
        return self._pairings

    def _seats(self, request: Request) -> tuple[int | None, ...]:
        """Return the seats that whoever asks acts for, None for a page that all share; none where it only
        shows.
        """
        if self._act == "play":
            return (None,)
        phones = self._phones()
        return phones.seats(request.cookies.get(PHONE, "")) if phones else ()

    def _acts(self, request: Request, seat: int | None) -> bool:
        """Return True if what is asked of a seat, or of the table, may be entered here."""
        seats = self._seats(request)
        return bool(seats) and (None in seats or seat is None or seat in seats)

    def _source(self, request: Request, seat: int | None) -> Source:
        seats = self._check(request)
        if None in seats:
            return Source(PAGE, voices=self._voices())
        phones = self._phones()
        name = phones.named(request.cookies.get(PHONE, "")) if phones else ""
        if seat is not None and seat not in seats:
            raise NotYours("this phone acts for another seat")
        return Source(f"{PAGE}:{name}", seat=seat, name=name)

    def _check(self, request: Request) -> tuple[int | None, ...]:
        if seats := self._seats(request):
            return seats
        raise HTTPException(403, NOT_PAIRED if self._act == "paired" else LOOK_ONLY)

    def _referee(self) -> Referee:
        return self._desk.referee


def _keep(answer: Response, name: str, secret: str, seconds: int) -> None:
    answer.set_cookie(name, secret, max_age=seconds, httponly=True, samesite="strict")


_STATUS: tuple[tuple[type[Exception], int], ...] = (
    (NotYours, 403),
    (Closed, 409),
    (Stale, 409),
    (EngineError, 400),
    (JournalError, 503),
    (OSError, 503),
)


def answered(way: Answering) -> Callable[[Request], Awaitable[Response]]:
    """A way as an endpoint: what it gives as JSON, what it raises as a sentence with its status."""

    async def endpoint(request: Request) -> Response:
        try:
            found = await way(request)
        except (EngineError, JournalError, OSError) as error:
            status = next(code for kind, code in _STATUS if isinstance(error, kind))
            raise HTTPException(status, str(error)) from error
        return Response(msgspec.json.encode(found), media_type="application/json")

    return endpoint


def _tokens(request: Request) -> list[str]:
    tokens = request.query_params.getlist("t")
    if len(tokens) > TOKENS:
        raise HTTPException(400, f"a step has at most {TOKENS} words")
    return tokens


def _number(request: Request, name: str) -> int:
    text = request.query_params.get(name, "")
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise HTTPException(400, f'{name} must be the number of a record, not "{text[:20]}"')
    return int(text)
