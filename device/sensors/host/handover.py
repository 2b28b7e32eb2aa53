"""The way of a reading: recorded with the digest of its picture, and put to the people at the box.

The pictures are kept beside the journal, on this machine only, up to a limit::

    STATE/pictures/20261120-195541-GAME-adso-william/17.jpg     the picture behind record 17 of that match
    STATE/pictures/20261120-195541-GAME-adso-william/17.b.jpg   the same by a second camera

A record holds the digest of its picture: :func:`device.match.records.has_evidence` tells whether a file
is that picture. A record stays as good if its picture was deleted to make room.

The layout that people then played is the truth behind a picture (:func:`find_shown`).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from device.copy_file import CopyFile, Sizes, sizes
from device.files import replace_file
from device.match import JournalError, Kind, MatchDoor, Proposal, Referee, Replay, Source, Unclear
from device.sensors.host.service import Fitted
from device.sensors.messages import NO_MATCH, Expected, Reading
from device.texts import Why, cause_of
from engines.contract import Exact, Multiset, Report
from engines.errors import EngineError
from engines.match import Match, Step
from engines.readings import Observation, read

log = logging.getLogger(__name__)

MB: Final = 1_000_000
BESIDE: Final = ".b"
"""The ending of the name of a second camera's picture, before its ``.jpg``."""


class Pictures:
    """A folder of at most ``keep`` pictures and ``keep_mb`` megabytes; the oldest go first."""

    def __init__(self, folder: Path, keep: int, keep_mb: int) -> None:
        """Keep at most ``keep`` pictures and ``keep_mb`` MB in ``folder``; 0 for either keeps none."""
        self._folder = folder
        self._keep, self._most = keep, keep_mb * MB

    def put(self, match: str, record: int, jpeg: bytes, view: str = "") -> Path | None:
        """Keep a record's picture, with ``view`` in its name for another camera; return its path, None if not
        kept.

        A full disk costs a picture, never the match.
        """
        if not self._keep or len(jpeg) > self._most or not jpeg:
            return None
        path = self._folder / match / f"{record}{view}.jpg"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, jpeg)
            self._delete_oldest()
        except OSError as error:
            log.error("picture of record %d not kept: %s", record, error)
            return None
        return path

    def _delete_oldest(self) -> None:
        """Delete the oldest pictures until the rest are within both limits."""
        kept = sorted((file.stat().st_mtime_ns, file, file.stat().st_size) for file in self._list_files())
        number, size = len(kept), sum(each for _, _, each in kept)
        for _, file, each in kept:
            if number <= self._keep and size <= self._most:
                break
            file.unlink(missing_ok=True)
            with contextlib.suppress(OSError):
                file.parent.rmdir()  # goes only when it is empty
            number, size = number - 1, size - each

    def _list_files(self) -> list[Path]:
        return [file for file in self._folder.glob("*/*.jpg") if file.stem.removesuffix(BESIDE).isdecimal()]


class PictureShown(NamedTuple):
    """A reading of ``what``, a sight or an answer: the ``expected`` table, and the true ``layout``."""

    what: str
    expected: Expected
    layout: str


def make_expected(match: str, replay: Replay, at: Match, copy: Sizes) -> Expected:
    """Return the table that the match expects at the point ``at`` of a replay; ``copy`` has the sizes."""
    pending = at.pending
    asked = pending if isinstance(pending, Report) else None
    return Expected(
        match,
        len(at.steps),
        replay.header.game,
        replay.game.position.write(at.state),
        copy.cell_mm or 0.0,
        copy.block_mm or (0.0, 0.0, 0.0),
        facts=replay.header.setup.facts,
        question=asked.question if asked else "",
        domain=asked.domain if asked and isinstance(asked.domain, Multiset) else None,
    )


def find_shown(replay: Replay, record: int, copy: Sizes) -> PictureShown:
    """Return what the match later told about the table at reading number ``record``.

    The true layout is the first later one of that place that differs from the one before the reading, or the
    one before if none differs.

    ``copy`` has the sizes. Raises EngineError if the record is no reading, or its answer was never given.
    """
    if not (0 < record <= len(replay.log) and replay.log[record - 1].kind is Kind.READING):
        raise EngineError(f"record {record} is no reading")
    what = read(replay.log[record - 1].payload).what
    match, game = replay.try_first(record - 1).match, replay.game
    expected = make_expected("kept", replay, match, copy)
    lines = zip(replay.history, replay.match.points[1:], strict=True)
    later = [(line.made, point) for line, point in lines if line.seq > record]
    sight = game.in_sight(match.state).get(what)
    if sight is None:
        answer = next((made.text for made, _ in later if isinstance(made, Step)), "")
        if not answer:
            raise EngineError(f"record {record}: {what} was never answered")
        return PictureShown(what, expected, answer)
    now = sight.of(match.state)
    layouts = (sight.of(point.state) for _, point in later)
    return PictureShown(what, expected, sight.written(next((one for one in layouts if one != now), now)))


