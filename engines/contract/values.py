"""Values of the contract: what is asked, chosen, refused, booked, told and read.

A step is one seat's or the table's, never both: what the table shows outlives going back, what a seat chose
does not. A turn that crosses a report (take a tile, the next is turned up, place it) is three steps, and what
is left of it waits as a frame of the state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import ClassVar

import msgspec

from engines.contract.domains import AnyDomain

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
    """The table supplies an outcome: a card turned up, a tray's contents, a final layout.

    It never comes while a seat's step is open.
    """

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
"""A public fact of a state by name and number, e.g. ``("unseen", 10)``: see ``Rules.fact``."""


class Refusal(msgspec.Struct, frozen=True):
    """Why a choice is not legal: the check, the clause it cites, the figures its text needs.

    A figure named ``variant`` is the name of another text than the check's own, one named ``verb`` says that
    it is about all answers of that verb.
    ``basis`` is what a refusal by knowledge rests on, so that :meth:`engines.match.Match.evidence` can name
    the steps behind it; it is empty for a refusal by rule or turn.
    ``names`` are the figures that another answer refused so may have otherwise. ``depth`` is the place of the
    check among those of its question: an answer refused by a later one gets further.
    """

    check: str
    clause: str
    figures: Figures = ()
    basis: tuple[Key, ...] = ()
    names: tuple[str, ...] = ()
    depth: int = 0


class Booking(msgspec.Struct, frozen=True):
    """Points for a seat. ``figures`` show the sum ("3 × 5"); ``part`` is the deal, phase or round they belong
    to, 0 where a match is one whole.
    """

    seat: int
    points: int
    category: str
    clause: str
    figures: str = ""
    part: int = 0


def totals(bookings: Iterable[Booking], seats: int) -> list[int]:
    """Return each of so many seats' points."""
    points = [0] * seats
    for booking in bookings:
        points[booking.seat] += booking.points
    return points


class Tie(msgspec.Struct, frozen=True):
    """A figure that seats with as many points are compared by: the most is ahead (``least``: the least).

    ``figures`` are pairs of seat and figure; in a :class:`Place` of those alone that were level until then,
    the better first. Texts are at ``tie.<name>``, and at ``tie.<name>_level`` where it parts nobody.
    """

    name: str
    clause: str
    figures: tuple[tuple[int, int], ...]
    least: bool = False


class Place(msgspec.Struct, frozen=True):
    """One place of a ranking: its ``number`` from 1 (two firsts are followed by a third) and who shares it.

    ``clause`` ranks by points. ``ties`` are the tie-breaks asked of these seats, in order; empty where the
    points decided, or where no tie-break is known.
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
    """A named variant of the rules: its values, the first being the default, and the clause it belongs to.

    Where ``needs`` names another option, this one makes a difference only beside one of those values of it.
    """

    name: str
    values: tuple[str, ...]
    clause: str
    needs: tuple[str, tuple[str, ...]] | None = None

    def matters(self, chosen: Mapping[str, str]) -> bool:
        """Return True if it makes a difference beside what is ``chosen``, a value of every option by name."""
        return self.needs is None or chosen[self.needs[0]] in self.needs[1]


class Level(StrEnum):
    """The detail in which a match is followed."""

    FULL = "full"  # every step
    TABLE = "table"  # public steps only; hidden draws are counts
    SCORE = "score"  # no play followed: the final position is set and scored


Told = tuple[tuple[str, str], ...]
"""What is known of a copy, as the fields of a match's header: see :func:`engines.facts.with_facts`."""


class Setup(msgspec.Struct, frozen=True):
    """All that is settled before a match: how many sit down, who starts, the options that differ from their
    defaults, how closely the match is followed, and a position to start from instead of the usual one.

    ``facts`` is what was known of the copy: the match's own, which a replay elsewhere goes by. Empty where
    nobody told: then a game goes by its defaults. ``rules_version`` is one of the game's ``earlier`` versions
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
    """One thing wrong with a position: where (a field of its text), the clause, and the figures.

    ``pieces`` where no overruled clause lets it stand: pieces are neither made nor lost, and somebody can
    answer.
    """

    where: str
    check: str
    clause: str
    figures: Figures = ()
    pieces: bool = False


class Label(msgspec.Struct, frozen=True):
    """Words for a token: a key into the game's texts and the figures that fill its blanks.

    Of ``parts`` each fills a blank with other labels, told in a row.
    """

    key: str
    figures: Figures = ()
    parts: tuple[tuple[str, tuple[Label, ...]], ...] = ()


class Piece(msgspec.Struct, frozen=True):
    """Pieces that lie together and are alike: ``count`` of them, called by ``label``.

    ``marks`` say how they lie ("completed"); their texts are at ``mark.<name>``.
    """

    label: Label
    count: int = 1
    marks: tuple[str, ...] = ()


class Hidden(msgspec.Struct, frozen=True):
    """The pieces that a hidden hand may hold: how many pieces, and of each kind the word that a told hand has
    for it, its label, and how many of it there may be.
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
    """A place on the table that is no board, and what everybody knows lies there; its text is at
    ``zone.<name>``.

    ``seat`` is whose it is, None for what lies before all. Pieces nobody has seen are a :class:`Piece` of
    their own. Two zones of one name and seat (two towers) are told apart by their order.
    """

    name: str
    seat: int | None = None
    pieces: tuple[Piece, ...] = ()
    lay: Lay = Lay.ROW


# The meaning of a reading


class Exact(msgspec.Struct, frozen=True, tag=True):
    """One explanation: the choices that lead from the state to what was seen.

    They may leave the step open: what a camera cannot see (which cards were drawn) is then asked. They may be
    those of several steps of a turn, reports among them: see :func:`engines.search.steps_of`.
    """

    choices: tuple[Choice, ...]


class Several(msgspec.Struct, frozen=True, tag=True):
    """Several explanations, of which people choose; the likeliest or the plainest first, where that is known.

    ``chances``, 0 to 1, are those of a sensor that weighed as many; else empty.
    """

    explanations: tuple[tuple[Choice, ...], ...]
    chances: tuple[float, ...] = ()


class Misread(msgspec.Struct, frozen=True):
    """An explanation if the sensor was wrong in one place: there its reading shows ``differences`` from what
    ``choices`` lead to.
    """

    choices: tuple[Choice, ...]
    differences: tuple[str, ...]


class OutOfStep(msgspec.Struct, frozen=True, tag=True):
    """No turn leads there. ``nearest`` is the best explanation, ``differences`` what it leaves unexplained,
    ``refusal`` the rule in the way of the plainest try, where one is known.

    ``misread`` are explanations that each hold if a single place was misread, the plainest first; it is empty
    where the game cannot tell or where no single place would do.
    """

    nearest: tuple[Choice, ...]
    differences: tuple[str, ...]
    refusal: Refusal | None
    misread: tuple[Misread, ...] = ()


Interpretation = Exact | Several | OutOfStep
