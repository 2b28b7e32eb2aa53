"""What is known of the owner's copy of a game, in a file that people may edit.

::

    STATE/facts/torres.toml    the copy of Torres that is played with here

The file is TOML; a fact that does not stand in it is unknown, or at its default. Whatever writes it leaves
everything but the values that change where it was, comments too, and the new file is there whole or not at
all. A file that a person made a mistake in is used as far as it is right: a faulty fact is unknown, and said
to be faulty.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from device.facts.text import FORMAT, digest_of, edited, spelled, template
from device.facts.words import FactWords
from device.files import read_file, replace_file
from device.strict_toml import KeyPath, Problem, check, dotted
from device.texts import Texts
from engines.fact_kinds import Text, Unfit, Value, bare, take
from engines.facts import RESERVED, BadFact, Facts, Schema, schema

COPY_NAME = Text(32)
"""What the owner may call the copy."""


class FactsError(Exception):
    """A file of facts cannot be changed or taken over; ``reasons`` are one line each."""

    def __init__(self, *reasons: str) -> None:
        """At least one."""
        super().__init__("; ".join(reasons))
        self.reasons = reasons


class Sizes(msgspec.Struct, frozen=True):
    """How large a copy's board and pieces are, in mm, for a camera to read them by; None while unknown.

    ``cell_mm`` is from one space to the next, ``block_mm`` a block's width, depth and height.
    """

    cell_mm: float | None = None
    block_mm: tuple[float, float, float] | None = None


def sizes(facts: Facts) -> Sizes:
    """The sizes of a copy; of a game that has none of them, nothing.

    >>> sizes(Facts.of(schema("torres")).entered("cell_pitch", "22.5"))
    Sizes(cell_mm=22.5, block_mm=None)
    """
    known = {fact.name: facts[fact.name] for fact in facts.schema}
    width, height = known.get("block_width"), known.get("block_height")
    block = None if width is None or height is None else (width, width, height)
    return Sizes(known.get("cell_pitch"), block)


class Loaded(msgspec.Struct, frozen=True):
    """What a file holds and what is wrong with it.

    ``text`` is None where there is no file, ``digest`` what an export says of itself. A file that is not
    ``sound`` cannot be read, is not TOML, or not of this game and format: nothing of it was used.
    """

    facts: Facts
    problems: tuple[Problem, ...] = ()
    text: str | None = None
    digest: str = ""
    sound: bool = True


class CopyFile:
    """The file that keeps one copy's facts. It is read anew each time: people may edit it meanwhile."""

    def __init__(self, path: Path, schema: Schema, texts: Texts) -> None:
        """``texts`` are the box's and the game's."""
        self.path = path
        self.schema = schema
        self.words = FactWords(texts)

    @classmethod
    def of(cls, state_dir: Path, game: str, texts: Texts) -> CopyFile:
        """The one that a state directory has for the game with this id."""
        return cls(state_dir / "facts" / f"{game}.toml", schema(game), texts)

    def load(self) -> Loaded:
        """What the file holds; without one, the defaults. What is wrong is in it, nothing is raised."""
        return read(self.path, self.schema, self.words)

    def put(self, changes: Mapping[str, Value], copy: str | None = None) -> Facts:
        """Keep some facts, None being forgotten, and the copy's name; the rest of the file stays as it is.

        Raises BadFact for what does not fit or contradicts what else the file holds, :class:`FactsError` for
        a file that is not sound or cannot be changed as it is laid out, OSError when the disk does not take
        it. The old file then stands.
        """
        loaded = self.load()
        if not loaded.sound:
            raise FactsError(*map(str, loaded.problems))
        facts = loaded.facts
        for name, value in changes.items():
            kind = self.schema.fact(name).kind
            facts = facts.forget(name) if value is None else facts.confirm(name, bare(kind, value))
        text = template(Facts.of(self.schema), self.words) if loaded.text is None else loaded.text
        known = loaded.facts.confirmed
        new = {name: value for name, value in changes.items() if value is None or known.get(name) != value}
        changed = edited(text, self.schema, new, copy)
        if changed is None:
            raise FactsError(f"{self.path}: cannot be changed as it is laid out; use an editor")
        if changed != loaded.text:
            self.write(changed)
        return facts if copy is None else replace(facts, copy=copy)

    def write(self, text: str) -> None:
        """Replace the file by a text, unchecked. Raises OSError naming it; then the old one stands."""
        folder = self.path.parent
        try:
            folder.mkdir(parents=True, exist_ok=True)
            replace_file(self.path, text.encode())
            if os.geteuid() == 0:  # the box, which need not be root, must be able to change it later
                owner = folder.parent.stat()
                for made in (folder, self.path):
                    os.chown(made, owner.st_uid, owner.st_gid)
        except OSError as error:
            raise OSError(error.errno, error.strerror or str(error), str(self.path)) from error


