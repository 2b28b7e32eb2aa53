"""`podesta verify FILE`: whether a journal is what was recorded, and a match by the rules.

The records are checked first: numbers, groups, digests, the chain of hashes. Then the log is followed as it
grew, group by group: every ruling must be one that could be given there, every step legal where it was
entered (or overruled), every position the one that was recorded. The first record that fails is named.

In a redacted export the chain still holds; a step without its payload cannot be replayed, and where such a
one counts, the match cannot be checked from there.

All of that shows that the records agree with one another and with the rules. Whoever changes a name or a time
and rebuilds the chain from there makes a file that agrees as well: what shows that nobody did is a
signature of a box whose key is known (``--keys``), and a hash that somebody else wrote down (``--expect``),
each up to its record.

Of a bundle every match is checked, and whether two of its journals are of one match and go apart.
"""

from __future__ import annotations

import argparse
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path

import msgspec

from device import event
from device.alike import alike
from device.commands import CommandError, Exit, Options, UsageError, command, show, take
from device.commands.files import header, open_journal, reason, words_of
from device.match import (
    Abandon,
    Adjust,
    Agree,
    Dispute,
    Give,
    Kind,
    Over,
    Reading,
    Record,
    Replay,
    RulingError,
    genesis,
    parsed,
    redact,
    tip,
)
from engines.contract import SEATS
from engines.errors import EngineError


class Cause(StrEnum):
    """The kind of a failure: the ``file`` is not what was written, a ``record`` is not what was
    recorded, a ``redaction`` hides what everybody may read, a ``ruling`` cannot be followed, a step does not
    fit the rules (``replay``), a position is another than was recorded (``drift``), no record has the
    ``hash`` that was written down, a ``signature`` is not of what it stands at, or not of a trusted box.
    """

    FILE = "file"
    RECORD = "record"
    REDACTION = "redaction"
    RULING = "ruling"
    REPLAY = "replay"
    DRIFT = "drift"
    HASH = "hash"
    SIGNATURE = "signature"


class Failure(msgspec.Struct, frozen=True):
    """The first thing that fails: its record (0 where it is none), the kind, and what is wrong."""

    record: int
    kind: Cause
    what: str


class Verified(msgspec.Struct, frozen=True):
    """The output of `podesta verify --json`.

    ``fine`` is whether nothing failed, ``failure`` what did first, else null. ``records`` are those whose
    chain holds, ``tip`` the hash of the last of them. ``view`` is whose an export says it is, "" for a
    journal. ``redacted`` lists records without payload, ``unchecked`` those whose play could not be replayed
    for that, ``replayed`` how many steps and reports were, ``positions`` how many led to the position that
    was recorded; by other rules than ``rules_version`` another one is no failure. ``sample`` is
    whether the copy that was played with is made up. ``finished`` is whether the match came to an end or was
    given up, ``unfinished`` how many bytes at the end are an entry not wholly written. ``beyond`` are
    the records behind the damage that can be read, without what not everybody may read. ``expected`` is the
    record that has the hash given with --expect (0: the header), null where none was given or found.
    ``set_back`` are records before which the time of day ran back though the box had not been switched off.

    ``signed`` is how far boxes signed it (:class:`device.event.signing.Signed`), ``signer`` who did last: the
    name of a key in --keys, then ``trusted``, else the key. ``signed_to`` is the last record that is covered,
    ``phrase`` the beginning of its hash.
    """

    file: str
    fine: bool
    failure: Failure | None
    game: str
    names: tuple[str, ...]
    rules_version: int
    simulated: bool
    view: str
    records: int
    tip: str
    redacted: tuple[int, ...]
    unchecked: tuple[int, ...]
    set_back: tuple[int, ...]
    replayed: int
    positions: int
    sample: bool
    finished: bool
    unfinished: int
    beyond: tuple[Record, ...]
    expected: int | None
    signed: event.Signed
    signer: str
    signed_to: int
    trusted: bool
    phrase: str


class BundleVerdict(msgspec.Struct, frozen=True):
    """The output of `podesta verify BUNDLE --json`: ``fine`` is whether every match is and no two go apart,
    ``forks`` are those that do. ``papers`` are the desk's tables in it: as they were saved, signed by nobody.
    """

    file: str
    fine: bool
    matches: tuple[Verified, ...]
    forks: tuple[event.Fork, ...]
    papers: tuple[str, ...] = ()


def written_hash(text: str) -> str:
    """Read a hash, or its beginning, as somebody typed it from paper; spaces and capitals do not matter."""
    digits = "".join(text.split()).lower()
    if not re.fullmatch(r"[0-9a-f]{16,64}", digits):
        raise argparse.ArgumentTypeError(f"{text!r} is not a hash: 16 to 64 digits, 0 to 9 and a to f")
    return digits


