"""What is refused in a match, with what would do: every answer at every point of its steps."""

from random import Random

from engines import bags
from engines.contract import Choice, Decide, Multiset, Over
from engines.match import Step
from engines.remedies import Attempt

DRAWN = 8
"""So many answers are drawn to a question that lists none."""


def candidates(pending):
    """Return what may be picked or written; of what is not listed some that are drawn and some beyond."""
    domain = pending.domain
    if domain.listed:
        return [*domain.tokens, *domain.written]
    drawn = [domain.draw(Random(at)) for at in range(DRAWN)]
    if isinstance(domain, Multiset):
        caps = bags.counts(domain.caps or 0, len(domain.kinds))
        drawn += [f"{cap + 1}{kind}" for kind, cap in zip(domain.kinds, caps, strict=True)]
    return list(filter(domain.holds, drawn))


def attempts(match, every=1, first=0):
    """Whatever is refused at the points of every so manieth step of a match that was played."""
    for at in range(first, len(match.steps), every):
        step = match.steps[at]
        if not isinstance(step, Step):
            continue
        here, walked = match.branch(at), match.walk(at)
        for count, (state, _) in enumerate(walked):
            yield from refused(here, [choice for _, choice in walked[:count]], state, step.seat, step.waived)


def refused(match, begun, state, seat=None, waived=()):
    """Whatever is refused at one point."""
    rules = match.game.rules
    pending = rules.pending(state)
    if isinstance(pending, Over) or (isinstance(pending, Decide) and len(pending.seats) > 1):
        return
    for token in candidates(pending):
        choice = Choice(pending.question, token)
        if refusal := rules.why_not(state, choice, seat):
            yield Attempt(match, begun, choice, refusal, seat, waived)
