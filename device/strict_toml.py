"""TOML text in, a checked :class:`msgspec.Struct` out, with *every* fault and its line.

``tomllib`` gives values without lines and ``msgspec.convert`` stops at the first fault. A person who edits a
config over SSH wants the whole list at once, each entry with its line and a suggestion.
"""

from __future__ import annotations

import contextlib
import difflib
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Generic, NoReturn, TypeGuard, TypeVar, get_args, get_origin

import msgspec
from msgspec import inspect

from engines.texts import plain

LONGEST = 1 << 16
"""The most characters in a file, in at most :data:`LINES` lines."""
LINES = 2000
STATEMENT_LINES = 500
"""The most lines of a single value: each new line is parsed with all before it."""
DEPTH = 16
"""The deepest nesting of tables, lists and dotted keys."""

_PART = r"""(?:(?<![\w-])[\w-]+|"[^"\n]*"|'[^'\n]*')"""
_DEEP = re.compile(rf"(?:{_PART}[ \t]*\.[ \t]*){{{DEPTH}}}")

KeyPath = tuple[str | int, ...]
"""The path of a value: ``("line", 0, "baud")`` is ``baud`` in the first ``[[line]]``."""

T = TypeVar("T", bound=msgspec.Struct)


class FileProblem(msgspec.Struct, frozen=True):
    """One fault of a file; ``line`` counts from 1, 0 is the file as a whole."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        """Write one line, like a compiler: ``podesta.toml:12: unknown key keys.okk; did you mean ok?``."""
        place = f"{self.file}:{self.line}" if self.line else self.file
        return plain(f"{place}: {self.message}")


def unread(path: Path, error: OSError | UnicodeDecodeError) -> FileProblem:
    """Return why the file has no text."""
    if isinstance(error, OSError):
        return FileProblem(str(path), 0, f"cannot be read: {error.strerror or error}")
    return FileProblem(str(path), error.object[: error.start].count(b"\n") + 1, "not UTF-8 text")


def spelled(value: object) -> str:
    """Spell a value in one line of TOML."""
    if isinstance(value, dict):
        pairs = ", ".join(f"{_key(key)} = {spelled(inner)}" for key, inner in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(spelled, value))}]"
    # JSON's spelling is TOML's, except for one control character, which no setting or fact holds.
    return json.dumps(value, ensure_ascii=False)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else spelled(name)


class CheckedTable(msgspec.Struct, Generic[T], frozen=True):
    """The findings of :func:`check`. ``value`` is whole even with problems: a faulty key keeps its default.

    ``rest`` are other readers' tables, unchecked.
    """

    value: T
    problems: tuple[FileProblem, ...]
    lines: Mapping[KeyPath, int]  # of every key in the file
    faulty: frozenset[KeyPath]  # the keys that have problems
    rest: Mapping[str, list[dict[str, Any]]] = {}


def dotted(path: KeyPath) -> str:
    """Write a path for people; tables of an array are counted from 1: ``line[1].baud``."""
    text = ""
    for part in path:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def check(
    text: str,
    kind: type[T],
    file: str,
    expected: Callable[[Any, object], str] | None = None,
    others: Callable[[str], bool] = lambda _: False,
) -> CheckedTable[T]:
    """Read ``text`` as a ``kind``, which must have a default for each field.

    ``file`` is the name in the problems; ``expected`` says in words what a type takes in place of a value.
    ``others`` says which names that ``kind`` lacks are other readers' tables, ``[[name]]``. A bad text raises
    nothing: ``problems`` has its faults, sorted by line. A text that is not TOML, or is beyond the limits
    above, gives one problem, the first, and all defaults.
    """
    text = text.replace("\r\n", "\n")
    try:
        _check_size(text)
        table = tomllib.loads(text)
        lines = key_lines(text)
    except _LimitError as error:
        return CheckedTable(kind(), (FileProblem(file, error.line, str(error)),), {}, frozenset())
    except (ValueError, RecursionError) as error:
        return CheckedTable(kind(), (_syntax_problem(text, error, file),), {}, frozenset())
    walk = _Walk(file, lines, _known_keys(kind), expected or _expected)
    theirs = [name for name in table.keys() - _fields(kind).keys() if others(name)]
    rest = {name: table.pop(name) for name in sorted(theirs, key=lambda name: lines.get((name,), 0))}
    for name, raw in rest.items():
        if not _tables(raw):
            walk.report((name,), f"{name} must be one section or more: [[{name}]], not {_shown(raw)}")
    value = walk.struct(kind, table, ())
    problems = tuple(sorted(walk.problems, key=lambda problem: problem.line))
    return CheckedTable(value, problems, lines, frozenset(walk.faulty), rest)


def check_table(
    table: Mapping[str, object], kind: type[T], file: str, lines: Mapping[KeyPath, int], path: KeyPath
) -> T:
    """Read a table that :func:`check` left unchecked, at ``path`` of ``file``, as a ``kind``.

    :raises ValueError: with every fault of it, each with its line.
    """
    walk = _Walk(file, lines, _known_keys(kind), _expected)
    with contextlib.suppress(_FaultError):
        value = walk.struct(kind, table, path)
        if not walk.problems:
            return value
    raise ValueError("; ".join(map(str, sorted(walk.problems, key=lambda problem: problem.line))))


class _LimitError(Exception):
    """Error raised when a text is beyond the limits, in the statement that begins at ``line``."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(what)
        self.line = line


