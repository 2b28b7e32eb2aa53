"""Subcommands of `podesta`, most in a module of their own.

A module's ``arguments(parser)`` says what the subcommand takes; ``run(options) -> int`` does it and returns
an :class:`Exit`. Where a module has several, or a subcommand has actions, the default ``run`` of a parser is
who does it. A pure function in between makes the data that is printed. Only the module of the subcommand that
was asked for is imported, and what is heavy (pins, pictures, servers) only where it is used.

A :class:`device.errors.DeviceError` is left to :mod:`device.cli`, which tells it and leaves with its status.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from device.errors import DeviceError, Exit


class CommandError(DeviceError):
    """The command cannot do what was asked, for one or several reasons, each in one line."""

    def __init__(self, *reasons: str, code: Exit = Exit.WRONG) -> None:
        """Take the reasons; ``code`` becomes the exit status."""
        super().__init__("\n".join(reasons))
        self.reasons = reasons
        self.code = code


def add_path(parser: argparse.ArgumentParser, name: str, called: str, what: str, **more: Any) -> None:
    """Take a file or a folder by that name; the help calls it so, and says ``what`` it is."""
    parser.add_argument(name, metavar=called, type=Path, help=what, **more)
