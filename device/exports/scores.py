"""A score as data and as a table: the points of each seat by category and clause."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from device.alike import alike
from engines.contract import SEATS, Booking, Game, Place, Tie, winners
from engines.match import Match, gains_by_step
from engines.texts import breadth
from engines.words import Words, scores_of


class BookedPoints(msgspec.Struct, frozen=True):
    """Points booked for a seat (``a``, ``b`` …). ``figures`` show the sum; ``clause`` is "" for points by
    hand. ``record`` is the last that changed them, 0 for points from the start or without play; ``part`` is
    the deal or round, 0 for none.
    """

    seat: str
    name: str
    points: int
    category: str
    clause: str
    figures: str
    record: int
    part: int


class TieBreak(msgspec.Struct, frozen=True):
    """A tie-break: its ``name``, its ``clause`` and a figure for each seat that was level until then. The
    greatest is ahead, with ``least`` the smallest.
    """

    name: str
    clause: str
    figures: dict[str, int]
    least: bool


class Ranked(msgspec.Struct, frozen=True):
    """A place (1 is first) and the ``seats`` that share it. ``clause`` ranks by points; ``ties`` are the
    tie-breaks of these seats, in order: the last one decided, or separates nobody.
    """

    place: int
    seats: tuple[str, ...]
    points: int
    clause: str
    ties: tuple[TieBreak, ...]

    @classmethod
    def of(cls, place: Place) -> Ranked:
        """Return the engine's place with seats as letters."""
        ties = tuple(
            TieBreak(tie.name, tie.clause, {SEATS[seat]: figure for seat, figure in tie.figures}, tie.least)
            for tie in place.ties
        )
        return cls(place.number, tuple(SEATS[seat] for seat in place.seats), place.points, place.clause, ties)

    def back(self) -> Place:
        """Return the engine's place again."""
        ties = tuple(
            Tie(
                tie.name,
                tie.clause,
                tuple((SEATS.index(seat), figure) for seat, figure in tie.figures.items()),
                tie.least,
            )
            for tie in self.ties
        )
        return Place(self.place, tuple(map(SEATS.index, self.seats)), self.points, self.clause, ties)


class CountedTrack(msgspec.Struct, frozen=True):
    """A track beside the score: its ``name``, its ``clause``, and a figure for each seat."""

    name: str
    clause: str
    figures: dict[str, int]


class FinalStanding(msgspec.Struct, frozen=True):
    """The score if the match ended now: totals by seat, the seats that would win, all bookings.

    ``places`` has the first place first, ``tallies`` are counts beside the score, ``categories`` the possible
    categories with these options.
    """

    scores: dict[str, int]
    winners: tuple[str, ...]
    bookings: tuple[BookedPoints, ...]
    places: tuple[Ranked, ...]
    tallies: tuple[CountedTrack, ...]
    categories: tuple[str, ...]

    def sum(self, seat: str, part: int, category: str | None = None) -> int:
        """Return a seat's points in a part of the match, in all categories or in one."""
        return sum(one.points for one in self.booked(seat, part, category))

    def booked(self, seat: str, part: int, category: str | None = None) -> list[BookedPoints]:
        """Return the bookings behind :meth:`sum`."""
        return [
            one
            for one in self.bookings
            if (one.seat, one.part) == (seat, part) and category in (None, one.category)
        ]

    @property
    def parts(self) -> tuple[int, ...]:
        """The parts with booked points, the whole match (0) last; at least one."""
        return tuple(sorted({one.part for one in self.bookings}, key=lambda part: (not part, part))) or (0,)


class Gained(msgspec.Struct, frozen=True):
    """The change by a record of a seat's points in one category, clause and part: from ``before`` to
    ``after``, shown by the figures ``was`` and then ``figures``. ``record`` 0 is the start of the match.
    """

    record: int
    seat: str
    category: str
    clause: str
    part: int
    before: int
    after: int
    was: str
    figures: str


def list_gains(match: Match, numbers: Iterable[int]) -> tuple[Gained, ...]:
    """Return the gains of a match in order; ``numbers`` are the numbers of its steps."""
    return tuple(
        Gained(number, SEATS[one.seat], *(getattr(one, name) for name in Gained.__struct_fields__[2:]))
        for number, those in zip((0, *numbers), gains_by_step(match), strict=True)
        for one in those
    )


STANDING = (FinalStanding, BookedPoints, Ranked, TieBreak, CountedTrack)
"""The classes in a standing, for its description."""


