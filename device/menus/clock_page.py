"""The players' clock on a page of its own: each player's turn and total, the table's time, breaks."""

from __future__ import annotations

from collections.abc import Callable

from device.match import ClockState, ClockTimes, Referee
from device.menus.ui import Ui, seats_asked
from device.menus.views import Paged
from device.screen import Page, TablePage
from engines.words import Words

RUNNING = "▶"


def minutes(ms: int) -> str:
    """Write a time as a clock shows it: ``75:03``."""
    return f"{ms // 60_000}:{ms // 1000 % 60:02}"


def clock_page(box: Ui, words: Words, referee: Referee) -> ClockPage:
    """Return the page with the players' clock of the match that is open."""

    def times() -> ClockTimes:
        box.clock.follow(referee.replay.log)
        return box.clock.at(box.library.stamp(), seats_asked(referee.replay))

    return ClockPage(box, words, times)


class ClockPage(Paged):
    """A row a seat with its turn and its total, then the table's time and the breaks."""

    def __init__(self, box: Ui, words: Words, times: Callable[[], ClockTimes]) -> None:
        """Show ``times``, which reads the clock and is called once for each page drawn."""
        super().__init__(box, words("clock.title"))
        self._words = words
        self._times = times

    def page(self) -> Page:
        """Show the clock as it stands now."""
        words, times = self._words, self._times()
        turns = {turn.seat: turn.ms for turn in times.present}
        runs = turns if times.stand is ClockState.RUNS else {}
        rows = [
            (
                RUNNING * (seat in runs) + name,
                minutes(turns[seat]) if seat in turns else "",
                minutes(times.seats[seat]),
            )
            for seat, name in enumerate(words.names)
        ]
        table = RUNNING * (times.stand is ClockState.RUNS and not turns) + words("clock.table")
        rows += [(table, "", minutes(times.table)), (words("clock.admin"), "", minutes(times.admin))]
        columns = words("clock.turn"), words("clock.total")
        return TablePage(self.box.header(self._state(times)), columns, tuple(rows), page=self.at)

    def _state(self, times: ClockTimes) -> str:
        """Say whose clock runs, or why none does."""
        words = self._words
        if times.stand is not ClockState.RUNS:
            return words(f"clock.stand.{times.stand.value}")
        names = [words.name(turn.seat) for turn in times.present] or [words("clock.table")]
        return RUNNING + " + ".join(names)

    def due_ms(self) -> float | None:
        """Time until a figure changes by itself; None while the clock stands still."""
        times = self._times()
        if times.stand in (ClockState.OVER, ClockState.ABANDONED):
            return None
        if times.stand is not ClockState.RUNS:
            running = [times.admin]
        elif times.present:
            running = [ms for turn in times.present for ms in (turn.ms, times.seats[turn.seat])]
        else:
            running = [times.table]
        return min(1000 - ms % 1000 for ms in running)
