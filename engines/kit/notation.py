"""A step's text as most games write it: its tokens side by side."""

from __future__ import annotations

from collections.abc import Sequence

from engines.contract import Choice, Label, Notation
from engines.errors import Malformed


def split(text: str) -> list[str]:
    """Return the words of a step's text; raises :class:`engines.errors.Malformed` where there are none."""
    found = text.split()
    if not found:
        raise Malformed("an empty step")
    return found


class WordNotation(Notation):
    """A token a word, called by its question and itself; a game inherits it and adds what is its own."""

    def tokens(self, text: str, /) -> list[str]:
        """Return the words."""
        return split(text)

    def text(self, choices: Sequence[Choice], /) -> str:
        """Return the tokens with a space between them."""
        return " ".join(choice.token for choice in choices)

    def label(self, choice: Choice, /) -> Label:
        """Return ``take.r`` for the token ``r`` that answers ``take``."""
        return Label(f"{choice.question}.{choice.token}")
