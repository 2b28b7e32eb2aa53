"""A match told entry by entry: each in words, and what it did to the points."""

from __future__ import annotations

from device.match.history import Line, place
from device.match.replay import Replay
from device.match.words import Words
from engines.gains import Gain, along


def numbered(replay: Replay, words: Words, line: Line) -> str:
    """An entry as lists show it: ``12 Adso: builds 8 × 3``."""
    return f"{line.seq} {told(replay, words, line)}"


def told(replay: Replay, words: Words, line: Line) -> str:
    """An entry in words, as everybody may read it; one that no longer counts as it was written."""
    text = replay.shown(line)
    at = place(replay.history, line.seq)
    return words.by(line.seat, text) if at is None or not text else words.made(replay.match, at)


def story(replay: Replay) -> list[tuple[Line | None, tuple[Gain, ...]]]:
    """What each line of the history did to the points; first, without a line, what the match began with."""
    return list(zip((None, *replay.history), along(replay.match), strict=True))


def gained(replay: Replay, line: Line) -> tuple[Gain, ...]:
    """What a line did to the points; nothing where it counts no longer."""
    return next((those for there, those in story(replay) if there and there.seq == line.seq), ())


def made_of(replay: Replay, seat: int, category: str | None = None) -> list[tuple[Line | None, Gain]]:
    """Every entry that changed a seat's points, of one category or of all, and how."""
    changed = [(line, one) for line, those in story(replay) for one in those if one.seat == seat]
    return [(line, one) for line, one in changed if category in (None, one.category)]
