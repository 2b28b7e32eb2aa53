"""Texts for people, by key: written in English, translated by catalogues.

An English file is TOML, with nested tables or dotted keys; ``{name}`` in a text stands for a value::

    home.continue = "Continue {name}"

A text with a number may have two forms; ``by`` names the value that is counted, by default ``n``::

    back = { by = "count", one = "Taken back: 1 entry", other = "Taken back: {count} entries" }

Texts of all games are in ``engines/texts/en.toml``, those of one game in ``engines/<game>/texts.en.toml``; a
program adds its own folder (:attr:`Texts.folders`). Another language is a folder of gettext catalogues
(:attr:`Texts.catalogues`), one for each of these files, with a text's key as context: ``ja/torres.mo``. A
game of another package has its own, ``texts.ja.mo``, beside its texts.
"""

from __future__ import annotations

import gettext
import re
import string
import struct
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, reduce
from importlib.resources import files
from pathlib import Path
from typing import ClassVar, NamedTuple, Self

import engines
from engines.errors import UnknownGame
from engines.fact_kinds import HIDDEN

DEFAULT_LANGUAGE = "en"
"""The language of texts that another one lacks."""

_ENGLISH = gettext.NullTranslations()
_STOPS = (".", "!", "?", ":", "。", "？", "：")
_MANY = 100
"""The number whose form is taken for a value that is no number."""

_BETWEEN = re.compile(r"\s+|(?<=[\u3040-\u9fff])(?=[A-Za-z0-9])")
"""The gap between two words of a name: a blank, or nothing behind kana or kanji."""

_LETTERED = re.compile(r"[\u3040-\u9fff]+[A-Za-z]")
"""A name that a letter ends, behind kana or kanji: ``プレイヤーA``."""

_UNFIT = re.compile(f"[{HIDDEN}]")


def breadth(text: str) -> int:
    """Return the width of a text in Latin letters; kana and kanji count as two."""
    return sum(1 + (unicodedata.east_asian_width(sign) in "WF") for sign in text)


def plain(line: str) -> str:
    r"""Make a line of somebody else's file safe for a terminal: control characters become ``�``.

    >>> plain("Adso\x1b[2J : William")
    'Adso�[2J : William'
    """
    return _UNFIT.sub("\N{REPLACEMENT CHARACTER}", line)


def _drop_shared(names: Sequence[str]) -> Sequence[str]:
    """Return each name without the first words that it shares with another, or that stand before its letter,
    if all still differ.
    """
    split = [_BETWEEN.split(name.strip()) for name in names]

    def shared(words: Sequence[str], others: Iterable[Sequence[str]]) -> int:
        begun = max((_count_alike(words, other) for other in others), default=0)
        return len(words) - 1 if _LETTERED.fullmatch("".join(words)) else min(begun, len(words) - 1)

    left = [" ".join(words[shared(words, split[:at] + split[at + 1 :]) :]) for at, words in enumerate(split)]
    return left if len({one.casefold() for one in left}) == len(names) else names


def _count_alike(words: Sequence[str], others: Sequence[str]) -> int:
    """Count the first words that two names share."""
    pairs = zip(words, others, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a.casefold() != b.casefold()), len(words))


def apart(names: Sequence[str], least: int = 1) -> tuple[str, ...]:
    """Shorten names as long as they differ, to at least ``least`` letters: ``Mar``, ``Mat``, ``T``.

    Leave out first words that a name shares with another: ``A``, ``B`` for ``Player A``, ``Player B``. A row
    of kana or kanji is one word, letters behind it the next; of ``プレイヤーA`` always ``A`` is left. Equal
    names stay whole, and so does the beginning of another name.
    """
    names = _drop_shared(names)

    def shortest(at: int, name: str) -> str:
        others = [other.casefold() for place, other in enumerate(names) if place != at]
        for letters in range(least, len(name)):
            begun = name[:letters]
            if not any(other.startswith(begun.casefold()) for other in others):
                return begun.rstrip()
        return name

    return tuple(shortest(at, name) for at, name in enumerate(names))


class Catalogue(gettext.GNUTranslations):
    """A compiled catalogue, which finds a text by its key and its English."""

    _catalog: dict[object, str]

    def forget(self, texts: Mapping[str, str | PluralText]) -> None:
        """Release the memory of ``texts``, except plural forms, which are looked up one by one."""
        for key, text in texts.items():
            self._catalog.pop(self.CONTEXT % (key, text), None)
        self._catalog = dict(self._catalog)  # an emptied dict keeps its size


