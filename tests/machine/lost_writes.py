"""Disks as a power cut could leave them: from the log of a device that keeps every write (dm-log-writes).

The log's format is the kernel's, drivers/md/dm-log-writes.c: a head, then entries in the order in which they
were completed; what was written before a flush is on the disk behind it, what came after may be lost, come in
another order, or be torn.
"""

import random
import struct
from pathlib import Path
from typing import NamedTuple

SECTOR = 512
MAGIC = 0x6A736677736872
FLUSH, FUA, DISCARD, MARK = 1, 2, 4, 8
TORN = 0.2
"""Of the writes behind the last flush that came at all, so many came in part."""


class Entry(NamedTuple):
    """A write: where, what kind, and what; a mark's name stands in ``data``."""

    sector: int
    flags: int
    data: bytes


def entries(log: Path) -> list[Entry]:
    """Read a log; raises AssertionError where it is none."""
    found = []
    with log.open("rb") as file:
        magic, _, number, size = struct.unpack("<QQQI", file.read(28))
        assert magic == MAGIC, "this is no log of dm-log-writes"
        file.seek(size)
        for _ in range(number):
            head = file.read(size)
            sector, sectors, flags, length = struct.unpack("<QQQQ", head[:32])
            if flags & MARK:
                found.append(Entry(0, flags, head[32 : 32 + length]))
            elif flags & DISCARD:
                found.append(Entry(sector, flags, bytes(sectors * SECTOR)))
            else:
                found.append(Entry(sector, flags, file.read(sectors * SECTOR)))
    return found


def marks(log: list[Entry]) -> dict[int, int]:
    """Return where in the log each number was said to be on the disk."""
    return {int(one.data): at for at, one in enumerate(log) if one.flags & MARK and one.data.isdigit()}


def left(log: list[Entry], begin: int, chance: random.Random, image: Path, size: int) -> int:
    """Write the disk that a cut at a moment behind ``begin`` may leave; return how far the log had come."""
    cut = chance.randrange(begin, len(log))
    flushes = [at for at, one in enumerate(log) if one.flags & (FLUSH | FUA)]
    safe = max((at for at in flushes if at <= cut), default=0)
    after = min((at for at in flushes if at > cut), default=len(log))
    pending = [one for one in log[safe + 1 : after] if not one.flags & MARK]
    chance.shuffle(pending)
    with image.open("wb") as file:
        file.truncate(size)
        for one in log[: safe + 1]:
            _write(file, one, len(one.data))
        for one in pending[: chance.randint(0, len(pending))]:
            sectors = len(one.data) // SECTOR
            torn = chance.random() < TORN and sectors > 1
            _write(file, one, SECTOR * (chance.randrange(1, sectors) if torn else sectors))
    return cut


def _write(file, one: Entry, length: int) -> None:
    if not one.flags & MARK and one.data:
        file.seek(one.sector * SECTOR)
        file.write(one.data[:length])
