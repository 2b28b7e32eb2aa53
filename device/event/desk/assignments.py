"""The round that runs, as boxes are told of it: who sits at their tables, and the time left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from device.event.desk.rounds import DONE
from device.event.desk.rows import RoundClock
from device.event.desk.store import DeskStore
from device.event.messages import Seated

AGAIN_MS: Final = 60_000
"""A box is told again by then, whether it heard or not: its clock goes as the desk's does."""


class Assignments:
    """The table assignments of the round that runs, and what each box was told of them."""

    def __init__(self, store: DeskStore) -> None:
        """Begin with nobody told."""
        self._store = store
        self._mark = ""
        self._number, self._names = 0, dict[str, tuple[str, ...]]()
        self._clock: RoundClock | None = None
        self._told: dict[str, tuple[Seated, RoundClock | None, int]] = {}

    def forget(self, *boxes: str) -> None:
        """Tell these boxes anew, by default all."""
        for box in boxes or tuple(self._told):
            self._told.pop(box, None)

    def due(self, there: Mapping[str, str]) -> list[tuple[str, Seated]]:
        """Return what boxes are told now, each by the table that it stands at: what is new to them, or was
        told a while ago.
        """
        self._look()
        now, clock, found = self._store.now_ms, self._clock, list[tuple[str, Seated]]()
        left = clock.left(now) if clock and clock.running else None
        for box, table in there.items() if self._number else ():
            seats = Seated(self._number, table, self._names.get(table, ()))
            *known, at = self._told.get(box, (None, None, 0))
            if known != [seats, clock] or now - at >= AGAIN_MS:
                self._told[box] = seats, clock, now
                found.append((box, Seated(seats.round, table, seats.names, left)))
        return found

    def _look(self) -> None:
        """Look which round runs, if anything has changed: the first in which a table waits for somebody, or a
        later one whose clock was started; the last one where none waits.
        """
        mark = self._store.mark()
        if mark == self._mark:
            return
        self._mark, tables = mark, [one for one in self._store.tables() if one.seats]
        waiting = [one.round for one in tables if one.state not in DONE]
        started = [one.round for one in self._store.counting(RoundClock)]
        planned = {one.round for one in tables}
        first = min(waiting, default=max(planned, default=0))
        self._number = max({first, *started} & planned, default=0)
        self._names = {
            one.table: tuple(seat.person for seat in sorted(one.seats, key=lambda seat: seat.seat))
            for one in tables
            if one.round == self._number
        }
        self._clock = self._store.clock(self._number)
