"""A match in words: entries, their points, and the differences of two states."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from device.match import rulings
from device.match.correction import CannotUndo, Undoable
from device.match.history import Line, place
from device.match.replay import Replay
from device.match.ruling_words import say_ruling
from engines.board import Cell
from engines.contract import Decide, Label, Zone
from engines.gains import Change, along
from engines.match import Match
from engines.words import Words


def numbered(replay: Replay, words: Words, line: Line) -> str:
    """Tell an entry as lists show it: ``12 Adso: builds 8 × 3``."""
    return f"{line.seq} {worded(replay, words, line)}"


def worded(replay: Replay, words: Words, line: Line) -> str:
    """Tell an entry in words, as everybody may read it; an entry that no longer counts in its notation."""
    text = replay.shown(line)
    at = place(replay.history, line.seq)
    if at is None or not text:
        return words.by(line.seat, text)
    return words.overruled(words.made(replay.match, at), line.made)


def origin(words: Words, channel: str) -> str:
    """Name the origin of an entry: ``keys``, ``camera board``."""
    kind, _, which = channel.partition(":")
    part = f"part.{kind}"
    return f"{words(part) if part in words.texts else kind} {which}".rstrip()


OF_ALL = "hands_of_all."
"""The section of a game's texts for hands that no player's name stands before."""


def whose(words: Words, match: Match, at: int, hands: Sequence[Label]) -> list[str]:
    """Tell the ``hands`` of the step at index ``at``, a sentence each.

    If another seat is asked now, the first begins with the player's name, unless it has a name already or is
    of :data:`OF_ALL`. A text that ends with a colon is joined with the next.
    """
    told: list[str] = []
    for one in filter(None, words.labels(hands)):
        led = told and told[-1].endswith(":")
        told.append(words.texts.sentences([told.pop(), one]) if led else one)
    seat, pending = match.steps[at].seat, match.pending
    asked = pending.seats if isinstance(pending, Decide) else ()
    begins = rf"(?:{'|'.join(map(re.escape, words.names))})(?![A-Za-z])"  # and no longer word
    named = not told or seat is None or hands[0].key.startswith(OF_ALL) or re.match(begins, told[0])
    return told if named or asked in ((), (seat,)) else [words.by(seat, told[0]), *told[1:]]


def story(replay: Replay) -> list[tuple[Line | None, tuple[Change, ...]]]:
    """Return the points of each line of the history; first, without a line, those of the beginning."""
    return list(zip((None, *replay.history), along(replay.match), strict=True))


def gained(replay: Replay, line: Line) -> tuple[Change, ...]:
    """Return the points of a line, none if it no longer counts."""
    return next((those for there, those in story(replay) if there and there.seq == line.seq), ())


def made_of(replay: Replay, seat: int, category: str | None = None) -> list[tuple[Line | None, Change]]:
    """Return every entry that changed a seat's points, with the change, in one category or all."""
    changed = [(line, one) for line, those in story(replay) for one in those if one.seat == seat]
    return [(line, one) for line, one in changed if category in (None, one.category)]


def offered(replay: Replay, words: Words, offer: Undoable, *, done: bool = False) -> str:
    """Say in a line what an undo would take back, put back or withdraw; with ``done`` in the past tense.

    Call it before the undo, which changes the history.
    """
    if not offer.rulings:
        key = "undo.redo" if offer.redo else "undo.done" if done else "undo.step"
        if offer.places:
            return words(
                key, step=words.texts.by_semicolons(words.made(replay.match, at) for at in offer.places)
            )
        return words(key, step=words.would(replay.match, offer.seat, offer.text, offer.waived))
    last = offer.rulings[-1]
    if isinstance(last, rulings.Adjust | rulings.Give):
        return words("undo.ruling", text=say_ruling(words, last))
    return words("undo.rollback" if isinstance(last, rulings.Rollback) else "undo.correction")


def not_undone(replay: Replay, words: Words, error: CannotUndo) -> str:
    """Say why undo takes nothing back, and what to do instead."""
    text = words.texts.by_semicolons(worded(replay, words, replay.history[at]) for at in error.places)
    return words(error.key, seat=error.seat, text=text)


# Differences


Zones = dict[tuple[int | None, str], list[Zone]]


def differences(words: Words, before: Any, after: Any) -> list[str]:
    """Return the differences: ``d3: nothing → village``, ``Adso, Marble, workers: 3 × worker (was 2)``."""
    zones = (_zones(words, state) for state in (before, after))
    return [*_cell_changes(words, before, after), *_zone_changes(words, *zones)]


def _whose(words: Words, seat: int | None, what: str) -> str:
    return what if seat is None else words("told.of", name=words.name(seat), what=what)


def _cell_changes(words: Words, before: Any, after: Any) -> Iterator[str]:
    for sight in words.game.in_sight(after).values():
        was, now = (sight.board(state) for state in (before, after))
        for at, cell in enumerate(now.cells if now else ()):
            old = was.cells[at] if was and at < len(was.cells) else None
            if now and cell and cell != old:
                name = _whose(words, sight.SEAT, now.name(at))
                yield f"{name}: {contents(words, old)} → {contents(words, cell)}"


def contents(words: Words, cell: Cell | None) -> str:
    """Name the blocks and the piece on a cell: ``▲2, Mara``; say "none" in words if there is neither."""
    height = [words("grid.height", height=cell.height)] if cell and cell.height else []
    piece = [words.stands(cell)[-1]] if cell and cell.piece else []
    return words.texts.by_commas([*height, *piece]) or words("counts.none")


def _zones(words: Words, state: Any) -> Zones:
    found: Zones = {}
    for zone in words.game.telling.zones(state):
        found.setdefault((zone.seat, zone.name), []).append(zone)
    return found


def _zone_changes(words: Words, before: Zones, after: Zones) -> Iterator[str]:
    """Tell the pieces that came to or left a zone; for several of one name (towers, piles) all that lie there
    now.
    """
    for seat, name in dict.fromkeys((*after, *before)):
        was, now = before.get((seat, name), []), after.get((seat, name), [])
        if was == now:
            continue
        if len(was) > 1 or len(now) > 1:
            lies = words.lies(now)[0] if now else words("told.gone", zone=words(f"zone.{name}"))
            yield _whose(words, seat, lies)
            continue
        old, new = (words.counted(zones[0]) if zones else {} for zones in (was, now))
        parts = [
            words("told.lies", n=new.get(key, 0), what=words.lying(key[0], marks=key[1]), was=old.get(key, 0))
            for key in dict.fromkeys((*old, *new))
            if old.get(key, 0) != new.get(key, 0)
        ]
        yield _whose(words, seat, f"{words(f'zone.{name}')}: {words.texts.by_commas(parts)}")
