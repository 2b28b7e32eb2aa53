"""Subcommands of `podesta`, most in a module of their own.

A module's ``arguments(parser)`` says what the subcommand takes; ``run(options) -> int`` does it and returns
an :class:`Exit`. Where a module has several, or a subcommand has actions, the default ``run`` of a parser is
who does it. A pure function in between makes the data that is printed. Only the module of the subcommand that
was asked for is imported, and what is heavy (pins, pictures, servers) only where it is used.

A :class:`device.errors.DeviceError` is left to :mod:`device.cli`, which tells it and leaves with its status.
"""

from __future__ import annotations

from device.errors import DeviceError, Exit


class CommandError(DeviceError):
    """The command cannot do what was asked, for one or several reasons, each in one line."""

    def __init__(self, *reasons: str, code: Exit = Exit.WRONG) -> None:
        """Take the reasons; ``code`` becomes the exit status."""
        super().__init__("\n".join(reasons))
        self.reasons = reasons
        self.code = code
