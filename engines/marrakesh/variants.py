"""The options of a match: the base game's, then each expansion's."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from engines.kit.options import of_variant, variant
from engines.marrakesh.expanding import Expansion
from engines.marrakesh.expansions.every import EXPANSIONS
from engines.marrakesh.state import OPTIONS as BASE
from engines.marrakesh.state import State, Variant

OPTIONS = (*BASE, *(each.option for each in EXPANSIONS))


def variant_of(seats: int, options: Mapping[str, str]) -> Variant:
    """The variant of so many seats with these options, a value of each by name."""
    named = (each.option for each in EXPANSIONS)
    played = frozenset(option.name for option in named if options[option.name] != option.values[0])
    return replace(variant(Variant, BASE, seats, options), expansions=played)


def options(variant: Variant) -> dict[str, str]:
    """The options of a variant, a value of each by name."""
    return of_variant(BASE, variant) | {
        each.name: each.option.values[each.name in variant.expansions] for each in EXPANSIONS
    }


def expansions(variant: Variant) -> tuple[Expansion, ...]:
    """The expansions that are played."""
    return tuple(each for each in EXPANSIONS if each.name in variant.expansions)


def played(state: State) -> tuple[Expansion, ...]:
    """Those of a match."""
    return expansions(state.variant) if state.variant.expansions else ()
