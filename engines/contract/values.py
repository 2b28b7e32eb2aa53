"""Values of the contract: questions, choices, refusals, bookings, labels and readings.

A step belongs to one seat or to the table, never to both: a report of the table outlives going back, a seat's
choice does not. A turn with a report inside (take a tile, turn up the next, place it) is three steps; the
rest of the turn waits as a frame of the state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import ClassVar

import msgspec

from engines.contract.domains import AnyDomain

ADJUSTMENT = "adjustment"
"""The category of points given or taken by hand; it comes after all categories of a game."""

SEATS = "abcd"
"""Seats are numbered from 0 and written as letters."""

Figures = tuple[tuple[str, int | str], ...]
"""The numbers and names that fill the blanks of a text."""


class Choice(msgspec.Struct, frozen=True, order=True):
    """One answer to one question. ``token`` is its text form and comes from the question's domain."""

    question: str
    token: str


class Decide(msgspec.Struct, frozen=True):
    """A question to a seat. With several ``seats`` each commits unseen; the last commitment reveals all.

    A figure named ``variant`` distinguishes questions with the same answers and different words.
    """

    seats: tuple[int, ...]
    question: str
    domain: AnyDomain
    open: bool = False
    figures: Figures = ()


class Report(msgspec.Struct, frozen=True):
    """A question to the table: a card turned up, a tray's contents, a final layout.

    It never comes while a seat's step is open.
    """

    question: str
    domain: AnyDomain
    open: bool = False
    figures: Figures = ()


class Over(msgspec.Struct, frozen=True):
    """The end of the match, by ``termination``, under ``clause``."""

    termination: str
    clause: str
    open: ClassVar[bool] = False
    figures: ClassVar[Figures] = ()


Pending = Decide | Report | Over

Key = tuple[str, int]
"""A public fact of a state by name and number, e.g. ``("unseen", 10)``: see ``Rules.fact``."""


class Refusal(msgspec.Struct, frozen=True):
    """The reason why a choice is not legal: the check, the clause it cites, the figures for its text.

    A figure named ``variant`` names a text in place of the check's own; a figure named ``verb`` says that the
    refusal is about all answers of that verb. ``basis`` has the facts behind a refusal by knowledge, so that
    :meth:`engines.match.Match.evidence` can name the steps behind it; it is empty for a refusal by rule or
    turn. ``names`` are the figures that depend on the answer: the same refusal of another answer may have
    others. ``depth`` is the place of the check among those of its question; an answer that a later check
    refuses gets further.
    """

    check: str
    clause: str
    figures: Figures = ()
    basis: tuple[Key, ...] = ()
    names: tuple[str, ...] = ()
    depth: int = 0


class Booking(msgspec.Struct, frozen=True):
    """Points for a seat. ``figures`` show the sum ("3 × 5"). ``part`` is the deal, phase or round that they
    belong to, 0 if a match has no parts.
    """

    seat: int
    points: int
    category: str
    clause: str
    figures: str = ""
    part: int = 0


def totals(bookings: Iterable[Booking], seats: int) -> list[int]:
    """Return the points of each of the ``seats``."""
    points = [0] * seats
    for booking in bookings:
        points[booking.seat] += booking.points
    return points


class Tie(msgspec.Struct, frozen=True):
    """A tie-break: it ranks seats with equal points by a figure, the highest first (``least``: the lowest).

    ``figures`` are pairs of seat and figure; in a :class:`Place` only of the seats that were still tied, the
    better first. Texts are at ``tie.<name>``, and at ``tie.<name>_level`` if it breaks no tie.
    """

    name: str
    clause: str
    figures: tuple[tuple[int, int], ...]
    least: bool = False


class Place(msgspec.Struct, frozen=True):
    """One place of a ranking: its ``number`` from 1 (after two firsts comes a third) and the seats on it.

    ``clause`` ranks by points. ``ties`` are the tie-breaks applied to these seats, in order; it is empty if
    the points decided, or if there is no tie-break.
    """

    number: int
    seats: tuple[int, ...]
    points: int
    clause: str
    ties: tuple[Tie, ...] = ()


class Tally(msgspec.Struct, frozen=True):
    """A track beside the score, by seat; its text is at ``tally.<name>``."""

    name: str
    clause: str
    figures: tuple[int, ...]


class Option(msgspec.Struct, frozen=True):
    """A named variant of the rules: its values, the default first, and its clause.

    If ``needs`` names another option, this one matters only while that option has one of the given values.
    """

    name: str
    values: tuple[str, ...]
    clause: str
    needs: tuple[str, tuple[str, ...]] | None = None

    def matters(self, chosen: Mapping[str, str]) -> bool:
        """Return True if it makes a difference with the ``chosen`` values, one of every option by name."""
        return self.needs is None or chosen[self.needs[0]] in self.needs[1]


