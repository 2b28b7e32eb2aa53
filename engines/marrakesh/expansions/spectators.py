"""Spectators (MK-17.4): all play with the purple side of the disc."""

from __future__ import annotations

from collections.abc import Callable

from engines.contract import SEATS, Label, Option
from engines.marrakesh import square
from engines.marrakesh.book import BOOK, Effect, once_known
from engines.marrakesh.expanding import Expansion, Tell
from engines.marrakesh.facts import known
from engines.marrakesh.state import State

OPTION = Option("spectators", ("pink", "purple"), "MK-17.4")
BOOK.never_waived |= {"position.disc"}


@square.sections.changed_by(OPTION.name)
def change_sections(_: object, state: State) -> tuple[int, ...]:
    """Return the sections of the purple side (MK-17.4), none while they are unknown."""
    return known(state.copy, "purple_disc") or ()


@square.asked_of_disc.changed_by(OPTION.name)
def change_asked_of_disc(below: Callable[[State, Effect], State], state: State, effect: Effect) -> State:
    """Ask for the sections of the purple side before the disc is turned."""
    return once_known(state, effect, "purple_disc") or below(state, effect)


def _problems(state: State, problem: Tell) -> None:
    """How a disc lies is told by its sections."""
    for seat, side in enumerate(state.sides):
        if side.disc >= 0 and not square.sections(state):
            problem(f"disc.{SEATS[seat]}", "position.disc", "MK-17.4")


EXPANSION = Expansion(option=OPTION, laid=lambda _: Label("laid.spectators"), problems=_problems)
