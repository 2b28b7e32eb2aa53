"""The referee as the line sees it: openings, steps, readings, told hands and questions, a line each."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

import engines
from device.config import Entries
from device.line import DeskError, nearest
from device.match.journal import JournalError
from device.match.library import Library
from device.match.records import Kind
from device.match.referee import Closed, Entry, Referee
from device.match.replay import Header
from device.match.words import scores
from device.menus import Box, Proposal
from device.texts import Texts
from engines.contract import SEATS, Choice, Decide, Game, Level, Over, Setup
from engines.errors import Ambiguous, EngineError, Malformed, OutOfTurn, Refused, Stale
from engines.observation import Observation
from engines.readings import believed, readings

_CODES: tuple[tuple[type[EngineError], str], ...] = (
    (Ambiguous, "ambiguous"),
    (OutOfTurn, "seat"),
    (Stale, "stale"),
    (Closed, "stale"),
    (Malformed, "malformed"),
)
_NOBODY: Mapping[str, str] = {}
_LOST = "an entry was not recorded; people decide at the box"


class _Told(msgspec.Struct, frozen=True):
    """Which record says what a seat holds, and the source that told it."""

    referee: Referee
    record: int
    source: str


class LineDesk:
    """:class:`device.line.Desk` over the match that is open at a table.

    ``box`` is where people see and confirm what comes in; ``confirm`` says which entries need that.
    """

    def __init__(self, table: Library, box: Box, confirm: Entries | None = None) -> None:
        self._table = table
        self._box = box
        self._confirm = confirm or Entries()
        self._told: dict[int, _Told] = {}

    async def open(
        self, game: str, names: Sequence[str], settings: Mapping[str, str], *, channel: str
    ) -> int:
        """Open a match where none is being played; its first record says who did."""
        header = opening(game, names, settings)
        # What the last match still waits for must have reached the disk, or be people's to decide on.
        while (before := self._table.referee) and before.waiting and not before.lost:
            await asyncio.wait([asyncio.wrap_future(before.waiting[-1].written)])
            before.poll()
        if before and before.lost:
            raise DeskError("disk", _LOST)
        if before and not before.head and before.replay.header.asked == header:
            # It is open just as asked, be it that the power went before its first record was written.
            return await self._written(before.note("opened", channel=channel))
        if before and not before.replay.over:
            players = " – ".join(before.replay.names)
            raise DeskError("busy", f"{players} is being played; people can abandon it at the box")
        try:
            referee = self._table.open_match(header)
        except (JournalError, OSError) as error:
            raise DeskError("disk", f"not opened: {error}") from error
        except EngineError as error:
            raise DeskError("malformed", f"not opened: {error}") from error
        self._box.play(referee)
        return await self._written(referee.note("opened", channel=channel))

    async def step(
        self,
        text: str,
        *,
        seat: str | None,
        head: int | None,
        channel: str,
        voices: Mapping[str, str] = _NOBODY,
    ) -> int:
        """Judge a step, record it, and only then give its record's number."""
        referee = self._referee()
        actor = self._seat(referee, seat)
        if actor is None and (voice := self._voice(referee, voices)):
            raise DeskError("seat", voice)
        try:
            self._ask_people(referee, text, actor, head, channel)
            entry = referee.step(text, seat=actor, head=head, channel=channel)
        except EngineError as error:
            raise self._no(referee, error) from error
        return await self._written(entry)

    def _ask_people(
        self, referee: Referee, text: str, seat: int | None, head: int | None, channel: str
    ) -> None:
        """Where people want to confirm what nodes enter, show it to them; raises ``held``."""
        # Not the match's own pending: of several seats that choose unseen, only the last may be left there.
        asked = referee.replay.game.pending(referee.replay.match.state)
        sealed = isinstance(asked, Decide) and len(asked.seats) > 1
        policy = self._confirm.of(0 if isinstance(asked, Decide) else None)
        closed = referee.replay.over or referee.replay.affairs.paused or referee.replay.affairs.call
        if policy == "auto" or sealed or closed:  # where it is closed, the referee says so
            return
        if head is not None and head != referee.head:
            raise Stale(f"record {referee.head} has come after record {head}")
        read = referee.replay.match.read(text, seat)
        at = referee.replay.match.points[-1]

        def record() -> None:
            if referee.replay.match.points[-1] is not at:
                raise Stale("something was entered since")
            referee.step(text, seat=seat, channel=channel)

        self._box.ask_about(read.step.text, read.step.seat, policy, record)
        raise DeskError("held", "shown at the box; it counts once people there confirm it")

    async def reading(
        self,
        what: str,
        candidates: Sequence[tuple[float, str]],
        *,
        seat: str | None,
        channel: str,
        voices: Mapping[str, str] = _NOBODY,
    ) -> int:
        """Record what a sensor saw, and propose to people what it would mean."""
        referee = self._referee()
        if referee.replay.over:
            raise DeskError("stale", "the match is over")
        ordered = sorted(candidates, reverse=True)
        observation = Observation(what, tuple((value, confidence) for confidence, value in ordered))
        try:
            believed(referee.replay.game, referee.replay.match.state, observation)
        except EngineError as error:
            raise self._no(referee, error) from error
        text = " | ".join(f"{confidence:.2f} {value}" for confidence, value in ordered)
        entry = referee.note(f"{what} {text}", channel=channel, kind=Kind.READING, confidence=ordered[0][0])
        number = await self._written(entry)
        if not referee.replay.over:
            # The match may have moved on while the disk was busy: people are asked about where it stands now.
            try:
                meaning, confidence = believed(referee.replay.game, referee.replay.match.state, observation)
            except EngineError:
                return number  # what it answers is asked no more
            ask = bool(self._voice(referee, voices))
            self._box.propose(Proposal(meaning, confidence, channel, ask=ask))
        return number

    async def tell(self, held: str, *, seat: str | None, channel: str, source: str) -> int:
        """Record what a seat holds; only a node that is bound to a seat can tell, and only of its own."""
        referee = self._referee()
        actor = self._seat(referee, seat)
        if actor is None:
            raise DeskError("seat", "only a node bound to a seat tells what that seat holds")
        if referee.replay.over:
            raise DeskError("stale", "the match is over")
        try:
            entry = referee.tell(actor, held, channel=channel)
        except EngineError as error:
            raise self._no(referee, error) from error
        self._told[actor] = _Told(referee, entry.number, source)
        return await self._written(entry)

    def ask(self, what: str, text: str, *, seat: str | None, source: str = "") -> str:
        """Answer from what everybody may know, and to who told what a seat holds also from that."""
        referee = self._referee()
        match, game = referee.replay.match, referee.replay.game
        if what == "legal":
            try:
                actor = self._seat(referee, seat)
                held = self._held(referee, actor, source)
                return " ".join(following(game, match.state, text, actor, held)) or "-"
            except EngineError as error:
                raise self._no(referee, error) from error
        if what == "score":
            pairs = zip(SEATS, scores(referee.replay), strict=False)
            return " ".join(f"{letter}:{points}" for letter, points in pairs)
        if what == "turn":
            return turn(referee)
        if what == "position":
            return game.position(match.state)
        if what == "match":
            header = referee.replay.header
            level, names = header.setup.level, ",".join(header.names)
            return f"{header.game} {names} level={level} head={referee.recorded}"
        if what == "readings":
            return " ".join(readings(game, match.state))
        try:
            match.read(text, self._seat(referee, seat))
        except Refused as error:
            return self._why(referee, error)
        except EngineError as error:
            raise self._no(referee, error) from error
        return "- it is legal"

    def _held(self, referee: Referee, seat: int | None, source: str) -> str:
        """What ``source`` told of the hidden pieces of ``seat``; empty where that says nothing now.

        Whoever did not tell it is not answered by it: a line may say that it is of any seat.
        """
        told = [one.seq for one in referee.replay.log if one.kind is Kind.PRIVATE and one.seat == seat]
        if seat is None or not told or self._told.get(seat) != _Told(referee, told[-1], source):
            return ""
        return referee.replay.held(seat)

    def _referee(self) -> Referee:
        referee = self._table.referee
        if referee is None:
            raise DeskError("noseat", "no match is open; to open one, write: open GAME")
        if referee.lost:
            raise DeskError("disk", _LOST)
        return referee

    def _seat(self, referee: Referee, letter: str | None) -> int | None:
        if letter is None:
            return None
        seat = SEATS.find(letter)
        if not 0 <= seat < len(referee.replay.names):
            raise DeskError("seat", f"there is no seat {letter} in this match")
        return seat

    def _voice(self, referee: Referee, voices: Mapping[str, str]) -> str:
        """Why nobody else may act now: which of ``voices`` speaks for a seat that is asked; else empty."""
        asked = referee.replay.match.pending
        seats = [SEATS[seat] for seat in asked.seats] if isinstance(asked, Decide) else []
        return next((f"{voices[seat]} speaks for seat {seat}" for seat in seats if seat in voices), "")

    async def _written(self, entry: Entry) -> int:
        try:
            records = await asyncio.wrap_future(entry.written)
        except (JournalError, OSError) as error:
            raise DeskError("disk", f"not recorded: {error}") from error
        return records[-1].seq

    def _no(self, referee: Referee, error: EngineError) -> DeskError:
        if isinstance(error, Refused):
            return DeskError("refused", self._why(referee, error))
        return DeskError(
            next((code for kind, code in _CODES if isinstance(error, kind)), "malformed"), str(error)
        )

    def _why(self, referee: Referee, error: Refused) -> str:
        words = self._box.words_of(referee.replay)
        return f"{error.refusal.clause} {error.token}: {words.refusal(error.refusal)}"


