"""A game's rules as data: clauses with ids in our own wording, from ``engines/<game>/rules.toml``.

>>> load("san_gimignano").clause("SG-3.13").text
'Pass: do nothing; always allowed.'
>>> [clause.id for clause in load("torres").search("king scoring")]
['TO-5.3', 'TO-5.2', 'TO-5.4', 'TO-5.1']
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from pathlib import Path

import msgspec

from engines import folder
from engines.errors import EngineError
from engines.texts import DEFAULT_LANGUAGE, Texts

_WORD = re.compile(r"[\u30a0-\u30ff]+|[\u3400-\u9fff]+|[^\W_\u3040-\u30ff\u3400-\u9fff]+")
"""A word of katakana, of kanji, or of other letters and figures; hiragana separate words."""

_KATAKANA = re.compile(r"[\u30a0-\u30ff]+")
_STOP = re.compile(r"[:.;](?:\s|$)| \(|[。：（]")
_RULING = "Ruling: "
TITLE = 54

_ENDS = ("s", "es", "d", "ed", "r", "er", "ing", "ly")
"""Endings of a word that the index leaves out if it has the word without one."""

_FEW = """
    about above after again against ahead all alone also always among and another any anything anywhere
    are around because been before being below beside both but came can cannot could did does each either
    else even every everybody exactly few fewer for from further goes had has have having here how
    however into its itself just least less like many may more most much must neither never none nor not
    nothing off once one only onto other others out over own per said same save says see several shall
    she should since some someone still such than that the their them then there these they this those
    though through together too under until up upon very was way were what whatever when whenever where
    whether which while who whoever whole whose why will with within without would yes yet you your
    yourself
"""
SMALL = frozenset(_FEW.split())
"""English words that lead to no rule in particular."""


class UnknownClause(EngineError):
    """No clause has this id; ``nearest`` is the id that looks most like it."""

    def __init__(self, game: str, clause_id: str, nearest: str) -> None:
        """Take the ids of the game and of the missing clause."""
        super().__init__(f"{game} has no clause {clause_id}; the nearest is {nearest}")
        self.nearest = nearest


class Clause(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rule: refusals cite its ``id``; ``section`` is the title of its part."""

    id: str
    section: str
    text: str = msgspec.field(name="en")

    @property
    def words(self) -> list[str]:
        """Its words and numbers in lower case, those of the text first."""
        return [word.casefold() for word in _WORD.findall(f"{self.text} {self.section}")]


