"""All errors of the engines, in one tree. Each message is one line.

A message is a literal with blanks, ``Malformed("{word!r} is no card", word)``: the catalogues of other
languages find it, and :mod:`engines.fact_words` says it.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence

from engines.contract import SEATS, Choice, Decide, Problem, Refusal, Report


class EngineError(Exception):
    """A fault of a text, a choice or a position.

    In a whole match ``at`` is the number of the step or record that does not fit.
    """

    at: int | None = None

    def __init__(self, message: object = "", *blanks: object, **values: object) -> None:
        """Take a message and the values of its blanks, in their order or by name: a word, a figure, a tuple
        of alternatives, or the error behind this one.
        """
        if blanks:
            values = dict(zip(dict.fromkeys(re.findall(r"\{(\w+)", str(message))), blanks, strict=True))
        said = {
            name: " or ".join(value) if isinstance(value, tuple) else value for name, value in values.items()
        }
        super().__init__(message.format_map(said) if values and isinstance(message, str) else message)
        self.message, self.values = message, values


class BadSetup(EngineError):
    """A match cannot be set up so: too many seats, an unknown option or value."""


class BadPosition(EngineError):
    """A position text cannot be read or may not stand; ``problems`` has all its faults."""

    def __init__(self, message: str, *blanks: object, problems: Sequence[Problem] = ()) -> None:
        """Take ``message``, one line, and ``problems``, empty if the text cannot be read."""
        super().__init__(message, *blanks)
        self.problems = tuple(problems)


class NotationError(EngineError):
    """A step's text does not lead to a step."""


class Malformed(NotationError):
    """The text is no step: it has an unknown word, or something is missing or left over."""

    asked: Decide | Report | None = None  # the question without an answer; the message quotes its name


class Ambiguous(NotationError):
    """The text fits several steps; ``candidates`` are their texts."""

    def __init__(self, text: str, candidates: Sequence[str]) -> None:
        """Take ``text`` as written, and ``candidates``, its possible meanings."""
        super().__init__("{text!r} could be {several}", text, tuple(candidates))
        self.candidates = tuple(candidates)


class Refused(NotationError):
    """The step is well written but not legal; ``refusal`` is about its word ``token``.

    ``choices`` are those of the step, the refused one last.
    """

    def __init__(self, refusal: Refusal, token: str, choices: Sequence[Choice] = ()) -> None:
        """Take the ``refusal`` that ``Rules.why_not`` returned for ``token``."""
        figures = ", ".join(f"{name} {value}" for name, value in refusal.figures)
        super().__init__(
            f"{refusal.clause}: {token} refused ({refusal.check}{': ' if figures else ''}{figures})"
        )
        self.refusal = refusal
        self.token = token
        self.choices = tuple(choices)


class Impossible(EngineError):
    """A choice cannot stand even if people wish it: no table can look like that.

    ``refusal`` is the original reason against it.
    """

    def __init__(self, refusal: Refusal) -> None:
        """Take the ``refusal`` that ``Rules.why_not`` returned."""
        clause, check = refusal.clause, refusal.check
        super().__init__("{clause}: no table can look so ({check}); an entry is wrong", clause, check)
        self.refusal = refusal


class Stale(NotationError):
    """The step answers a question that is no longer asked."""


class BadMatchFile(EngineError):
    """A match file cannot be read: names the line."""


class OutOfTurn(NotationError):
    """Another seat is asked: one of ``asked``."""

    def __init__(self, seat: int | None, asked: Sequence[int]) -> None:
        """Take the ``seat`` that tried, None if unnamed, and the seats ``asked``."""
        letters = ", ".join(SEATS[one] for one in asked)
        if seat is None:
            super().__init__("name the seat: waiting for {asked}", letters)
        else:
            told = SEATS[seat : seat + 1] or seat
            super().__init__("seat {seat}: waiting for {asked}", told, letters)
        self.asked = tuple(asked)


class UnknownGame(EngineError):
    """No game of that name; the message names the nearest."""


def nearest(word: str, known: Iterable[str], likeness: float = 0.6) -> str:
    """Return the known word that looks most like ``word``, empty if none is alike enough (0 to 1).

    >>> nearest("nobels", ["deals", "nobles"]), nearest("dice", ["nobles"])
    ('nobles', '')
    """
    return next(iter(difflib.get_close_matches(word.lower(), list(known), 1, likeness)), "")