class Level(StrEnum):
    """The detail in which a match is followed."""

    FULL = "full"  # every step
    TABLE = "table"  # public steps only; hidden draws are counts
    SCORE = "score"  # no play followed: the final position is set and scored


Told = tuple[tuple[str, str], ...]
"""The known facts of a copy, as fields of a match's header: see :func:`engines.facts.with_facts`."""


class Setup(msgspec.Struct, frozen=True):
    """The choices before a match: the number of seats, the seat that starts, the options that differ from
    their defaults, the level to follow at, and a position to start from instead of the usual one.

    ``facts`` are the known facts of the copy; the match keeps them, so that a replay elsewhere uses the same.
    If they are empty, a game uses its defaults. ``rules_version`` is one of the game's ``earlier`` versions
    for a match that was made under it, 0 for the current one.
    """

    seats: int = 2
    start: int = 0
    options: tuple[tuple[str, str], ...] = ()
    level: Level = Level.FULL
    position: str = ""
    facts: Told = ()
    rules_version: int = 0


class Problem(msgspec.Struct, frozen=True):
    """A fault of a position: the field of its text, the clause, and the figures.

    ``pieces`` is True if no overruled clause lets it stand: pieces are neither made nor lost, and somebody
    can answer.
    """

    where: str
    check: str
    clause: str
    figures: Figures = ()
    pieces: bool = False


class Label(msgspec.Struct, frozen=True, omit_defaults=True):
    """Words for a token: a key into the game's texts and the figures that fill its blanks.

    Each of ``parts`` fills a blank with a row of other labels.
    """

    key: str
    figures: Figures = ()
    parts: tuple[tuple[str, tuple[Label, ...]], ...] = ()


class Piece(msgspec.Struct, frozen=True):
    """Like pieces that lie together: ``count`` of them, named by ``label``.

    ``marks`` say how they lie ("completed"); their texts are at ``mark.<name>``. A ``tally`` says how
    many of the zone's first pieces lie elsewhere already.
    """

    label: Label
    count: int = 1
    marks: tuple[str, ...] = ()
    tally: bool = False


class Hidden(msgspec.Struct, frozen=True):
    """The pieces that a hidden hand may hold: their number, and for each kind its word in a told hand, its
    label, and the most there can be.
    """

    size: int = 0
    kinds: tuple[tuple[str, Label, int], ...] = ()


class Lay(StrEnum):
    """The way the pieces of a zone lie."""

    ROW = "row"  # side by side
    PILE = "pile"  # face down, one number is all that can be seen
    COLUMN = "column"  # one upon another, the lowest first


class Good(msgspec.Struct, frozen=True):
    """A kind of pieces that people may give a seat or take from it; its text is at ``given.<name>``.

    The seat has ``there`` of them, and may get ``left`` more.
    """

    name: str
    there: int
    left: int


class Zone(msgspec.Struct, frozen=True):
    """A place on the table that is no board, and the pieces that everybody knows lie there; its text is at
    ``zone.<name>``.

    ``seat`` is its owner, None if it lies in front of all. Pieces that nobody has seen are a :class:`Piece`
    of their own. Two zones with the same name and seat (two towers) are distinguished by their order.
    """

    name: str
    seat: int | None = None
    pieces: tuple[Piece, ...] = ()
    lay: Lay = Lay.ROW


# The meaning of a reading


class Exact(msgspec.Struct, frozen=True, tag=True):
    """One explanation: the choices that lead from the state to the reading.

    They may leave the step open; the box then asks for what a camera cannot see (the cards drawn). They may
    cover several steps of a turn, reports included: see :func:`engines.search.steps_of`.
    """

    choices: tuple[Choice, ...]


class Several(msgspec.Struct, frozen=True, tag=True):
    """Several explanations for people to choose from; the likeliest or plainest first, if that is known.

    ``chances``, 0 to 1, are those of a sensor that weighed as many readings, otherwise empty.
    """

    explanations: tuple[tuple[Choice, ...], ...]
    chances: tuple[float, ...] = ()


class Misread(msgspec.Struct, frozen=True):
    """An explanation that holds if the sensor was wrong in one place: ``differences`` are those of the
    reading from the result of ``choices``.
    """

    choices: tuple[Choice, ...]
    differences: tuple[str, ...]


class OutOfStep(msgspec.Struct, frozen=True, tag=True):
    """No explanation: no turn leads to the reading. ``nearest`` is the best one, ``differences`` what it
    leaves unexplained, ``refusal`` the rule that forbids the plainest try, if one is known.

    ``misread`` are explanations that each hold if a single place was misread, the plainest first; it is empty
    if the game cannot tell or no single place explains it.
    """

    nearest: tuple[Choice, ...]
    differences: tuple[str, ...]
    refusal: Refusal | None
    misread: tuple[Misread, ...] = ()


Interpretation = Exact | Several | OutOfStep
