"""Verification of a journal: an exact record of what was entered, and a match by the rules.

The records are checked first: numbers, groups, digests, the chain of hashes. Then the log is followed as it
grew, group by group. Each ruling must have been possible there, each step legal where it was entered (or
overruled), each position the recorded one. The first record that fails is named.

In a redacted export the chain still holds. A step without its payload cannot be replayed; if it counts, the
match cannot be checked from there on.

All this shows that the records agree with one another and with the rules. Somebody who changes a name or a
time and rebuilds the chain from there makes a file that agrees, too. Only a signature of a box with a known
key, or a hash that somebody else wrote down, proves that nobody did, each up to its record.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from enum import StrEnum

import msgspec

from device.alike import alike
from device.event.signing import Signatures, Signed, Trusted, judge_signatures
from device.match import (
    Abandon,
    Adjust,
    Agree,
    Dispute,
    Give,
    Header,
    JournalFile,
    Kind,
    Over,
    Record,
    Replay,
    RulingError,
    Unfollowable,
    find_tip,
    hash_header,
    redact,
)
from engines.contract import SEATS
from engines.errors import EngineError


class Cause(StrEnum):
    """The kind of a failure: the ``file`` or a ``record`` was changed, a ``redaction`` hides something
    public, a ``ruling`` cannot be followed, a step does not fit the rules (``replay``), a position differs
    from the recorded one (``drift``), no record has the noted ``hash``, a ``signature`` does not fit its
    record, or is not of a trusted box.
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
    """The first failure: its record (0 for none), its kind, and the fault in words."""

    record: int
    kind: Cause
    what: str

    def __str__(self) -> str:
        return (f"record {self.record}: " if self.record else "") + self.what