class TextError(Exception):
    """A text is missing, set twice or cannot be filled in; the message names its key."""


class PluralText(NamedTuple):
    """A text with a form for each plural category; the value named ``by`` decides."""

    by: str
    one: str
    other: str
    key: str = ""
    catalogue: gettext.NullTranslations = _ENGLISH

    def form(self, values: Mapping[str, object]) -> str:
        """Return the form for the number among ``values``."""
        counted = str(values.get(self.by, ""))
        count = int(counted) if counted.isdecimal() else _MANY
        return self.catalogue.npgettext(self.key, self.one, self.other, count)

    @property
    def forms(self) -> tuple[str, ...]:
        """The different forms for 0 to 100; no language has others (CLDR)."""
        return tuple(dict.fromkeys(self.form({self.by: count}) for count in range(101)))


class Texts:
    """Texts by key; call them like a function.

    >>> t = Texts({"home": {"continue": "Continue {name}"}})
    >>> t("home.continue", name="Chess")
    'Continue Chess'
    >>> t("home.kontinue")
    'home.kontinue'

    A missing key is its own text, and a missing value leaves its ``{name}``: no match must end for a word.
    With ``strict``, as in tests, both raise :class:`TextError`.
    """

    folders: ClassVar[tuple[Path, ...]] = (Path(str(files("engines") / "texts")),)
    """The folders of English texts that belong to no game."""

    catalogues: ClassVar[Path | None] = None
    """The folder of the other languages, a folder each."""

    def __init__(
        self, *tables: Mapping[str, object], strict: bool = False, language: str = DEFAULT_LANGUAGE
    ) -> None:
        """Merge ``tables``; raises :class:`TextError` for a key set twice or a text that cannot be filled."""
        self.strict, self.language = strict, language
        self.readings: Mapping[str, str] = {}
        """The pronunciation of words in letters that do not show it, such as kanji."""
        self._texts: dict[str, str | PluralText] = {}
        self._domains: list[gettext.NullTranslations] = []
        self._english: list[Mapping[str, str | PluralText]] = []
        for table in tables:
            self._add(_check(table))

    def _add(self, texts: Mapping[str, str | PluralText]) -> None:
        if twice := self._texts.keys() & texts.keys():
            raise TextError(f"text {min(twice)} is set twice")
        self._texts.update(texts)

    @classmethod
    def load(cls, language: str = DEFAULT_LANGUAGE, *games: str, strict: bool = False) -> Self:
        """Load the texts of all :attr:`folders` and of ``games``; texts that a language lacks stay English.

        Raises :class:`TextError` for a language that has no catalogues.
        """
        if language not in cls.languages():
            raise TextError(f"no texts in {language!r}, only in {', '.join(cls.languages())}")
        texts = cls(strict=strict, language=language)
        own = ((folder.parent.name, folder / "en.toml") for folder in cls.folders)
        for domain, file in (*own, *_list_files(games)):
            catalogue = cls.catalogue(language, domain, file)
            texts._add(_translate(file, catalogue))
            texts._english.append(read(file))
            texts._domains.append(catalogue)
        if cls.catalogues:
            texts.readings = _read_readings(cls.catalogues / language / "readings.txt")
        return texts

    @classmethod
    def languages(cls) -> tuple[str, ...]:
        """Return the codes of the languages that have texts, English first."""
        known = sorted(one.name for one in cls.catalogues.iterdir() if one.is_dir()) if cls.catalogues else []
        return (DEFAULT_LANGUAGE, *(one for one in known if not one.startswith("_")))

    @classmethod
    def catalogue(cls, language: str, domain: str, file: Path) -> gettext.NullTranslations:
        """Return the catalogue of a file's texts: the one beside it, or else that of its ``domain``."""
        if language == DEFAULT_LANGUAGE or cls.catalogues is None:
            return _ENGLISH
        beside = file.with_name(f"texts.{language}.mo")
        return _read_catalogue(beside if beside.is_file() else cls.catalogues / language / f"{domain}.mo")

    def translate(self, key: str, english: str) -> str:
        """Translate an English text of another file, such as a clause, if there is a translation."""
        said = (catalogue.pgettext(key, english) for catalogue in reversed(self._domains))
        return next((one for one in said if one != english), english)

    def __call__(self, key: str, /, **values: object) -> str:
        """Return the text at ``key`` with ``values`` filled in; further values are ignored."""
        text = self._texts.get(key)
        if text is None:
            if self.strict:
                raise TextError(f"no text {key}")
            return key
        if isinstance(text, PluralText):
            text = text.form(values)
        try:
            return text.format_map(values)
        except KeyError as error:
            if self.strict:
                raise TextError(f"text {key} needs a value for {error.args[0]}") from error
        except (ValueError, TypeError) as error:
            if self.strict:
                raise TextError(f"text {key}: {error}") from error
        return text

    def __contains__(self, key: object) -> bool:
        """Return True if there is a text at ``key``."""
        return key in self._texts

    def __iter__(self) -> Iterator[str]:
        """Yield all keys, in the order of their files."""
        return iter(self._texts)

    def under(self, section: str) -> list[str]:
        """Return all keys under ``section``, in the order of the file."""
        return [key for key in self._texts if key.startswith(f"{section}.")]

    def template(self, key: str) -> str | PluralText:
        """Return the text at ``key`` with its blanks; raises :class:`TextError` if there is none."""
        if key not in self._texts:
            raise TextError(f"no text {key}")
        return self._texts[key]

    def original(self, key: str) -> str:
        """Return the English text at ``key``, as in records; raises :class:`TextError` if there is none."""
        text = next((table[key] for table in self._english if key in table), self._texts.get(key))
        if text is None:
            raise TextError(f"no text {key}")
        return text if isinstance(text, str) else text.other

    def recall(self, section: str, original: str) -> str:
        """Translate a record's English text if it is one of those under ``section``."""
        keys = (key for key in self.under(section) if self.original(key) == original)
        return next((self(key) for key in keys), original)

    def recast(self, section: str, original: str) -> str:
        """Translate a line of English texts under ``section`` and figures: ``workshop 2: 7``.

        Blanks of these texts are figures; the blank ``{what}`` is another of them: ``{n} {what}`` for ``3
        tiles``.
        """
        keys = self.under(section)
        if self.language == DEFAULT_LANGUAGE or not keys:
            return original
        keys.sort(key=lambda key: (not self.placeholders(key), -len(self.original(key))))
        words = {self.original(key): self(key) for key in keys if not self.placeholders(key)}
        what = "|".join(map(re.escape, words))
        known = "|".join(_make_pattern(self.original(key), at, what) for at, key in enumerate(keys))

        def said(found: re.Match[str]) -> str:
            at = str(found.lastgroup)[1:]
            key = keys[int(at)]
            values = {name: found[f"{name}_{at}"] for name in self.placeholders(key)}
            return self(key, **{name: words.get(value, value) for name, value in values.items()})

        told = re.sub(rf"(?<![a-z0-9])(?:{known})(?![a-z])", said, original)
        return self.by_commas(told.split(", "))

    def by_commas(self, names: Iterable[str]) -> str:
        """Join names by commas: ``red, 2 × blue``."""
        return self("list.comma").join(names)

    def by_semicolons(self, lists: Iterable[str]) -> str:
        """Join lists, or sentences, by semicolons: ``left path, oasis 1; right town``."""
        return self("list.semicolon").join(lists)

    def phrase(self, parts: Sequence[str]) -> str:
        """Join parts of one sentence."""
        return reduce(self._join, parts or [""])

    def sentences(self, parts: Iterable[str]) -> str:
        """Join sentences; all but the last get a full stop unless they end with a stop or a colon."""
        *before, last = [part for part in parts if part] or [""]
        stopped = [part if part.endswith(_STOPS) else self("list.stop", sentence=part) for part in before]
        return reduce(self._join, [*stopped, last])

    def _join(self, before: str, part: str) -> str:
        if before.endswith(":"):
            return f"{before} {part}"
        key = "list.sentences" if before.endswith(_STOPS) else "list.phrase"
        return self(key, before=before, part=part)

    def listed(self, names: Sequence[str]) -> str:
        """Join names by commas, by semicolons if a name has a comma itself."""
        comma = self("list.comma")
        return self.by_semicolons(names) if any(comma in name for name in names) else comma.join(names)

    def placeholders(self, key: str) -> frozenset[str]:
        """Return the names of blanks of the text at ``key``; raises :class:`TextError` if there is none."""
        text = self.template(key)
        forms = (text,) if isinstance(text, str) else text.forms
        return frozenset().union(*(blanks(key, form) for form in forms))


