"""`podesta explain FILE STEP`: one step of a match, what else there was to do, and what it changed."""

from __future__ import annotations

import argparse
import textwrap
import time
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import msgspec

import engines
from device.commands import CommandError, Exit
from device.commands.files import follow, good, header, open_file, reason
from device.commands.values import whole
from device.journal_file import Reading
from device.records import Kind, Record, cancelled
from device.rulings import Undo, parse_ruling
from device.story import Story
from device.texts import Texts
from device.words import Words
from engines.contract import Booking, Choice, Over
from engines.errors import EngineError, NotationError
from engines.match import Match
from engines.matchfile import MatchFile
from engines.rules import load

SHOWN = 12
"""A longer list of choices is cut here."""


class Barred(msgspec.Struct, frozen=True):
    """Choices that were not legal, by their names, the clause and why."""

    labels: tuple[str, ...]
    clause: str
    why: str


class Asked(msgspec.Struct, frozen=True):
    """One question of a step; ``chosen`` is "" where nothing that fits was chosen."""

    prompt: str
    chosen: str
    legal: tuple[str, ...]
    barred: tuple[Barred, ...]


class Change(msgspec.Struct, frozen=True):
    """What a step did to a seat's points in a category."""

    player: str
    category: str
    clause: str
    before: int
    after: int
    figures: str


class Explained(msgspec.Struct, frozen=True):
    """A step told in words. ``misfit`` says why it is none there; then nothing follows from it.

    ``position`` are the fields of the position that differ after it, ``scores`` the totals before and after,
    ``next`` what is asked then, ``ended`` the clause by which the match is over.
    """

    player: str
    text: str
    questions: tuple[Asked, ...]
    misfit: str = ""
    position: tuple[str, ...] = ()
    points: tuple[Change, ...] = ()
    scores: tuple[str, str] = ("", "")
    next: str = ""
    ended: str = ""

    @property
    def clauses(self) -> tuple[str, ...]:
        """The ids of all clauses that were named, each once."""
        named = [change.clause for change in self.points]
        named += [barred.clause for asked in self.questions for barred in asked.barred]
        return tuple(dict.fromkeys([*named, self.ended] if self.ended else named))


def arguments(parser: argparse.ArgumentParser) -> None:
    """What it takes."""
    parser.add_argument("file", metavar="FILE", type=Path, help="a match file, or a journal (.podesta)")
    parser.add_argument(
        "step",
        metavar="STEP",
        type=whole(1, 10**9),
        help="the number of the step in a match file, of the record in a journal",
    )


def run(options: argparse.Namespace) -> int:
    """Print what is known of a step; raises :class:`CommandError` if there is none, or it does not fit."""
    path, number = options.file, options.step
    source = open_file(path)
    try:
        if isinstance(source, MatchFile):
            head, found, words = _in_match_file(path, source, number)
        else:
            record = _record(path, source, number)
            head = _told_by_journal(source, record)
            if record.kind not in (Kind.STEP, Kind.REPORT):
                print("\n".join(head))
                return Exit.FINE
            found, words = _in_journal(path, source, record)
    except (EngineError, ValueError) as error:
        raise CommandError(f"{path.name}: {error}") from error
    print("\n".join([*head, *lines(found, words)]))
    if found.misfit:
        raise CommandError(f"{path.name}: {head[0]} does not fit: {found.misfit}")
    return Exit.FINE


def explain(words: Words, match: Match, seat: int | None, text: str) -> Explained:
    """What the step ``text`` of ``seat`` does where ``match`` stands."""
    game, here = match.game, match.state
    try:
        read = match.read(text, seat)
    except NotationError as error:
        asked = () if isinstance(match.pending, Over) else (_asked(words, here, None, seat),)
        return Explained(words.name(seat), text, asked, reason(words, error))
    actor, after = read.step.seat, read.after.state
    states = accumulate(read.choices[:-1], game.apply, initial=here)
    pending = game.pending(after)
    return Explained(
        player=words.name(actor),
        text=read.step.text,
        questions=tuple(
            _asked(words, state, choice, actor) for state, choice in zip(states, read.choices, strict=True)
        ),
        position=_differences(game.position(here), game.position(after)),
        points=_changes(words, game.bookings(here), game.bookings(after)),
        scores=(_totals(words, game.bookings(here)), _totals(words, game.bookings(after))),
        next=f"{words.actor(pending)}: {words.prompt(pending)}",
        ended=pending.clause if isinstance(pending, Over) else "",
    )


def _asked(words: Words, state: Any, choice: Choice | None, seat: int | None) -> Asked:
    game, pending = words.game, words.game.pending(state)
    barred: dict[tuple[str, str], list[str]] = {}
    others = [] if isinstance(pending, Over) else [Choice(pending.question, t) for t in pending.domain.tokens]
    for other in others:
        if refusal := game.why_not(state, other, seat):
            barred.setdefault((refusal.clause, words.refusal(refusal)), []).append(words.choice(other))
    return Asked(
        words.prompt(pending),
        words.choice(choice) if choice else "",
        tuple(words.choice(legal) for legal in game.legal(state, seat)),
        tuple(Barred(tuple(labels), clause, why) for (clause, why), labels in barred.items()),
    )


