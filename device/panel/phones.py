"""The right to act at the page: for everybody, for a phone and the seats that it is paired with, or for
nobody.

::

    POST /pair?seat=N                    have the box show a code for a seat
    POST /pair?code=…                    type it: the phone acts for the seat from now on
    GET  /pair                           the right to act here, and this phone's seats: PageRights
    GET  /match/hand?seat=N              the pieces that a seat of this phone may hold, to tap: PossibleHand
    POST /match/hand?seat=N              keep in private the hand of a seat of this phone, from the body
    POST /match/confirm?asks=…&yes=1     confirm the entry that the box asks this phone's seat about
    POST /fault/NAME/on                  ask whether a simulated fault may begin; /off, whether it may end

A phone's stream tells its rights, see :meth:`Phones.write_rights`.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NoReturn, Protocol

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from device.match import (
    PAGE,
    Closed,
    Held,
    MatchDoor,
    NotYours,
    Pairings,
    Phone,
    Source,
    Unconfirmed,
    wait_written,
)
from device.panel.app import LOOK_ONLY, Json, RequestError, read_fault, read_number
from device.simulate import SimulatedHardware
from device.texts import said
from device.voices import Voices
from engines.errors import Malformed
from engines.words import Words

ASKING, PHONE = "podesta_asking", "podesta_phone"
"""The cookies of a phone that asks for a seat, and of a paired one."""
DAY_S = 24 * 3600
LONGEST_HAND = 400


class Asks(Protocol):
    """An entry that waits for the yes of the seat ``whom``; None is anybody at the box."""

    whom: int | None
    tell: Callable[[Words], str]


class PageRights(msgspec.Struct, frozen=True):
    """The rights at this page: ``act``, the setting (:attr:`device.settings.PanelSettings.act`), this phone's
    ``seats``, and ``asks``, a question in words to one of them that waits for a yes, empty without one.

    ``held`` are the hands that the phone told for its seats and that may still be true, a text each, empty
    for none; without hidden pieces in the game the whole tuple is empty.
    """

    act: str
    seats: tuple[int, ...] = ()
    asks: str = ""
    held: tuple[str, ...] = ()


class PossibleHand(msgspec.Struct, frozen=True):
    """The pieces that a hidden hand may hold: its size, and by kind the word, the name, and the number."""

    size: int
    kinds: tuple[tuple[str, str, int], ...]


class Phones:
    """The rights of the pages that look at the box."""

    def __init__(
        self,
        door: MatchDoor,
        voices: Voices,
        act: str,
        pairings: Pairings | None = None,
        spoken_for: Callable[[], Mapping[int, str]] = dict,
        confirming: Callable[[], Asks | None] = lambda: None,
        answer: Callable[[bool], None] = lambda _: None,
    ) -> None:
        """Judge who may act at the page.

        ``act`` is the setting: with ``play`` everybody, with ``table`` everybody after a yes at the box, with
        ``paired`` a phone for its seats by ``pairings``, with ``none`` nobody. ``spoken_for`` returns the
        seats that nodes speak for. ``confirming`` returns the box's present question, and ``answer`` answers
        it.
        """
        self._door, self._voices, self._pairings = door, voices, pairings
        self.act = act
        self._spoken_for = spoken_for
        self._confirming, self._answer = confirming, answer

    def list_routes(self) -> list[BaseRoute]:
        """Return the routes, for :func:`device.panel.make_app`, which guards them."""
        return [
            Route("/pair", self._send_rights),
            Route("/pair", self._pair, methods=["POST"]),
            Route("/match/confirm", self._confirm, methods=["POST"]),
            Route("/match/hand", self._send_hand),
            Route("/match/hand", self._tell, methods=["POST"]),
        ]

    def make_fault_route(self, hardware: SimulatedHardware) -> BaseRoute:
        """Return the route by which phones propose faults of ``hardware``; people at the box are asked."""

        async def propose(request: Request) -> NoReturn:
            self.check(request)
            name, on = read_fault(request, hardware)
            texts = self._voices.box.texts
            says = texts("confirm.fault" if on else "confirm.mend", name=texts(f"web.fault.{name}"))
            self.propose(says, lambda: hardware.set_fault(name, on))

        return Route("/fault/{name}/{switch}", propose, methods=["POST"])

    def write_rights(self, cookies: Mapping[str, str]) -> str:
        """Return the rights of a page with these ``cookies``, as JSON of :class:`PageRights`."""
        seats = tuple(one for one in self.find_seats(cookies) if one is not None)
        asks = self._find_question(cookies, seats)
        hides = bool(seats) and self._door.referee.replay.game.rules.hides
        held = tuple(self.find_held(cookies, seat) for seat in seats) if hides else ()
        return msgspec.json.encode(PageRights(self.act, seats, asks, held)).decode()

    def find_held(self, cookies: Mapping[str, str], seat: int | None) -> str:
        """Return the hand that this phone told for a seat of its own, empty if it told none."""
        name = self._find_name(cookies) if seat is not None else ""
        return self._door.find_held(seat, source=Source(f"{PAGE}:{name}", seat, name=name)) if name else ""

    def _find_name(self, cookies: Mapping[str, str]) -> str:
        """Return the name of a paired phone, empty for none."""
        phone = self._find_phone(cookies)
        return phone.name if phone else ""

    def _find_phone(self, cookies: Mapping[str, str]) -> Phone | None:
        paired = self._find_pairings()
        return paired.find_phone(cookies.get(PHONE, "")) if paired else None

    def find_seats(self, cookies: Mapping[str, str]) -> tuple[int | None, ...]:
        """Return the seats that a page acts for, None for a page that all share; none if it only shows."""
        if self.act in ("play", "table"):
            return (None,)
        phone = self._find_phone(cookies)
        return phone.seats if phone else ()

    def may_act(self, request: Request, seat: int | None) -> bool:
        """Return True if this page may enter the answer of a seat, or of the table."""
        seats = self.find_seats(request.cookies)
        return bool(seats) and (None in seats or seat is None or seat in seats)

    def check(self, request: Request) -> tuple[int | None, ...]:
        """Return the seats of the requesting page; raises :class:`RequestError` if it only shows."""
        if seats := self.find_seats(request.cookies):
            return seats
        raise RequestError(403, said("stopped.not_paired") if self.act == "paired" else LOOK_ONLY)

    def make_source(self, request: Request, seat: int | None) -> Source:
        """Return the source of an entry for ``seat``; raises :class:`device.match.NotYours`, RequestError."""
        seats = self.check(request)
        if None in seats:
            return Source(PAGE, voices=self._spoken_for(), asks=self.act == "table")
        if seat is not None and seat not in seats:
            raise NotYours(said("stopped.phone_seat"))
        name = self._find_name(request.cookies)
        return Source(f"{PAGE}:{name}", seat=seat, name=name)

    def propose(self, says: str, act: Callable[[], object]) -> NoReturn:
        """Ask people at the box, in the words ``says``, before doing it; raises the RequestError that tells
        so.
        """
        try:
            self._door.ask_people(Unconfirmed("", None, "ask", act, says))
        except Held as held:
            raise RequestError(409, said("stopped.held")) from held

    async def _send_rights(self, request: Request) -> Response:
        return Response(self.write_rights(request.cookies), media_type="application/json")

    async def _confirm(self, request: Request) -> Response:
        cookies = request.cookies
        asks = self._find_question(cookies, [seat for seat in self.find_seats(cookies) if seat is not None])
        if not asks:
            raise RequestError(403, said("stopped.nothing_waits"))
        if request.query_params.get("asks") != asks:
            raise RequestError(409, said("stopped.otherwise"))
        self._answer(request.query_params.get("yes") == "1")
        return Response(status_code=204)

    def _find_question(self, cookies: Mapping[str, str], seats: Sequence[int]) -> str:
        """Return the question to one of these seats, in the language of its phone; empty without one."""
        waiting = self._confirming()
        if not waiting or waiting.whom not in seats:
            return ""
        return waiting.tell(self._voices.words(cookies, self._door.referee.replay))

    def _check_own_seat(self, request: Request) -> int:
        seat = read_number(request, "seat")
        if self.act != "paired" or seat not in self.check(request):
            raise RequestError(403, said("stopped.own_hand"))
        return seat

    async def _send_hand(self, request: Request) -> Response:
        """Tell the pieces that the phone's own seat may hold, going by what everybody saw."""
        seat, replay = self._check_own_seat(request), self._door.referee.replay
        words = self._voices.words(request.cookies, replay)
        hidden = replay.game.rules.hidden(replay.match.state, seat)
        kinds = tuple((word, words.labels([label])[0], most) for word, label, most in hidden.kinds)
        return Json(PossibleHand(hidden.size, kinds))

    async def _tell(self, request: Request) -> Response:
        """Record in private the hand of the phone's own seat; it serves this phone alone."""
        seat, body = self._check_own_seat(request), await request.body()
        held = "".join(body[:LONGEST_HAND].decode("utf-8", "replace").split())
        try:
            await wait_written(self._door.tell(held, source=self.make_source(request, seat)))
        except Malformed as error:
            raise RequestError(400, said("stopped.another_hand")) from error
        return Response(status_code=204)

    async def _pair(self, request: Request) -> Response:
        """Ask for a seat, or type the code; the phone's secrets are cookies that no script can read."""
        asked, cookies = request.query_params, request.cookies
        if (pairings := self._find_pairings()) is None:
            raise RequestError(409, said("stopped.pair.off", setting='panel.act = "paired"'))
        answer = Response(status_code=204)
        if "code" in asked:
            code = "".join(asked["code"].split())
            token = pairings.enter(cookies.get(ASKING, ""), code, cookies.get(PHONE, ""))
            _keep(answer, PHONE, token)
        else:
            seat = read_number(request, "seat")
            if seat >= len(self._door.referee.replay.names):
                raise RequestError(400, said("stopped.no_seat", seat=seat))
            secret = cookies.get(ASKING) or secrets.token_urlsafe(16)
            pairings.ask(secret, seat, request.client.host if request.client else "")
            _keep(answer, ASKING, secret)
        return answer

    def _find_pairings(self) -> Pairings | None:
        """Return the paired phones of the open match; None without a match or without pairing."""
        if self.act != "paired" or self._pairings is None:
            return None
        try:
            self._pairings.follow(Path(self._door.referee.path).name)
        except Closed:
            return None
        return self._pairings


def _keep(answer: Response, name: str, secret: str) -> None:
    answer.set_cookie(name, secret, max_age=DAY_S, httponly=True, samesite="strict")
