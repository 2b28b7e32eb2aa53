"""What a recorded match can show, by the words of its note."""

from __future__ import annotations

from itertools import pairwise

from engines.marrakesh.scoring import bookings


def asked(*questions):
    """Whether the table or a seat was asked one of these."""

    def shows(match):
        return any(
            point.state.frames and point.state.frames[-1].question in questions for point in match.points
        )

    return shows


def scored(category, *, below=False):
    """Whether something was booked so, or lost."""
    return lambda match: any(
        one.category == category and (one.points < 0) == below for one in bookings(match.state)
    )


def depth(match):
    """The most questions that waited for one another."""
    return max(
        sum(frame.question != "effect" for frame in point.state.frames)
        + sum(frame.what.startswith(("deploy", "link", "step", "again")) for frame in point.state.frames)
        for point in match.points
    )


def deep(match):
    """Whether bonuses nested at least four deep."""
    return depth(match) >= 4


def primed(match):
    """Whether more came out of the tower than was thrown (MK-4.1)."""
    return any(
        before.state.frames
        and before.state.frames[-1].question == "tray"
        and after.state.inside < before.state.inside
        for before, after in pairwise(match.points)
    )


SHOWS = {
    "what stuck in the tower comes out later": primed,
    "bonuses nest four deep": deep,
    "a printed tile is told": asked("print"),
    "provision fails": scored("provision", below=True),
    "a scroll is bought": asked("scroll"),
    "a luxury good": scored("souk"),
    "a connection bonus": asked("link"),
    "an oasis exchange": asked("give_back"),
    "a tile divided between winner and second": asked("river_choice"),
    "a complete area": scored("areas"),
    "the jetty is reached": scored("river"),
}


def shown(match):
    """What it shows, in words."""
    return [words for words, shows in SHOWS.items() if shows(match)]
