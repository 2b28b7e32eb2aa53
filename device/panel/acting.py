"""Entering steps from the page by tapping: the routes, and what they refuse.

::

    GET  /match/question?t=TOKEN&t=…     the next question, or what the step would be: asking.Asked
    GET  /match/why?t=TOKEN&t=…          why the last of them is not legal: asking.Why, null where it is
    GET  /match/why?t=TOKEN&verb=NAME    why nothing of a verb is, after them
    GET  /match/undo                     what an undo would take back, or why nothing
    POST /match/step?t=…&head=N          record the whole step, unless something came after record N
    POST /match/undo?group=N             take that back
    POST /box/type?text=…                give the box a text that it asks for, a name say

A page holds no truth and the box no half-made step of a page: each asks with all the tokens chosen so far.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

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
        act: bool,
        voices: Callable[[], Mapping[int, str]] = dict,
        typed: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Without ``act`` the page may look and not touch. ``voices`` are the seats that nodes speak for;
        ``typed`` gives the box a text.
        """
        self._desk = desk
        self._words_of = words_of
        self._act = act
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
        }
        return [Route(path, answered(way), methods=[method]) for (method, path), way in ways.items()]

    # Looking

    async def _question(self, request: Request) -> object:
        referee = self._referee()
        replay = referee.replay
        shown = "shown" in request.query_params
        words = self._words_of(replay)
        now = asked(replay, words, _tokens(request), shown=shown)
        return msgspec.structs.replace(
            now, act=self._act, gives_up=self._miscounted(words, now) or now.gives_up
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

    async def _offers(self, _request: Request) -> object:
        replay = self._referee().replay
        words = self._words_of(replay)
        try:
            offers = self._undoable(replay)
        except CannotUndo as error:
            return Offers((), not_undone(replay, words, error))
        return Offers(tuple(Offer(offer.group, offered(replay, words, offer)) for offer in offers))

    def _undoable(self, replay: Replay) -> list[Undoable]:
        """Return what may be undone without asking seat by seat, as is asked before a ruling is withdrawn."""
        return [offer for offer in undoable(replay) if not offer.rulings]

    # Acting

    async def _step(self, request: Request) -> object:
        referee = self._may_act()
        replay = referee.replay
        head = _number(request, "head")
        if head != entered(replay):
            raise Stale("something was entered since")
        step = begun(replay.match, _tokens(request))
        if not step.whole:
            raise HTTPException(400, "the step is not whole")
        text = replay.game.notation.text(step.choices)
        try:
            entry = self._desk.step(text, source=self._source(), seat=step.seat)
        except Held as held:
            return Recorded(str(held), held=True)
        await written(entry)
        words = self._words_of(referee.replay)
        return Recorded(words.by(step.seat, "" if step.sealed else words.said(step.before, step.choices)))

    async def _undo(self, request: Request) -> object:
        replay = self._may_act().replay
        group = _number(request, "group")
        try:
            offer = next((one for one in self._undoable(replay) if one.group == group), None)
        except CannotUndo:
            offer = None
        if offer is None:
            raise Stale("something was entered since")
        says = offered(replay, self._words_of(replay), offer, done=True)
        await written(self._desk.undo(offer, source=self._source()))
        return Recorded(says)

    async def _type(self, request: Request) -> object:
        self._check()
        text = request.query_params.get("text", "")
        if len(text) > LONGEST:
            raise HTTPException(400, f"a text has at most {LONGEST} letters")
        self._typed(text)
        return None

    def _source(self) -> Source:
        return Source(PAGE, voices=self._voices())

    def _may_act(self) -> Referee:
        self._check()
        return self._referee()

    def _check(self) -> None:
        if not self._act:
            raise HTTPException(403, LOOK_ONLY)

    def _referee(self) -> Referee:
        return self._desk.referee


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
