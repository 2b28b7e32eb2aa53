"""A match from its records: the log, the entries that count, and the resulting position.

A :class:`Replay` only reads: :mod:`device.match.referee` writes. Both the daemon and ``podesta replay`` read
a journal through it, so a replay is the same everywhere.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

import engines
from device.errors import DeviceError
from device.match import rulings
from device.match.history import Line, Log, RulingError, find_place
from device.match.journal_text import JournalFile
from device.match.records import Draft, Kind, Record, Stamp, is_struck, place_draft, redact
from device.match.rulings import Amend, Ruling
from device.texts import Texts
from engines.contract import SEATS, Choice, Level, Refusal, Report, Setup
from engines.errors import EngineError, UnknownGame
from engines.facts import is_field, is_sample
from engines.match import Fallen, Made, Match, Step
from engines.texts import DEFAULT_LANGUAGE
from engines.words import Words


class Unfollowable(DeviceError):
    """A journal that cannot be followed at all; the message is one line naming it."""


class Header(msgspec.Struct, frozen=True):
    """The facts settled when a match is opened, as the journal's header keeps them.

    In a ``refereed`` match a judge rules, and enters the PIN. The known facts of the copy are in the
    ``setup``.
    """

    game: str
    names: tuple[str, ...]
    setup: Setup
    simulated: bool = False
    refereed: bool = False

    def write(self) -> dict[str, str]:
        """Return the header as a journal stores it."""
        fields = {
            "game": self.game,
            "rules_version": str(engines.game(self.game).played_by(self.setup)),
            "start": SEATS[self.setup.start],
            "level": self.setup.level.value,
            "position": self.setup.position,
            "simulated": "yes" if self.simulated else "no",
            "refereed": "yes" if self.refereed else "no",
        }
        fields |= {f"seat.{SEATS[seat]}": name for seat, name in enumerate(self.names)}
        fields |= {f"option.{name}": value for name, value in self.setup.options}
        return fields | dict(self.setup.facts)

    @classmethod
    def read(cls, fields: Mapping[str, str]) -> Header:
        """Read a header that :meth:`write` wrote; raises ValueError naming a missing field."""
        try:
            seats = [seat for seat in SEATS if f"seat.{seat}" in fields]
            names = tuple(
                f"struck {one}" if is_struck(fields, one) else fields[f"seat.{one}"] for one in seats
            )
            options = tuple(
                (key.removeprefix("option."), value)
                for key, value in fields.items()
                if key.startswith("option.")
            )
            start, level = SEATS.index(fields["start"]), Level(fields["level"])
            facts = tuple(sorted(pair for pair in fields.items() if is_field(pair[0])))
            version = _read_rules_version(fields["game"], fields.get("rules_version", ""))
            setup = Setup(len(names), start, options, level, fields.get("position", ""), facts, version)
            simulated, refereed = (fields.get(name) == "yes" for name in ("simulated", "refereed"))
            return cls(fields["game"], names, setup, simulated, refereed)
        except KeyError as error:
            raise ValueError(f"the match header lacks {error.args[0]}") from error

    @classmethod
    def of(cls, name: str, reading: JournalFile) -> Header:
        """Read the header of a journal called ``name``; raises :class:`Unfollowable` if it is lost."""
        try:
            return cls.read(reading.header)
        except ValueError as error:
            why = f"{name}: {reading.damage or error}; without its header no replay"
            raise Unfollowable(why) from error

    @property
    def asked(self) -> Header:
        """The header as people asked for it when they opened the match, without the box's own fields."""
        return replace(self, simulated=False, setup=replace(self.setup, facts=(), rules_version=0))

    def load_words(self, language: str = DEFAULT_LANGUAGE) -> Words:
        """Return the words for the match in a ``language``."""
        return Words(Texts.load(language, self.game), engines.game(self.game), self.names, self.setup.facts)

    @property
    def sample(self) -> bool:
        """True if the match is played with a made-up copy: such a match is marked everywhere."""
        return is_sample(self.setup.facts)


def _read_rules_version(game: str, version: str) -> int:
    """Return :attr:`Setup.rules_version` of a match of ``game``, which may be uninstalled."""
    try:
        return engines.game(game).kept(int(version)) if version.isdecimal() else 0
    except UnknownGame:
        return 0


