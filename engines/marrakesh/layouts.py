"""What a camera sees: the tray of the cube tower. Its layout are the keshis that lie there, ``2t1g``."""

from __future__ import annotations

from engines import bags
from engines.bags import Bag
from engines.contract import Choice, Exact, Interpretation, OutOfStep, Sight
from engines.errors import Malformed
from engines.kit.rulebook import question
from engines.marrakesh.book import BOOK
from engines.marrakesh.keshis import LETTERS
from engines.marrakesh.state import State
from engines.marrakesh.throwing import TRAY


class TraySight(Sight[State]):
    """The tray, by colours: what came out of the tower, less what was claimed."""

    NAME = "tray"

    def of(self, state: State, /) -> Bag:
        """What lies there."""
        return state.tray

    def read(self, text: str, /) -> Bag:
        """The layout of a text; raises Malformed."""
        if not TRAY.holds(text):
            raise Malformed(f"{text!r} is not {TRAY.said} like 2t1g, or 0")
        return TRAY.read(text)

    def differences(self, seen: Bag, expected: Bag, /) -> tuple[str, ...]:
        """``+2t``: two turquoise ones more than there should be; ``-1g``: a green one less."""
        found = []
        for sign, one, other in (("+", seen, expected), ("-", expected, seen)):
            found += [f"{sign}{n}{LETTERS[kind]}" for kind, n in bags.items(bags.without(one, other))]
        return tuple(found)

    def visible(self, choice: Choice, /) -> bool:
        """Keshis come with a throw and go with claims."""
        return choice.question in ("tray", "claim")

    def explain(self, state: State, seen: Bag, /) -> Interpretation | None:
        """Where a throw is asked for, what came out of it."""
        if question(state) != "tray":
            return None
        choice = Choice("tray", TRAY.write(seen))
        refusal = BOOK.why_not(state, choice)
        return OutOfStep((), self.differences(seen, 0), refusal) if refusal else Exact((choice,))


SIGHTS: tuple[Sight[State], ...] = (TraySight(),)