def opening(game: str, names: Sequence[str], settings: Mapping[str, str]) -> Header:
    """What a match opened on the line settles: ``start``, ``level`` and the game's options by name.

    Raises :class:`DeskError`, naming what there is instead.
    """
    try:
        rules = engines.game(game)
    except EngineError as error:
        raise DeskError("malformed", str(error)) from error
    seats = len(names) or rules.seats[0]
    if seats not in rules.seats:
        wanted = " or ".join(map(str, rules.seats))
        raise DeskError("malformed", f"{game} is for {wanted} players, not {seats}")
    defaults = {option.name: option.values[0] for option in rules.options}
    known = {"start": tuple(SEATS[:seats]), "level": tuple(map(str, rules.levels))}
    known |= {option.name: option.values for option in rules.options}
    for key, value in settings.items():
        if key not in known:
            raise DeskError("malformed", f"no setting {key}{nearest(key, known)}")
        if value not in known[key]:
            raise DeskError("malformed", f"no {key} {value}{nearest(value, known[key])}")
    chosen = {key: settings.get(key, values[0]) for key, values in known.items()}
    options = tuple((key, chosen[key]) for key in defaults if chosen[key] != defaults[key])
    player = partial(Texts.load(), "new.player")
    return Header(
        game,
        tuple(names) or tuple(player(letter=letter.upper()) for letter in SEATS[:seats]),
        Setup(seats, SEATS.index(chosen["start"]), options, Level(chosen["level"])),
    )


