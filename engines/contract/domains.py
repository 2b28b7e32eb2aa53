"""Domains: the answers to a question, with the way to pick one and its text form."""

from __future__ import annotations

import re
from enum import StrEnum
from random import Random
from typing import Any, ClassVar

import msgspec

from engines import bags
from engines.fact_kinds import Kind, plainest, read_word, write_word


class Picker(StrEnum):
    """A way to pick from a domain. A menu that knows these needs to know no game."""

    LIST = "list"
    WHEEL = "wheel"
    GRID = "grid"  # tokens name cells of a :class:`engines.board.Board`, squares or hexes
    COUNTS = "counts"
    NUMBER = "number"
    FACT = "fact"


class Verb(msgspec.Struct, frozen=True):
    """The answers to a question that share one word; its text is at ``verb.<name>``, with the question's
    figures.
    """

    name: str
    tokens: tuple[str, ...]


class Domain(msgspec.Struct, frozen=True):
    """A list of tokens, the possible answers to a question, illegal ones included.

    ``tokens`` is wider than the legal list on purpose: people pick an illegal token to ask why not.
    ``written`` has more tokens, which nobody picks and no state allows, but which people write; the checks
    refuse them with a reason.

    Cells are on the board of the sight named ``sight``, or of the game's first sight if it is empty.

    ``verbs`` group all tokens in the order on the screen, which never changes; without verbs each token is
    its own. If the tokens are ``laid`` on the table (the cards of a market), the screen shows only the legal
    ones; any other list keeps all tokens in their places unless it is long.
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
        """Return True if ``token`` is one of this domain's, legal or not."""
        return token in self.tokens or token in self.written


class Number(msgspec.Struct, frozen=True):
    """A whole number, ``least`` to ``most``, written plainly: ``143``, ``-7``.

    It is for numbers of several digits, which nobody lists: callers ask ``why_not``, playouts draw. A person
    begins at ``start``, the likeliest answer if the game knows one; by default it is the number nearest to 0.
    Raises :class:`ValueError` unless ``least <= start <= most``.
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
        """Return True if ``token`` is a plainly written number within the bounds."""
        plain = re.fullmatch(r"0|-?[1-9][0-9]{0,17}", token)
        return plain is not None and self.least <= int(token) <= self.most

    def draw(self, rng: Random) -> str:
        """Draw one of the numbers."""
        return str(rng.randint(self.least, self.most))


class Multiset(msgspec.Struct, frozen=True):
    """A number of each of some kinds, ``least`` to ``most`` in all; written ``2r1g``, the empty one ``0``.

    There are too many to list: callers ask ``why_not``, playouts draw. ``kinds`` are single letters. A person
    begins with ``start`` (a tray begins with the throw). ``caps`` limits each kind (a payment is limited to
    what the player holds); None is no limit. Caps guide the menu and playouts only. Text may exceed them, so
    that ``why_not`` can say what is wrong.
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
        """Return the bag that ``token`` stands for; this domain must :meth:`hold <holds>` it."""
        parts = re.findall(r"(\d+)([a-z])", token)
        return sum(bags.one(self.kinds.index(letter), int(number)) for number, letter in parts)

    def draw(self, rng: Random) -> str:
        """Draw any number of things within the caps; fewer than ``least`` only if the caps force it."""
        if self.caps is None:
            return self.write(
                bags.bag(rng.choices(range(len(self.kinds)), k=rng.randint(self.least, self.most)))
            )
        there = list(bags.elements(self.caps))
        most = min(self.most, len(there))
        return self.write(bags.bag(rng.sample(there, rng.randint(min(self.least, most), most))))


class Printed(msgspec.Struct, frozen=True):
    """A fact printed on the copy (:mod:`engines.facts`), asked for when it first matters.

    ``name`` is the fact's name, ``kind`` its type (:mod:`engines.fact_kinds`), ``supposed`` the value that
    people begin with and may just confirm, or None. It is not listed: people enter a fact as before a match.
    The match keeps it, and so does the copy's file if it lacks it. A game reads a token with
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
        """The token of the supposed value, empty for none."""
        return "" if self.supposed is None else write_word(self.kind, self.supposed)

    @property
    def said(self) -> str:
        """The accepted answers, in words for an error."""
        return f"such as {self.draw()}"

    def holds(self, token: str) -> bool:
        """Return True if :func:`engines.fact_kinds.write_word` writes a value of this kind as ``token``."""
        try:
            return write_word(self.kind, read_word(self.kind, token)) == token
        except msgspec.MsgspecError:
            return False

    def draw(self, rng: Random | None = None) -> str:
        """Return the supposed value, or else the plainest one."""
        return self.begun or write_word(self.kind, plainest(self.kind))


AnyDomain = Domain | Multiset | Number | Printed
