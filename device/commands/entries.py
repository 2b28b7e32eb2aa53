"""A record as its journal tells it: when and where it came, what became of it, what a ruling changed."""

from __future__ import annotations

import time
from collections.abc import Callable

from device.commands.files import as_far
from device.commands.steps import effect, totals
from device.exports import about, agreed, followable, secrets
from device.match import (
    PUBLIC,
    Amend,
    Answered,
    By,
    Call,
    Kind,
    Line,
    Log,
    Over,
    Override,
    Phrases,
    Reading,
    Record,
    Replay,
    Rollback,
    Ruling,
    Strike,
    Tried,
    Undo,
)
from engines.errors import EngineError
from engines.gains import gains
from engines.match import Step
from engines.words import Words


class JournalEntry:
    """One record among the others of its journal. Raises ValueError for rulings that cannot be followed."""

    def __init__(self, words: Words, reading: Reading, record: Record) -> None:
        """``record`` is one of the reading's."""
        self.words = words
        self.phrases = Phrases(words.texts, words.names)
        self.record = record
        self._header = reading.header
        self._records = followable(reading.records)
        self._total = len(reading.records)
        self._hidden = secrets(self._records, PUBLIC, self._replay())
        self.secret = record.redacted or record.seq in self._hidden
        """Whether not everybody may read it."""

    def _replay(self) -> Replay | None:
        try:
            return Replay(self._header, self._records)
        except EngineError:
            return None

    @property
    def waived(self) -> tuple[str, ...]:
        """The clauses that the step stands against."""
        upto = sum(one.seq <= self.record.seq for one in self._records)
        line = self._line(self._records.first(upto))
        return line.made.waived if line and isinstance(line.made, Step) else ()

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that a ruling names."""
        ruled = self._records.ruling(self.record)
        return ruled.clauses if isinstance(ruled, Override) else ()

    def _line(self, records: Log) -> Line | None:
        return next((line for line in records.history if line.seq == self.record.seq), None)

    def head(self) -> list[str]:
        """Return the head of a record: its place, its time, and what became of it."""
        record = self.record
        moment = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(record.utc_ms / 1000))
        where = f"{moment} UTC, {record.channel}" + (", SIMULATED" if record.simulated else "")
        told = [f"record {record.seq} of {self._total}", f"{where}, group {record.group}"]
        if record.confidence_ppm < 1_000_000:
            told.append(f"confidence {record.confidence_ppm / 10_000:g} %")
        told += self._undone()
        if record.kind in (Kind.STEP, Kind.REPORT) and not record.redacted:
            told += self._settled() + self._corrected()
        return told

    def _settled(self) -> list[str]:
        """Under which override it stands, and who agreed."""
        told = []
        for one in self._records.group(self.record.group):
            ruled = self._records.ruling(one)
            if isinstance(ruled, Override) and one.seq < self.record.seq:
                by = agreed(self._records, one)
                said = self.phrases.say(ruled, lambda _: self.record.payload, by)
                told.append(f"record {one.seq}: {said}")
        return told

    def _undone(self) -> list[str]:
        told = [
            f"undone by record {other.seq}"
            for other in self._records
            if self._records.ruling(other) == Undo(self.record.group)
        ]
        if told:
            counts = self.record.group not in self._records.cancelled
            told.append("it counts again" if counts else "it does not count")
        return told

    def _corrected(self) -> list[str]:
        """The rulings since that changed it or took it out, as far as they stand."""
        told = []
        seq = self.record.seq
        for other, ruled in self._records.standing:
            if other.seq < seq or other.seq in self._hidden:
                continue
            own = isinstance(ruled, Amend | Strike) and ruled.record == seq
            back = isinstance(ruled, Rollback) and ruled.record <= seq
            if own or back:
                said = self.phrases.say(ruled, self._about(other), agreed(self._records, other))
                told.append(f"record {other.seq}: {said}")
        line = self._line(self._records)
        if told and line is None:
            told.append("it does not count")
        elif told and line and line.text != self.record.payload:
            told.append(f"it reads {self._told(as_far(self._header, self._records), line)} now")
        return told

    def _about(self, record: Record) -> Callable[[Ruling], str]:
        at = next(at for at, one in enumerate(self._records) if one.seq == record.seq)
        what = about(self._records, at, self._hidden) or self.phrases.texts("ruling.nothing")
        return lambda _: what

    def ruled(self) -> list[str]:
        """Return the lines of a ruling: its words, who agreed, what it changed."""
        record, ruled = self.record, self._records.ruling(self.record)
        assert ruled
        by = agreed(self._records, record)
        told = [f"ruling: {ruled}", self.phrases.say(ruled, self._about(record), by)]
        match ruled:
            case Undo(group):
                told += [
                    f"it undoes record {one.seq}: {'(sealed)' if one.seq in self._hidden else one.payload}"
                    for one in self._records.group(group)
                ]
            case Call():
                answer = next((other for other, one in self._later() if isinstance(one, Answered)), None)
                told.append(f"settled by record {answer.seq}" if answer else "it was not settled")
            case By():
                own = [one.seq for one in self._records.group(record.group)]
                told.append(f"it is about {', '.join(f'record {seq}' for seq in own if seq > record.seq)}")
            case Over(termination):
                told.append(self.words(f"termination.{termination}"))
            case _:
                pass
        return told + self._changed()

    def _told(self, tried: Tried, line: Line) -> str:
        """A line as it is written and, where it fits, in words."""
        at = tried.lines.index(line)
        made = tried.match.steps
        words = self.words.made(tried.match, at) if at < len(made) and isinstance(made[at], Step) else ""
        return f"{line.text} ({words})" if words else line.text

    def _later(self) -> list[tuple[Record, Ruling]]:
        return [pair for pair in self._records.standing if pair[0].seq > self.record.seq]

    def _changed(self) -> list[str]:
        """Return what its group made of the match: entries gone, come and changed, and the score."""
        before = as_far(self._header, [one for one in self._records if one.group < self.record.group])
        after = as_far(self._header, [one for one in self._records if one.group <= self.record.group])
        if before.lines == after.lines:
            return []
        old, new = ({line.seq: line for line in tried.lines} for tried in (before, after))
        told = []
        for seq in sorted({*old, *new}):
            was, reads = old.get(seq), new.get(seq)
            if was == reads:
                continue
            if seq in self._hidden:
                told.append(f"  record {seq}, a sealed choice")
            elif was and reads:
                told.append(f"  record {seq}: {self._told(before, was)} → {self._told(after, reads)}")
            elif was:
                told.append(f"  record {seq}: {self._told(before, was)} no longer counts")
            elif reads:
                told.append(f"  record {seq}: {self._told(after, reads)}")
        game, points = self.words.game, (before.match.state, after.match.state)
        scores = totals(self.words, points[0]), totals(self.words, points[1])
        booked = gains(*(game.scoring.bookings(state) for state in points))
        stuck = [f"  record {after.stuck.seq} no longer fits"] if after.stuck else []
        return [*told, *stuck, *effect(self.words, scores, booked)]