def compute_standing(
    game: Game[Any, Any], state: Any, names: Sequence[str], gains: Iterable[Gained] = ()
) -> FinalStanding:
    """Return the standing of ``state``; ``names`` are by seat, ``gains`` give the records of points."""
    records = {(one.seat, one.category, one.clause, one.part): one.record for one in gains}
    return FinalStanding(
        dict(zip(SEATS, scores_of(game, state, len(names)), strict=False)),
        tuple(SEATS[seat] for seat in winners(game, state)),
        tuple(_name_booking(booking, names, records) for booking in game.scoring.bookings(state)),
        tuple(Ranked.of(place) for place in game.scoring.ranking(state)),
        tuple(
            CountedTrack(one.name, one.clause, dict(zip(SEATS, one.figures, strict=False)))
            for one in game.scoring.tallies(state)
        ),
        game.scoring.counted(state),
    )


def _name_booking(
    booking: Booking, names: Sequence[str], records: Mapping[tuple[str, str, str, int], int]
) -> BookedPoints:
    seat = SEATS[booking.seat]
    record = records.get((seat, booking.category, booking.clause, booking.part), 0)
    return alike(BookedPoints, booking, seat=seat, name=names[booking.seat], record=record)


class ScoreRow(msgspec.Struct, frozen=True):
    """A row of a score's table: its ``kind``, its name, and each seat's figure with its sum.

    A ``part`` of the match is followed by its rows of a ``category``, which may have no booking; then come
    the ``total``, the ``place`` and each ``tally``.
    """

    kind: str
    name: str
    cells: tuple[tuple[str, str], ...]
    booked: bool = True


def score_rows(words: Words, found: FinalStanding) -> Iterator[ScoreRow]:
    """Yield the rows of a score, part by part."""

    def row(kind: str, name: str, figures: Iterable[object]) -> ScoreRow:
        return ScoreRow(kind, name, tuple((str(figure), "") for figure in figures))

    for part in found.parts:
        name = words("sheet.part", n=part) if part else words("sheet.match")
        if part and "part" in words.texts:
            name = words("part", (("n", part),))
        yield row("part", name, (found.sum(seat, part) for seat in found.scores))
        for category in _list_categories(found, part):
            there = [found.booked(seat, part, category) for seat in found.scores]
            how = ([words.figures(one.figures) for one in those if one.figures] for those in there)
            sums = (str(sum(one.points for one in those)) for those in there)
            cells = tuple(zip(sums, map(words.texts.by_commas, how), strict=True))
            yield ScoreRow("category", words(f"category.{category}"), cells, any(there))
    yield row("total", words("sheet.total"), found.scores.values())
    places = {seat: place.place for place in found.places for seat in place.seats}
    yield row("place", words("rank.title"), (places[seat] for seat in found.scores))
    for tally in found.tallies:
        name = f"{words(f'tally.{tally.name}')} ({tally.clause})"
        yield row("tally", name, (tally.figures[seat] for seat in found.scores))


def _list_categories(found: FinalStanding, part: int) -> list[str]:
    """Return the categories to show of a part: those of the match, then others with bookings there.

    With several parts, only categories with points are shown.
    """
    here = dict.fromkeys(one.category for one in found.bookings if one.part == part)
    own = [name for name in found.categories if len(found.parts) == 1 or name in here]
    return list(dict.fromkeys((*own, *here)))


def write_table(words: Words, found: FinalStanding) -> list[str]:
    """Return the categories by player, with the figures behind each number, and the totals.

    Several parts follow one another.
    """
    several = len(found.parts) > 1
    rows: list[list[str]] = [["", *(text for name in words.names for text in (name, ""))]]
    for one in score_rows(words, found):
        if several or one.kind != "part":
            indent = "  " * (several and one.kind == "category")
            rows.append([indent + one.name, *(text for cell in one.cells for text in cell)])
    return align_columns(rows)


def tell_winner(words: Words, found: FinalStanding) -> str:
    """Tell who wins, and what decided a tie: ``William wins (tied at 57; …)``."""
    names = [words.name(SEATS.index(seat)) for seat in found.winners]
    said = words("play.won" if len(names) == 1 else "play.all_won", name=words.all(names))
    tied = tell_ties(words, found).get(found.places[0].points)
    return f"{said} ({tied})" if tied else said


def tell_ties(words: Words, found: FinalStanding) -> dict[int, str]:
    """Return in words what decided between level seats, by their points."""
    return words.ties(place.back() for place in found.places)


def tell_ties_behind(words: Words, found: FinalStanding) -> list[str]:
    """Return the ties behind the first, which :func:`tell_winner` leaves out."""
    return [said for points, said in tell_ties(words, found).items() if points != found.places[0].points]


def align_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows of cells as lines with aligned columns; numbers stand on the right."""
    widths = [max(map(breadth, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(_pad_cell, row, widths)).rstrip() for row in rows]


def _pad_cell(cell: str, width: int) -> str:
    room = " " * (width - breadth(cell))
    return room + cell if cell.lstrip("-").replace(".", "", 1).isdecimal() else cell + room
