"""Everything the engines raise, one tree: each message stands alone in one line.

A message is a literal with blanks, ``Malformed("{word!r} is no card", word=word)``: so it is found for the
catalogues of other languages, and :mod:`engines.fact_words` says it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from engines.contract import SEATS, Choice, Decide, Problem, Refusal, Report


class EngineError(Exception):
    """Whatever is wrong with a text, a choice or a position handed to an engine.

    Where a whole match is followed ``at`` is the number of the step or record that does not fit.
    """

    at: int | None = None

    def __init__(self, message: object = "", **values: object) -> None:
        """Take a message, and what fills its blanks: words and figures, a tuple of which one is meant, or the
        error behind this one.
        """
        said = {
            name: " or ".join(value) if isinstance(value, tuple) else value for name, value in values.items()
        }
        super().__init__(message.format_map(said) if values and isinstance(message, str) else message)
        self.message, self.values = message, values


class BadSetup(EngineError):
    """A match cannot be set up so: too many seats, an unknown option or value."""


class BadPosition(EngineError):
    """A position text cannot be read or may not stand; ``problems`` holds all that is wrong."""

    def __init__(self, message: str, problems: Sequence[Problem] = (), **values: object) -> None:
        """Take ``message``, one line, and ``problems``, empty when the text could not even be read."""
        super().__init__(message, **values)
        self.problems = tuple(problems)


class NotationError(EngineError):
    """A step's text does not lead to a step."""


class Malformed(NotationError):
    """The text is not written as steps are: an unknown word, something missing or left over."""

    asked: Decide | Report | None = None  # the question that is not answered; the message quotes its name


class Ambiguous(NotationError):
    """The text fits several steps; ``candidates`` are their texts."""

    def __init__(self, text: str, candidates: Sequence[str]) -> None:
        """Take ``text`` as it was written and ``candidates``, what it could mean."""
        super().__init__("{text!r} could be {several}", text=text, several=tuple(candidates))
        self.candidates = tuple(candidates)


class Refused(NotationError):
    """The step is well written and not legal; ``token`` is the word that ``refusal`` speaks of.

    ``choices`` are those of the step up to the refused one.
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
    """A choice cannot stand even if people wish it: no arrangement of the pieces looks so.

    ``refusal`` is why it was refused in the first place.
    """

    def __init__(self, refusal: Refusal) -> None:
        """Take the ``refusal`` that ``Rules.why_not`` returned."""
        clause, check = refusal.clause, refusal.check
        super().__init__(
            "{clause}: no table can look so ({check}); an entry is wrong", clause=clause, check=check
        )
        self.refusal = refusal


class Stale(NotationError):
    """The step answers a question that is no longer asked."""


class BadMatchFile(EngineError):
    """A match file cannot be read: names the line."""


class OutOfTurn(NotationError):
    """Another seat is asked; ``asked`` are the seats that may answer."""

    def __init__(self, seat: int | None, asked: Sequence[int]) -> None:
        """Take the ``seat`` that tried, None for nobody in particular, and those ``asked``."""
        letters = ", ".join(SEATS[one] for one in asked)
        if seat is None:
            super().__init__("name the seat: waiting for {asked}", asked=letters)
        else:
            told = SEATS[seat : seat + 1] or seat
            super().__init__("seat {seat}: waiting for {asked}", seat=told, asked=letters)
        self.asked = tuple(asked)


class UnknownGame(EngineError):
    """No game of that name; the message names the nearest."""


def nearest(word: str, known: Iterable[str], likeness: float = 0.6) -> str:
    """Return the known word that looks most like ``word``; empty if none does, or there is none."""
    return next(iter(difflib.get_close_matches(word.lower(), list(known), 1, likeness)), "")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ``; did you mean nobles?`` if a known word looks much like ``word``, else nothing.

    >>> did_you_mean("nobels", ["deals", "nobles"]), did_you_mean("dice", ["nobles"])
    ('; did you mean nobles?', '')
    """
    near = nearest(word, known)
    return f"; did you mean {near}?" if near else ""
