"""Sensible players of Marrakesh: they gather keshis where they like to act, act there once they pay, buy what
they can and decline little.
"""

from engines.contract import Choice
from engines.marrakesh.frames import Choose
from engines.marrakesh.pieces import AREAS, CHOSEN, LETTERS

DECLINED = ("none", "done", "no", "go")
ENOUGH = 3
"""With so many keshis in an area a player acts there rather than take one more."""
LIKES = "tykwbnpgrluo"
"""Colours, the best first."""
DECLINES = 0.1
"""How often a player declines what it is offered."""


def sensible(game, state, world, seat, true, rng):
    """A ``choose`` for walks."""
    question = true[0].question
    tokens = told_in_order(state, true) if question == "choose" else [choice.token for choice in true]
    wanted = [token for token in tokens if token not in DECLINED]
    if wanted and len(wanted) < len(tokens) and rng.random() >= DECLINES:
        tokens = wanted
    rate = RATES.get(question)
    if question == "choose" and len(tokens) == 1:
        return Choice(question, tokens[0])
    if not rate:
        return Choice(question, rng.choice(tokens))
    return Choice(question, min(tokens, key=lambda token: rate(state, token) + 2 * rng.random()))


def told_in_order(state, true):
    """The keshis that come after those named and leave enough behind them; all where none does."""
    after = LETTERS.index((state.asked(Choose).colours or "t")[-1])
    later = [choice.token for choice in true if LETTERS.index(choice.token) >= after]
    enough = later[: len(later) - CHOSEN + len(state.asked(Choose).colours) + 1]
    return enough or [choice.token for choice in true]


def _action(state, token):
    area, _, use = token.partition(".")
    if area == "s":
        return 4 if use in ("l", "u", "o") else 0
    there = state.own.deployed(AREAS.index(area))
    return (LIKES.index(area) if use == "keshi" else 0) + (ENOUGH - there if use == "act" else 0)


def _claim(state, token):
    letters = token[1] if token[0].isdigit() else token
    return sum(map(LIKES.index, letters)) / len(letters) - 3 * (token[0] == "2")


def _scroll(state, token):
    return -int(token) / 10 if token.isdigit() else 0


RATES = {
    "choose": lambda state, token: LIKES.index(token),
    "action": _action,
    "claim": _claim,
    "keshi": lambda state, token: LIKES.index(token),
    "scroll": _scroll,
    "learn": _scroll,
}


def busy(game, state, world, seat, true, rng):
    """Mostly sensible, at times anything: walks that do much and still try what nobody would."""
    return rng.choice(true) if rng.random() < 0.2 else sensible(game, state, world, seat, true, rng)
