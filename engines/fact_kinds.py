"""What a fact can be: a number, a length, a word, a text, or a list or record of those.

Each kind says what fits it, and has a text form that reads back. A value is immutable and comparable: a list
is a tuple of its items, a record a tuple of its fields. *Raw* is the same as TOML or JSON gives it, with
lists and tables, and not yet checked.
"""

from __future__ import annotations

import difflib
import json
import math
import re
import unicodedata
from collections.abc import Iterator
from typing import Any

import msgspec

from engines.contract import Figures

Value = Any
"""An int, a float (mm), a str, or a tuple of values."""

Path = tuple[str | int, ...]
"""Where in a value: ``(2,)`` is a list's third item, ``("name",)`` a record's field."""

EMPTY = "-"
"""The text form of a list of nothing."""


class Integer(msgspec.Struct, frozen=True):
    """A whole number from ``low`` to ``high``; ``unit`` is what is counted."""

    low: int
    high: int
    unit: str = ""


class Length(msgspec.Struct, frozen=True):
    """A length from ``low`` to ``high`` in mm, to a tenth; its value is a float."""

    low: float
    high: float


class Word(msgspec.Struct, frozen=True):
    """One among ``words``, which are written with a to z, 0 to 9, - and _."""

    words: tuple[str, ...]


class Text(msgspec.Struct, frozen=True):
    """A text in one line, of 1 to ``most`` letters."""

    most: int


class ListOf(msgspec.Struct, frozen=True):
    """``least`` to ``most`` items of one kind.

    ``distinct`` ones differ from each other. Where the order means nothing, not being ``ordered``, the value
    is sorted: words as their kind lists them.
    """

    item: Kind
    least: int
    most: int
    distinct: bool = False
    ordered: bool = True


class Record(msgspec.Struct, frozen=True):
    """Fields, each with a name and a kind of its own; none may be left out."""

    fields: tuple[tuple[str, Kind], ...]


Kind = Integer | Length | Word | Text | ListOf | Record


class Fault(msgspec.Struct, frozen=True):
    """One thing that does not fit: where in the value, which check, and the figures its text needs."""

    path: Path
    check: str
    figures: Figures = ()


class Unfit(Exception):
    """A value does not fit its kind; ``faults`` is everything wrong with it."""

    def __init__(self, *faults: Fault) -> None:
        """At least one."""
        super().__init__("; ".join(f"{fault.check} {dict(fault.figures)}" for fault in faults))
        self.faults = faults


UNITS = {"mm": 1.0, "cm": 10.0, "m": 1000.0, "in": 25.4}
"""Units people measure in, by the mm of one."""

_CATEGORIES = ("Cc", "Cs", "Zl", "Zp")  # no line breaks, and nothing that cannot be shown or encoded


def take(kind: Kind, raw: object) -> Value:
    """The value that ``raw`` stands for; raises :class:`Unfit` with everything that does not fit."""
    faults = tuple(_faults(kind, raw, ()))
    if faults:
        raise Unfit(*faults)
    return _value(kind, raw)


def bare(kind: Kind, value: Value) -> Any:
    """A value as TOML and JSON hold it; :func:`take` takes it back."""
    match kind:
        case Length():
            return int(value) if value == int(value) else value
        case ListOf(item):
            return [bare(item, one) for one in value]
        case Record(fields):
            return {name: bare(inner, one) for (name, inner), one in zip(fields, value, strict=True)}
    return value


def write(kind: Kind, value: Value) -> str:
    """A value's text form, in one line: ``22.5 mm``, ``d1 c3 f3``; JSON where texts or records are in it."""
    match kind:
        case Integer(unit=unit):
            return f"{value} {unit}".rstrip()
        case Length():
            return f"{bare(kind, value)} mm"
        case ListOf(item) if _plain(item):
            return " ".join(str(bare(item, one)) for one in value) or EMPTY
        case ListOf() | Record():
            return json.dumps(bare(kind, value), ensure_ascii=False)
    return str(value)


def read(kind: Kind, text: str) -> Value:
    """The value that a text form stands for; raises :class:`Unfit`.

    A length may have another unit only to be told what it is in mm: nothing is converted unseen.
    """
    return take(kind, _raw(kind, text.strip()))


def _plain(kind: Kind) -> bool:
    """Whether the text forms of its values hold no blank, so that a list of them needs no quotes."""
    return isinstance(kind, Word | Integer | Length)


