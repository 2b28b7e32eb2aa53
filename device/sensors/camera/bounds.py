"""The bound of a reading's CPU time."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

READING_S: Final = 5.0
"""CPU time of a reading at most. A cluttered picture cost 4.9 s in the median and 45 s at worst on a machine
where a board that can be read took 0.3 to 1 s.
"""
AGAIN_S: Final = 0.5
"""A reader in the middle of a callback swallows what is raised there: so it is raised again."""


class TooMuchToSee(Exception):
    """A reading has cost all the time that it may."""


@contextmanager
def cpu_time(seconds: float = READING_S) -> Iterator[None]:
    """Raise :class:`TooMuchToSee` inside once this process has used so much CPU time; in its main thread.

    CPU time, not the clock's: on a busy machine a reading takes longer and is none the worse for it.
    """

    def over(_number: int, _frame: FrameType | None) -> None:
        raise TooMuchToSee

    before = signal.signal(signal.SIGPROF, over)
    signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)