def following(
    game: Game[Any, Any], state: Any, text: str, seat: int | None = None, held: str = ""
) -> list[str]:
    """The words that may follow ``text`` in a step, all that may begin one if it is empty.

    Empty when the step is whole. ``seat`` matters where several are asked at once, and where ``held`` says
    what it holds: then only what that allows is listed, wherever pieces are still to come out of the hand.
    Raises :class:`engines.errors.Malformed` or ``Refused``.
    """
    tokens = game.tokens(text) if text else []
    asked = game.pending(state)
    sealed = isinstance(asked, Decide) and len(asked.seats) > 1
    if isinstance(asked, Decide) and seat not in asked.seats:
        seat, held = asked.seats[0], ""
    for at, token in enumerate(tokens):
        pending = game.pending(state)
        ended = at and (sealed or not pending.open)
        if isinstance(pending, Over) or not pending.domain.holds(token) or ended:
            raise Malformed(f"{text!r}: no step has {token!r} there")
        choice = Choice(pending.question, token)
        if refusal := game.why_not(state, choice, seat):
            raise Refused(refusal, token)
        if not sealed:
            state = game.apply(state, choice)
    if tokens and (sealed or not game.pending(state).open):
        return []
    exact = _exact(game, state, seat, held)
    return [choice.token for choice in (game.legal(state, seat) if exact is None else exact)]


def _exact(game: Game[Any, Any], state: Any, seat: int | None, held: str) -> list[Choice] | None:
    """What ``held`` allows, None where it says nothing of what is asked."""
    pending = game.pending(state)
    if seat is None or not held or not isinstance(pending, Decide) or seat not in pending.seats:
        return None
    try:
        return game.legal_for(state, seat, held)
    except Malformed:  # some of it was laid out already, or is ruled out by what everybody saw since
        return None


def turn(referee: Referee) -> str:
    """Whose turn it is and what is asked: ``b action``, ``* market``, ``over double_pass``."""
    pending = referee.replay.match.pending
    if isinstance(pending, Over):
        return f"over {pending.termination}"
    if referee.replay.abandoned:
        return "over abandoned"
    who = "".join(SEATS[seat] for seat in pending.seats) if isinstance(pending, Decide) else "*"
    return f"{who} {pending.question}"
