"""`podesta judge`: the PIN by which a judge proves to be one: set it, clear it, see whether it is set."""

from __future__ import annotations

import argparse
import getpass
import sys
from pathlib import Path

from device import config as configs
from device.commands import CommandError, Exit
from device.commands.config import checked
from device.commands.values import add_config, add_state
from device.match import Judge, JudgeError, SystemClock

_ACTIONS = {
    "set": "ask for a new PIN twice (or read it from a line of standard input) and keep its hash",
    "clear": "have no PIN: nobody can be the judge at this box",
    "status": "say whether a PIN is set, and for how long nobody may try",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that the subcommand takes."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, what in _ACTIONS.items():
        action = actions.add_parser(name, help=what, description=what)
        add_config(action)
        add_state(action)


def run(options: argparse.Namespace) -> int:
    """Do it; raises :class:`CommandError` for a PIN that is none, or a file that cannot be understood."""
    state: Path = options.state or configs.state_dir(checked(configs.find(options.config)))
    judge = Judge(state, SystemClock().stamp)
    if options.action == "set":
        try:
            judge.set(asked())
        except ValueError as error:
            raise CommandError(f"{error}; nothing was changed", code=Exit.USAGE) from None
    elif options.action == "clear":
        judge.clear()
    print(f"{state}: {status(judge)}")
    return Exit.FINE


def status(judge: Judge) -> str:
    """Return how it stands with the PIN, in words; raise :class:`CommandError`."""
    if not judge.is_set:
        return "no judge's PIN is set"
    try:
        seconds = judge.locked_for()
    except JudgeError as error:
        raise CommandError(str(error)) from None
    locked = f"; after wrong ones it is locked for {seconds} s" if seconds else ""
    return f"a judge's PIN is set{locked}"


def asked() -> str:
    """Return the new PIN, never shown; raises :class:`CommandError`."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    try:
        pin, again = getpass.getpass("New PIN: "), getpass.getpass("Once more: ")
    except EOFError:
        raise CommandError("no PIN was entered; nothing was changed", code=Exit.USAGE) from None
    if pin != again:
        raise CommandError("the two are not the same; nothing was changed", code=Exit.USAGE)
    return pin
