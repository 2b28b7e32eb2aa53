"""The way of a reading: recorded with the digest of its picture, and put to the people at the box."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from device.facts import CopyFile, Sizes, sizes
from device.match import Desk, JournalError, Proposal, Referee, Source, Unclear
from device.sensors.host.pictures import BESIDE, Pictures, expectation
from device.sensors.host.service import Fitted
from device.sensors.messages import NOTHING, Expected, Reading
from engines.contract import Exact
from engines.errors import EngineError
from engines.readings import Observation

log = logging.getLogger(__name__)


class SensorDesk:
    """The match as the sensors see it."""

    def __init__(self, desk: Desk, pictures: Path, voices: Callable[[], Mapping[int, str]] = dict) -> None:
        """Keep the pictures of readings in the folder ``pictures``.

        ``voices`` gives the seats that somebody speaks for, and who: for these no reading counts unasked.
        """
        self._desk, self._library = desk, desk.library
        self._pictures, self._voices = pictures, voices
        self._of: tuple[object, ...] = ()
        self._expected = NOTHING

    def expected(self) -> Expected:
        """Return what is on the table now, where a match is being played; worked out once a record."""
        referee = self._library.referee
        if referee is None or referee.lost or referee.replay.over:
            return msgspec.structs.replace(NOTHING, simulated=self._library.simulated)
        replay, file = referee.replay, self._library.copy_of(referee.replay.header.game)
        stamp = file.stamp if file else ()
        of = (referee, replay.header, replay.match.points[-1], len(replay.log), self._desk.unchanged, stamp)
        if of != self._of:
            self._of, self._expected = of, self._work_out(referee, file)
        return self._expected

    def _work_out(self, referee: Referee, file: CopyFile | None) -> Expected:
        replay, state = referee.replay, referee.replay.match.state
        lying = {name: sight.lying(state) for name, sight in replay.game.in_sight(state).items()}
        copy = sizes(file.load().facts) if file else Sizes()
        return msgspec.structs.replace(
            expectation(_name(referee), replay, replay.match, copy),
            answers=self._desk.unchanged,
            counted=tuple(self._desk.counted.items()),
            lying={name: number for name, number in lying.items() if number is not None},
            simulated=self._library.simulated,
        )

    async def take(self, one: Fitted, reading: Reading) -> str:
        """Record a sensor's reading and ask people about it; one of a match that has moved on is dropped.

        A reading that finds the table as the match has it is not recorded: it only takes back what an earlier
        one asked. Returns why it was not recorded, empty where that is as it should be.
        """
        referee = self._library.referee
        now = (_name(referee), len(referee.replay.match.steps)) if referee else None
        if referee is None or now != (reading.match, reading.steps):
            return ""
        source = Source(f"{one.sensor}:{reading.what}", voices=self._voices())
        meaning = reading.meanings[0] if reading.meanings else None
        asked = self._asked(referee, reading)
        if meaning == Exact(()) and not asked:
            self._desk.propose(Proposal(meaning, reading.candidates[0][1], source.channel, what=reading.what))
            return ""
        seen = Observation(reading.what, reading.candidates)
        try:
            number = await self._desk.reading(
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
            return str(error)
        kept = Pictures(self._pictures, one.keep, one.keep_mb)
        # The first goes last: where only one can be kept, it is the one whose digest the record has.
        for picture, view in ((reading.beside, BESIDE), (reading.picture, "")):
            await asyncio.to_thread(kept.put, reading.match, number, picture, view)
        return ""

    def _asked(self, referee: Referee, reading: Reading) -> Unclear | None:
        question, replay = reading.question, referee.replay
        state = replay.match.state
        sight = replay.game.in_sight(state).get(reading.what)
        if question is None or sight is None:
            return None
        boards = [sight.board(sight.fitted(state, sight.read(text))) for text, _ in reading.candidates]
        answers = [(board, reading.meanings[at]) for at in question.answers if (board := boards[at])]
        return Unclear(question.cell, tuple(answers))


def _name(referee: Referee) -> str:
    return Path(referee.path).stem
