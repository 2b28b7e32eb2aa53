"""`podesta explain FILE [STEP]`: one entry of a match, its alternatives and its effect.

Without STEP it explains the score.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from device.commands import CommandError, Options, UsageError, command, fold, take
from device.commands.files import READABLE, OpenedMatch, make_loose_replay, open_match
from device.exports import Account, select_followable
from device.match import (
    PUBLIC,
    Adjust,
    Amend,
    Answered,
    By,
    Call,
    Give,
    JournalFile,
    Kind,
    Line,
    Log,
    Override,
    Question,
    Record,
    Replay,
    Rollback,
    Strike,
    Tried,
    Undo,
    find_hidden,
    find_ruling,
    name_origin,
    say_ruling,
)
from device.match import Over as OverRuling
from engines import notation
from engines.contract import ADJUSTMENT, SEATS, Choice, Over
from engines.errors import EngineError
from engines.match import Adjustment, Change, Fallen, Match, Step, gains, gains_by_step
from engines.rules import spoken
from engines.texts import plain
from engines.words import Words, scores_of


@command(
    take.option("FILE", READABLE),
    take.option(
        "[STEP]",
        "the number of the step in a match file, of the record in a journal; "
        "without it every entry that changed the score, as the match counts now",
        type=take.whole(1, 10**9),
    ),
    take.option("--seat", "without STEP: the points of this seat alone", choices=tuple(SEATS)),
    take.option("--category NAME", "without STEP: of this category alone (plain, king …)"),
    take.language,
)
def run(options: Options) -> None:
    """Explain an entry, or without one the score; raises :class:`CommandError` if the entry is missing or
    does not fit.
    """
    path, number = options.file, options.step
    if number and (options.seat or options.category):
        raise UsageError("--seat and --category ask about the whole match, without STEP")
    opened = open_match(path)
    if not number:
        account = opened.account()
        words = opened.words(options.language)
        print("\n".join(map(plain, explain_score(account, words, options.seat, options.category))))
        opened.damage()
        return
    with opened.followed(options.language):
        told, found = (_explain_step if opened.file else _explain_record)(opened, options.language, number)
    print("\n".join(map(plain, told)))
    if found and found.misfit:
        misfit = opened.words(options.language)("shell.misfit", entry=told[0], why=found.misfit)
        raise CommandError(f"{path.name}: {misfit}")


def _explain_step(opened: OpenedMatch, language: str, number: int) -> tuple[list[str], ToldStep | None]:
    name, file = opened.path.name, opened.file
    assert file
    if number > len(file.steps):
        raise CommandError(f"{name}: there is no step {number}, the last is {len(file.steps)}")
    fitted, words = opened.fitted(number - 1), opened.words(language)
    if fitted.error:
        step = words("shell.step", number=fitted.stuck)
        misfit = words("shell.misfit", entry=step, why=words.misfit(fitted.error))
        raise CommandError(f"{name}: {words('shell.explain_that', misfit=misfit)}")
    head = words("shell.step_of", number=number, all=len(file.steps))
    made, match = file.steps[number - 1], fitted.match
    if isinstance(made, Fallen):
        return [head, words("shell.went_back", stays=made.text)], None
    if isinstance(made, Adjustment):
        before = match.state
        match.adjust(made)
        ruled: Adjust | Give = Adjust(made.seat, made.points, made.reason)
        if made.good:
            ruled = Give(made.seat, made.points, made.good, made.reason)
        said = say_ruling(words, ruled)
        return [head, said, "", *explain_effect(words, before, match.state)], None
    found = explain(words, match, made.seat, made.text, made.waived)
    return [head, *found.lines], found


def _explain_record(opened: OpenedMatch, language: str, number: int) -> tuple[list[str], ToldStep | None]:
    """Explain a record by the match at its time, whatever was ruled later."""
    name, reading = opened.path.name, opened.journal
    assert reading
    if number > len(reading.records):
        damage = f"; {reading.damage}" if reading.damage else ""
        raise CommandError(f"{name}: there is no record {number}, {reading.good}{damage}")
    words, record = opened.words(language), reading.records[number - 1]
    entry = JournalEntry(words, reading, record)
    told = entry.head()
    if entry.secret:
        return [*told, words("shell.secret")], None
    if record.kind is Kind.RULING:
        return [*told, *entry.ruled(), *quote_clauses(words, entry.clauses)], None
    if not record.play:
        return [*told, f"{record.kind.value}: {record.payload}"], None
    fitted = opened.fitted(number - 1)
    if fitted.error:
        before = words("shell.before", number=number)
        misfit = words("shell.misfit", entry=before, why=words.misfit(fitted.error))
        raise CommandError(f"{name}: {misfit}")
    found = explain(words, fitted.match, record.seat, record.payload, entry.waived)
    return [*told, *_list_gains(opened, words, number, found.points), *found.lines], found


def _list_gains(opened: OpenedMatch, words: Words, number: int, then: tuple[Change, ...]) -> list[str]:
    """Return a record's present gains if later rulings changed them, else nothing."""
    now = opened.fitted()
    if number not in now.numbers:
        return []
    at, booked = now.numbers.index(number), now.match.game.scoring.bookings
    gained = gains(*(booked(point.state) for point in now.match.points[at : at + 2]))
    if gained == then:
        return []
    counted = [words.gain(one) for one in gained] or [words("shell.no_points")]
    return [words("shell.now"), *(f"  {one}" for one in counted)]