def _differences(before: str, after: str) -> tuple[str, ...]:
    """The fields that differ between two positions: ``marker=- → a``."""
    old, new = (dict(field.split("=", 1) for field in text.split()) for text in (before, after))
    return tuple(f"{name}={old.get(name, '')} → {new[name]}" for name in new if old.get(name) != new[name])


def _changes(words: Words, before: Sequence[Booking], after: Sequence[Booking]) -> tuple[Change, ...]:
    kinds = dict.fromkeys((booking.seat, booking.category, booking.clause) for booking in (*before, *after))
    changes = []
    for kind in kinds:
        old, new = (
            [b for b in bookings if (b.seat, b.category, b.clause) == kind] for bookings in (before, after)
        )
        points = sum(b.points for b in old), sum(b.points for b in new)
        if points[0] != points[1]:
            seat, category, clause = kind
            name, figures = words(f"category.{category}"), ", ".join(b.figures for b in new)
            changes.append(Change(words.name(seat), name, clause, *points, figures))
    return tuple(changes)


def _totals(words: Words, bookings: Sequence[Booking]) -> str:
    seats = range(len(words.names))
    return " : ".join(str(sum(b.points for b in bookings if b.seat == seat)) for seat in seats)


def lines(found: Explained, words: Words) -> list[str]:
    """A step for people to read, with the clauses that it touches."""
    shown = [f"{found.player}: {found.text}", ""]
    for asked in found.questions:
        shown.append(f"{asked.prompt}  {asked.chosen or '(nothing that fits)'}")
        shown += _wrapped("  legal: ", _short(asked.legal) or "too many to list")
        for barred in asked.barred:
            shown += _wrapped("  not: ", f"{_short(barred.labels)} ({barred.clause}: {barred.why})")
    if not found.misfit:
        shown += ["", f"score {found.scores[0]} → {found.scores[1]}"]
        for change in found.points:
            figures = f" ({change.figures})" if change.figures else ""
            points = f"{change.before} → {change.after}{figures}"
            shown.append(f"  {change.category}, {change.player}: {points}, {change.clause}")
        shown += [f"  {field}" for field in found.position]
        shown.append(f"then  {found.next}")
    if found.clauses:
        rules = load(words.game.id)
        shown.append("")
        for clause in map(rules.clause, found.clauses):
            shown += _wrapped(f"{clause.id}  ", clause.text)
    return shown


def _short(labels: Sequence[str]) -> str:
    more = f" and {len(labels) - SHOWN} more" if len(labels) > SHOWN else ""
    return ", ".join(labels[:SHOWN]) + more


def _wrapped(head: str, text: str) -> list[str]:
    return textwrap.wrap(text, 100, initial_indent=head, subsequent_indent=" " * len(head))


# Where the step comes from


def _in_match_file(path: Path, file: MatchFile, number: int) -> tuple[list[str], Explained, Words]:
    if number > len(file.steps):
        raise CommandError(f"{path.name}: there is no step {number}, the last is {len(file.steps)}")
    match, error = follow(engines.game(file.game), file.setup, file.steps[: number - 1])
    words = Words(Texts.load("en", file.game), match.game, file.names)
    if error:
        at = len(match.steps) + 1
        raise CommandError(f"{path.name}: step {at} does not fit: {reason(words, error)}; explain that one")
    step = file.steps[number - 1]
    head = [f"step {number} of {len(file.steps)}"]
    return head, explain(words, match, step.seat, step.text), words


def _in_journal(path: Path, reading: Reading, record: Record) -> tuple[Explained, Words]:
    """The step against the match as it stood when it was recorded, whatever was undone later."""
    facts = header(path, reading)
    words = Words(Texts.load("en", facts.game), engines.game(facts.game), facts.names)
    try:
        story = Story(reading.header, reading.records[: record.seq - 1])
    except NotationError as error:
        why = reason(words, error)
        raise CommandError(f"{path.name}: a record before {record.seq} does not fit: {why}") from error
    return explain(words, story.match, record.seat, record.payload), words


def _record(path: Path, reading: Reading, number: int) -> Record:
    if number > len(reading.records):
        damage = f"; {reading.damage}" if reading.damage else ""
        raise CommandError(f"{path.name}: there is no record {number}, {good(reading)}{damage}")
    return reading.records[number - 1]


def _told_by_journal(reading: Reading, record: Record) -> list[str]:
    """What a journal says of a record besides what it is."""
    moment = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(record.utc_ms / 1000))
    where = f"{moment} UTC, {record.channel}" + (", SIMULATED" if record.simulated else "")
    told = [f"record {record.seq} of {len(reading.records)}", f"{where}, group {record.group}"]
    if record.confidence_ppm < 1_000_000:
        told.append(f"confidence {record.confidence_ppm / 10_000:g} %")
    if record.kind not in (Kind.STEP, Kind.REPORT):
        told.append(f"{record.kind.value}: {record.payload}")
    undone = False
    for other in reading.records:
        ruling = parse_ruling(other.payload) if other.kind is Kind.RULING else None
        if isinstance(ruling, Undo) and other is record:
            targets = [one for one in reading.records if one.group == ruling.group]
            told += [f"it undoes record {one.seq}: {one.payload}" for one in targets]
        elif isinstance(ruling, Undo) and ruling.group == record.group:
            told.append(f"undone by record {other.seq}")
            undone = True
    if undone:
        counts = record.group not in cancelled(reading.records)
        told.append("it counts again" if counts else "it does not count")
    return told
