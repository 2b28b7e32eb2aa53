"""A match out of a file: a match file (text), a journal, or an exported journal (JSON lines)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import engines
from device.commands import CommandError, Exit
from device.exports import Account, of_file, of_log
from device.match import PUBLIC, Header, Reading, Record, Replay, Tried, read
from device.texts import Texts
from engines import matchfile
from engines.contract import Game, Setup
from engines.error_words import error_in_words
from engines.errors import EngineError, Refused
from engines.match import Made, Match
from engines.matchfile import MatchFile
from engines.texts import DEFAULT_LANGUAGE
from engines.words import Words

READABLE = "a match file, a journal (.podesta) or an exported one (.jsonl)"
"""The files that :func:`open_file` reads, for a command's help."""

_TEXT = b"podesta match"


def open_file(path: Path) -> MatchFile | Reading:
    """Open a file of a match, not replayed yet.

    Raises :class:`CommandError` for a file that is none of the three, OSError and JournalError for one that
    cannot be read, BadMatchFile for a match file with mistakes.
    """
    if path.exists() and not (path.is_file() or path.is_dir()):  # a pipe would be waited for
        raise CommandError(f"{path}: no plain file", code=Exit.UNREADABLE)
    with path.open("rb") as file:
        start = file.read(64).removeprefix(b"\xef\xbb\xbf")
    try:
        return (
            matchfile.read(path.read_text("utf-8-sig"), path.name) if start.startswith(_TEXT) else read(path)
        )
    except UnicodeDecodeError as error:
        raise CommandError(f"{path}: not UTF-8 text", code=Exit.UNREADABLE) from error


def open_journal(path: Path) -> Reading:
    """Open a journal as :func:`open_file` does; raises :class:`CommandError` for a match file too."""
    source = open_file(path)
    if isinstance(source, MatchFile):
        raise CommandError(f"{path}: a match file holds no records", code=Exit.UNREADABLE)
    return source


def header(path: Path, reading: Reading) -> Header:
    """Read a journal's header; raises :class:`CommandError` if it is lost."""
    try:
        return Header.read(reading.header)
    except ValueError as error:
        raise CommandError(f"{path.name}: {reading.damage or error}; without its header no replay") from error


def follow(game: Game[Any, Any], setup: Setup, steps: Sequence[Made]) -> tuple[Match, EngineError | None]:
    """Replay strictly up to the first step that does not fit; the match so far, and what is in the way."""
    match = Match(game, setup)
    for step in steps:
        try:
            match.make(step)
        except EngineError as error:
            return match, error
    return match, None


def as_far(header: Mapping[str, str], records: Sequence[Record]) -> Tried:
    """Return what counts of a log, and the match as far as it fits; raise as
    :class:`device.match.replay.Replay`, but not for a step that does not fit.
    """
    replay = Replay(header, ())
    replay.log.extend(records)
    return replay.tried(())


def words_of(told: MatchFile | Header, language: str = DEFAULT_LANGUAGE) -> Words:
    """Return the words for the match of a file."""
    return Words(Texts.load(language, told.game), engines.game(told.game), told.names, told.setup.facts)


def reason(words: Words, error: EngineError) -> str:
    """Say why a step does not fit, in one sentence; a refusal in the words the players read."""
    if isinstance(error, Refused):
        return f"{error.refusal.clause}: {words.refusal(error.refusal)}"
    return error_in_words(error, words.texts)


def misread(source: MatchFile | Reading, error: Exception, language: str) -> str:
    """Say why a file cannot be followed, in the texts of its game."""
    game = source.game if isinstance(source, MatchFile) else source.header.get("game")
    return error_in_words(error, Texts.load(language, *(one for one in engines.GAMES if one == game)))


def account(path: Path, source: MatchFile | Reading, view: str = PUBLIC) -> Account:
    """Return the account of an opened file for a view.

    Raises :class:`CommandError` for a journal that cannot be followed, EngineError for a match file.
    """
    try:
        if isinstance(source, MatchFile):
            return of_file(source, path.name)
        return of_log(source.header, source.records, view)
    except EngineError as error:
        if isinstance(source, MatchFile):
            raise
        why = reason(words_of(header(path, source)), error)
        where = f"record {error.at} does not fit: " if error.at else ""
        raise CommandError(f"{path.name}: {where}{why}; podesta verify tells more") from error
    except ValueError as error:
        raise CommandError(f"{path.name}: {error}") from error
