"""`podesta explain FILE STEP`: one entry of a match, what else there was to do, and what it changed."""

from __future__ import annotations

import argparse
from pathlib import Path

import engines
from device.commands import CommandError, Exit
from device.commands.entries import Entry
from device.commands.files import READABLE, as_far, follow, header, open_file, reason
from device.commands.steps import Explained, changes, cited, effect, explain, lines, totals
from device.commands.values import whole
from device.exports import Phrases, followable, load_phrases
from device.match import Adjust, Kind, Reading, Words
from device.texts import Texts, plain
from engines.errors import EngineError
from engines.match import Adjustment, Fallen
from engines.matchfile import MatchFile


def arguments(parser: argparse.ArgumentParser) -> None:
    """What it takes."""
    parser.add_argument("file", metavar="FILE", type=Path, help=READABLE)
    parser.add_argument(
        "step",
        metavar="STEP",
        type=whole(1, 10**9),
        help="the number of the step in a match file, of the record in a journal",
    )


def run(options: argparse.Namespace) -> int:
    """Print what is known of an entry; raises :class:`CommandError` if there is none, or it does not fit."""
    path, number = options.file, options.step
    source = open_file(path)
    try:
        if isinstance(source, MatchFile):
            told, found = _in_match_file(path, source, number)
        else:
            told, found = _in_journal(path, source, number)
    except (EngineError, ValueError) as error:
        raise CommandError(f"{path.name}: {error}") from error
    print("\n".join(map(plain, told)))
    if found and found.misfit:
        raise CommandError(f"{path.name}: {told[0]} does not fit: {found.misfit}")
    return Exit.FINE


def _in_match_file(path: Path, file: MatchFile, number: int) -> tuple[list[str], Explained | None]:
    if number > len(file.steps):
        raise CommandError(f"{path.name}: there is no step {number}, the last is {len(file.steps)}")
    match, error = follow(engines.game(file.game), file.setup, file.steps[: number - 1])
    words = Words(Texts.load("en", file.game), match.game, file.names)
    if error:
        at = len(match.steps) + 1
        raise CommandError(f"{path.name}: step {at} does not fit: {reason(words, error)}; explain that one")
    head = f"step {number} of {len(file.steps)}"
    made = file.steps[number - 1]
    if isinstance(made, Fallen):
        return [head, f"people went back; on the table stays {' '.join(made.words)}"], None
    if isinstance(made, Adjustment):
        before = match.state
        match.adjust(made)
        ruled = Adjust(made.seat, made.points, made.reason)
        said = Phrases(load_phrases(), file.names).say(ruled, lambda _: "")
        points = changes(words, match.game.scoring.bookings(before), match.game.scoring.bookings(match.state))
        scores = totals(words, before), totals(words, match.state)
        return [head, said, "", *effect(scores, points)], None
    found = explain(words, match, made.seat, made.text, made.waived)
    return [head, *lines(found, words)], found


def _in_journal(path: Path, reading: Reading, number: int) -> tuple[list[str], Explained | None]:
    """A step against the match as it stood when it was recorded, whatever was ruled later."""
    if number > len(reading.records):
        damage = f"; {reading.damage}" if reading.damage else ""
        raise CommandError(f"{path.name}: there is no record {number}, {reading.good}{damage}")
    facts = header(path, reading)
    words = Words(Texts.load("en", facts.game), engines.game(facts.game), facts.names)
    record = reading.records[number - 1]
    entry = Entry(words, reading, record)
    told = entry.head()
    if entry.secret:
        return [*told, "only its seat may read it"], None
    if record.kind is Kind.RULING:
        return [*told, *entry.ruled(), *cited(words, entry.clauses)], None
    if record.kind not in (Kind.STEP, Kind.REPORT):
        return [*told, f"{record.kind.value}: {record.payload}"], None
    tried = as_far(reading.header, followable(reading.records[: number - 1]))
    if tried.error:
        why = reason(words, tried.error)
        raise CommandError(f"{path.name}: a record before {number} does not fit: {why}")
    found = explain(words, tried.match, record.seat, record.payload, entry.waived)
    return [*told, *lines(found, words)], found
