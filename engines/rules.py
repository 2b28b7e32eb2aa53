"""A game's rules as data: clauses with ids, our own wording, in the order of the rules.

The one module of ``engines`` that reads a file, and only what is packaged with it:
``engines/<game>/rules.toml``.

>>> load("san_gimignano").clause("SG-3.13").text
'Pass: do nothing; always allowed.'
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import msgspec

from engines import folder
from engines.errors import EngineError


class UnknownClause(EngineError):
    """No clause has this id; ``nearest`` is the id that looks most like it."""

    def __init__(self, game: str, clause_id: str, nearest: str) -> None:
        """``game`` is the game's id, ``clause_id`` what was asked for."""
        super().__init__(f"{game} has no clause {clause_id}; the nearest is {nearest}")
        self.nearest = nearest


class Clause(msgspec.Struct, frozen=True):
    """One rule: its ``id`` is what a refusal cites, ``section`` the title of the part it stands in."""

    id: str
    section: str
    text: str


class Rules:
    """The clauses of one game, iterated in the order of the rules."""

    def __init__(self, game: str, title: str, source: str, clauses: tuple[Clause, ...]) -> None:
        """``source`` says which printed rules are authoritative. Raises ValueError for an id used twice."""
        self.game, self.title, self.source = game, title, source
        self._clauses = {clause.id: clause for clause in clauses}
        if len(self._clauses) < len(clauses):
            ids = [clause.id for clause in clauses]
            raise ValueError(f"{game}: clause {next(i for i in ids if ids.count(i) > 1)} is there twice")

    def clause(self, clause_id: str) -> Clause:
        """The clause of this id; raises :class:`UnknownClause`, which names the nearest one."""
        try:
            return self._clauses[clause_id]
        except KeyError:
            raise UnknownClause(self.game, clause_id, self.nearest(clause_id)) from None

    def nearest(self, clause_id: str) -> str:
        """The id that looks most like ``clause_id``; itself when it exists."""
        return difflib.get_close_matches(clause_id, self._clauses, n=1, cutoff=0)[0]

    def __iter__(self) -> Iterator[Clause]:
        """All clauses in order."""
        return iter(self._clauses.values())

    def __len__(self) -> int:
        """How many clauses there are."""
        return len(self._clauses)


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    section: str
    en: str


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    game: str
    title: str
    source: str
    clause: tuple[_Entry, ...]


def load(game: str) -> Rules:
    """The rules of the game with this id, read once; raises :class:`EngineError` for a game without rules."""
    try:
        return _read(folder(game) / "rules.toml")
    except (OSError, EngineError) as error:
        raise EngineError(f"no rules for a game {game!r}") from error


@lru_cache
def _read(path: Path) -> Rules:
    file = msgspec.convert(tomllib.loads(path.read_text("utf-8")), _File)
    clauses = tuple(Clause(entry.id, entry.section, entry.en) for entry in file.clause)
    return Rules(file.game, file.title, file.source, clauses)
