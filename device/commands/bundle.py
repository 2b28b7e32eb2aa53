"""`podesta bundle FILE`: every match of an event in one file, from one box or from many.

At a box it takes the matches of its event; given journals, folders or other bundles it takes theirs. Of two
journals of a match the longer is kept. ``podesta verify FILE`` checks it anywhere. What not everybody may
read is redacted; ``--whole`` leaves it in, for a box that is to go on with a match (``podesta continue``).
"""

from __future__ import annotations

import argparse
import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from device.commands import CommandError, Exit, add_force, add_path, check_free, installed
from device.commands.box import add_box, state_of
from device.event import (
    KEYS_FILE,
    Bundle,
    BundleError,
    Journaled,
    Trusted,
    gathered,
    is_bundle,
    of_box,
    read_bundle,
    read_keys,
    taken,
    write_bundle,
)
from device.match import SUFFIX, JournalError


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that the subcommand takes."""
    add_path(parser, "file", "FILE", "the bundle to write, such as cup.podesta.zip")
    add_path(
        parser,
        "--from",
        "SOURCE",
        "journals, folders of them, other bundles (default: this box's matches)",
        dest="sources",
        nargs="+",
        default=[],
    )
    parser.add_argument(
        "--event", metavar="NAME", help="only matches of this event (default at a box: its own)"
    )
    parser.add_argument(
        "--whole", action="store_true", help="with what not everybody may read, for podesta continue"
    )
    parser.add_argument(
        "--strike",
        metavar="NAME",
        action="append",
        default=[],
        help="leave a player's name out; not with --whole",
    )
    add_force(parser, "a file that exists")
    add_box(parser)


def run(options: argparse.Namespace) -> None:
    """Write the bundle; raises OSError, then :class:`CommandError` for journals that are left out."""
    target: Path = options.file
    check_free(target, force=options.force)
    if options.strike and options.whole:
        raise CommandError("--strike leaves names out, and --whole leaves all in: give one", code=Exit.USAGE)
    sources, event, keys = list(options.sources), options.event, dict[str, Trusted]()
    if not sources:
        state = state_of(options)
        sources, keys, its = [state / "matches"], *of_box(state)
        event = event or its
    found, left_out = list[Journaled](), list[str]()
    with tempfile.TemporaryDirectory() as folder:
        for path in journals(sources, Path(folder), keys):
            try:
                found.append(taken(path, whole=options.whole, struck=options.strike))
            except (BundleError, JournalError, OSError) as error:
                left_out.append(f"{path.name}: left out: {error}")
    found = [one for one in found if event is None or one.reading.header.get("event_id", "") == event]
    if not found:
        named = f" of {event}" if event else ""
        raise CommandError(
            f"{', '.join(map(str, sources))}: no match{named} there; nothing written", *left_out
        )
    matches = gathered(found)
    mode = 0o600 if options.whole else 0o644
    contents = write_bundle(target, matches, keys, installed("podesta"), mode)
    for one in contents.matches:
        signed = f"signed to {one.signed_to}, {one.phrase}" if one.signed_to else "not signed"
        print(f"{one.name}: {one.records} records, {signed}")
    print(
        f"{target}: matches: {len(matches)}, read back and the same; unmount a stick before it is pulled out"
    )
    if left_out:
        raise CommandError(*left_out)


def journals(sources: Sequence[Path], folder: Path, keys: dict[str, Trusted]) -> Iterator[Path]:
    """Yield the journals of files, folders and bundles; those of bundles are unpacked into ``folder``, and
    keys that lie beside journals are added to ``keys``.

    Raises :class:`BundleError` for one that is not whole, OSError.
    """
    for number, source in enumerate(sources):
        if source.is_dir():
            _add_keys(source / KEYS_FILE, keys)
            yield from sorted(source.rglob(f"*{SUFFIX}"))
        elif is_bundle(source):
            yield from unpack(read_bundle(source), folder / str(number), keys)
        else:
            yield source


def unpack(held: Bundle, folder: Path, keys: dict[str, Trusted]) -> Iterator[Path]:
    """Write a bundle's journals into a folder and yield their paths; add its keys to ``keys``."""
    folder.mkdir(parents=True)
    (folder / KEYS_FILE).write_bytes(held.keys)
    _add_keys(folder / KEYS_FILE, keys)
    for name, data in held.journals.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        yield path


def _add_keys(file: Path, keys: dict[str, Trusted]) -> None:
    with contextlib.suppress(FileNotFoundError):
        keys.update(read_keys(file))
