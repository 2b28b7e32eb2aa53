"""What a log adds up to: the steps, reports and adjustments that count, in the order of the table.

Nothing in a log is erased. :func:`cancelled` says which groups an ``undo`` took out, :func:`effective`
follows the rulings that are left, in their order: ``rollback`` cuts off the end, ``amend``, ``strike`` and
``insert`` change what stands earlier, ``adjust`` adds points.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import msgspec

from device.match.records import Kind, Record
from device.match.rulings import (
    Adjust,
    Amend,
    Insert,
    Override,
    Rollback,
    Ruling,
    Strike,
    Undo,
    parse_ruling,
)
from engines.match import Adjustment, Made, Step

_PLAY = (Kind.STEP, Kind.REPORT)


class RulingError(ValueError):
    """A ruling in the log that cannot be followed; the message names its record."""


class Line(msgspec.Struct, frozen=True):
    """One thing that counts: the record it stands under, what was made, and who last had a say in it.

    An inserted line stands under the ruling that brought it in. ``ruled`` is the number of the ruling that it
    owes its wording to, 0 where the record speaks for itself.
    """

    record: Record
    made: Made
    ruled: int = 0

    @property
    def seq(self) -> int:
        """The number that people know it by."""
        return self.record.seq

    @property
    def seat(self) -> int | None:
        """Who made it, None for the table."""
        return self.made.seat

    @property
    def play(self) -> bool:
        """Whether it is a step or a report, which can be amended, struck or rolled back."""
        return isinstance(self.made, Step)

    @property
    def text(self) -> str:
        """Its notation; points by hand as ``+5 reason``."""
        if isinstance(self.made, Step):
            return self.made.text
        return f"{self.made.points:+d} {self.made.reason}".rstrip()


def ruling(record: Record) -> Ruling:
    """The ruling a record holds; raises :class:`RulingError` naming the record."""
    try:
        return parse_ruling(record.payload)
    except ValueError as error:
        raise RulingError(f"record {record.seq}: {error}") from error


def cancelled(records: Iterable[Record]) -> frozenset[int]:
    """The groups that an undo took out.

    A group counts unless a later group that itself counts undoes it; so undoing an undo restores. Raises
    :class:`RulingError` for an unknown ruling, and for an undo of a group that is not earlier or is undone.
    """
    targets: defaultdict[int, list[int]] = defaultdict(list)
    undone_by: defaultdict[int, int] = defaultdict(int)  # how many counting groups undo this one
    last = 0

    def shift(group: int, by: int) -> None:
        waiting = [(group, by)]
        while waiting:
            group, by = waiting.pop()
            counted = not undone_by[group]
            undone_by[group] += by
            counts = not undone_by[group]
            if counts != counted:
                waiting += [(target, 1 if counts else -1) for target in targets[group]]

    for record in records:
        if record.kind is Kind.RULING:
            undo = ruling(record)
            if isinstance(undo, Undo):
                if not 1 <= undo.group <= last or undo.group == record.group:
                    raise RulingError(f"record {record.seq}: no group {undo.group} stands before it to undo")
                if undone_by[undo.group]:
                    raise RulingError(f"record {record.seq}: group {undo.group} is undone already")
                targets[record.group].append(undo.group)
                shift(undo.group, 1)
        last = record.group
    return frozenset(group for group, undoing in undone_by.items() if undoing)


def standing_rulings(records: Sequence[Record]) -> list[tuple[Record, Ruling]]:
    """Every ruling that was not undone, in order; raises as :func:`cancelled`."""
    gone = cancelled(records)
    return [
        (record, ruling(record))
        for record in records
        if record.kind is Kind.RULING and record.group not in gone
    ]


def effective(records: Sequence[Record]) -> list[Line]:
    """The history that counts.

    Raises :class:`RulingError` as :func:`cancelled` does, and for a ruling about a record that is not an
    earlier step or report. One about an entry that was taken out meanwhile does nothing.
    """
    gone = cancelled(records)
    lines: list[Line] = []
    known: set[int] = set()
    waived: tuple[str, ...] = ()
    group = 0
    for record in records:
        if record.group != group:
            group, waived = record.group, ()
        if record.kind in _PLAY:
            known.add(record.seq)
            # What was undone keeps its place until the end: rulings may name it.
            lines.append(Line(record, Step(record.seat, record.payload, waived)))
            waived = ()
        elif record.kind is Kind.RULING:
            ruled = ruling(record)
            if isinstance(ruled, Insert):
                known.add(record.seq)
            if isinstance(ruled, Rollback | Amend | Strike | Insert) and (
                ruled.record not in known or ruled.record == record.seq
            ):
                raise RulingError(
                    f"record {record.seq}: {ruled.record} is no step or report that stands before it"
                )
            if group in gone:
                continue
            if isinstance(ruled, Override):
                waived = ruled.clauses
            else:
                lines = _follow(lines, record, ruled, waived)
                if isinstance(ruled, Amend | Insert):
                    waived = ()
    return [line for line in lines if line.record.group not in gone]


def _follow(lines: list[Line], record: Record, ruled: Ruling, waived: tuple[str, ...]) -> list[Line]:
    if isinstance(ruled, Adjust):
        return [*lines, Line(record, Adjustment(ruled.seat, ruled.points, ruled.reason))]
    if not isinstance(ruled, Rollback | Amend | Strike | Insert):
        return lines
    at = place(lines, ruled.record)
    if at is None:
        return lines
    before, line, after = lines[:at], lines[at], lines[at + 1 :]
    if isinstance(ruled, Rollback):
        return [*before, *[kept for kept in (line, *after) if not kept.play]]
    if isinstance(ruled, Strike):
        return before + after
    if isinstance(ruled, Insert):
        new = Line(record, Step(ruled.seat, ruled.text, waived), record.seq)
        return [*before, new, line, *after]
    # What was waived for the entry stays so: the amendment may change only what comes after that.
    clauses = tuple(dict.fromkeys((*(line.made.waived if isinstance(line.made, Step) else ()), *waived)))
    return [*before, Line(line.record, Step(line.seat, ruled.text, clauses), record.seq), *after]


def place(lines: Sequence[Line], seq: int) -> int | None:
    """Where the line numbered ``seq`` stands, None if it does not count."""
    return next((at for at, line in enumerate(lines) if line.seq == seq), None)
