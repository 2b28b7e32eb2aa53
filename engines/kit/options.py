"""The options of a match: what a set-up chooses of those that a game has, and whether a position agrees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engines.contract import Level, Option, Setup
from engines.errors import BadSetup, did_you_mean


def chosen(game: str, options: Sequence[Option], setup: Setup) -> dict[str, str]:
    """Every option's value by name: as the set-up has it, else its default.

    One that makes no difference beside the others has its default, whatever the set-up says. ``game`` is
    the game's title. Raises :class:`engines.errors.BadSetup` for an unknown option or value.
    """
    known = {option.name: option for option in options}
    told = dict(setup.options)
    for name, value in told.items():
        if name not in known:
            raise BadSetup(
                f"{game} has no option {name!r}; it has {', '.join(known)}{did_you_mean(name, known)}"
            )
        values = known[name].values
        if value not in values:
            near = did_you_mean(value, values)
            raise BadSetup(
                f"option {name} is {' or '.join(values)}, not {value!r} ({known[name].clause}){near}"
            )
    values_of = {name: told.get(name, option.values[0]) for name, option in known.items()}
    return {
        name: values_of[name] if option.matters(values_of) else option.values[0]
        for name, option in known.items()
    }


def agree(
    options: Sequence[Option], setup: Setup, chosen: Mapping[str, str], there: Mapping[str, str], level: Level
) -> None:
    """Hold a match against the position that it starts from, which has options ``there`` and a ``level``.

    A position brings its own: it need only have what the match says otherwise than by default. Raises
    :class:`engines.errors.BadSetup`.
    """
    if setup.level not in (Level.FULL, level):
        raise BadSetup(f"the position has level {level.value}, the match {setup.level.value}")
    for option in options:
        name, value = option.name, chosen[option.name]
        if value not in (option.values[0], there[name]):
            raise BadSetup(f"the position has {name} {there[name]}, the match {value} ({option.clause})")
