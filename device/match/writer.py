"""The thread that writes the journal, so that no key press ever waits for an SD card.

::

    writer = Writer(journal)
    recorded = writer.submit([Draft(kind=Kind.STEP, payload="B d3", seat=0)])  # returns at once
    await asyncio.wrap_future(recorded)  # now it is on the disk
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from device.match.journal import Journal, JournalError
from device.match.records import Draft, Record, Stamp


class Writer:
    """A thread that appends groups to a journal in the order of submission.

    After a group fails, all later ones fail, too, until :meth:`resume`: they were decided on a position that
    was never recorded. ``stall`` is called before each commit; a test lets it wait like a
    slow card or raise like a full one.
    """

    def __init__(self, journal: Journal, *, stall: Callable[[], None] | None = None) -> None:
        """Start the thread; the caller closes the journal, after the writer."""
        self._journal = journal
        self._stall = stall
        self._failure: Exception | None = None  # the reason to skip later groups
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="journal")

    def submit(self, drafts: Sequence[Draft], stamp: Stamp | None = None) -> Future[tuple[Record, ...]]:
        """Queue a group; the future gives its records once they are on the disk, or the error.

        ``stamp`` is the time when it happened, by default that of writing: a slow card is nobody's thinking
        time.

        The future cannot be cancelled: an accepted group is recorded even if nobody waits for it. Raises
        :class:`JournalError` after :meth:`close`.
        """
        written: Future[tuple[Record, ...]] = Future()
        written.set_running_or_notify_cancel()
        try:
            self._thread.submit(self._write, tuple(drafts), stamp, written)
        except RuntimeError:
            raise JournalError(f"{self._journal.path}: the writer is closed") from None
        return written

    def resume(self) -> None:
        """Write groups submitted from now on; those queued before are still skipped."""
        with contextlib.suppress(RuntimeError):  # closed
            self._thread.submit(self._forgive, self._failure)

    def ask(self, answer: Callable[[], None]) -> None:
        """Have the thread call ``answer`` after the queued groups; a closed writer calls it at once."""
        try:
            self._thread.submit(answer)
        except RuntimeError:
            answer()

    def close(self) -> None:
        """Write the queued groups, then stop the thread; closing twice is harmless."""
        self._thread.shutdown()

    def _forgive(self, failure: Exception | None) -> None:
        if failure is self._failure:
            self._failure = None

    def _write(
        self, drafts: Sequence[Draft], stamp: Stamp | None, written: Future[tuple[Record, ...]]
    ) -> None:
        if self._failure is not None:
            why = f"not recorded, because an earlier entry was not: {self._failure}"
            written.set_exception(JournalError(why))
            return
        try:
            if self._stall is not None:
                self._stall()
            records = self._journal.append(drafts, stamp)
        except Exception as error:
            self._failure = error
            written.set_exception(error)
        else:
            written.set_result(records)