@command(
    take.option("FILE", "a journal (.podesta), an exported one, a bundle"),
    take.option(
        "--expect HASH",
        "a hash written down earlier, of any record: 64 digits, or the first 16 or more",
        type=written_hash,
    ),
    take.option(
        "--keys FILE",
        "TOML with a table [box.NAME] and its key for each box: only what one of these signed is fine",
    ),
    take.json(Verified, Failure, Cause, event.Signed, BundleVerdict, event.Fork),
)
def run(options: Options) -> None:
    """Print the verdict; raises :class:`CommandError` after it if anything failed or the match is open."""
    keys = event.read_keys(options.keys) if options.keys else None
    if event.is_bundle(options.file):
        if options.expect:
            raise UsageError("--expect is of one match: give its journal")
        _run_bundle(options, verify_bundle(options.file, keys))
        return
    found = verify(options.file, options.expect or "", keys)
    wrong = [f"{found.file}: {named(found.failure)}"] if found.failure else []
    show(options, found, lambda: lines(found), wrong)
    if _unfinished(found):
        raise CommandError(f"{found.file}: {'; '.join(_open(found))}", code=Exit.UNFINISHED)


def _bundle_lines(found: BundleVerdict) -> Iterator[str]:
    for one in found.matches:
        fine = "; ".join([_signed(one), *_open(one), "fine"])
        how = f"FAILED: {named(one.failure)}" if one.failure else fine
        yield f"{one.file}: {one.game}, {' : '.join(one.names)}: {how}"
    if found.papers:
        yield f"{', '.join(found.papers)}: as the desk saved them, signed by nobody"


def _run_bundle(options: Options, found: BundleVerdict) -> None:
    """Print what a bundle's matches are; raises :class:`CommandError` as :func:`run`."""
    wrong = [f"{one.file}: {named(one.failure)}" for one in found.matches if one.failure]
    for fork in found.forks:
        wrong.append(f"{fork.one} and {fork.other} are one match and go apart at record {fork.record}")
    show(options, found, lambda: _bundle_lines(found), wrong)
    if waiting := [f"{one.file}: {'; '.join(_open(one))}" for one in found.matches if _unfinished(one)]:
        raise CommandError(*waiting, code=Exit.UNFINISHED)


def _unfinished(found: Verified) -> bool:
    return not found.finished or bool(found.unfinished)


def verify_bundle(path: Path, keys: Mapping[str, event.Trusted] | None = None) -> BundleVerdict:
    """Check every match of a bundle as :func:`verify` does; raise as it does."""
    held = event.read_bundle(path)
    journals = [event.Journaled(name, data, parsed(data, name)) for name, data in held.journals.items()]
    verdicts = [verified(one.name, one.reading, "", keys) for one in journals]
    apart = tuple(event.forks(journals))
    fine = not apart and all(one.fine for one in verdicts)
    return BundleVerdict(path.name, fine, tuple(verdicts), apart, tuple(held.papers))


def verify(path: Path, expect: str = "", keys: Mapping[str, event.Trusted] | None = None) -> Verified:
    """Check a file as :func:`verified` does; raise also as :func:`device.commands.files.open_journal`."""
    return verified(path.name, open_journal(path), expect, keys)


def verified(
    name: str, reading: Reading, expect: str = "", keys: Mapping[str, event.Trusted] | None = None
) -> Verified:
    """Check a journal, whether a record has the hash that begins with ``expect``, and how far boxes signed
    it; with ``keys``, boxes by key, one of these must have signed the whole.

    Raises :class:`CommandError` with its ``name`` where it cannot be followed.
    """
    facts = header(Path(name), reading)
    try:
        walk = RecordWalk(reading)
    except (EngineError, ValueError) as error:
        raise CommandError(f"{name}: {error}") from error
    failure = walk.failure
    if failure is None and reading.damage:
        kind = Cause.RECORD if reading.damage.seq else Cause.FILE
        failure = Failure(reading.damage.seq, kind, str(reading.damage.what))
    hashes = [genesis(reading.header), *(record.hash for record in reading.records)]
    expected = next((at for at, one in enumerate(hashes) if expect and one.startswith(expect)), None)
    if failure is None and expect and expected is None:
        failure = Failure(0, Cause.HASH, f"no record has the hash {expect}: this is not that match")
    signing = event.signatures(reading.header, reading.records, keys)
    if failure is None and (wrong := _unsigned(signing, len(reading.records), keys is not None)):
        failure = Failure(signing.bad, Cause.SIGNATURE, wrong)
    return alike(
        Verified,
        facts,
        walk,
        signing,
        file=name,
        fine=failure is None,
        failure=failure,
        view=reading.view,
        records=len(reading.records),
        tip=tip(reading.header, reading.records),
        redacted=tuple(record.seq for record in reading.records if record.redacted),
        unchecked=tuple(walk.unchecked),
        set_back=tuple(walk.set_back),
        unfinished=reading.unfinished,
        beyond=tuple(one if _open_to_all(one) else redact(one) for one in reading.beyond),
        expected=expected,
        trusted=bool(keys) and signing.signed_to > 0,
    )


