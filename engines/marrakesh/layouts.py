"""What a camera sees: the tray of the cube tower. Its layout are the keshis that lie there, ``2t1g``; where
only their number is known, ``total 9``.
"""

from __future__ import annotations

from engines import bags
from engines.bags import Bag
from engines.contract import Choice, Exact, Interpretation, OutOfStep, Sight
from engines.errors import Malformed
from engines.kit.rulebook import question
from engines.marrakesh.book import BOOK
from engines.marrakesh.claiming import left
from engines.marrakesh.keshis import LETTERS
from engines.marrakesh.lying import Counted, counted, explained
from engines.marrakesh.state import State, thrown
from engines.marrakesh.throwing import TRAY


class TraySight(Sight[State]):
    """The tray, by colours: what came out of the tower, less what was claimed."""

    NAME = "tray"

    def of(self, state: State, /) -> Bag:
        """What lies there."""
        return state.tray

    def lying(self, state: State, /) -> int:
        """How many lie there."""
        return bags.total(state.tray)

    def read(self, text: str, /) -> Bag | Counted:
        """The layout of a text; raises Malformed."""
        if TRAY.holds(text):
            return TRAY.read(text)
        if number := counted(text):
            return number
        raise Malformed(f"{text!r} is not {TRAY.said} like 2t1g, or 0; a number alone is total 9")

    def differences(self, seen: Bag | Counted, expected: Bag, /) -> tuple[str, ...]:
        """``+2t``: two turquoise ones more than there should be; ``-1g``: a green one less."""
        if isinstance(seen, Counted):
            return () if seen.number == bags.total(expected) else (str(seen),)
        found = []
        for sign, one, other in (("+", seen, expected), ("-", expected, seen)):
            found += [f"{sign}{n}{LETTERS[kind]}" for kind, n in bags.items(bags.without(one, other))]
        return tuple(found)

    def visible(self, choice: Choice, /) -> bool:
        """Keshis come with a throw and go with claims."""
        return choice.question in ("tray", "claim")

    def explain(self, state: State, seen: Bag | Counted, /) -> Interpretation | None:
        """Where a throw is asked for, what came out of it; of a number also what was claimed. Elsewhere a
        number says nothing.
        """
        asked = question(state)
        if isinstance(seen, Counted):
            if asked == "claim":
                return left(state, seen.number)
            return explained(state.inside, thrown(state), seen, TRAY) if asked == "tray" else Exact(())
        if asked != "tray":
            return None
        choice = Choice("tray", TRAY.write(seen))
        refusal = BOOK.why_not(state, choice)
        return OutOfStep((), self.differences(seen, 0), refusal) if refusal else Exact((choice,))


SIGHTS: tuple[Sight[State], ...] = (TraySight(),)
