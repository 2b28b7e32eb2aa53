"""`podesta export FILE --as FORMAT`: a match for other programs, for paper, or for somebody to check.

Hidden records (sealed choices before they are revealed, a seat's word about its hidden pieces) are left out,
or redacted in a journal; `--for a` keeps those that seat a may read. The journal itself has everything.
"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Sequence
from pathlib import Path

from device.commands import CommandError, Exit, Options, UsageError, check_free, command, take
from device.commands.files import OpenedMatch, open_match
from device.exports import (
    FORMATS,
    PARTS,
    Unfit,
    make_readable,
    select_followable,
    write_sheet,
)
from device.files import replace_file
from device.match import (
    PUBLIC,
    SUFFIX,
    Header,
    JournalError,
    JournalFile,
    MatchResult,
    Replay,
    find_together,
    read,
)
from engines.contract import SEATS
from engines.errors import EngineError
from engines.texts import DEFAULT_LANGUAGE

JOURNAL, SHEET = "journal", "sheet"


def _add_reader_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for the reader of the export, and explain each format."""
    views = parser.add_mutually_exclusive_group()
    views.add_argument(
        "--public", dest="view", action="store_const", const=PUBLIC, help="what everybody may read (default)"
    )
    views.add_argument("--for", dest="view", metavar="SEAT", choices=tuple(SEATS), help="what that seat may")
    parser.set_defaults(view=PUBLIC)
    kinds = [f"{name}: {what}" for name, (what, _) in FORMATS.items()]
    kinds.append("journal: the whole log as JSON lines, which podesta verify reads")
    says = (f"JSON, {part.__name__}: {inspect.getdoc(part)}" for part in PARTS)
    listed = "\n".join(["formats:", *(f"  {kind}" for kind in kinds)])
    parser.epilog = "\n\n".join([listed, *says]).replace("`", "")


@command(
    take.option("FILE", "a journal (.podesta), an exported one or a match file"),
    take.option("--as FORMAT", "", dest="kind", choices=[*FORMATS, JOURNAL], required=True),
    take.option("--out PATH", "the file to write (default: standard output)"),
    take.force(),
    take.language,
    _add_reader_options,
    take.option(
        "--strike NAME",
        "with --as journal, leave out the name of somebody who played; signatures stay good",
        action="append",
        default=[],
    ),
)
def run(options: Options) -> None:
    """Write the export; raises :class:`CommandError`, after it if the file is damaged."""
    path, out = options.file, options.out
    if out:
        check_free(out, force=options.force)
    opened = open_match(path)
    _write(out, make_export(opened, options.kind, options.view, options.strike, options.language))
    opened.damage("; only the good ones were exported")


def make_export(
    opened: OpenedMatch,
    kind: str,
    view: str = PUBLIC,
    struck: Sequence[str] = (),
    language: str = DEFAULT_LANGUAGE,
) -> bytes:
    """Return the export's bytes, a sheet in a ``language``; raises :class:`CommandError` if it fails."""
    path, names = opened.path, opened.header.names
    if view != PUBLIC and SEATS.index(view) >= len(names):
        raise UsageError(f"{path.name}: nobody sits at {view}")
    if kind == JOURNAL:
        if opened.journal is None:
            raise CommandError(f"{path.name}: a match file holds no records to export as a journal")
        return _write_journal(path, opened.journal, view, struck, names)
    if struck:
        raise UsageError("--strike is for --as journal: the other formats prove nothing")
    told = opened.account(view)
    try:
        if kind == SHEET:
            return write_sheet(told, language, evening=_list_evening(path, opened.journal)).encode()
        return FORMATS[kind][1](told).encode()
    except Unfit as error:
        raise CommandError(f"{path.name}: {error}") from error


def _write_journal(
    path: Path, source: JournalFile, view: str, struck: Sequence[str], names: Sequence[str]
) -> bytes:
    if unknown := sorted({*struck} - {*names}):
        raise UsageError(f"{path.name}: nobody called {unknown[0]} played: {', '.join(names)}")
    try:
        return make_readable(source, view, [SEATS[at] for at, name in enumerate(names) if name in struck])
    except ValueError as error:
        raise CommandError(f"{path.name}: {error}; the file itself cannot be handed on without") from error


def _list_evening(path: Path, source: JournalFile | None) -> Sequence[MatchResult]:
    """Return the results of the same players that evening, from the journals beside this one.

    A journal that cannot be read or followed is skipped; ``podesta verify`` says why.
    """
    if source is None or not source.records:
        return ()
    this = MatchResult.of(Replay(source.header, select_followable(source.records)), path.name)
    others = []
    for beside in path.parent.glob(f"*{SUFFIX}"):
        try:
            reading = read(beside)
            if reading.records and set(Header.read(reading.header).names) == set(this.names):
                replay = Replay(reading.header, select_followable(reading.records))
                others.append(MatchResult.of(replay, beside.name))
        except (EngineError, JournalError, OSError, ValueError):
            continue
    return find_together(this, others)


def _write(out: Path | None, data: bytes) -> None:
    if out is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        return
    try:
        replace_file(out, data, 0o666)
    except OSError as error:
        why = f"{out}: {error.strerror or error}; nothing was written"
        raise CommandError(why, code=Exit.UNREADABLE) from error