def _unsigned(found: event.Signatures, records: int, asked: bool) -> str:
    """Return what is wrong with the signatures; without being asked for, only those that are forged."""
    if found.signed is event.Signed.BAD:
        return "its signature is not of what was recorded"
    if not asked or found.signed is event.Signed.WHOLE:
        return ""
    if found.signed is event.Signed.PART:
        return f"signed by {found.signer} only up to record {found.signed_to} of {records}"
    return _stranger(found.signer) if found.signed is event.Signed.FOREIGN else "not signed"


def _stranger(signer: str) -> str:
    return f"signed by another's key, {signer}"


class RecordWalk:
    """Follows the records that can be trusted, group by group, up to the first that fails."""

    def __init__(self, reading: Reading) -> None:
        """Walk the records at once; raises EngineError or ValueError for a set-up that cannot be followed."""
        self.failure: Failure | None = None
        self.unchecked: list[int] = []
        self.set_back: list[int] = []
        self._latest: Record | None = None
        self._redacted = any(one.redacted for one in reading.records)  # positions are left out with payloads
        self.replayed = 0
        self.positions = 0
        self._replay = Replay(reading.header, ())
        self._lost = False
        self.rules_version = int(reading.header.get("rules_version", 0))
        for group in _groups(reading.records):
            self.failure = self._redaction(group) or self._marks(group)
            self._replay.log.extend(group)
            self.failure = self.failure or self._seats(group) or self._follow(group)
            if self.failure:
                break

    @property
    def finished(self) -> bool:
        """Return True if the match ended; where not all could be replayed, by its last word."""
        replay = self._replay
        ended = self.unchecked and any(isinstance(one, Abandon | Over) for _, one in replay.log.standing)
        return replay.over or bool(ended)

    def _redaction(self, group: Sequence[Record]) -> Failure | None:
        """Check what was redacted.

        A payload may be missing where not everybody may read it; that of a ruling only if it is about such a
        record.
        """
        secret = any(one.redacted and one.play for one in self._replay.log)
        for record in group:
            hidden = record.redacted and _open_to_all(record)
            if hidden and not (record.kind is Kind.RULING and secret):
                return Failure(record.seq, Cause.REDACTION, "it is public, and its payload was taken out")
        return None

    def _marks(self, group: Sequence[Record]) -> Failure | None:
        """Check what stands beside a payload: the clock of one start of the box never runs back,
        a simulated match has simulated records alone. Where the time of day was set back that
        is remarked.
        """
        for record in group:
            before, self._latest = self._latest, record
            if self._replay.header.simulated and not record.simulated:
                return Failure(record.seq, Cause.RECORD, "it is not simulated, and the match is")
            if before is None or before.boot_id != record.boot_id:
                continue
            if record.mono_ms < before.mono_ms:
                return Failure(record.seq, Cause.RECORD, f"it was made before record {before.seq}")
            if record.utc_ms < before.utc_ms:
                self.set_back.append(record.seq)
        return None

    def _seats(self, group: Sequence[Record]) -> Failure | None:
        """Check that what is ruled about a seat is about one that somebody sits at."""
        seats = len(self._replay.names)
        for record in group:
            try:
                ruled = self._replay.log.ruling(record)
            except RulingError:
                continue  # following it says so
            if isinstance(ruled, Adjust | Give | Agree | Dispute) and ruled.seat >= seats:
                return Failure(record.seq, Cause.RULING, f"nobody sits at {SEATS[ruled.seat]}")
            if isinstance(ruled, Dispute) and len(ruled.points) != seats:
                return Failure(record.seq, Cause.RULING, f"it counts {len(ruled.points)} scores of {seats}")
        return None

    def _follow(self, group: Sequence[Record]) -> Failure | None:
        replay = self._replay
        self._lost = self._lost or any(record.redacted and record.kind is Kind.RULING for record in group)
        try:
            if self._lost or any(line.record.redacted for line in replay.log.history):
                self.unchecked += [record.seq for record in group if record.play]
                return None
            replay.follow()
        except RulingError as error:
            return Failure(error.record, Cause.RULING, error.why)
        except EngineError as error:
            return self._misfit(group, error)
        except Exception as error:  # what a forged log brings an engine to is no fault of ours
            what = f"it cannot be followed: {type(error).__name__}: {error}"
            return Failure(group[-1].seq, Cause.REPLAY, what)
        return self._drift(group)

    def _misfit(self, group: Sequence[Record], error: EngineError) -> Failure:
        replay = self._replay
        at = error.at or group[-1].seq
        why = reason(words_of(replay.header), error)
        line = next((one for one in replay.history if one.seq == at), None)
        text = repr(line.text) if line else "the match"
        if at >= group[0].seq:
            return Failure(at, Cause.REPLAY, f"{text} does not fit: {why}")
        return Failure(group[-1].seq, Cause.REPLAY, f"after it record {at}, {text}, does not fit: {why}")

    def _drift(self, group: Sequence[Record]) -> Failure | None:
        """Compare the position recorded with a step, which was the one it led to when it was entered."""
        replay = self._replay
        for record in group:
            if not record.play:
                continue
            self.replayed += 1
            last = next((line for line in reversed(replay.history) if line.play), None)
            if last is None or last.seq != record.seq:
                continue
            if not record.state_digest and not self._redacted:
                return Failure(record.seq, Cause.DRIFT, "the position that it led to was not recorded")
            version, _, position = record.state_digest.partition(":")
            ours, _, here = replay.digest(replay.match.state).partition(":")
            if position == here:
                self.positions += 1
            elif version == ours:
                return Failure(record.seq, Cause.DRIFT, "it leads to another position than was recorded")
        return None


