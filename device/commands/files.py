"""A match out of a file, be it a match file (text) or a journal, as far as it can be followed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from device.commands import CommandError, Exit
from device.journal_errors import NotAJournal
from device.journal_file import SUFFIX, Reading
from device.journal_file import read as read_journal
from device.story import Header
from device.words import Words
from engines import matchfile
from engines.contract import Game, Setup
from engines.errors import EngineError, NotationError, Refused
from engines.match import Match, Step
from engines.matchfile import MatchFile

_SQLITE = b"SQLite format 3\0"
_TEXT = b"podesta match"


def open_file(path: Path) -> MatchFile | Reading:
    """What the file holds, not replayed yet.

    Raises :class:`CommandError` for a file that is neither, OSError and JournalError for one that cannot be
    read, BadMatchFile for a match file with mistakes.
    """
    with path.open("rb") as file:
        start = file.read(len(_SQLITE)).removeprefix(b"\xef\xbb\xbf")
    if start.startswith(_TEXT):
        try:
            return matchfile.read(path.read_text("utf-8-sig"), path.name)
        except UnicodeDecodeError as error:
            raise CommandError(f"{path}: not UTF-8 text", code=Exit.UNREADABLE) from error
    if start != _SQLITE and path.suffix != SUFFIX:
        raise CommandError(f"{path}: neither a match file nor a journal", code=Exit.UNREADABLE)
    try:
        return read_journal(path)
    except NotAJournal as error:
        raise CommandError(str(error), code=Exit.UNREADABLE) from error


def header(path: Path, reading: Reading) -> Header:
    """A journal's header; raises :class:`CommandError` if it is lost."""
    try:
        return Header.read(reading.header)
    except ValueError as error:
        raise CommandError(f"{path.name}: {reading.damage or error}; without its header no replay") from error


def follow(game: Game[Any, Any], setup: Setup, steps: Sequence[Step]) -> tuple[Match, NotationError | None]:
    """Replay strictly up to the first step that does not fit; the match so far, and what is in the way."""
    match = Match(game, setup)
    for step in steps:
        try:
            match.play(step.text, step.seat)
        except NotationError as error:
            return match, error
    return match, None


def good(reading: Reading) -> str:
    """Which records of a journal can be trusted: ``records 1 to 24 are good``."""
    return f"records 1 to {len(reading.records)} are good" if reading.records else "no record is good"


def reason(words: Words, error: EngineError) -> str:
    """Why a step is no step, in one sentence; a refusal in the words the players read."""
    if isinstance(error, Refused):
        return f"{error.refusal.clause}: {words.refusal(error.refusal)}"
    return str(error)
