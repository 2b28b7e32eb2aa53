"""`podesta strike NAME`: a player's name is taken out of everything that this box keeps, for good.

What is signed covers salted digests of names: each match verifies as before. A match in which the name stands
elsewhere, or that was recorded before names could be struck, is left as it is and named.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import msgspec

from device.commands import CommandError, Exit
from device.commands.box import add_box, state_of
from device.event import BundleError, taken
from device.files import own_folder, read_file, replace_file
from device.match import NAME, SUFFIX, JournalError, heading


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that the subcommand takes."""
    parser.add_argument("name", metavar="NAME", help="as it was entered; capitals do not matter")
    add_box(parser)


def run(options: argparse.Namespace) -> int:
    """Strike it; raises :class:`CommandError` for matches that are left as they are, FolderBusy, OSError."""
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
        _forget(state, name)
    print(f"{state}: struck from {done} matches, and from the names that are offered")
    if left:
        raise CommandError(*left)
    return Exit.FINE


def strike(path: Path, name: str, state: Path) -> None:
    """Strike a name from a journal, whose file's name tells no names then."""
    data = taken(path, whole=True, struck=[name]).data
    known = re.match(r"\d{8}-\d{6}-[a-z_]+-", path.name)
    target = path.with_name(f"{known[0]}struck{SUFFIX}") if known else path
    if target != path and target.exists():
        target = path
    replace_file(target, data)
    current = state / "current"
    if target != path:
        if current.exists() and read_file(current).decode("utf-8", "replace").strip() == path.name:
            replace_file(current, f"{target.name}\n".encode())
        path.unlink()


def _forget(state: Path, name: str) -> None:
    """Take a name out of those that a new match offers."""
    players, asked = state / "players", state / "asked"
    if players.exists():
        lines = read_file(players).decode("utf-8", "replace").splitlines()
        replace_file(players, "".join(f"{line}\n" for line in lines if line.casefold() != name).encode())
    if asked.exists():
        kept = msgspec.json.decode(read_file(asked), type=dict[str, dict[str, str]])
        clean = {game: told for game, told in kept.items() if name not in map(str.casefold, told.values())}
        replace_file(asked, msgspec.json.encode(clean))
