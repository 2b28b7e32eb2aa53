"""Every expansion in the box, in the order of the rules."""

from __future__ import annotations

from engines.marrakesh.expanding import Expansion
from engines.marrakesh.expansions import attendants, offices, spectators, staircase, towns

EXPANSIONS: tuple[Expansion, ...] = (
    staircase.EXPANSION,
    attendants.EXPANSION,
    offices.EXPANSION,
    spectators.EXPANSION,
    towns.EXPANSION,
)
