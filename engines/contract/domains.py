"""Domains of answers to a question: each owns how people pick from it and how it is written."""

from __future__ import annotations

import re
from enum import StrEnum
from random import Random
from typing import Any, ClassVar

import msgspec

from engines import bags
from engines.fact_kinds import Kind, plainest, read_word, write_word


class Picker(StrEnum):
    """A way to pick from a domain; whatever draws menus knows these and needs to know no game."""

    LIST = "list"
    WHEEL = "wheel"
    GRID = "grid"  # tokens name cells of a :class:`engines.board.Board`, squares or hexes
    COUNTS = "counts"
    NUMBER = "number"
    FACT = "fact"


class Verb(msgspec.Struct, frozen=True):
    """Answers to one question that people call by one word; its text is at ``verb.<name>``, with the figures
    of the question.
    """

    name: str
    tokens: tuple[str, ...]


class Domain(msgspec.Struct, frozen=True):
    """The tokens a question may be answered with, the illegal ones among them.

    ``tokens`` is wider than the legal list on purpose: picking an illegal token is how people ask why not.
    ``written`` are more that nobody picks and no state allows, but that people write: those are refused with
    their reason.

    Cells stand on the board of the sight named ``sight``, of the game's first where it is empty.

    ``verbs`` group all tokens in the order that people are shown, which never changes; without any each token
    is its own. Of a list whose tokens are ``laid`` on the table (the cards of a market) only what is legal is
    shown; of any other that is not long, all tokens keep their places.
    """

    name: str
    tokens: tuple[str, ...]
    picker: Picker = Picker.LIST
    sight: str = ""
    written: tuple[str, ...] = ()
    verbs: tuple[Verb, ...] = ()
    laid: bool = False

    listed: ClassVar[bool] = True

    def holds(self, token: str) -> bool:
        """Return True if ``token`` is written as this domain writes its own."""
        return token in self.tokens or token in self.written


class Number(msgspec.Struct, frozen=True):
    """A whole number, ``least`` to ``most``, written plainly: ``143``, ``-7``.

    For numbers of several digits: they are not listed, legality is asked with ``why_not`` and playouts draw.
    ``start`` is where a person begins, the likeliest answer where the game knows one. Raises
    :class:`ValueError` unless ``least <= start <= most``; without ``start`` the one nearest to 0 is meant.
    """

    name: str
    least: int
    most: int
    start: int | None = None

    listed: ClassVar[bool] = False
    picker: ClassVar[Picker] = Picker.NUMBER
    tokens: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        if not self.least <= self.begun <= self.most:
            raise ValueError(f"{self.name}: {self.begun} is not {self.said}")

    @property
    def begun(self) -> int:
        """The number to begin with."""
        return sorted((self.least, 0, self.most))[1] if self.start is None else self.start

    @property
    def said(self) -> str:
        """The accepted answers, in words for an error."""
        return f"{self.least} to {self.most}"

    def holds(self, token: str) -> bool:
        """Return True if ``token`` is such a number, written plainly."""
        plain = re.fullmatch(r"0|-?[1-9][0-9]{0,17}", token)
        return plain is not None and self.least <= int(token) <= self.most

    def draw(self, rng: Random) -> str:
        """Draw any of the numbers."""
        return str(rng.randint(self.least, self.most))


class Multiset(msgspec.Struct, frozen=True):
    """A number of each of some kinds, ``least`` to ``most`` in all; written ``2r1g``, the empty one ``0``.

    Too many to list: legality is asked with ``why_not`` and playouts draw. ``kinds`` are single letters.
    ``start`` is what a person begins with (a tray with what was thrown), ``caps`` how many of each kind there
    can be (a payment with what is held), None for any number. Caps help who enters and who draws; what goes
    beyond them is written all the same, so that ``why_not`` can say what is wrong with it.
    """

    name: str
    kinds: tuple[str, ...]
    least: int
    most: int
    start: bags.Bag = 0
    caps: bags.Bag | None = None

    listed: ClassVar[bool] = False
    picker: ClassVar[Picker] = Picker.COUNTS
    tokens: ClassVar[tuple[str, ...]] = ()

    @property
    def said(self) -> str:
        """The accepted answers, in words for an error."""
        return f"{self.least} to {self.most} of {' '.join(self.kinds)}"

    def holds(self, token: str) -> bool:
        """Return True if ``token`` names known kinds, each at most once, and the right number of things."""
        parts = re.fullmatch(r"0|(?:[1-9]\d*[a-z])+", token) and re.findall(r"(\d+)([a-z])", token)
        if not isinstance(parts, list):
            return False
        letters = [letter for _, letter in parts]
        known = set(letters) <= set(self.kinds) and len(set(letters)) == len(letters)
        return known and self.least <= sum(int(number) for number, _ in parts) <= self.most

    def write(self, held: bags.Bag) -> str:
        """Return the token of a bag whose kind *i* is ``kinds[i]``."""
        return "".join([f"{copies}{self.kinds[kind]}" for kind, copies in bags.items(held)]) or "0"

    def read(self, token: str) -> bags.Bag:
        """Return the bag a token that this domain :meth:`holds` stands for."""
        parts = re.findall(r"(\d+)([a-z])", token)
        return sum(bags.one(self.kinds.index(letter), int(number)) for number, letter in parts)

    def draw(self, rng: Random) -> str:
        """Draw any number of things of any kinds that the caps leave; below ``least`` where they must."""
        if self.caps is None:
            return self.write(
                bags.bag(rng.choices(range(len(self.kinds)), k=rng.randint(self.least, self.most)))
            )
        there = list(bags.elements(self.caps))
        most = min(self.most, len(there))
        return self.write(bags.bag(rng.sample(there, rng.randint(min(self.least, most), most))))


class Printed(msgspec.Struct, frozen=True):
    """A fact printed on the copy (:mod:`engines.facts`), asked for when it first matters.

    ``name`` is the fact's, ``kind`` what it may be (:mod:`engines.fact_kinds`), ``supposed`` the value that
    people begin with and may just confirm, None for none. Not listed: a fact is entered as before a match,
    kept in the match, and where the copy's file does not know it yet also there. A game reads a token with
    :func:`engines.fact_kinds.read_word`.
    """

    name: str
    kind: Kind
    supposed: Any = None

    listed: ClassVar[bool] = False
    picker: ClassVar[Picker] = Picker.FACT
    tokens: ClassVar[tuple[str, ...]] = ()

    @property
    def begun(self) -> str:
        """The token of what is supposed, empty for none."""
        return "" if self.supposed is None else write_word(self.kind, self.supposed)

    @property
    def said(self) -> str:
        """The accepted answers, in words for an error."""
        return f"such as {self.draw()}"

    def holds(self, token: str) -> bool:
        """Return True if ``token`` is a fitting value as :func:`engines.fact_kinds.write_word` writes it."""
        try:
            return write_word(self.kind, read_word(self.kind, token)) == token
        except msgspec.MsgspecError:
            return False

    def draw(self, rng: Random | None = None) -> str:
        """Return what is supposed, else the plainest value."""
        return self.begun or write_word(self.kind, plainest(self.kind))


AnyDomain = Domain | Multiset | Number | Printed
