"""Everything the engines raise, one tree: each message stands alone in one line."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from engines.contract import SEATS, Choice, Decide, Problem, Refusal, Report


class EngineError(Exception):
    """Whatever is wrong with a text, a choice or a position handed to an engine.

    Where a whole match is followed ``at`` is the number of the step or record that does not fit.
    """

    at: int | None = None


class BadSetup(EngineError):
    """A match cannot be set up so: too many seats, an unknown option or value."""


class BadPosition(EngineError):
    """A position text cannot be read or may not stand; ``problems`` holds all that is wrong."""

    def __init__(self, message: str, problems: Sequence[Problem] = ()) -> None:
        """Take ``message``, one line, and ``problems``, empty when the text could not even be read."""
        super().__init__(message)
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
        super().__init__(f"{text!r} could be {' or '.join(candidates)}")
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
        super().__init__(f"{refusal.clause}: no table can look so ({refusal.check}); an entry is wrong")
        self.refusal = refusal


class Stale(NotationError):
    """The step answers a question that is no longer asked."""


class BadMatchFile(EngineError):
    """A match file cannot be read: names the line."""


class OutOfTurn(NotationError):
    """Another seat is asked; ``asked`` are the seats that may answer."""

    def __init__(self, seat: int | None, asked: Sequence[int]) -> None:
        """Take the ``seat`` that tried, None for nobody in particular, and those ``asked``."""
        letters = " and ".join(SEATS[one] for one in asked)
        who = f"seat {SEATS[seat : seat + 1] or seat}" if seat is not None else "a step of no named seat"
        super().__init__(f"{who}: {letters} {'is' if len(asked) == 1 else 'are'} asked")
        self.asked = tuple(asked)


class UnknownGame(EngineError):
    """No game of that name; the message names the nearest."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ``; did you mean nobles?`` if a known word looks much like ``word``, else nothing.

    >>> did_you_mean("nobels", ["deals", "nobles"]), did_you_mean("dice", ["nobles"])
    ('; did you mean nobles?', '')
    """
    near = difflib.get_close_matches(word.lower(), list(known), n=1)
    return f"; did you mean {near[0]}?" if near else ""