def explain_score(
    account: Account, words: Words, seat: str | None = None, category: str | None = None
) -> list[str]:
    """Tell the score, then every entry that changed it, and last the clauses.

    ``seat`` and ``category`` limit it to these. Raises :class:`UsageError` for unknown ones.
    """
    match = account.match
    game, state = match.game, match.state
    if seat is not None and SEATS.index(seat) >= len(words.names):
        raise UsageError(f"nobody sits at {seat}")
    known = (*game.scoring.counted(state), ADJUSTMENT)
    if category not in (None, *known):
        raise UsageError(f"no category {category!r} in this match: {', '.join(known)}")

    def is_asked(one: Change) -> bool:
        return seat in (None, SEATS[one.seat]) and category in (None, one.category)

    shown = [words("shell.score", score=write_score(words, state))]
    if seat or category:
        now = [words.held(one) for one in gains((), game.scoring.bookings(state)) if is_asked(one)]
        shown += now or [words("shell.not_booked")]
    clauses: dict[str, None] = {}
    for head, those in _list_entries(account, words):
        kept = [one for one in those if is_asked(one)]
        if kept:
            shown += ["", head, *(f"  {words.gain(one)}" for one in kept)]
            clauses |= dict.fromkeys(one.clause for one in kept if one.clause)
    return [*shown, *quote_clauses(words, tuple(clauses))]


def _list_entries(account: Account, words: Words) -> Iterator[tuple[str, tuple[Change, ...]]]:
    """Yield every entry that counts, in words, with its gains; the first is the start of the match."""
    key = "shell.record" if account.journal else "shell.step"
    heads = [words("why.start")]
    for at, row in enumerate(row for row in account.rows if not row.sealed):
        told = words.texts.recall("reason", row.reason)
        reason = f" ({told})" if told and row.kind != "adjustment" else ""
        heads.append(f"{words(key, number=row.record)}  {words.made(account.match, at)}{reason}")
    return zip(heads, gains_by_step(account.match), strict=True)


# Entries in words: a step with its alternatives, a record with its fate, a ruling with its effect


SHOWN = 12
"""The most choices of a list that are shown."""


class ToldStep(msgspec.Struct, frozen=True):
    """A step for people to read: ``misfit`` says why it does not fit, ``points`` are its changes of the
    score.
    """

    lines: tuple[str, ...]
    misfit: str = ""
    points: tuple[Change, ...] = ()


def explain(
    words: Words, match: Match, seat: int | None, text: str, waived: tuple[str, ...] = ()
) -> ToldStep:
    """Tell the step ``text`` of ``seat`` in ``match``, with clauses ``waived``: for each question the choice
    and its alternatives, then the effect, and the clauses that it touches.
    """
    game, here = match.game, match.state
    clauses = dict.fromkeys(waived)
    shown = [words("shell.stands", clauses=words.all(waived)), ""] if waived else [""]
    try:
        read = match.read(text, seat, waived)
    except EngineError as error:
        asked = [] if isinstance(match.pending, Over) else _explain_question(words, here, None, seat, clauses)
        head = f"{words.name(seat)}: {text}"
        return ToldStep((head, *shown, *asked, *quote_clauses(words, tuple(clauses))), words.misfit(error))
    actor, after = read.step.seat, read.after.state
    for state, choice in notation.walk(game, here, read.choices, actor, read.step.waived):
        shown += _explain_question(words, state, choice, actor, clauses)
    points = gains(game.scoring.bookings(here), game.scoring.bookings(after))
    pending = game.rules.pending(after)
    shown += ["", *explain_effect(words, here, after)]
    shown += [f"  {one}" for one in _list_differences(game.position.write(here), game.position.write(after))]
    shown.append(f"{words('shell.then')}  {words.actor(pending)}: {words.prompt(pending)}")
    named = [*waived, *(gain.clause for gain in points), *clauses]
    if isinstance(pending, Over):
        named.append(pending.clause)
    head = " – ".join(
        filter(None, (f"{words.name(actor)}: {read.step.text}", words.said(here, read.choices)))
    )
    told = (head, *shown, *quote_clauses(words, tuple(dict.fromkeys(filter(None, named)))))
    return ToldStep(told, points=points)


