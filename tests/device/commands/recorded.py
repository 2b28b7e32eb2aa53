"""A whole match played at random, always the same one, as a match file and as a journal."""

from __future__ import annotations

from functools import cache
from random import Random

import engines
from device.clock import FakeClock
from device.journal import Journal
from device.records import Draft, Kind
from device.story import Header, Story
from engines.contract import Setup
from engines.match import Match
from engines.matchfile import MatchFile, result, write
from engines.search import playout

GAME = engines.game("san_gimignano")
NAMES = ("Adso", "William")
HEADER = Header(GAME.id, NAMES, Setup())


@cache
def played() -> Match:
    """The first random match of more than 40 steps in which both have points."""
    for seed in range(200):
        match, step = Match(GAME, Setup()), []
        for state, _, choice in playout(GAME, match.state, Random(seed)):
            step.append(choice)
            if not GAME.pending(GAME.apply(state, choice)).open:
                match.play(GAME.text(step))
                step = []
        if len(match.steps) > 40 and len({booking.seat for booking in GAME.bookings(match.state)}) == 2:
            return match
    raise AssertionError("no such match")


def match_file(**changes) -> str:
    """The match's text; ``changes`` replace fields of its MatchFile."""
    match = played()
    fields = {"names": NAMES, "steps": tuple(match.steps), "result": result(match)} | changes
    return write(MatchFile(GAME.id, GAME.rules_version, setup=Setup(), **fields))


def drafts(steps: int = 10**6) -> list[Draft]:
    """The match's first ``steps`` steps as they would be recorded, each a group of its own."""
    match, story = played(), Story(HEADER.fields(), [])
    return [
        Draft(
            kind=Kind.REPORT if step.seat is None else Kind.STEP,
            payload=step.text,
            seat=step.seat,
            state_digest=story.digest(point.state),
        )
        for step, point in zip(match.steps[:steps], match.points[1:], strict=False)
    ]


def journal(path, recorded=None, header=HEADER) -> str:
    """A journal at ``path`` holding ``recorded`` drafts, by default the whole match; its path as text."""
    with Journal.create(path, header.fields(), FakeClock().stamp) as made:
        for draft in drafts() if recorded is None else recorded:
            made.append([draft])
    return str(path)


def ruling(payload: str) -> Draft:
    """A ruling to be recorded."""
    return Draft(kind=Kind.RULING, payload=payload)
