"""Bounds on a reading: the CPU time it may cost, and signs of life while it lasts."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
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


@contextmanager
def signs_of_life(say: Callable[[], None], every_s: float, most: int) -> Iterator[None]:
    """Say so every now and then while what is done inside lasts, up to ``most`` times: whoever hangs for
    longer looks dead, and is.
    """
    done = threading.Event()

    def beat() -> None:
        # Whoever does not listen any more is met by the next word of the thread that works.
        with contextlib.suppress(Exception):
            for _ in range(most):
                if done.wait(every_s):
                    return
                say()

    thread = threading.Thread(target=beat, name="signs of life", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
