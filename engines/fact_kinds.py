"""Kinds of facts: types that msgspec checks, and text forms that read back.

A kind is a type of msgspec: ``Annotated[float, number(10, 60, "mm")]``, a tuple, a frozenset or a Struct of
such types. A *raw* value is one of TOML and JSON, with lists and tables.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

Kind = Any


def number(low: float, high: float, unit: str = "") -> Meta:
    """Allow a number from ``low`` to ``high`` of a ``unit``, measured or counted."""
    return Meta(ge=low, le=high, extra={"low": low, "high": high, "unit": unit})


def one_of(words: Sequence[str], called: str = "", joined: str = "") -> Meta:
    """Allow one of ``words``, which are written with a to z, 0 to 9, - and _.

    ``called`` is the table of the game's texts with people's names for them, or for the part before a number;
    empty if the words are names themselves. Several words with ``joined`` between them are one, too.
    """
    one = f"(?:{'|'.join(words)})"
    more = f"(?:{re.escape(joined)}{one})*" if joined else ""
    return Meta(
        pattern=rf"\A{one}{more}\Z", extra={"words": tuple(words), "called": called, "joined": joined}
    )


HIDDEN = r"\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
"""Characters that control a terminal or the direction of text, as a class of a regular expression: C0 and C1,
line and paragraph separators, bidirectional marks, embeddings, overrides and isolates, lone surrogates.
"""


def text(most: int, least: int = 1) -> Meta:
    """Allow a line of ``least`` to ``most`` characters, without a blank at an end or invisible characters."""
    pattern = rf"\A(?!\s)[^{HIDDEN}]{{{least},{most}}}(?<!\s)\Z"
    return Meta(pattern=pattern, extra={"least": least, "most": most})


def signs(alphabet: str, number: int, rows: str = "") -> Meta:
    """Allow a text of ``number`` small letters of ``alphabet``, one for each printed space.

    ``rows`` is the fact with the number of spaces in each row of hexes, empty for a single row.
    """
    extra = {"signs": alphabet, "number": number, "rows": rows}
    return Meta(pattern=rf"\A[{alphabet}]{{{number}}}\Z", extra=extra)


def several(least: int, most: int, parts: Sequence[str] = (), as_many: str = "") -> Meta:
    """Allow from ``least`` to ``most`` items.

    ``parts`` names the places of a tuple that have a meaning each; their texts are at ``fact_part``. The list
    has as many items as the fact ``as_many``, if one is named.
    """
    extra = {"least": least, "most": most, "parts": tuple(parts), "as_many": as_many}
    return Meta(min_length=least, max_length=most, extra=extra)


def opened(kind: Kind) -> tuple[Any, dict[str, Any]]:
    """Return a kind's bare type, and its limits from the functions above.

    >>> from typing import Annotated
    >>> opened(Annotated[float, number(10, 60, "mm")])
    (<class 'float'>, {'low': 10, 'high': 60, 'unit': 'mm'})
    """
    said: dict[str, Any] = {}
    while hasattr(kind, "__metadata__"):
        for mark in kind.__metadata__:
            said |= (isinstance(mark, Meta) and mark.extra) or {}
        kind = kind.__origin__
    return kind, said


def fields_of(kind: Kind) -> dict[str, Kind]:
    """Return the kinds of a Struct's fields by name; none for any other type."""
    bare, _ = opened(kind)
    is_struct = isinstance(bare, type) and issubclass(bare, msgspec.Struct)
    return get_type_hints(bare, include_extras=True) if is_struct else {}


def item_of(kind: Kind) -> Kind | None:
    """Return the item type of a list or set; None for any other type."""
    return next(iter(get_args(opened(kind)[0])), None)


def fit(kind: Kind, data: object, *, strict: bool = True) -> Any:
    """Return the value of ``data``; raises msgspec.ValidationError if it does not fit.

    Convert twice: msgspec counts the items given for a set, equal ones too.
    """
    return msgspec.convert(msgspec.convert(data, kind, strict=strict), kind)


