"""From a step's text to choices and back, for any game."""

from __future__ import annotations

from typing import Any

from engines.contract import Choice, Game, Over
from engines.errors import Ambiguous, Malformed, Refused, Stale

CLOSING = "."
"""The token that ends a list of any length; at a text's end it may be left out."""


def read(game: Game[Any, Any], state: Any, text: str, seat: int | None = None) -> tuple[list[Choice], Any]:
    """The choices that ``text`` stands for in ``state``, all legal, and the state after the last.

    All or none: raises Malformed, Ambiguous, Refused or Stale (the match is over) and leaves nothing behind.
    ``seat`` matters only where several are asked at once; then the text is one sealed choice and the state
    comes back as it was.
    """
    tokens = game.tokens(text)
    choices: list[Choice] = []
    while tokens or (choices and game.pending(state).open):
        pending = game.pending(state)
        if isinstance(pending, Over):
            raise Stale(f"{text!r}: the match is over")
        if choices and not pending.open:
            raise Malformed(f"{text!r}: the step ends before {tokens[0]!r}")
        if not tokens and not _may_close(game, state, pending, seat):
            raise Malformed(f"{text!r} is unfinished: {pending.question} is still open")
        token = tokens.pop(0) if tokens else CLOSING
        choice = Choice(pending.question, _in_domain(game, state, pending.question, pending.domain, token))
        refusal = game.why_not(state, choice, seat)
        if refusal:
            raise Refused(refusal, token)
        choices.append(choice)
        if len(getattr(pending, "seats", ())) > 1:
            if tokens:
                raise Malformed(f"{text!r}: a sealed choice is one word")
            return choices, state
        state = game.apply(state, choice)
    if not choices:
        raise Malformed("an empty step")
    return choices, state


def _may_close(game: Game[Any, Any], state: Any, pending: Any, seat: int | None) -> bool:
    """Whether the closing token, left out, is what the open question waits for."""
    closing = Choice(pending.question, CLOSING)
    return pending.domain.holds(CLOSING) and game.why_not(state, closing, seat) is None


def _in_domain(game: Game[Any, Any], state: Any, question: str, domain: Any, token: str) -> str:
    """The domain's own token: as written, or the only one of which ``token`` is the end."""
    if domain.holds(token):
        return token
    fitting = [known for known in domain.tokens if len(token) > 1 and known.endswith(token)]
    if len(fitting) > 1:
        raise Ambiguous(token, fitting)
    if fitting:
        return str(fitting[0])
    legal = " ".join(choice.token for choice in game.legal(state)[:12])
    raise Malformed(f"{token!r} does not answer {question!r}" + (f"; try {legal}" if legal else ""))
