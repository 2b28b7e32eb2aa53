"""A region read hex by hex, with its doubts.

A picture read alone goes by the looks of hexes. Beside an accepted picture with known contents, the reader
asks two questions of each hex: its look, and its change. If the two disagree, it reports the look, and people
are asked. Pieces stay: nobody takes anything off a region.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np

from vision.lens import Floats
from vision.tuscany.album import EMPTY, TILE, WILD, Album, HexLook, HexShown, likeness, strength

CLEAR: Final = 4.0
"""The least lead of the best content over the next, in half squares of standard deviations."""
LEANING: Final = 1.0
"""The lead that is enough for a lesson from several hexes together."""
STRANGE: Final = 40.0
"""A content that costs more than this looks like nothing taught: a hand, glare, another edition."""

SAME, OTHER = 0.25, 0.4
"""A hex whose strength and colour changed by less than the first has stayed; by more than the second it has
changed; between them it is undecided.
"""
SAME_TINT, OTHER_TINT = 0.13, 0.17
ALIKE, UNALIKE = 0.6, 0.35
"""A tile has the pictogram of its print, with a likeness above the first; a wild hex has not, with one below
the second; between them it is undecided.
"""


class ReadHex(msgspec.Struct, frozen=True):
    """A hex as read; ``sure`` is True if nobody need be asked about it."""

    shown: HexShown
    sure: bool


def read(looks: Sequence[HexLook], album: Album) -> list[ReadHex]:
    """Read hexes by their looks alone."""
    light = album.light(looks)
    return [_read_by_looks(album, look, light) for look in looks]


def _read_by_looks(album: Album, look: HexLook, light: Floats) -> ReadHex:
    costs = sorted((cost, shown) for shown, cost in album.costs(look, light).items())
    (best, shown), *others = costs
    sure = best < STRANGE and (not others or others[0][0] - best > CLEAR)
    return ReadHex(shown, sure)


def read_after(
    before: Sequence[tuple[HexLook, HexShown]], looks: Sequence[HexLook], album: Album
) -> list[ReadHex]:
    """Read hexes beside an accepted picture of them, by the same camera from the same place.

    ``album`` must know the kinds of that picture; its light may have changed with exposure and white balance.
    """
    light = album.light(looks)
    tints = np.array([look.colour - old.colour for look, (old, _) in zip(looks, before, strict=True)])
    apart = np.abs(tints - np.median(tints, axis=0)).max(axis=1)
    found = []
    for look, (old, shown), tint in zip(looks, before, apart, strict=True):
        changed = _has_changed(old, look, float(tint))
        if shown.lies != EMPTY:
            found.append(ReadHex(shown, changed is not True))
            continue
        lies = EMPTY if changed is False else _find_laid(old, look)
        seen = _find_state(album, shown.kind, look, light)
        sure = changed is not None and lies == seen
        if changed and _is_foreign(album, shown.kind, look, light):
            sure = False
        laid = (lies if seen is None else seen) or EMPTY
        found.append(ReadHex(HexShown("" if laid == WILD else shown.kind, laid), sure))
    return found


def printed(looks: Sequence[HexLook], album: Album) -> list[tuple[str, ...]]:
    """Return the kinds that may be printed on hexes by their look, the likeliest first; one kind if people
    need not be asked.

    Sure prints also teach the look of the copy's print.
    """
    light = album.light(looks)
    first = [_find_kinds(album, look, light, LEANING) for look in looks]
    pairs = [(look, HexShown(kinds[0])) for look, kinds in zip(looks, first, strict=True) if len(kinds) == 1]
    better = album.learnt(pairs, light)
    return [_find_kinds(better, look, light, CLEAR) for look in looks]


def _find_kinds(album: Album, look: HexLook, light: Floats, clear: float) -> tuple[str, ...]:
    costs = album.prints(look, light)
    wild = costs.pop("", STRANGE)
    first, second, *_ = sorted(costs, key=costs.__getitem__)
    sure = costs[first] < STRANGE and min(costs[second], wild) - costs[first] > clear
    return (first,) if sure else (first, second)


def disorder(pairs: Sequence[tuple[HexLook, HexShown]]) -> float:
    """Return the distance of grounds from those of hexes with the same content, as a mean square."""
    same: dict[HexShown, list[Floats]] = {}
    for look, shown in pairs:
        same.setdefault(shown, []).append(look.colour)
    apart = [np.array(colours) - np.median(colours, axis=0) for colours in same.values() if len(colours) > 1]
    return float(np.square(np.concatenate(apart)).sum(axis=1).mean()) if apart else 0.0


def odd(pairs: Sequence[tuple[HexLook, HexShown]]) -> list[int]:
    """Return the hexes of one picture that do not look like the others with the same content.

    They differ by strength, which separates a tile from its print. A content seen only once is never odd.
    """
    found = []
    for number, (look, shown) in enumerate(pairs):
        others = [strength(other) for at, (other, same) in enumerate(pairs) if same == shown and at != number]
        if others and abs(strength(look) - float(np.median(others))) > OTHER:
            found.append(number)
    return found


def _is_foreign(album: Album, kind: str, look: HexLook, light: Floats) -> bool:
    """Return True if a hex looks most like another kind than the printed one: people err."""
    costs = album.costs(look, light)
    return min(costs, key=lambda shown: costs[shown]).kind not in ("", kind)


def _has_changed(old: HexLook, look: HexLook, tint: float) -> bool | None:
    """Return True if a hex changed, False if not, None if unknown."""
    strong = abs(strength(look) - strength(old))
    if strong > OTHER or tint > OTHER_TINT:
        return True
    return False if strong < SAME and tint < SAME_TINT else None


def _find_laid(old: HexLook, look: HexLook) -> str | None:
    """Return the piece that came on a changed hex, by the pictogram; None if unknown."""
    alike = likeness(look, old.grey)
    return TILE if alike > ALIKE else WILD if alike < UNALIKE else None


def _find_state(album: Album, kind: str, look: HexLook, light: Floats) -> str | None:
    """Return the state of a space of a ``kind`` by its look; None if unknown."""
    costs = album.costs(look, light)
    there = sorted((cost, shown.lies) for shown, cost in costs.items() if shown.kind in ("", kind))
    (best, lies), *others = there
    return lies if not others or others[0][0] - best > CLEAR else None
