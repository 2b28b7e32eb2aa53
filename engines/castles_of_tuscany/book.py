"""The rulebook that the chapters are written in, and what several of them say alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from engines import bags
from engines.castles_of_tuscany.facts import SCHEMA
from engines.castles_of_tuscany.state import COUNTED, FINISHED, State
from engines.contract import SEATS, Figures, Key, Printed
from engines.kit import Rulebook


class Book(Rulebook[State]):
    """The rulebook, and what refusals by knowledge rest on."""

    def knowing_less(self, state: State) -> Iterator[State]:
        """Yield the state with all that is known; then as if nobody had told how the region cards split."""
        yield state
        yield replace(state, copy=replace(state.copy, cards=0))

    def fact(self, state: State, key: Key) -> int:
        """Return a fact that was seen.

        ``("unseen", kind)`` are region cards of a colour that do not lie in the discards, ``("hand", seat)``
        cards held, ``("own a", kind)`` the own tiles of seat a that are still face down and ``("neutral",
        kind)`` the neutral ones.
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


def printed(table: str) -> Callable[[State], Printed]:
    """Return the fact of the copy that is asked for: of the ``table``, by the tile in question."""

    def asked(state: State) -> Printed:
        name = f"{table}.{state.frames[-1].tile}"
        return Printed(name, SCHEMA.fact(name).kind)

    return asked


def tile_and_space(state: State, tile: str) -> dict[str, int | str]:
    """Tell a tile, and the space in question."""
    return {"tile": tile, **dict(of_space(state))}


def of_space(state: State) -> Figures:
    """Return the blanks of a question about a space: its name, kind and colour."""
    space = state.frames[-1].space
    kind = state.land.kinds[space]
    return (("space", state.land.names[space]), ("kind", kind), ("colour", kind))
