"""The thread that writes the journal, so that no key press ever waits for an SD card.

::

    writer = Writer(journal)
    recorded = writer.submit([Draft(kind=Kind.STEP, payload="B d3", seat=0)])  # returns at once
    await asyncio.wrap_future(recorded)  # now it is on the disk
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Self

import msgspec

from device.match.journal import Journal
from device.match.journal_errors import JournalError
from device.match.records import Draft, Record, Stamp


class Skipped(JournalError):
    """A group that was not written because one before it failed: ``after`` is that failure."""

    def __init__(self, after: Exception) -> None:
        """Say after what."""
        super().__init__(f"not recorded, because an earlier entry was not: {after}")
        self.after = after


class _Group(msgspec.Struct, frozen=True):
    drafts: Sequence[Draft]
    stamp: Stamp | None
    written: Future[tuple[Record, ...]]


class _Resume(msgspec.Struct, frozen=True):
    failure: Exception


class Writer:
    """Appends groups to a journal in the order they are submitted.

    After a group fails, all that are submitted later fail with :class:`Skipped` until :meth:`resume`: they
    were decided on a position that was never recorded. ``stall`` is called before each commit; a test lets it
    wait like a slow card or raise like a full one.
    """

    def __init__(self, journal: Journal, *, stall: Callable[[], None] | None = None) -> None:
        """Start the thread; the journal stays the caller's to close, after the writer."""
        self._journal = journal
        self._stall = stall
        self._queue: queue.SimpleQueue[_Group | _Resume | None] = queue.SimpleQueue()
        self._door = threading.Lock()  # nothing is submitted behind the end
        self._closed = False
        self._failure: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    @property
    def failure(self) -> Exception | None:
        """The failure that later groups are skipped for, or None."""
        return self._failure

    def submit(self, drafts: Sequence[Draft], stamp: Stamp | None = None) -> Future[tuple[Record, ...]]:
        """Queue a group; the future gives its records once they are on the disk, or the error.

        ``stamp`` is when it happened, by default when it is written: a slow card is nobody's thinking time.

        It cannot be cancelled: what was accepted is recorded, whoever still waits for it. Raises
        :class:`JournalError` after :meth:`close`.
        """
        written: Future[tuple[Record, ...]] = Future()
        written.set_running_or_notify_cancel()
        with self._door:
            if self._closed:
                raise JournalError(f"{self._journal.path}: the writer is closed")
            self._queue.put(_Group(tuple(drafts), stamp, written))
        return written

    def resume(self) -> None:
        """Write again what is submitted from now on; what was queued before is still skipped."""
        if (failure := self._failure) is not None:
            self._queue.put(_Resume(failure))

    def close(self) -> None:
        """Write what is queued, then stop the thread; closing twice is harmless."""
        with self._door:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    def __enter__(self) -> Self:
        """The writer itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def _run(self) -> None:
        while (item := self._queue.get()) is not None:
            if isinstance(item, _Group):
                self._write(item)
            elif item.failure is self._failure:
                self._failure = None

    def _write(self, group: _Group) -> None:
        if self._failure is not None:
            group.written.set_exception(Skipped(self._failure))
            return
        try:
            if self._stall is not None:
                self._stall()
            records = self._journal.append(group.drafts, group.stamp)
        except Exception as error:
            self._failure = error
            group.written.set_exception(error)
        else:
            group.written.set_result(records)