def read(path: Path, schema: Schema, words: FactWords) -> Loaded:
    """What a file holds; without one, the defaults. What is wrong is in it, nothing is raised."""
    try:
        data = read_file(path)
    except FileNotFoundError:
        return Loaded(Facts.of(schema))
    except OSError as error:
        why = Problem(str(path), 0, f"cannot be read: {error.strerror or error}")
        return Loaded(Facts.of(schema), (why,), "", sound=False)
    return parse(data, schema, str(path), words)


def parse(data: bytes, schema: Schema, file: str, words: FactWords) -> Loaded:
    """Read a file's bytes; ``file`` is the name that the problems carry."""
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        return Loaded(Facts.of(schema), (Problem(file, line, "not UTF-8 text"),), "", sound=False)
    checked = check(text, _Anything, file)
    if checked.problems and not checked.lines:
        return Loaded(Facts.of(schema), checked.problems, text, sound=False)
    return _Reader(schema, file, words, checked.lines).read(text)


class _Anything(msgspec.Struct, frozen=True):
    """No key is known: what is wrong with them is told here, by the schema."""


class _Reader:
    """One pass over a file, collecting instead of raising."""

    def __init__(self, schema: Schema, file: str, words: FactWords, lines: Mapping[KeyPath, int]) -> None:
        self.schema, self.file, self.words, self.lines = schema, file, words, lines
        self.problems: list[Problem] = []
        self.facts = Facts.of(schema)
        self.tables = {fact.table for fact in schema if fact.table}

    def report(self, path: KeyPath, message: str) -> None:
        self.problems.append(Problem(self.file, self.lines.get(path, 0), message))

    def read(self, text: str) -> Loaded:
        data = tomllib.loads(text)
        digest = self.envelope(data)
        if self.problems:
            return Loaded(Facts.of(self.schema), tuple(self.problems), text, digest, sound=False)
        for path, raw in self.entries(data):
            self.fact(path, raw)
        if "digest" in data and digest != digest_of(self.facts):
            self.report(("digest",), "digest does not fit: something was changed after the export")
        problems = tuple(sorted(self.problems, key=lambda problem: problem.line))
        return Loaded(self.facts, problems, text, digest)

    def envelope(self, data: Mapping[str, Any]) -> str:
        """What the file says of itself, where nothing may be wrong; its digest, empty without one."""
        version, game = data.get("format"), data.get("game")
        if isinstance(version, int) and version > FORMAT:
            self.report(("format",), f"format {version} is of a later podesta; this one reads {FORMAT}")
        elif version != FORMAT or isinstance(version, bool):
            self.report(("format",), f"format = {FORMAT} is missing: is this a file of facts?")
        if game != self.schema.game:
            what = f"facts of {game}" if isinstance(game, str) else "game is missing"
            self.report(("game",), f"{what}; expected game = {spelled(self.schema.game)}")
        copy, sample, digest = data.get("copy", ""), data.get("sample", False), data.get("digest", "")
        try:
            self.facts = replace(self.facts, copy=take(COPY_NAME, copy) if copy != "" else "")
        except Unfit:
            self.report(("copy",), f"copy must be a name of up to {COPY_NAME.most} letters in quotes")
        if not isinstance(sample, bool):
            self.report(("sample",), "sample must be true or false")
        if not isinstance(digest, str):
            self.report(("digest",), "digest must be a text in quotes")
        self.facts = replace(self.facts, sample=sample is True)
        return str(digest)

    def entries(self, data: Mapping[str, Any]) -> Iterator[tuple[KeyPath, object]]:
        """Every fact in the file with its path; what is none is reported."""
        for key, raw in data.items():
            if key in RESERVED:
                continue
            if key in self.schema:
                yield (key,), raw
            elif key not in self.tables:
                self.report((key,), self.unknown((key,)))
            elif not isinstance(raw, dict):
                self.report((key,), f"{key} must be a section: [{key}]")
            else:
                for inner, value in raw.items():
                    if f"{key}.{inner}" in self.schema:
                        yield (key, inner), value
                    else:
                        self.report((key, inner), self.unknown((key, inner)))

    def unknown(self, path: tuple[str, ...]) -> str:
        message, key = f"unknown key {dotted(path)}", path[-1]
        if path[1:] and (key in self.schema or key in RESERVED):
            return f"{message}; {key} belongs above the first [section]"
        known = [*(fact.name for fact in self.schema), *self.tables, *RESERVED]
        if path[1:]:
            known = [name for name in known if name.startswith(f"{path[0]}.")]
        near = difflib.get_close_matches(dotted(path).lower(), known, n=1, cutoff=0.5)
        return f"{message}; did you mean {near[0]}?" if near else message

    def fact(self, path: KeyPath, raw: object) -> None:
        try:
            self.facts = self.facts.confirm(dotted(path), raw)
        except BadFact as error:
            for problem in error.problems:
                self.report(path, self.words.told(problem))
                # Of several that contradict each other nobody knows which is wrong.
                several = problem.where.split()
                for name in several if several[1:] else ():
                    self.facts = self.facts.forget(name)
