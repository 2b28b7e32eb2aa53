"""The door for the line: openings, steps, readings, told hands and questions, a line each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import engines
from device.line.messages import Ask, MessageError, Open, Reading, Step, Tell, suggest_nearest
from device.line.messages import Entry as EntryMessage
from device.line.nodes import Sender
from device.match import (
    Busy,
    Closed,
    Header,
    Held,
    JournalError,
    Kind,
    MatchDoor,
    NotYours,
    Question,
    Record,
    Referee,
    Replay,
    Source,
    has_evidence,
    list_scores,
    wait_written,
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
_LOST = "an entry was not recorded; people decide at the box"


def _make_disk_error(error: JournalError | OSError) -> MessageError:
    """Return the error for an entry that the disk refused."""
    sure = getattr(error, "sure", True)
    return MessageError("disk", f"{'not recorded' if sure else 'not surely recorded'}: {error}")


class LineDoor:
    """The referee for a line, over the one door. Every method raises :class:`MessageError`."""

    def __init__(self, door: MatchDoor, words_of: Callable[[Replay], Words]) -> None:
        """Serve ``door``; ``words_of`` returns a match's words, so that refusals read as at the box."""
        self._door = door
        self._words_of = words_of

    async def enter(self, entry: EntryMessage, sender: Sender) -> int:
        """Open, step, read or tell; return the number of the last record made, once it is on the disk.

        After an error nothing was recorded. The text of a ``refused`` starts with the clause id.
        """
        if isinstance(entry, Open):
            return await self._open(entry, Source(sender.channel, said=sender.said))
        referee = self._find_referee()
        try:
            match entry:
                case Reading(what, candidates):
                    seen = Observation(what, tuple((value, chance) for chance, value in candidates))
                    return await self._door.observe(seen, source=self._make_source(referee, sender, None))
                case Tell(held):
                    entered = self._door.tell(held, source=self._make_source(referee, sender, sender.seat))
                case Step(text, head, named):
                    source = self._make_source(referee, sender, sender.seat)
                    seat = self._find_seat(referee, named)
                    entered = self._door.step(text, source=source, seat=seat, head=head)
            return (await wait_written(entered))[-1].seq
        except EngineError as error:
            raise self._make_error(referee, error) from error
        except (JournalError, OSError) as error:
            raise _make_disk_error(error) from error

    async def _open(self, entry: Open, source: Source) -> int:
        """Open a match if none is being played, at an event after people's yes; the first record names the
        sender.
        """
        header = make_header(entry.game, entry.names, dict(entry.settings))
        # The last match's entries must be on the disk, or lost, for people to decide.
        while (before := self._door.library.referee) and before.waiting and not before.lost:
            await asyncio.wait([asyncio.wrap_future(before.waiting[-1].written)])
            before.poll()
        if before and before.lost:
            raise MessageError("disk", _LOST)

        note = partial(self._door.note, "opened", source=source)

        def open_match() -> None:
            self._door.open(header, source=source)
            note()

        try:
            self._door.ask_to_sit(header, open_match)
            self._door.open(header, source=source)
        except (JournalError, OSError) as error:
            raise MessageError("disk", f"not opened: {error}") from error
        except (Busy, Held) as error:
            raise MessageError("held" if isinstance(error, Held) else "busy", str(error)) from error
        except EngineError as error:
            raise MessageError("malformed", f"not opened: {error}") from error
        try:
            return (await wait_written(note()))[-1].seq
        except (JournalError, OSError) as error:
            raise _make_disk_error(error) from error

    def answer(self, asked: Ask, sender: Sender) -> str:
        """Answer a question from public knowledge, and for a sender who told a hand also from that hand."""
        referee, what, text = self._find_referee(), asked.what, asked.text
        match, game = referee.replay.match, referee.replay.game
        if what == "legal":
            asker = self._make_source(referee, sender, sender.seat)
            try:
                held = self._door.find_held(asker.seat, source=asker)
                return " ".join(list_following(game, match.state, text, asker.seat, held)) or "-"
            except EngineError as error:
                raise self._make_error(referee, error) from error
        if what == "score":
            pairs = zip(SEATS, list_scores(referee.replay), strict=False)
            return " ".join(f"{letter}:{points}" for letter, points in pairs)
        if what == "turn":
            return describe_turn(referee)
        if what == "position":
            return game.position.write(match.state)
        if what == "match":
            header = referee.replay.header
            level, names = header.setup.level, ",".join(header.names)
            return f"{header.game} {names} level={level} head={referee.recorded}"
        if what == "readings":
            return " ".join(readings(game, match.state))
        try:
            named = self._find_seat(referee, sender.seat)
            if not may_do(game, match.state, text, named):
                match.read(text, named)
        except Refused as error:
            return self._write_refusal(referee, error)
        except EngineError as error:
            raise self._make_error(referee, error) from error
        return "- it is legal"

    def find_last(self, node: str) -> int | None:
        """Return the highest number of a node's lines that the open match has recorded, None without one."""
        return max((number for number, _ in self._list_sent(node)), default=None)

    def find_done(self, sender: Sender) -> int | None:
        """Return the record made from a node's line, None if the match has none.

        A line about hidden pieces is done again each time, and never recognised by its text.
        """
        records = [record for sent, record in self._list_sent(sender.node) if sent == sender.number]
        if not records or (last := records[-1]).kind is Kind.PRIVATE:
            return None
        if (referee := self._door.library.referee) and last.seq > referee.recorded:
            raise MessageError("busy", "it is being written; send this again later")
        if all(one.evidence_digest and not has_evidence(one, sender.said) for one in records):
            raise MessageError("reused", f"number {sender.number} was another line of yours")
        return last.seq

    def _list_sent(self, node: str) -> Iterator[tuple[int, Record]]:
        """Yield the lines of a node in the open match: the number of each, and a record made from it."""
        referee, channel = self._door.library.referee, f"line:{node}#"
        for record in referee.replay.log if referee else ():
            number = record.channel.removeprefix(channel)
            if number != record.channel and number.isdecimal():
                yield int(number), record

    def _find_referee(self) -> Referee:
        referee = self._door.library.referee
        if referee is None:
            raise MessageError("noseat", "no match is open; to open one, write: open GAME")
        if referee.lost:
            raise MessageError("disk", _LOST)
        return referee

    def _make_source(self, referee: Referee, sender: Sender, seat: str | None) -> Source:
        # A node may claim a seat that no match has.
        others = {SEATS.index(letter): voice for letter, voice in sender.voices.items() if letter in SEATS}
        return Source(sender.channel, self._find_seat(referee, seat), others, sender.name, sender.said)

    def _find_seat(self, referee: Referee, letter: str | None) -> int | None:
        if letter is None:
            return None
        seat = SEATS.find(letter)
        if not 0 <= seat < len(referee.replay.names):
            raise MessageError("seat", f"there is no seat {letter} in this match")
        return seat

    def _make_error(self, referee: Referee, error: EngineError) -> MessageError:
        if isinstance(error, Refused):
            return MessageError("refused", self._write_refusal(referee, error))
        code = next((code for kind, code in _CODES if isinstance(error, kind)), "malformed")
        return MessageError(code, str(error))

    def _write_refusal(self, referee: Referee, error: Refused) -> str:
        said = self._words_of(referee.replay).refusal(error.refusal)
        return f"{error.refusal.clause} {error.token}: {said}"


