"""`podesta verify FILE`: checks that a journal is an exact record, and its match by the rules.

:mod:`device.event.verifying` lists the checks. In a bundle every match is checked, and no two journals of one
match may diverge.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

import msgspec

from device import event
from device.commands import CommandError, Exit, Options, UsageError, command, show, take
from device.commands.files import open_journal
from device.event import Cause, Failure, Signed, Trusted, Verified, describe_stranger, verify_journal


class BundleVerdict(msgspec.Struct, frozen=True):
    """The output of `podesta verify BUNDLE --json`: ``fine`` is true if every match is and no two diverge;
    ``forks`` are those that do. ``papers`` are the desk's tables in it, as saved, signed by nobody.
    """

    file: str
    fine: bool
    matches: tuple[Verified, ...]
    forks: tuple[event.Fork, ...]
    papers: tuple[str, ...] = ()


def parse_hash(text: str) -> str:
    """Read a hash, or its beginning, typed from paper; spaces and capitals do not matter."""
    digits = "".join(text.split()).lower()
    if not re.fullmatch(r"[0-9a-f]{16,64}", digits):
        raise argparse.ArgumentTypeError(f"{text!r} is not a hash: 16 to 64 digits, 0 to 9 and a to f")
    return digits


@command(
    take.option("FILE", "a journal (.podesta), an exported one, a bundle"),
    take.option(
        "--expect HASH",
        "a hash written down earlier, of any record: 64 digits, or the first 16 or more",
        type=parse_hash,
    ),
    take.option(
        "--keys FILE",
        "TOML with a table [box.NAME] and its key for each box: only what one of these signed is fine",
    ),
    take.json(Verified, Failure, Cause, Signed, BundleVerdict, event.Fork),
)
def run(options: Options) -> None:
    """Print the verdict, then raise :class:`CommandError` if anything failed or the match is unfinished."""
    keys = event.read_keys(options.keys) if options.keys else None
    if event.is_bundle(options.file):
        if options.expect:
            raise UsageError("--expect is of one match: give its journal")
        _run_bundle(options, verify_bundle(options.file, keys))
        return
    found = verify_journal(options.file.name, open_journal(options.file), options.expect or "", keys)
    wrong = [f"{found.file}: {found.failure}"] if found.failure else []
    show(options, found, lambda: write_lines(found), wrong)
    if _is_unfinished(found):
        raise CommandError(f"{found.file}: {'; '.join(_list_open(found))}", code=Exit.UNFINISHED)


def _list_bundle(found: BundleVerdict) -> Iterator[str]:
    for one in found.matches:
        fine = "; ".join([_describe_signatures(one), *_list_open(one), "fine"])
        how = f"FAILED: {one.failure}" if one.failure else fine
        yield f"{one.file}: {one.game}, {' : '.join(one.names)}: {how}"
    if found.papers:
        yield f"{', '.join(found.papers)}: as the desk saved them, signed by nobody"


def _run_bundle(options: Options, found: BundleVerdict) -> None:
    """Print the verdicts on a bundle's matches; raises :class:`CommandError` as :func:`run`."""
    wrong = [f"{one.file}: {one.failure}" for one in found.matches if one.failure]
    for fork in found.forks:
        wrong.append(f"{fork.one} and {fork.other} are one match and go apart at record {fork.record}")
    show(options, found, lambda: _list_bundle(found), wrong)
    open_ones = filter(_is_unfinished, found.matches)
    if waiting := [f"{one.file}: {'; '.join(_list_open(one))}" for one in open_ones]:
        raise CommandError(*waiting, code=Exit.UNFINISHED)


def _is_unfinished(found: Verified) -> bool:
    return not found.finished or bool(found.unfinished)


def verify_bundle(path: Path, keys: Mapping[str, Trusted] | None = None) -> BundleVerdict:
    """Check every match of a bundle as :func:`verify_journal` does; raise as it does."""
    held = event.read_bundle(path)
    journals = held.matches
    verdicts = [verify_journal(one.name, one.reading, "", keys) for one in journals]
    apart = tuple(event.find_forks(journals))
    fine = not apart and all(one.fine for one in verdicts)
    return BundleVerdict(path.name, fine, tuple(verdicts), apart, tuple(held.papers))


def write_lines(found: Verified) -> list[str]:
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
        shown.append(f"redacted: {_write_ranges(found.redacted)}")
    shown.append(f"replay: {found.replayed} steps and reports fit, {found.positions} positions as recorded")
    if found.unchecked:
        shown.append(f"not replayed for what was redacted: {_write_ranges(found.unchecked)}")
    if found.expected is not None:
        shown.append(
            f"expected: record {found.expected} has the hash written down; nothing up to it was changed since"
        )
    shown.append(_describe_signatures(found))
    if found.beyond:
        shown.append(f"beyond the damage, not counted, {len(found.beyond)} records can be read:")
        shown += [f"  {one.seq} {one.kind}: {one.payload or 'not for everybody'}" for one in found.beyond]
    shown += [f"NOTE: {what}" for what in _list_open(found)]
    if found.failure:
        shown.append(f"FAILED ({found.failure.kind}): {found.failure}")
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


def _describe_signatures(found: Verified) -> str:
    """Return the verdict on the signatures, for people."""
    match found.signed:
        case Signed.WHOLE | Signed.PART:
            how = "whole" if found.signed is Signed.WHOLE else f"up to record {found.signed_to}"
            return f"signed by {found.signer}, {how}; phrase {found.phrase}"
        case Signed.FOREIGN:
            return describe_stranger(found.signer)
        case Signed.BAD:
            return "signed, and changed since"
    return "not signed"


def _list_open(found: Verified) -> list[str]:
    """Return the reasons why a sound file is not a whole match, a line each."""
    said = []
    if not found.records:
        said.append("the match holds nothing")
    elif not found.finished:
        said.append(f"the match is not finished: it goes up to record {found.records}")
    if found.set_back:
        said.append(f"the time of day was set back before record {_write_ranges(found.set_back)}")
    if found.unfinished:
        said.append(f"its last entry was not wholly written and does not count: {found.unfinished} bytes")
    return said


def _write_ranges(numbers: Sequence[int]) -> str:
    """Write numbers with runs joined: ``3, 7 to 9``."""
    runs = groupby(enumerate(numbers), lambda one: one[1] - one[0])
    spans = ([number for _, number in run] for _, run in runs)
    return ", ".join(f"{one[0]} to {one[-1]}" if len(one) > 1 else str(one[0]) for one in spans)
