"""The door as the line sees it: openings, steps, readings, told hands and questions, a line each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import engines
from device.line.messages import nearest
from device.line.session import DeskError
from device.match import (
    Busy,
    Closed,
    Desk,
    Entry,
    Header,
    Held,
    JournalError,
    Kind,
    NotYours,
    Question,
    Record,
    Referee,
    Replay,
    Source,
    evidence_matches,
    scores,
    written,
)
from device.texts import Texts
from engines.contract import SEATS, Decide, Game, Level, Over, Printed, Report, Setup
from engines.errors import Ambiguous, EngineError, Malformed, OutOfTurn, Refused, Stale
from engines.readings import Observation, readings
from engines.words import Words

_CODES: tuple[tuple[type[EngineError], str], ...] = (
    (Held, "held"),
    (Busy, "busy"),
    (NotYours, "seat"),
    (Ambiguous, "ambiguous"),
    (OutOfTurn, "seat"),
    (Stale, "stale"),
    (Closed, "stale"),
    (Malformed, "malformed"),
)
_NOBODY: Mapping[str, str] = {}
_LOST = "an entry was not recorded; people decide at the box"


def _not_recorded(error: JournalError | OSError) -> DeskError:
    """Return what a node is told of an entry that the disk did not take."""
    sure = getattr(error, "sure", True)
    return DeskError("disk", f"{'not recorded' if sure else 'not surely recorded'}: {error}")


class LineDesk:
    """:class:`device.line.RefereeDesk` over the one door."""

    def __init__(self, desk: Desk, words_of: Callable[[Replay], Words]) -> None:
        """``words_of`` are a match's words: refusals are said as people at the box read them."""
        self._desk = desk
        self._words_of = words_of

    async def open(
        self, game: str, names: Sequence[str], settings: Mapping[str, str], *, channel: str, said: bytes = b""
    ) -> int:
        """Open a match where none is being played; its first record says who did."""
        header = opening(game, names, settings)
        # What the last match still waits for must have reached the disk, or be people's to decide on.
        while (before := self._desk.library.referee) and before.waiting and not before.lost:
            await asyncio.wait([asyncio.wrap_future(before.waiting[-1].written)])
            before.poll()
        if before and before.lost:
            raise DeskError("disk", _LOST)
        source = Source(channel, said=said)
        try:
            self._desk.open(header, source=source)
        except (JournalError, OSError) as error:
            raise DeskError("disk", f"not opened: {error}") from error
        except Busy as error:
            raise DeskError("busy", str(error)) from error
        except EngineError as error:
            raise DeskError("malformed", f"not opened: {error}") from error
        return await self._written(self._desk.note("opened", source=source))

    async def step(
        self,
        text: str,
        *,
        seat: str | None,
        head: int | None,
        channel: str,
        said: bytes = b"",
        named: str | None = None,
        voices: Mapping[str, str] = _NOBODY,
    ) -> int:
        """Judge a step, record it, and only then give its record's number."""
        referee = self._referee()
        source = self._source(referee, channel, seat, voices, said=said)
        try:
            entry = self._desk.step(text, source=source, seat=self._seat(referee, named), head=head)
        except EngineError as error:
            raise self._no(referee, error) from error
        return await self._written(entry)

    async def reading(
        self,
        what: str,
        candidates: Sequence[tuple[float, str]],
        *,
        seat: str | None,
        channel: str,
        said: bytes = b"",
        voices: Mapping[str, str] = _NOBODY,
    ) -> int:
        """Record what a sensor saw, and propose to people what it would mean."""
        referee = self._referee()
        seen = Observation(what, tuple((value, confidence) for confidence, value in candidates))
        try:
            source = self._source(referee, channel, None, voices, said=said)
            return await self._desk.reading(seen, source=source)
        except EngineError as error:
            raise self._no(referee, error) from error
        except (JournalError, OSError) as error:
            raise _not_recorded(error) from error

    async def tell(self, held: str, *, seat: str | None, channel: str, said: bytes = b"", source: str) -> int:
        """Record what a seat holds; only a node that is bound to a seat can tell, and only of its own."""
        referee = self._referee()
        try:
            entry = self._desk.tell(held, source=self._source(referee, channel, seat, name=source, said=said))
        except EngineError as error:
            raise self._no(referee, error) from error
        return await self._written(entry)

    def ask(self, what: str, text: str, *, seat: str | None, source: str = "") -> str:
        """Answer from what everybody may know, and to who told what a seat holds also from that."""
        referee = self._referee()
        match, game = referee.replay.match, referee.replay.game
        if what == "legal":
            asker = self._source(referee, "", seat, name=source)
            try:
                held = self._desk.held(asker.seat, source=asker)
                return " ".join(following(game, match.state, text, asker.seat, held)) or "-"
            except EngineError as error:
                raise self._no(referee, error) from error
        if what == "score":
            pairs = zip(SEATS, scores(referee.replay), strict=False)
            return " ".join(f"{letter}:{points}" for letter, points in pairs)
        if what == "turn":
            return turn(referee)
        if what == "position":
            return game.position.write(match.state)
        if what == "match":
            header = referee.replay.header
            level, names = header.setup.level, ",".join(header.names)
            return f"{header.game} {names} level={level} head={referee.recorded}"
        if what == "readings":
            return " ".join(readings(game, match.state))
        try:
            named = self._seat(referee, seat)
            if not may_do(game, match.state, text, named):
                match.read(text, named)
        except Refused as error:
            return self._why(referee, error)
        except EngineError as error:
            raise self._no(referee, error) from error
        return "- it is legal"

    def last(self, node: str) -> int | None:
        """Return the highest number of a node's lines that the open match has in its record."""
        return max((number for number, _ in self._sent(node)), default=None)

    def done(self, node: str, number: int, said: bytes) -> int | None:
        """Return the record that a node's line became, None for one that the match does not have."""
        records = [record for sent, record in self._sent(node) if sent == number]
        if not records or (last := records[-1]).kind is Kind.PRIVATE:
            return None
        if (referee := self._desk.library.referee) and last.seq > referee.recorded:
            raise DeskError("busy", "it is being written; send this again later")
        if all(one.evidence_digest and not evidence_matches(one, said) for one in records):
            raise DeskError("reused", f"number {number} was another line of yours")
        return last.seq

    def _sent(self, node: str) -> Iterator[tuple[int, Record]]:
        """Return what the open match has of a node: the number of each line, and a record it became."""
        referee, channel = self._desk.library.referee, f"line:{node}#"
        for record in referee.replay.log if referee else ():
            number = record.channel.removeprefix(channel)
            if number != record.channel and number.isdecimal():
                yield int(number), record

    def _referee(self) -> Referee:
        referee = self._desk.library.referee
        if referee is None:
            raise DeskError("noseat", "no match is open; to open one, write: open GAME")
        if referee.lost:
            raise DeskError("disk", _LOST)
        return referee

    def _source(
        self,
        referee: Referee,
        channel: str,
        seat: str | None,
        voices: Mapping[str, str] = _NOBODY,
        name: str = "",
        said: bytes = b"",
    ) -> Source:
        # A node may say that it is of a seat that no match has.
        others = {SEATS.index(letter): voice for letter, voice in voices.items() if letter in SEATS}
        return Source(channel, self._seat(referee, seat), others, name, said)

    def _seat(self, referee: Referee, letter: str | None) -> int | None:
        if letter is None:
            return None
        seat = SEATS.find(letter)
        if not 0 <= seat < len(referee.replay.names):
            raise DeskError("seat", f"there is no seat {letter} in this match")
        return seat

    async def _written(self, entry: Entry) -> int:
        try:
            return (await written(entry))[-1].seq
        except (JournalError, OSError) as error:
            raise _not_recorded(error) from error

    def _no(self, referee: Referee, error: EngineError) -> DeskError:
        if isinstance(error, Refused):
            return DeskError("refused", self._why(referee, error))
        code = next((code for kind, code in _CODES if isinstance(error, kind)), "malformed")
        return DeskError(code, str(error))

    def _why(self, referee: Referee, error: Refused) -> str:
        said = self._words_of(referee.replay).refusal(error.refusal)
        return f"{error.refusal.clause} {error.token}: {said}"