def _check_size(text: str) -> None:
    """Refuse a text that would take the parser long, or be deeper than Python's stack."""
    if len(text) > LONGEST:
        raise _LimitError(0, f"longer than {LONGEST} characters")
    rows = text.split("\n")
    if len(rows) > LINES + 1:
        raise _LimitError(0, f"more than {LINES} lines")
    for number, row in enumerate(rows, start=1):
        if _DEEP.search(row):
            raise _LimitError(number, f"nested more than {DEPTH} deep")


def _deeper(value: object, depth: int) -> bool:
    """Return True if anything in ``value`` is nested deeper than ``depth``."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(not depth or _deeper(one, depth - 1) for one in inner)


def key_lines(text: str) -> dict[KeyPath, int]:
    """Return the first line (from 1) of the statement that sets each key of a valid TOML text.

    A statement is the shortest run of lines that ``tomllib`` accepts on its own, so the one parser judges
    strings, comments and brackets.
    """
    lines: dict[KeyPath, int] = {}
    arrays: dict[KeyPath, int] = {}  # the index of the newest [[table]] at each path
    here: KeyPath = ()
    for start, statement, parsed in _statements(text):
        if parsed is None or not statement.startswith("["):
            for path in _paths(parsed or {}, here):
                lines.setdefault(path, start)
            continue
        here = ()
        names = [path[-1] for path in _paths(parsed, ()) if isinstance(path[-1], str)]
        for depth, name in enumerate(names, start=1):
            here += (name,)
            lines.setdefault(here, start)
            if depth == len(names) and statement.startswith("[["):
                arrays[here] = arrays.get(here, -1) + 1
            if here in arrays:
                here += (arrays[here],)
                lines.setdefault(here, start)
    return lines


def _statements(text: str) -> Iterator[tuple[int, str, dict[str, Any] | None]]:
    """Yield each statement with its first line and value, None for a tail that never becomes valid."""
    start, pending = 1, ""
    for number, row in enumerate(text.split("\n"), start=1):
        if not pending and row.lstrip(" \t")[:1] in ("", "#"):
            start = number + 1  # a comment, which sets nothing
            continue
        pending += row + "\n"
        try:
            parsed = tomllib.loads(pending)
        except (ValueError, RecursionError):
            if number - start >= STATEMENT_LINES:
                raise _LimitError(start, f"a value over more than {STATEMENT_LINES} lines") from None
            continue
        if _deeper(parsed, DEPTH):
            raise _LimitError(start, f"nested more than {DEPTH} deep")
        yield start, pending.lstrip(), parsed
        start, pending = number + 1, ""
    if pending:
        yield start, pending.lstrip(), None


def _paths(value: object, path: KeyPath) -> Iterator[KeyPath]:
    entries: list[tuple[str | int, object]] = []
    if isinstance(value, dict):
        entries = list(value.items())
    elif isinstance(value, list):
        entries = list(enumerate(value))
    for key, inner in entries:
        yield (*path, key)
        yield from _paths(inner, (*path, key))


def _syntax_problem(text: str, error: Exception, file: str) -> FileProblem:
    message = str(error) if isinstance(error, ValueError) else "nested too deeply"
    try:
        unfinished = next((start for start, _, parsed in _statements(text) if parsed is None), 0)
    except _LimitError as limit:
        unfinished = limit.line
    place = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)$", message)
    what = message[: place.start()] if place else message
    line = int(place[1]) if place and place[1] else unfinished
    if 0 < unfinished < line:
        what += f" (in what begins at line {unfinished})"
    return FileProblem(file, line, f"not valid TOML: {what}")


@cache
def _fields(kind: type[msgspec.Struct]) -> Mapping[str, msgspec.structs.FieldInfo]:
    return {field.name: field for field in msgspec.structs.fields(kind)}


@cache
def _known_keys(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    keys = []
    for name, field in _fields(kind).items():
        keys.append(name)
        if inner := _struct_of(bare := _bare(field.type)) or _item_of(bare):
            keys += [f"{name}.{key}" for key in _known_keys(inner)]
    return tuple(keys)


def _bare(hint: Any) -> Any:
    return hint.__origin__ if hasattr(hint, "__metadata__") else hint


def _struct_of(hint: object) -> type[msgspec.Struct] | None:
    return hint if isinstance(hint, type) and issubclass(hint, msgspec.Struct) else None


def _item_of(hint: object) -> type[msgspec.Struct] | None:
    """Return the Struct that an array of tables holds, None if it holds none."""
    arguments = get_args(hint)
    return _struct_of(arguments[0]) if arguments else None


class _FaultError(Exception):
    """Error raised when a value was reported and cannot be used."""


class _Walk:
    """One pass over a parsed file that collects faults instead of raising them."""

    def __init__(
        self,
        file: str,
        lines: Mapping[KeyPath, int],
        known: tuple[str, ...],
        expected: Callable[[Any, object], str],
    ) -> None:
        self.file, self.lines, self.known, self.expected = file, lines, known, expected
        self.problems: list[FileProblem] = []
        self.faulty: set[KeyPath] = set()

    def report(self, path: KeyPath, message: str) -> None:
        self.faulty.add(path)
        self.problems.append(FileProblem(self.file, self.lines.get(path, 0), message))

    def struct(self, kind: type[T], table: Mapping[str, object], path: KeyPath) -> T:
        """Build a ``kind``; raises :class:`_FaultError` only if a required key is missing or faulty."""
        fields = _fields(kind)
        for name in table.keys() - fields.keys():
            self.report((*path, name), self.unknown((*path, name), list(fields)))
        values: dict[str, object] = {}
        for name, field in fields.items():
            here = (*path, name)
            if name in table:
                try:
                    values[name] = self.value(field.type, table[name], here)
                except _FaultError:
                    if field.required:
                        raise
            elif field.required:
                self.report(path, f"{dotted(here)} is missing")
                raise _FaultError
        return kind(**values)

    def value(self, hint: Any, raw: object, path: KeyPath) -> object:
        bare = _bare(hint)
        if kind := _struct_of(bare):
            if not isinstance(raw, dict):
                self.refuse(path, f"a section: [{dotted(path)}]", raw)
            return self.struct(kind, raw, path)
        if kind := _item_of(bare):
            if not _tables(raw):
                self.refuse(path, f"one section or more: [[{dotted(path)}]]", raw)
            return tuple(self.items(kind, raw, path))
        if get_origin(bare) is dict and isinstance(raw, dict):
            return dict(self.entries(bare, raw, path))
        given: object = raw
        if get_origin(bare) in (tuple, frozenset) and isinstance(raw, list):
            items = list(self.items(get_args(bare)[0], raw, path))
            if len(items) < len(raw):
                raise _FaultError
            given = get_origin(bare)(items)  # a set counts each once
        try:
            return msgspec.convert(given, hint)
        except msgspec.ValidationError:
            self.refuse(path, self.expected(hint, raw), raw)

    def items(self, hint: Any, raws: list[object], path: KeyPath) -> Iterator[Any]:
        for index, raw in enumerate(raws):
            try:
                yield self.value(hint, raw, (*path, index))
            except _FaultError:
                continue

    def entries(self, hint: object, table: dict[str, object], path: KeyPath) -> Iterator[tuple[str, object]]:
        key_hint, value_hint = get_args(hint)
        for key, raw in table.items():
            here = (*path, key)
            try:
                msgspec.convert(key, key_hint)
            except msgspec.ValidationError:
                self.report(here, f"in {dotted(path)}, {_shown(key)} must be {self.expected(key_hint, key)}")
                continue
            try:
                yield key, self.value(value_hint, raw, here)
            except _FaultError:
                continue

    def refuse(self, path: KeyPath, expected: str, raw: object) -> NoReturn:
        self.report(path, f"{dotted(path)} must be {expected}, not {_shown(raw)}")
        raise _FaultError

    def unknown(self, path: KeyPath, names: list[str]) -> str:
        wrong = str(path[-1])
        message = f"unknown key {dotted(path)}"
        if near := difflib.get_close_matches(wrong.lower(), names, n=1):
            return f"{message}; did you mean {near[0]}?"
        elsewhere = {key.rpartition(".")[2]: key for key in reversed(self.known)}
        if near := difflib.get_close_matches(wrong.lower(), list(elsewhere), n=1, cutoff=0.8):
            return f"{message}; did you mean {elsewhere[near[0]]}?"
        return f"{message}; known here: {', '.join(names)}"


def _expected(hint: Any, _raw: object) -> str:
    """Return a type in words."""
    return _in_words(inspect.type_info(hint))


def _in_words(info: inspect.Type) -> str:
    match info:
        case inspect.Metadata(type=inner, extra_json_schema=extra):
            return str((extra or {}).get("description") or _in_words(inner))
        case inspect.UnionType(types=types):
            return " or ".join(_in_words(inner) for inner in types)
        case inspect.LiteralType(values=values):
            return ("one of " if len(values) > 1 else "") + ", ".join(_shown(value) for value in values)
        case inspect.IntType(ge=low, le=high) if low is not None and high is not None:
            return f"a whole number from {low} to {high}"
        case inspect.IntType():
            return "a whole number"
        case inspect.FloatType(ge=low, le=high) if low is not None and high is not None:
            return f"a number from {low} to {high}"
        case inspect.FloatType():
            return "a number"
        case inspect.BoolType():
            return "true or false"
        case inspect.StrType():
            return "a text in quotes"
        case inspect.DictType():
            return "a table"
        case inspect.VarTupleType():
            return "a list"
    return "something else"


def _tables(raw: object) -> TypeGuard[list[object]]:
    """Return True if a value is one section or more, ``[[name]]``."""
    return isinstance(raw, list) and all(isinstance(item, dict) for item in raw)


def _shown(raw: object) -> str:
    if isinstance(raw, dict):
        return "a section"
    if isinstance(raw, list):
        return f"a list of {len(raw)}"
    shown = json.dumps(raw, ensure_ascii=False, default=str)
    return shown if len(shown) <= 40 else shown[:39] + "…"
