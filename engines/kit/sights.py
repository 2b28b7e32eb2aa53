"""Pieces that lie open in a row, as a camera sees them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, TypeVar

from engines.contract import Sight
from engines.errors import Malformed
from engines.kit.forms import listed, words

S_contra = TypeVar("S_contra", contravariant=True)


class OpenRow(Sight[S_contra]):
    """The pieces that lie open before all; a layout is their kinds in order: ``6,8,8,via``, or ``-``."""

    PIECES: ClassVar[Sequence[str]]
    """All kinds of them, in order, each a ``CALLED``."""
    CALLED: ClassVar[str]
    COME, GONE = "", ""
    """The letters of a difference, before a piece too many and before one that is missing."""

    def read(self, text: str, /) -> tuple[str, ...]:
        """Return the layout of a text; raises Malformed."""
        found, called = words(text), self.CALLED
        for word in found:
            if word not in self.PIECES:
                known = ", ".join(self.PIECES)
                raise Malformed(f"{word!r} in {text!r} is not a {called}; {called}s are {known}")
        return tuple(sorted(found, key=self.PIECES.index))

    def written(self, layout: tuple[str, ...], /) -> str:
        """Return the text of a layout."""
        return listed(layout)

    def differences(self, seen: tuple[str, ...], expected: tuple[str, ...], /) -> tuple[str, ...]:
        """Write ``+m8`` for an 8 that should not lie there; ``-mvia`` for a missing Via Francigena."""
        come, gone = self.more(seen, expected), self.more(expected, seen)
        return (*(f"+{self.COME}{piece}" for piece in come), *(f"-{self.GONE}{piece}" for piece in gone))

    def more(self, some: Sequence[str], others: Sequence[str]) -> list[str]:
        """Return the kinds of which there are more in ``some``, as often as they are."""
        return [piece for piece in self.PIECES for _ in range(some.count(piece) - others.count(piece))]