class Verified(msgspec.Struct, frozen=True):
    """The output of `podesta verify --json`.

    ``fine`` is true if nothing failed, ``failure`` the first failure, else null. ``records`` is the number of
    records whose chain holds, ``tip`` the hash of the last. ``view`` is the reader that an export was made
    for, "" for a journal. ``redacted`` lists records without payload, ``unchecked`` records that could not be
    replayed because of that. ``replayed`` is the number of replayed steps and reports, ``positions`` how many
    led to the recorded position; under other rules than ``rules_version`` a different one is no failure.
    ``sample`` is true if the copy is made up. ``finished`` is true if the match ended or was given up;
    ``unfinished`` is the number of bytes of an incomplete entry at the end. ``beyond`` are readable records
    behind the damage, the public part only. ``expected`` is the record with the hash of --expect (0: the
    header), null if none was given or found. ``set_back`` are records before which the time of day was set
    back while the box was on.

    ``signed`` is the extent of the signatures (:class:`device.event.signing.Signed`), ``signer`` the last
    signer: the name of a key in --keys if ``trusted``, else the key. ``signed_to`` is the last covered
    record, ``phrase`` the beginning of its hash.
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
    signed: Signed
    signer: str
    signed_to: int
    trusted: bool
    phrase: str


def verify_journal(
    name: str, reading: JournalFile, expect: str = "", keys: Mapping[str, Trusted] | None = None
) -> Verified:
    """Check a journal called ``name``. A record must have the hash that begins with ``expect``, if given;
    with ``keys``, boxes by key, one of these must have signed all of it.

    Raises :class:`device.match.Unfollowable`.
    """
    header = Header.of(name, reading)
    try:
        walk = RecordWalk(reading)
    except (EngineError, ValueError) as error:
        raise Unfollowable(f"{name}: {error}") from error
    failure = walk.failure
    if failure is None and reading.damage:
        kind = Cause.RECORD if reading.damage.seq else Cause.FILE
        failure = Failure(reading.damage.seq, kind, str(reading.damage.what))
    hashes = [hash_header(reading.header), *(record.hash for record in reading.records)]
    expected = next((at for at, one in enumerate(hashes) if expect and one.startswith(expect)), None)
    if failure is None and expect and expected is None:
        failure = Failure(0, Cause.HASH, f"no record has the hash {expect}: this is not that match")
    signing = judge_signatures(reading.header, reading.records, keys)
    if failure is None and (wrong := _find_signature_fault(signing, len(reading.records), keys is not None)):
        failure = Failure(signing.bad, Cause.SIGNATURE, wrong)
    return alike(
        Verified,
        header,
        walk,
        signing,
        file=name,
        fine=failure is None,
        failure=failure,
        view=reading.view,
        records=len(reading.records),
        tip=find_tip(reading.header, reading.records),
        redacted=tuple(record.seq for record in reading.records if record.redacted),
        unchecked=tuple(walk.unchecked),
        set_back=tuple(walk.set_back),
        unfinished=reading.unfinished,
        beyond=tuple(one if _is_public(one) else redact(one) for one in reading.beyond),
        expected=expected,
        trusted=bool(keys) and signing.signed_to > 0,
    )


def _find_signature_fault(found: Signatures, records: int, required: bool) -> str:
    """Return the fault of the signatures; unless they are ``required``, only a forged one counts."""
    if found.signed is Signed.BAD:
        return "its signature is not of what was recorded"
    if not required or found.signed is Signed.WHOLE:
        return ""
    if found.signed is Signed.PART:
        return f"signed by {found.signer} only up to record {found.signed_to} of {records}"
    return describe_stranger(found.signer) if found.signed is Signed.FOREIGN else "not signed"


def describe_stranger(signer: str) -> str:
    """Say that a key that is not trusted signed a journal."""
    return f"signed by another's key, {signer}"


class RecordWalk:
    """A walk over the records before any damage, group by group, up to the first failure."""

    def __init__(self, reading: JournalFile) -> None:
        """Walk the records; raises EngineError or ValueError for a set-up that cannot be followed."""
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
        for _, records in itertools.groupby(reading.records, lambda record: record.group):
            group = list(records)
            self.failure = self._check_redaction(group) or self._check_marks(group)
            self._replay.log.extend(group)
            self.failure = self.failure or self._check_seats(group) or self._follow(group)
            if self.failure:
                break

    @property
    def finished(self) -> bool:
        """True if the match ended; if not all of it could be replayed, its rulings tell."""
        replay = self._replay
        ended = self.unchecked and any(isinstance(one, Abandon | Over) for _, one in replay.log.standing)
        return replay.over or bool(ended)

    def _check_redaction(self, group: Sequence[Record]) -> Failure | None:
        """Check that nothing public was redacted: no payload but a hidden one, or that of a ruling about a
        hidden record, may be missing.
        """
        secret = any(one.redacted and one.play for one in self._replay.log)
        for record in group:
            hidden = record.redacted and _is_public(record)
            if hidden and not (record.kind is Kind.RULING and secret):
                return Failure(record.seq, Cause.REDACTION, "it is public, and its payload was taken out")
        return None

    def _check_marks(self, group: Sequence[Record]) -> Failure | None:
        """Check the marks beside a payload: the clock of one start of the box never runs back, and a
        simulated match has only simulated records. Note where the time of day was set back.
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

    def _check_seats(self, group: Sequence[Record]) -> Failure | None:
        """Check that a ruling about a seat is about one where somebody sits."""
        seats = len(self._replay.names)
        for record in group:
            try:
                ruled = self._replay.log.read_ruling(record)
            except RulingError:
                continue  # _follow reports it
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
            return self._describe_misfit(group, error)
        except Exception as error:  # a forged log may lead an engine anywhere
            what = f"it cannot be followed: {type(error).__name__}: {error}"
            return Failure(group[-1].seq, Cause.REPLAY, what)
        return self._check_drift(group)

    def _describe_misfit(self, group: Sequence[Record], error: EngineError) -> Failure:
        replay = self._replay
        at = error.at or group[-1].seq
        why = replay.header.load_words().misfit(error)
        line = next((one for one in replay.history if one.seq == at), None)
        text = repr(line.text) if line else "the match"
        if at >= group[0].seq:
            return Failure(at, Cause.REPLAY, f"{text} does not fit: {why}")
        return Failure(group[-1].seq, Cause.REPLAY, f"after it record {at}, {text}, does not fit: {why}")

    def _check_drift(self, group: Sequence[Record]) -> Failure | None:
        """Compare each recorded position with the one that its step leads to."""
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


def _is_public(record: Record) -> bool:
    return record.visibility == "public" and record.kind is not Kind.PRIVATE
