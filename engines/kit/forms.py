"""Forms of a position's fields: how they are written and read."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import Any

import msgspec

from engines import bags
from engines.bags import Bag
from engines.contract import Multiset
from engines.errors import Malformed
from engines.kit.position import listed, words, yes_no


class Form(msgspec.Struct, frozen=True):
    """A field's text form; ``read`` raises Malformed."""

    write: Callable[[Any], str]
    read: Callable[[str], Any]


def bag(kinds: str, example: str) -> Form:
    """Pieces of these kinds, ``2t1g``."""
    held = Multiset("", tuple(kinds), 0, bags.FULL)

    def read(value: str) -> Bag:
        if not held.holds(value):
            raise Malformed(f"{value!r} is not {held.said} like {example}, or 0")
        return held.read(value)

    return Form(held.write, read)


def members(names: Sequence[str], between: str = ",") -> Form:
    """Return a set of these names as bits."""

    def write(bits: int) -> str:
        return listed((name for at, name in enumerate(names) if bits >> at & 1), between)

    def read(value: str) -> int:
        found = words(value, between) if between else value.strip("-")
        if len(set(found)) < len(found):
            raise Malformed(f"{value!r} names one twice")
        return sum(1 << names.index(one_of(word, names)) for word in found)

    return Form(write, read)


def tiles(names: Collection[str]) -> Form:
    """Tiles by their names."""
    return Form(listed, lambda value: tuple(one_of(word, names) for word in words(value)))


def numbered(most: int, digits: int = 1) -> Form:
    """Tiles by the numbers that are printed on them."""
    numbers = [f"{number:0{digits}}" for number in range(1, most + 1)]
    return Form(
        lambda there: listed(numbers[tile - 1] for tile in there),
        lambda value: tuple(numbers.index(one_of(word, numbers)) + 1 for word in words(value)),
    )


def counts(how_many: int, most: int) -> Form:
    """So many numbers, ``2.0.0.1``."""

    def read(value: str) -> tuple[int, ...]:
        found = tuple(
            map(
                int,
                matching(value, rf"\d{{1,2}}(\.\d{{1,2}}){{{how_many - 1}}}", "row of numbers").split("."),
            )
        )
        if max(found) > most:
            raise Malformed(f"{value!r} has a number above {most}")
        return found

    return Form(lambda numbers: listed(numbers, "."), read)


def text(pattern: str, called: str) -> Form:
    """Return a text of that pattern."""
    return Form(str, lambda value: matching(value, pattern, called))


def one_of(word: str, allowed: Collection[str]) -> str:
    """Return the word; raises Malformed for one that is not allowed."""
    if word not in allowed:
        raise Malformed(f"{word!r} is not one of {', '.join(allowed)}")
    return word


def matching(value: str, pattern: str, called: str) -> str:
    """Return the value; raises Malformed for one that does not match."""
    if not re.fullmatch(pattern, value):
        raise Malformed(f"{value!r} is no {called}")
    return value


YES = Form(yes_no, lambda value: one_of(value, ("no", "yes")) == "yes")