class Rules:
    """The clauses of one game, iterated in the order of the rules."""

    def __init__(
        self,
        game: str,
        title: str,
        source: str,
        clauses: tuple[Clause, ...],
        *,
        ruling: str = _RULING,
        readings: Mapping[str, str] | None = None,
    ) -> None:
        """Take the clauses; ``source`` names the authoritative printed rules.

        The text of a ruling begins with ``ruling``. ``readings`` has the pronunciation of the words for the
        index, in a language whose letters do not show it. Raises ValueError for an id used twice.
        """
        self.game, self.title, self.source = game, title, source
        self._ruling, self._readings = ruling, readings or {}
        self._clauses = {clause.id: clause for clause in clauses}
        if len(self._clauses) < len(clauses):
            ids = [clause.id for clause in clauses]
            raise ValueError(f"{game}: clause {next(i for i in ids if ids.count(i) > 1)} is there twice")

    def clause(self, clause_id: str) -> Clause:
        """Return the clause of this id; raises :class:`UnknownClause`."""
        try:
            return self._clauses[clause_id]
        except KeyError:
            raise UnknownClause(self.game, clause_id, self.nearest(clause_id)) from None

    def subject(self, clause: Clause) -> str:
        """Return a clause's subject for a list: the beginning of its text, at most :data:`TITLE` long."""
        begun = _STOP.split(clause.text.removeprefix(self._ruling), maxsplit=1)[0]
        return begun if len(begun) <= TITLE else begun[: TITLE + 1].rpartition(" ")[0].rstrip(",") or begun

    def nearest(self, clause_id: str) -> str:
        """Return the id that looks most like ``clause_id``."""
        return difflib.get_close_matches(clause_id, self._clauses, n=1, cutoff=0)[0]

    @property
    def sections(self) -> dict[str, tuple[Clause, ...]]:
        """The clauses by the title of their part, in order."""
        parts: dict[str, list[Clause]] = {}
        for clause in self:
            parts.setdefault(clause.section, []).append(clause)
        return {title: tuple(clauses) for title, clauses in parts.items()}

    def search(self, text: str) -> list[Clause]:
        """Return the clauses with all words of ``text``, in any case, each a word or the beginning of one.

        Clauses with the words at their beginning come first. An id, or its beginning up to a dot, finds the
        clauses of that id; a text without words finds none.
        """
        wanted = text.strip().upper()
        if of_id := [clause for clause in self if f"{clause.id}.".startswith(f"{wanted}.")]:
            return of_id
        begun = [word.casefold() for word in text.split() if _WORD.search(word)]
        begun = [one for word in begun for one in (_WORD.findall(word) if word.isascii() else [word])]
        found = []
        for place, clause in enumerate(self if begun else ()):
            words, whole = clause.words, clause.text.casefold()
            at = [
                next((at for at, word in enumerate(words) if word.startswith(one)), -1)
                if one.isascii()
                else whole.find(one)
                for one in begun
            ]
            if min(at) >= 0:
                found.append((sum(at), place, clause))
        return [clause for *_, clause in sorted(found, key=lambda one: one[:2])]

    @cached_property
    def index(self) -> tuple[str, ...]:
        """The words worth looking up, in alphabetical order; ``towers`` is left out, for :meth:`search` finds
        it by ``tower``.
        """
        every = {word for clause in self for word in clause.words if word.isalpha()} - SMALL
        if self._readings:
            told = "\n".join(clause.text for clause in self)
            known = {word for word in every if _KATAKANA.fullmatch(word) and len(word) > 1}
            known |= self._readings.keys()
            return tuple(sorted((word for word in known if word in told), key=self.reading))
        every = {word for word in every if len(word) > 2}
        longer = {word + end for word in every for end in _ENDS}
        return tuple(sorted(every - longer))

    def reading(self, word: str) -> str:
        """Return the pronunciation of a word."""
        return self._readings.get(word, word)

    def __iter__(self) -> Iterator[Clause]:
        """Yield all clauses in order."""
        return iter(self._clauses.values())

    def __len__(self) -> int:
        """Return the number of clauses."""
        return len(self._clauses)


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    game: str
    title: str
    source: str
    clause: tuple[Clause, ...]


def load(game: str) -> Rules:
    """Read the rules of the game with this id, once; raises :class:`EngineError` for a game without rules."""
    try:
        return _read(folder(game) / "rules.toml")
    except (OSError, EngineError) as error:
        raise EngineError(f"no rules for a game {game!r}") from error


@lru_cache(16)
def spoken(game: str, texts: Texts) -> Rules:
    """Return the rules of a game in the language of ``texts``; a clause without a translation stays English.

    Raises as :func:`load` does.
    """
    rules = load(game)
    if texts.language == DEFAULT_LANGUAGE:
        return rules
    clauses = (
        Clause(
            clause.id,
            texts.translate(f"section.{clause.section}", clause.section),
            texts.translate(f"clause.{clause.id}", clause.text),
        )
        for clause in rules
    )
    return Rules(
        game,
        texts("title"),
        texts.translate("rules.source", rules.source),
        tuple(clauses),
        ruling=texts("ruling"),
        readings=texts.readings,
    )


@lru_cache
def _read(path: Path) -> Rules:
    file = msgspec.convert(tomllib.loads(path.read_text("utf-8")), _File)
    return Rules(file.game, file.title, file.source, file.clause)
