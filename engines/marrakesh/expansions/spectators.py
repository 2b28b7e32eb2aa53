"""Spectators (MK-17.4): all play with the purple side of the disc."""

from __future__ import annotations

from collections.abc import Callable

from engines.contract import Option
from engines.marrakesh import square
from engines.marrakesh.book import Effect, once_known
from engines.marrakesh.expanding import Expansion
from engines.marrakesh.facts import known
from engines.marrakesh.state import State

EXPANSION = Expansion(option=Option("spectators", ("pink", "purple"), "MK-17.4"))


@square.sections.changed_by(EXPANSION.name)
def _(_: object, state: State) -> tuple[int, ...]:
    there: tuple[int, ...] = known(state.copy, "purple_disc")
    return there


@square.asked_of_disc.changed_by(EXPANSION.name)
def _(below: Callable[[State, Effect], State], state: State, effect: Effect) -> State:
    return once_known(state, effect, "purple_disc") or below(state, effect)
