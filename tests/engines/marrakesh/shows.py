"""What a recorded match can show, by the words of its note."""

from itertools import pairwise

from engines import bags
from engines.marrakesh.problems import current
from engines.marrakesh.scoring import bookings
from engines.marrakesh.state import Effect

DEEP = 4


def asked(*questions):
    """Whether the table or a seat was asked one of these."""

    def shows(match):
        return any(
            point.state.frames and point.state.frames[-1].question in questions for point in match.points
        )

    return shows


def scored(category):
    """Whether something was booked so."""
    return lambda match: any(one.category == category for one in bookings(match.state))


def failed(match):
    """Whether somebody lost resources as well as VP for provision that they could not give (MK-15.3)."""
    return any(
        gain.category == "provision" and old.resources and not new.resources
        for before, after in pairwise(match.points)
        for old, new in zip(before.state.sides, after.state.sides, strict=True)
        for gain in new.gains[len(old.gains) :]
    )


def deepest(match):
    """How many questions and effects of one action waited for one another at most, and at which step last."""
    return max(
        (len(state.frames) - len(current(state).coming) - again(state), at)
        for at, state in enumerate(point.state for point in match.points)
        if state.frames and state.frames[-1].question != "print"
    )


def again(state):
    """How many frames only ask the question below them once more."""
    return state.frames.count(Effect("again"))


def nested(match):
    """The steps of an action that led four effects deep, with their tiles; empty for none."""
    depth, at = deepest(match)
    steps = [step.text for step in match.steps[: at + 1]]
    first = max(n for n, text in enumerate(steps) if text.endswith(".act") or text.startswith("claim "))
    return ", ".join(steps[first:]) if depth >= DEEP else ""


def primed(match):
    """Whether more came out of the tower than was thrown (MK-4.1)."""
    return any(
        before.state.frames
        and before.state.frames[-1].question == "tray"
        and bags.total(after.state.inside) < bags.total(before.state.inside)
        for before, after in pairwise(match.points)
    )


SHOWS = {
    "what stuck in the tower comes out later": primed,
    "bonuses nest four deep": nested,
    "a printed tile is told": asked("print"),
    "provision fails with resources": failed,
    "a scroll is bought": asked("scroll"),
    "a luxury good": scored("souk"),
    "a connection bonus": asked("link"),
    "an oasis exchange": asked("give_back"),
    "a tile divided between winner and second": asked("river_choice"),
    "a complete area": scored("areas"),
    "the jetty is reached": scored("river"),
    "the imam spares a keshi of choice": asked("spared"),
    "a desert town scores": scored("towns"),
}


def shown(match):
    """What it shows, in words, and the steps where there are some to name."""
    found = ((words, shows(match)) for words, shows in SHOWS.items())
    return [f"{words}: {steps}" if isinstance(steps, str) else words for words, steps in found if steps]
