"""What becomes of a reading: recorded with the digest of its picture, and put to the people at the box."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from pathlib import Path

from device.facts import Sizes, sizes
from device.match import Asked, Desk, JournalError, Proposal, Referee, Source
from device.sensors.camera.pictures import Pictures
from device.sensors.messages import NOTHING, Expected, Reading
from device.sensors.readers import reads
from engines.contract import Exact, Multiset, Report
from engines.errors import EngineError
from engines.observation import Observation

log = logging.getLogger(__name__)


class CameraDesk:
    """The match as the cameras see it."""

    def __init__(
        self,
        desk: Desk,
        pictures: Mapping[str, Pictures],
        voices: Callable[[], Mapping[int, str]] = dict,
    ) -> None:
        """``pictures`` are kept by the field that a camera looks at; ``voices`` gives the seats that somebody
        speaks for, and who: for these no reading counts unasked.
        """
        self._voices = voices
        self._desk = desk
        self._library = desk.library
        self._pictures = pictures

    def expected(self) -> Expected:
        """What is on the table now, where a match is being played of which cameras can read a field."""
        referee = self._library.referee
        if referee is None or referee.lost or referee.replay.over or not reads(referee.replay.header.game):
            return NOTHING
        pending = referee.replay.match.pending
        question = pending.question if isinstance(pending, Report) else ""
        domain = pending.domain if isinstance(pending, Report) else None
        file = self._library.copy_of(referee.replay.header.game)
        copy = sizes(file.load().facts) if file else Sizes()
        return Expected(
            _name(referee),
            len(referee.replay.match.steps),
            referee.replay.header.game,
            referee.replay.game.position.write(referee.replay.match.state),
            copy.cell_mm or 0.0,
            copy.block_mm or (0.0, 0.0, 0.0),
            self._desk.unchanged,
            referee.replay.header.setup.facts,
            question,
            domain if isinstance(domain, Multiset) else None,
            tuple(self._desk.counted.items()),
        )

    async def take(self, field: str, reading: Reading) -> None:
        """Record a reading and ask people about it; one of a match that has moved on is dropped.

        A camera's ``field`` is a sight of the game, or what the table is asked. A reading that finds the
        table as the match has it is not recorded: it only takes back what an earlier one asked.
        """
        referee = self._library.referee
        if referee is None or not _is_now(referee, reading):
            return
        source = Source(f"camera:{field}", voices=self._voices())
        meaning = reading.meanings[0] if reading.meanings else None
        asked = self._asked(referee, field, reading)
        if meaning == Exact(()) and not asked:
            self._desk.propose(Proposal(meaning, reading.candidates[0][1], source.channel))
            return
        seen = Observation(field, reading.candidates)
        try:
            number = await self._desk.reading(
                seen, source=source, meaning=meaning, asked=asked, evidence=reading.picture, why=reading.why
            )
        except (EngineError, JournalError, OSError) as error:
            log.warning("camera %s: a reading was not recorded: %s", field, error)
            return
        if pictures := self._pictures.get(field):
            await asyncio.to_thread(pictures.put, reading.match, number, reading.picture)

    def _asked(self, referee: Referee, field: str, reading: Reading) -> Asked | None:
        question = reading.question
        state = referee.replay.match.state
        sight = referee.replay.game.in_sight(state).get(field)
        if question is None or sight is None:
            return None
        boards = [sight.board(sight.fitted(state, sight.read(text))) for text, _ in reading.candidates]
        answers = [(board, reading.meanings[at]) for at in question.answers if (board := boards[at])]
        return Asked(question.cell, tuple(answers), question.crop)


def _name(referee: Referee) -> str:
    return Path(referee.path).stem


def _is_now(referee: Referee, reading: Reading) -> bool:
    return (_name(referee), len(referee.replay.match.steps)) == (reading.match, reading.steps)
