"""A game's values in words, with the players' names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from string import digits
from typing import Any

from msgspec.structs import replace

from engines.board import KING, Cell
from engines.contract import (
    SEATS,
    Booking,
    Choice,
    Decide,
    Figures,
    Game,
    Label,
    Over,
    Pending,
    Place,
    Refusal,
    Tie,
    Told,
    Zone,
    totals,
)
from engines.errors import EngineError, Refused
from engines.fact_kinds import read_word
from engines.fact_words import FactWords, error_in_words
from engines.facts import called, schema
from engines.match import Adjustment, Change, Fallen, Made, Match, Step
from engines.remedies import Attempt
from engines.rules import spoken
from engines.texts import Texts, apart

_SINGLY = (
    *("card", "kind", "colour", "tile", "farm", "square", "reward", "pile"),
    *("area", "resource", "good", "oasis", "tower"),
)
NAMED = {name + end: name for name in _SINGLY for end in ("", "s")} | {
    **dict.fromkeys(("higher", "lower", "by_tower", "target"), "tower"),
    **dict.fromkeys(("asked", "holds", "at_most", "rank", "ranks", "noble", "stones", "unseen"), "card"),
    "cells": "cell",
}
"""Figures that are answers, by the question that has their words; ``3×`` counts one."""


class Words:
    """The words of one game for these players."""

    def __init__(self, texts: Texts, game: Game[Any, Any], names: Sequence[str], facts: Told = ()) -> None:
        """Take ``names`` by seat, and ``facts`` of the match's set-up, which may rename things."""
        self.texts = texts
        self.game = game
        self.names = tuple(names)
        own_names = called(game.id, facts)
        self._called = {key: texts.recall("made_up", name) for key, name in own_names.items()}
        self._seats = {f"seat_{SEATS[seat]}": name for seat, name in enumerate(names)}

    def __call__(self, key: str, figures: Figures = (), **more: object) -> str:
        """Return the text at ``key`` with ``figures`` in words: ``seat`` and ``other`` become players' names;
        a ``piece`` of a board, :data:`NAMED` figures, and a ``fact`` of the copy with its ``value`` get their
        names.
        """
        return self._fill(key, {**self._seats, **dict(figures), **more})

    def _fill(self, key: str, values: dict[str, object], **filled: str) -> str:
        """Return the text at ``key`` with ``values`` in words, and others ``filled`` in as they are."""
        for name in ("seat", "other"):
            if isinstance(values.get(name), int):
                values[name] = self.name(values[name])
        if "piece" in values:
            values["piece"] = self.piece(str(values["piece"]))
        if "fact" in values:
            values |= self._name_printed(str(values["fact"]), str(values["value"]))
        for name in NAMED.keys() & values.keys():
            tokens = (token.strip().rpartition("×") for token in str(values[name]).split(","))
            values[name] = self.texts.by_commas(
                f"{count}{times}{self.choice(Choice(NAMED[name], token))}" for count, times, token in tokens
            )
        return self.texts(key, **values, **filled)

    def _name_printed(self, name: str, token: str) -> dict[str, object]:
        """Name a fact and its value, which is written as in an answer."""
        facts = schema(self.game.id)
        fact, words = facts.fact(name), FactWords(facts, self.texts)
        return {"fact": words.label(fact), "value": words.value(fact.kind, read_word(fact.kind, token))}

    def name(self, seat: object) -> str:
        """Name a seat's player; None is the table."""
        if isinstance(seat, int) and 0 <= seat < len(self.names):
            return self.names[seat]
        return self.texts("play.table")

    def piece(self, mark: str) -> str:
        """Name a piece on a board: by the game's texts, or else by its owner."""
        if mark == KING:
            return self.texts("grid.king")
        named = f"piece.{mark}" in self.texts or mark not in SEATS
        return self.texts(f"piece.{mark}") if named else self.name(SEATS.index(mark))

    def stands(self, cell: Cell) -> tuple[str, ...]:
        """Name a cell's ground and the piece on it, if there are any."""
        covered = cell.covered and f"piece.{cell.piece}" not in self.texts
        piece = self.texts("grid.covered") if covered else self.piece(cell.piece) if cell.piece else ""
        ground = self.texts(f"ground.{cell.ground}") if cell.ground else ""
        return tuple(text for text in (ground, piece) if text)

    def choice(self, choice: Choice) -> str:
        """Name a choice; without a name in the texts it is its token."""
        label = self.game.notation.label(choice)
        if label.key in self._called:
            return self._called[label.key]
        return self(label.key, label.figures) if label.key in self.texts else choice.token

    def answer(self, choice: Choice, figures: Figures) -> str:
        """Name a choice among the answers to a question with these figures. A figure ``more.<token>`` adds to
        it: ``workshop 2: 1 dinar, 2 VP``; ``as.<token>`` names it by an answer to another question:
        ``town:07``.
        """
        told = dict(figures)
        more = told.get(f"more.{choice.token}")
        question, _, token = str(told.get(f"as.{choice.token}", "")).partition(":")
        name = self.choice(Choice(question, token) if token else choice)
        return self("play.answer", answer=name, rewards=more) if more else name

    def prompt(self, pending: Pending) -> str:
        """Return the text of a question."""
        if isinstance(pending, Over):
            return self(f"termination.{pending.termination}")
        variant = dict(pending.figures).get("variant")
        question = pending.question if variant is None else f"{pending.question}_{variant}"
        return self(f"question.{question}", pending.figures)

    def actor(self, pending: Pending) -> str:
        """Say whose turn it is."""
        if isinstance(pending, Decide):
            return self.texts("list.plus").join(map(self.name, pending.seats))
        return self.texts("play.over") if isinstance(pending, Over) else self.texts("play.table")

    def refusal(self, refusal: Refusal) -> str:
        """Say the reason in one sentence; a figure ``variant`` names the text in place of the check.

        For all answers of a verb use a text without figures of a single answer, or else that of the verb.
        """
        figures = dict(refusal.figures)
        reason = figures.get("variant", refusal.check)
        if "verb" not in figures:
            return self(f"refused.{reason}", refusal.figures)
        keys = (f"none.{reason}", f"refused.{reason}", f"none.{figures['verb']}", "refusal.none")
        return self(next(key for key in keys if self._fits(key, refusal.figures)), refusal.figures)

    def misfit(self, error: EngineError) -> str:
        """Say in one sentence why a step does not fit; a refusal in the words that players read."""
        if isinstance(error, Refused):
            return f"{error.refusal.clause}: {self.refusal(error.refusal)}"
        return error_in_words(error, self.texts)

    def _fits(self, key: str, figures: Figures) -> bool:
        """Return True if there is a text whose blanks are all among these figures."""
        return key in self.texts and self.texts.placeholders(key) <= dict(figures).keys() | self._seats.keys()

    def clauses(self, ids: Iterable[str]) -> str:
        """Name clauses by their subjects: ``Pass``."""
        rules = spoken(self.game.id, self.texts)
        return self.texts.by_semicolons(rules.subject(rules.clause(one)) for one in ids)

    def remedy(self, attempt: Attempt) -> str:
        """Say the remedy of a refusal; empty if the reason says it all."""
        name = attempt.remedy
        key, figures = f"remedy.{name}", attempt.refusal.figures
        return self(key, figures) if name and self._fits(key, figures) else ""

    def ranking(self, places: Sequence[Place]) -> list[str]:
        """Tell the places line by line, then the tie-breaks; nothing if one of two players is ahead."""
        listed = [
            self("rank.place", number=one.number, name=self.all(map(self.name, one.seats)), points=one.points)
            for one in places
        ]
        ties = self.ties(places)
        return [*listed, *ties.values()] if ties or len(self.names) > 2 else []

    def ties(self, places: Iterable[Place]) -> dict[int, str]:
        """Say the tie-breaks by points: ``tied at 57; Adso holds the marker (SG-7.2)``."""
        told: dict[int, dict[str, None]] = {}
        for place in places:
            if place.ties or len(place.seats) > 1:
                shared = self("rank.shared", clause=place.clause)
                said = told.setdefault(place.points, {self("rank.tied", points=place.points): None})
                said |= dict.fromkeys(map(self._say_tie, place.ties) if place.ties else [shared])
        return {points: self.texts.by_semicolons(said) for points, said in told.items()}

    def _say_tie(self, tie: Tie) -> str:
        best = tie.figures[0][1]
        ahead = [self.name(seat) for seat, figure in tie.figures if figure == best]
        others = [f"{self.name(seat)} {figure}" for seat, figure in tie.figures if figure != best]
        key = f"tie.{tie.name}" if others else f"tie.{tie.name}_level"
        said = self(key, name=self.all(ahead), figure=best, others=self.texts.by_commas(others))
        return f"{said} ({tie.clause})"

    def gain(self, gain: Change) -> str:
        """Say a change of points in one line: ``Adso loses 10, Highest: 10 → 0 (was marker), SG-8.5``."""
        key = "gains" if gain.points > 0 else "loses" if gain.points else "same"
        return self(
            f"gain.{key}",
            name=self.name(gain.seat),
            points=abs(gain.points),
            category=self.booked(gain.category, gain.part),
            before=gain.before,
            after=gain.after,
            made=self._say_made(gain),
        )

    def held(self, gain: Change) -> str:
        """Say the points after a change: ``Adso, Plain: 17 (10 + 7), SG-8.3``."""
        category = self.booked(gain.category, gain.part)
        made = self._say_made(replace(gain, was=""))
        return self("gain.held", name=self.name(gain.seat), category=category, after=gain.after, made=made)

    def _say_made(self, gain: Change) -> str:
        """Say the figures of a change, the former ones after a loss, and the clause."""
        was = gain.was if gain.points <= 0 else ""
        key = "now" if was and gain.figures else "was" if was else "made"
        how, was = self.figures(gain.figures or was), self.figures(was)
        clause = self("gain.clause", clause=gain.clause) if gain.clause else ""
        return (self(f"gain.{key}", how=how, was=was) if how else "") + clause

    def figures(self, figures: str) -> str:
        """Translate figures of points: ``workshop 2: 7``."""
        return self.texts.recast("made", figures)

    def booked(self, category: str, part: int) -> str:
        """Name a category of bookings: ``Plain``, ``Deal 2, Plain``."""
        said = self(f"category.{category}")
        return self.texts.by_commas((self("part", n=part), said)) if part else said

    def all(self, names: Iterable[str]) -> str:
        """Join names: ``Adso and William``."""
        return self.texts("list.and").join(names)

    def labels(self, labels: Iterable[Label]) -> list[str]:
        """Say each label."""
        return [self._say_label(label) for label in labels]

    def _say_label(self, label: Label) -> str:
        parts = {name: self.all(map(self._say_part, those)) for name, those in label.parts}
        return self._fill(label.key, {**self._seats, **dict(label.figures)}, **parts)

    def _say_part(self, label: Label) -> str:
        """Say a part of a text; an answer without a name is its token."""
        token = dict(label.figures).get("token")
        return self._say_label(label) if token is None or label.key in self.texts else str(token)

    def counted(self, zone: Zone) -> dict[tuple[str, tuple[str, ...], int], int]:
        """Count a zone's pieces by name, marks, and a number that distinguishes equal ones."""
        counts: dict[tuple[str, tuple[str, ...], int], int] = {}
        for piece in zone.pieces:
            name = self(piece.label.key, piece.label.figures)
            marks = tuple(self(f"mark.{mark}") for mark in piece.marks)
            nth = sum(key[:2] == (name, marks) for key in counts)
            counts[name, marks, nth] = piece.count
        return counts

    def lies(self, zones: Sequence[Zone]) -> list[str]:
        """List the pieces of zones, a line a name: ``Tile pile: 4 × tile / 7 × tile``; ``–`` for none."""
        lines: dict[str, list[str]] = {}
        for zone in zones:
            counted = self.counted(zone).items()
            each = {marks for (_, marks, _), _ in counted}
            shared = each.pop() if len(each) == 1 else ()
            pieces = [self.lying(name, count, () if shared else marks) for (name, marks, _), count in counted]
            lies = self.lying(self.texts.listed(pieces), marks=shared)
            lines.setdefault(zone.name, []).append(lies or "–")
        return [f"{self(f'zone.{name}')}: {' / '.join(lies)}" for name, lies in lines.items()]

    def lying(self, name: str, count: int = 1, marks: Sequence[str] = ()) -> str:
        """Say a number of pieces and how they lie: ``2 × farm (olives, cows)``."""
        said = self.texts("list.counted", n=count, what=name) if count != 1 else name
        return self.texts("list.marked", what=said, marks=self.texts.by_commas(marks)) if marks else said

    def said(self, before: Any, choices: Sequence[Choice]) -> str:
        """Say a step or its beginning: ``exchanges 7, 9 for a 10``; without words, name its choices."""
        told = self.labels(self.game.telling.said(before, choices))
        return self.texts.phrase(told) or self.texts.by_commas(map(self.choice, choices))

    def made(self, match: Match, at: int) -> str:
        """Say the entry at a place in ``match.steps``, with its player: ``Adso: builds 8 × 3``."""
        made = match.steps[at]
        match made:
            case Step(seat):
                return self.by(seat, self.said(match.points[at].state, match.points[at + 1].made))
            case Adjustment(seat, points, reason, good):
                why = f" ({self.texts.recall('reason', reason)})" if reason else ""
                if good:
                    called = self(f"given.{good}")
                    return self.by(seat, self.texts("give.by_hand", good=called, n=f"{points:+d}", why=why))
                return self.by(seat, self("gain.by_hand", points=f"{points:+d}", why=why))
            case Fallen(text=text):
                return self.by(None, text)

    def overruled(self, said: str, made: Made) -> str:
        """Add to the words of a step the clauses that people overruled for it, if any."""
        waived = made.waived if isinstance(made, Step) else ()
        return self.texts("play.waived", said=said, clauses=self.texts.by_commas(waived)) if waived else said

    def difference(self, text: str) -> str:
        """Say a difference of two layouts: ``+2 blocks d3`` for ``+2Bd3``; if its piece has no name, return
        it as it is.
        """
        sign, rest = text[:1], text[1:]
        what = rest.lstrip(digits)
        number = int(rest.removesuffix(what) or 1)
        keys = (f"{table}.{mark}" for mark in (what[:2], what[:1]) for table in ("differs", "kind"))
        key = next((key for key in keys if key in self.texts), "")
        mark = key.partition(".")[2] or what[:1]
        if not key and mark not in (KING, *SEATS):
            return text
        thing = self(key, n=number) if key else self.piece(mark)
        place = what.removeprefix(mark)
        named = self.texts(f"card.{place}") if f"card.{place}" in self.texts else place
        return f"{sign}{thing} {named}".rstrip()

    def would(self, match: Match, seat: int | None, text: str, waived: tuple[str, ...] = ()) -> str:
        """Say a step that a seat would make now; return its text if it does not fit."""
        return self.by(seat, self.would_say(match, seat, text, waived))

    def would_say(self, match: Match, seat: int | None, text: str, waived: tuple[str, ...] = ()) -> str:
        """Say a step as :meth:`would` does, without the player: ``builds 8 × 3``."""
        try:
            return self.said(match.state, match.read(text, seat, waived).choices)
        except EngineError:
            return text

    def by(self, seat: int | None, said: str) -> str:
        """Put the player before the words of a step; a sealed choice has other words."""
        return f"{self.name(seat)}: {said or self.texts('play.sealed')}"