def opening(game: str, names: Sequence[str], settings: Mapping[str, str]) -> Header:
    """Return what a match opened on the line settles: ``start``, ``level`` and the game's options by name.

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

    Empty when the step is whole; of a fact of the copy what is supposed, if anything. ``seat`` matters where
    several are asked at once, and where ``held`` says what it holds: then only what that allows is listed,
    wherever pieces are still to come out of the hand.
    Raises :class:`engines.errors.Malformed` or ``Refused``.
    """
    question = _after(game, state, text, seat)
    if question.whole:
        return []
    asked = question.pending
    if isinstance(asked, Report) and isinstance(asked.domain, Printed):
        return [asked.domain.begun] * bool(asked.domain.begun)
    exact = question.exact(seat, held)
    return [choice.token for choice in (question.legal if exact is None else exact)]


def may_do(game: Game[Any, Any], state: Any, text: str, seat: int | None = None) -> bool:
    """Return whether ``text`` ends with the name of a verb of which something is legal after its other words.

    Raises :class:`engines.errors.Refused` for a verb of which nothing is, else as :func:`following`.
    """
    begun, _, name = text.strip().rpartition(" ")
    question = _after(game, state, begun, seat)
    domain = question.domain
    if not domain or domain.holds(name) or name not in {one.name for one in domain.verbs}:
        return False
    if found := question.why_none(name):
        raise Refused(found[1], name)
    return True


def _after(game: Game[Any, Any], state: Any, text: str, seat: int | None) -> Question:
    """Return the question that ``text`` leads to. Raises as :func:`following`."""
    words = game.notation.tokens(text) if text else []
    fitted = game.notation.fitted(state, words) if words else []
    question = Question.at(game, state, seat=seat)
    for token in words if fitted[: len(words)] == words else fitted:
        pending = question.pending
        if isinstance(pending, Over) or not pending.domain.holds(token) or question.whole:
            raise Malformed(f"{text!r}: no step has {token!r} there")
        question = question.take(token)
    return question


def turn(referee: Referee) -> str:
    """Whose turn it is and what is asked: ``b action``, ``* market``, ``over double_pass``."""
    pending = referee.replay.match.pending
    if isinstance(pending, Over):
        return f"over {pending.termination}"
    if referee.replay.abandoned:
        return "over abandoned"
    who = "".join(SEATS[seat] for seat in pending.seats) if isinstance(pending, Decide) else "*"
    return f"{who} {pending.question}"
