"""Parts that most games share: notation, an open row for a camera, worlds, places, a step in words."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import ClassVar, Generic, TypeVar

from msgspec.structs import replace

from engines.contract import (
    ADJUSTMENT,
    Booking,
    Choice,
    Domain,
    Figures,
    Label,
    Notation,
    Place,
    Report,
    Rules,
    Sight,
    Tie,
    Worlds,
)
from engines.errors import Malformed
from engines.kit.forms import listed, words
from engines.kit.rulebook import S
from engines.search import DRAWS, NothingTrue

S_contra = TypeVar("S_contra", contravariant=True)


# A step in one line


def split(text: str) -> list[str]:
    """Return the words of a step's text; raises :class:`engines.errors.Malformed` if there are none."""
    found = text.split()
    if not found:
        raise Malformed("an empty step")
    return found


class WordNotation(Notation):
    """A notation with a word for each token, labelled by question and token; a game inherits it."""

    def tokens(self, text: str, /) -> list[str]:
        """Return the words."""
        return split(text)

    def text(self, choices: Sequence[Choice], /) -> str:
        """Return the tokens with a space between them."""
        return " ".join(choice.token for choice in choices)

    def label(self, choice: Choice, /) -> Label:
        """Return ``take.r`` for the token ``r`` that answers ``take``."""
        return Label(f"{choice.question}.{choice.token}")


# Pieces that lie open in a row, as a camera sees them


class OpenRow(Sight[S_contra]):
    """The pieces that lie open in front of all; a layout is their kinds in order: ``6,8,8,via``, or ``-``."""

    PIECES: ClassVar[Sequence[str]]
    """All kinds of pieces, in order; errors call each a ``CALLED``."""
    CALLED: ClassVar[str]
    MARK = ""
    """The letter before a piece in a difference."""

    def read(self, text: str, /) -> tuple[str, ...]:
        """Return the layout of a text; raises Malformed."""
        found, called = words(text), self.CALLED
        for word in found:
            if word not in self.PIECES:
                known = ", ".join(self.PIECES)
                raise Malformed(f"{word!r} in {text!r} is not a {called}; {called}s are {known}")
        return tuple(sorted(found, key=self.PIECES.index))

    def written(self, layout: tuple[str, ...], /) -> str:
        """Return the text of a layout."""
        return listed(layout)

    def differences(self, seen: tuple[str, ...], expected: tuple[str, ...], /) -> tuple[str, ...]:
        """Write ``+m8`` for an 8 that should not lie there; ``-mvia`` for a missing Via Francigena."""
        come, gone = self.more(seen, expected), self.more(expected, seen)
        return (*(f"+{self.MARK}{piece}" for piece in come), *(f"-{self.MARK}{piece}" for piece in gone))

    def more(self, some: Sequence[str], others: Sequence[str]) -> list[str]:
        """Return the pieces of ``some`` beyond those of ``others``."""
        return [piece for piece in self.PIECES for _ in range(some.count(piece) - others.count(piece))]


# Worlds where everything lies open: there is one truth, and the referee knows it


class Open(Worlds[S, None]):
    """Worlds of a game without hidden pieces; the table reports any legal answer, all equally likely."""

    def __init__(self, rules: Rules[S], draws: Mapping[str, Callable[[S, Random], str]] = {}) -> None:
        """Serve the game with these ``rules``; ``draws`` makes the reports of some questions instead."""
        self.rules, self.draws = rules, draws

    def sample(self, state: S, rng: Random, /) -> None:
        """Return None: there is nothing to draw."""

    def true(self, world: None, state: S, choice: Choice, seat: int | None = None, /) -> bool:
        """Return True: what is legal is true."""
        return True

    def answer(self, world: None, state: S, rng: Random, /) -> Choice:
        """Return a legal answer; raises :class:`engines.search.NothingTrue` if there is none."""
        asked = self.rules.pending(state)
        assert isinstance(asked, Report)
        if drawn := self.draws.get(asked.question):
            return Choice(asked.question, drawn(state, rng))
        if isinstance(asked.domain, Domain):
            legal = self.rules.legal(state)
            if not legal:
                raise NothingTrue
            return rng.choice(legal)
        for _ in range(DRAWS):
            choice = Choice(asked.question, asked.domain.draw(rng))
            if not self.rules.why_not(state, choice):
                return choice
        raise NothingTrue

    def advance(self, world: None, state: S, choice: Choice, rng: Random, /) -> None:
        """Return None: there is nothing to change."""