def _groups(records: Sequence[Record]) -> Iterator[list[Record]]:
    for _, group in itertools.groupby(records, lambda record: record.group):
        yield list(group)


def named(failure: Failure) -> str:
    """Write a failure in one line."""
    return (f"record {failure.record}: " if failure.record else "") + failure.what


def lines(found: Verified) -> list[str]:
    """Return a verdict for people to read."""
    title = f"{found.game}, {' : '.join(found.names)}, rules {found.rules_version}"
    shown = [
        title + (", SIMULATED" if found.simulated else "") + (", SAMPLE copy" if found.sample else ""),
        f"chain: {found.records} records hold together, the last is {found.tip}",
    ]
    if found.view:
        whose = "everybody" if found.view == "public" else f"seat {found.view}"
        shown.append(f"exported for {whose}, {len(found.redacted)} records redacted")
    if found.redacted:
        shown.append(f"redacted: {_ranges(found.redacted)}")
    shown.append(f"replay: {found.replayed} steps and reports fit, {found.positions} positions as recorded")
    if found.unchecked:
        shown.append(f"not replayed for what was redacted: {_ranges(found.unchecked)}")
    if found.expected is not None:
        shown.append(
            f"expected: record {found.expected} has the hash written down; nothing up to it was changed since"
        )
    shown.append(_signed(found))
    if found.beyond:
        shown.append(f"beyond the damage, not counted, {len(found.beyond)} records can be read:")
        shown += [f"  {one.seq} {one.kind}: {one.payload or 'not for everybody'}" for one in found.beyond]
    shown += [f"NOTE: {what}" for what in _open(found)]
    if found.failure:
        shown.append(f"FAILED ({found.failure.kind}): {named(found.failure)}")
    else:
        shown.append("proved: the records agree with one another and with the rules")
        if found.trusted and found.signed_to == found.records:
            shown.append(f"proved: {found.signer} recorded it as it is")
        elif found.expected != found.records:
            since = f"behind record {found.expected}" if found.expected else "from the first record on"
            shown.append(
                f"not proved: that nobody rebuilt it {since};"
                " a key (--keys) or a hash (--expect) known from elsewhere proves it"
            )
        shown.append("fine" if not found.unchecked else "fine as far as it can be checked")
    return shown


def _signed(found: Verified) -> str:
    """Return what the signatures say, for people."""
    match found.signed:
        case event.Signed.WHOLE | event.Signed.PART:
            how = "whole" if found.signed is event.Signed.WHOLE else f"up to record {found.signed_to}"
            return f"signed by {found.signer}, {how}; phrase {found.phrase}"
        case event.Signed.FOREIGN:
            return _stranger(found.signer)
        case event.Signed.BAD:
            return "signed, and changed since"
    return "not signed"


def _open(found: Verified) -> list[str]:
    """Return what keeps a sound file from being a whole match, in a line each."""
    said = []
    if not found.records:
        said.append("the match holds nothing")
    elif not found.finished:
        said.append(f"the match is not finished: it goes up to record {found.records}")
    if found.set_back:
        said.append(f"the time of day was set back before record {_ranges(found.set_back)}")
    if found.unfinished:
        said.append(f"its last entry was not wholly written and does not count: {found.unfinished} bytes")
    return said


def _open_to_all(record: Record) -> bool:
    return record.visibility == "public" and record.kind is not Kind.PRIVATE


def _ranges(numbers: Sequence[int]) -> str:
    """Write numbers with the runs drawn together: ``3, 7 to 9``."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)
