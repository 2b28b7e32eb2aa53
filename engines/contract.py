"""What every game offers and every caller may rely on.

A *state* is what the referee knows, not the truth. It asks one *pending* question at a time; an *action* is
a :class:`Choice`, one token out of the question's small :class:`Domain`. Several choices make a *step*: from
the first one on the question is *open* (a person may still step back, nothing is recorded) until the last
choice closes it. A step's text, its *notation*, is its tokens side by side: ``X 8 8 > m6 d``.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from enum import StrEnum
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

import msgspec

from engines import bags
from engines.board import Board

if TYPE_CHECKING:
    from engines.search import Interpretation

ADJUSTMENT = "adjustment"
"""The category of points given or taken by hand; it comes after all of a game's own."""

SEATS = "abcd"
"""Seats are numbered from 0 and written as letters."""

Figures = tuple[tuple[str, int | str], ...]
"""The numbers and names that fill the blanks of a text."""


class Choice(msgspec.Struct, frozen=True, order=True):
    """One answer to one question. ``token`` is its text form and comes from the question's domain."""

    question: str
    token: str


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


class Decide(msgspec.Struct, frozen=True):
    """Somebody chooses. With several ``seats`` each commits unseen, and the last commitment reveals all.

    A figure named ``variant`` tells apart questions that have the same answers and other words.
    """

    seats: tuple[int, ...]
    question: str
    domain: AnyDomain
    open: bool = False
    figures: Figures = ()


class Report(msgspec.Struct, frozen=True):
    """The table supplies an outcome: a card turned up, a tray's contents, a final layout."""

    question: str
    domain: AnyDomain
    open: bool = False
    figures: Figures = ()


class Over(msgspec.Struct, frozen=True):
    """The match has ended, by ``termination``, under ``clause``."""

    termination: str
    clause: str
    open: ClassVar[bool] = False
    figures: ClassVar[Figures] = ()


Pending = Decide | Report | Over

Key = tuple[str, int]
"""A public fact of a state by name and number, e.g. ``("unseen", 10)``: see :meth:`Game.fact`."""


class Refusal(msgspec.Struct, frozen=True):
    """Why a choice is not legal: the check, the clause it cites, the figures its text needs.

    ``basis`` is what a refusal by knowledge rests on, so that :meth:`engines.match.Match.evidence` can name
    the steps behind it; it is empty for a refusal by rule or turn.
    """

    check: str
    clause: str
    figures: Figures = ()
    basis: tuple[Key, ...] = ()


class Booking(msgspec.Struct, frozen=True):
    """Points for a seat. ``figures`` show the sum ("3 × 5"); ``record`` is the step they came with, 0 for
    the end of the match; ``part`` the deal, phase or round they belong to, 0 where a match is one whole.
    """

    seat: int
    points: int
    category: str
    clause: str
    figures: str = ""
    record: int = 0
    part: int = 0


class Option(msgspec.Struct, frozen=True):
    """A named variant of the rules: its values, the first being the default, and the clause it belongs to.

    Where ``needs`` names another option, this one makes a difference only beside one of those values of it.
    """

    name: str
    values: tuple[str, ...]
    clause: str
    needs: tuple[str, tuple[str, ...]] | None = None

    def matters(self, chosen: Mapping[str, str]) -> bool:
        """Whether it makes a difference beside what is ``chosen``, a value of every option by name."""
        return self.needs is None or chosen[self.needs[0]] in self.needs[1]


class Level(StrEnum):
    """How closely a match is followed."""

    FULL = "full"  # every step
    TABLE = "table"  # public steps only; hidden draws are counts
    SCORE = "score"  # no play followed: the final position is set and scored


