"""The towers of both sides as a camera sees them, and which choices change them."""

from __future__ import annotations

from engines.contract import SEATS, Choice
from engines.errors import Malformed
from engines.san_gimignano.cards import Tower, owned, read_tower
from engines.san_gimignano.donazione import ALLOW, USE
from engines.san_gimignano.state import State
from engines.san_gimignano.turns import BUILD, COMPLETE, EXTEND

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
    """Write ``+a8x3`` for what is there and should not be, ``-b5-7`` for what should be there and is not."""
    found = []
    for owner in (0, 1):
        extra, missing = list(seen[owner]), list(expected[owner])
        for tower in seen[owner]:
            if tower in missing:
                missing.remove(tower)
                extra.remove(tower)
        found += [f"+{owned(owner, tower)}" for tower in extra]
        found += [f"-{owned(owner, tower)}" for tower in missing]
    return tuple(found)


def visible(choice: Choice) -> bool:
    """Return True for towers laid, extended, flipped or taken down; draws and a Guard do not show."""
    return choice.question in _VISIBLE or choice.token in _SHOWING
