"""A box's state: `podesta backup`, `restore` and `reset` save it to one file, put it back, or remove it;
`podesta judge` keeps the judge's PIN, `podesta pair` shows the code that pairs a phone with a seat.

`podesta strike NAME` removes a player's name for good from everything that this box keeps. Signatures cover
salted digests of names, so each match verifies as before. A match with the name elsewhere, or from before
names could be struck, is left as it is and reported.
"""

from __future__ import annotations

import getpass
import re
import sys
from pathlib import Path

from device import config as configs
from device.backup import reset as forget
from device.backup import restore as put_back
from device.backup import save
from device.commands import (
    Command,
    CommandError,
    Options,
    UsageError,
    check_free,
    command,
    find_version,
    take,
)
from device.commands.box import find_sound_state, find_state
from device.event import BundleError, take_journal
from device.files import hold_folder, read_file, replace_file
from device.match import NAME, SUFFIX, JournalError, Judge, Library, SystemClock, read_code, read_heading
from engines.contract import SEATS


@command(
    take.option("FILE", "the backup to write, such as box.tar.gz"), take.force("a file that exists"), take.box
)
def backup(options: Options) -> None:
    """Write the backup; the box may go on playing."""
    check_free(options.file, force=options.force)
    state = find_state(options)
    contents = save(state, configs.find(options.config), options.file, find_version("podesta"))
    print(f"{options.file}: {contents.matches} matches, {len(contents.files)} files, of {state}")


@command(
    take.option("FILE", "a backup of podesta backup"),
    take.force("what is there; it is kept beside the new"),
    take.box,
)
def restore(options: Options) -> None:
    """Check a backup and restore it."""
    settings, state = configs.find(options.config) or configs.SYSTEM_FILE, find_state(options)
    contents, aside = put_back(options.file, state, settings, force=options.force)
    saved = f"{contents.matches} matches, {len(contents.files)} files"
    print(f"{state}: {saved}, saved by podesta {contents.version}")
    if aside:
        print(f"what was there is in {aside}")


@command(take.option("--yes", "really do it"), take.option("--matches", "the matches go, too"), take.box)
def reset(options: Options) -> None:
    """Make the state as on a new box; raises :class:`UsageError` unless ``--yes`` confirms it."""
    state = find_state(options)
    if not options.yes:
        kept = "" if options.matches else " but the matches"
        raise UsageError(f"{state}: all there{kept} would go for good; --yes does it")
    forget(state, matches=options.matches)


MOST = 10_000
"""The most matches of one game in one second."""


@command(take.option("NAME", "as it was entered; capitals do not matter"), take.box)
def strike(options: Options) -> None:
    """Strike the name; raises :class:`CommandError` for matches left as they are, FolderBusy, OSError."""
    state = find_state(options)
    name, left, done = options.name.casefold(), list[str](), 0
    with hold_folder(state):
        for path in sorted((state / "matches").glob(f"*{SUFFIX}")):
            named = {text.casefold() for field, text in read_heading(path).items() if field.startswith(NAME)}
            if name not in named:
                continue
            try:
                strike_from(path, options.name, state)
                done += 1
            except (BundleError, JournalError) as error:
                left.append(f"{path.name}: left as it is: {error}")
        Library(state).strike(name)
        (state / "phones.json").unlink(missing_ok=True)  # it may name the file: phones pair again
    print(f"{state}: struck from {done} matches, and from the names that are offered")
    if left:
        raise CommandError(*left)


def strike_from(path: Path, name: str, state: Path) -> None:
    """Strike a name from a journal and from the name of its file."""
    data = take_journal(path, whole=True, struck=[name]).data
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


# podesta judge, podesta pair


def _judge(options: Options) -> None:
    """Set, clear or show the PIN; raises :class:`CommandError` for a bad one, JudgeError for a bad file."""
    state = find_sound_state(options)
    kept = Judge(state, SystemClock().stamp)
    if options.action == "set":
        try:
            kept.set(ask_pin())
        except ValueError as error:
            raise UsageError(f"{error}; nothing was changed") from None
    elif options.action == "clear":
        kept.clear()
    print(f"{state}: {_describe_pin(kept)}")


judge = Command(
    actions={
        name: Command((take.box,), _judge, what)
        for name, what in (
            ("set", "ask for a new PIN twice (or read it from a line of standard input) and keep its hash"),
            ("clear", "have no PIN: nobody can be the judge at this box"),
            ("status", "say whether a PIN is set, and for how long nobody may try"),
        )
    }
)


def _describe_pin(kept: Judge) -> str:
    """Say if a PIN is set and if it is locked."""
    if not kept.is_set:
        return "no judge's PIN is set"
    seconds = kept.find_wait_s()
    locked = f"; after wrong ones it is locked for {seconds} s" if seconds else ""
    return f"a judge's PIN is set{locked}"


def ask_pin() -> str:
    """Ask for the new PIN without showing it; raises :class:`UsageError`."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    try:
        pin, again = getpass.getpass("New PIN: "), getpass.getpass("Once more: ")
    except EOFError:
        raise UsageError("no PIN was entered; nothing was changed") from None
    if pin != again:
        raise UsageError("the two are not the same; nothing was changed")
    return pin


@command(take.option("SEAT", f"{SEATS[0]} to {SEATS[-1]}", choices=SEATS), take.box)
def pair(options: Options) -> None:
    """Print the six digits; raises :class:`CommandError` if no phone asks for that seat."""
    state = find_sound_state(options)
    try:
        shown = read_code(state)
    except (OSError, ValueError) as error:
        raise CommandError(f"{state}: {error}") from error
    if shown is None or SEATS[shown[0]] != options.seat:
        raise CommandError(f"no phone asks for seat {options.seat}: choose the seat on the phone first")
    print(shown[1])
