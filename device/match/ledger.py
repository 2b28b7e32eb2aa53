"""The log of an open match on its way to the disk.

The state runs ahead of the disk by the groups still being written (``waiting``), so that nobody waits for a
slow card; if one of them fails, it and all after it are taken back and :class:`Lost` says which.

Nothing here blocks. Whoever owns the event loop passes ``wake``, which is called from the writer's thread
when something was written, and then calls :meth:`Ledger.poll` on the loop.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait

import msgspec

from device.match.journal import Journal, journal_error
from device.match.records import Draft, Record, Stamp, seal
from device.match.replay import Replay
from device.match.writer import Writer

log = logging.getLogger(__name__)


class Entry(msgspec.Struct, frozen=True):
    """A group on its way to the disk. ``number`` is that of its last record once it is there."""

    group: int
    number: int
    drafts: tuple[Draft, ...]
    written: Future[tuple[Record, ...]]


class Lost(msgspec.Struct, frozen=True):
    """Groups that did not reach the disk, oldest first, and why; they no longer count."""

    why: Exception
    drafts: tuple[tuple[Draft, ...], ...]


class Ledger(Replay):
    """One open match and its journal."""

    def __init__(
        self,
        journal: Journal,
        *,
        stamp: Callable[[], Stamp],
        wake: Callable[[], None] = lambda: None,
        on_change: Callable[[], None] = lambda: None,
        stall: Callable[[], None] | None = None,
    ) -> None:
        """Take over an open journal and go to where it stands; raises what a strict replay raises.

        ``on_change`` is called whenever what people may see has changed.
        """
        super().__init__(journal.header, journal.records)
        self.lost: Lost | None = None
        self.waiting: deque[Entry] = deque()
        self._stamp = stamp
        self._wake = wake
        self._on_change = on_change
        self._journal = journal
        self._writer = Writer(journal, stall=stall)

    @property
    def path(self) -> str:
        """The journal's file."""
        return str(self._journal.path)

    @property
    def head(self) -> int:
        """The number of the last record, written or waiting; 0 before the first."""
        return self.log[-1].seq if self.log else 0

    @property
    def recorded(self) -> int:
        """The number of the last record that is on the disk."""
        return self.head - sum(len(entry.drafts) for entry in self.waiting)

    def poll(self) -> None:
        """Take note of what the writer has done since the last call; call it after ``wake``."""
        written = False
        while self.waiting and self.waiting[0].written.done():
            entry = self.waiting[0]
            error = entry.written.exception()
            if error:
                self._lose(error)
                return
            records = entry.written.result()
            start = records[0].seq - 1
            self.log[start : start + len(records)] = records
            self.waiting.popleft()
            written = True
        if written:
            self.follow()
            self._on_change()

    def retry(self) -> None:
        """Send what was lost to the disk again, in its order."""
        lost, self.lost = self.lost, None
        for drafts in lost.drafts if lost else ():
            self._write(drafts)
        self._on_change()

    def forget_lost(self) -> None:
        """Leave what was lost out; people enter it again."""
        self.lost = None
        self._on_change()

    def wait(self, timeout: float | None = None) -> bool:
        """Block until nothing is waiting; False if ``timeout`` seconds were not enough."""
        wait([entry.written for entry in self.waiting], timeout)
        self.poll()
        return not self.waiting

    def close(self) -> None:
        """Write what waits and close the journal."""
        self._writer.close()
        self.poll()
        self._journal.close()

    def _write(self, drafts: Sequence[Draft]) -> Entry:
        group = self.log[-1].group + 1 if self.log else 1
        stamp = self._stamp()
        for seq, draft in enumerate(drafts, self.head + 1):
            provisional = seal(draft, stamp, seq=seq, group=group, group_size=len(drafts), prev="", salt="-")
            self.log.append(provisional)
        self.follow()
        written = self._writer.submit(drafts, stamp)
        entry = Entry(group, self.head, tuple(drafts), written)
        self.waiting.append(entry)
        written.add_done_callback(lambda _: self._wake())
        return entry

    def _lose(self, error: BaseException) -> None:
        """Take back every waiting group: what was decided on top of a lost one was decided on nothing."""
        wait([entry.written for entry in self.waiting])
        drafts = tuple(entry.drafts for entry in self.waiting)
        first = self.head - sum(map(len, drafts))
        del self.log[first:]
        self.waiting.clear()
        why = error if isinstance(error, Exception) else RuntimeError(str(error))
        if isinstance(why, OSError):
            why = journal_error(self._journal.path, why)
        earlier = self.lost.drafts if self.lost else ()
        self.lost = Lost(why, earlier + drafts)
        log.error("not recorded: %s", why)
        self._writer.resume()
        self.follow()
        self._on_change()
