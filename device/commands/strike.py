"""`podesta strike NAME`: a player's name is taken out of everything that this box keeps, for good.

What is signed covers salted digests of names: each match verifies as before. A match in which the name stands
elsewhere, or that was recorded before names could be struck, is left as it is and named.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from device.commands import CommandError, Exit
from device.commands.box import add_box, state_of
from device.event import BundleError, taken
from device.files import own_folder, read_file, replace_file
from device.match import NAME, SUFFIX, JournalError, Library, heading

MOST = 10_000
"""More matches of one game in one second are none."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that the subcommand takes."""
    parser.add_argument("name", metavar="NAME", help="as it was entered; capitals do not matter")
    add_box(parser)


def run(options: argparse.Namespace) -> int:
    """Strike the name; raises :class:`CommandError` for matches left as they are, FolderBusy, OSError."""
    state = state_of(options)
    name, left, done = options.name.casefold(), list[str](), 0
    with own_folder(state):
        for path in sorted((state / "matches").glob(f"*{SUFFIX}")):
            named = {text.casefold() for field, text in heading(path).items() if field.startswith(NAME)}
            if name not in named:
                continue
            try:
                strike(path, options.name, state)
                done += 1
            except (BundleError, JournalError) as error:
                left.append(f"{path.name}: left as it is: {error}")
        Library(state).strike(name)
        (state / "phones.json").unlink(missing_ok=True)  # it may name the file: phones pair again
    print(f"{state}: struck from {done} matches, and from the names that are offered")
    if left:
        raise CommandError(*left)
    return Exit.FINE


def strike(path: Path, name: str, state: Path) -> None:
    """Strike a name from a journal, whose file's name tells no names then."""
    data = taken(path, whole=True, struck=[name]).data
    known = re.match(r"\d{8}-\d{6}-[a-z_]+-", path.name)
    stem = f"{known[0] if known else ''}struck"
    names = (f"{stem}{SUFFIX}", *(f"{stem}-{again}{SUFFIX}" for again in range(2, MOST)))
    target = next(path.with_name(name) for name in names if not path.with_name(name).exists())
    replace_file(target, data)
    current, pictures = state / "current", state / "pictures"
    if current.exists() and read_file(current).decode("utf-8", "replace").strip() == path.name:
        replace_file(current, f"{target.name}\n".encode())
    if (pictures / path.stem).is_dir():
        (pictures / path.stem).rename(pictures / target.stem)
    path.unlink()