def raw(kind: Kind, value: Any) -> Any:
    """Return a value for TOML and JSON; a set becomes a list in the order of its words."""
    item = item_of(kind)
    if item is not None:
        words = opened(item)[1].get("words")
        order = value if isinstance(value, tuple) else sorted(value, key=words.index if words else None)
        return [raw(item, one) for one in order]
    if fields := fields_of(kind):
        return {name: raw(inner, getattr(value, name)) for name, inner in fields.items()}
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _has_no_blanks(item: Kind | None) -> bool:
    """Return True if the items of a list are written without blanks, and so without quotes."""
    bare, said = opened(item)
    return bare in (int, float) or "words" in said


def write(kind: Kind, value: Any) -> str:
    """Write a value in one line: ``22.5 mm``, ``d1 c3 f3``; as JSON if texts or records are in it."""
    data = raw(kind, value)
    if isinstance(data, list) and _has_no_blanks(item_of(kind)):
        return " ".join(map(str, data)) or "-"
    if isinstance(data, list | dict):
        return json.dumps(data, ensure_ascii=False)
    return f"{data} {opened(kind)[1].get('unit', '')}".rstrip()


def plainest(kind: Kind) -> Any:
    """Return the plainest value of a kind: the least number, the first word, the shortest list.

    Raises ValueError for a set of anything but numbers and words.
    """
    (bare, said), item = opened(kind), item_of(kind)
    if fields := fields_of(kind):
        return bare(**{name: plainest(inner) for name, inner in fields.items()})
    if item is not None:
        least = said.get("least", 0)
        if get_origin(bare) is frozenset and least > 1:
            return frozenset(_find_nth(item, at) for at in range(least))
        return get_origin(bare)(plainest(item) for _ in range(least))
    if "words" in said or "low" in said:
        return _find_nth(kind, 0)
    if "signs" in said:
        return said["signs"][0] * said["number"]
    return ("sample" * (1 + said.get("least", 0)))[: max(said.get("least", 0), min(6, said.get("most", 6)))]


def _find_nth(kind: Kind, at: int) -> Any:
    """Return the word or number at a place, from 0."""
    bare, said = opened(kind)
    if "words" not in said and "low" not in said:
        raise ValueError(f"several different values of {kind} must be told")
    return said["words"][at] if "words" in said else bare(said["low"] + at)


def write_word(kind: Kind, value: Any) -> str:
    """Write a value as a step's token, without a blank: ``22.5``, ``d1,c3,f3``, signs, JSON for others.

    >>> write_word(tuple[int, ...], (3, 1))
    '3,1'
    """
    data = raw(kind, value)
    if isinstance(data, list) and _has_no_blanks(item_of(kind)):
        return ",".join(map(str, data)) or "-"
    if isinstance(data, list | dict) or (isinstance(data, str) and not _is_one_word(kind)):
        written = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        return re.sub(r"\s", lambda blank: f"\\u{ord(blank[0]):04x}", written)
    return str(data)


def _is_one_word(kind: Kind) -> bool:
    """Return True if texts of this kind have neither a blank nor a quote."""
    return not {"words", "signs"}.isdisjoint(opened(kind)[1])


def read_word(kind: Kind, word: str) -> Any:
    """Return the value of a token of :func:`write_word`; raises msgspec.MsgspecError."""
    if opened(kind)[0] is str and not _is_one_word(kind):
        return fit(kind, msgspec.json.decode(word))
    return read(kind, word)


def read(kind: Kind, text: str) -> Any:
    """Return the value of a text form; signs may have capitals and blanks. Raises msgspec.MsgspecError."""
    text, item = text.strip(), item_of(kind)
    bare, said = opened(kind)
    data: object = "".join(text.split()).lower() if "signs" in said else text
    if item is not None and _has_no_blanks(item) and not text.startswith("["):
        data = [] if text == "-" else re.split(r"[\s,;]+", text)
    elif item is not None and opened(item)[0] is str and not text.startswith("["):
        data = [] if text == "-" else re.split(r"\s*[,;]\s*", text)
    elif item is not None or fields_of(kind):
        try:
            data = msgspec.json.decode(text)
        except (RecursionError, UnicodeEncodeError) as error:
            raise msgspec.ValidationError(str(error)) from None
    elif bare in (int, float):
        data = text.removesuffix(said["unit"]).rstrip().replace(",", ".")
    return fit(kind, data, strict=False)
