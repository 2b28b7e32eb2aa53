"""Facts of the owner's copy of a game, in a file that people may edit.

::

    STATE/facts/GAME.toml    the copy of a game that is played with here

The file is TOML, checked like the settings; a fact that does not stand in it is unknown, or at its default.
The box changes only the values that change, comments stay, and the new file is there whole or not at all. A
file that a person made a mistake in is used as far as it is right: a faulty fact is as if it were not there.
"""

from __future__ import annotations

import hashlib
import logging
import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from device.errors import DeviceError
from device.files import read_file, replace_file
from device.strict_toml import FileProblem, check, spelled, unread
from device.texts import Texts
from engines.contract import Printed, Setup
from engines.errors import BadSetup
from engines.fact_kinds import raw, read, read_word, write
from engines.fact_words import FactWords
from engines.facts import (
    OPEN,
    BadFact,
    Copy,
    Fact,
    Facts,
    Known,
    Standing,
    drift,
    of_match,
    schema,
    with_facts,
    without_contradictions,
)

log = logging.getLogger(__name__)

FORMAT = 1


class FactsError(DeviceError):
    """A fact cannot be kept, or a file not be changed or taken over; ``reasons`` are one line each.

    ``said`` is the same to people who see no file.
    """

    def __init__(self, *reasons: str, said: str = "") -> None:
        """Take at least one reason; ``said`` is empty where the reasons will do."""
        super().__init__("; ".join(reasons))
        self.reasons, self.said = reasons, said or str(self)


class Sizes(msgspec.Struct, frozen=True):
    """Sizes of a copy's board and pieces, in mm, for a camera to read them by; None while unknown.

    ``cell_mm`` is from one space to the next, ``block_mm`` a block's width, depth and height.
    """

    cell_mm: float | None = None
    block_mm: tuple[float, float, float] | None = None


def sizes(facts: Facts) -> Sizes:
    """Return the sizes of a copy; empty for a game that has none of them."""
    names = ("cell_pitch", "hex_size", "block_width", "block_height")
    cell, across, width, height = (facts.known.get(name, Known()).value for name in names)
    return Sizes(cell or across, (width, width, height) if width and height else None)


class LoadedFacts(msgspec.Struct, frozen=True):
    """A file's contents and mistakes.

    ``text`` is None where there is no file, ``digest`` what an export says of itself. A file that is not
    ``sound`` cannot be read, is not TOML, or not of this game and format: nothing of it was used.
    """

    facts: Facts
    problems: tuple[FileProblem, ...] = ()
    text: str | None = None
    digest: str = ""
    sound: bool = True


