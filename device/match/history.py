"""The history of a log: the steps, reports and adjustments that count, in the order of the table.

Nothing in a log is erased. :attr:`Log.cancelled` names the groups that an ``undo`` took out.
:attr:`Log.history` follows the remaining rulings in order: ``rollback`` cuts off the end, ``amend``,
``strike`` and ``insert`` change earlier lines, ``adjust`` adds points, ``give`` goods.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from operator import attrgetter
from typing import overload

import msgspec
from msgspec.structs import replace

from device.match import rulings
from device.match.records import Kind, Record
from engines.match import Adjustment, Fallen, Made, Step


class RulingError(ValueError):
    """A ruling in the log that cannot be followed: the number of its ``record``, and the reason ``why``."""

    def __init__(self, record: int, why: str) -> None:
        """Take both; the message names them."""
        super().__init__(f"record {record}: {why}")
        self.record, self.why = record, why


class Line(msgspec.Struct, frozen=True):
    """A step, report or adjustment that counts: its record, what was made, and the ruling behind its wording.

    An inserted line has the record of the ruling that inserted it. ``ruled`` is the number of the ruling that
    gave it its wording, 0 if the wording is the record's own.
    """

    record: Record
    made: Made
    ruled: int = 0

    @property
    def seq(self) -> int:
        """The number that people see."""
        return self.record.seq

    @property
    def seat(self) -> int | None:
        """The seat that made it, None for the table."""
        return self.made.seat

    @property
    def play(self) -> bool:
        """True if it is a step or a report, which can be amended, struck or rolled back."""
        return isinstance(self.made, Step)

    @property
    def text(self) -> str:
        """Its notation; points by hand as ``+5 reason``, goods as ``+2 worker reason``."""
        made = self.made
        return f"{made.text} {made.reason}".rstrip() if isinstance(made, Adjustment) else made.text


class Log(Sequence[Record]):
    """The records of a match in order, each of their rulings parsed once, and their result.

    :meth:`read_ruling`, :attr:`cancelled`, :attr:`standing`, :attr:`lines` and :attr:`history` raise
    :class:`RulingError` for a ruling that cannot be read or followed. A redacted ruling counts as none.
    """

    def __init__(self, records: Iterable[Record] = ()) -> None:
        """Begin with ``records``."""
        self._records: list[Record] = []
        self._rulings: dict[int, rulings.Ruling | RulingError] = {}
        self.extend(records)

    def __len__(self) -> int:
        return len(self._records)

    @overload
    def __getitem__(self, at: int) -> Record: ...
    @overload
    def __getitem__(self, at: slice) -> list[Record]: ...
    def __getitem__(self, at: int | slice) -> Record | list[Record]:
        return self._records[at]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._records == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __iter__(self) -> Iterator[Record]:
        return iter(self._records)

    def extend(self, records: Iterable[Record]) -> None:
        """Add records at the end."""
        before = self._records[-1].group if self._records else 0
        new = list(records)
        for record in new:
            if record.kind is Kind.RULING and not record.redacted:
                try:
                    self._rulings[record.seq] = rulings.parse_ruling(record.payload)
                except ValueError as error:
                    self._rulings[record.seq] = RulingError(record.seq, str(error))
        self._records += new
        if any(record.kind is Kind.RULING or record.group == before for record in new):
            self._clear_cached()
        elif "lines" in self.__dict__:  # plays alone change nothing earlier
            played = [one for one in new if one.play]
            self.lines = [*self.lines, *(Line(one, Step(one.seat, one.payload)) for one in played)]

    def cut(self, length: int) -> None:
        """Drop all but the first ``length`` records."""
        for record in self._records[length:]:
            self._rulings.pop(record.seq, None)
        del self._records[length:]
        self._clear_cached()

    def settle(self, records: Sequence[Record]) -> None:
        """Replace records by their final versions from the disk."""
        start = records[0].seq - 1
        self._records[start : start + len(records)] = records
        now = {record.seq: record for record in records}
        if "lines" in self.__dict__:
            self.lines = [
                replace(line, record=now[line.record.seq]) if line.record.seq in now else line
                for line in self.lines
            ]
        if "standing" in self.__dict__:
            self.standing = tuple((now.get(record.seq, record), ruled) for record, ruled in self.standing)

    def copy(self, length: int) -> Log:
        """Return a log of the first ``length`` records."""
        log = Log()
        log._records = self._records[:length]
        log._rulings = self._rulings.copy()
        return log

    def copy_with(self, records: Iterable[Record]) -> Log:
        """Return a log with ``records`` behind these."""
        log = self.copy(len(self))
        log.extend(records)
        return log

    def read_ruling(self, record: Record) -> rulings.Ruling | None:
        """Return the ruling in one of these records, or None; raises RulingError."""
        ruling = self._rulings.get(record.seq)
        if isinstance(ruling, RulingError):
            raise ruling
        return ruling

    def list_group(self, number: int) -> list[Record]:
        """Return the records of a group, which are consecutive."""
        records, by = self._records, attrgetter("group")
        return records[bisect_left(records, number, key=by) : bisect_right(records, number, key=by)]

    def list_readings(self, what: str, since: int = 0) -> Iterator[Record]:
        """Yield the readings of ``what`` behind the record numbered ``since``, the last first."""
        for record in reversed(self._records[since:]):
            if record.kind is Kind.READING and record.payload.startswith(f"{what} "):
                yield record

    def _clear_cached(self) -> None:
        for name in ("cancelled", "standing", "lines"):
            self.__dict__.pop(name, None)

    @cached_property
    def cancelled(self) -> frozenset[int]:
        """The groups that an undo took out.

        A group counts unless a later group that itself counts undoes it; so undoing an undo restores. An undo
        of a group that is not earlier, or is already undone, cannot be followed.
        """
        targets: defaultdict[int, list[int]] = defaultdict(list)
        undone_by: defaultdict[int, int] = defaultdict(int)  # counting groups that undo this one
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

        for record in self._records:
            undo = self.read_ruling(record) if record.kind is Kind.RULING else None
            if isinstance(undo, rulings.Undo):
                if not 1 <= undo.group <= last or undo.group == record.group:
                    raise RulingError(record.seq, f"no group {undo.group} stands before it to undo")
                if undone_by[undo.group]:
                    raise RulingError(record.seq, f"group {undo.group} is undone already")
                targets[record.group].append(undo.group)
                shift(undo.group, 1)
            last = record.group
        return frozenset(group for group, undoing in undone_by.items() if undoing)

    @cached_property
    def standing(self) -> tuple[tuple[Record, rulings.Ruling], ...]:
        """Every ruling that is not undone, in order."""
        gone = self.cancelled
        ruled = [one for one in self._records if one.kind is Kind.RULING and one.group not in gone]
        pairs = ((record, self.read_ruling(record)) for record in ruled)
        return tuple((record, ruling) for record, ruling in pairs if ruling)

    @property
    def history(self) -> Sequence[Line]:
        """The lines that count."""
        return [line for line in self.lines if not isinstance(line.made, Fallen)]

    @cached_property
    def lines(self) -> Sequence[Line]:
        """The lines that count, and an empty :class:`engines.match.Fallen` for each rollback, at its place.

        A ruling on a record that is not an earlier step or report cannot be followed; a ruling on an entry
        that was taken out meanwhile does nothing.
        """
        gone = self.cancelled
        lines: list[Line] = []
        known: set[int] = set()
        waived: tuple[str, ...] = ()
        group = 0
        for record in self._records:
            if record.group != group:
                group, waived = record.group, ()
            if record.play:
                known.add(record.seq)
                # An undone line keeps its place until the end: rulings may name it.
                lines.append(Line(record, Step(record.seat, record.payload, waived)))
                waived = ()
            elif ruled := self.read_ruling(record):
                if isinstance(ruled, rulings.Insert):
                    known.add(record.seq)
                if isinstance(ruled, rulings.Rollback | rulings.Edit) and (
                    ruled.record not in known or ruled.record == record.seq
                ):
                    why = f"{ruled.record} is no step or report that stands before it"
                    raise RulingError(record.seq, why)
                if group in gone:
                    continue
                if isinstance(ruled, rulings.Override):
                    waived = ruled.clauses
                else:
                    lines = _apply(lines, record, ruled, waived)
                    if isinstance(ruled, rulings.Amend | rulings.Insert):
                        waived = ()
        return [line for line in lines if line.record.group not in gone]


def _apply(lines: list[Line], record: Record, ruled: rulings.Ruling, waived: tuple[str, ...]) -> list[Line]:
    if isinstance(ruled, rulings.Adjust):
        return [*lines, Line(record, Adjustment(ruled.seat, ruled.points, ruled.reason))]
    if isinstance(ruled, rulings.Give):
        return [*lines, Line(record, Adjustment(ruled.seat, ruled.number, ruled.reason, ruled.good))]
    if not isinstance(ruled, rulings.Rollback | rulings.Edit):
        return lines
    at = find_place(lines, ruled.record)
    if at is None:
        return lines
    before, line, after = lines[:at], lines[at], lines[at + 1 :]
    if isinstance(ruled, rulings.Rollback):
        # Goods lie on the table, and go back with it.
        given = ((one, one.made) for one in (line, *after))
        kept = [one for one, made in given if isinstance(made, Adjustment) and not made.good]
        return [*before, Line(record, Fallen()), *kept]
    if isinstance(ruled, rulings.Strike):
        return before + after
    if isinstance(ruled, rulings.Insert):
        new = Line(record, Step(ruled.seat, ruled.text, waived), record.seq)
        return [*before, new, line, *after]
    # The entry's waived clauses stay waived: the amendment may change only what comes after them.
    clauses = tuple(dict.fromkeys((*(line.made.waived if isinstance(line.made, Step) else ()), *waived)))
    return [*before, Line(line.record, Step(line.seat, ruled.text, clauses), record.seq), *after]


def find_place(lines: Sequence[Line], seq: int) -> int | None:
    """Return the index of the line numbered ``seq``, None if it does not count."""
    return next((at for at, line in enumerate(lines) if line.seq == seq), None)