def scores_of(game: Game[Any, Any], state: Any, seats: int) -> list[int]:
    """Return each seat's points in a state."""
    return totals(game.scoring.bookings(state), seats)


def score_line(names: Sequence[str], points: Sequence[int], seats: Sequence[int] | None = None) -> str:
    """Write the points of all ``seats`` behind their shortened names: ``M16 T0``; ``P1:6 P2:0``."""
    shorts = [f"{short}:" if short[-1:].isdigit() else short for short in apart(names)]
    return " ".join(
        f"{shorts[seat]}{points[seat]}" for seat in (range(len(names)) if seats is None else seats)
    )


def headings(
    game: Game[Any, Any], categories: Iterable[str], *, short: bool = True
) -> list[tuple[str, list[str]]]:
    """Return the rows of a breakdown in order, each with its text and categories; a ``short`` one has a row
    for each of the game's groups.
    """
    groups = {each: name for name, together in game.scoring.GROUPS.items() for each in together if short}
    rows: dict[str, list[str]] = {}
    for category in categories:
        group = groups.get(category)
        rows.setdefault(f"group.{group}" if group else f"category.{category}", []).append(category)
    return list(rows.items())


def breakdown(bookings: Sequence[Booking], categories: Sequence[str], seats: int) -> list[list[int]]:
    """Return points by category (rows) and seat (columns), points by hand last, if there are any."""
    rows = {category: [0] * seats for category in categories}
    for booking in bookings:
        rows.setdefault(booking.category, [0] * seats)[booking.seat] += booking.points
    return list(rows.values())
