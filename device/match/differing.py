"""Differences of two states of a match on the table, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engines.board import Cell
from engines.contract import Zone
from engines.words import Words

Zones = dict[tuple[int | None, str], list[Zone]]


def differences(words: Words, before: Any, after: Any) -> list[str]:
    """Return the differences: ``d3: nothing → village``, ``Adso, Marble, workers: 3 × worker (was 2)``."""
    zones = (_zones(words, state) for state in (before, after))
    return [*_cells(words, before, after), *_lying(words, *zones)]


def _whose(words: Words, seat: int | None) -> str:
    return "" if seat is None else f"{words.name(seat)}, "


def _cells(words: Words, before: Any, after: Any) -> Iterator[str]:
    for sight in words.game.in_sight(after).values():
        was, now = (sight.board(sight.of(state)) for state in (before, after))
        for place, cell in enumerate(now.cells if now else ()):
            old = was.cells[place] if was and place < len(was.cells) else None
            if now and cell and cell != old:
                name = f"{_whose(words, sight.SEAT)}{now.name(place)}"
                yield f"{name}: {_stands(words, old)} → {_stands(words, cell)}"


def _stands(words: Words, cell: Cell | None) -> str:
    """Blocks and a piece on a cell; where there is neither, nothing."""
    height = [str(cell.height)] if cell and cell.height else []
    piece = [words.stands(cell)[-1]] if cell and cell.piece else []
    return words.texts.row([*height, *piece]) or words("counts.none")


def _zones(words: Words, state: Any) -> Zones:
    found: Zones = {}
    for zone in words.game.telling.zones(state):
        found.setdefault((zone.seat, zone.name), []).append(zone)
    return found


def _lying(words: Words, before: Zones, after: Zones) -> Iterator[str]:
    """Of one zone the pieces that came or went, of several alike (towers, piles) all that lie there now."""
    for seat, name in dict.fromkeys((*after, *before)):
        was, now = before.get((seat, name), []), after.get((seat, name), [])
        if was == now:
            continue
        whose = _whose(words, seat)
        if len(was) > 1 or len(now) > 1:
            yield f"{whose}{words.lies(now)[0] if now else words('told.gone', zone=words(f'zone.{name}'))}"
            continue
        old, new = (words.counted(zones[0]) if zones else {} for zones in (was, now))
        parts = [
            words("told.lies", n=new.get(key, 0), what=" ".join([key[0], *key[1]]), was=old.get(key, 0))
            for key in dict.fromkeys((*old, *new))
            if old.get(key, 0) != new.get(key, 0)
        ]
        yield f"{whose}{words(f'zone.{name}')}: {words.texts.row(parts)}"