class Affairs(msgspec.Struct, frozen=True):
    """The rulings in force about the match itself.

    ``call`` is the record of a call that is not answered yet; ``views`` are the seats' views of the final
    score, by seat.
    """

    paused: bool = False
    call: Record | None = None
    abandoned: bool = False
    views: tuple[rulings.Agree | rulings.Dispute, ...] = ()


class Tried(msgspec.Struct, frozen=True):
    """The outcome of tried rulings: the lines that would count, and the match as far as they fit.

    ``stuck`` is the first line that no longer fits, ``error`` its error; None if all fit.
    """

    lines: tuple[Line, ...]
    match: Match
    stuck: Line | None = None
    error: EngineError | None = None


class BeforeRollback(msgspec.Struct, frozen=True):
    """The facts that the table had shown before people went back.

    ``answers`` are keyed by their subject (:meth:`engines.contract.Rules.seen`). ``stays`` has what remains
    on the table from reports rolled back (:meth:`engines.contract.Rules.stays`).
    """

    answers: Mapping[str, Choice] = {}
    stays: tuple[str, ...] = ()


class Replay:
    """A match followed through its log. Raises ValueError for a header or a ruling that cannot be followed,
    and EngineError for a step that does not fit.
    """

    def __init__(self, header: Mapping[str, str], records: Sequence[Record]) -> None:
        """Follow the records of a match; ``header`` has the form of :meth:`Header.write`."""
        self.header = Header.read(header)
        self.names = self.header.names
        self.game = engines.game(self.header.game)
        self.match = self._tried = Match(self.game, self.header.setup)
        self.log = Log(records)
        self.history: Sequence[Line] = ()
        """The lines that count, one for each of ``match.steps``."""
        self.affairs = Affairs()
        self._pasts: dict[int, BeforeRollback] = {}
        self.follow()
        self.drift = self._find_drift()
        """The first record whose digest differs from the replay's, 0 if none does."""

    @property
    def abandoned(self) -> bool:
        """True if the match was abandoned."""
        return self.affairs.abandoned

    @property
    def over(self) -> bool:
        """True if there is no further question."""
        return bool(self.match.state.termination) or self.abandoned

    def follow(self) -> None:
        """Update history and match from the log, replaying only the differences.

        Raises EngineError with the number of the record that does not fit.
        """
        last = self.log[-1].seq if self.log else 0
        self._pasts = {seq: past for seq, past in self._pasts.items() if seq <= last}
        for at, record in enumerate(self.log):
            if (
                record.kind is Kind.RULING
                and record.seq not in self._pasts
                and isinstance(self.log.read_ruling(record), rulings.Rollback)
            ):
                self._pasts[record.seq] = self._find_seen(self.log, at)
        self.history = self._list_lines(self.log)
        for record, ruled in self.log.standing:
            if getattr(ruled, "seat", None) not in (None, *range(len(self.names))):
                raise RulingError(record.seq, f"nobody sits at the seat that {str(ruled)!r} names")
        self.affairs = _find_affairs(self.log.standing)
        self.match = self._make_match(self.history)

    def _list_lines(self, log: Log) -> list[Line]:
        """Return the lines that count in ``log``, which begins like this one, and what rollbacks leave on the
        table.
        """
        found = []
        for line in log.lines:
            if isinstance(line.made, Fallen):
                past = self._pasts.get(line.seq) or self._find_seen(log, log.index(line.record))
                if past.stays:
                    found.append(replace(line, made=Fallen(past.stays)))
            else:
                found.append(line)
        return found

    def _replay(self, lines: Sequence[Line]) -> Tried:
        """Play ``lines`` from their longest common start with the match or with the last tried one.

        Both stay unchanged.
        """
        made = [line.made for line in lines]
        same, known = max(
            ((_count_equal(match.steps, made), match) for match in (self.match, self._tried)),
            key=lambda found: found[0],
        )
        if known is self.match and same == len(known.steps) == len(made):
            return Tried(tuple(lines), known)
        self._tried = match = known.branch(same)
        for line in lines[same:]:
            try:
                match.make(line.made)
            except EngineError as error:
                return Tried(tuple(lines), match, line, error)
        return Tried(tuple(lines), match)

    def _make_match(self, lines: Sequence[Line]) -> Match:
        """Return the match of ``lines``; raises EngineError with the number of a record that does not fit."""
        tried = self._replay(lines)
        if tried.error:
            tried.error.at = tried.stuck.seq if tried.stuck else 0
            raise tried.error
        return tried.match

    def try_rulings(self, ruled: Sequence[Ruling]) -> Tried:
        """Return the match that would result if ``ruled`` were recorded now, as one group.

        Raises :class:`device.match.history.RulingError` for one that cannot be followed at all.
        """
        group = self.log[-1].group + 1 if self.log else 1
        drafts = [Draft(kind=Kind.RULING, payload=str(one)) for one in ruled]
        records = [
            place_draft(draft, _NEVER, seq=seq, group=group, group_size=len(drafts))
            for seq, draft in enumerate(drafts, len(self.log) + 1)
        ]
        return self._replay(self._list_lines(self.log.copy_with(records)))

    def try_first(self, length: int) -> Tried:
        """Return the lines of the first ``length`` records, and their match as far as they fit."""
        return self._replay(self._list_lines(self.log.copy(length)))

    def _find_seen(self, log: Log, ruled: int) -> BeforeRollback:
        """Return what the table had shown before the rollback at index ``ruled`` of a log."""
        rollback = log.read_ruling(log[ruled])
        assert isinstance(rollback, rulings.Rollback)
        answers: dict[str, Choice] = {}
        stays: dict[str, None] = {}
        lines = self._list_lines(log.copy(ruled))
        falls = find_place(lines, rollback.record)
        match = self._make_match(lines)
        for at, made in enumerate(match.steps):
            fell = falls is not None and at >= falls
            if isinstance(made, Fallen) and fell:
                stays |= dict.fromkeys(made.words)
            for state, choice in match.reported(at):
                if about := self.game.rules.seen(state):
                    answers[about] = choice
                if fell and (word := self.game.rules.stays(state, choice)):
                    stays[word] = None
        return BeforeRollback(answers, tuple(stays))

    def find_remembered(self) -> tuple[tuple[Choice, ...], bool]:
        """Return what was seen of the pending report before a rollback, and True if that is all of it.

        A report is a fact about the table: going back does not make it unseen.
        """
        answers = {about: choice for past in self._pasts.values() for about, choice in past.answers.items()}
        state = self.match.state
        chosen: list[Choice] = []
        pending = self.game.rules.pending(state)
        while answers and isinstance(pending, Report) and (pending.open or not chosen):
            choice = answers.get(self.game.rules.seen(state))
            if not choice or choice.question != pending.question or self.game.rules.why_not(state, choice):
                return tuple(chosen), False
            chosen.append(choice)
            state = self.game.rules.apply(state, choice)
            pending = self.game.rules.pending(state)
        return tuple(chosen), bool(chosen)

    def is_exposed(self, at: int) -> bool:
        """Return True if the step at index ``at`` of the history showed somebody a hidden piece."""
        made, before, after = self.match.steps[at], *self.match.points[at : at + 2]
        if not isinstance(made, Step) or after.sealed:
            return False
        if before.sealed:
            return True
        return any(self.game.rules.exposes(state, choice) for state, choice in self.match.walk(at))

    def find_held(self, seat: int) -> str:
        """Return the hidden pieces that ``seat`` last told, "" once they may have changed."""
        told = next(
            (one for one in reversed(self.log) if one.kind is Kind.PRIVATE and one.seat == seat), None
        )
        if told is None:
            return ""
        for at in range(len(self.history) - 1, -1, -1):
            line = self.history[at]
            if line.seq < told.seq:
                break
            if line.play and (line.seat == seat or self.is_exposed(at)):
                return ""
        later = (self.log.read_ruling(one) for one in self.log if one.seq > told.seq)
        rewritten = any(isinstance(one, rulings.Edit | rulings.Rollback | rulings.Undo) for one in later)
        return "" if rewritten else told.payload

    def digest(self, state: Any) -> str:
        """Return the digest of the state after a record, which shows if a replay drifts."""
        version = self.game.played_by(self.header.setup)
        position = self.game.position.write(state)
        if self.header.setup.rules_version:  # positions had no such field when those digests were made
            position = position.removesuffix(f" rules={version}")
        return f"{version}:{hashlib.sha256(position.encode()).hexdigest()[:16]}"

    def _find_drift(self) -> int:
        """Return the first record whose digest differs from the replay's, 0 if none does.

        A digest belongs to the history of its time: if a later ruling changed that, the digest proves
        nothing.
        """
        ruled = {one.group for one in self.log if one.kind is Kind.RULING}
        low, high = len(self.log) + 1, 0
        for one in self.log:
            ruling = self.log.read_ruling(one)
            if isinstance(ruling, rulings.Edit):
                low, high = min(low, ruling.record), one.seq
            elif isinstance(ruling, rulings.Undo) and ruling.group in ruled:
                low, high = min(low, self.log.list_group(ruling.group)[0].seq), one.seq
        for line, point in zip(self.history, self.match.points[1:], strict=True):
            version = line.record.state_digest.partition(":")[0]
            if version != str(self.game.played_by(self.header.setup)) or low <= line.seq <= high:
                continue
            if line.record.state_digest != self.digest(point.state):
                return line.seq
        return 0

    @property
    def sealed(self) -> list[Line]:
        """The choices that are still sealed."""
        return [self.history[at] for at in self.match.sealed(len(self.match.steps))]

    def write_public(self, entry: Line | Record) -> str:
        """Return the public text of an entry, empty while it is a sealed choice.

        A sealed choice that was undone before all were revealed stays secret for good.
        """
        record = entry.record if isinstance(entry, Line) else entry
        if record.visibility != "public":
            counts = find_place(self.history, record.seq) is not None
            if not counts or find_place(self.sealed, record.seq) is not None:
                return ""
        return entry.text if isinstance(entry, Line) else entry.payload

    def find_evidence(self, refusal: Refusal) -> list[Line]:
        """Return the records behind a refusal by knowledge."""
        return [self.history[number - 1] for number in self.match.evidence(refusal)]


