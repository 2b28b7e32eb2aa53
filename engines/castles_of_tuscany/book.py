"""The rulebook, and what several chapters share: domains, and figures of questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from msgspec.structs import replace

from engines import bags
from engines.castles_of_tuscany.facts import SCHEMA
from engines.castles_of_tuscany.state import COUNTED, FINISHED, State
from engines.contract import SEATS, Domain, Figures, Key, Picker, Printed
from engines.kit import Rulebook


class Book(Rulebook[State]):
    """The rulebook of The Castles of Tuscany."""

    def knowing_less(self, state: State) -> Iterator[State]:
        """Yield the state, then the state without the known numbers of region cards by colour."""
        yield state
        yield replace(state, copy=replace(state.copy, cards=0))

    def fact(self, state: State, key: Key) -> int:
        """Return a public fact.

        ``("unseen", kind)`` is the number of region cards of a colour outside the discards, ``("hand",
        seat)`` of cards in hand, ``("own a", kind)`` of seat a's own tiles that are face down, ``("neutral",
        kind)`` of the neutral ones.
        """
        name, number = key
        if name == "hand":
            return state.sides[number].hand
        if name == "unseen":
            return bags.count(state.unseen() or 0, number)
        if name == "neutral":
            return bags.count(state.neutral, number)
        owner = name.removeprefix("own ")
        if owner in SEATS:
            return bags.count(state.own_hidden(SEATS.index(owner)), number)
        raise KeyError(f"no fact {name!r}")


BOOK = Book(ended={FINISHED: "CT-6.4", COUNTED: "CT-7.3"})


@lru_cache
def spaces(name: str, names: tuple[str, ...], sight: str, *more: str) -> Domain:
    """Return the domain of the spaces of a region, and ``more`` tokens."""
    return Domain(name, (*names, *more), Picker.GRID, sight)


def ask_printed(table: str) -> Callable[[State], Printed]:
    """Return the domain of a question for a fact in ``table``, that of the tile in question."""

    def asked(state: State) -> Printed:
        name = f"{table}.{state.frames[-1].tile}"
        return Printed(name, SCHEMA.fact(name).kind)

    return asked


def tile_and_space(state: State, tile: str) -> dict[str, int | str]:
    """Return the figures of a tile and of the space in question."""
    return {"tile": tile, **dict(of_space(state))}


def of_space(state: State) -> Figures:
    """Return the figures of the space in question: its name, kind and colour."""
    space = state.frames[-1].space
    kind = state.land.kinds[space]
    return (("space", state.land.names[space]), ("kind", kind), ("colour", kind))