class CopyFile:
    """The file that keeps one copy's facts. It is read anew each time: people may edit it meanwhile."""

    def __init__(self, path: Path, words: FactWords) -> None:
        """Open nothing yet; ``words`` are those of the file's game."""
        self.path, self.words, self.schema = path, words, words.schema
        self._last: tuple[bytes, LoadedFacts] | None = None

    @classmethod
    def of(cls, state_dir: Path, game: str, texts: Texts) -> CopyFile:
        """Return the file of a state directory for the game with this id; ``texts`` are the box's and its."""
        return cls(state_dir / "facts" / f"{game}.toml", FactWords(schema(game), texts))

    @property
    def stamp(self) -> tuple[int, ...]:
        """Return what differs once the file was changed, without opening it; empty where there is none."""
        try:
            found = self.path.stat()
        except OSError:
            return ()
        return found.st_ino, found.st_mtime_ns, found.st_size

    def load(self) -> LoadedFacts:
        """Load the file; without one, the defaults. Mistakes are in the result, nothing is raised."""
        try:
            data = read_file(self.path)
        except FileNotFoundError:
            return LoadedFacts(Facts.of(self.schema))
        except OSError as error:
            return LoadedFacts(Facts.of(self.schema), (unread(self.path, error),), "", sound=False)
        if self._last is None or self._last[0] != data:
            self._last = data, parse(data, self.path, self.words)
        return self._last[1]

    def sound(self) -> LoadedFacts:
        """Load the file; raise :class:`FactsError` if nothing of the file can be used."""
        loaded = self.load()
        if not loaded.sound:
            raise FactsError(*map(str, loaded.problems))
        return loaded

    def value(self, fact: Fact, text: str) -> Any:
        """Read a value as people write it; raises :class:`FactsError` for what the fact cannot be."""
        try:
            return read(fact.kind, text)
        except msgspec.MsgspecError as error:
            problem = self.words.problem(self.schema.unfit(fact, text, error).problems[0])
            raise FactsError(problem) from None

    def put(self, changes: Mapping[str, Any], copy: str | None = None) -> Facts:
        """Keep some facts, None being forgotten, and the copy's name; the rest of the file stays as it is.

        Raises :class:`FactsError` for what does not fit or contradicts what else the file holds, and for a
        file that is not sound or cannot be changed as it is laid out, OSError when the disk does not take it.
        The old file then stands.
        """
        loaded = self.sound()
        try:
            facts = loaded.facts.confirm(changes)
        except BadFact as error:
            said = self.words.wrong_with(error.problems)
            raise FactsError(*map(self.words.problem, error.problems), said=said) from error
        facts = facts if copy is None else replace(facts, copy=copy)
        text = template(loaded.facts, self.words) if loaded.text is None else loaded.text
        changed = edited(text, loaded.facts, facts, changes)
        if changed is None:
            raise FactsError(f"{self.path}: cannot be changed as it is laid out; use an editor")
        if changed != loaded.text:
            self.write(changed)
        return facts

    def write(self, text: str) -> None:
        """Replace the file by a text, unchecked. Raises OSError naming it; then the old one stands."""
        folder = self.path.parent
        try:
            if not folder.exists():
                folder.mkdir(parents=True)
                if os.geteuid() == 0:  # the box, which need not be root, must be able to change it later
                    owner = folder.parent.stat()
                    os.chown(folder, owner.st_uid, owner.st_gid)
            replace_file(self.path, text.encode())
        except OSError as error:
            raise OSError(error.errno, error.strerror or str(error), str(self.path)) from error

    def settled(self, setup: Setup) -> Setup:
        """Add what is known of the copy to the set-up of a match that is opened without anybody being asked.

        Raises BadSetup where a fact is unknown that may not be, or stands with a mistake in the file.
        """
        loaded = self.load()
        facts, wrong = loaded.facts, [str(problem) for problem in loaded.problems]
        for fact in facts.schema.needed(setup):
            if facts[fact.name] is None and not fact.may_wait:
                why = f"{fact.name} must be known first: {self.words.about(fact)}"
                how = f"Enter it at the box, or with podesta facts {self.schema.game} edit"
                raise BadSetup("; ".join([*wrong, f"{why} {how}" if loaded.sound else why]))
        return with_facts(facts, setup)

    def unlike(self, setup: Setup) -> Iterator[str]:
        """Yield a line for each fact of a match that cannot be read here, and for each that differs from the
        copy here.

        A match goes by its own facts wherever it is continued: this keeps nobody from playing.
        """
        facts, problems = of_match(self.schema, setup.facts)
        yield from map(self.words.problem, problems)
        t = self.words.texts
        for found in drift(facts, self.load().facts) if setup.facts else ():
            yield self.words.difference(found, t("facts.match"), t("facts.here"))