def _count_equal(steps: Sequence[Made], made: Sequence[Made]) -> int:
    """Return the number of equal steps at the start."""
    same = 0
    for one, other in zip(steps, made, strict=False):
        if one != other:
            break
        same += 1
    return same


_NEVER = Stamp(0, 0, "")

CHANGING = rulings.Edit | rulings.Rollback | rulings.Adjust | rulings.Give | rulings.Undo
"""The rulings that change a match's result."""


def _find_affairs(standing: Sequence[tuple[Record, Ruling]]) -> Affairs:
    paused, call, abandoned = False, None, False
    views: dict[int, rulings.Agree | rulings.Dispute] = {}
    for record, ruled in standing:
        match ruled:
            case rulings.Pause() | rulings.Resume():
                paused = isinstance(ruled, rulings.Pause)
            case rulings.Call():
                call = record
            case rulings.Answered():
                call = None
            case rulings.Abandon():
                abandoned = True
            case rulings.Agree(seat) | rulings.Dispute(seat):
                views[seat] = ruled
            case _ if isinstance(ruled, CHANGING):
                views = {}  # they were about another result
    return Affairs(paused, call, abandoned, tuple(views[seat] for seat in sorted(views)))


# The right to read a log


def find_hidden(records: Log, view: str, replay: Replay | None) -> frozenset[int]:
    """Return the numbers of the records that a view may not read: a seat's letter, or another word for all.

    A seat's word about its hidden pieces is for that seat alone, forever. A sealed choice is hidden until all
    are revealed; one that was taken back earlier is never revealed. ``replay`` is the log's, None if it
    cannot be followed; then nothing counts as revealed.
    """
    kept = {line.seq: line for line in replay.sealed} if replay else {}
    revealed = {line.seq for line in replay.history} - set(kept) if replay else set()
    hidden: set[int] = set()
    for record in records:
        if record.kind is Kind.PRIVATE:
            hidden |= {record.seq} if _write_letter(record.seat) != view else set()
        elif record.visibility != "public":
            own = record.visibility == f"seat:{view}"
            if not own and not (record.play and record.seq in revealed):
                hidden.add(record.seq)
        elif record.kind is Kind.RULING and not record.redacted:
            corrected = _corrects(records, record)
            if corrected in hidden or (record.seq in kept and _write_letter(kept[record.seq].seat) != view):
                hidden.add(record.seq)
    return frozenset(hidden)


def redact_hidden(records: Sequence[Record], hidden: frozenset[int]) -> list[Record]:
    """Return the log with the hidden records redacted; its chain still holds."""
    return [redact(record) if record.seq in hidden else record for record in records]


def _corrects(records: Log, record: Record) -> int:
    """Return the record that an amendment shows, 0 for any other ruling and for an unreadable one."""
    try:
        ruled = records.read_ruling(record)
    except RulingError:
        return 0
    return ruled.record if isinstance(ruled, Amend) else 0


def _write_letter(seat: int | None) -> str:
    return "" if seat is None else SEATS[seat : seat + 1]
