"""What an undo may take back: the last step, or what was ruled just now; and why it may not.

A step comes back only while nobody has seen anything by it: what the table has shown stays seen. An undo is
itself a ruling and can be undone; farther back than the last group lead a rollback or a correction.
"""

from __future__ import annotations

import msgspec

from device.match.records import Kind
from device.match.replay import Replay
from device.match.rulings import Adjust, Edit, Rollback, Undo


class CannotUndo(Exception):
    """Undo is refused; ``key`` is a text's key and ``figures`` its blanks."""

    def __init__(self, key: str, **figures: object) -> None:
        """The message is the key, for logs."""
        super().__init__(key)
        self.key = key
        self.figures = figures


class Undoable(msgspec.Struct, frozen=True):
    """What an undo would take back: the group, who made it and its notation (empty while it is sealed).

    ``places`` are those of the steps in the match, none while one is sealed. With ``redo`` the group is
    itself an undo, and ``text`` is what counts again; with ``ruling`` it is what people ruled last, and
    ``text`` the ruling's line.
    """

    group: int
    seat: int | None
    text: str
    redo: bool = False
    ruling: bool = False
    places: tuple[int, ...] = ()


def undoable(replay: Replay, seat: int | None = None) -> list[Undoable]:
    """What may be undone now, the usual first.

    ``seat`` is the seat a source is bound to, None for the box that all share. Raises :class:`CannotUndo`
    with the reason when there is nothing.
    """
    if replay.abandoned:
        raise CannotUndo("undo.nothing")
    offers: list[Undoable] = []
    refused: CannotUndo | None = None
    try:
        offers.append(_last_step(replay, seat))
    except CannotUndo as error:
        refused = error
    offers += _last_ruling(replay, seat)
    if not offers and refused:
        raise refused
    return offers


def _last_ruling(replay: Replay, seat: int | None) -> list[Undoable]:
    """The undo of a step, or the correction, rollback or adjustment that was recorded last."""
    log = replay.log
    group = log.group(log[-1].group) if log else []
    rulings = [ruling for record in group if (ruling := log.ruling(record))]
    if len(rulings) < len(group) or not rulings:
        return []
    undo = rulings[-1]
    if isinstance(undo, Undo):
        undone = log.group(undo.group)
        target = next((record for record in undone if record.kind is not Kind.RULING), undone[0])
        # Undoing the undo of an undo is what undoing the step itself comes to, and that is offered.
        if target.kind is Kind.RULING or seat not in (None, target.seat):
            return []
        return [Undoable(group[0].group, target.seat, replay.shown(target), redo=True)]
    if seat is None and any(isinstance(one, Rollback | Edit | Adjust) for one in rulings):
        texts = [str(one) for one in rulings if isinstance(one, Rollback | Edit | Adjust)]
        return [Undoable(group[0].group, None, ", ".join(texts), ruling=True)]
    return []


def _last_step(replay: Replay, seat: int | None) -> Undoable:
    """The last group, if it is a seat's own and has shown nobody anything new."""
    history = replay.history
    played = [at for at, line in enumerate(history) if line.play]
    if not played:
        raise CannotUndo("undo.nothing")
    last = history[played[-1]]
    group = [at for at in played if history[at].record.group == last.record.group]
    text = ", ".join(replay.shown(history[at]) for at in group)
    for at in group:
        line, before, after = history[at], *replay.match.points[at : at + 2]
        if line.record.kind is Kind.REPORT:
            raise CannotUndo("undo.report", text=text)
        if line.ruled:
            raise CannotUndo("undo.corrected", text=text)
        if seat is not None and line.seat != seat:
            raise CannotUndo("undo.not_yours", seat=line.seat, text=text or "…")
        if before.sealed and not after.sealed:
            raise CannotUndo("undo.revealed", text=text)
        if replay.exposed(at):
            raise CannotUndo("undo.seen", seat=line.seat, text=text)
    places = tuple(group) if all(replay.shown(history[at]) for at in group) else ()
    return Undoable(last.record.group, last.seat, text, places=places)
