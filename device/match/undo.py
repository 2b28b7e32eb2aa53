"""The entries that an undo may take back: the last step, or what was ruled just now; and why it may not.

A step comes back only while nobody has seen anything by it: what the table has shown stays seen. An undo is
itself a ruling and can be undone; farther back than the last group lead a rollback or a correction.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from device.match.records import Kind
from device.match.replay import Replay
from device.match.rulings import Adjust, Edit, Give, Rollback, Undo


class CannotUndo(Exception):
    """Undo is refused; ``key`` is a text's key, ``places`` those of the steps that stay, ``seat`` whose they
    are.
    """

    def __init__(self, key: str, places: Sequence[int] = (), seat: int | None = None) -> None:
        """Take the text's key, which is also the message for logs."""
        super().__init__(key)
        self.key = key
        self.places = tuple(places)
        self.seat = seat


class Undoable(msgspec.Struct, frozen=True):
    """An undo that is possible, and what it would take back: the group, who made it and its notation (empty
    while it is sealed).

    ``places`` are those of the steps in the match, none while one is sealed. With ``redo`` the group is
    itself an undo, and ``text`` is what counts again; ``rulings`` are what people ruled last.
    """

    group: int
    seat: int | None
    text: str
    redo: bool = False
    rulings: tuple[Rollback | Edit | Adjust | Give, ...] = ()
    places: tuple[int, ...] = ()


def undoable(replay: Replay, seat: int | None = None) -> list[Undoable]:
    """Return what may be undone now, the usual first.

    ``seat`` is the seat a source is bound to, None for the box that all share. Raises :class:`CannotUndo`
    with the reason when there is nothing.
    """
    ruling = last_ruling(replay, seat)
    try:
        step = last_step(replay, seat)
    except CannotUndo:
        if ruling is None:
            raise
        return [ruling]
    return [step] if ruling is None else [step, ruling]


def last_ruling(replay: Replay, seat: int | None = None) -> Undoable | None:
    """Return the undo of a step, or the correction, rollback or adjustment, if that was recorded last."""
    if replay.abandoned:
        return None
    log = replay.log
    group = log.group(log[-1].group) if log else []
    rulings = [ruling for record in group if (ruling := log.ruling(record))]
    if len(rulings) < len(group) or not rulings:
        return None
    undo = rulings[-1]
    if isinstance(undo, Undo):
        undone = log.group(undo.group)
        target = next((record for record in undone if record.kind is not Kind.RULING), undone[0])
        # Undoing the undo of an undo is what undoing the step itself comes to, and that is offered.
        if target.kind is Kind.RULING or seat not in (None, target.seat):
            return None
        return Undoable(group[0].group, target.seat, replay.shown(target), redo=True)
    kept = tuple(one for one in rulings if isinstance(one, Rollback | Edit | Adjust | Give))
    return Undoable(group[0].group, None, "", rulings=kept) if seat is None and kept else None


def last_step(replay: Replay, seat: int | None = None) -> Undoable:
    """Return the last group, if it is a seat's own and showed nothing new; raises :class:`CannotUndo`."""
    if replay.abandoned:
        raise CannotUndo("undo.abandoned")
    history = replay.history
    played = [at for at, line in enumerate(history) if line.play]
    if not played:
        raise CannotUndo("undo.nothing")
    last = history[played[-1]]
    group = [at for at in played if history[at].record.group == last.record.group]
    for at in group:
        line, before, after = history[at], *replay.match.points[at : at + 2]
        if line.record.kind is Kind.REPORT:
            raise CannotUndo("undo.report", group)
        if line.ruled:
            raise CannotUndo("undo.corrected", group)
        if seat is not None and line.seat != seat:
            raise CannotUndo("undo.not_yours", group, line.seat)
        if before.sealed and not after.sealed:
            raise CannotUndo("undo.revealed", group)
        if replay.exposed(at):
            raise CannotUndo("undo.seen", group, line.seat)
    places = tuple(group) if all(replay.shown(history[at]) for at in group) else ()
    text = ", ".join(replay.shown(history[at]) for at in group)
    return Undoable(last.record.group, last.seat, text, places=places)