# Points given by hand; places by points and tie-breaks


def by_hand(adjusted: Sequence[int]) -> tuple[Booking, ...]:
    """Return the bookings of each seat's points by hand."""
    return tuple(Booking(seat, given, ADJUSTMENT, "") for seat, given in enumerate(adjusted) if given)


def ranked(points: Sequence[int], clause: str, *ties: Tie) -> tuple[Place, ...]:
    """Return the places of seats by ``points`` under ``clause``; ``ties`` break ties of points.

    Each of ``ties`` has a figure for every seat. Seats still tied after all of them share a place.

    >>> first, second = ranked((57, 57), "SG-7.2", Tie("marker", "SG-7.2", ((0, 0), (1, 1))))
    >>> first.seats, first.ties[0].figures, second.number
    ((1,), ((1, 1), (0, 0)), 2)
    >>> [(place.number, place.seats) for place in ranked((9, 8, 9), "TO-5.5")]
    [(1, (0, 2)), (3, (1,))]
    """
    by_points = Tie("", clause, tuple(enumerate(points)))
    number, places = 1, []
    for seats, asked in _part(tuple(range(len(points))), (by_points, *ties)):
        places.append(Place(number, seats, points[seats[0]], clause, asked[1:]))
        number += len(seats)
    return tuple(places)


def _part(
    seats: tuple[int, ...], ties: tuple[Tie, ...], asked: tuple[Tie, ...] = ()
) -> Iterator[tuple[tuple[int, ...], tuple[Tie, ...]]]:
    """Part seats by ``ties``: yield groups that share a place, the best first, with the ties they needed."""
    if len(seats) == 1 or not ties:
        yield seats, asked
        return
    tie, *more = ties
    sign = 1 if tie.least else -1
    figures = sorted(
        ((seat, figure) for seat, figure in tie.figures if seat in seats), key=lambda p: sign * p[1]
    )
    for figure in dict.fromkeys(figure for _, figure in figures):
        level = tuple(seat for seat, its in figures if its == figure)
        yield from _part(level, tuple(more), (*asked, replace(tie, figures=tuple(figures))))


# Steps in a game master's words: a text for each question

Teller = Callable[[S, Sequence[str]], Label | Iterable[Label]]
"""A function that tells a step from the state before it and its tokens."""


class Saying(Generic[S]):
    """:meth:`engines.contract.Telling.said` for a game whose answers have a ``label``.

    ``blanks`` returns the figures of the pending question; ``tellers`` are keyed by a step's first question.

    ``said.<question>`` tells a step that begins with an answer to that question. Its blanks are those of the
    question, ``{seat}`` for the seat whose turn it is, ``{answer}`` for the answer's label with its figures,
    and ``{token}`` for its text. An answer that stands ``alone`` has its own text,
    ``said.<question>_<answer>``, or for a variant of a question ``said.<question>_<variant>_<answer>``. If a
    text needs more than that, the game gives a teller.
    """

    def __init__(
        self,
        label: Callable[[Choice], Label],
        blanks: Callable[[S], Figures],
        tellers: Mapping[str, Teller[S]],
        alone: Container[str] = (),
    ) -> None:
        """Take the game's own functions and names."""
        self._label, self._blanks, self._tellers, self._alone = label, blanks, tellers, alone

    def __call__(self, before: S, choices: Sequence[Choice]) -> tuple[Label, ...]:
        """Tell a step or its beginning."""
        if not choices:
            return ()
        first, tokens = choices[0], [choice.token for choice in choices]
        blanks, teller = self._blanks(before), self._tellers.get(first.question)
        if first.token in self._alone:
            variant = dict(blanks).get("variant")
            asked = first.question if variant is None else f"{first.question}_{variant}"
            return (Label(f"said.{asked}_{first.token}"),)
        if teller:
            told = teller(before, tokens)
            return (told,) if isinstance(told, Label) else tuple(told)
        called = self._label(first)
        figures = (("seat", before.seat), *called.figures, ("token", first.token), *blanks)
        return (Label(f"said.{first.question}", figures, (("answer", (called,)),)),)
