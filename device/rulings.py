"""What people rule, in the words of the log: one line per ruling, the first word says which.

``undo 17`` cancels group 17; ``pause`` and ``resume`` stop and start the match; ``abandon`` ends it
unfinished, ``over double_pass`` finished and why. A new ruling is a new value here and a line in ``_WORDS``.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec


class Undo(msgspec.Struct, frozen=True, tag=True):
    """Group ``group`` no longer counts; if it was an undo itself, what it cancelled counts again."""

    group: int

    def __str__(self) -> str:
        """The line as recorded."""
        return f"undo {self.group}"


class Pause(msgspec.Struct, frozen=True, tag=True):
    """The match stops for a while."""

    def __str__(self) -> str:
        """The line as recorded."""
        return "pause"


class Resume(msgspec.Struct, frozen=True, tag=True):
    """The match goes on."""

    def __str__(self) -> str:
        """The line as recorded."""
        return "resume"


class Abandon(msgspec.Struct, frozen=True, tag=True):
    """The match ends unfinished, for ``reason`` if one was given."""

    reason: str = ""

    def __str__(self) -> str:
        """The line as recorded."""
        return f"abandon {self.reason}".rstrip()


class Over(msgspec.Struct, frozen=True, tag=True):
    """The match is finished; ``termination`` says how, in the engine's word."""

    termination: str

    def __str__(self) -> str:
        """The line as recorded."""
        return f"over {self.termination}"


Ruling = Undo | Pause | Resume | Abandon | Over


def _undo(rest: str) -> Ruling:
    if not (rest.isascii() and rest.isdigit() and int(rest) > 0):
        raise ValueError("wants the number of a group, as in 'undo 17'")
    return Undo(int(rest))


def _over(rest: str) -> Ruling:
    if not rest or " " in rest:
        raise ValueError("wants one word that says how it ended, as in 'over double_pass'")
    return Over(rest)


def _alone(ruling: Ruling) -> Callable[[str], Ruling]:
    def parse(rest: str) -> Ruling:
        if rest:
            raise ValueError("stands alone")
        return ruling

    return parse


_WORDS: dict[str, Callable[[str], Ruling]] = {
    "undo": _undo,
    "pause": _alone(Pause()),
    "resume": _alone(Resume()),
    "abandon": Abandon,
    "over": _over,
}


def parse_ruling(payload: str) -> Ruling:
    """Read a ruling's line; ``str`` of the result gives the line back.

    Raises ValueError for a word nobody knows, for words missing or left over, and for more than one line.
    """
    word, _, rest = payload.partition(" ")
    if len(payload.splitlines()) != 1 or payload != payload.strip() or rest != rest.lstrip():
        raise ValueError(f"not a ruling: {payload!r} is not one plain line")
    if word not in _WORDS:
        raise ValueError(f"unknown ruling '{word}'; known are {', '.join(_WORDS)}")
    try:
        return _WORDS[word](rest)
    except ValueError as error:
        raise ValueError(f"ruling {payload!r}: '{word}' {error}") from None