class Setup(msgspec.Struct, frozen=True):
    """What is settled before a match: how many sit down, who starts, the options that differ from their
    defaults, how closely the match is followed, and a position to start from instead of the usual one.

    ``facts`` is what was known of the copy, as :func:`engines.facts.kept` writes it: the match's own, which a
    replay elsewhere goes by. Empty where nobody told: then a game goes by its defaults.
    """

    seats: int = 2
    start: int = 0
    options: tuple[tuple[str, str], ...] = ()
    level: Level = Level.FULL
    position: str = ""
    facts: tuple[tuple[str, str], ...] = ()


class Problem(msgspec.Struct, frozen=True):
    """One thing wrong with a position: where (a field of its text), the clause, and the figures."""

    where: str
    check: str
    clause: str
    figures: Figures = ()


class Label(msgspec.Struct, frozen=True):
    """What a token is called: a key into the game's texts and the figures that fill its blanks."""

    key: str
    figures: Figures = ()


class GameState(Protocol):
    """What a caller may read off any game's state without asking the game."""

    @property
    def termination(self) -> str:
        """How the match ended, empty while it goes on."""


S = TypeVar("S", bound=GameState)
W = TypeVar("W")


class Game(ABC, Generic[S, W]):
    """The rules of one game as pure functions over its states ``S`` and sampled worlds ``W``.

    ``apply`` trusts its caller: pass what ``legal`` listed or ``why_not`` let pass.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    seats: ClassVar[tuple[int, ...]]
    rules_version: ClassVar[int]
    options: ClassVar[tuple[Option, ...]]
    levels: ClassVar[tuple[Level, ...]]
    categories: ClassVar[tuple[str, ...]] = ()
    """The categories that points are booked in, in the order of a breakdown."""
    layout_name: ClassVar[str] = "board"
    """What sensors call a reading of the :meth:`layout`."""

    @abstractmethod
    def start(self, setup: Setup) -> S:
        """The first state of a match. Raises :class:`engines.errors.BadSetup` or ``BadPosition``."""

    def seated(self, state: S) -> int:
        """How many sit down in a state; by default as many as the game is always for."""
        return self.seats[0]

    @abstractmethod
    def pending(self, state: S) -> Pending:
        """The question the state asks."""

    @abstractmethod
    def legal(self, state: S, seat: int | None = None) -> list[Choice]:
        """Every choice that is certain or possible, in the domain's order; empty if the domain is not
        listed or the match is over. ``seat`` matters only where several are asked at once.
        """

    @abstractmethod
    def why_not(self, state: S, choice: Choice, seat: int | None = None) -> Refusal | None:
        """The first check that refuses ``choice``, or None if it may be played."""

    @abstractmethod
    def apply(self, state: S, choice: Choice) -> S:
        """The state after a legal choice or report."""

    def reveal(self, state: S, choices: Sequence[Choice]) -> S:
        """The state after all asked seats' sealed ``choices`` (in the order of ``Decide.seats``)."""
        raise TypeError(f"{self.id} has no simultaneous choices")

    @abstractmethod
    def overrule(self, state: S, choice: Choice, clause: str, seat: int | None = None) -> S:
        """The state after a choice that ``why_not`` refuses under ``clause`` and that people let stand.

        Knowledge that the choice contradicts is given up, so that play can go on; ``status`` no longer names
        what breaks a clause that was overruled. Raises :class:`engines.errors.Impossible` where no table
        could look so (a ninth 8 in sight): then an entry is wrong.
        """

    @abstractmethod
    def adjust(self, state: S, seat: int, points: int) -> S:
        """The state after ``points`` were given to ``seat`` by hand (taken, where below 0).

        They are booked under :data:`ADJUSTMENT` and count wherever a total does.
        """

    def seen(self, state: S) -> str:
        """What the pending report is about: after going back, one about the same is answered from before.

        Empty where an earlier answer says nothing. By default reports in equal positions are about the same.
        """
        return self.position(state)

    def legal_for(self, state: S, seat: int, held: str) -> list[Choice]:
        """``legal`` for somebody who told what hidden pieces ``seat`` holds, as :meth:`position` writes them.

        Raises :class:`engines.errors.Malformed` for a text that cannot be read or that what everybody saw
        rules out. A game without hidden pieces has no use for it.
        """
        from engines.errors import Malformed  # noqa: PLC0415 – which itself imports from here

        raise Malformed(f"{self.id} has no hidden pieces to tell of")

    def likely(self, state: S, choice: Choice) -> int:
        """How soon a legal choice is looked for where a cursor goes through many: 0 first, then 1 and so on.

        It orders what is shown and decides nothing. It goes by habit and by what everybody sees, never by
        what is worth most: a referee gives no advice.
        """
        return 0

    @abstractmethod
    def exposes(self, state: S, choice: Choice) -> bool:
        """Whether the choice lets somebody see what was hidden from them: no undo can take that back."""

    @abstractmethod
    def fact(self, state: S, key: Key) -> int:
        """The value of a fact that a refusal's ``basis`` names."""

    @abstractmethod
    def bookings(self, state: S) -> tuple[Booking, ...]:
        """All points if the match ended now."""

    def counted(self, state: S) -> tuple[str, ...]:
        """The categories that this match can score in: those of its options, in their order."""
        return self.categories

    def parts_over(self, state: S) -> int:
        """How many deals, phases or rounds have been scored, where the bookings have parts; else 0."""
        return 0

    @abstractmethod
    def winners(self, state: S) -> tuple[int, ...]:
        """The seats that would win if the match ended now; several share it."""

    @abstractmethod
    def tokens(self, text: str) -> list[str]:
        """A step's text as tokens. Shorthand is spelled out; raises :class:`engines.errors.Malformed`."""

    @abstractmethod
    def text(self, choices: Sequence[Choice]) -> str:
        """A step's choices in canonical notation."""

    @abstractmethod
    def position(self, state: S) -> str:
        """The state in one line, like chess's FEN; :meth:`read_position` reads it back."""

    @abstractmethod
    def read_position(self, text: str) -> S:
        """The state a position text describes. Raises :class:`engines.errors.BadPosition`."""

    @abstractmethod
    def status(self, text: str) -> list[Problem]:
        """Everything wrong with a position text; empty if it may stand."""

    @abstractmethod
    def layout(self, state: S) -> Any:
        """What a camera could see of the state, as a value that compares equal when it looks equal."""

    @abstractmethod
    def read_layout(self, text: str) -> Any:
        """The layout an observation's text describes. Raises :class:`engines.errors.Malformed`."""

    @abstractmethod
    def differences(self, seen: Any, expected: Any) -> tuple[str, ...]:
        """Where two layouts differ, each place in words of the notation."""

    def board(self, state: S) -> Board | None:
        """What is on the table as a small picture of squares; None for a game without such a board."""
        return self.board_of(self.layout(state))

    def board_of(self, seen: Any) -> Board | None:
        """A layout as such a picture; None, as by default, for a game without."""
        return None

    def visible(self, choice: Choice) -> bool:
        """Whether a choice may lead to a change of the layout."""
        return True

    def explain(self, state: S, seen: Any) -> Interpretation | None:
        """How the seat to move can have come from ``state`` to another layout, ``seen``.

        For games whose turns are several steps, any number of which may lie between two looks at the table.
        None where a single step says it all; then :func:`engines.search.interpret` tries those.
        """
        return None

    @abstractmethod
    def sample(self, state: S, rng: Random) -> W:
        """A world, that is a whole truth, drawn from those that agree with the state."""

    @abstractmethod
    def true(self, world: W, state: S, choice: Choice, seat: int | None = None) -> bool:
        """Whether the pieces in the world really allow a listed choice; ``seat`` as for ``legal``."""

    @abstractmethod
    def answer(self, world: W, state: S, rng: Random) -> Choice:
        """The world's answer to the pending report."""

    @abstractmethod
    def advance(self, world: W, state: S, choice: Choice, rng: Random) -> W:
        """The world after ``choice`` was made in ``state``."""

    @abstractmethod
    def label(self, choice: Choice) -> Label:
        """What a person calls the choice."""