def _make_pattern(english: str, at: int, words: str) -> str:
    """Return a pattern for an English text with filled blanks: a group ``k3``, in it ``n_3`` and others."""

    def blank(found: re.Match[str]) -> str:
        return f"(?P<{found[1]}_{at}>{words if found[1] == 'what' else '[0-9]+'})"

    text = re.sub(r"\\\{(\w+)\\\}", blank, re.escape(english))
    return f"(?P<k{at}>{text})"


def _list_files(games: tuple[str, ...]) -> Iterator[tuple[str, Path]]:
    for game in games:
        with suppress(UnknownGame):  # people are told when they open its match
            file = engines.folder(game) / "texts.en.toml"
            if file.is_file():
                yield game, file


@cache
def _read_readings(file: Path) -> Mapping[str, str]:
    """Read a file of words and their pronunciation, one a line, empty if it is missing; raises TextError."""
    if not file.is_file():
        return {}
    found = {}
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        match line.split():
            case [first, *_] if first.startswith("#"):
                pass
            case [word, reading]:
                found[word] = reading
            case [_, *_]:
                raise TextError(f"{file.parent.name}/{file.name}:{number}: not a word and how it is read")
    return found


@cache
def _read_catalogue(file: Path) -> gettext.NullTranslations:
    """Return the catalogue of a compiled file; a missing file is one without translations."""
    try:
        with file.open("rb") as opened:
            return Catalogue(opened)
    except FileNotFoundError:
        return _ENGLISH
    except (OSError, ValueError, struct.error) as error:
        raise TextError(f"{file.parent.name}/{file.name}: {error}") from error


