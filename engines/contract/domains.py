"""What a question may be answered with: each domain owns how people pick from it and how it is written."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import ClassVar

import msgspec

from engines import bags


class Picker(StrEnum):
    """How a person picks from a domain; whatever draws menus knows these and needs to know no game."""

    LIST = "list"
    WHEEL = "wheel"
    GRID = "grid"  # tokens are cells, a column's letter and a row's number: a1 is top left
    COUNTS = "counts"


class Domain(msgspec.Struct, frozen=True):
    """The tokens a question may be answered with, the illegal ones among them.

    ``tokens`` is wider than the legal list on purpose: picking an illegal token is how people ask why not.
    """

    name: str
    tokens: tuple[str, ...]
    picker: Picker = Picker.LIST

    listed: ClassVar[bool] = True

    def holds(self, token: str) -> bool:
        """Whether ``token`` is written as this domain writes its own."""
        return token in self.tokens


class Multiset(msgspec.Struct, frozen=True):
    """So many of each of some kinds, ``least`` to ``most`` in all; written ``2r1g``, the empty one ``0``.

    Too many to list: legality is asked with ``why_not`` and playouts sample. ``kinds`` are single letters.
    """

    name: str
    kinds: tuple[str, ...]
    least: int
    most: int

    listed: ClassVar[bool] = False
    picker: ClassVar[Picker] = Picker.COUNTS

    @property
    def tokens(self) -> tuple[str, ...]:
        """Nothing: this domain is not listed."""
        return ()

    def holds(self, token: str) -> bool:
        """Whether ``token`` names known kinds, each at most once, and the right number of things."""
        parts = re.fullmatch(r"0|(?:[1-9]\d*[a-z])+", token) and re.findall(r"(\d+)([a-z])", token)
        if not isinstance(parts, list):
            return False
        letters = [letter for _, letter in parts]
        known = set(letters) <= set(self.kinds) and len(set(letters)) == len(letters)
        return known and self.least <= sum(int(number) for number, _ in parts) <= self.most

    def write(self, held: bags.Bag) -> str:
        """The token of a bag whose kind *i* is ``kinds[i]``."""
        return "".join(f"{copies}{self.kinds[kind]}" for kind, copies in bags.items(held)) or "0"

    def read(self, token: str) -> bags.Bag:
        """The bag a token that this domain :meth:`holds` stands for."""
        parts = re.findall(r"(\d+)([a-z])", token)
        return sum(bags.one(self.kinds.index(letter), int(number)) for number, letter in parts)


AnyDomain = Domain | Multiset
