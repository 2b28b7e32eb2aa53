"""A camera's sights: the towers of both sides, and the open market, whose changes tell a turn.

A market's layout are the names of its cards, ``6,8,8,via``; ``-`` is none. The cards put there and taken away
tell a Purchase or an Exchange; missing ones came from a deck. A market that was emptied was filled again in
the same turn (SG-3.1 to SG-3.7).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engines.contract import SEATS, Choice, Domain, Exact, Interpretation, OutOfStep, Over, Refusal, Several
from engines.errors import Malformed
from engines.kit import OpenRow, question
from engines.san_gimignano.book import BOOK
from engines.san_gimignano.cards import KINDS, Tower, names, read_tower, write_owned
from engines.san_gimignano.donazione import ALLOW, DECLINE, USE
from engines.san_gimignano.draws import ENOUGH
from engines.san_gimignano.state import State
from engines.san_gimignano.turns import BUILD, COMPLETE, EXCHANGE, EXTEND, PURCHASE

NAME = "towers"

Layout = tuple[tuple[Tower, ...], tuple[Tower, ...]]

_VISIBLE = frozenset({"build", "height", "stones", "extend", "storeys", "complete", "target"})
_VISIBLE |= {"giostra", "cancel", "remains"}
_SHOWING = (BUILD, EXTEND, COMPLETE, USE, ALLOW)


def of(state: State) -> Layout:
    """Return the towers of both sides."""
    return state.towers


def read(text: str) -> Layout:
    """Read towers as in a position: ``a=8x3,5-7* b=-``; raises Malformed."""
    sides: dict[str, tuple[Tower, ...]] = {}
    for word in text.split():
        side, equals, towers = word.partition("=")
        read = [read_tower(tower) for tower in towers.split(",")] if towers != "-" else []
        if not equals or side not in SEATS[:2] or side in sides or None in read:
            raise Malformed(f"{word!r} is not a side's towers like a=8x3,5-7*")
        sides[side] = tuple(sorted(tower for tower in read if tower))
    return sides.get("a", ()), sides.get("b", ())


def written(layout: Layout) -> str:
    """Return the text of a layout, as :func:`read` takes it."""
    sides = (",".join(map(str, side)) or "-" for side in layout)
    return " ".join(f"{name}={side}" for name, side in zip("ab", sides, strict=True))


def differences(seen: Layout, expected: Layout) -> tuple[str, ...]:
    """Write ``+a8x3`` for a tower that should not be there, ``-b5-7`` for a missing one."""
    found = []
    for owner in (0, 1):
        extra, missing = list(seen[owner]), list(expected[owner])
        for tower in seen[owner]:
            if tower in missing:
                missing.remove(tower)
                extra.remove(tower)
        found += [f"+{write_owned(owner, tower)}" for tower in extra]
        found += [f"-{write_owned(owner, tower)}" for tower in missing]
    return tuple(found)


def visible(choice: Choice) -> bool:
    """Return True if a choice may lay, extend, flip or take down a tower; draws and a Guard do not."""
    return choice.question in _VISIBLE or choice.token in _SHOWING


# The open market

Cards = tuple[str, ...]

_TURNED_UP = ("market", "deal")
_AT_MARKET = (*_TURNED_UP, "draw", "put", "extend", "storeys", "stones", "donazione")


class MarketSight(OpenRow[State]):
    """The cards that lie open before both, in the order of their kinds."""

    NAME, PIECES, CALLED = "market", KINDS, "card"
    MARK = "m"

    def of(self, state: State, /) -> Cards:
        """Return the names of the cards in the market."""
        return tuple(names(state.market))

    def visible(self, choice: Choice, /) -> bool:
        """Return True if a choice may draw from the market, put cards there or turn them up, or leads to such
        a choice.
        """
        if choice.question == "action":
            return choice.token in (PURCHASE, EXCHANGE, EXTEND)
        return choice.question in _AT_MARKET and choice.token != DECLINE

    def explain(self, state: State, seen: Cards, /) -> Interpretation:
        """Explain cards by a whole step, and the cards turned up before or after it.

        The step is a Purchase, an Exchange, or the draws for a tower that is extended, or was built in an
        earlier step.
        """
        reached: dict[State, tuple[Choice, ...]] = {state: ()}
        ends = list(self._find_ends(state, seen, reached))
        # A market that is still being filled counts only if nothing else looks like that.
        ends = [end for end in ends if question(end) not in _TURNED_UP] or ends
        if ends:
            ways = tuple(reached[end] for end in ends)
            return Several(ways) if len(ways) > 1 else Exact(*ways)
        nearest = min(reached, key=lambda there: len(self.differences(seen, self.of(there))))
        left = self.differences(seen, self.of(nearest))
        return OutOfStep(reached[nearest], left, next(self._find_refusals(seen, reached), None))

    def _find_ends(
        self, state: State, seen: Cards, reached: dict[State, tuple[Choice, ...]]
    ) -> Iterator[State]:
        """Yield the states that look like ``seen``, and add each state and its choices to ``reached``."""
        way, pending = reached[state], BOOK.pending(state)
        fills = question(state) in _TURNED_UP
        if way and self.of(state) == seen and (fills or not pending.open):
            yield state
            return
        if isinstance(pending, Over) or (way and not (fills or pending.open)):
            return
        for choice in self._try_choices(state, seen):
            after = BOOK.apply(state, choice)
            if after not in reached:
                reached[after] = (*way, choice)
                yield from self._find_ends(after, seen, reached)

    def _try_choices(self, state: State, seen: Cards) -> list[Choice]:
        """Return the legal choices that may lead to ``seen``, those without an order in that of kinds."""
        asked, shown = question(state), self.of(state)
        legal = [choice for choice in BOOK.legal(state) if self.visible(choice)]
        if asked not in ("put", "market", "draw"):
            return legal
        tokens = self._find_named(state, seen)
        if asked == "draw":
            if len(shown) <= state.frames[-1].n:  # all may have been taken, and the market filled
                tokens += [f"m{card}" for card in shown[:1]]
            if not self.more(shown, seen):
                tokens += [choice.token for choice in legal if choice.token[0] != "m"]
        return [choice for token in dict.fromkeys(tokens) for choice in legal if choice.token == token]

    def _find_named(self, state: State, seen: Cards) -> list[str]:
        """Return the next tokens that the differences suggest, legal or not."""
        asked, shown = question(state), self.of(state)
        if asked == "action":
            return [EXCHANGE if self.more(seen, shown) else PURCHASE]
        if asked == "put":
            put = state.frames[-1].put
            return self.more(seen, names(state.market + put))[:1] or [ENOUGH] * bool(put)
        if asked == "market":
            return self.more(seen, shown)[:1]
        return [f"m{card}" for card in self.more(shown, seen)[:1]] if asked == "draw" else []

    def _find_refusals(self, seen: Cards, reached: Iterable[State]) -> Iterator[Refusal]:
        """Yield the refusals of the tokens that the differences suggest."""
        for at, state in enumerate(reached):
            pending = BOOK.pending(state)
            if isinstance(pending, Over) or not (pending.open or at == 0):
                continue
            assert isinstance(pending.domain, Domain)
            for token in self._find_named(state, seen):
                choice = Choice(pending.question, token)
                if token in pending.domain.tokens and (refusal := BOOK.why_not(state, choice)):
                    yield refusal
