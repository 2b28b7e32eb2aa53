"""Reading of a step's text, for any game."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from engines.contract import Choice, Decide, Game, Over, Refusal
from engines.errors import Ambiguous, Malformed, Refused, Stale

CLOSING = "."
"""The token that ends a list of any length; it may be left out at a text's end."""


def read(
    game: Game[Any, Any], state: Any, text: str, seat: int | None = None, waived: Collection[str] = ()
) -> tuple[list[Choice], Any]:
    """Return the choices of ``text`` in ``state``, all legal, and the state after the last.

    Raises Malformed, Ambiguous, Refused, or Stale if the match is over. A choice that only clauses in
    ``waived`` forbid is not refused: it stands, or raises Impossible. ``seat`` matters only if several seats
    are asked at once; the text is then one sealed choice, which nothing overrules, and the state returned is
    ``state``.
    """
    tokens = game.notation.fitted(state, game.notation.tokens(text))
    choices: list[Choice] = []
    while tokens or (choices and game.rules.pending(state).open):
        pending = game.rules.pending(state)
        if isinstance(pending, Over):
            raise Stale("{text!r}: the match is over", text)
        if choices and not pending.open:
            whole = game.notation.text(choices)
            raise Malformed("{text!r}: the step ends after {whole!r}", text, whole)
        if not tokens and not _may_close(game, state, pending, seat, waived):
            raise Malformed("{text!r} is unfinished: {asked} is still open", text, pending.question)
        token = tokens.pop(0) if tokens else CLOSING
        # Errors quote a token that people write in another way (Torres: Ed1 is E d1) by the whole text.
        written = token if token in text.split() else text
        choice = Choice(pending.question, _find_token(game, state, pending, token, written, seat))
        refusal = game.rules.why_not(state, choice, seat)
        sealed = isinstance(pending, Decide) and len(pending.seats) > 1
        if refusal and (sealed or refusal.clause not in waived):
            raise Refused(refusal, token, (*choices, choice))
        choices.append(choice)
        if sealed:
            if tokens:
                raise Malformed("{text!r}: a sealed choice is one word", text)
            return choices, state
        state = _apply(game, state, choice, refusal, seat)
    if not choices:
        raise Malformed("an empty step")
    return choices, state


def walk(
    game: Game[Any, Any],
    state: Any,
    choices: Iterable[Choice],
    seat: int | None = None,
    waived: Collection[str] = (),
) -> Iterator[tuple[Any, Choice]]:
    """Yield each choice of a step with the state before it; the last need not be legal."""
    made: Choice | None = None
    for choice in choices:
        if made:
            refusal = game.rules.why_not(state, made, seat) if waived else None
            state = _apply(game, state, made, refusal, seat)
        yield state, choice
        made = choice


def _apply(
    game: Game[Any, Any], state: Any, choice: Choice, refusal: Refusal | None, seat: int | None
) -> Any:
    """Return the state after a choice, whose ``refusal`` people overrule."""
    if refusal:
        return game.rules.overrule(state, choice, refusal.clause, seat)
    return game.rules.apply(state, choice)


def _may_close(
    game: Game[Any, Any], state: Any, pending: Any, seat: int | None, waived: Collection[str]
) -> bool:
    """Return True if the open question takes the closing token, which the text leaves out."""
    if not pending.domain.holds(CLOSING):
        return False
    refusal = game.rules.why_not(state, Choice(pending.question, CLOSING), seat)
    return refusal is None or refusal.clause in waived


def _find_token(
    game: Game[Any, Any], state: Any, pending: Any, token: str, written: str, seat: int | None
) -> str:
    """Return the domain's own token: ``token`` itself, or the only one that ends with it.

    An error quotes it as ``written``.
    """
    domain = pending.domain
    if domain.holds(token):
        return token
    fitting = [known for known in domain.tokens if len(token) > 1 and known.endswith(token)]
    if len(fitting) > 1:
        raise Ambiguous(token, fitting)
    if fitting:
        return str(fitting[0])
    if domain.listed:
        legal = game.rules.legal(state, seat)[:12]
        hint = ", ".join(choice.token if pending.open else game.notation.text([choice]) for choice in legal)
    else:
        hint = domain.said
    asked = pending.question
    if hint:
        error = Malformed("{word!r} does not answer {asked!r}; try {hint}", written, asked, hint)
    else:
        error = Malformed("{word!r} does not answer {asked!r}", written, asked)
    error.asked = pending
    raise error
