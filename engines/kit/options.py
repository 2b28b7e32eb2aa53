"""The options of a match: what a set-up chooses of those that a game has, and whether a position agrees."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeVar

import msgspec

from engines.contract import Level, Option, Setup, Told
from engines.errors import BadSetup, did_you_mean
from engines.kit.position import given
from engines.kit.rulebook import Playing

S = TypeVar("S", bound=Playing)
V = TypeVar("V", bound=msgspec.Struct)


def opening(
    game: str,
    table: str,
    setup: Setup,
    read: Callable[[str, Told], S],
    *,
    seats: Collection[int],
    options: Sequence[Option] = (),
    there: Callable[[S], Mapping[str, str]] = lambda _: {},
    levels: Collection[Level] = tuple(Level),
    rules: Collection[int] = (),
) -> tuple[dict[str, str], S | None]:
    """Return every option's value by name, and the state of the set-up's position, None without one.

    ``game`` is the game's title, ``table`` says who sits down (``two players, seats a and b (SG-1.1)``).
    ``read`` reads a position, ``there`` tells the options of its state; a state without a ``level`` is
    followed full. ``rules`` are the versions of the rules that can be played, where there are several; the
    state and its position then say which, as ``rules``. Raises :class:`engines.errors.BadSetup` or
    ``BadPosition``.
    """
    if setup.seats not in seats or not 0 <= setup.start < setup.seats:
        raise BadSetup(f"{game} is for {table}")
    if setup.rules_version and setup.rules_version not in rules:
        known = " or ".join(map(str, rules)) or "no version but the current one"
        raise BadSetup(f"{game} is played by rules {known}, not {setup.rules_version}")
    values = chosen(game, options, setup)
    if setup.position:
        state = read(_under(setup), setup.facts)
        if len(state.adjusted) != setup.seats:
            raise BadSetup(f"the position has {len(state.adjusted)} seats, the match {setup.seats}")
        if setup.rules_version and setup.rules_version != getattr(state, "rules", 0):
            raise BadSetup(f"the position is of other rules than version {setup.rules_version}")
        agree(options, setup, values, there(state), getattr(state, "level", Level.FULL))
        return values, state
    if setup.level not in levels:
        followed = " or ".join(level.value for level in levels)
        raise BadSetup(f"{game} is followed {followed}, not {setup.level.value}")
    return values, None


def _under(setup: Setup) -> str:
    """Return the set-up's position with the version of the rules, which those of the first version lack."""
    named = not setup.rules_version or "rules" in given(setup.position)
    return setup.position if named else f"{setup.position} rules={setup.rules_version}"


def chosen(game: str, options: Sequence[Option], setup: Setup) -> dict[str, str]:
    """Return every option's value by name: as the set-up has it, else its default.

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
    """Check a match's options and level against those of the position that it starts from.

    An option that the match leaves at its default may be ``there`` with any value. Raises
    :class:`engines.errors.BadSetup`.
    """
    if setup.level not in (Level.FULL, level):
        raise BadSetup(f"the position has level {level.value}, the match {setup.level.value}")
    for option in options:
        name, value = option.name, chosen[option.name]
        if value not in (option.values[0], there[name]):
            raise BadSetup(f"the position has {name} {there[name]}, the match {value} ({option.clause})")


def variant(kind: type[V], declared: Sequence[Option], seats: int, chosen: Mapping[str, str]) -> V:
    """Return a match's variant, a Struct of how many sit down and then, in the order of the ``declared``
    options, whether each is its second value; ``chosen`` has a value of each by name.
    """
    return kind(seats, *(chosen[option.name] != option.values[0] for option in declared))


def of_variant(declared: Sequence[Option], variant: msgspec.Struct) -> dict[str, str]:
    """Return the options of a :func:`variant`, a value of each by name; later fields are the game's own."""
    _, *others = msgspec.structs.astuple(variant)
    return {option.name: option.values[other] for option, other in zip(declared, others, strict=False)}