class CopyFiles:
    """The files of a state directory, one for each game whose copies differ."""

    def __init__(self, state_dir: Path) -> None:
        """Open nothing yet."""
        self._state_dir = state_dir
        self._files: dict[str, CopyFile] = {}

    def of(self, game: str) -> CopyFile | None:
        """Return the file of the copy here; None for a game whose copies are all alike."""
        if game not in self._files and len(schema(game)):
            self._files[game] = CopyFile.of(self._state_dir, game, Texts.load("en", game))
        return self._files.get(game)

    def problems(self) -> Iterator[FileProblem]:
        """Yield what is wrong with the files that are there."""
        for path in sorted((self._state_dir / "facts").glob("*.toml")):
            if file := self.of(path.stem):
                yield from file.load().problems

    def unlike(self, game: str, setup: Setup) -> Iterator[str]:
        """Yield the differences of a match's copy and the one here, as :meth:`CopyFile.unlike`."""
        if file := self.of(game):
            yield from file.unlike(setup)

    def learn(self, game: str, fact: Printed, token: str, was: str = "", *, sample: bool) -> None:
        """Keep what a match was told of the copy, where nobody has looked at it yet, or where it stands as it
        ``was`` before a correction. If the disk does not take it, the match has it all the same.
        """
        if file := self.of(game):
            facts = file.load().facts
            known = facts.known[fact.name]
            mistaken = bool(was) and known.value == read_word(fact.kind, was)
            if facts.sample == sample and (mistaken or known.standing in OPEN):
                _keep(file, fact.name, read_word(fact.kind, token))

    def extend(self, game: str, name: str, word: str, *, sample: bool) -> None:
        """Keep what a match adds to a list of the copy, if the copy's own lacks it; as :meth:`learn`."""
        if file := self.of(game):
            facts = file.load().facts
            if facts.sample == sample and word not in (there := facts[name] or ()):
                _keep(file, name, (*there, word))


def _keep(file: CopyFile, name: str, value: Any) -> None:
    try:
        file.put({name: value})
    except (FactsError, OSError) as error:
        log.warning("%s is kept in the match only: %s", name, error)


def parse(data: bytes, file: Path, words: FactWords) -> LoadedFacts:
    """Read a file's bytes; the problems name ``file``."""
    fresh = Facts.of(words.schema)

    def refused(text: str, *problems: FileProblem) -> LoadedFacts:
        return LoadedFacts(fresh, problems, text, sound=False)

    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        return refused("", unread(file, error))
    checked = check(text, words.schema.kind, str(file), words.expected)
    copy, faulty, game = checked.value, checked.faulty, words.schema.game
    if (checked.problems and not checked.lines) or {path[0] for path in faulty} & {*Copy.__struct_fields__}:
        return refused(text, *checked.problems)
    if (copy.format, copy.game) != (FORMAT, game):
        line = checked.lines.get(("format" if copy.format != FORMAT else "game",), 0)
        must = f"must begin with format = {FORMAT} and game = {spelled(game)}: is it of this game?"
        return refused(text, FileProblem(str(file), line, must))
    whole = {
        name: Known(value, Standing.CONFIRMED)
        for name, value in words.schema.values_of(copy).items()
        if not any(path[: len(_path(name))] == _path(name) for path in faulty)
    }
    known = replace(fresh, known={**fresh.known, **whole}, copy=copy.copy, sample=copy.sample)
    facts, broken = without_contradictions(known, fresh)
    problems = list(checked.problems)
    for problem in broken:
        line = max(checked.lines.get(_path(name), 0) for name in problem.where.split())
        problems.append(FileProblem(str(file), line, words.problem(problem)))
    if copy.digest and copy.digest != digest_of(facts):
        why = "digest does not fit: something was changed after the export"
        problems.append(FileProblem(str(file), checked.lines["digest",], why))
    problems.sort(key=lambda problem: problem.line)
    return LoadedFacts(facts, tuple(problems), text, copy.digest)


# As text


def template(facts: Facts, words: FactWords, *, export: bool = False) -> str:
    """Return a file with a line for every fact, under a remark saying what it is and may be.

    Only what people have confirmed counts; a default or nothing stands behind a ``#``. An ``export`` bears
    a digest.
    """
    t, game = words.texts, facts.schema.game
    head = t("facts.template", game=t("title"), command=f"podesta facts {game} check").splitlines()
    rows = [*(f"# {row}" for row in head), f"format = {FORMAT}", f"game = {spelled(game)}"]
    rows += [f"# {t('facts.copy')}", f"copy = {spelled(facts.copy)}"]
    rows += [f"# {t('facts.sample_about')}", "sample = true"] * facts.sample
    rows += [f"digest = {spelled(digest_of(facts))}"] * export
    table = ""
    for fact in facts.schema:
        if fact.table != table or not table:
            name = words.table(fact.table) if fact.table else words.label(fact)
            rows += ["", f"# {name}: {words.about(fact)}", f"# {words.remark(fact)}"]
        table = fact.table
        rows.append(_row(fact, facts.known[fact.name]))
    return "\n".join(rows) + "\n"


