"""Simulated tables on which everything lies as a state of a match has it."""

from typing import Any

import engines
from device.sensors.readers.san_gimignano.towers import STONE
from device.sensors.simulated_table import SimulatedTable
from engines.san_gimignano.cards import RANK_NAMES, Tower
from tests.e2e.test_camera import standing

PITCH_MM = 29.45


def board(state: Any) -> SimulatedTable:
    """A Torres board."""
    return standing(engines.game("torres").sight.of(state))


def cards(tower: Tower) -> tuple[str, ...]:
    """A tower's storeys from the far end."""
    if tower.complete:
        return ("back",) * tower.height
    names = dict(zip(range(5, 11), RANK_NAMES, strict=True))
    if tower.plain:
        stones = len(tower.stones)
        return (STONE,) * stones + (names[tower.low],) * (tower.height - stones)
    return tuple(STONE if rank in tower.stones else names[rank] for rank in range(tower.low, tower.high + 1))


def areas(state: Any) -> SimulatedTable:
    """The towers of both sides of San Gimignano."""
    columns = {f"area{1 + side}": tuple(map(cards, towers)) for side, towers in enumerate(state.towers)}
    return SimulatedTable(
        columns=columns, area_mm=(500.0, 225.0), elevation_deg=75.0, azimuth_deg=5.0, distance_mm=1050.0
    )


def hexes(state: Any, seat: int = 0, **instead: str) -> tuple[tuple[int, int, str, str], ...]:
    """Return what lies on a seat's region, with other things ``instead`` by the name of a space."""
    land, spaces = state.known_region(seat), engines.game("castles_of_tuscany").sights[seat].of(state)
    lies = {name: "wild" if name in spaces.wild else "tile" * (name in spaces.tiles) for name in land.names}
    places = zip(land.spots, land.kinds, (lies | instead).values(), strict=True)
    return tuple((*spot, kind, there) for spot, kind, there in places)


def regions(state: Any) -> SimulatedTable:
    """The regions of The Castles of Tuscany."""
    seats = [seat for seat in range(len(state.sides)) if state.known_region(seat)]
    laid = {f"region{1 + seat}": hexes(state, seat) for seat in seats}
    return SimulatedTable(
        hexes=laid, cell_mm=PITCH_MM, elevation_deg=72.0, azimuth_deg=5.0, distance_mm=800.0
    )
