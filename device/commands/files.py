"""A match from a file: a match file (text), a journal, or an exported journal (JSON lines)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

import msgspec

import engines
from device.commands import CommandError, Exit
from device.exports import Account, read_log, read_match_file, select_followable
from device.match import PUBLIC, Header, JournalFile, Record, Replay, read
from device.texts import Texts
from engines import matchfile
from engines.errors import EngineError
from engines.fact_words import error_in_words
from engines.match import Match
from engines.matchfile import MatchFile
from engines.texts import DEFAULT_LANGUAGE
from engines.words import Words

READABLE = "a match file, a journal (.podesta) or an exported one (.jsonl)"
"""The files that :func:`open_match` reads, for a command's help."""

_TEXT = b"podesta match"


class FittedMatch(msgspec.Struct, frozen=True):
    """A match as far as the entries of its file fit, with their numbers.

    ``stuck`` is the first entry that does not fit (0: none); then come its text, the ruling that gave it its
    wording, and the reason.
    """

    match: Match
    numbers: tuple[int, ...]
    stuck: int = 0
    text: str = ""
    ruled: int = 0
    error: EngineError | None = None


class OpenedMatch:
    """A match from a file, not replayed yet. Its entries are the steps of a match file, or a journal's
    records.
    """

    def __init__(self, path: Path, source: MatchFile | JournalFile) -> None:
        """Take the content of the file ``path``."""
        self.path = path
        self.file = source if isinstance(source, MatchFile) else None
        self.journal = source if isinstance(source, JournalFile) else None

    @cached_property
    def header(self) -> Header:
        """The header; raises :class:`device.match.Unfollowable` if a journal's is lost."""
        if self.file:
            return Header(self.file.game, self.file.names, self.file.setup, self.file.simulated)
        assert self.journal
        return Header.of(self.path.name, self.journal)

    @property
    def rules_version(self) -> int:
        """The version of the rules of play."""
        if self.file:
            return self.file.rules_version
        return int(self.journal.header.get("rules_version", 0)) if self.journal else 0

    def words(self, language: str = DEFAULT_LANGUAGE) -> Words:
        """Return the words for the match."""
        return self.header.load_words(language)

    def fitted(self, count: int | None = None) -> FittedMatch:
        """Return the match after its first ``count`` entries, by default all, as far as they fit.

        Raises as :class:`device.match.Replay`, but not for a step that does not fit.
        """
        if self.file:
            match = Match(engines.game(self.file.game), self.file.setup)
            for number, made in enumerate(self.file.steps[:count], 1):
                try:
                    match.make(made)
                except EngineError as error:
                    return FittedMatch(match, tuple(range(1, number)), number, matchfile.line(made), 0, error)
            return FittedMatch(match, tuple(range(1, len(match.steps) + 1)))
        assert self.journal
        records = select_followable(self.journal.records[:count])
        tried = make_loose_replay(self.journal.header, records).try_rulings(())
        numbers = tuple(line.seq for line in tried.lines[: len(tried.match.steps)])
        if tried.stuck is None:
            return FittedMatch(tried.match, numbers)
        stuck = tried.stuck
        return FittedMatch(tried.match, numbers, stuck.seq, stuck.text, stuck.ruled, tried.error)

    def account(self, view: str = PUBLIC) -> Account:
        """Return the account of the match for a view.

        Raises :class:`CommandError` for a journal that cannot be followed, EngineError for a match file.
        """
        if self.file:
            return read_match_file(self.file, self.path.name)
        assert self.journal
        try:
            return read_log(self.journal.header, self.journal.records, view)
        except EngineError as error:
            where = f"record {error.at} does not fit: " if error.at else ""
            why = f"{where}{self.words().misfit(error)}; podesta verify tells more"
            raise CommandError(f"{self.path.name}: {why}") from error
        except ValueError as error:
            raise CommandError(f"{self.path.name}: {error}") from error

    @contextlib.contextmanager
    def followed(self, language: str) -> Iterator[None]:
        """Turn errors of a match that cannot be followed into :class:`CommandError`, in its game's words."""
        try:
            yield
        except (EngineError, ValueError) as error:
            game = self.file.game if self.file else self.journal and self.journal.header.get("game")
            texts = Texts.load(language, *(one for one in engines.GAMES if one == game))
            raise CommandError(f"{self.path.name}: {error_in_words(error, texts)}") from error

    def damage(self, more: str = "") -> None:
        """Raise :class:`CommandError` for a damaged journal, with its good records and ``more``."""
        if self.journal and self.journal.damage:
            raise CommandError(f"{self.path.name}: {self.journal.damage}; {self.journal.good}{more}")


def open_match(path: Path) -> OpenedMatch:
    """Open a file of a match.

    Raises :class:`CommandError` for a file that is none of the three, OSError and JournalError for one that
    cannot be read, BadMatchFile for a match file with mistakes.
    """
    if path.exists() and not (path.is_file() or path.is_dir()):  # a pipe would be waited for
        raise CommandError(f"{path}: no plain file", code=Exit.UNREADABLE)
    with path.open("rb") as file:
        start = file.read(64).removeprefix(b"\xef\xbb\xbf")
    if not start.startswith(_TEXT):
        return OpenedMatch(path, read(path))
    try:
        return OpenedMatch(path, matchfile.read(path.read_text("utf-8-sig"), path.name))
    except UnicodeDecodeError as error:
        raise CommandError(f"{path}: not UTF-8 text", code=Exit.UNREADABLE) from error


def open_journal(path: Path) -> JournalFile:
    """Open a journal as :func:`open_match` does; raises :class:`CommandError` for a match file too."""
    journal = open_match(path).journal
    if journal is None:
        raise CommandError(f"{path}: a match file holds no records", code=Exit.UNREADABLE)
    return journal


def make_loose_replay(header: Mapping[str, str], records: Sequence[Record]) -> Replay:
    """Return a replay that has not followed its log; :meth:`~device.match.Replay.try_first` tries it."""
    replay = Replay(header, ())
    replay.log.extend(records)
    return replay
