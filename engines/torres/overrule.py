"""An illegal choice that people let stand."""

from __future__ import annotations

from msgspec.structs import replace

from engines.contract import Choice, Refusal
from engines.errors import Impossible
from engines.torres import play
from engines.torres.checks import CHECKS
from engines.torres.moves import legal
from engines.torres.possible import leads_on
from engines.torres.problems import broken
from engines.torres.state import State


def overrule(state: State, choice: Choice, clause: str) -> State:
    """The state after ``choice``, ``clause`` waived with all else that it breaks.

    It costs the action points that there are, and a block comes from the supply where no own one is left.
    Raises Impossible for two pieces on one space, a seventh knight, a 93rd block or a card played twice.
    """
    state = _waive(state, {clause})
    after = leads_on(state, choice)
    if after is None:
        raise Impossible(CHECKS.why_not(state, choice) or Refusal("", clause))
    return _waive(after, broken(after))


def apply(state: State, choice: Choice) -> State:
    """The state after a choice where clauses were overruled.

    One that only stands in may break more of them, and what a wrong block was lifted from shows only now.
    """
    after = play.apply(state, choice)
    harmless = choice.question != "move_to" and legal(state)
    return after if harmless else _waive(after, broken(after))


def _waive(state: State, clauses: set[str]) -> State:
    return replace(state, waived=tuple(sorted(clauses | set(state.waived))))
