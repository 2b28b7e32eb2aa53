"""The options of a match: a set-up's choice among a game's options, and its agreement with a position."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeVar

import msgspec

from engines.contract import Level, Option, Setup, Told
from engines.errors import BadSetup
from engines.kit.forms import given
from engines.kit.rulebook import Playing

S = TypeVar("S", bound=Playing)
V = TypeVar("V", bound=msgspec.Struct)


def opening(
    game: str,
    clause: str,
    setup: Setup,
    read: Callable[[str, Told], S],
    *,
    seats: Collection[int],
    options: Sequence[Option] = (),
    there: Callable[[S], Mapping[str, str]] = lambda _: {},
    levels: Collection[Level] = tuple(Level),
    rules: Collection[int] = (),
) -> tuple[dict[str, str], S | None]:
    """Return every option's value by name, and the state of the set-up's position or None.

    ``game`` is the game's title, ``clause`` the clause with the number of seats. ``read`` reads a position,
    ``there`` returns the options of its state; the level of a state without a ``level`` is full. ``rules``
    are the playable versions of the rules if there are several; the state and its position then name theirs
    as ``rules``. Raises :class:`engines.errors.BadSetup` or ``BadPosition``.
    """
    if setup.seats not in seats:
        many = tuple(map(str, seats))
        raise BadSetup("{game} is for {several} players ({clause})", game, many, clause)
    if not 0 <= setup.start < setup.seats:
        raise BadSetup("the seat that starts is none of {seats}", setup.seats)
    if setup.rules_version and setup.rules_version not in rules:
        version = setup.rules_version
        if not rules:
            raise BadSetup("{game} has one version of the rules only, not version {version}", game, version)
        known = tuple(map(str, rules))
        raise BadSetup("{game} is played by rules version {known}, not {version}", game, known, version)
    values = chosen(game, options, setup)
    if setup.position:
        state = read(_add_rules(setup), setup.facts)
        if len(state.adjusted) != setup.seats:
            seated = len(state.adjusted)
            raise BadSetup("the position has {there} seats, the match {here}", seated, setup.seats)
        if setup.rules_version and setup.rules_version != getattr(state, "rules", 0):
            raise BadSetup("the position is of other rules than version {version}", setup.rules_version)
        agree(options, setup, values, there(state), getattr(state, "level", Level.FULL))
        return values, state
    if setup.level not in levels:
        followed = tuple(level.value for level in levels)
        raise BadSetup("{game} is followed {levels}, not {level}", game, followed, setup.level.value)
    return values, None


def _add_rules(setup: Setup) -> str:
    """Return the set-up's position with its version of the rules, which those of the first version lack."""
    named = not setup.rules_version or "rules" in given(setup.position)
    return setup.position if named else f"{setup.position} rules={setup.rules_version}"


def chosen(game: str, options: Sequence[Option], setup: Setup) -> dict[str, str]:
    """Return every option's value by name: the set-up's, or else its default.

    An option that makes no difference beside the others has its default, whatever the set-up says. ``game``
    is the game's title. Raises :class:`engines.errors.BadSetup` for an unknown option or value.
    """
    known = {option.name: option for option in options}
    told = dict(setup.options)
    for name, value in told.items():
        if name not in known:
            raise BadSetup("{game} has no option {name!r}; it has {known}", game, name, ", ".join(known))
        values = known[name].values
        if value not in values:
            raise BadSetup(
                "option {name} is {several}, not {value!r} ({clause})",
                name,
                values,
                value,
                known[name].clause,
            )
    values_of = {name: told.get(name, option.values[0]) for name, option in known.items()}
    return {
        name: values_of[name] if option.matters(values_of) else option.values[0]
        for name, option in known.items()
    }


def agree(
    options: Sequence[Option], setup: Setup, chosen: Mapping[str, str], there: Mapping[str, str], level: Level
) -> None:
    """Check a match's options and level against those of the position that it starts from.

    An option at its default in the match may have any value in the position, ``there``. Raises
    :class:`engines.errors.BadSetup`.
    """
    if setup.level not in (Level.FULL, level):
        raise BadSetup("the position has level {there}, the match {here}", level.value, setup.level.value)
    for option in options:
        name, value = option.name, chosen[option.name]
        if value not in (option.values[0], there[name]):
            raise BadSetup(
                "the position has {name} {there}, the match {here} ({clause})",
                name,
                there[name],
                value,
                option.clause,
            )


def variant(kind: type[V], declared: Sequence[Option], seats: int, chosen: Mapping[str, str]) -> V:
    """Return a match's variant: a Struct with the number of seats and, in the order of the ``declared``
    options, True for each that has its second value; ``chosen`` has a value of each by name.
    """
    return kind(seats, *(chosen[option.name] != option.values[0] for option in declared))


def of_variant(declared: Sequence[Option], variant: msgspec.Struct) -> dict[str, str]:
    """Return the options of a :func:`variant`, a value of each by name; further fields are the game's own."""
    _, *others = msgspec.structs.astuple(variant)
    return {option.name: option.values[other] for option, other in zip(declared, others, strict=False)}