@cache
def _translate(file: Path, catalogue: gettext.NullTranslations) -> Mapping[str, str | PluralText]:
    """Return the texts of an English file in the language of ``catalogue``."""
    texts = read(file)
    if catalogue is _ENGLISH:
        return texts
    said = {
        key: catalogue.pgettext(key, text)
        if isinstance(text, str)
        else text._replace(key=key, catalogue=catalogue)
        for key, text in texts.items()
    }
    if isinstance(catalogue, Catalogue):
        catalogue.forget(texts)
    return said


@cache
def read(file: Path) -> dict[str, str | PluralText]:
    """Return the texts of a file, which does not change while the box runs; raises :class:`TextError`."""
    try:
        return _check(tomllib.loads(file.read_text("utf-8")))
    except (ValueError, TextError) as error:
        raise TextError(f"{file.name}: {error}") from error


def _check(table: Mapping[str, object]) -> dict[str, str | PluralText]:
    """Return the texts of a nested table by dotted key; raises :class:`TextError`."""
    texts: dict[str, str | PluralText] = {}
    for key, text in _flatten(table, ""):
        if key in texts:
            raise TextError(f"text {key} is set twice")
        for form in (text,) if isinstance(text, str) else (text.one, text.other):
            blanks(key, form)
        texts[key] = text
    return texts


def _flatten(table: Mapping[str, object], prefix: str) -> Iterator[tuple[str, str | PluralText]]:
    for name, value in table.items():
        if isinstance(value, Mapping) and {"one", "other"} <= value.keys():
            forms = {"by": "n", **value}
            if forms.keys() != {"by", "one", "other"} or not all(
                isinstance(form, str) for form in forms.values()
            ):
                raise TextError(f"text {prefix}{name} must have one, other and perhaps by, all strings")
            yield prefix + name, PluralText(**forms)
        elif isinstance(value, Mapping):
            yield from _flatten(value, f"{prefix}{name}.")
        elif isinstance(value, str):
            yield prefix + name, value
        else:
            raise TextError(f"text {prefix}{name} must be a string, not {value!r}")


def blanks(key: str, text: str) -> frozenset[str]:
    """Return the names of a text's blanks; only plain names, so that no translation can reach into values."""
    try:
        fields = [(name, spec) for _, name, spec, _ in string.Formatter().parse(text) if name is not None]
    except ValueError as error:
        raise TextError(f"text {key}: {error}") from error
    for name, spec in fields:
        if not name.isidentifier() or "{" in (spec or ""):
            raise TextError(f"text {key}: {{{name}}} is not a plain name")
    return frozenset(name for name, _ in fields)