def _explain_question(
    words: Words, state: Any, choice: Choice | None, seat: int | None, clauses: dict[str, None]
) -> list[str]:
    """Return a question, the choice and its alternatives; add the clauses of the barred ones."""
    question = Question.at(words.game, state, seat=seat)
    barred: dict[tuple[str, str], list[str]] = {}
    for other in () if isinstance(question.pending, Over) else question.every:
        if refusal := question.why_not(other):
            barred.setdefault((refusal.clause, words.refusal(refusal)), []).append(words.choice(other))
    chosen = words.choice(choice) if choice else words("shell.nothing")
    legal = _shorten(words, list(map(words.choice, question.legal))) or words("shell.too_many")
    told = [f"{words.prompt(question.pending)}  {chosen}", *fold(legal, f"  {words('shell.legal')}: ")]
    for (clause, why), labels in barred.items():
        told += fold(f"{_shorten(words, labels)} ({clause}: {why})", f"  {words('shell.not')}: ")
        clauses[clause] = None
    return told


def _list_differences(before: str, after: str) -> tuple[str, ...]:
    """List the fields that differ between two positions: ``marker=- → a``."""
    if before == after:
        return ()
    if not all("=" in field for text in (before, after) for field in text.split()):
        return (f"{before} → {after}",)
    old, new = (dict(field.split("=", 1) for field in text.split()) for text in (before, after))
    return tuple(
        f"{name}={old.get(name, '')} → {new.get(name, '')}"
        for name in dict.fromkeys((*new, *old))
        if old.get(name) != new.get(name)
    )


def write_score(words: Words, state: Any) -> str:
    """Write the score, as in ``63 : 66``."""
    return " : ".join(map(str, scores_of(words.game, state, len(words.names))))


def explain_effect(words: Words, before: Any, after: Any) -> list[str]:
    """Tell the score before and after, and its changes."""
    points = gains(*map(words.game.scoring.bookings, (before, after)))
    score = words("shell.score", score=f"{write_score(words, before)} → {write_score(words, after)}")
    return [score, *(f"  {words.gain(gain)}" for gain in points)]


def quote_clauses(words: Words, clauses: Sequence[str]) -> list[str]:
    """Return the text of clauses, under an empty line."""
    if not clauses:
        return []
    rules = spoken(words.game.id, words.texts)
    return [
        "",
        *(line for clause in map(rules.clause, clauses) for line in fold(clause.text, f"{clause.id}  ")),
    ]


def _shorten(words: Words, labels: Sequence[str]) -> str:
    shown = words.texts.listed(labels[:SHOWN])
    return words("shell.more", shown=shown, n=len(labels) - SHOWN) if len(labels) > SHOWN else shown


