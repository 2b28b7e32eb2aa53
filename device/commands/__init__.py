"""Subcommands of `podesta`, one module each.

Each has ``arguments(parser)``, which says what the subcommand takes, and ``run(options) -> int``, which does
it and returns an :class:`Exit`. A pure function in between makes the data that ``run`` prints. Only the
module of the subcommand that was asked for is imported, and what is heavy (pins, pictures, servers) only
where it is used.
"""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """The command's exit status."""

    FINE = 0
    WRONG = 1
    USAGE = 2
    UNREADABLE = 3
    LACKING = 4
    UNFINISHED = 5
    BUSY = 6
    FAULT = 70  # EX_SOFTWARE of sysexits.h


class CommandError(Exception):
    """The command cannot do what was asked, for one or several reasons, each in one line."""

    def __init__(self, *reasons: str, code: Exit = Exit.WRONG) -> None:
        """``code`` becomes the exit status."""
        super().__init__("\n".join(reasons))
        self.reasons = reasons
        self.code = code