class Handover:
    """The match as the sensors see it."""

    def __init__(
        self, door: MatchDoor, pictures: Path, voices: Callable[[], Mapping[int, str]] = dict
    ) -> None:
        """Keep the pictures of readings in the folder ``pictures``.

        ``voices`` gives by seat who speaks for it; for such a seat no reading counts without a question.
        """
        self._door, self._library = door, door.library
        self._pictures, self._voices = pictures, voices
        self._of: tuple[object, ...] = ()
        self._expected = NO_MATCH

    def find_expected(self) -> Expected:
        """Return the table of the match that is being played; it is computed once a record."""
        referee = self._library.referee
        if referee is None or referee.lost or referee.replay.over:
            return msgspec.structs.replace(NO_MATCH, simulated=self._library.simulated)
        replay, file = referee.replay, self._library.copies.of(referee.replay.header.game)
        stamp = file.stamp if file else ()
        of = (referee, replay.header, replay.match.points[-1], len(replay.log), self._door.answers, stamp)
        if of != self._of:
            self._of, self._expected = of, self._compute(referee, file)
        return self._expected

    def _compute(self, referee: Referee, file: CopyFile | None) -> Expected:
        replay, state = referee.replay, referee.replay.match.state
        lying = {name: sight.lying(state) for name, sight in replay.game.in_sight(state).items()}
        copy = sizes(file.load().facts) if file else Sizes()
        return msgspec.structs.replace(
            make_expected(_name_match(referee), replay, replay.match, copy),
            answers=self._door.answers,
            counted=tuple(self._door.counted.items()),
            lying={name: number for name, number in lying.items() if number is not None},
            simulated=self._library.simulated,
        )

    async def take(self, one: Fitted, reading: Reading) -> Why:
        """Record a sensor's reading and ask people about it; drop it if the match has moved on.

        A reading that agrees with the match is not recorded: it only withdraws the question of an earlier
        one. Returns why a reading could not be recorded, "" otherwise.
        """
        referee = self._library.referee
        now = (_name_match(referee), len(referee.replay.match.steps)) if referee else None
        if referee is None or now != (reading.match, reading.steps):
            return ""
        source = Source(f"{one.sensor}:{reading.what}", voices=self._voices())
        meaning = reading.meanings[0] if reading.meanings else None
        asked = self._find_doubt(referee, reading)
        if meaning == Exact(()) and not asked:
            self._door.propose(Proposal(meaning, reading.candidates[0][1], source.channel, what=reading.what))
            return ""
        seen = Observation(reading.what, reading.candidates)
        try:
            number = await self._door.observe(
                seen,
                source=source,
                meaning=meaning,
                asked=asked,
                evidence=reading.picture,
                why=reading.why,
                crop=reading.crop,
            )
        except (EngineError, JournalError, OSError) as error:
            log.warning("%s: a reading was not recorded: %s", one.title, error)
            return cause_of(error)
        kept = Pictures(self._pictures, one.keep, one.keep_mb)
        # The first goes last: if only one can be kept, it is the one whose digest the record has.
        for picture, view in ((reading.beside, BESIDE), (reading.picture, "")):
            await asyncio.to_thread(kept.put, reading.match, number, picture, view)
        return ""

    def _find_doubt(self, referee: Referee, reading: Reading) -> Unclear | None:
        question, replay = reading.question, referee.replay
        state = replay.match.state
        sight = replay.game.in_sight(state).get(reading.what)
        if question is None or sight is None:
            return None
        boards = [sight.board(state, sight.read(text)) for text, _ in reading.candidates]
        answers = [(board, reading.meanings[at]) for at in question.answers if (board := boards[at])]
        return Unclear(question.cell, tuple(answers))


def _name_match(referee: Referee) -> str:
    return Path(referee.path).stem