def _raw(kind: Kind, text: str) -> object:
    match kind:
        case Integer(unit=unit):
            parts = re.fullmatch(r"([+-]?\d{1,18})\s*(.*)", text, re.ASCII)
            if parts and parts[2] and not unit:
                return text
            if parts and parts[2] not in ("", unit):
                raise Unfit(Fault((), "unit", (("unit", unit), ("got", _shown(text)))))
            return int(parts[1]) if parts else text
        case Length():
            parts = re.fullmatch(r"([+-]?\d{1,9}(?:[.,]\d{1,9})?)\s*(.*)", text, re.ASCII)
            if not parts:
                return text
            number, unit = float(parts[1].replace(",", ".")), parts[2]
            if unit in ("", "mm"):
                return int(number) if number.is_integer() else number
            meant = round(number * UNITS[unit], 1) if unit in UNITS else 0.0
            if kind.low <= meant <= kind.high and meant:
                raise Unfit(Fault((), "in_mm", (("got", _shown(text)), ("meant", _number(meant)))))
            raise Unfit(Fault((), "unit", (("unit", "mm"), ("got", _shown(text)))))
        case ListOf(item) if _plain(item) and not text.startswith("["):
            # Of lengths a comma may stand before the tenths.
            parts_ = re.split(r"[\s;]+" if isinstance(item, Length) else r"[\s;,]+", text)
            return [] if text == EMPTY else [_raw(item, part) for part in parts_ if part]
        case ListOf() | Record():
            try:
                return json.loads(text)
            except (ValueError, RecursionError):
                raise Unfit(Fault((), "json", (("got", _shown(text)),))) from None
    return text


def _value(kind: Kind, raw: Any) -> Value:
    match kind:
        case Length():
            return round(float(raw), 1)
        case ListOf(item, ordered=ordered):
            values = [_value(item, one) for one in raw]
            if not ordered:
                values.sort(key=item.words.index if isinstance(item, Word) else None)
            return tuple(values)
        case Record(fields):
            return tuple(_value(inner, raw[name]) for name, inner in fields)
    return raw


# What does not fit


def _faults(kind: Kind, raw: object, path: Path) -> Iterator[Fault]:
    def fault(check: str, **figures: int | str) -> Fault:
        return Fault(path, check, tuple({**figures, "got": _shown(raw)}.items()))

    match kind:
        case Integer(low, high, unit):
            if isinstance(raw, bool) or not isinstance(raw, int):
                yield fault("whole")
            elif not low <= raw <= high:
                yield fault("range", low=low, high=high, unit=unit)
        case Length():
            yield from _length_faults(kind, raw, path)
        case Word(words):
            if raw not in words:
                near = difflib.get_close_matches(str(raw).lower(), words, n=1, cutoff=0.0)
                yield fault("word", near=near[0])
        case Text(most):
            if not isinstance(raw, str) or any(unicodedata.category(one) in _CATEGORIES for one in raw):
                yield fault("text")
            elif not 1 <= len(raw) <= most or raw.strip() != raw:
                yield fault("text_length", most=most)
        case ListOf(item, least, most, distinct):
            if not isinstance(raw, list | tuple):
                yield fault("list")
                return
            if not least <= len(raw) <= most:
                yield fault("items", least=least, most=most, count=len(raw))
            for number, one in enumerate(raw):
                yield from _faults(item, one, (*path, number))
            if distinct:
                for number, one in enumerate(raw):
                    if one in raw[:number]:
                        yield Fault((*path, number), "twice", (("got", _shown(one)),))
        case Record(fields):
            if not isinstance(raw, dict):
                yield fault("record")
                return
            names = [name for name, _ in fields]
            for name in raw:
                if name not in names:
                    near = difflib.get_close_matches(str(name).lower(), names, n=1, cutoff=0.0)
                    yield Fault((*path, str(name)), "field", (("got", _shown(name)), ("near", near[0])))
            for name, inner in fields:
                if name in raw:
                    yield from _faults(inner, raw[name], (*path, name))
                else:
                    yield Fault((*path, name), "lacks", (("field", name),))


def _length_faults(kind: Length, raw: object, path: Path) -> Iterator[Fault]:
    if isinstance(raw, str) and (number := re.fullmatch(r"(\d+(?:\.\d)?)\s*mm", raw, re.ASCII)):
        yield Fault(path, "quoted", (("got", _shown(raw)), ("meant", number[1])))
    elif isinstance(raw, bool) or not isinstance(raw, int | float):
        yield Fault(path, "length", (("got", _shown(raw)),))
    elif not kind.low <= raw <= kind.high:
        limits = (("low", _number(kind.low)), ("high", _number(kind.high)), ("unit", "mm"))
        for unit, factor in UNITS.items():
            meant = round(raw * factor, 1) if abs(raw) < kind.high else math.inf
            if factor != 1.0 and kind.low <= meant <= kind.high:
                other = (("got", _shown(raw)), ("other", unit), ("meant", _number(meant)))
                yield Fault(path, "range_unit", (*limits, *other))
                return
        yield Fault(path, "range", (*limits, ("got", _shown(raw))))
    elif round(raw, 1) != raw:
        yield Fault(path, "tenth", (("got", _shown(raw)), ("meant", _number(round(raw, 1)))))


def _number(length: float) -> str:
    return str(int(length) if length == int(length) else length)


def _shown(raw: object) -> str:
    """A raw value in few letters: as JSON writes it."""
    try:
        shown = json.dumps(raw, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        shown = "…"
    shown = shown.encode("utf-8", "replace").decode()
    return shown if len(shown) <= 40 else shown[:39] + "…"
