"""The players' clock: the thinking time of each seat, from the log alone.

The entry that ends an interval decides who is charged for it: a step charges its seat, a report the table, a
ruling nobody (*admin*). Readings, notes and private tellings end none. From ``pause`` or ``call`` to
``resume`` or ``answered`` all time is admin. The time before a pause belongs to the seat or table asked then;
the next step or report shows which, or else the caller. Several seats asked at once are each charged from the
moment the question came up.

A *position* is named by the last step before it, 0 at the start. A turn is the time of one seat in the
position in which it was first asked: it goes on over several steps of that seat, and over a step that was
undone and made again. If the step that made a position is taken out, the turns in it become admin, unless a
step made there still counts; if it comes back, so do they.

Times are in milliseconds of ``mono_ms`` within one boot and never negative. The time from the last record of
one boot to the first of the next is unknown and does not count; ``utc_ms`` plays no part. The first record of
a boot, of any kind, starts the measurement there.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from itertools import groupby
from operator import attrgetter
from pathlib import Path

import msgspec

from device.match.history import Log
from device.match.records import Kind, Record, Stamp
from device.match.rulings import (
    Abandon,
    Answered,
    Call,
    Over,
    Pause,
    Resume,
    Rollback,
    Ruling,
    Strike,
    Undo,
)
from engines.contract import SEATS

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


class SystemClock:
    """The system's clocks.

    A Raspberry Pi without a battery may start with a wrong UTC that jumps later; ``mono_ms`` still orders the
    records within one boot.
    """

    def __init__(self) -> None:
        """Read the boot id once; make one up if the kernel gives none."""
        try:
            self.boot_id = _BOOT_ID.read_text().strip()
        except OSError:
            self.boot_id = str(uuid.uuid4())

    def stamp(self) -> Stamp:
        """Return the present moment."""
        return Stamp(time.time_ns() // 1_000_000, time.monotonic_ns() // 1_000_000, self.boot_id)


class ClockState(StrEnum):
    """The state of the clock: it runs, or the reason why not."""

    RUNS = "runs"
    PAUSED = "paused"
    CALLED = "called"
    OVER = "over"
    ABANDONED = "abandoned"


class ClockTimes(msgspec.Struct, frozen=True, kw_only=True):
    """The clock at one moment, in ms.

    ``seats`` are the totals of every seat that a table may have. ``table`` is the time of the reports,
    ``admin`` the time charged to no player and no report. ``present`` is the time of each asked seat in this
    turn, with the running interval. If seats are asked one at a time, seats, table and admin add up to all
    the time.
    """

    seats: tuple[int, ...]
    table: int
    admin: int
    present: Mapping[int, int]
    state: ClockState


class _Step(msgspec.Struct, frozen=True):
    """A recorded step: the seat and position of its turn, and whether its question was sealed.

    ``hidden`` is True if others still had to answer after it.
    """

    seq: int
    seat: int
    position: int
    sealed: bool
    hidden: bool


_Key = tuple[int, int]  # the position and seat of a turn


class ChessClock:
    """The clock of one match, from its log; when the log grows, make another."""

    def __init__(self, records: Sequence[Record]) -> None:
        """Count ``records``, also those not yet on the disk.

        Raises :class:`device.match.history.RulingError`.
        """
        self.log = Log()
        self.mark: Record | None = None  # the start of the running interval
        self.steps: list[_Step] = []
        self.line: list[_Step] = []  # the steps that count
        self.alive = {0}  # the positions that they made or were thought in
        self.spent: dict[_Key, int] = {}  # the turns, in the order they began
        self.lapse: dict[int, int] = {}  # the time in a position while a player was to move
        self.exempt: dict[_Key, int] = {}  # of that, the time after the seat had given its sealed answer
        self.held: dict[int, int] = {}  # the time in a position before a pause, not yet charged to anybody
        self.total = 0
        self.table = 0
        self.thought = 0  # by players in positions that count, each moment once
        self.seats = [0] * len(SEATS)
        self.states: dict[ClockState, bool] = {}
        for _, group in groupby(records, attrgetter("group")):
            self._add(list(group))

    def read(self, now: Stamp | None, asked: Collection[int] | None) -> ClockTimes:
        """Return the clock at ``now``, or at the last record for None; the cost does not grow with the match.

        ``asked`` are the seats asked now; it is empty if the table is asked or the match is over.
        """
        running = self._measure_since(now) if now else 0
        state = self._find_state(asked)
        extra = self.held.get(self.position, 0)
        if asked is None or state in (ClockState.OVER, ClockState.ABANDONED):
            extra = 0
        elif state is ClockState.RUNS:
            extra += running
        present = [self._find_turn(seat, asked, extra) for seat in sorted(asked or ())]
        seats = list(self.seats)
        for key, ms in present:
            seats[key[1]] += ms - self.spent.get(key, 0)
        table = self.table + (0 if present else extra)
        thought = self.thought + (extra if present else 0)
        return ClockTimes(
            seats=tuple(seats),
            table=table,
            admin=self.total + running - table - thought,
            present={key[1]: ms for key, ms in present},
            state=state,
        )

    def _add(self, group: Sequence[Record]) -> None:
        """Count one group; its records share a stamp, and its first play takes the interval that it ends."""
        self.log.extend(group)
        rulings = [ruled for record in group if (ruled := self.log.read_ruling(record))]
        plays = [record for record in group if record.play]
        if not plays and not rulings:
            if self.mark is None or self.mark.boot_id != group[0].boot_id:
                self.mark = group[0]
            return
        passed = self._measure_since(group[0])
        self.mark = group[0]
        self.total += passed
        if self.states.get(ClockState.PAUSED) or self.states.get(ClockState.CALLED):
            passed = 0
        if not plays and any(isinstance(one, Pause | Call) for one in rulings):
            self.held[self.position] = self.held.get(self.position, 0) + passed
        for record in plays:
            self._add_play(record, passed)
            passed = 0
        for one in rulings:
            self._apply_ruling(one)
        if any(isinstance(one, Undo | Rollback | Strike) for one in rulings):
            self._recount()

    @property
    def position(self) -> int:
        """The match's position; while sealed answers come in, that of their question."""
        if not self.line:
            return 0
        return self.line[-1].position if self.line[-1].hidden else self.line[-1].seq

    def _measure_since(self, now: Record | Stamp) -> int:
        if self.mark is None or self.mark.boot_id != now.boot_id:
            return 0
        return max(now.mono_ms - self.mark.mono_ms, 0)

    def _find_state(self, asked: Collection[int] | None) -> ClockState:
        for state in (ClockState.ABANDONED, ClockState.CALLED, ClockState.PAUSED):
            if self.states.get(state):
                return state
        # An amendment may revive a match that was over: then a seat is asked again.
        return ClockState.OVER if self.states.get(ClockState.OVER) and not asked else ClockState.RUNS

    def _add_play(self, record: Record, passed: int) -> None:
        passed += self.held.pop(self.position, 0)
        self.states[ClockState.OVER] = False
        if record.kind is Kind.REPORT or record.seat is None:
            self.table += passed
            return
        hidden = record.visibility != "public"
        sealed = hidden or bool(self.line and self.line[-1].hidden)
        key = position, seat = self._find_position(record.seat, sealed), record.seat
        self.lapse[position] = self.lapse.get(position, 0) + passed
        if sealed:
            for answered in self._list_answered():
                self.exempt[position, answered] = self.exempt.get((position, answered), 0) + passed
            ms = self.lapse[position] - self.exempt.get(key, 0)
        else:
            ms = self.spent.get(key, 0) + passed
        self.seats[seat] += ms - self.spent.get(key, 0)
        self.spent[key] = ms
        self.thought += passed
        step = _Step(record.seq, seat, position, sealed, hidden)
        self.steps.append(step)
        self.line.append(step)
        self.alive.add(step.seq)

    def _find_position(self, seat: int, sealed: bool) -> int:
        """Return the position of the turn in which ``seat`` moves next."""
        last = self.line[-1] if self.line else None
        going_on = last is not None and last.seat == seat and not sealed and not last.sealed
        return last.position if last and going_on else self.position

    def _list_answered(self) -> list[int]:
        """Return the seats that have given their sealed answer to the pending question."""
        seats: list[int] = []
        for step in reversed(self.line):
            if not step.hidden:
                break
            seats.append(step.seat)
        return seats

    def _find_turn(self, seat: int, asked: Collection[int] | None, extra: int) -> tuple[_Key, int]:
        """Return the current turn of ``seat``, with ``extra`` ms since its last record."""
        sealed = len(asked or ()) > 1 or bool(self.line and self.line[-1].hidden)
        key = self._find_position(seat, sealed), seat
        if sealed:
            return key, self.lapse.get(key[0], 0) + extra - self.exempt.get(key, 0)
        return key, self.spent.get(key, 0) + extra

    def _apply_ruling(self, ruled: Ruling) -> None:
        match ruled:
            case Pause() | Resume():
                self.states[ClockState.PAUSED] = isinstance(ruled, Pause)
            case Call() | Answered():
                self.states[ClockState.CALLED] = isinstance(ruled, Call)
            case Abandon():
                self.states[ClockState.ABANDONED] = True
            case Over():
                self.states[ClockState.OVER] = True
            case _:
                pass

    def _recount(self) -> None:
        """Compute again which steps and rulings count, and whose time each took."""
        counting = {line.seq for line in self.log.history}
        self.line = [step for step in self.steps if step.seq in counting]
        # A step that counts was thought about, even if the step before it was taken out.
        self.alive = {0} | {seq for step in self.line for seq in (step.position, step.seq)}
        self.thought = sum(ms for position, ms in self.lapse.items() if position in self.alive)
        self.seats = [0] * len(SEATS)
        for (position, seat), ms in self.spent.items():
            if position in self.alive:
                self.seats[seat] += ms
        plays = [record for record in self.log if record.play]
        last = max((record.seq for record in plays if record.seq in counting), default=0)
        undone = {record.group for record in plays if record.seq not in counting}
        self.states = {}
        for record, ruled in self.log.standing:
            # The last step ended the match; if it is taken out or play went on, the match is not over.
            if not isinstance(ruled, Over) or (record.seq > last and record.group not in undone):
                self._apply_ruling(ruled)
