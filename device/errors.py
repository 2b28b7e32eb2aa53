"""Errors that people are told, and the exit status that a command leaves with."""

from __future__ import annotations

from collections.abc import Sequence
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


class DeviceError(Exception):
    """Something foreseen that cannot be done: the message is for people, and for the user of a command.

    ``reasons`` are what is wrong, a line each, where it is more than the message.
    """

    code: Exit = Exit.WRONG
    reasons: Sequence[str] = ()
