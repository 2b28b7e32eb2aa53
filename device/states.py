"""The state a command works in: the installed service's, wherever there is one, and with whose rights.

A box that is installed has one state. Who calibrates a scale or enters facts at a shell does it there and not
in a second one that the service never sees, and is told so.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shlex
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from device import config as configs
from device.commands import CommandError, Exit

LOOKING = ("doctor", "replay")
"""Commands that say what they could not see, rather than not to work."""


@contextlib.contextmanager
def at_work(options: argparse.Namespace, argv: Sequence[str]) -> Iterator[None]:
    """Work in the service's state where ``options`` name no other; say so, and ask for the rights with sudo.

    What root leaves there belongs to the service afterwards. Raises :class:`CommandError` where the rights
    are missing and nobody is there to be asked for them.
    """
    state = _service_state(options)
    if state is None:
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


def _service_state(options: argparse.Namespace) -> Path | None:
    """Return the service's state where a command that takes ``--state`` would work in it; else None."""
    if options.state is not None or "STATE_DIRECTORY" in os.environ or not configs.SERVICE_STATE.is_dir():
        return None
    config = configs.load(configs.find(getattr(options, "config", None))).config
    state = configs.state_dir(config)
    return state if state == configs.SERVICE_STATE else None


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