def make_header(game: str, names: Sequence[str], settings: Mapping[str, str]) -> Header:
    """Return the header of a match opened on the line; ``settings`` are ``start``, ``level`` and the game's
    options by name.

    Raises :class:`MessageError`, naming the known values.
    """
    try:
        rules = engines.game(game)
    except EngineError as error:
        raise MessageError("malformed", str(error)) from error
    seats = len(names) or rules.seats[0]
    if seats not in rules.seats:
        wanted = " or ".join(map(str, rules.seats))
        raise MessageError("malformed", f"{game} is for {wanted} players, not {seats}")
    defaults = {option.name: option.values[0] for option in rules.options}
    known = {"start": tuple(SEATS[:seats]), "level": tuple(map(str, rules.levels))}
    known |= {option.name: option.values for option in rules.options}
    for key, value in settings.items():
        if key not in known:
            raise MessageError("malformed", f"no setting {key}{suggest_nearest(key, known)}")
        if value not in known[key]:
            raise MessageError("malformed", f"no {key} {value}{suggest_nearest(value, known[key])}")
    chosen = {key: settings.get(key, values[0]) for key, values in known.items()}
    options = tuple((key, chosen[key]) for key in defaults if chosen[key] != defaults[key])
    player = partial(Texts.load(), "new.player")
    return Header(
        game,
        tuple(names) or tuple(player(letter=letter.upper()) for letter in SEATS[:seats]),
        Setup(seats, SEATS.index(chosen["start"]), options, Level(chosen["level"])),
    )


