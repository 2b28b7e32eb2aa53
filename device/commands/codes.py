"""`podesta judge` and `podesta pair`: the judge's PIN, and the code that pairs a phone with a seat."""

from __future__ import annotations

import getpass
import sys

from device.commands import Command, CommandError, Options, UsageError, command, take
from device.commands.box import sound_state
from device.match import Judge, SystemClock, code_shown
from engines.contract import SEATS


def _judge(options: Options) -> None:
    """Set, clear or show the PIN; raises :class:`CommandError` for a bad one, JudgeError for a bad file."""
    state = sound_state(options)
    kept = Judge(state, SystemClock().stamp)
    if options.action == "set":
        try:
            kept.set(asked())
        except ValueError as error:
            raise UsageError(f"{error}; nothing was changed") from None
    elif options.action == "clear":
        kept.clear()
    print(f"{state}: {status(kept)}")


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


def status(kept: Judge) -> str:
    """Say if a PIN is set and if it is locked."""
    if not kept.is_set:
        return "no judge's PIN is set"
    seconds = kept.locked_for()
    locked = f"; after wrong ones it is locked for {seconds} s" if seconds else ""
    return f"a judge's PIN is set{locked}"


def asked() -> str:
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
    state = sound_state(options)
    try:
        shown = code_shown(state)
    except (OSError, ValueError) as error:
        raise CommandError(f"{state}: {error}") from error
    if shown is None or SEATS[shown[0]] != options.seat:
        raise CommandError(f"no phone asks for seat {options.seat}: choose the seat on the phone first")
    print(shown[1])
