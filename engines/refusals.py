"""Why nothing of a verb is legal, said of all its answers: nobody has chosen one of them yet."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from engines.contract import Choice, Domain, Over, Refusal, Rules


def why_none(
    rules: Rules[Any], state: Any, verb: str, seat: int | None = None
) -> tuple[Choice, Refusal] | None:
    """Return the first answer of the ``verb`` of that name that gets furthest in the checks of the question
    asked, and why it is refused, without the figures that come from it; None where an answer is legal, or
    there is none.

    A verb's only answer is named as soon as the verb is: its refusal is that of the answer.
    """
    asked = rules.pending(state)
    if isinstance(asked, Over) or not isinstance(asked.domain, Domain):
        return None
    tokens = next((one.tokens for one in asked.domain.verbs if one.name == verb), ())
    refused: list[tuple[Choice, Refusal]] = []
    for choice in (Choice(asked.question, token) for token in tokens):
        refusal = rules.why_not(state, choice, seat)
        if refusal is None:
            return None
        refused.append((choice, refusal))
    if len(refused) < 2:
        return next(iter(refused), None)
    choice, refusal = max(refused, key=lambda one: one[1].depth)
    figures = tuple(figure for figure in refusal.figures if figure[0] not in refusal.names)
    return choice, replace(refusal, figures=(*figures, ("verb", verb)))