def list_following(
    game: Game[Any, Any], state: Any, text: str, seat: int | None = None, held: str = ""
) -> list[str]:
    """Return the words that may follow ``text`` in a step, or begin one if it is empty.

    The list is empty once the step is whole; for a fact of the copy it has the supposed value, if any.
    ``seat`` matters if several are asked at once, and with its hand ``held``: then the list has only what the
    hand allows, as long as pieces still come out of it.

    Raises :class:`engines.errors.Malformed` or ``Refused``.
    """
    question = _find_question(game, state, text, seat)
    if question.whole:
        return []
    asked = question.pending
    if isinstance(asked, Report) and isinstance(asked.domain, Printed):
        return [asked.domain.begun] * bool(asked.domain.begun)
    exact = question.list_legal_for(seat, held)
    return [choice.token for choice in (question.legal if exact is None else exact)]


def may_do(game: Game[Any, Any], state: Any, text: str, seat: int | None = None) -> bool:
    """Return True if ``text`` ends with the name of a verb with a legal answer after the words before it.

    Raises :class:`engines.errors.Refused` for a verb without one, or for one of the words before it.
    """
    begun, _, name = text.strip().rpartition(" ")
    try:
        question = _find_question(game, state, begun, seat)
    except Malformed:  # the last word is a part of another, as in E d1: that names no verb
        return False
    domain = question.domain
    if not domain or domain.holds(name) or name not in {one.name for one in domain.verbs}:
        return False
    if found := question.why_none(name):
        raise Refused(found[1], name)
    return True


def _find_question(game: Game[Any, Any], state: Any, text: str, seat: int | None) -> Question:
    """Return the question that ``text`` leads to. Raises as :func:`list_following`."""
    words = game.notation.tokens(text) if text else []
    fitted = game.notation.fitted(state, words) if words else []
    question = Question.at(game, state, seat=seat)
    for token in words if fitted[: len(words)] == words else fitted:
        pending = question.pending
        if isinstance(pending, Over) or not pending.domain.holds(token) or question.whole:
            raise Malformed(f"{text!r}: no step has {token!r} there")
        question = question.take(token)
    return question


def describe_turn(referee: Referee) -> str:
    """Tell whose turn it is and the question: ``b action``, ``* market``, ``over double_pass``."""
    pending = referee.replay.match.pending
    if isinstance(pending, Over):
        return f"over {pending.termination}"
    if referee.replay.abandoned:
        return "over abandoned"
    who = "".join(SEATS[seat] for seat in pending.seats) if isinstance(pending, Decide) else "*"
    return f"{who} {pending.question}"


def describe_event(referee: Referee) -> str:
    """Return the event of the last record for watching nodes: the turn now, and the public part."""
    last = referee.replay.log[referee.recorded - 1]
    who = "" if last.seat is None else f"{SEATS[last.seat]}: "
    text = last.payload if last.visibility == "public" else "sealed"
    return f"turn {describe_turn(referee)} {last.kind.value} {who}{text}"
