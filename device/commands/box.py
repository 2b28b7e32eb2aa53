"""The box that a command works on: its settings, its state, the rights to it. `podesta config show`.

An installed box has one state. Somebody who calibrates a scale or enters facts at a shell works in it, and is
told so; the service would never see a second state.
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
"""Commands that work without the rights, and name what they could not see."""


def load_settings(options: Options) -> Config:
    """Return the settings; raises :class:`CommandError` with all problems, OSError if they cannot be read."""
    path = configs.find(options.config)
    if path:
        read_file(path)
    loaded = configs.load(path)
    if loaded.problems:
        raise CommandError(*map(str, loaded.problems))
    return loaded.config


def find_state(options: Options, config: Config | None = None) -> Path:
    """Return the state directory; without ``config`` even if the settings have mistakes."""
    if options.state:
        return Path(options.state)
    config = config or configs.load(configs.find(getattr(options, "config", None))).config
    return configs.state_dir(config)


def find_sound_state(options: Options) -> Path:
    """Return the state directory; raises as :func:`load_settings` unless an option names it."""
    return find_state(options, None if options.state else load_settings(options))


def choose_section(there: Sequence[T], section: str, number: int) -> T:
    """Return a section by its number, from 1; raises :class:`UsageError` if it is missing."""
    if number > len(there):
        only = f"only {len(there)}" if there else "no"
        raise UsageError(f"there is {only} [[{section}]] in the settings")
    return there[number - 1]


# podesta config


@action(
    "print the settings as TOML", take.option("--changed", "only what differs from the defaults"), take.config
)
def show(options: Options) -> None:
    """Print the settings; raises as :func:`load_settings`."""
    config = load_settings(options)
    if options.changed:
        print("\n".join(configs.list_changed(config)) or "# everything stands at its default")
    else:
        print(f"# {configs.find(options.config) or 'no file: the defaults'}\n{configs.show(config)}", end="")


run = Command(actions={"show": show})


# The service's state


@contextlib.contextmanager
def work_in_state(options: Options, argv: Sequence[str]) -> Iterator[None]:
    """Work in the service's state unless ``options`` name another; say so, and ask for the rights with sudo.

    Files that root makes there belong to the service afterwards. Raises :class:`CommandError` if the rights
    are missing and there is no terminal to ask at.
    """
    state = configs.SERVICE_STATE
    elsewhere = options.state is not None or "STATE_DIRECTORY" in os.environ or not state.is_dir()
    if elsewhere or find_state(options) != state:
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
    """Run the command again with sudo; if that is impossible, raise unless the command only looks."""
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
    """Give root's files in ``state`` to the folder's owner; follow no symbolic link, skip hard links."""
    owner = state.stat()
    for _, folders, files, place in os.fwalk(state, follow_symlinks=False):
        for name in (*folders, *files):
            with contextlib.suppress(OSError):  # gone meanwhile
                found = os.stat(name, dir_fd=place, follow_symlinks=False)
                if found.st_uid == 0 != owner.st_uid and (found.st_nlink == 1 or name in folders):
                    os.chown(name, owner.st_uid, owner.st_gid, dir_fd=place, follow_symlinks=False)