class JournalEntry:
    """A record in its journal. Raises ValueError for rulings that cannot be followed."""

    def __init__(self, words: Words, reading: JournalFile, record: Record) -> None:
        """Take a ``record`` of a reading."""
        self.words = words
        self.record = record
        self._records = select_followable(reading.records)
        self._loose = make_loose_replay(reading.header, self._records)
        self._total = len(reading.records)
        try:
            replay = Replay(reading.header, self._records)
        except EngineError:
            replay = None
        self._hidden = find_hidden(self._records, PUBLIC, replay)
        self.secret = record.redacted or record.seq in self._hidden
        """True unless everybody may read it."""

    @property
    def waived(self) -> tuple[str, ...]:
        """The clauses that the step breaks, which people overruled."""
        upto = sum(one.seq <= self.record.seq for one in self._records)
        line = self._find_line(self._records.copy(upto))
        return line.made.waived if line and isinstance(line.made, Step) else ()

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that a ruling names."""
        ruled = self._records.read_ruling(self.record)
        return ruled.clauses if isinstance(ruled, Override) else ()

    def _find_line(self, records: Log) -> Line | None:
        return next((line for line in records.history if line.seq == self.record.seq), None)

    def head(self) -> list[str]:
        """Return the head of a record: its place, its time, and its fate."""
        record = self.record
        moment = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(record.utc_ms / 1000))
        simulated = [self.words("play.simulated")] * record.simulated
        made = [f"{moment} UTC", name_origin(self.words, record.channel)]
        where = [*made, *simulated, self.words("shell.group", n=record.group)]
        told = [
            self.words("shell.record_of", number=record.seq, all=self._total),
            self.words.texts.by_commas(where),
        ]
        if record.confidence_ppm < 1_000_000:
            told.append(self.words("shell.confidence", percent=f"{record.confidence_ppm / 10_000:g}"))
        told += self._tell_undone()
        if record.play and not record.redacted:
            told += self._tell_settled() + self._tell_corrected()
        return told

    def _tell_settled(self) -> list[str]:
        """Tell the override that lets the record stand, and who agreed."""
        before = (one for one in self._records.list_group(self.record.group) if one.seq < self.record.seq)
        let = [one for one in before if isinstance(self._records.read_ruling(one), Override)]
        return [f"{self._name_record(one.seq)}: {self._describe_ruling(one)}" for one in let]

    def _tell_undone(self) -> list[str]:
        told = [
            self.words("shell.undone", number=other.seq)
            for other in self._records
            if self._records.read_ruling(other) == Undo(self.record.group)
        ]
        if told:
            counts = self.record.group not in self._records.cancelled
            told.append(self.words("shell.counts_again" if counts else "shell.counts_not"))
        return told

    def _tell_corrected(self) -> list[str]:
        """Tell the later rulings, still in force, that changed or removed the record."""
        told = []
        seq = self.record.seq
        for other, ruling in self._records.standing:
            if other.seq < seq or other.seq in self._hidden:
                continue
            own = isinstance(ruling, Amend | Strike) and ruling.record == seq
            back = isinstance(ruling, Rollback) and ruling.record <= seq
            if own or back:
                told.append(f"{self._name_record(other.seq)}: {self._describe_ruling(other)}")
        line = self._find_line(self._records)
        if told and line is None:
            told.append(self.words("shell.counts_not"))
        elif told and line and line.text != self.record.payload:
            reads = self._tell_line(self._loose.try_first(len(self._records)), line)
            told.append(self.words("shell.reads", entry=reads))
        return told

    def _describe_ruling(self, record: Record) -> str:
        one = find_ruling(self._loose, self._records.index(record), self._hidden)
        return one.tell(self.words) if one else self.words("ruling.hidden")

    def ruled(self) -> list[str]:
        """Return the lines of a ruling: its words, who agreed, its effect."""
        record, ruling = self.record, self._records.read_ruling(self.record)
        told = [f"{self.words('shell.ruling')}: {ruling}", self._describe_ruling(record)]
        match ruling:
            case Call():
                later = (pair for pair in self._records.standing if pair[0].seq > record.seq)
                answer = next((other for other, one in later if isinstance(one, Answered)), None)
                settled = answer and self.words("shell.settled", number=answer.seq)
                told.append(settled or self.words("shell.not_settled"))
            case By():
                own = [one.seq for one in self._records.list_group(record.group)]
                of = self.words.texts.by_commas(self._name_record(seq) for seq in own if seq > record.seq)
                told.append(self.words("shell.about", entries=of))
            case OverRuling(termination):
                told.append(self.words(f"termination.{termination}"))
            case _:
                pass
        return told + self._tell_changed()

    def _name_record(self, number: int) -> str:
        return self.words("shell.record", number=number)

    def _tell_line(self, tried: Tried, line: Line) -> str:
        """Write a line in its notation and, if it fits, in words."""
        at = tried.lines.index(line)
        made = tried.match.steps
        words = self.words.made(tried.match, at) if at < len(made) and isinstance(made[at], Step) else ""
        return f"{line.text} ({words})" if words else line.text

    def _tell_changed(self) -> list[str]:
        """Return the effect of its group: entries removed, added and changed, and the score."""
        groups = [one.group for one in self._records]
        before = self._loose.try_first(sum(group < self.record.group for group in groups))
        after = self._loose.try_first(sum(group <= self.record.group for group in groups))
        if before.lines == after.lines:
            return []
        old, new = ({line.seq: line for line in tried.lines} for tried in (before, after))
        told = []
        for seq in sorted({*old, *new}):
            was, reads = old.get(seq), new.get(seq)
            if was == reads:
                continue
            if seq in self._hidden:
                told.append(f"  {self._name_record(seq)}: {self.words('play.sealed')}")
            elif was and reads:
                change = f"{self._tell_line(before, was)} → {self._tell_line(after, reads)}"
                told.append(f"  {self._name_record(seq)}: {change}")
            elif was:
                gone = self.words("shell.gone", entry=self._tell_line(before, was))
                told.append(f"  {self._name_record(seq)}: {gone}")
            elif reads:
                told.append(f"  {self._name_record(seq)}: {self._tell_line(after, reads)}")
        stuck = [f"  {self.words('shell.stuck', number=after.stuck.seq)}"] if after.stuck else []
        return [*told, *stuck, *explain_effect(self.words, before.match.state, after.match.state)]
