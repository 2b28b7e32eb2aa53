"""What becomes of a reading: recorded with the digest of its picture, and put to the people at the box."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from device.facts import Sizes, sizes
from device.match.journal import JournalError
from device.match.library import Library
from device.match.records import Kind
from device.match.referee import Referee
from device.menus import Asked, Box, Proposal, stands
from device.sensors.camera.pictures import Pictures
from device.sensors.messages import NOTHING, Expected, Reading
from device.sensors.readers import reads
from engines.errors import EngineError
from engines.search import Exact

log = logging.getLogger(__name__)

WHAT: Final = "board"


class CameraDesk:
    """The match as the cameras see it."""

    def __init__(self, table: Library, box: Box, pictures: Mapping[str, Pictures]) -> None:
        """``pictures`` are kept by the field that a camera looks at."""
        self._table = table
        self._box = box
        self._pictures = pictures

    def expected(self) -> Expected:
        """What is on the table now, where a match is being played whose board cameras can read."""
        referee = self._table.referee
        if referee is None or referee.lost or referee.replay.over or not reads(referee.replay.header.game):
            return NOTHING
        file = self._table.copy_of(referee.replay.header.game)
        copy = sizes(file.load().facts) if file else Sizes()
        return Expected(
            _name(referee),
            len(referee.replay.match.steps),
            referee.replay.header.game,
            referee.replay.game.position(referee.replay.match.state),
            copy.cell_mm or 0.0,
            copy.block_mm or (0.0, 0.0, 0.0),
            self._box.unchanged,
        )

    async def take(self, field: str, reading: Reading) -> None:
        """Record a reading and ask people about it; one of a match that has moved on is dropped.

        A reading that finds the table as the match has it is not recorded: it only takes back what an
        earlier one asked.
        """
        referee = self._table.referee
        if referee is None or not _is_now(referee, reading):
            return
        proposal = self._proposal(referee, reading, f"camera:{field}")
        if (proposal.meaning == Exact(()) and not proposal.asked) or await self._record(
            referee, field, reading, proposal
        ):
            self._box.propose(proposal)

    def _proposal(self, referee: Referee, reading: Reading, channel: str) -> Proposal:
        asked = None
        if question := reading.question:
            words, game = self._box.words_of(referee.replay), referee.replay.game
            boards = [game.board_of(game.read_layout(text)) for text, _ in reading.candidates]
            answers = [
                (stands(words, board, question.cell), reading.meanings[at])
                for at in question.answers
                if (board := boards[at]) is not None
            ]
            asked = Asked(question.cell, tuple(answers), question.crop)
        return Proposal(reading.meanings[0], reading.candidates[0][1], channel, asked)

    async def _record(self, referee: Referee, field: str, reading: Reading, proposal: Proposal) -> bool:
        """Record the reading and keep its picture; whether the match still stands where it was read for."""
        text = " | ".join(f"{confidence:.2f} {layout}" for layout, confidence in reading.candidates)
        try:
            entry = referee.note(
                f"{WHAT} {text}",
                channel=proposal.channel,
                kind=Kind.READING,
                confidence=proposal.confidence,
                evidence=reading.picture,
            )
            number = (await asyncio.wrap_future(entry.written))[-1].seq
        except (EngineError, JournalError, OSError) as error:
            log.warning("camera %s: a reading was not recorded: %s", field, error)
            return False
        if pictures := self._pictures.get(field):
            await asyncio.to_thread(pictures.put, reading.match, number, reading.picture)
        return self._table.referee is referee and _is_now(referee, reading)


def _name(referee: Referee) -> str:
    return Path(referee.path).stem


def _is_now(referee: Referee, reading: Reading) -> bool:
    return (_name(referee), len(referee.replay.match.steps)) == (reading.match, reading.steps)
