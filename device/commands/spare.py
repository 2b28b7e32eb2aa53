"""`podesta continue FILE`: a spare box goes on with the match of a box that is gone.

FILE is a journal (``.podesta``), a bundle made with ``--whole``, or the address of the event's desk, by
default the one that the box's file told; the desk knows the box by its key. The match is checked first, then
becomes the one that is played here; what is recorded from then on this box signs with its own key. The spare
stands in for the table from now on.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from device.commands import CommandError, Exit
from device.commands.box import add_box, state_of
from device.commands.bundle import unpack
from device.commands.files import open_journal
from device.commands.verify import Verified, named, verify
from device.event import LARGEST, BoxKey, Journaled, fetch, forks, is_bundle, move, place, read_bundle
from device.files import own_folder, read_file, replace_file
from device.match import SUFFIX, decode


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that the subcommand takes."""
    parser.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        help="a journal, a bundle made with --whole, or the desk's address (default: the box's file says)",
    )
    parser.add_argument(
        "--table", metavar="NAME", help="the table whose match it is, where a bundle has several; at the desk"
    )
    add_box(parser)


def run(options: argparse.Namespace) -> None:
    """Go on with the match; raises :class:`CommandError` with what is in the way, FolderBusy, OSError."""
    state = state_of(options)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(options.file or "")
        if not options.file or options.file.startswith(("http://", "https://")):
            file = fetched(options.file, options.table, state, Path(folder))
        path, verdict = found(file, options.table, Path(folder))
        with own_folder(state):
            name = adopt(path, state)
    what = f"{verdict.game}, {' : '.join(verdict.names)}, {verdict.records} records"
    print(f"{state}: goes on with {name}: {what}")
    print(
        f"compare with what the table noted: {verdict.phrase or verdict.tip[:16]}; start the box: it resumes."
    )


def fetched(address: str | None, table: str | None, state: Path, folder: Path) -> Path:
    """Return a table's match as the desk gave it; raises :class:`CommandError`, FetchError."""
    here = place(state)
    address, table = address or (here.desk if here else ""), table or (here.table if here else "")
    if not (address and table):
        why = "give a file, or the desk's address and --table: this box's own file told none"
        raise CommandError(why, code=Exit.USAGE)
    data = fetch(address, table, BoxKey(state))
    records = decode(data).records
    path = folder / f"{table}-{records[0].hash[:16] if records else 'empty'}{SUFFIX}"
    path.write_bytes(data)
    return path


def found(file: Path, table: str | None, folder: Path) -> tuple[Path, Verified]:
    """Return the one match of a file that can go on; raises :class:`CommandError`."""
    paths = [file]
    if is_bundle(file):
        paths = list(unpack(read_bundle(file), folder / "bundle", {}))
        paths = [path for path in paths if table in (None, path.parent.name)]
    verdicts = [(path, verify(path)) for path in paths]
    going = [(path, one) for path, one in verdicts if not one.finished]
    if len(going) == 1:
        return going[0]
    if not going:
        whose = f" of {table}" if table else ""
        raise CommandError(f"{file}: no match{whose} that is not over; those that are need no box")
    names = ", ".join(sorted({path.parent.name for path, _ in going}))
    raise CommandError(
        f"{file}: {len(going)} matches are not over; --table says which: {names}", code=Exit.USAGE
    )


def adopt(path: Path, state: Path) -> str:
    """Make a journal the match that is played in a state, and return its name; raises :class:`CommandError`.

    A journal that is there already and ends earlier is replaced; one that went another way is kept.
    """
    reading, verdict = open_journal(path), verify(path)
    if verdict.failure:
        raise CommandError(f"{path.name}: {named(verdict.failure)}; nothing was taken over")
    if reading.view or verdict.redacted:
        raise CommandError(f"{path.name}: made for everybody to read; take the journal, or a bundle --whole")
    target = state / "matches" / path.name
    target.parent.mkdir(0o700, parents=True, exist_ok=True)
    data = read_file(path, LARGEST)
    if target.exists():
        _check_beside(target, Journaled("here", data, reading))
    if not target.exists() or len(open_journal(target).records) < len(reading.records):
        replace_file(target, data)
    replace_file(state / "current", f"{path.name}\n".encode())
    if table := reading.header.get("table_id", ""):
        move(state, table)
    return path.name


def _check_beside(target: Path, coming: Journaled) -> None:
    """Raise :class:`CommandError` where the journal that is there is of another course of the match."""
    there = Journaled("there", b"", open_journal(target))
    for fork in forks([there, coming]):
        raise CommandError(
            f"{target}: there already, and goes apart at record {fork.record}; it stays as it is"
        )
    if any(a != b for a, b in zip(there.hashes, coming.hashes, strict=False)):
        raise CommandError(f"{target}: there already, of another match; it stays as it is")
