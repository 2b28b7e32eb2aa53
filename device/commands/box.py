"""The box that a command works at: its settings, its state, and with whose rights. `podesta config show`.

A box that is installed has one state. Who calibrates a scale or enters facts at a shell does it there and not
in a second one that the service never sees, and is told so.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from device import config as configs
from device.commands import Command, CommandError, Exit, Options, UsageError, action, take
from device.files import read_file
from device.settings import Config

T = TypeVar("T")

LOOKING = ("doctor", "replay")
"""Commands that say what they could not see, rather than not to work."""


def settings(options: Options) -> Config:
    """Return the settings; raises :class:`CommandError` with all problems, OSError if they cannot be read."""
    path = configs.find(options.config)
    if path:
        read_file(path)
    loaded = configs.load(path)
    if loaded.problems:
        raise CommandError(*map(str, loaded.problems))
    return loaded.config


def state_of(options: Options, config: Config | None = None) -> Path:
    """Return the state directory; without a ``config`` also where the settings have mistakes."""
    if options.state:
        return Path(options.state)
    config = config or configs.load(configs.find(getattr(options, "config", None))).config
    return configs.state_dir(config)


def sound_state(options: Options) -> Path:
    """Return the state directory; raises as :func:`settings` where they would name it."""
    return state_of(options, None if options.state else settings(options))


def chosen(there: Sequence[T], section: str, number: int) -> T:
    """Return the section of that number, from 1; raises :class:`CommandError` where there is none."""
    if number > len(there):
        only = f"only {len(there)}" if there else "no"
        raise UsageError(f"there is {only} [[{section}]] in the settings")
    return there[number - 1]


# podesta config


@action(
    "print the settings as TOML", take.option("--changed", "only what differs from the defaults"), take.config
)
def show(options: Options) -> None:
    """Print the settings; raises as :func:`settings`."""
    config = settings(options)
    if options.changed:
        print("\n".join(configs.changed(config)) or "# everything stands at its default")
    else:
        print(f"# {configs.find(options.config) or 'no file: the defaults'}\n{configs.show(config)}", end="")


run = Command(actions={"show": show})


# The service's state


@contextlib.contextmanager
def at_work(options: Options, argv: Sequence[str]) -> Iterator[None]:
    """Work in the service's state where ``options`` name no other; say so, and ask for the rights with sudo.

    What root leaves there belongs to the service afterwards. Raises :class:`CommandError` where the rights
    are missing and nobody is there to be asked for them.
    """
    state = configs.SERVICE_STATE
    elsewhere = options.state is not None or "STATE_DIRECTORY" in os.environ or not state.is_dir()
    if elsewhere or state_of(options) != state:
        yield
        return
    if not os.access(state, os.R_OK | os.W_OK | os.X_OK):
        _ask_for_rights(state, options.command, argv)
    print(f"podesta: works in {state}, the service's state", file=sys.stderr)
    try:
        yield
    finally:
        if os.geteuid() == 0:
            give_back(state)


def _ask_for_rights(state: Path, command: str, argv: Sequence[str]) -> None:
    """Run the command once more by sudo; where that cannot be, raise unless it only looks."""
    sudo, ours = shutil.which("sudo"), shutil.which("podesta")
    if sudo and ours and sys.stdin.isatty():
        print(f"podesta: {state} is the service's state; sudo asks for the right to it", file=sys.stderr)
        sys.stderr.flush()
        os.execv(sudo, [sudo, "--", ours, *argv])
    if command not in LOOKING:
        raise CommandError(
            f"{state}: the service's state, which root and the user podesta alone may open: "
            f"sudo podesta {shlex.join(argv)}, or --state DIR for another one",
            code=Exit.UNREADABLE,
        )


def give_back(state: Path) -> None:
    """Give what root made in ``state`` to the folder's owner; follow no link, and leave hard links alone."""
    owner = state.stat()
    for _, folders, files, place in os.fwalk(state, follow_symlinks=False):
        for name in (*folders, *files):
            with contextlib.suppress(OSError):  # gone meanwhile
                found = os.stat(name, dir_fd=place, follow_symlinks=False)
                if found.st_uid == 0 != owner.st_uid and (found.st_nlink == 1 or name in folders):
                    os.chown(name, owner.st_uid, owner.st_gid, dir_fd=place, follow_symlinks=False)