def digest_of(facts: Facts) -> str:
    """Return the SHA-256 of game, copy's name, whether a sample, and each confirmed fact's text form."""
    told = {"game": facts.schema.game, "copy": facts.copy, "sample": str(facts.sample)}
    confirmed = facts.confirmed.items()
    told |= {f"fact.{name}": write(facts.schema.fact(name).kind, value) for name, value in confirmed}
    lines = "".join(f"{name} = {text}\n" for name, text in sorted(told.items()))
    return hashlib.sha256(lines.encode()).hexdigest()


def edited(text: str, before: Facts, after: Facts, names: Iterable[str]) -> str | None:
    """Rewrite a file's text that holds ``before``: some facts and the copy's name become those of ``after``.

    Nothing else changes but the digest of an export, which no longer fits. None for a text that is laid out
    so that this cannot be done.
    """
    want = tomllib.loads(text)
    rows = {f"copy = {spelled(before.copy)}": f"copy = {spelled(after.copy)}"}
    if after.copy != before.copy:
        want["copy"] = after.copy
    for fact in (after.schema.fact(name) for name in names if before.known[name] != after.known[name]):
        known = after.known[fact.name]
        rows[_row(fact, before.known[fact.name])] = _row(fact, known)
        home = want.setdefault(fact.table, {}) if fact.table else want
        if not isinstance(home, dict):
            return None
        home.pop(fact.key, None)
        if known.standing is Standing.CONFIRMED:
            home[fact.key] = raw(fact.kind, known.value)
    if _says(text, want):
        return text
    want.pop("digest", None)
    filled = "\n".join(rows.get(row, row) for row in text.split("\n") if not row.startswith("digest ="))
    if _says(filled, want):
        return filled
    changed = (_by_tomlkit(one, want) for one in (filled, text))
    return next((made for made in changed if made and _says(made, want)), None)


def _says(text: str, want: Mapping[str, Any]) -> bool:
    """Return True if a text says just that; a section of nothing says nothing."""
    try:
        found = tomllib.loads(text)
    except ValueError:
        return False
    full, wanted = ({key: value for key, value in one.items() if value != {}} for one in (found, want))
    return full == wanted


def _by_tomlkit(text: str, want: Mapping[str, Any]) -> str | None:
    """Change a text by tomlkit so that it says ``want``, comments kept; None if tomlkit cannot."""
    import tomlkit  # noqa: PLC0415 – only where a file is changed
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415 – likewise

    def put(home: Any, key: str, value: Any) -> None:
        there = home.get(key)
        if value is None:
            home.pop(key, None)
        elif isinstance(value, dict) and (there is not None or home is document):
            if there is None:
                home[key] = tomlkit.table()
            for name in dict.fromkeys([*home[key], *value]):
                put(home[key], name, value.get(name))
        elif there != value:
            home[key] = tomlkit.value(spelled(value))

    try:
        document = tomlkit.parse(text)
        for key in dict.fromkeys([*document, *want]):
            put(document, key, want.get(key))
        return tomlkit.dumps(document)
    except (TOMLKitError, LookupError, ValueError, TypeError, AttributeError):
        return None


def _row(fact: Fact, known: Known) -> str:
    """Return the line of a template for a fact; one that nobody has confirmed stands behind a ``#``."""
    value = "" if known.value is None else spelled(raw(fact.kind, known.value))
    return f"{'#' * (known.standing is not Standing.CONFIRMED)}{fact.name} = {value}".rstrip()


def _path(name: str) -> tuple[str, ...]:
    return tuple(name.split("."))
